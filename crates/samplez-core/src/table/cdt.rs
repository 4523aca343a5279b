//! The cumulative table of inversion.

use super::Table;
use super::{MAX_PRECISION, TableError};
use crate::params::{DiscreteGaussian, ParamError};
use crate::profile::Bound;
use core::ops::RangeInclusive;

/// How a [`CdtTable`] lays out the line.
///
/// ```
/// use samplez_core::table::Shape;
/// assert_ne!(Shape::Folded, Shape::Full);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Integer centre: thresholds of |X - c|, the sign from one further bit.
    Folded,
    /// Any centre: thresholds of X itself.
    Full,
}

/// A cumulative distribution table for inversion.
///
/// It holds n thresholds T_1 >= T_2 >= … >= T_n, integers below 2^B (B the precision): with u uniform below 2^B, the
/// index #{j : u < T_j} is sampled. Index j means the value `first + j` (`Full`), or `first ± j` (`Folded`). The
/// thresholds themselves are the law: [`CdtTable::bound`], the bound of its distance from the target, was computed from
/// them.
///
/// Storage: each T_j is left-aligned in D = ⌈B/32⌉ digits of 32 bits, most significant first.
/// The n leading digits come first, then the D-1 others of T_1, of T_2, …
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{Bound, DiscreteGaussian, Rational};
/// use samplez_core::table::{CdtTable, Shape};
/// // A coarse table of 8 bits for σ = 1 on {-1, 0, 1}: P(|X| >= 1) = 140/256.
/// let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let bound = Bound::TRIVIAL;
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// assert_eq!((table.len(), table.bytes(), table.support()), (1, 4, -1..=1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CdtTable<S> {
    target: DiscreteGaussian,
    bound: Bound,
    shape: Shape,
    first: i64,
    precision: u32,
    head_bits: u32,
    len: usize,
    digits: S,
}

impl<S: AsRef<[u32]>> CdtTable<S> {
    /// Builds a table over these digits. `bound` is taken on trust: `samplez-tables` computes it.
    ///
    /// # Errors
    ///
    /// [`TableError`] unless 1 <= `precision` <= 256, the digits match the type's documentation, and the support fits
    /// `i64`.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{CdtTable, Shape, TableError};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let rising = CdtTable::new(law, bound, Shape::Full, 0, 8, [1 << 24, 2 << 24]);
    /// assert_eq!(rising.unwrap_err(), TableError::NotDescending { index: 2 });
    /// ```
    pub fn new(
        target: DiscreteGaussian,
        bound: Bound,
        shape: Shape,
        first: i64,
        precision: u32,
        digits: S,
    ) -> Result<Self, TableError> {
        let (len, head_bits) = check(shape, first, precision, digits.as_ref())?;
        Ok(CdtTable { target, bound, shape, first, precision, head_bits, len, digits })
    }

    /// The digits of T_(j+1), most significant first.
    pub(crate) fn threshold(&self, j: usize) -> impl Iterator<Item = u32> + '_ {
        let (heads, tails) = self.digits.as_ref().split_at(self.len);
        let more = self.precision.div_ceil(32) as usize - 1;
        core::iter::once(heads[j]).chain(tails[j * more..(j + 1) * more].iter().copied())
    }

    /// The leading digits of T_1 … T_n.
    #[inline(always)]
    pub(crate) fn heads(&self) -> &[u32] {
        &self.digits.as_ref()[..self.len]
    }

    /// Returns a borrowed view of the same table.
    pub fn view(&self) -> CdtTable<&[u32]> {
        CdtTable {
            target: self.target,
            bound: self.bound,
            shape: self.shape,
            first: self.first,
            precision: self.precision,
            head_bits: self.head_bits,
            len: self.len,
            digits: self.digits.as_ref(),
        }
    }

    /// Returns the digits, in storage order.
    pub fn digits(&self) -> &[u32] {
        self.digits.as_ref()
    }
}

impl<'a> CdtTable<&'a [u32]> {
    /// Makes a table in a constant, as [`CdtTable::new`] does: the compiler checks the digits, and a wrong table does
    /// not compile. `samplez table --emit rust` writes such a static.
    ///
    /// # Errors
    ///
    /// As [`CdtTable::new`].
    ///
    /// ```
    /// use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// use samplez_core::{samplers::CdtCt, table::{CdtTable, Shape}};
    /// static TABLE: CdtTable<&[u32]> = {
    ///     let Ok(law) = DiscreteGaussian::with_sigma(Rational::new(1, 1).unwrap()) else { panic!("not a law") };
    ///     let bound = Bound::TRIVIAL;
    ///     match CdtTable::from_slice(law, bound, Shape::Folded, 0, 8, &[140 << 24]) {
    ///         Ok(table) => table,
    ///         Err(_) => panic!("not a table"),
    ///     }
    /// };
    /// assert_eq!(TABLE.support(), -1..=1);
    /// assert!(CdtCt::from_table(TABLE.view()).is_ok());
    /// ```
    ///
    /// Thresholds that rise do not compile:
    ///
    /// ```compile_fail
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational, table::{CdtTable, Shape}};
    /// # const LAW: DiscreteGaussian = match DiscreteGaussian::with_sigma(Rational::new(1, 1).unwrap()) { Ok(law) => law, Err(_) => panic!() };
    /// # const BOUND: Bound = Bound::TRIVIAL;
    /// static TABLE: CdtTable<&[u32]> = match CdtTable::from_slice(LAW, BOUND, Shape::Folded, 0, 8, &[1 << 24, 2 << 24]) {
    ///     Ok(table) => table,
    ///     Err(_) => panic!("not a table"),
    /// };
    /// # println!("{TABLE:?}");
    /// ```
    pub const fn from_slice(
        target: DiscreteGaussian,
        bound: Bound,
        shape: Shape,
        first: i64,
        precision: u32,
        digits: &'a [u32],
    ) -> Result<Self, TableError> {
        match check(shape, first, precision, digits) {
            Ok((len, head_bits)) => Ok(CdtTable { target, bound, shape, first, precision, head_bits, len, digits }),
            Err(error) => Err(error),
        }
    }
}

