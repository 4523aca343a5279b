//! The heights of table rejection.

use super::Table;
use super::{CdtTable, Shape, TableError};
use crate::params::DiscreteGaussian;
use crate::profile::Bound;

/// The heights ρ(1), …, ρ(n) of a Gaussian with integer centre, in units of 2^-B. They serve rejection from the uniform
/// law on -n … n. ρ(0) = 1 is not stored.
///
/// They fall, and are stored like the thresholds of a [`CdtTable`]. Each is left-aligned in ⌈B/32⌉ digits, the n
/// leading digits first, then the others of the first, of the second, …
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{Bound, DiscreteGaussian, Rational, table::RejectionTable};
/// let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let bound = Bound::TRIVIAL;
/// // ρ(1) = 0.6065, ρ(2) = 0.1353: 155/256 and 34/256.
/// let table = RejectionTable::new(law, bound, 0, 8, [155 << 24, 34 << 24])?;
/// assert_eq!((table.digits().len(), table.bytes(), table.support()), (2, 8, -2..=2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RejectionTable<S> {
    heights: CdtTable<S>,
}

impl<S: AsRef<[u32]>> RejectionTable<S> {
    /// Builds a table over these digits. `bound` is taken on trust: `samplez-tables` computes it.
    ///
    /// # Errors
    ///
    /// [`TableError`] unless 1 <= `precision` <= 256, the digits match the type's documentation, and centre ± n fit
    /// `i64`.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational, table::{RejectionTable, TableError}};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let rising = RejectionTable::new(law, bound, 0, 8, [34 << 24, 155 << 24]);
    /// assert_eq!(rising.unwrap_err(), TableError::NotDescending { index: 2 });
    /// ```
    pub fn new(
        target: DiscreteGaussian,
        bound: Bound,
        center: i64,
        precision: u32,
        digits: S,
    ) -> Result<Self, TableError> {
        let heights = CdtTable::new(target, bound, Shape::Folded, center, precision, digits)?;
        Ok(RejectionTable { heights })
    }

    /// Returns the digits, in storage order.
    pub fn digits(&self) -> &[u32] {
        self.heights.digits()
    }

    /// The digits of ρ(s), s from 1 to n, most significant first.
    pub(crate) fn height(&self, s: usize) -> impl Iterator<Item = u32> + '_ {
        self.heights.threshold(s - 1)
    }

    /// The leading digits of ρ(1), …, ρ(n).
    #[inline(always)]
    pub(crate) fn heads(&self) -> &[u32] {
        self.heights.heads()
    }
}

impl<S> RejectionTable<S> {
    for_tests! {
        /// The centre.
        const fn center(&self) -> i64 {
            self.heights.first()
        }
    }
    /// Returns the precision B in bits.
    pub const fn precision(&self) -> u32 {
        self.heights.precision()
    }
    for_tests! {
        /// The number n of heights, at least 1.
        const fn count(&self) -> usize {
            self.heights.len()
        }
    }
}

impl<S> Table for RejectionTable<S> {
    fn target(&self) -> &DiscreteGaussian {
        self.heights.target()
    }

    fn bound(&self) -> Bound {
        self.heights.bound()
    }

    fn support(&self) -> core::ops::RangeInclusive<i64> {
        self.heights.support()
    }

    fn bytes(&self) -> usize {
        self.heights.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{BOUND, digits, falling};
    use crate::params::Rational;
    use std::vec::Vec;

    #[test]
    fn heights_are_those_of_its_digits() {
        let law = DiscreteGaussian::with_sigma(Rational::from(2)).unwrap();
        for precision in [7, 32, 70] {
            let heights = falling(6, precision, 5);
            let digits = digits(&heights, precision);
            let table = RejectionTable::new(law, BOUND, -9, precision, digits.clone()).unwrap();
            let each = precision.div_ceil(32);
            for (s, height) in (1..).zip(&heights) {
                let read: Vec<u32> = table.height(s).collect();
                assert_eq!(read[0], table.heads()[s - 1]);
                let read = read.into_iter().fold(0_u128, |value, digit| value << 32 | u128::from(digit));
                assert_eq!(read >> (32 * each - precision), *height);
            }
            assert_eq!((table.target(), table.bound(), table.center(), table.support()), (&law, BOUND, -9, -15..=-3));
            assert_eq!((table.precision(), table.count()), (precision, 6));
            assert_eq!((table.bytes(), table.digits()), (24 * each as usize, &digits[..]));
        }
        let short = RejectionTable::new(law, BOUND, 0, 33, [1]).unwrap_err();
        assert_eq!(short, TableError::Digits { digits: 1, per_threshold: 2 });
    }
}
