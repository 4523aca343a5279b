//! [`Batch`] by binary search in registers.

use super::batch::{Batch, COLUMNS, MAX_DIGITS, SLOTS, ranks};
use crate::arch::tree::descend;
use crate::arch::vector::ByteVector;
use zeroize::Zeroize;

/// The samples that their draws decide: their indices, one too large, and 0 where open; and how many of each column
/// are open.
#[inline(always)]
fn decide<V: ByteVector, const LEVELS: usize>(batch: &mut Batch<'_>, open: &mut [u8; COLUMNS]) {
    let levels = if LEVELS > 0 { LEVELS } else { batch.coarse.levels as usize };
    // Lengths that the compiler knows where it knows the levels.
    let (rows, len) = (bytemuck::cast_slice(batch.coarse.rows), (1 << levels).max(COLUMNS));
    let rows: [&[u8]; 2] = [&rows[..len], &rows[batch.coarse.stride..][..len]];
    let (or, xor) = if batch.folded { (0x80, 0) } else { (0, 0x80) };
    let (or, xor, less) = (V::splat8(or), V::splat8(xor), V::splat8(0x80));
    for first in (0..COLUMNS).step_by(V::LANES) {
        let mut open_here = V::splat8(0);
        let lows = batch.low.chunks_exact_mut(COLUMNS);
        let mut highs = batch.high.chunks_exact_mut(COLUMNS);
        for (draws, low) in batch.draws.chunks_exact(2 * COLUMNS).zip(lows) {
            let (h, l) = (V::load8(&draws[first..]), V::load8(&draws[COLUMNS + first..]));
            let (count, over) = descend::<V, LEVELS>(&rows, levels, &[h.or(or).xor(xor), l.xor(less)]);
            let mut is_open = count.is_zero();
            count.store8(&mut low[first..]);
            if let Some(high) = highs.next() {
                is_open = V::both(is_open, over.is_zero());
                over.store8(&mut high[first..]);
            }
            open_here = open_here.count(is_open);
        }
        open_here.store8(&mut open[first..]);
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
fn settle<V: ByteVector, const LEVELS: usize>(batch: &Batch<'_>, slots: &mut Slots) {
    let [lows, highs] = slots.bytes_mut();
    let levels = if LEVELS > 0 { LEVELS } else { batch.fine.levels as usize };
    let mut rows: [&[u8]; MAX_DIGITS] = [&[]; MAX_DIGITS];
    for (row, digits) in rows.iter_mut().zip(batch.fine.rows.chunks_exact(batch.fine.stride)) {
        *row = bytemuck::cast_slice(digits);
    }
    for first in (0..batch.slots).step_by(V::LANES) {
        let mut digits = [V::splat8(0); MAX_DIGITS];
        let digits = &mut digits[..batch.digits];
        for (d, digit) in digits.iter_mut().enumerate() {
            *digit = V::load8(&batch.spare[d * batch.slots + first..]).xor(V::splat8(0x80));
        }
        let (low, high) = descend::<V, LEVELS>(&rows, levels, digits);
        low.store8(&mut lows[first..]);
        high.store8(&mut highs[first..]);
    }
    for (low, high) in lows.iter_mut().zip(highs) {
        [*low, *high] = u16::from_le_bytes([*low, *high]).wrapping_add(batch.offset).to_le_bytes();
    }
}

/// The entries of the slots of these ranks; TABLES of them if not 0.
#[inline(always)]
fn of_rank<V: ByteVector, const TABLES: usize>(slots: &[u8; SLOTS], used: usize, rank: V) -> V {
    let size = 1 << V::INDEX_BITS;
    let tables = if TABLES > 0 { TABLES } else { used.div_ceil(size) };
    let mut found = V::splat8(0);
    for (t, entries) in slots.chunks_exact(size).enumerate().take(tables) {
        found = found.or(V::table(entries).look_up_rank(rank, t * size));
    }
    found
}

/// The indices: one less, or those of the slots, in order.
#[inline(always)]
fn hand_out<V: ByteVector, const TABLES: usize>(batch: &mut Batch<'_>, slots: &Slots, ranks: &[u8; COLUMNS]) {
    let one = V::splat8(1);
    let [slot_lows, slot_highs] = slots.bytes();
    for first in (0..COLUMNS).step_by(V::LANES) {
        let mut rank = V::load8(&ranks[first..]);
        let mut highs = batch.high.chunks_exact_mut(COLUMNS);
        for low in batch.low.chunks_exact_mut(COLUMNS) {
            let low = &mut low[first..];
            let count = V::load8(low);
            let mut is_open = count.is_zero();
            if let Some(high) = highs.next() {
                let high = &mut high[first..];
                let over = V::load8(high);
                let borrow = is_open;
                is_open = V::both(is_open, over.is_zero());
                let less = V::select(borrow, over.minus8(one), over);
                V::select(is_open, of_rank::<V, TABLES>(slot_highs, batch.slots, rank), less).store8(high);
            }
            V::select(is_open, of_rank::<V, TABLES>(slot_lows, batch.slots, rank), count.minus8(one)).store8(low);
            rank = rank.count(is_open);
        }
    }
}

/// Whether all common lengths are compiled for themselves: WebAssembly is downloaded.
const ALL_WRITTEN_OUT: bool = !cfg!(target_arch = "wasm32");

/// [`Batch::run`] in these registers.
#[inline(always)]
pub(super) fn run<V: ByteVector>(mut batch: Batch<'_>) -> u32 {
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
