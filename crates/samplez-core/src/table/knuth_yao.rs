//! The probability matrix of a Knuth–Yao walk, by columns.

mod parts;

pub use parts::{Columns, KnuthYaoParts, MAX_FIRST_LEVELS};

use super::select::select;
use super::{MAX_PRECISION, Shape, Table, TableError};
use crate::params::{DiscreteGaussian, ParamError};
use crate::profile::Bound;

/// Levels whose ends a table knows without looking at its columns.
pub(crate) const KNOWN_LEVELS: u32 = 31;

/// Rows are fewer than this, 2^26.
const ROWS: usize = 1 << 26;

/// The binary digits of the probabilities of a law, by columns, for the walk through its discrete
/// distribution generating tree of Knuth and Yao.
///
/// Row j has the probability 0.b_0 b_1 … b_(B-1) in binary, b_c being the bit of column c, of
/// weight 2^-(c+1); the probabilities add up to 1, which makes the tree complete: a walk ends
/// after at most B bits. They are the law: what [`KnuthYaoTable::bound`] says about its distance
/// from the target was computed from them.
///
/// Storage, in words of 32 bits, each bit string from the least significant bit of its first
/// word on:
/// - `Packed`: B columns of ⌈rows/32⌉ words, row 0 first.
/// - `Compact`: B + 1 offsets, where the bits of each column begin, and where the last ends; if
///   `Full`, the first row of each column (if `Folded`, that is row 0); the bits of all columns
///   in one string.
/// - The first table, 2^g words. Entry i is where the walk is after the bits of i, the least
///   significant first: 2^26·l + j for row j, reached after l <= g bits; 2^31 + d if it is still
///   going, at the d-th of the inner nodes of level g.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{Bound, DiscreteGaussian, Rational};
/// use samplez_core::table::{Columns, KnuthYaoParts, KnuthYaoTable, Shape};
/// let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let bound = Bound::TRIVIAL;
/// // P(0) = 0.01, P(±1) = 0.11: a leaf for row 1 at level 1, one for each at level 2.
/// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, columns: Columns::Packed,
///     first_levels: 0, digits: [0b10, 0b11] };
/// let table = KnuthYaoTable::new(law, bound, parts)?;
/// assert_eq!((table.bytes(), table.support()), (8, -1..=1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct KnuthYaoTable<S> {
    target: DiscreteGaussian,
    bound: Bound,
    parts: KnuthYaoParts<S>,
    /// Where the columns' bits and the first table begin, in words.
    bits_at: usize,
    first_at: usize,
    /// Leading columns without a one.
    quiet: u32,
    expected_depth: f64,
    /// The last of the strings of 31 bits, as numbers in -1 … 2^31 - 1 with the walk's first bit
    /// on top, whose walk has ended once it has been through column c; all for the columns there are not.
    ended: [i32; KNOWN_LEVELS as usize + 1],
    /// The bits of row 0 in these columns, column 0's the least significant.
    zero: u32,
}

/// What a word of the first table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The row, whether it is row 0, which is known before the row is, and the bits used.
    Leaf { row: usize, zero: bool, depth: u32 },
    /// The inner node of level g.
    Node(u64),
}

impl Entry {
    const NODE: u32 = 1 << 31;
    const DEPTH: u32 = ROWS.ilog2();

    #[inline(always)]
    pub(crate) fn of(word: u32) -> Self {
        if word & Self::NODE != 0 {
            Entry::Node((word & !Self::NODE).into())
        } else {
            let row = (word & (ROWS as u32 - 1)) as usize;
            Entry::Leaf { row, zero: row == 0, depth: word >> Self::DEPTH }
        }
    }

    fn word(self) -> u32 {
        match self {
            Entry::Leaf { row, depth, .. } => row as u32 | depth << Self::DEPTH,
            Entry::Node(d) => d as u32 | Self::NODE,
        }
    }
}

/// One column's bits.
#[derive(Clone, Copy)]
struct Column {
    first_row: usize,
    /// Where they begin and end in the bit string.
    start: usize,
    end: usize,
}

