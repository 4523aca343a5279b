//! The probability matrix of a Knuth–Yao walk, by columns.

use super::{MAX_PRECISION, Shape};
use crate::params::{DiscreteGaussian, ParamError};
use crate::profile::Bound;
use core::fmt;

/// The most levels that the first table of a walk can hold.
pub const MAX_FIRST_LEVELS: u32 = 16;

/// Rows are fewer than this, 2^26.
const ROWS: usize = 1 << 26;

/// How a [`KnuthYaoTable`] stores its columns.
///
/// ```
/// use samplez_core::table::Columns;
/// assert_ne!(Columns::Packed, Columns::Compact);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// Every column has a bit for every row.
    Packed,
    /// Every column has the bits from its first one to its last one.
    Compact,
}

/// What a [`KnuthYaoTable`] is made of.
///
/// ```
/// use samplez_core::table::{Columns, KnuthYaoParts, Shape};
/// // P(0) = 0.10, P(±1) = P(±2) = 0.01 in binary: row 0 in the first column, 1 and 2 in the second.
/// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 3, columns: Columns::Packed,
///     first_levels: 0, digits: [0b001, 0b110] };
/// assert_eq!(parts.rows, 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnuthYaoParts<S> {
    /// The layout of the line: row j means `first + j` (`Full`) or `first ± j` (`Folded`).
    pub shape: Shape,
    /// The value of row 0.
    pub first: i64,
    /// The number B of columns, 1 to 256.
    pub precision: u32,
    /// The number of rows, 2 to 2^26 - 1.
    pub rows: usize,
    /// How the columns are stored.
    pub columns: Columns,
    /// The number g of levels that the first table holds, 0 (no table) to min(16, B).
    pub first_levels: u32,
    /// The columns, then the first table, as the documentation of [`KnuthYaoTable`] says.
    pub digits: S,
}

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
/// use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
/// use samplez_core::table::{Columns, KnuthYaoParts, KnuthYaoTable, Shape};
/// let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
/// // P(0) = 0.01, P(±1) = 0.11: a leaf for row 1 at level 1, one for each at level 2.
/// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, columns: Columns::Packed,
///     first_levels: 0, digits: [0b10, 0b11] };
/// let table = KnuthYaoTable::new(law, bound, parts)?;
/// assert_eq!((table.expected_depth(), table.bytes(), table.support()), (1.5, 8, -1..=1));
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
}

/// Why parts do not form a [`KnuthYaoTable`].
///
/// ```
/// use samplez_core::table::KnuthYaoError;
/// assert!(KnuthYaoError::Tree { column: 3 }.to_string().contains("column 3"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KnuthYaoError {
    /// Precision, rows or first levels are out of range.
    Range(ParamError),
    /// The number of words is not what the parts say.
    Length {
        /// Words given.
        words: usize,
        /// Words wanted.
        wanted: usize,
    },
    /// The offsets fall, or a column has bits beyond the rows.
    Column {
        /// The column, from 0.
        column: u32,
    },
    /// The probabilities do not add up to 1: down to this column there are too many ones, or
    /// too few for what is left.
    Tree {
        /// The column, from 0.
        column: u32,
    },
    /// An entry of the first table is not where the walk leads.
    FirstTable {
        /// Its index.
        index: usize,
    },
    /// A value of the support is not an `i64`.
    Support,
}

impl fmt::Display for KnuthYaoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(error) => error.fmt(f),
            Self::Length { words, wanted } => write!(f, "digits: got {words} words, must be {wanted}"),
            Self::Column { column } => write!(f, "column {column} does not fit the rows or its neighbour"),
            Self::Tree { column } => write!(f, "the probabilities do not add up to 1: seen at column {column}"),
            Self::FirstTable { index } => write!(f, "entry {index} of the first table is not where the walk leads"),
            Self::Support => f.write_str("the table's support exceeds the range of i64"),
        }
    }
}

impl core::error::Error for KnuthYaoError {}