/// Returns the number of thresholds, and the bits that are drawn first, if the digits match [`CdtTable`]'s
/// documentation.
const fn check(shape: Shape, first: i64, precision: u32, digits: &[u32]) -> Result<(usize, u32), TableError> {
    if precision < 1 || precision > MAX_PRECISION {
        return Err(TableError::Param(ParamError::OutOfRange {
            argument: "precision",
            value: precision as u64,
            min: 1,
            max: MAX_PRECISION as u64,
        }));
    }
    let each = precision.div_ceil(32) as usize;
    if digits.is_empty() || !digits.len().is_multiple_of(each) {
        return Err(TableError::Digits { digits: digits.len(), per_threshold: each });
    }
    let len = digits.len() / each;
    let below = match shape {
        Shape::Folded => first.abs_diff(i64::MIN),
        Shape::Full => u64::MAX,
    };
    if len as u64 > below || len as u64 > first.abs_diff(i64::MAX) {
        return Err(TableError::Support { of: "table" });
    }
    let loose = (1_u32 << (32 * each as u32 - precision)) - 1;
    let mut j = 0;
    while j < len {
        if digit(digits, len, each, j, each - 1) & loose != 0 {
            return Err(TableError::LooseBits { entry: "threshold", index: j + 1 });
        }
        if j > 0 {
            // The first digit that differs decides.
            let mut i = 0;
            while i + 1 < each && digit(digits, len, each, j, i) == digit(digits, len, each, j - 1, i) {
                i += 1;
            }
            if digit(digits, len, each, j, i) > digit(digits, len, each, j - 1, i) {
                return Err(TableError::NotDescending { index: j + 1 });
            }
        }
        j += 1;
    }
    let head = match shape {
        Shape::Folded => 31,
        Shape::Full => 32,
    };
    Ok((len, if precision < head { precision } else { head }))
}

/// Digit i of T_(j+1), the most significant being digit 0.
const fn digit(digits: &[u32], len: usize, each: usize, j: usize, i: usize) -> u32 {
    if i == 0 { digits[j] } else { digits[len + j * (each - 1) + i - 1] }
}

impl<S> CdtTable<S> {
    /// Returns the layout.
    pub const fn shape(&self) -> Shape {
        self.shape
    }
    /// Returns the value of index 0.
    pub const fn first(&self) -> i64 {
        self.first
    }
    /// Returns the precision B in bits.
    pub const fn precision(&self) -> u32 {
        self.precision
    }
    /// Returns the number n of thresholds, at least 1.
    #[allow(clippy::len_without_is_empty)] // never empty
    pub const fn len(&self) -> usize {
        self.len
    }
    /// Returns the range of possible values, also in a constant.
    pub const fn support(&self) -> RangeInclusive<i64> {
        let low = match self.shape {
            Shape::Folded => self.first - self.len as i64,
            Shape::Full => self.first,
        };
        low..=self.first + self.len as i64
    }
    /// Bits of u that a sampler draws first: 31 (folded) or 32, or the precision if that is less.
    pub const fn head_bits(&self) -> u32 {
        self.head_bits
    }

    /// Returns the same table, read with a shorter first draw: same law, other stream. It exists for
    /// the exact law tests, which walk every first draw.
    #[cfg(feature = "testing")]
    pub fn with_head_bits(self, head_bits: u32) -> Self {
        assert!((1..=self.head_bits).contains(&head_bits));
        CdtTable { head_bits, ..self }
    }
}

impl<S> Table for CdtTable<S> {
    fn target(&self) -> &DiscreteGaussian {
        &self.target
    }

    fn bound(&self) -> Bound {
        self.bound
    }

    fn support(&self) -> RangeInclusive<i64> {
        self.support()
    }

