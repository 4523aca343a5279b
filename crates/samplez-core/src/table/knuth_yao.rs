//! The probability matrix of a Knuth–Yao walk, by columns.

mod levels;
mod parts;
mod ranked;

pub(crate) use levels::{KNOWN_LEVELS, Leaf};
pub use parts::{KnuthYaoParts, MAX_FIRST_LEVELS};

use super::{MAX_PRECISION, Shape, Table, TableError};
use crate::params::{DiscreteGaussian, ParamError};
use crate::profile::Bound;
use levels::Levels;
use ranked::Ranked;

/// Rows are fewer than this, 2^26.
const ROWS: usize = 1 << 26;

/// The binary digits of the probabilities of a law, by columns, for the walk through its discrete
/// distribution generating tree of Knuth and Yao.
///
/// Row j has the probability 0.b_0 b_1 … b_(B-1) in binary. b_c is the bit of column c, of weight 2^-(c+1). The
/// probabilities add up to 1, which makes the tree complete: a walk ends after at most B bits. They are the law:
/// [`KnuthYaoTable::bound`] was computed from them.
///
/// Storage, in words of 32 bits. Numbers of 64 bits have their less significant word first:
/// - B + 1 offsets: where the bits of each column begin in the string of all, and where the last ends. Each column ends
///   after its last one.
/// - If `Full`, the first row of each column, that of its first one. If `Folded`, every column begins with row 0.
/// - The string in blocks of 512 bits, 19 words each. Word 0 is the number of ones before the block. The next two are a
///   number of 64 bits. For j from 1 to 7, its bits 9j - 9 to 9j - 1 count the ones before word j of 64 bits of the
///   block. The other 16 are the bits, from the least significant of the first word on, zeros behind the string's end.
/// - The number n of all ones.
/// - ⌈n/128⌉ + 1 hints. Hint i is 128·k + m - 1 if one number 128·i is in block k, and m <= 128 ones from there on. The last is 128·k if
///   the last one is in block k.
/// - The first table, 2^g words. Entry i describes the walk after the g bits of i, the most significant first. It is
///   2^26·l + j for row j, reached after l <= g bits. If the walk has not ended, it is 2^31 + d for the d-th of the
///   inner nodes of level g.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{Bound, DiscreteGaussian, Rational};
/// use samplez_core::table::{KnuthYaoParts, KnuthYaoTable, Shape};
/// let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let bound = Bound::TRIVIAL;
/// // P(0) = 0.01, P(±1) = 0.11: a leaf for row 1 at level 1, one for each at level 2.
/// // Offsets; a block, with its ranks and 4 bits; 3 ones; two hints.
/// let mut digits = [0; 25];
/// digits[..7].copy_from_slice(&[0, 2, 4, 0, 0x180c_0603, 0x00c0_6030, 0b1110]);
/// digits[22..].copy_from_slice(&[3, 2, 0]);
/// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, first_levels: 0, digits };
/// let table = KnuthYaoTable::new(law, bound, parts)?;
/// assert_eq!((table.bytes(), table.support()), (100, -1..=1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct KnuthYaoTable<S> {
    target: DiscreteGaussian,
    bound: Bound,
    parts: KnuthYaoParts<S>,
    /// The string of all columns.
    string: Ranked,
    /// Where the first table begins, in words.
    first_at: usize,
    /// Leading columns without a one.
    quiet: u32,
    expected_depth: f64,
    levels: Levels,
}

