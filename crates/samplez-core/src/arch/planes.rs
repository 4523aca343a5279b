//! Bit planes: records of bits, transposed.
//!
//! A plane holds one bit of each of 512 lanes: bit b of its word a is lane 64a + b. Transposing costs a few operations
//! on 512 bits for each 512 samples. In return, all later work treats 512 samples with one operation, and no bit of a
//! sample is ever an address or a condition.

use super::vector::Vector;

/// Lanes of a plane.
pub(crate) const BATCH: usize = 512;

/// One bit of each lane.
pub(crate) type Plane = [u64; 8];

/// At an address at which no plane lies in two lines of a cache.
#[repr(align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// Bit k of word i is 1 where bit i of k is 0.
pub(super) const LOW: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// The planes of 512 records of `record` bits, which lie one after the other in `planes`, as 8·`record` words. In the last 64
/// planes those from `record` on are unspecified.
///
/// `planes` has 64 planes for each 64 bits, and `groups` is a scratch buffer for the words, of more than `record` planes.
#[cfg_attr(samplez_outlined, inline(never))]
#[cfg_attr(not(samplez_outlined), inline(always))]
pub(super) fn from_records<V: Vector>(record: usize, groups: &mut [Plane], planes: &mut [[Plane; 64]]) {
    // Lane group a has the records 64a … 64a + 63, in `record` words; one word more is zero.
    let words = &planes.as_flattened().as_flattened()[..8 * record];
    for (a, group) in words.chunks_exact(record).enumerate() {
        for (column, word) in groups.iter_mut().zip(group) {
            column[a & 7] = *word;
        }
    }
    groups[record] = [0; 8];
    for (limb, rows) in planes.iter_mut().enumerate() {
        let Some(needed) = record.checked_sub(64 * limb).filter(|n| *n > 0) else { break };
        for (b, row) in rows.iter_mut().enumerate() {
            let (at, shift) = ((b * record + 64 * limb) / 64, ((b * record) % 64) as u32);
            V::load(&groups[at]).shr(shift).or(V::load(&groups[at + 1]).shl(64 - shift)).store(row);
        }
        transpose::<V>(rows, needed.min(64));
    }
}

/// Transposes eight matrices of 64 × 64 bits: bit k of row r goes to bit r of row k. Only the
/// first `needed` rows of the result are made.
#[cfg_attr(samplez_outlined, inline(never))]
#[cfg_attr(not(samplez_outlined), inline(always))]
fn transpose<V: Vector>(rows: &mut [Plane; 64], needed: usize) {
    let needed = needed.next_power_of_two().max(8);
    for level in [5, 4, 3] {
        let (distance, mask) = (1 << level, LOW[level]);
        if needed > distance {
            for block in rows[..needed.max(2 * distance)].chunks_exact_mut(2 * distance) {
                let (low, high) = block.split_at_mut(distance);
                for (a, b) in low.iter_mut().zip(high) {
                    let (x, y) = V::load(a).exchange(V::load(b), distance as u32, mask);
                    x.store(a);
                    y.store(b);
                }
            }
        } else {
            let (low, high) = rows[..2 * distance].split_at_mut(distance);
            for (a, b) in low.iter_mut().zip(high) {
                V::load(a).exchange(V::load(b), distance as u32, mask).0.store(a);
            }
        }
    }
    for block in rows[..needed].as_chunks_mut::<8>().0 {
        let mut eight = [V::splat(0); 8];
        for (x, row) in eight.iter_mut().zip(&*block) {
            *x = V::load(row);
        }
        transpose_bits(&mut eight);
        for (x, row) in eight.into_iter().zip(block) {
            x.store(row);
        }
    }
}

/// Three levels of a transposition of eight rows, of units 1, 2 and 4 bits or bytes wide.
#[cfg_attr(samplez_outlined, inline(never))]
#[cfg_attr(not(samplez_outlined), inline(always))]
fn transpose8<V: Vector>(rows: &mut [V; 8], unit: u32, masks: [u64; 3]) {
    for (level, pairs) in [(2, [0, 1, 2, 3]), (1, [0, 1, 4, 5]), (0, [0, 2, 4, 6])] {
        for a in pairs {
            let b = a + (1 << level);
            (rows[a], rows[b]) = rows[a].exchange(rows[b], unit << level, masks[level]);
        }
    }
}

