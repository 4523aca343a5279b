//! A cumulative table split in two: the part that a draw of 16 bits decides, and the rest.

use super::split::{Lead, Levels, Open, Upper, byte_of, check_len, check_parts, is_node, levels, node, stride};
use super::{CdtTable, Shape, Table, TableError};
use super::{LAZY_BATCH, MAX_LAZY_THRESHOLDS};
use crate::params::DiscreteGaussian;
use crate::profile::Bound;

/// Samples of a row of a batch.
pub(crate) const LAZY_ROW: usize = 64;
/// The most digits of a fine threshold.
pub(crate) const MAX_FINE_DIGITS: usize = 32;

/// A [`CdtTable`] and its two parts, for a sampler that draws lazily in constant time.
///
/// Let p_j = T_j - T_(j+1) be the probability of the index j in units of 2^-B (T_0 = 2^B, T_(n+1) = 0), and L = 15
/// (folded) or 16. Then p_j = d_j·2^(B-L) + f_j with integers d_j, f_j >= 0. The sum of all d_j is 2^L - 2^m. (B counts
/// as L if it is less.)
///
/// - A uniform v of L bits below D_0 = 2^L - 2^m *decides*, for the index #{j >= 1 : v < D_j} with D_j = d_j + … + d_n.
/// - Any other v, of probability 2^(m-L), leaves the sample *open*. Its index is drawn from the f_j. It is #{j >= 1 : w
///   < F_j} with F_j = T_j - 2^(B-L)·D_j and w a uniform of B-L+m bits.
///
/// d_j is ⌊p_j/2^(B-L)⌋, except for the largest j, where it is less. The difference makes the rest a power of two, the
/// least possible. So the parts follow from the table; the law is the table's.
///
/// A batch, of 64 samples to 2048, has `slots` draws of w, a longer one no fewer. More samples than that are open with
/// probability at most 2^`log2_overflow` <= 2^-(B+8), an upper bound in integers. Those without a slot have further
/// draws. So the certified bound of a batch's samples is that of the table.
///
/// Storage is two trees. The first has D_0 >= D_(a+1) >= … >= D_b by digits of 8 bits. Here a and b are the first and
/// the last index of d_j > 0, and a is 0 in a folded table. The second has the F_j that are neither 0 nor 2^(B-L+m),
/// left-aligned in ⌈(B-L+m)/8⌉ digits.
///
/// A tree of l levels, at least 4, has a row of max(64, 2^l) bytes for each digit, the most significant first. Byte
/// 2^i + q of a row is the digit, less 128, of the number of rank (2q+1)·2^(l-1-i), counted from 1. It is -128 if there
/// are not so many.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{Bound, DiscreteGaussian, Rational};
/// use samplez_core::table::{CdtTable, LazyTable, Shape};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// # let bound = Bound::TRIVIAL;
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// let lazy = LazyTable::with_parts_in(table, |len| vec![0; len])?;
/// // Eight bits: all but one of the 2^15 values decide.
/// assert_eq!((lazy.open_bits(), lazy.slots(2048), lazy.bytes()), (15, 8, 4 + 3 * 64));
/// assert!(lazy.log2_overflow() <= -16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LazyTable<S, P> {
    table: CdtTable<S>,
    parts: P,
    split: Split,
}

/// The numbers that describe the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Split {
    /// L, and m.
    lead: Lead,
    /// a, and b - a + 1.
    first: usize,
    coarse: usize,
    /// How many F_j, j >= 1, are 2^(B-L+m), and how many are neither this nor 0.
    certain: usize,
    fine: usize,
    digits: usize,
    /// For a batch of one row, of two, …
    slots: [u8; LAZY_BATCH / LAZY_ROW],
    /// Of whichever of them overflows most easily.
    log2_overflow: i32,
}