    fn bytes(&self) -> usize {
        4 * self.len * self.precision.div_ceil(32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{BOUND, digits, falling, table};
    use crate::params::Rational;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn thresholds_are_read_back() {
        for precision in [1, 8, 31, 32, 33, 63, 64, 65, 96, 97, 127] {
            let thresholds = falling(9, precision, 3);
            for (shape, low, most) in [(Shape::Folded, -2, 31), (Shape::Full, 7, 32)] {
                let table = table(shape, 7, precision, &thresholds).unwrap();
                let (each, view) = (precision.div_ceil(32), table.view());
                for (j, t) in thresholds.iter().enumerate() {
                    let read = view.threshold(j).fold(0_u128, |value, digit| value << 32 | u128::from(digit));
                    assert_eq!(read >> (32 * each - precision), *t);
                    assert_eq!(u128::from(view.heads()[j]), read >> (32 * (each - 1)));
                }
                assert_eq!((view.len(), view.bytes(), view.digits()), (9, 36 * each as usize, table.digits()));
                assert_eq!((view.support(), view.head_bits()), (low..=16, precision.min(most)));
                assert_eq!((view.target(), view.bound(), view.shape()), (table.target(), BOUND, shape));
                assert_eq!((view.first(), view.precision()), (7, precision));
                assert_eq!(table.with_head_bits(1).head_bits(), 1);
            }
        }
    }

    #[test]
    fn precisions_and_lengths() {
        let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
        let given = |precision, digits: Vec<u32>| {
            let slice = CdtTable::from_slice(law, BOUND, Shape::Full, 0, precision, &digits).map(|table| table.len());
            assert_eq!(CdtTable::new(law, BOUND, Shape::Full, 0, precision, &digits).map(|table| table.len()), slice);
            slice
        };
        let wrong = |digits, per_threshold| Err(TableError::Digits { digits, per_threshold });
        for precision in [0, 257] {
            let (value, min, max) = (precision.into(), 1, 256);
            let refused = ParamError::OutOfRange { argument: "precision", value, min, max };
            assert_eq!(given(precision, vec![0; 8]), Err(TableError::Param(refused)));
        }
        assert_eq!((given(1, vec![1 << 31]), given(256, vec![1; 8]), given(256, vec![1; 24])), (Ok(1), Ok(1), Ok(3)));
        assert_eq!(
            (given(32, vec![]), given(33, vec![]), given(33, vec![0; 3])),
            (wrong(0, 1), wrong(0, 2), wrong(3, 2))
        );
    }

    #[test]
    fn supports_at_the_ends() {
        let fits = |shape, first, count| match table(shape, first, 32, &vec![1; count]) {
            Ok(table) => Some(table.support()),
            Err(TableError::Support { of: "table" }) => None,
            Err(other) => panic!("{other}"),
        };
        use Shape::{Folded, Full};
        let (low, high) = (i64::MIN, i64::MAX);
        assert_eq!((fits(Folded, low + 2, 2), fits(Folded, low + 2, 3)), (Some(low..=low + 4), None));
        assert_eq!((fits(Full, low, 3), fits(Full, high - 3, 3)), (Some(low..=low + 3), Some(high - 3..=high)));
        assert_eq!((fits(Full, high - 3, 4), fits(Folded, high - 3, 4)), (None, None));
        assert_eq!(fits(Folded, high - 3, 3), Some(high - 6..=high));
    }

    #[test]
    fn what_is_no_table_is_refused_at_its_place() {
        let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
        for precision in [30_u32, 32, 33, 64, 95, 96, 110] {
            // Every digit falls once, all before it equal.
            let each = precision.div_ceil(32);
            let thresholds: Vec<u128> = (0..each)
                .flat_map(|i| {
                    let low = precision.saturating_sub(32 * (i + 1));
                    [(5 << low) + (each - i) as u128 * 3, (5 << low) + (each - i) as u128 * 3 - 1]
                })
                .collect();
            let mut thresholds = thresholds;
            thresholds.sort_by(|a, b| b.cmp(a));
            assert!(table(Shape::Full, 0, precision, &thresholds).is_ok());
            for i in 1..thresholds.len() {
                let mut wrong = thresholds.clone();
                wrong.swap(i - 1, i);
                let expected = (wrong[i] > wrong[i - 1]).then_some(TableError::NotDescending { index: i + 1 });
                assert_eq!(table(Shape::Full, 0, precision, &wrong).err(), expected, "{precision} bits, {i}");
            }
            for (j, bit) in [(0, 0), (1, (32 * each - precision).saturating_sub(1))] {
                let mut digits = digits(&thresholds, precision);
                let (len, more) = (thresholds.len(), each as usize - 1);
                let last = if more == 0 { j } else { len + (j + 1) * more - 1 };
                digits[last] ^= 1 << bit;
                let refused = CdtTable::from_slice(law, BOUND, Shape::Full, 0, precision, &digits).map(|_| ());
                if precision % 32 != 0 {
                    assert_eq!(
                        refused,
                        Err(TableError::LooseBits { entry: "threshold", index: j + 1 }),
                        "{precision} bits"
                    );
                } else {
                    assert_ne!(
                        refused,
                        Err(TableError::LooseBits { entry: "threshold", index: j + 1 }),
                        "{precision} bits"
                    );
                }
            }
        }
    }
}