/// The meaning of a word of the first table.
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
    /// Builds a table of these parts, which are checked. `bound` is taken on trust: `samplez-tables`
    /// computes it.
    ///
    /// # Errors
    ///
    /// [`TableError`] unless the parts match their documentation.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{KnuthYaoParts, KnuthYaoTable, Shape, TableError};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// // Column 1 lacks row 1, of a one in column 0 and one in column 1.
    /// let mut digits = [0; 25];
    /// digits[..7].copy_from_slice(&[0, 2, 3, 0, 0x1008_0402, 0x0080_4020, 0b110]);
    /// digits[22..].copy_from_slice(&[2, 1, 0]);
    /// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, first_levels: 0, digits };
    /// assert_eq!(KnuthYaoTable::new(law, bound, parts).unwrap_err(), TableError::Tree { column: 1 });
    /// ```
    pub fn new(target: DiscreteGaussian, bound: Bound, parts: KnuthYaoParts<S>) -> Result<Self, TableError> {
        let KnuthYaoParts { shape, first, precision, rows, first_levels, .. } = parts;
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
        let (words, width) = (parts.digits.as_ref(), precision as usize);
        let length = |expected| TableError::Length { part: "digits", given: words.len(), unit: " words", expected };
        let head = width + 1 + if shape == Shape::Full { width } else { 0 };
        let len = *words.get(width).ok_or(length(head))?;
        let string = Ranked::new(words, head, len as usize).map_err(length)?;
        let first_at = string.end();
        let wanted = first_at + if first_levels == 0 { 0 } else { 1 << first_levels };
        if words.len() != wanted {
            return Err(length(wanted));
        }
        let levels = Levels::NONE;
        let mut table = KnuthYaoTable { target, bound, parts, string, first_at, quiet: 0, expected_depth: 0.0, levels };
        table.check_tree()?;
        for index in 0..wanted - first_at {
            if table.parts.digits.as_ref()[first_at + index] != table.entry_after(index).word() {
                return Err(TableError::FirstTable { index });
            }
        }
        Ok(table)
    }

    /// Walks down the levels. Level c has `inner` inner nodes. Their 2·inner children are the leaves of column c and
    /// the inner nodes of level c + 1.
    fn check_tree(&mut self) -> Result<(), TableError> {
        let (mut inner, mut share, mut depth) = (1_u64, 1.0, 0.0);
        let (mut quiet, mut begun) = (0, false);
        let words = self.parts.digits.as_ref();
        // No bit is behind the string's end.
        let len = self.string.len();
        if (len..len.next_multiple_of(512)).any(|at| self.string.bit(words, at)) {
            return Err(TableError::Column { column: self.parts.precision - 1 });
        }
        self.string.check(words)?;
        let mut before = 0;
        for column in 0..self.parts.precision {
            let Column { first_row, start, end } = self.bits_of(column);
            let fits = start <= end && end <= len && first_row.saturating_add(end - start) <= self.parts.rows;
            if !fits || (column == 0 && start > 0) {
                return Err(TableError::Column { column });
            }
            let after = self.string.rank(words, end);
            let ones = u64::from(after - before);
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
                let row = (first_row as u32).wrapping_sub(start as u32);
                self.levels.enter(column, inner, before, self.bit(0, column), row);
            }
            before = after;
        }
        if inner > 0 {
            return Err(TableError::Tree { column: self.parts.precision - 1 });
        }
        (self.quiet, self.expected_depth) = (quiet, depth);
        Ok(())
    }

    /// Returns the words that [`KnuthYaoParts::digits`] holds for a first table of g levels in place of its own. They
    /// are made entry by entry, for the caller to collect.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{KnuthYaoParts, KnuthYaoTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let mut digits = [0; 25];
    /// digits[..7].copy_from_slice(&[0, 2, 4, 0, 0x180c_0603, 0x00c0_6030, 0b1110]);
    /// digits[22..].copy_from_slice(&[3, 2, 0]);
    /// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, first_levels: 0, digits };
    /// let table = KnuthYaoTable::new(law, bound, parts).unwrap();
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

    /// The walk by the bits of `index`, the most significant first.
    fn walk_prefix(&self, index: usize, levels: u32) -> Entry {
        let string = (index as u32) << (KNOWN_LEVELS - levels);
        let column = self.levels.column(string);
        if column < levels {
            return Entry::Leaf { row: self.row(self.leaf(string, column)), depth: column + 1 };
        }
        // The walk goes on, whatever follows.
        Entry::Node(u64::from(string - self.levels.ended_before(levels)) >> (KNOWN_LEVELS - levels))
    }

    #[inline(always)]
    fn bits_of(&self, column: u32) -> Column {
        let (words, column) = (self.parts.digits.as_ref(), column as usize);
        let first_row = match self.parts.shape {
            Shape::Folded => 0,
            Shape::Full => words[self.parts.precision as usize + 1 + column] as usize,
        };
        Column { first_row, start: words[column] as usize, end: words[column + 1] as usize }
    }

    /// Walks one level, by the columns. The children of level c's inner nodes are numbered, from twice to twice and one
    /// their parent's number. The first of them are the leaves of column c, by rows, the others the inner nodes of the
    /// next level.
    pub(crate) fn descend(&self, child: u64, column: u32) -> Step {
        let (words, Column { first_row, start, end }) = (self.parts.digits.as_ref(), self.bits_of(column));
        let before = self.string.rank(words, start);
        let leaves = u64::from(self.string.rank(words, end) - before);
        if child >= leaves {
            return Step::Node(child - leaves);
        }
        let leaf = Leaf { rank: before + child as u32, shift: (first_row as u32).wrapping_sub(start as u32) };
        Step::Leaf(self.row(leaf))
    }

    /// Whether a walk has ended after column c <= 31, for any bits after the known ones. The string of 31 bits is a
    /// number with the first bit on top.
    #[inline(always)]
    pub(crate) fn has_ended(&self, string: u32, column: u32) -> bool {
        self.levels.has_ended(string, column)
    }

    /// The inner node of level 31 that a string leads to. Requires that no column ends it.
    #[inline(always)]
    pub(crate) fn node(&self, string: u32) -> u64 {
        (string - self.levels.ended_before(KNOWN_LEVELS)).into()
    }

    /// The column in which a string ends, or 31.
    #[inline(always)]
    pub(crate) fn column(&self, string: u32) -> u32 {
        self.levels.column(string)
    }

    /// Whether a string that ends in column c <= 30 ends at row 0, which is known before the row is.
    #[inline(always)]
    pub(crate) fn is_zero(&self, string: u32, column: u32) -> bool {
        self.levels.is_zero(string, column)
    }

    /// The leaf of a string that ends in column c <= 30.
    #[inline(always)]
    pub(crate) fn leaf(&self, string: u32, column: u32) -> Leaf {
        self.levels.leaf(string, column)
    }

    /// Returns three numbers that give the row of a leaf. They are the row of the least bit of a word, the word, and
    /// its number of ones before the leaf's.
    #[inline(always)]
    pub(crate) fn word_of(&self, leaf: Leaf) -> (u32, u64, u32) {
        let (at, word, rank) = self.string.word_of(self.parts.digits.as_ref(), leaf.rank);
        (leaf.shift.wrapping_add(at as u32), word, rank)
    }

    /// The row of a leaf.
    pub(crate) fn row(&self, leaf: Leaf) -> usize {
        let (row, mut word, rank) = self.word_of(leaf);
        (0..rank).for_each(|_| word &= word - 1);
        row.wrapping_add(word.trailing_zeros()) as usize
    }

    /// The entry of the first table for the bits of a word, the most significant first. Requires a first table.
    #[inline(always)]
    pub(crate) fn entry(&self, word: u64) -> Entry {
        let index = word >> ((64 - self.parts.first_levels) % 64);
        Entry::of(self.parts.digits.as_ref()[self.first_at + index as usize])
    }

    /// Bit of weight 2^-(column + 1) of the probability of a row; false outside the table.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{KnuthYaoParts, KnuthYaoTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let mut digits = [0; 25];
    /// digits[..7].copy_from_slice(&[0, 2, 4, 0, 0x180c_0603, 0x00c0_6030, 0b1110]);
    /// digits[22..].copy_from_slice(&[3, 2, 0]);
    /// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, first_levels: 0, digits };
    /// let table = KnuthYaoTable::new(law, bound, parts).unwrap();
    /// assert_eq!([table.bit(0, 0), table.bit(0, 1), table.bit(1, 0), table.bit(1, 2)], [false, true, true, false]);
    /// ```
    pub fn bit(&self, row: usize, column: u32) -> bool {
        if column >= self.parts.precision {
            return false;
        }
        let Column { first_row, start, end } = self.bits_of(column);
        let at = row.checked_sub(first_row).map(|offset| start + offset).filter(|at| *at < end);
        at.is_some_and(|at| self.string.bit(self.parts.digits.as_ref(), at))
    }
}

/// Where one level of a walk leads.
pub(crate) enum Step {
    Leaf(usize),
    Node(u64),
}

impl<S> KnuthYaoTable<S> {
    /// Returns the parts.
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
    /// Returns the memory of the columns' bits, in bytes: without their offsets, first rows and ranks.
    #[cfg(feature = "testing")]
    pub fn column_bytes(&self) -> usize {
        4 * self.string.len().div_ceil(32)
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

    /// Of the columns, their ranks and the first table.
    fn bytes(&self) -> usize {
        4 * (self.first_at + if self.parts.first_levels == 0 { 0 } else { 1 << self.parts.first_levels })
    }
}

#[cfg(test)]
mod tests;