impl Split {
    fn new<S: AsRef<[u32]>>(table: &CdtTable<S>) -> Result<Self, TableError> {
        if table.len() > MAX_LAZY_THRESHOLDS {
            return Err(TableError::LazyThresholds { thresholds: table.len() });
        }
        let folded = table.shape() == Shape::Folded;
        let ([lead], left) = Lead::of(table, [if folded { 15 } else { 16 }]);
        let (mut first, mut last, mut certain, mut fine) = (0, None, 0, 0);
        Lead::walk(&[lead], table, &mut |step| {
            if step.cells[0] > 0 {
                first = step.index;
                last = last.or(Some(step.index));
            }
            let rest = step.rest(&[lead]);
            if step.index > 0 {
                certain += usize::from(rest[0] != 0);
                fine += usize::from(rest[0] == 0 && rest != [0; 5]);
            }
        });
        let open_bits = lead.open_bits();
        let Some(last) = last else { return Err(TableError::Open { open_bits }) };
        // The sign of a folded table is that of an index, which is counted from 0.
        if folded {
            first = 0;
        }
        let most = -(table.precision() as i32) - 8;
        let (slots, log2_overflow) = slots(open_bits, most).ok_or(TableError::Open { open_bits })?;
        let digits = left.div_ceil(8).max(1) as usize;
        Ok(Split { lead, first, coarse: last - first + 1, certain, fine, digits, slots, log2_overflow })
    }

    fn coarse_len(self) -> usize {
        2 * stride(self.coarse)
    }

    fn len(self) -> usize {
        self.coarse_len() + self.digits * stride(self.fine)
    }

    /// Whether this byte of the parts is a number's digit.
    fn is_digit(self, place: usize) -> bool {
        let (place, numbers) = match place.checked_sub(self.coarse_len()) {
            None => (place, self.coarse),
            Some(place) => (place, self.fine),
        };
        is_node(place, numbers)
    }

    /// Calls `put(place, byte)` with each byte of the parts that is a number's digit.
    fn write<S: AsRef<[u32]>>(self, table: &CdtTable<S>, mut put: impl FnMut(usize, i8)) {
        let digit = |digit: u8| (digit ^ 0x80).cast_signed();
        let put_coarse = |put: &mut dyn FnMut(usize, i8), rank: usize, number: u32| {
            let place = node(rank, levels(self.coarse));
            put(place, digit((number >> 8) as u8));
            put(stride(self.coarse) + place, digit(number as u8));
        };
        put_coarse(&mut put, 0, self.lead.decided());
        Lead::walk(&[self.lead], table, &mut |step| {
            if (self.first + 1..self.first + self.coarse).contains(&step.index) {
                put_coarse(&mut put, step.index - self.first, step.above[0]);
            }
            if (self.certain + 1..self.certain + 1 + self.fine).contains(&step.index) {
                let (place, rest) = (node(step.index - self.certain - 1, levels(self.fine)), step.rest(&[self.lead]));
                for d in 0..self.digits {
                    put(self.coarse_len() + place + d * stride(self.fine), digit(byte_of(&rest, d)));
                }
            }
        });
    }
}

