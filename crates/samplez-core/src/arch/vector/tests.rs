//! Every operation of a machine's vectors, against the portable implementation.

use super::{ByteVector, Machine, Specification, Vector, VectorKernel, WordVector};
use crate::arch::Backend;
use crate::arch::planes::LOW;
use crate::bits::BitSource;
use crate::fixtures::reader;
use std::vec::Vec;

/// Operations on blocks of 512 bits.
struct Blocks<'a>(&'a [[u64; 8]; 2]);

/// The words of a vector.
#[inline(always)]
fn words<V: Vector>(vector: V) -> Vec<u64> {
    let mut words = [0; 8];
    vector.store(&mut words);
    words[..V::WORDS].to_vec()
}

/// The operations of [`Vector`].
#[inline(always)]
fn of_bits<V: Vector>(a: V, b: V) -> Vec<u64> {
    let mut results = [V::splat(7), V::splat16(0x1234), a.and(b), a.or(b), a.xor(b), a.not()].to_vec();
    results.extend([a.minus16(b), a.minus_saturating16(b), a.min16(b)]);
    for (k, low) in LOW.into_iter().enumerate() {
        let (first, second) = a.exchange(b, 1 << k, low);
        results.extend([first, second]);
    }
    for n in [0, 1, 13, 63, 64] {
        results.extend([a.shl(n), a.shr(n)]);
    }
    results.into_iter().flat_map(words).collect()
}

impl VectorKernel for Blocks<'_> {
    type Output = Vec<u64>;
    #[inline(always)]
    fn run<M: Machine>(self) -> Vec<u64> {
        let [a, b] = self.0.map(|words| M::Block::load(&words));
        of_bits(a, b)
    }
}

/// Operations on 64-bit words, by vectors over two arrays of eight.
struct WordOperations<'a>(&'a [[u64; 8]; 2]);

impl WordOperations<'_> {
    #[inline(always)]
    fn run_in<V: WordVector>(self) -> Vec<Vec<u64>> {
        let [all_a, all_b] = self.0;
        let entries16: [u16; 16] = core::array::from_fn(|i| (all_a[i / 2] >> (16 * (i % 2))) as u16);
        let (table16, table8) = (V::table16(&entries16), V::table8(all_b));
        let halves = [all_a.map(|word| word as u32), all_b.map(|word| word as u32)];
        let mut results: Vec<Vec<u64>> = Vec::new();
        for at in (0..8).step_by(V::WORDS) {
            let (a, b) = (V::load(&all_a[at..]), V::load(&all_b[at..]));
            let mut here =
                [a.plus(b), a.minus(b), V::product(a.low(), b.high()), V::product(a.high(), b.low())].to_vec();
            here.extend([0, 1, 31, 32, 63].map(|n| V::places(n)).into_iter().flat_map(|n| [a.shl_by(n), a.shr_by(n)]));
            here.extend([a.shr_each(b.and(V::splat(127))), a.shr_any(b.and(V::splat(511)))]);
            here.extend([a.count_above16(a, b), a.count_above_signed16(a, b), V::load_halves(&all_a[at..]), a.made()]);
            here.push(a.and(V::splat16(15)).look_up16(table16));
            for table in [table8, V::halves8(&halves)] {
                let (high, low) = a.look_up8(table);
                here.extend([V::product(high, b.low()), V::product(low, b.low())]);
            }
            here.push(V::load_narrow(&all_a[at / 2..]));
            let positive = [a, b].map(|vector| vector.shr(1));
            let is_below = positive[0].is_below(positive[1]);
            let mut values = [[0; 8]; 2];
            V::store_low([a, b], &mut values.as_flattened_mut()[..2 * V::WORDS]);
            let values = &values.as_flattened()[..2 * V::WORDS];
            for lane in 0..V::WORDS {
                let mut row: Vec<u64> = here.iter().map(|vector| words(*vector)[lane]).collect();
                row.extend([u64::from(is_below >> lane & 1), values[lane] as u64, values[V::WORDS + lane] as u64]);
                results.push(row);
            }
            for mask in 0..=(1_u16 << V::WORDS) - 1 {
                let kept: Vec<u64> =
                    words(a).into_iter().enumerate().filter(|(i, _)| mask >> i & 1 != 0).map(|(_, w)| w).collect();
                assert_eq!(words(a.compress(mask as u8))[..kept.len()], kept);
            }
        }
        results
    }
}

impl VectorKernel for WordOperations<'_> {
    const WORDS: bool = true;
    type Output = Vec<Vec<u64>>;
    #[inline(always)]
    fn run<M: Machine>(self) -> Vec<Vec<u64>> {
        self.run_in::<M::Words>()
    }
}

/// Operations on bytes and 16-bit numbers, by vectors over two arrays of 128 bytes.
struct ByteOperations<'a>(&'a [[u8; 128]; 2]);