impl<S: AsRef<[u32]>> KnuthYaoTable<S> {
    /// A table of these parts, which are checked. `bound` is taken on trust: `samplez-tables`
    /// computes it.
    ///
    /// # Errors
    ///
    /// [`TableError`] unless the parts are as their documentation says.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{Columns, KnuthYaoParts, KnuthYaoTable, Shape, TableError};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, columns: Columns::Packed,
    ///     first_levels: 0, digits: [0b10, 0b01] };
    /// assert_eq!(KnuthYaoTable::new(law, bound, parts).unwrap_err(), TableError::Tree { column: 1 });
    /// ```
    pub fn new(target: DiscreteGaussian, bound: Bound, parts: KnuthYaoParts<S>) -> Result<Self, TableError> {
        let KnuthYaoParts { shape, first, precision, rows, columns, first_levels, .. } = parts;
        let range = |argument, value: usize, min, max: usize| {
            let (value, max) = (value as u64, max as u64);
            if (min..=max).contains(&value) {
                return Ok(());
            }
            Err(TableError::Param(ParamError::OutOfRange { argument, value, min, max }))
        };
        range("precision", precision as usize, 1, MAX_PRECISION as usize)?;
        range("rows", rows, 2, ROWS - 1)?;
        range("first_levels", first_levels as usize, 0, MAX_FIRST_LEVELS.min(precision) as usize)?;
        let last = rows as i64 - 1;
        if first.checked_add(last).is_none() || (shape == Shape::Folded && first.checked_sub(last).is_none()) {
            return Err(TableError::Support { of: "table" });
        }
        let (words, width) = (parts.digits.as_ref().len(), precision as usize);
        let (bits_at, body) = match columns {
            Columns::Packed => (0, width * rows.div_ceil(32)),
            Columns::Compact => {
                let head = width + 1 + if shape == Shape::Full { width } else { 0 };
                let end = parts.digits.as_ref().get(width).copied();
                let end =
                    end.ok_or(TableError::Length { part: "digits", given: words, unit: " words", expected: head })?;
                (head, end.div_ceil(32) as usize)
            }
        };
        let first_at = bits_at + body;
        let wanted = first_at + if first_levels == 0 { 0 } else { 1 << first_levels };
        if words != wanted {
            return Err(TableError::Length { part: "digits", given: words, unit: " words", expected: wanted });
        }
        let mut table = KnuthYaoTable {
            target,
            bound,
            parts,
            bits_at,
            first_at,
            quiet: 0,
            expected_depth: 0.0,
            ended: [i32::MAX; _],
            zero: 0,
        };
        table.check_tree()?;
        for index in 0..wanted - first_at {
            if table.parts.digits.as_ref()[first_at + index] != table.entry_after(index).word() {
                return Err(TableError::FirstTable { index });
            }
        }
        Ok(table)
    }

    /// Walks down the levels: at level c there are `inner` inner nodes, whose 2·inner children are
    /// the leaves of column c and the inner nodes of level c + 1.
    fn check_tree(&mut self) -> Result<(), TableError> {
        let (mut inner, mut share, mut depth) = (1_u64, 1.0, 0.0);
        let (mut quiet, mut begun) = (0, false);
        let digits = self.parts.digits.as_ref();
        let total = 32 * (self.first_at - self.bits_at);
        for column in 0..self.parts.precision {
            let Column { first_row, start, end } = self.column(column);
            let fits = start <= end && end <= total && first_row.saturating_add(end - start) <= self.parts.rows;
            let packed = self.parts.columns == Columns::Packed;
            let loose = packed && end % 32 != 0 && digits[end / 32] >> (end % 32) != 0;
            if !fits || loose {
                return Err(TableError::Column { column });
            }
            let ones = self.ones(column);
            begun |= ones > 0;
            quiet += u32::from(!begun);
            depth += inner as f64 * share;
            share /= 2.0;
            inner = (2 * inner).checked_sub(ones).ok_or(TableError::Tree { column })?;
            // A row's remaining digits are worth less than one node.
            if inner >= self.parts.rows as u64 {
                return Err(TableError::Tree { column });
            }
            if column < KNOWN_LEVELS {
                self.zero |= u32::from(self.bit(0, column)) << column;
                // Below each inner node of level c + 1 there are 2^(30-c) strings, above all others.
                let strings = (1 << KNOWN_LEVELS) - (inner << (KNOWN_LEVELS - 1 - column));
                self.ended[column as usize] = (strings as u32).wrapping_sub(1) as i32;
            }
        }
        if inner > 0 {
            return Err(TableError::Tree { column: self.parts.precision - 1 });
        }
        (self.quiet, self.expected_depth) = (quiet, depth);
        Ok(())
    }