/// For batches of one row, of two, …, the [least slots](Open::least) that will do, and log2 of the largest of the bounds.
fn slots(open_bits: u32, most: i32) -> Option<([u8; LAZY_BATCH / LAZY_ROW], i32)> {
    let (mut all, mut log2_overflow, open) = ([0; LAZY_BATCH / LAZY_ROW], i32::MIN, Open::new(open_bits));
    let row = open.none(LAZY_ROW as u32);
    let mut none = Upper::ONE;
    for (rows, slots) in (1..).zip(&mut all) {
        none = none.product(row);
        let log2;
        (*slots, log2) = open.least(rows * LAZY_ROW as u64, none, most)?;
        log2_overflow = log2_overflow.max(log2);
    }
    Some((all, log2_overflow))
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> LazyTable<S, P> {
    /// Combines a table and its parts, which are checked.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the table has no parts, or these do not match the type's documentation.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{CdtTable, LazyTable, Shape, TableError};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let wrong = LazyTable::new(table.view(), [0; 5]);
    /// assert_eq!(wrong.unwrap_err().to_string(), "parts: got 5 bytes, expected 192");
    /// assert_eq!(LazyTable::new(table, [0; 192]).unwrap_err(), TableError::Entry { entry: "parts: byte", index: 0 });
    /// ```
    pub fn new(table: CdtTable<S>, parts: P) -> Result<Self, TableError> {
        let split = Split::new(&table)?;
        check_len(parts.as_ref().len(), split.len())?;
        check_parts(parts.as_ref(), |place| split.is_digit(place), |put| split.write(&table, put))?;
        Ok(LazyTable { table, parts, split })
    }

    /// Computes the parts of `table`, and writes them into the memory that `memory` returns for their number of bytes.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the table has no parts, or the memory has another number of bytes.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{CdtTable, LazyTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let lazy = LazyTable::with_parts_in(table.clone(), |len| vec![0; len]).unwrap();
    /// assert!(LazyTable::new(table.view(), lazy.parts()).is_ok());
    ///
    /// let long = CdtTable::new(law, bound, Shape::Folded, 0, 8, vec![0; 4096]).unwrap();
    /// let refused = LazyTable::with_parts_in(long, |len| vec![0; len]).unwrap_err();
    /// assert_eq!(refused.to_string(), "thresholds = 4096: expected a number between 1 and 4095");
    /// ```
    pub fn with_parts_in(table: CdtTable<S>, memory: impl FnOnce(usize) -> P) -> Result<Self, TableError>
    where
        P: AsMut<[i8]>,
    {
        let split = Split::new(&table)?;
        let mut parts = memory(split.len());
        let slots = parts.as_mut();
        check_len(slots.len(), split.len())?;
        slots.fill(-128);
        split.write(&table, |place, byte| slots[place] = byte);
        Ok(LazyTable { table, parts, split })
    }

    /// The tree of the D_j.
    pub(crate) fn coarse(&self) -> Levels<'_> {
        let (rows, _) = self.parts.as_ref().split_at(self.split.coarse_len());
        Levels { rows, stride: stride(self.split.coarse), levels: levels(self.split.coarse), len: self.split.coarse }
    }

    /// The tree of the F_j.
    pub(crate) fn fine(&self) -> Levels<'_> {
        let (_, rows) = self.parts.as_ref().split_at(self.split.coarse_len());
        Levels { rows, stride: stride(self.split.fine), levels: levels(self.split.fine), len: self.split.fine }
    }
}

impl<S, P> LazyTable<S, P> {
    /// Returns the thresholds.
    pub const fn table(&self) -> &CdtTable<S> {
        &self.table
    }
    /// Returns the parts.
    pub const fn parts(&self) -> &P {
        &self.parts
    }
    /// Returns L - m: a sample is open with probability 2^-(L - m).
    #[cfg(feature = "testing")]
    pub fn open_bits(&self) -> u32 {
        self.split.lead.open_bits()
    }
    for_tests! {
        /// The number of draws of w for a batch of so many samples: a multiple of 8.
        ///
        /// # Panics
        ///
        /// Unless there are 1 to 2048 samples.
        fn slots(&self, samples: usize) -> usize {
            self.split.slots[samples.div_ceil(LAZY_ROW) - 1] as usize
        }
    }
    for_tests! {
        /// The bytes of a draw of w.
        fn fine_digits(&self) -> usize {
            self.split.digits
        }
    }
    for_tests! {
        /// An upper bound of log2 of the probability that more samples of a batch, of whatever length, are open than it has slots.
        fn log2_overflow(&self) -> i32 {
            self.split.log2_overflow
        }
    }
    /// For tests: a, the number of D, the number of F_j, j >= 1, that are 2^(B-L+m), and the number of F.
    #[cfg(feature = "testing")]
    pub const fn layout(&self) -> [usize; 4] {
        [self.split.first, self.split.coarse, self.split.certain, self.split.fine]
    }
    /// The index of the least decided value, and that of a draw of w which is above all F_j of the tree.
    pub(crate) const fn offsets(&self) -> (usize, usize) {
        (self.split.first, self.split.certain)
    }
}

impl<S, P> Table for LazyTable<S, P> {
    fn target(&self) -> &DiscreteGaussian {
        self.table.target()
    }

    fn bound(&self) -> Bound {
        self.table.bound()
    }

    fn support(&self) -> core::ops::RangeInclusive<i64> {
        self.table.support()
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + 2 * stride(self.split.coarse) + self.split.digits * stride(self.split.fine)
    }
}

#[cfg(test)]
mod tests;
