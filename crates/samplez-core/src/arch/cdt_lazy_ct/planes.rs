//! [`Batch`] in bit planes: the implementation for every machine without a search in registers.
//!
//! A plane has a word for each of eight rows, or of eight digits of 64 slots. Bit 8m + i of the word is column 8i + m.
//! So one transposition turns eight words of eight bytes into eight planes, and these into bytes again. A step that is
//! needed twice is in a loop: WebAssembly is downloaded.

use super::batch::{Batch, COLUMNS, MAX_DIGITS, MAX_ROWS, SLOTS, ranks};
use crate::arch::cdt_ct::{STEP, below};
use crate::arch::planes::{Aligned, Plane, transpose_bits};
use crate::arch::tree::Tree;
use crate::arch::vector::Vector;
use core::array;
use zeroize::Zeroize;

/// Rows of a plane.
const LANES: usize = 8;
/// Planes of an index.
const BITS: usize = 16;
/// Slots that are handed out together: their ranks differ in three bits.
const TOGETHER: usize = 8;

/// Where four bits are below 0, 1, …, 16, for as many numbers as a T has bits.
type Below<T> = [T; (1 << STEP) + 1];

/// The data on a batch's open samples and on its slots.
struct Open {
    /// A word for each row.
    rows: [u64; MAX_ROWS],
    /// The rank of each column's first one, or that after the last one of the rows before.
    next: [u64; 8],
    /// The planes of the slots' indices, modulo 2^16, for each 64 of them.
    slots: [[u64; BITS]; SLOTS / 64],
}

impl Open {
    #[inline(always)]
    const fn new() -> Self {
        Open { rows: [0; MAX_ROWS], next: [0; 8], slots: [[0; BITS]; SLOTS / 64] }
    }

    /// Ranks the open samples; 1 if there are more than slots, or else 0.
    #[inline(always)]
    fn rank(&mut self, slots: usize) -> u32 {
        let overflow;
        (self.next, overflow) = rank(&self.rows, slots);
        overflow
    }
}

impl Drop for Open {
    #[inline(always)]
    fn drop(&mut self) {
        self.rows.zeroize();
        self.next.zeroize();
        self.slots.zeroize();
    }
}

/// Returns where the upper four bits, and the lower four, of the bytes of up to eight rows are below 0, 1, …, 16.
/// Missing rows count as zero. The highest bit of each byte counts where the mask has it.
#[cfg_attr(samplez_outlined, inline(never))]
#[cfg_attr(not(samplez_outlined), inline(always))]
fn read<'a, V: Vector>(rows: impl Iterator<Item = &'a [u8]>, mask: V, steps: &mut [Below<Plane>; 2]) {
    let mut words = [[0; LANES]; 8];
    for (lane, row) in rows.enumerate() {
        for (words, bytes) in words.iter_mut().zip(row.as_chunks::<8>().0) {
            words[lane % LANES] = u64::from_le_bytes(*bytes);
        }
    }
    let mut planes = words.map(|words| V::load(&words));
    transpose_bits(&mut planes);
    let [a, b, c, d, e, f, g, h] = planes;
    for (bits, step) in [[e, f, g, h.and(mask)], [a, b, c, d]].into_iter().zip(steps) {
        for (plane, below) in step.iter_mut().zip(below(bits)) {
            below.store(plane);
        }
    }
}

/// Writes the numbers of these planes, by bytes, to up to eight rows of each of both. Where one of two is 0, it adds
/// them to the present ones.
#[cfg_attr(samplez_outlined, inline(never))]
#[cfg_attr(not(samplez_outlined), inline(always))]
fn write<V: Vector>(planes: &[V; BITS], add: bool, low: Option<&mut [u8]>, high: Option<&mut [u8]>) {
    let keep = if add { u64::MAX } else { 0 };
    for (planes, rows) in planes.as_chunks::<8>().0.iter().zip([low, high]) {
        let Some(rows) = rows else { break };
        let mut planes = *planes;
        transpose_bits(&mut planes);
        for (i, plane) in planes.into_iter().enumerate() {
            let mut words = [0; LANES];
            plane.store(&mut words);
            for (row, word) in rows.as_chunks_mut::<COLUMNS>().0.iter_mut().zip(words) {
                let bytes = &mut row.as_chunks_mut::<8>().0[i];
                *bytes = (word | u64::from_le_bytes(*bytes) & keep).to_le_bytes();
            }
        }
    }
}

