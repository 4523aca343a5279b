//! A polynomial and all its products with powers of x.

use crate::wipe::ErasedVec;
use alloc::vec::Vec;
use core::fmt;

/// A small polynomial s of which x^i·s modulo x^n + 1 is a slice: -s and s, one after the other. For products
/// with a sparse polynomial, such as a challenge. It is erased when it is dropped.
pub(crate) struct Shifts(ErasedVec<i16>);

impl Shifts {
    /// All products of this polynomial with powers of x.
    pub(crate) fn new(s: &[i16]) -> Self {
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
    #[inline(always)]
    pub(crate) fn shifted(&self, i: usize) -> &[i16] {
        let n = self.0.len() / 2;
        &self.0[n - i..2 * n - i]
    }

    /// sum ← sum + x^i·s, in words of 16 bits.
    #[inline(always)]
    pub(crate) fn add_shifted(&self, i: usize, sum: &mut [i16]) {
        sum.iter_mut().zip(self.shifted(i)).for_each(|(sum, c)| *sum = sum.wrapping_add(*c));
    }

    /// The inner product of x^i·s and v.
    #[inline(always)]
    pub(crate) fn inner(&self, i: usize, v: &[i16]) -> i32 {
        self.shifted(i).iter().zip(v).map(|(c, v)| i32::from(*c) * i32::from(*v)).sum()
    }
}

impl fmt::Debug for Shifts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shifts").finish_non_exhaustive()
    }
}
