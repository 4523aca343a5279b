//! The levels of a walk whose ends are known without its columns.

/// Levels whose ends a table knows without looking at its columns.
pub(crate) const KNOWN_LEVELS: u32 = 31;

/// How strings of 31 bits, as numbers with the walk's first bit on top, end.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// The walk has ended once it has been through column c for the strings below; for the columns there are not, for all.
    ended: [u32; KNOWN_LEVELS as usize + 1],
    /// No string of so many leading ones ends in an earlier column.
    earliest: [u8; KNOWN_LEVELS as usize + 1],
    leaves: [Leaves; KNOWN_LEVELS as usize],
}

/// A column's leaves among the 2^(c+1) nodes of level c + 1 that a tree without earlier leaves would have: those of number 0 to 2^(c+1) - 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaves {
    /// Added to a leaf's number, its rank among the ones of all columns.
    pub(super) rank: u32,
    /// The number of row 0's, or one that no leaf has.
    pub(super) zero: u32,
    /// Added to the place of a leaf's one in the string of all columns, its row.
    pub(super) row: u32,
}

impl Leaves {
    /// The number of the leaf, or inner node, on the way of a string.
    #[inline(always)]
    pub(super) const fn node(string: u32, column: u32) -> u32 {
        string >> (KNOWN_LEVELS - 1 - column)
    }
}

impl Levels {
    pub(super) const NONE: Self = Levels {
        ended: [1 << KNOWN_LEVELS; _],
        earliest: [0; _],
        leaves: [Leaves { rank: 0, zero: u32::MAX, row: 0 }; _],
    };

    /// Enters column c, behind which there are `inner` inner nodes, all columns before it being there: the ones of these, whether row 0 has
    /// one here, and what is added to places.
    pub(super) fn enter(&mut self, column: u32, inner: u64, before: u32, zero: bool, row: u32) {
        let first = Leaves::node(self.ended_before(column), column);
        let zero = if zero { first } else { u32::MAX };
        self.leaves[column as usize] = Leaves { rank: before.wrapping_sub(first), zero, row };
        // Below each inner node of level c + 1 there are 2^(30-c) strings, above all others.
        self.ended[column as usize] = ((1 << KNOWN_LEVELS) - (inner << (KNOWN_LEVELS - 1 - column))) as u32;
    }

    /// To be called once all columns have been entered.
    pub(super) fn close(&mut self) {
        for (n, earliest) in self.earliest.iter_mut().enumerate() {
            let least = (1_u32 << KNOWN_LEVELS) - (1 << (KNOWN_LEVELS as usize - n));
            *earliest = self.ended.iter().filter(|ended| **ended <= least).count() as u8;
        }
    }

    /// The strings whose walk has ended before column c <= 31: those below.
    #[inline(always)]
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
    pub(super) fn column(&self, string: u32, ones: u32) -> u32 {
        let mut column = self.earliest[ones as usize % self.earliest.len()].into();
        // Nearly always without a branch: few columns take half of what is left.
        column += u32::from(!self.has_ended(string, column));
        column += u32::from(!self.has_ended(string, column));
        while !self.has_ended(string, column) {
            column += 1;
        }
        column
    }

    #[inline(always)]
    pub(super) fn leaves(&self, column: u32) -> Leaves {
        self.leaves[column as usize]
    }
}