/// What a word of the first table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The row, and the bits used.
    Leaf { row: usize, depth: u32 },
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
            Entry::Leaf { row: (word & (ROWS as u32 - 1)) as usize, depth: word >> Self::DEPTH }
        }
    }

    fn word(self) -> u32 {
        match self {
            Entry::Leaf { row, depth } => row as u32 | depth << Self::DEPTH,
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
    /// [`KnuthYaoError`] unless the parts are as their documentation says.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{Columns, KnuthYaoError, KnuthYaoParts, KnuthYaoTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, columns: Columns::Packed,
    ///     first_levels: 0, digits: [0b10, 0b01] };
    /// assert_eq!(KnuthYaoTable::new(law, bound, parts).unwrap_err(), KnuthYaoError::Tree { column: 1 });
    /// ```
    pub fn new(target: DiscreteGaussian, bound: Bound, parts: KnuthYaoParts<S>) -> Result<Self, KnuthYaoError> {
        let KnuthYaoParts { shape, first, precision, rows, columns, first_levels, .. } = parts;
        let range = |argument, value: usize, min, max: usize| {
            let (value, max) = (value as u64, max as u64);
            if (min..=max).contains(&value) {
                return Ok(());
            }
            Err(KnuthYaoError::Range(ParamError::OutOfRange { argument, value, min, max }))
        };
        range("precision", precision as usize, 1, MAX_PRECISION as usize)?;
        range("rows", rows, 2, ROWS - 1)?;
        range("first_levels", first_levels as usize, 0, MAX_FIRST_LEVELS.min(precision) as usize)?;
        let last = rows as i64 - 1;
        if first.checked_add(last).is_none() || (shape == Shape::Folded && first.checked_sub(last).is_none()) {
            return Err(KnuthYaoError::Support);
        }
        let (words, width) = (parts.digits.as_ref().len(), precision as usize);
        let (bits_at, body) = match columns {
            Columns::Packed => (0, width * rows.div_ceil(32)),
            Columns::Compact => {
                let head = width + 1 + if shape == Shape::Full { width } else { 0 };
                let end = parts.digits.as_ref().get(width).copied();
                let end = end.ok_or(KnuthYaoError::Length { words, wanted: head })?;
                (head, end.div_ceil(32) as usize)
            }
        };
        let first_at = bits_at + body;
        let wanted = first_at + if first_levels == 0 { 0 } else { 1 << first_levels };
        if words != wanted {
            return Err(KnuthYaoError::Length { words, wanted });
        }
        let mut table = KnuthYaoTable { target, bound, parts, bits_at, first_at, quiet: 0, expected_depth: 0.0 };
        table.check_tree()?;
        for index in 0..wanted - first_at {
            if table.parts.digits.as_ref()[first_at + index] != table.entry_after(index).word() {
                return Err(KnuthYaoError::FirstTable { index });
            }
        }
        Ok(table)
    }

    /// Walks down the levels: at level c there are `inner` inner nodes, whose 2·inner children are
    /// the leaves of column c and the inner nodes of level c + 1.
    fn check_tree(&mut self) -> Result<(), KnuthYaoError> {
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
                return Err(KnuthYaoError::Column { column });
            }
            let ones = self.ones(column);
            begun |= ones > 0;
            quiet += u32::from(!begun);
            depth += inner as f64 * share;
            share /= 2.0;
            inner = (2 * inner).checked_sub(ones).ok_or(KnuthYaoError::Tree { column })?;
            // A row's remaining digits are worth less than one node.
            if inner >= self.parts.rows as u64 {
                return Err(KnuthYaoError::Tree { column });
            }
        }
        if inner > 0 {
            return Err(KnuthYaoError::Tree { column: self.parts.precision - 1 });
        }
        (self.quiet, self.expected_depth) = (quiet, depth);
        Ok(())
    }

    /// The words of this table with a first table of g levels in place of its own: what
    /// [`KnuthYaoParts::digits`] has to hold. Entry by entry, for whoever collects them.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{Columns, KnuthYaoParts, KnuthYaoTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
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
                Step::Leaf(row) => return Entry::Leaf { row, depth: column + 1 },
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
        (word(0) | word(1) << 32) >> (at % 32) | word(2) << 32 << (32 - at % 32)
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
    pub(crate) fn descend(&self, mut child: u64, column: u32) -> Step {
        let Column { first_row, start, end } = self.column(column);
        let mut at = start;
        while at < end {
            let mut chunk = self.chunk(at) & low_bits(end - at);
            let ones = u64::from(chunk.count_ones());
            if child < ones {
                for _ in 0..child {
                    chunk &= chunk - 1;
                }
                return Step::Leaf(first_row + (at - start) + chunk.trailing_zeros() as usize);
            }
            child -= ones;
            at += 64;
        }
        Step::Node(child)
    }

    /// The entry of the first table for the bits of `index`.
    #[inline(always)]
    pub(crate) fn entry(&self, index: usize) -> Entry {
        Entry::of(self.parts.digits.as_ref()[self.first_at + index])
    }

    /// Bit of weight 2^-(column + 1) of the probability of a row; false outside the table.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{Columns, KnuthYaoParts, KnuthYaoTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
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

/// Accessors; each returns what [`KnuthYaoTable::new`] was given, or what follows from it.
///
/// ```
/// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
/// # use samplez_core::table::{Columns, KnuthYaoParts, KnuthYaoTable, Shape};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
/// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
/// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, columns: Columns::Packed,
///     first_levels: 0, digits: [0b10, 0b11] };
/// let table = KnuthYaoTable::new(law, bound, parts).unwrap();
/// assert_eq!((table.target(), table.bound(), table.parts()), (&law, &bound, &parts));
/// assert_eq!((table.support(), table.quiet(), table.expected_depth(), table.bytes()), (-1..=1, 0, 1.5, 8));
/// assert_eq!(table.column_bytes(), 8);
/// ```
impl<S> KnuthYaoTable<S> {
    /// The law aimed at.
    pub const fn target(&self) -> &DiscreteGaussian {
        &self.target
    }
    /// The certified distance from it.
    pub const fn bound(&self) -> &Bound {
        &self.bound
    }
    /// The parts.
    pub const fn parts(&self) -> &KnuthYaoParts<S> {
        &self.parts
    }
    /// The values that can come out.
    pub const fn support(&self) -> core::ops::RangeInclusive<i64> {
        let last = self.parts.rows as i64 - 1;
        let low = match self.parts.shape {
            Shape::Folded => self.parts.first - last,
            Shape::Full => self.parts.first,
        };
        low..=self.parts.first + last
    }
    /// The number of leading columns without a one: no walk ends sooner.
    pub const fn quiet(&self) -> u32 {
        self.quiet
    }
    /// The expected number of bits of a walk.
    pub const fn expected_depth(&self) -> f64 {
        self.expected_depth
    }
    /// The memory of the columns, in bytes.
    pub const fn column_bytes(&self) -> usize {
        4 * self.first_at
    }
    /// The memory of the columns and of the first table, in bytes.
    pub const fn bytes(&self) -> usize {
        4 * (self.first_at + if self.parts.first_levels == 0 { 0 } else { 1 << self.parts.first_levels })
    }
}
