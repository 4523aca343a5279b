//! [`Batch`] by binary search in registers: a tree's level is a table that a shuffle looks numbers up in.
//!
//! Node 2^i + q of a level i lies at that place of its digit's row, and its children are nodes 2(2^i + q) and one
//! behind. So one byte holds the place, modulo 2^8, and its lowest bits index a register's table; which of a level's
//! tables is meant follows from the outcomes at the first levels.

use super::batch::{Batch, COLUMNS, MAX_DIGITS, MAX_LEVELS, SLOTS, Slots, ranks};
use zeroize::Zeroize;

/// A register of bytes.
pub(super) trait Bytes: Copy {
    /// A bit for each byte, in the form that comparisons give.
    type Mask: Copy;
    /// How many bytes; at most 64.
    const LANES: usize;
    /// log2 of the entries of a table; at least 4.
    const INDEX_BITS: usize;
    /// The first bytes.
    fn load(bytes: &[u8]) -> Self;
    /// To the first bytes.
    fn store(self, bytes: &mut [u8]);
    /// This byte everywhere.
    fn splat(byte: u8) -> Self;
    /// The table of these first entries.
    fn table(entries: &[u8]) -> Self;
    /// The bytes, such that [`look_up`](Self::look_up) takes them.
    fn index(self) -> Self;
    /// The entries of the table `self` at the lowest bits of each index.
    fn look_up(self, index: Self) -> Self;
    /// The entries of a table whose first has this rank; 0 where the rank is not in it.
    fn look_up_rank(self, rank: Self, first: usize) -> Self;
    /// Where a key, less 128, is above these digits, less 128.
    fn below(self, key: Self) -> Self::Mask;
    /// The same; and where they are equal, what the digits behind them say.
    fn below_or(self, key: Self, behind: Self::Mask) -> Self::Mask;
    /// Where the bytes are 0.
    fn is_zero(self) -> Self::Mask;
    /// Where both are.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// The bytes of `yes` or `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// a | b.
    fn or(self, other: Self) -> Self;
    /// a ^ b.
    fn xor(self, other: Self) -> Self;
    /// a - b.
    fn minus(self, other: Self) -> Self;
    /// One more where the mask is set.
    fn count(self, mask: Self::Mask) -> Self;
    /// Twice this.
    fn double(self) -> Self;
}

/// The row of 2^level entries, at these outcomes of the levels above; `place` is the node's.
#[inline(always)]
fn entry<V: Bytes>(row: &[u8], level: usize, place: V, above: &[V::Mask]) -> V {
    if level < V::INDEX_BITS {
        return V::table(row).look_up(place);
    }
    // One of 2^bits tables. They are taken by pairs, pairs of pairs, …
    let (bits, size) = (level - V::INDEX_BITS, 1 << V::INDEX_BITS);
    let mut pending = [V::splat(0); MAX_LEVELS];
    for (t, entries) in row[1 << level..][..1 << level].chunks_exact(size).enumerate() {
        let mut found = V::table(entries).look_up(place);
        for k in 0..t.trailing_ones() as usize {
            found = V::select(above[bits - 1 - k], found, pending[k]);
        }
        pending[t.trailing_ones() as usize] = found;
    }
    pending[bits]
}

/// How many numbers of the tree of these rows are above those of these digits (less 128), by bytes.
#[inline(always)]
fn descend<V: Bytes>(rows: &[&[u8]], levels: usize, digits: &[V]) -> (V, V) {
    let (mut node, mut high) = (V::splat(1), V::splat(0));
    let mut outcomes = [node.below(node); MAX_LEVELS];
    for level in 0..levels {
        let place = node.index();
        let mut above = outcomes[0];
        for (i, (digit, row)) in digits.iter().zip(rows).enumerate().rev() {
            let key = entry(row, level, place, &outcomes[..level]);
            above = if i + 1 == digits.len() { digit.below(key) } else { digit.below_or(key, above) };
        }
        outcomes[level] = above;
        if level + 8 == levels {
            high = node.minus(V::splat((1_u32 << level) as u8));
        }
        node = node.double().count(above);
    }
    (node.minus(V::splat((1_u32 << levels) as u8)), high)
}