    /// The words of this table with a first table of g levels in place of its own: what
    /// [`KnuthYaoParts::digits`] has to hold. Entry by entry, for whoever collects them.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{Columns, KnuthYaoParts, KnuthYaoTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, columns: Columns::Packed,
    ///     first_levels: 0, digits: vec![0b10, 0b11] };
    /// let table = KnuthYaoTable::new(law, bound, parts.clone()).unwrap();
    /// // Bit 0: row 1. Bit 1: the inner node 0 of level 1.
    /// assert_eq!(table.first_table(1).collect::<Vec<_>>(), [1 << 26 | 1, 1 << 31]);
    /// ```
    pub fn first_table(&self, levels: u32) -> impl Iterator<Item = u32> + '_ {
        let levels = levels.min(MAX_FIRST_LEVELS).min(self.parts.precision);
        (0..1_usize << levels).map(move |index| self.walk_prefix(index, levels).word())
    }

    fn entry_after(&self, index: usize) -> Entry {
        self.walk_prefix(index, self.parts.first_levels)
    }

    /// The walk by the bits of `index`, the least significant first.
    fn walk_prefix(&self, index: usize, levels: u32) -> Entry {
        let mut d = 0;
        for column in 0..levels {
            match self.descend(2 * d + (index >> column & 1) as u64, column) {
                Step::Leaf(row) => return Entry::Leaf { row, zero: row == 0, depth: column + 1 },
                Step::Node(next) => d = next,
            }
        }
        Entry::Node(d)
    }

    #[inline(always)]
    fn column(&self, column: u32) -> Column {
        let (digits, column) = (self.parts.digits.as_ref(), column as usize);
        match self.parts.columns {
            Columns::Packed => {
                let start = 32 * column * self.parts.rows.div_ceil(32);
                Column { first_row: 0, start, end: start + self.parts.rows }
            }
            Columns::Compact => {
                let first_row = match self.parts.shape {
                    Shape::Folded => 0,
                    Shape::Full => digits[self.parts.precision as usize + 1 + column] as usize,
                };
                Column { first_row, start: digits[column] as usize, end: digits[column + 1] as usize }
            }
        }
    }

    /// 64 bits of the columns' string.
    #[inline(always)]
    fn chunk(&self, at: usize) -> u64 {
        let words = &self.parts.digits.as_ref()[self.bits_at + at / 32..];
        let word = |i: usize| u64::from(words.get(i).copied().unwrap_or(0));
        let (first, second, third) = match words {
            [first, second, third, ..] => (u64::from(*first), u64::from(*second), u64::from(*third)),
            _ => (word(0), word(1), 0),
        };
        (first | second << 32) >> (at % 32) | third << 32 << (32 - at % 32)
    }

    /// The ones of a column.
    fn ones(&self, column: u32) -> u64 {
        let Column { start, end, .. } = self.column(column);
        let chunks = (start..end).step_by(64).map(|at| (self.chunk(at) & low_bits(end - at)).count_ones());
        chunks.map(u64::from).sum()
    }

    /// One level of the walk. The children of level c's inner nodes are numbered, from twice to
    /// twice and one their parent's number; the first of them are the leaves of column c, by
    /// rows, the others the inner nodes of the next level.
    #[inline(always)]
    pub(crate) fn descend(&self, child: u64, column: u32) -> Step {
        let leaves = if column < KNOWN_LEVELS {
            ((self.strings(column + 1) - self.strings(column)) >> (KNOWN_LEVELS - 1 - column)).into()
        } else {
            self.ones(column)
        };
        if child < leaves { Step::Leaf(self.leaf(child, column)) } else { Step::Node(child - leaves) }
    }

    /// The strings of 31 bits whose walk has ended before column c <= 31.
    #[inline(always)]
    fn strings(&self, column: u32) -> u32 {
        column.checked_sub(1).map_or(0, |last| (self.ended[last as usize] as u32).wrapping_add(1))
    }

    /// The walk by the least 31 bits of a word, the least significant first: the row, or the inner
    /// node of level 31, with probability below rows·2^-31.
    #[inline(always)]
    pub(crate) fn look(&self, word: u64) -> Entry {
        let string = ((word as u32).reverse_bits() >> (32 - KNOWN_LEVELS)) as i32;
        // The difference is an i32, and below 0 for the columns that the walk is through.
        let column: u32 = self.ended.iter().map(|ended| ended.wrapping_sub(string) as u32 >> 31).sum();
        let rest = string as u32 - self.strings(column);
        if column == KNOWN_LEVELS {
            return Entry::Node(rest.into());
        }
        let child = rest >> (KNOWN_LEVELS - 1 - column);
        // Row 0 is the first leaf wherever it has one.
        let zero = child == 0 && self.zero >> column & 1 != 0;
        Entry::Leaf { row: self.leaf(child.into(), column), zero, depth: column + 1 }
    }

    /// The row of a leaf of column c, the leaves in their order. Requires one.
    #[inline(always)]
    fn leaf(&self, mut child: u64, column: u32) -> usize {
        let Column { first_row, start, .. } = self.column(column);
        let mut at = start;
        loop {
            // The leaf is there: what comes after the column's last one is not looked at.
            match select(self.chunk(at), child) {
                Ok(place) => return first_row + (at - start) + place,
                Err(ones) => child -= ones,
            }
            at += 64;
        }
    }

    /// The entry of the first table for the bits of `index`.
    #[inline(always)]
    pub(crate) fn entry(&self, index: usize) -> Entry {
        Entry::of(self.parts.digits.as_ref()[self.first_at + index])
    }

    /// Bit of weight 2^-(column + 1) of the probability of a row; false outside the table.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{Columns, KnuthYaoParts, KnuthYaoTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, columns: Columns::Packed,
    ///     first_levels: 0, digits: [0b10, 0b11] };
    /// let table = KnuthYaoTable::new(law, bound, parts).unwrap();
    /// assert_eq!([table.bit(0, 0), table.bit(0, 1), table.bit(1, 0), table.bit(1, 2)], [false, true, true, false]);
    /// ```
    pub fn bit(&self, row: usize, column: u32) -> bool {
        if column >= self.parts.precision {
            return false;
        }
        let Column { first_row, start, end } = self.column(column);
        let at = row.checked_sub(first_row).map(|offset| start + offset).filter(|at| *at < end);
        at.is_some_and(|at| self.chunk(at) & 1 != 0)
    }
}