/// How many numbers of the tree but the first are above draws of DIGITS bytes, by `low` and `high`. An open sample has a
/// 0, and is marked in `open`.
#[cfg_attr(samplez_outlined, inline(never))]
#[cfg_attr(not(samplez_outlined), inline(always))]
pub(in crate::arch) fn decide<V: Vector, const DIGITS: usize>(
    tree: Tree<'_>,
    folded: bool,
    draws: &[u8],
    [low, high]: [&mut [u8]; 2],
    open: &mut [u64; MAX_ROWS],
) {
    let mut lows = low.chunks_mut(LANES * COLUMNS);
    let mut highs = high.chunks_mut(LANES * COLUMNS);
    let mut steps = Aligned([[[[0; LANES]; (1 << STEP) + 1]; 2]; DIGITS]);
    for (draws, open) in draws.chunks(LANES * DIGITS * COLUMNS).zip(open.as_chunks_mut::<LANES>().0) {
        let draws = draws.chunks_exact(DIGITS * COLUMNS);
        for (d, steps) in steps.0.iter_mut().enumerate() {
            let mask = V::splat(if d == 0 && folded { 0 } else { u64::MAX });
            read(draws.clone().map(|row| &row[COLUMNS * d..][..COLUMNS]), mask, steps);
        }
        // As the numbers fall, the outcomes are a thermometer: bit z of its height is the parity of those at multiples of 2^z.
        let mut count = [V::splat(0); BITS];
        for index in 0..tree.len {
            let place = tree.place(index + 1);
            let mut less = V::splat(0);
            for (d, [upper, lower]) in steps.0.iter().enumerate().rev() {
                let digit = tree.rows[d * tree.stride + place].cast_unsigned() ^ 0x80;
                for (step, t) in [(lower, digit % (1 << STEP)), (upper, digit >> STEP)] {
                    let (below, not_above) = (&step[usize::from(t)], &step[usize::from(t) + 1]);
                    less = V::load(below).or(V::load(not_above).and(less));
                }
            }
            if index == 0 {
                let mut here = [0; LANES];
                less.not().store(&mut here);
                open[..draws.len()].copy_from_slice(&here[..draws.len()]);
                continue;
            }
            for count in &mut count[..=index.trailing_zeros() as usize] {
                *count = count.xor(less);
            }
        }
        write(&count, false, lows.next(), highs.next());
    }
}

/// The planes of the indices of 64 slots from the `first` on.
#[cfg_attr(samplez_outlined, inline(never))]
#[cfg_attr(not(samplez_outlined), inline(always))]
fn settle<V: Vector>(batch: &Batch<'_>, first: usize) -> [u64; BITS] {
    let mut rows: [&[i8]; MAX_DIGITS] = [&[]; MAX_DIGITS];
    for (row, digits) in rows.iter_mut().zip(batch.fine.rows.chunks_exact(batch.fine.stride)) {
        *row = digits;
    }
    let rows = &rows[..batch.digits];
    let mut steps = [[[0_u64; (1 << STEP) + 1]; 2]; MAX_DIGITS];
    let mut eight = Aligned([[[0; LANES]; (1 << STEP) + 1]; 2]);
    for (group, steps) in steps.chunks_mut(LANES).enumerate().take(batch.digits.div_ceil(LANES)) {
        let digits = LANES * group..batch.digits.min(LANES * (group + 1));
        let row = |d| &batch.spare[d * batch.slots + first..][..COLUMNS];
        read(digits.map(row), V::splat(u64::MAX), &mut eight.0);
        for (lane, steps) in steps.iter_mut().enumerate() {
            for (step, planes) in steps.as_flattened_mut().iter_mut().zip(eight.0.as_flattened()) {
                *step = planes[lane % LANES];
            }
        }
    }
    let mut count = [0; BITS];
    // Where the digits before the `lead`th are zero, as are those of the numbers to come.
    let (mut zeros, mut lead) = (u64::MAX, 0);
    for rank in 1..=batch.fine.len {
        let place = batch.fine.place(rank);
        while lead < rows.len() && rows[lead][place] == i8::MIN {
            let [upper, lower] = &steps[lead];
            zeros &= upper[1] & lower[1];
            lead += 1;
        }
        let mut less = 0;
        for (row, [upper, lower]) in rows.iter().zip(&steps).skip(lead).rev() {
            let digit = row[place].cast_unsigned() ^ 0x80;
            for (step, t) in [(lower, digit % (1 << STEP)), (upper, digit >> STEP)] {
                less = step[usize::from(t)] | step[usize::from(t) + 1] & less;
            }
        }
        for count in &mut count[..=rank.trailing_zeros() as usize] {
            *count ^= less & zeros;
        }
    }
    let mut carry = 0;
    for (z, plane) in count.iter_mut().enumerate() {
        let (a, b) = (*plane, if batch.offset >> z & 1 == 0 { 0 } else { u64::MAX });
        *plane = a ^ b ^ carry;
        carry = a & b | carry & (a | b);
    }
    count
}

