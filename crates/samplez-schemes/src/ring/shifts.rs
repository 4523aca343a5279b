//! A polynomial and all its products with powers of x.

use crate::wipe::ErasedVec;
use alloc::vec::Vec;
use core::fmt;

/// A small polynomial s of which x^i·s modulo x^n + 1 is a slice: -s and s, one after the other. For products
/// with a sparse polynomial, such as a challenge. It is erased when it is dropped.
///
/// ```
/// use samplez_schemes::ring::Shifts;
/// let s = Shifts::new(&[1, 2, 3, 4]);
/// assert_eq!(s.shifted(1), [-4, 1, 2, 3]);
/// let mut sum = [0; 4];
/// s.add_shifted(1, &mut sum);
/// s.subtract_shifted(0, &mut sum);
/// assert_eq!((sum, s.inner(1, &sum)), ([-5, -1, -1, -1], 14));
/// ```
pub struct Shifts(ErasedVec<i16>);

impl Shifts {
    /// All products of this polynomial with powers of x.
    ///
    /// ```
    /// use samplez_schemes::ring::Shifts;
    /// assert_eq!(Shifts::new(&[1, 2]).shifted(0), [1, 2]);
    /// ```
    pub fn new(s: &[i16]) -> Self {
        let mut both = Vec::with_capacity(2 * s.len());
        both.extend(s.iter().map(|c| c.wrapping_neg()));
        both.extend_from_slice(s);
        Shifts(ErasedVec::new(both))
    }

    /// x^i·s.
    ///
    /// # Panics
    ///
    /// Unless i <= n.
    ///
    /// ```
    /// use samplez_schemes::ring::Shifts;
    /// assert_eq!(Shifts::new(&[1, 2]).shifted(2), [-1, -2]);
    /// ```
    #[inline(always)]
    pub fn shifted(&self, i: usize) -> &[i16] {
        let n = self.0.len() / 2;
        &self.0[n - i..2 * n - i]
    }

    /// sum ← sum + x^i·s, in words of 16 bits.
    ///
    /// ```
    /// use samplez_schemes::ring::Shifts;
    /// let mut sum = [1, 1];
    /// Shifts::new(&[1, 2]).add_shifted(1, &mut sum);
    /// assert_eq!(sum, [-1, 2]);
    /// ```
    #[inline(always)]
    pub fn add_shifted(&self, i: usize, sum: &mut [i16]) {
        sum.iter_mut().zip(self.shifted(i)).for_each(|(sum, c)| *sum = sum.wrapping_add(*c));
    }

    /// sum ← sum - x^i·s, in words of 16 bits.
    ///
    /// ```
    /// use samplez_schemes::ring::Shifts;
    /// let mut sum = [1, 1];
    /// Shifts::new(&[1, 2]).subtract_shifted(1, &mut sum);
    /// assert_eq!(sum, [3, 0]);
    /// ```
    #[inline(always)]
    pub fn subtract_shifted(&self, i: usize, sum: &mut [i16]) {
        sum.iter_mut().zip(self.shifted(i)).for_each(|(sum, c)| *sum = sum.wrapping_sub(*c));
    }

    /// The inner product of x^i·s and v.
    ///
    /// ```
    /// use samplez_schemes::ring::Shifts;
    /// assert_eq!(Shifts::new(&[1, 2]).inner(1, &[10, 1]), -19);
    /// ```
    #[inline(always)]
    pub fn inner(&self, i: usize, v: &[i16]) -> i32 {
        self.shifted(i).iter().zip(v).map(|(c, v)| i32::from(*c) * i32::from(*v)).sum()
    }
}

impl fmt::Debug for Shifts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shifts").finish_non_exhaustive()
    }
}
