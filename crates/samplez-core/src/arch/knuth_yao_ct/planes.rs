//! [`Level`] in bit planes: the text for every machine without a search in registers.
//!
//! A plane has a word for each of eight rows, and bit c of it is column c.
//!
//! Entries of the pool move to the open samples in a network. Let n(c) be the rank of the entry that the first open sample
//! from column c on takes. A block has s columns from column c on, a multiple of s. The network holds for it the entries
//! n(c), …, n(c) + s - 1. The entry of rank k is in column c + k % s. Blocks of 64 columns are bits of the pool's words. A block of
//! s columns takes each entry from one of two columns of the block of 2s around it.

use super::level::{COLUMNS, Level, POOL};
use crate::arch::cdt_lazy_ct::planes::decide;
use crate::arch::planes::{BATCH, LOW, to_bytes, transpose_bits};
use crate::arch::vector::Vector;
use zeroize::Zeroize;

/// Rows of a plane.
const LANES: usize = 8;
/// Planes of an entry, and of a rank.
const BITS: usize = 8;
/// log2 of the columns.
const STAGES: usize = 6;

/// Exchanges bit 8i + m of each word with bit 8m + i.
#[inline(always)]
fn transposed<V: Vector>(x: V) -> V {
    [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)].into_iter().fold(
        x,
        |x, (shift, mask)| {
            let differing = x.shr(shift).xor(x).and(V::splat(mask));
            x.xor(differing).xor(differing.shl(shift))
        },
    )
}

/// One of both, bit by bit: `one` where the mask is 1.
#[inline(always)]
fn choose<V: Vector>(mask: V, one: V, zero: V) -> V {
    zero.xor(one.xor(zero).and(mask))
}

/// n(c) modulo 2^8 by its planes, for each column c. The rows' first ones are `first`.
#[cfg_attr(samplez_outlined, inline(never))]
#[cfg_attr(not(samplez_outlined), inline(always))]
fn ranks<V: Vector>(open: V, first: &[u32; LANES]) -> [V; BITS] {
    let mut ranks = [V::splat(0); BITS];
    let mut carry = open;
    for (z, plane) in ranks.iter_mut().enumerate() {
        // A bit changes behind each column that carries into it.
        let mut changes = carry.shl(1);
        for d in 0..STAGES {
            changes = changes.xor(changes.shl(1 << d));
        }
        let first = V::load(&first.map(|rank| u64::from(rank >> z & 1).wrapping_neg()));
        *plane = changes.xor(first);
        carry = carry.and(*plane);
    }
    ranks
}

/// Where the network's entries come from.
struct Network<V> {
    /// For blocks of s = 2^l columns: whether two columns of a block of 2s exchange their entries. The bit is the lower
    /// column's.
    stages: [[V; 2]; STAGES],
    /// Bits 6 and 7 of the rank of the entry in each column of the block of 64.
    word: [V; 2],
}

impl<V: Vector> Network<V> {
    /// From n(c).
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    fn new(mut ranks: [V; BITS]) -> Self {
        // Bits from l on of the rank of the entry that is in the column.
        let mut stages = [[V::splat(0); 2]; STAGES];
        for (l, stage) in stages.iter_mut().enumerate() {
            let (s, low, is_upper) = (1 << l, V::splat(LOW[l]), ranks[l]);
            *stage = [is_upper.and(low), is_upper.not().shr(s).and(low)];
            // Both columns' entries in the block of 2s follow from the lower one's. That of the same rank modulo s has
            // bit l as the column has it: the rank, or s more.
            let mut carry = is_upper;
            for plane in &mut ranks[l + 1..] {
                let rank = *plane;
                *plane = rank.xor(carry).and(low).or(rank.and(low).shl(s));
                carry = carry.and(rank);
            }
        }
        Network { stages, word: [ranks[STAGES], ranks[STAGES + 1]] }
    }

    /// The bits that the columns get, of these of the pool.
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    fn carry(&self, pool: &[u64; POOL / 64]) -> V {
        let [a, b, c, d] = pool.map(V::splat);
        let mut x = choose(self.word[1], choose(self.word[0], d, c), choose(self.word[0], b, a));
        for (l, [lower, upper]) in self.stages.iter().enumerate().rev() {
            let differing = x.xor(x.shr(1 << l));
            x = x.xor(differing.and(*lower)).xor(differing.and(*upper).shl(1 << l));
        }
        x
    }
}

/// The pool's entries less `base`, by planes.
#[cfg_attr(samplez_outlined, inline(never))]
#[cfg_attr(not(samplez_outlined), inline(always))]
fn planes<V: Vector>(pool: &[u8; POOL], base: u8) -> [[u64; POOL / 64]; BITS] {
    let mut words = [[0; LANES]; BITS];
    for (lane, row) in pool.as_chunks::<COLUMNS>().0.iter().enumerate() {
        for (words, bytes) in words.iter_mut().zip(row.as_chunks::<8>().0) {
            words[lane] = u64::from_le_bytes(bytes.map(|byte| byte.wrapping_sub(base)));
        }
    }
    let mut planes = words.map(|words| V::load(&words));
    transpose_bits(&mut planes);
    let mut pool = [[0; POOL / 64]; BITS];
    for (pool, plane) in pool.iter_mut().zip(planes) {
        transposed(plane).store(&mut words[0]);
        pool.copy_from_slice(&words[0][..POOL / 64]);
    }
    words.zeroize();
    pool
}

impl Level<'_> {
    /// [`Level::run`] in bit planes.
    #[inline(always)]
    pub(super) fn run_in_planes<V: Vector>(self) -> u32 {
        let (tree, folded, base, mut overflow) = (self.tree, self.folded, self.base, 0);
        let signs = if folded { -1 } else { 0 };
        let (mut found, mut open) = ([0; BATCH], [0; 32]);
        for (draws, values, pool, entries) in self.sections() {
            let (mut pool, mut taken) = (planes::<V>(pool, base), 0);
            for (draws, cells) in draws.chunks(BATCH).zip(values.chunks_mut(BATCH)) {
                open[..LANES].fill(0);
                decide::<V, 1>(tree, folded, draws, [&mut *cells, &mut []], &mut open);
                let open = transposed(V::load(&open.as_chunks::<LANES>().0[0]));
                let mut rows = [0; LANES];
                open.store(&mut rows);
                let first = rows.map(|row| {
                    let first = taken;
                    taken += row.count_ones();
                    first
                });
                let network = Network::new(ranks(open, &first));
                to_bytes(&pool.each_ref().map(|bits| network.carry(bits).and(open)), &mut found);
                // Open samples have the entries less the base so far, decided ones their index less the base.
                for ((cell, draw), found) in cells.iter_mut().zip(draws).zip(&found) {
                    let value = (*cell | found).wrapping_add(base).cast_signed();
                    let sign = draw.cast_signed() >> 7 & signs;
                    *cell = (value ^ sign).wrapping_sub(sign).cast_unsigned();
                }
                rows.zeroize();
            }
            overflow |= (entries as u32).wrapping_sub(taken) >> 31;
            pool.zeroize();
        }
        found.zeroize();
        open.zeroize();
        overflow
    }
}
