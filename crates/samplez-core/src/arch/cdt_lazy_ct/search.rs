//! [`Batch`] by binary search in registers: a tree's level is a table that a shuffle looks numbers up in.
//!
//! Node 2^i + q of a level i lies at that place of its digit's row, and its children are nodes 2(2^i + q) and one
//! behind. So one byte holds the place, modulo 2^8, and its lowest bits index a register's table; which of a level's
//! tables is meant follows from the outcomes at the first levels.

use super::batch::{Batch, COLUMNS, MAX_DIGITS, MAX_LEVELS, SLOTS, ranks};
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
    /// The lowest bits of the bytes, or all that [`look_up`](Self::look_up) takes for them.
    fn index(self) -> Self;
    /// The entries of the table `self` at these indices.
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

/// The entries of a level's tables from the `first` on, at these outcomes of the levels above, the last of which is
/// that of the level before; each function takes twice as many tables as the one before it.
#[inline(always)]
fn of_one<V: Bytes>(entries: &[u8], first: usize, place: V) -> V {
    V::table(&entries[first << V::INDEX_BITS..]).look_up(place)
}

/// See [`of_one`].
#[inline(always)]
fn of_two<V: Bytes>(entries: &[u8], first: usize, place: V, above: &[V::Mask]) -> V {
    let (no, yes) = (of_one(entries, first, place), of_one(entries, first + 1, place));
    V::select(above[above.len() - 1], yes, no)
}

/// See [`of_one`].
#[inline(always)]
fn of_four<V: Bytes>(entries: &[u8], first: usize, place: V, above: &[V::Mask]) -> V {
    let (no, yes) = (of_two(entries, first, place, above), of_two(entries, first + 2, place, above));
    V::select(above[above.len() - 2], yes, no)
}

/// See [`of_one`].
#[inline(always)]
fn of_eight<V: Bytes>(entries: &[u8], first: usize, place: V, above: &[V::Mask]) -> V {
    let (no, yes) = (of_four(entries, first, place, above), of_four(entries, first + 4, place, above));
    V::select(above[above.len() - 3], yes, no)
}

/// The row of 2^level entries, at these outcomes of the levels above; `place` is the node's.
#[inline(always)]
fn entry<V: Bytes>(row: &[u8], level: usize, place: V, above: &[V::Mask; MAX_LEVELS]) -> V {
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
            let mut pending = [V::splat(0); MAX_LEVELS];
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

/// A search: the node that it has come to, modulo 2^8, and what was found on the way.
struct Descent<V: Bytes> {
    node: V,
    high: V,
    outcomes: [V::Mask; MAX_LEVELS],
}

impl<V: Bytes> Descent<V> {
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
            self.high = self.node.minus(V::splat((1_u32 << level) as u8));
        }
        self.node = self.node.double().count(above);
    }
}

/// How many numbers of the tree of these rows are above those of these digits (less 128), by bytes. The levels up to
/// LEVELS, if that is not 0, are written out one by one, and the tree has so many.
#[inline(always)]
fn descend<V: Bytes, const LEVELS: usize>(rows: &[&[u8]], levels: usize, digits: &[V]) -> (V, V) {
    let node = V::splat(1);
    let mut descent = Descent { node, high: V::splat(0), outcomes: [node.below(node); MAX_LEVELS] };
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
    (descent.node.minus(V::splat((1_u32 << levels) as u8)), descent.high)
}

/// The samples that their draws decide: their indices, one too large, and 0 where open; and how many of each column
/// are open.
#[inline(always)]
fn decide<V: Bytes, const LEVELS: usize>(batch: &mut Batch<'_>, open: &mut [u8; COLUMNS]) {
    let levels = if LEVELS > 0 { LEVELS } else { batch.coarse.levels as usize };
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
            let (count, over) = descend::<V, LEVELS>(&rows, levels, &[h.or(or).xor(xor), l.xor(less)]);
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

/// The indices of the slots by their lower and higher bytes: by words, as which they are erased eight at a time.
struct Slots([[u64; SLOTS / 8]; 2]);

impl Slots {
    #[inline(always)]
    fn bytes(&self) -> [&[u8; SLOTS]; 2] {
        self.0.each_ref().map(bytemuck::cast_ref)
    }

    #[inline(always)]
    fn bytes_mut(&mut self) -> [&mut [u8; SLOTS]; 2] {
        self.0.each_mut().map(bytemuck::cast_mut)
    }
}

impl Drop for Slots {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.as_flattened_mut().zeroize();
    }
}