impl ByteOperations<'_> {
    #[inline(always)]
    fn run_in<V: ByteVector>(self) -> Vec<Vec<u8>> {
        let [all_a, all_b] = self.0;
        let numbers: [u16; 16] = core::array::from_fn(|i| u16::from_le_bytes([all_b[2 * i], all_b[2 * i + 1] & 0x7f]));
        let mut falling = numbers;
        falling.sort_unstable_by(|a, b| b.cmp(a));
        falling[15] = 0;
        let (table16, keys) = (V::table16(&numbers), V::keys16(&falling));
        let mut pool = [0; 256];
        pool[..128].copy_from_slice(all_b);
        let tables = V::tables::<128>(&pool);
        let mut results: Vec<Vec<u8>> = std::vec![Vec::new(); 39];
        let mut taken = V::splat8(0);
        for at in (0..128).step_by(V::LANES) {
            let (a, b) = (V::load8(&all_a[at..]), V::load8(&all_b[at..]));
            let sixteen = V::splat16(15);
            let mut here =
                [V::splat8(9), a.plus8(b), a.minus8(b), a.plus_at_most(b), a.negated(b), a.double()].to_vec();
            let (below, equal) = (a.below(b), a.xor(b).and(V::splat8(3)).is_zero());
            here.extend(
                [below, equal, V::both(below, equal), a.below_or(a, below), a.below_or(b, equal)]
                    .map(|mask| V::select(mask, a, b)),
            );
            here.extend([a.count(below), V::of_rank::<128>(&tables, a), a.hand_out::<128>(equal, &tables, &mut taken)]);
            // Ranks in every machine's tables, and in none.
            let (index, outside) = (a.and(V::splat8(15)), a.or(V::splat8(0x40)));
            here.extend([index, outside].map(|rank| V::table(all_b).look_up_rank(rank, 0)));
            here.push(V::table(all_b).look_up(index));
            here.extend([a.plus16(b), a.minus16(b), a.minus_saturating16(b), a.min16(b)]);
            let positive = [a, b].map(|vector| vector.and(V::splat16(0x7fff)));
            here.extend([positive[0].product16(positive[1]), positive[0].keys_above16(&keys), V::splat16(0x1234)]);
            here.extend([0, 3, 15].into_iter().flat_map(|n| [a.shl16(n), a.shr16(n)]));
            here.extend([a.shr_each16(b.and(V::splat16(7))), a.where16(a.below16(b)), V::narrow(a.widen())]);
            let pair = V::look_up16(a.widen().map(|vector| vector.and(sixteen)), table16);
            here.push(V::narrow(pair.map(|vector| vector.and(V::splat16(0xff)))));
            for (result, vector) in results.iter_mut().zip(here) {
                let mut bytes = [0; 64];
                vector.store8(&mut bytes);
                result.extend(&bytes[..V::LANES]);
            }
            let bits = V::bits(below).to_le_bytes();
            results[37].extend(&bits[..V::LANES / 8]);
        }
        let mut counts = [0; 64];
        taken.store8(&mut counts);
        results.push(std::vec![counts[0]]);
        for at in (0..128).step_by(2 * V::LANES) {
            let mut moved = [0; 128];
            V::store_pair(V::load_pair(&all_a[at..]), &mut moved);
            results[38].extend(&moved[..2 * V::LANES]);
        }
        let (row, mut out, mask) = (
            all_a.first_chunk().copied().unwrap_or([0; 64]),
            [0; 64],
            u64::from_le_bytes([7, all_b[0], all_b[1], 0, 255, 3, 9, all_b[2]]),
        );
        V::compress8(row, mask, &mut out);
        results.push(out[..mask.count_ones() as usize].to_vec());
        results
    }
}

impl VectorKernel for ByteOperations<'_> {
    const BYTES: bool = true;
    type Output = Vec<Vec<u8>>;
    #[inline(always)]
    fn run<M: Machine>(self) -> Vec<Vec<u8>> {
        self.run_in::<M::Bytes>()
    }
}

#[test]
fn every_backend_has_the_same_operations() {
    let mut bits = reader(21);
    for round in 0..50 {
        let numbers: [[u64; 8]; 2] = core::array::from_fn(|_| core::array::from_fn(|_| bits.bits(64)));
        let mut bytes: [[u8; 128]; 2] = core::array::from_fn(|_| core::array::from_fn(|_| bits.bits(8) as u8));
        if round % 2 == 0 {
            // Many equal bytes, and extremes.
            bytes = bytes.map(|bytes| bytes.map(|byte| [0, 0x7f, 0x80, 0xff, 1, 2, 3, 4][usize::from(byte % 8)]));
        }
        let want = Blocks(&numbers).run::<Specification>();
        let [[a, ..], [b, ..]] = numbers;
        for (k, low) in LOW.into_iter().enumerate() {
            let pair = [want[8 * (9 + 2 * k)], want[8 * (10 + 2 * k)]];
            assert_eq!(pair, [a & low | (b & low) << (1 << k), a >> (1 << k) & low | b & !low]);
        }
        for backend in Backend::available() {
            assert_eq!(backend.run_in_vectors(Blocks(&numbers)), want, "{backend}");
            let words = WordOperations(&numbers).run::<Specification>();
            assert_eq!(backend.run_in_vectors(WordOperations(&numbers)), words, "{backend}");
            let want = ByteOperations(&bytes).run::<Specification>();
            for (i, (found, want)) in backend.run_in_vectors(ByteOperations(&bytes)).iter().zip(&want).enumerate() {
                assert_eq!(found, want, "{backend}, operation {i}");
            }
        }
    }
}