/// The samples that their draws decide: their indices, one too large, and 0 where open; and how many of each column
/// are open.
#[inline(always)]
fn decide<V: Bytes>(batch: &mut Batch<'_>, levels: usize, open: &mut [u8; COLUMNS]) {
    // Lengths that the compiler knows where it knows the levels.
    let (rows, len) = (bytemuck::cast_slice(batch.coarse.rows), (1 << levels).max(COLUMNS));
    let rows: [&[u8]; 2] = [&rows[..len], &rows[batch.coarse.stride..][..len]];
    let (or, xor) = if batch.folded { (0x80, 0) } else { (0, 0x80) };
    let (or, xor, less) = (V::splat(or), V::splat(xor), V::splat(0x80));
    for first in (0..COLUMNS).step_by(V::LANES) {
        let mut open_here = V::splat(0);
        let lows = batch.low.chunks_exact_mut(COLUMNS);
        let mut highs = batch.high.chunks_exact_mut(COLUMNS);
        for (draws, low) in batch.draws.chunks_exact(2 * COLUMNS).zip(lows) {
            let (h, l) = (V::load(&draws[first..]), V::load(&draws[COLUMNS + first..]));
            let (count, over) = descend(&rows, levels, &[h.or(or).xor(xor), l.xor(less)]);
            let mut is_open = count.is_zero();
            count.store(&mut low[first..]);
            if let Some(high) = highs.next() {
                is_open = V::both(is_open, over.is_zero());
                over.store(&mut high[first..]);
            }
            open_here = open_here.count(is_open);
        }
        open_here.store(&mut open[first..]);
    }
}

/// The slots' indices.
#[inline(always)]
fn settle<V: Bytes>(batch: &Batch<'_>, slots: &mut Slots) {
    let mut rows: [&[u8]; MAX_DIGITS] = [&[]; MAX_DIGITS];
    for (row, digits) in rows.iter_mut().zip(batch.fine.rows.chunks_exact(batch.fine.stride)) {
        *row = bytemuck::cast_slice(digits);
    }
    for first in (0..batch.slots).step_by(V::LANES) {
        let mut digits = [V::splat(0); MAX_DIGITS];
        let digits = &mut digits[..batch.digits];
        for (d, digit) in digits.iter_mut().enumerate() {
            *digit = V::load(&batch.spare[d * batch.slots + first..]).xor(V::splat(0x80));
        }
        let (low, high) = descend(&rows, batch.fine.levels as usize, digits);
        low.store(&mut slots.low[first..]);
        high.store(&mut slots.high[first..]);
    }
    slots.add(batch.offset);
}

/// The entries of the slots of these ranks; TABLES of them if not 0.
#[inline(always)]
fn of_rank<V: Bytes, const TABLES: usize>(slots: &[u8; SLOTS], used: usize, rank: V) -> V {
    let size = 1 << V::INDEX_BITS;
    let tables = if TABLES > 0 { TABLES } else { used.div_ceil(size) };
    let mut found = V::splat(0);
    for (t, entries) in slots.chunks_exact(size).enumerate().take(tables) {
        found = found.or(V::table(entries).look_up_rank(rank, t * size));
    }
    found
}

/// The indices: one less, or those of the slots, in order.
#[inline(always)]
fn hand_out<V: Bytes, const TABLES: usize>(batch: &mut Batch<'_>, slots: &Slots, ranks: &[u8; COLUMNS]) {
    let one = V::splat(1);
    for first in (0..COLUMNS).step_by(V::LANES) {
        let mut rank = V::load(&ranks[first..]);
        let mut highs = batch.high.chunks_exact_mut(COLUMNS);
        for low in batch.low.chunks_exact_mut(COLUMNS) {
            let low = &mut low[first..];
            let count = V::load(low);
            let mut is_open = count.is_zero();
            if let Some(high) = highs.next() {
                let high = &mut high[first..];
                let over = V::load(high);
                let borrow = is_open;
                is_open = V::both(is_open, over.is_zero());
                let less = V::select(borrow, over.minus(one), over);
                V::select(is_open, of_rank::<V, TABLES>(&slots.high, batch.slots, rank), less).store(high);
            }
            V::select(is_open, of_rank::<V, TABLES>(&slots.low, batch.slots, rank), count.minus(one)).store(low);
            rank = rank.count(is_open);
        }
    }
}

/// [`Batch::run`] in these registers.
#[inline(always)]
pub(super) fn run<V: Bytes>(mut batch: Batch<'_>) -> u32 {
    let mut open = [0; COLUMNS];
    // What is common is compiled for itself.
    match batch.coarse.levels {
        4 => decide::<V>(&mut batch, 4, &mut open),
        5 => decide::<V>(&mut batch, 5, &mut open),
        6 => decide::<V>(&mut batch, 6, &mut open),
        7 => decide::<V>(&mut batch, 7, &mut open),
        levels => decide::<V>(&mut batch, levels as usize, &mut open),
    }
    let overflow = ranks(&mut open, batch.slots);
    let mut slots = Slots::new();
    settle::<V>(&batch, &mut slots);
    match batch.slots.div_ceil(1 << V::INDEX_BITS) {
        1 => hand_out::<V, 1>(&mut batch, &slots, &open),
        2 => hand_out::<V, 2>(&mut batch, &slots, &open),
        3 => hand_out::<V, 3>(&mut batch, &slots, &open),
        4 => hand_out::<V, 4>(&mut batch, &slots, &open),
        _ => hand_out::<V, 0>(&mut batch, &slots, &open),
    }
    open.zeroize();
    overflow
}
