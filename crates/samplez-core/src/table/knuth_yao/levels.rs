//! The levels of a walk whose ends are known without its columns.

/// Levels whose ends a table has without its columns.
pub(crate) const KNOWN_LEVELS: u32 = 31;

/// Bits at the top of a string by which its column is guessed.
const GUESS: u32 = 6;

/// How strings of 31 bits, as numbers with the walk's first bit on top, end.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// The walk has ended once it has been through column c for the strings below; for the columns there are not, for all.
    ended: [u32; KNOWN_LEVELS as usize + 1],
    /// Of the strings that end in column c, those below end at row 0.
    zero: [u32; KNOWN_LEVELS as usize + 1],
    leaves: [Leaf; KNOWN_LEVELS as usize + 1],
    /// No string with these bits on top ends in an earlier column.
    earliest: [u8; 1 << GUESS],
}

/// A leaf before its row is known, or the constants that all leaves of a column share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leaf {
    /// The rank of the leaf's one among the ones of all columns. For a column, the number to add to a leaf's number among
    /// the 2^(c+1) nodes of level c + 1.
    pub(crate) rank: u32,
    /// Added to the place of the one in the string of all columns, its row.
    pub(crate) shift: u32,
}

impl zeroize::DefaultIsZeroes for Leaf {}

impl Levels {
    pub(super) const NONE: Self = Levels {
        ended: [1 << KNOWN_LEVELS; _],
        zero: [0; _],
        leaves: [Leaf { rank: 0, shift: 0 }; _],
        earliest: [0; _],
    };

    /// Enters column c, once all before it have been. Behind it there are `inner` inner nodes, and before it so many ones.
    /// `zero` is whether row 0 has one in it, and `shift` is added to places.
    pub(super) fn enter(&mut self, column: u32, inner: u64, before: u32, zero: bool, shift: u32) {
        let (first, c) = (self.ended_before(column), column as usize);
        // Below each node of level c + 1 there are so many strings; above the inner ones' all others.
        let each = 1_u64 << (KNOWN_LEVELS - 1 - column);
        self.leaves[c] = Leaf { rank: before.wrapping_sub(first >> (KNOWN_LEVELS - 1 - column)), shift };
        self.zero[c] = if zero { first + each as u32 } else { 0 };
        self.ended[c] = ((1 << KNOWN_LEVELS) - inner * each) as u32;
        let ended = self.ended[c];
        for (top, earliest) in self.earliest.iter_mut().enumerate() {
            let least = (top as u32) << (KNOWN_LEVELS - GUESS);
            *earliest += u8::from(ended <= least);
        }
    }

    /// The strings whose walk has ended before column c <= 31: those below.
    pub(super) fn ended_before(&self, column: u32) -> u32 {
        column.checked_sub(1).map_or(0, |last| self.ended[last as usize])
    }

    /// Whether the walk of a string has ended once it has been through column c <= 31.
    #[inline(always)]
    pub(super) fn has_ended(&self, string: u32, column: u32) -> bool {
        string < self.ended[column as usize % self.ended.len()]
    }

    /// The column in which a string ends, or 31.
    #[inline(always)]
    pub(super) fn column(&self, string: u32) -> u32 {
        let mut column = self.earliest[(string >> (KNOWN_LEVELS - GUESS)) as usize % self.earliest.len()].into();
        // Few of the strings with equal bits on top end in a third column.
        column += u32::from(!self.has_ended(string, column));
        while !self.has_ended(string, column) {
            column += 1;
        }
        column
    }

    /// Whether a string that ends in column c <= 31 ends at row 0.
    #[inline(always)]
    pub(super) fn is_zero(&self, string: u32, column: u32) -> bool {
        string < self.zero[column as usize % self.zero.len()]
    }

    /// The leaf of a string that ends in column c <= 31.
    #[inline(always)]
    pub(super) fn leaf(&self, string: u32, column: u32) -> Leaf {
        let Leaf { rank, shift } = self.leaves[column as usize % self.leaves.len()];
        let node = string >> ((KNOWN_LEVELS - 1).wrapping_sub(column) % 32);
        Leaf { rank: rank.wrapping_add(node), shift }
    }
}
