//! The cumulative table of inversion.

use super::{MAX_PRECISION, TableError};
use crate::params::{DiscreteGaussian, ParamError};
use crate::profile::Bound;

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
/// It holds n thresholds T_1 >= T_2 >= … >= T_n, integers below 2^B (B the precision): with u
/// uniform below 2^B, the index #{j : u < T_j} is sampled. Index j means the value `first + j`
/// (`Full`), or `first ± j` (`Folded`). The thresholds themselves are the law: what
/// [`CdtTable::bound`] says about its distance from the target was computed from them.
///
/// Storage: each T_j is left-aligned in D = ⌈B/32⌉ digits of 32 bits, most significant first.
/// The n leading digits come first, then the D-1 others of T_1, of T_2, …
///
/// ```
/// use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
/// use samplez_core::table::{CdtTable, Shape};
/// // A coarse table of 8 bits for σ = 1 on {-1, 0, 1}: P(|X| >= 1) = 140/256.
/// let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
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
    /// A table over these digits. `bound` is taken on trust: `samplez-tables` computes it.
    ///
    /// # Errors
    ///
    /// [`TableError`] unless 1 <= `precision` <= 256, the digits are as the type's
    /// documentation says, and the support fits `i64`.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{CdtTable, Shape, TableError};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
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
        if !(1..=MAX_PRECISION).contains(&precision) {
            return Err(TableError::Precision(ParamError::OutOfRange {
                argument: "precision",
                value: precision.into(),
                min: 1,
                max: MAX_PRECISION.into(),
            }));
        }
        let per_threshold = precision.div_ceil(32) as usize;
        let count = digits.as_ref().len();
        if count == 0 || count % per_threshold != 0 {
            return Err(TableError::Length { digits: count, per_threshold });
        }
        let len = count / per_threshold;
        let fits = i64::try_from(len).ok().and_then(|n| {
            first.checked_add(n)?;
            if shape == Shape::Folded { first.checked_sub(n) } else { Some(0) }
        });
        if fits.is_none() {
            return Err(TableError::Support);
        }
        let head_bits = match shape {
            Shape::Folded => precision.min(31),
            Shape::Full => precision.min(32),
        };
        let table = CdtTable { target, bound, shape, first, precision, head_bits, len, digits };
        let loose = (1_u32 << (32 * per_threshold as u32 - precision)) - 1;
        for j in 0..len {
            if table.threshold(j).last().is_some_and(|digit| digit & loose != 0) {
                return Err(TableError::LooseBits { index: j + 1 });
            }
            if j > 0 && table.threshold(j).gt(table.threshold(j - 1)) {
                return Err(TableError::NotDescending { index: j + 1 });
            }
        }
        Ok(table)
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

    /// A borrowed view of the same table.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{CdtTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, vec![140 << 24]).unwrap();
    /// let view: CdtTable<&[u32]> = table.view();
    /// assert_eq!(view.len(), table.len());
    /// ```
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

    /// The digits, in storage order.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{CdtTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, vec![140 << 24]).unwrap();
    /// assert_eq!(table.digits(), [140 << 24]);
    /// ```
    pub fn digits(&self) -> &[u32] {
        self.digits.as_ref()
    }
}

/// Accessors; each returns what [`CdtTable::new`] was given, or what follows from it.
///
/// ```
/// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
/// # use samplez_core::table::{CdtTable, Shape};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
/// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, vec![140 << 24]).unwrap();
/// assert_eq!((table.target(), table.bound(), table.shape()), (&law, &bound, Shape::Folded));
/// assert_eq!((table.first(), table.precision(), table.len(), table.is_empty()), (0, 8, 1, false));
/// assert_eq!((table.support(), table.bytes(), table.head_bits()), (-1..=1, 4, 8));
/// ```
impl<S> CdtTable<S> {
    /// The law aimed at.
    pub const fn target(&self) -> &DiscreteGaussian {
        &self.target
    }
    /// The certified distance from it.
    pub const fn bound(&self) -> &Bound {
        &self.bound
    }
    /// The layout.
    pub const fn shape(&self) -> Shape {
        self.shape
    }
    /// The value of index 0.
    pub const fn first(&self) -> i64 {
        self.first
    }
    /// The precision B in bits.
    pub const fn precision(&self) -> u32 {
        self.precision
    }
    /// The number n of thresholds, at least 1.
    pub const fn len(&self) -> usize {
        self.len
    }
    /// Never true: a table has a threshold.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The values that can come out.
    pub const fn support(&self) -> core::ops::RangeInclusive<i64> {
        let low = match self.shape {
            Shape::Folded => self.first - self.len as i64,
            Shape::Full => self.first,
        };
        low..=self.first + self.len as i64
    }
    /// The memory of the digits.
    pub const fn bytes(&self) -> usize {
        4 * self.len * self.precision.div_ceil(32) as usize
    }
    /// Bits of u that a sampler draws first: 31 (folded) or 32, or the precision if that is less.
    pub const fn head_bits(&self) -> u32 {
        self.head_bits
    }

    /// The same table, read with a shorter first draw: same law, other stream. It exists for
    /// the exact law tests, which walk every first draw.
    #[doc(hidden)]
    pub fn with_head_bits(self, head_bits: u32) -> Self {
        assert!((1..=self.head_bits).contains(&head_bits));
        CdtTable { head_bits, ..self }
    }
}