/// How many planes the slots' indices need, and whether the planes behind these are copies of the last; or else they are zero.
#[inline(always)]
fn significant(batch: &Batch<'_>) -> (usize, bool) {
    let least = i32::from(batch.offset.cast_signed());
    let most = least + batch.fine.len as i32;
    let bits = 32 - most.max(!least).max(0).leading_zeros() as usize + usize::from(least < 0);
    (bits.min(if batch.high.is_empty() { 8 } else { BITS }), least < 0)
}

/// The open samples take the slots' indices, of so many bits beside copies of the sign, in order.
#[cfg_attr(samplez_outlined, inline(never))]
#[cfg_attr(not(samplez_outlined), inline(always))]
fn hand_out<V: Vector>((bits, signed): (usize, bool), slots: usize, [low, high]: [&mut [u8]; 2], open: &mut Open) {
    let groups = low.len().div_ceil(COLUMNS * LANES);
    let mut lows = low.chunks_mut(LANES * COLUMNS);
    let mut highs = high.chunks_mut(LANES * COLUMNS);
    // Where an open sample's rank is a slot's, in its lowest three bits, and in the others.
    let mut of_three = Aligned([[0; LANES]; TOGETHER]);
    let mut of_rest = Aligned([[0; LANES]; SLOTS / TOGETHER]);
    let of_rest = &mut of_rest.0[..slots / TOGETHER];
    for rows in open.rows.as_chunks::<LANES>().0.iter().take(groups) {
        let mut rank = [[0; LANES]; 8];
        for (lane, row) in rows.iter().enumerate() {
            let mut carry = *row;
            for (rank, next) in rank.iter_mut().zip(&mut open.next) {
                rank[lane] = *next;
                (*next, carry) = (*next ^ carry, *next & carry);
            }
        }
        let rank = rank.map(|words| V::load(&words));
        let is_open = V::load(rows);
        for (k, plane) in of_three.0.iter_mut().enumerate() {
            is(&rank[..3], k).store(plane);
        }
        for (k, plane) in of_rest.iter_mut().enumerate() {
            is(&rank[3..], k).and(is_open).store(plane);
        }
        let mut found = [V::splat(0); BITS];
        for (z, found) in found.iter_mut().enumerate().take(bits) {
            for (k, rest) in of_rest.iter().enumerate() {
                let slots = open.slots[k / 8][z] << (7 - k % 8);
                let mut here = V::splat(0);
                for (m, three) in of_three.0.iter().enumerate() {
                    // All ones if the slot's bit is 1.
                    let bit = ((slots << (56 - 8 * m)).cast_signed() >> 63).cast_unsigned();
                    here = here.or(V::load(three).and(V::splat(bit)));
                }
                *found = found.or(here.and(V::load(rest)));
            }
        }
        if signed && bits > 0 {
            let sign = found[bits - 1];
            found[bits..].fill(sign);
        }
        write(&found, true, lows.next(), highs.next());
    }
}

/// Where the number of these planes is k.
#[inline(always)]
fn is<V: Vector>(planes: &[V], k: usize) -> V {
    let mut is = V::splat(u64::MAX);
    for (i, plane) in planes.iter().enumerate() {
        is = is.and(plane.xor(V::splat(if k >> i & 1 == 0 { u64::MAX } else { 0 })));
    }
    is
}

/// From the rows' open samples the rank of each column's first one, as planes; and whether they are too many.
#[inline(always)]
fn rank(rows: &[u64; MAX_ROWS], slots: usize) -> ([u64; 8], u32) {
    const BYTES: u64 = 0x0101_0101_0101_0101;
    let mut first = [0; COLUMNS];
    for (i, bytes) in first.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let count: u64 = rows.iter().map(|row| row >> i & BYTES).sum();
        *bytes = count.to_le_bytes();
    }
    let overflow = ranks(&mut first, slots);
    let words: [u64; 8] =
        array::from_fn(|i| first.as_chunks::<8>().0.get(i).map_or(0, |bytes| u64::from_le_bytes(*bytes)));
    first.zeroize();
    let plane = |z: usize| words.iter().enumerate().fold(0, |plane, (i, word)| plane | (word >> z & BYTES) << i);
    (array::from_fn(plane), overflow)
}

impl Batch<'_> {
    /// [`Batch::run`] in bit planes.
    #[inline(always)]
    pub(super) fn run_in_planes<V: Vector>(self) -> u32 {
        let mut open = Open::new();
        decide::<V, 2>(self.coarse, self.folded, self.draws, [&mut *self.low, &mut *self.high], &mut open.rows);
        let overflow = open.rank(self.slots);
        for (i, slots) in open.slots.iter_mut().enumerate().take(self.slots.div_ceil(64)) {
            *slots = settle::<V>(&self, 64 * i);
        }
        hand_out::<V>(significant(&self), self.slots, [self.low, self.high], &mut open);
        overflow
    }
}