/// The slots' indices.
#[inline(always)]
fn settle<V: Bytes, const LEVELS: usize>(batch: &Batch<'_>, slots: &mut Slots) {
    let [lows, highs] = slots.bytes_mut();
    let levels = if LEVELS > 0 { LEVELS } else { batch.fine.levels as usize };
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
        let (low, high) = descend::<V, LEVELS>(&rows, levels, digits);
        low.store(&mut lows[first..]);
        high.store(&mut highs[first..]);
    }
    for (low, high) in lows.iter_mut().zip(highs) {
        [*low, *high] = u16::from_le_bytes([*low, *high]).wrapping_add(batch.offset).to_le_bytes();
    }
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
    let [slot_lows, slot_highs] = slots.bytes();
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
                V::select(is_open, of_rank::<V, TABLES>(slot_highs, batch.slots, rank), less).store(high);
            }
            V::select(is_open, of_rank::<V, TABLES>(slot_lows, batch.slots, rank), count.minus(one)).store(low);
            rank = rank.count(is_open);
        }
    }
}

/// Whether all common lengths are compiled for themselves: WebAssembly is downloaded.
const ALL_WRITTEN_OUT: bool = !cfg!(target_arch = "wasm32");

/// [`Batch::run`] in these registers.
#[inline(always)]
pub(super) fn run<V: Bytes>(mut batch: Batch<'_>) -> u32 {
    let mut open_words = [0_u64; COLUMNS / 8];
    let open: &mut [u8; COLUMNS] = bytemuck::cast_mut(&mut open_words);
    match batch.coarse.levels {
        4 => decide::<V, 4>(&mut batch, open),
        5 => decide::<V, 5>(&mut batch, open),
        6 => decide::<V, 6>(&mut batch, open),
        7 => decide::<V, 7>(&mut batch, open),
        8 if ALL_WRITTEN_OUT => decide::<V, 8>(&mut batch, open),
        _ => decide::<V, 0>(&mut batch, open),
    }
    let overflow = ranks(open, batch.slots);
    let mut slots = Slots([[0; SLOTS / 8]; 2]);
    match batch.fine.levels {
        4 if ALL_WRITTEN_OUT => settle::<V, 4>(&batch, &mut slots),
        5 if ALL_WRITTEN_OUT => settle::<V, 5>(&batch, &mut slots),
        6 if ALL_WRITTEN_OUT => settle::<V, 6>(&batch, &mut slots),
        7 if ALL_WRITTEN_OUT => settle::<V, 7>(&batch, &mut slots),
        8 if ALL_WRITTEN_OUT => settle::<V, 8>(&batch, &mut slots),
        9 if ALL_WRITTEN_OUT => settle::<V, 9>(&batch, &mut slots),
        _ => settle::<V, 0>(&batch, &mut slots),
    }
    match batch.slots.div_ceil(1 << V::INDEX_BITS) {
        1 if ALL_WRITTEN_OUT => hand_out::<V, 1>(&mut batch, &slots, open),
        2 if ALL_WRITTEN_OUT => hand_out::<V, 2>(&mut batch, &slots, open),
        3 if ALL_WRITTEN_OUT => hand_out::<V, 3>(&mut batch, &slots, open),
        4 if ALL_WRITTEN_OUT => hand_out::<V, 4>(&mut batch, &slots, open),
        _ => hand_out::<V, 0>(&mut batch, &slots, open),
    }
    open_words.zeroize();
    overflow
}