/// Where one level of a walk leads.
pub(crate) enum Step {
    Leaf(usize),
    Node(u64),
}

/// The least n bits, n >= 1, or all 64.
#[inline(always)]
fn low_bits(n: usize) -> u64 {
    u64::MAX >> (64 - n.min(64))
}

impl<S> KnuthYaoTable<S> {
    /// The parts.
    pub const fn parts(&self) -> &KnuthYaoParts<S> {
        &self.parts
    }
    for_tests! {
        /// The number of leading columns without a one: no walk ends sooner.
        fn quiet(&self) -> u32 {
            self.quiet
        }
    }
    for_tests! {
        /// The expected number of bits of a walk.
        fn expected_depth(&self) -> f64 {
            self.expected_depth
        }
    }
    /// The memory of the columns, in bytes.
    #[cfg(feature = "testing")]
    pub fn column_bytes(&self) -> usize {
        4 * self.first_at
    }
}

impl<S> Table for KnuthYaoTable<S> {
    fn target(&self) -> &DiscreteGaussian {
        &self.target
    }

    fn bound(&self) -> Bound {
        self.bound
    }

    fn support(&self) -> core::ops::RangeInclusive<i64> {
        let last = self.parts.rows as i64 - 1;
        let low = match self.parts.shape {
            Shape::Folded => self.parts.first - last,
            Shape::Full => self.parts.first,
        };
        low..=self.parts.first + last
    }

    /// Of the columns and of the first table.
    fn bytes(&self) -> usize {
        4 * (self.first_at + if self.parts.first_levels == 0 { 0 } else { 1 << self.parts.first_levels })
    }
}

#[cfg(test)]
mod tests;