/// Bit k of byte m of row r goes to bit r of byte m of row k.
#[inline(always)]
pub(super) fn transpose_bits<V: Vector>(rows: &mut [V; 8]) {
    transpose8(rows, 1, [LOW[0], LOW[1], LOW[2]]);
}

/// Byte k of each word of row r goes to byte r of the word of row k.
#[inline(always)]
fn transpose_bytes<V: Vector>(rows: &mut [V; 8]) {
    transpose8(rows, 8, [LOW[3], LOW[4], LOW[5]]);
}

/// Each lane's byte, of which eight planes are the bits, least significant first.
#[cfg_attr(samplez_outlined, inline(never))]
#[cfg_attr(not(samplez_outlined), inline(always))]
pub(in crate::arch) fn to_bytes<V: Vector>(bits: &[V], bytes: &mut [u8; BATCH]) {
    let mut planes = [V::splat(0); 8];
    planes.copy_from_slice(bits);
    // Then row i has in byte m the bits of lane 8m + i, and after the second step row q has in
    // word a the bytes of lanes 64a + 8q … 64a + 8q + 7.
    transpose_bits(&mut planes);
    transpose_bytes(&mut planes);
    for (q, row) in planes.into_iter().enumerate() {
        let mut words = [0; 8];
        row.store(&mut words);
        for (a, word) in words.into_iter().enumerate() {
            bytes[64 * a + 8 * q..][..8].copy_from_slice(&word.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Backend;
    use crate::arch::vector::{Machine, VectorKernel};
    use std::vec::Vec;

    fn words(count: usize, seed: u64) -> Vec<u64> {
        let mut state = seed;
        let mut word = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 31
        };
        (0..count).map(|_| word()).collect()
    }

    struct Split<'a>(&'a [u64], usize);
    impl VectorKernel for Split<'_> {
        type Output = Vec<Plane>;
        #[inline(always)]
        fn run<M: Machine>(self) -> Vec<Plane> {
            // What lies in the buffers from before changes nothing.
            let (mut groups, mut planes) = ([[u64::MAX; 8]; 200], [[[u64::MAX; 8]; 64]; 3]);
            planes.as_flattened_mut().as_flattened_mut()[..self.0.len()].copy_from_slice(self.0);
            from_records::<M::Block>(self.1, &mut groups, &mut planes);
            planes.as_flattened()[..self.1].to_vec()
        }
    }

    #[test]
    fn planes_hold_the_bits_of_the_records() {
        for record in [1, 3, 63, 64, 65, 73, 81, 128, 129, 150, 191, 192] {
            let words = words(8 * record, record as u64);
            for backend in Backend::available() {
                let planes = backend.run_in_vectors(Split(&words, record));
                for lane in 0..BATCH {
                    for (i, plane) in planes.iter().enumerate() {
                        let at = lane * record + i;
                        let want = words[at / 64] >> (at % 64) & 1;
                        assert_eq!(
                            plane[lane / 64] >> (lane % 64) & 1,
                            want,
                            "{backend}, {record}, lane {lane}, bit {i}"
                        );
                    }
                }
            }
        }
    }

    struct Join<'a>(&'a [Plane; 8]);
    impl VectorKernel for Join<'_> {
        type Output = [u8; BATCH];
        #[inline(always)]
        fn run<M: Machine>(self) -> [u8; BATCH] {
            let mut bytes = [0; BATCH];
            to_bytes(&self.0.map(|plane| M::Block::load(&plane)), &mut bytes);
            bytes
        }
    }

    #[test]
    fn bytes_have_the_bits_of_the_planes() {
        let words = words(64, 9);
        let planes: [Plane; 8] = core::array::from_fn(|i| core::array::from_fn(|a| words[8 * i + a]));
        for backend in Backend::available() {
            for (lane, byte) in backend.run_in_vectors(Join(&planes)).into_iter().enumerate() {
                let want = (0..8).fold(0, |sum, i| sum | (planes[i][lane / 64] >> (lane % 64) & 1) << i);
                assert_eq!(u64::from(byte), want, "{backend}, lane {lane}");
            }
        }
    }
}
