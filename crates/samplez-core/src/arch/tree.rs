//! Search trees of numbers by bytes.
//!
//! Node 2^i + q of a level i lies at that place of its digit's row, and its children are nodes 2(2^i + q) and one
//! behind. In registers of bytes a tree's level is a table that a shuffle looks numbers up in. One byte holds the place,
//! modulo 2^8, and its lowest bits index a register's table. The outcomes at the first levels choose among a level's
//! tables.

use super::vector::ByteVector;

/// The most levels of a tree.
pub(crate) const MAX_LEVELS: usize = 12;

/// A search tree of falling numbers, by digits of 8 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tree<'a> {
    /// For each digit, the most significant first, `stride` bytes. Byte 2^i + q is that digit, less 128, of the number of
    /// rank (2q+1)·2^(levels-1-i), counted from 1; or -128 if there are not so many.
    pub(crate) rows: &'a [i8],
    /// 2^levels, and at least 64.
    pub(crate) stride: usize,
    /// 4 to [`MAX_LEVELS`].
    pub(crate) levels: u32,
    /// How many numbers there are.
    pub(crate) len: usize,
}

impl Tree<'_> {
    /// The place in a row of the number of this rank, counted from 1.
    #[inline(always)]
    pub(super) fn place(&self, rank: usize) -> usize {
        let zeros = rank.trailing_zeros();
        (1 << (self.levels - 1 - zeros)) + (rank >> zeros >> 1)
    }

    /// How many numbers are above the number of these digits, by comparison with each of them.
    pub(crate) fn count_above(&self, draw: impl Iterator<Item = u8> + Clone) -> usize {
        let digits = |rank| self.rows[self.place(rank)..].iter().step_by(self.stride);
        let is_above = |rank: &usize| draw.clone().lt(digits(*rank).map(|digit| digit.cast_unsigned() ^ 0x80));
        (1..=self.len).filter(is_above).count()
    }
}
/// The entries of a level's tables from the `first` on, at the outcomes of the levels above, the level before last. Each function takes twice as many tables as the one before it.
#[inline(always)]
fn of_one<V: ByteVector>(entries: &[u8], first: usize, place: V) -> V {
    V::table(&entries[first << V::INDEX_BITS..]).look_up(place)
}

/// See [`of_one`].
#[inline(always)]
fn of_two<V: ByteVector>(entries: &[u8], first: usize, place: V, above: &[V::Mask]) -> V {
    let (no, yes) = (of_one(entries, first, place), of_one(entries, first + 1, place));
    V::select(above[above.len() - 1], yes, no)
}

/// See [`of_one`].
#[inline(always)]
fn of_four<V: ByteVector>(entries: &[u8], first: usize, place: V, above: &[V::Mask]) -> V {
    let (no, yes) = (of_two(entries, first, place, above), of_two(entries, first + 2, place, above));
    V::select(above[above.len() - 2], yes, no)
}

/// See [`of_one`].
#[inline(always)]
fn of_eight<V: ByteVector>(entries: &[u8], first: usize, place: V, above: &[V::Mask]) -> V {
    let (no, yes) = (of_four(entries, first, place, above), of_four(entries, first + 4, place, above));
    V::select(above[above.len() - 3], yes, no)
}

/// The row of 2^level entries, at these outcomes of the levels above; `place` is the node's.
#[inline(always)]
fn entry<V: ByteVector>(row: &[u8], level: usize, place: V, above: &[V::Mask; MAX_LEVELS]) -> V {
    if level < V::INDEX_BITS {
        return V::table(row).look_up(place);
    }
    // One of 2^bits tables, which follows from the first outcomes.
    let (bits, entries) = (level - V::INDEX_BITS, &row[1 << level..][..1 << level]);
    let above = &above[..bits];
    match bits {
        0 => of_one(entries, 0, place),
        1 => of_two(entries, 0, place, above),
        2 => of_four(entries, 0, place, above),
        3 => of_eight(entries, 0, place, above),
        _ => {
            // They are taken by eights, pairs of these, …
            let mut pending = [V::splat8(0); MAX_LEVELS];
            for eighth in 0..1_usize << (bits - 3) {
                let mut found = of_eight(entries, 8 * eighth, place, above);
                for k in 0..eighth.trailing_ones() as usize {
                    found = V::select(above[bits - 4 - k], found, pending[k]);
                }
                pending[eighth.trailing_ones() as usize] = found;
            }
            pending[bits - 3]
        }
    }
}

/// A search: the node that it has come to, modulo 2^8, and the outcomes on the way.
struct Descent<V: ByteVector> {
    node: V,
    high: V,
    outcomes: [V::Mask; MAX_LEVELS],
}

impl<V: ByteVector> Descent<V> {
    /// From this level, of so many, to the next: is its number above that of these digits (less 128)?
    #[inline(always)]
    fn step(&mut self, level: usize, levels: usize, rows: &[&[u8]], digits: &[V]) {
        // A node of the first levels is an index as it is.
        let place = if level < V::INDEX_BITS { self.node } else { self.node.index() };
        let mut above = self.outcomes[0];
        for (i, (digit, row)) in digits.iter().zip(rows).enumerate().rev() {
            let key = entry(row, level, place, &self.outcomes);
            above = if i + 1 == digits.len() { digit.below(key) } else { digit.below_or(key, above) };
        }
        self.outcomes[level] = above;
        if level + 8 == levels {
            self.high = self.node.minus8(V::splat8((1_u32 << level) as u8));
        }
        self.node = self.node.double().count(above);
    }
}

/// Counts the numbers of the tree that are above the numbers of these digits (less 128). Returns the counts by bytes. The
/// tree has LEVELS levels, each written out, if LEVELS is not 0.
#[inline(always)]
pub(super) fn descend<V: ByteVector, const LEVELS: usize>(rows: &[&[u8]], levels: usize, digits: &[V]) -> (V, V) {
    let node = V::splat8(1);
    let mut descent = Descent { node, high: V::splat8(0), outcomes: [node.below(node); MAX_LEVELS] };
    if LEVELS == 0 {
        for level in 0..levels {
            descent.step(level, levels, rows, digits);
        }
    }
    // A loop that the compiler leaves as it is would keep all of the descent in memory.
    macro_rules! steps {
        ($($level:literal)*) => {$(
            if $level < LEVELS {
                descent.step($level, LEVELS, rows, digits);
            }
        )*};
    }
    steps!(0 1 2 3 4 5 6 7 8);
    (descent.node.minus8(V::splat8((1_u32 << levels) as u8)), descent.high)
}
