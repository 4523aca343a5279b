//! AES by bit operations alone: no table, no branch and no address depends on key or data.
//!
//! Papers: [FIPS197]; the S-box is the circuit of [BP10], 32 ANDs in GF(2^4) towers. Rounds without ShiftRows are after
//! [AP21].
//!
//! Four blocks are eight words, word i the bits i of their 64 bytes. The byte in row r and column c of block b is bit
//! 16r + 4c + b. So the rows below are rotations by 16, and the columns to the right rotations by 4 within each 16
//! bits.
//!
//! ShiftRows is left out: the state before round n's MixColumns is held with its rows shifted back n times. SubBytes
//! does not see that. MixColumns takes each row below from n columns further on. The round keys are shifted back as
//! well. After 14 rounds, or 10, ShiftRows is made up for twice, 14 mod 4.

use super::expansion::{RoundKeys, expanded_with};
use samplez_core::arch::{Backend, Kernel};
use zeroize::Zeroize;

/// The round keys, shifted back, with each bit four times for the four blocks.
pub(crate) type Planes<const N: usize> = [[u64; 8]; N];

/// Four blocks.
type Four = [[u8; 16]; 4];

/// Encrypts `L` times four blocks.
struct Encrypt<'a, const N: usize, const L: usize> {
    keys: &'a Planes<N>,
    blocks: &'a mut [Four; L],
}

impl<const N: usize, const L: usize> Kernel for Encrypt<'_, N, L> {
    type Output = ();

    // The innermost loops are over the L: the compiler makes vectors of them.
    #[inline(always)]
    fn run(self) {
        let mut planes = [[0; L]; 8];
        for (l, four) in self.blocks.iter().enumerate() {
            for (plane, word) in planes.iter_mut().zip(sliced(four)) {
                plane[l] = word;
            }
        }
        const { assert!(N % 4 == 3, "10 and 14 rounds leave the rows shifted back twice") };
        each(
            &mut planes,
            #[inline(always)]
            |state| added(state, &self.keys[0]),
        );
        for n in 1..N - 1 {
            let (near, far) = (Below::new(1, n as u32), Below::new(2, 2 * n as u32));
            each(
                &mut planes,
                #[inline(always)]
                |state| added(mixed(substituted(state), near, far), &self.keys[n]),
            );
        }
        each(
            &mut planes,
            #[inline(always)]
            |state| added(substituted(state), &self.keys[N - 1]).map(shifted_twice),
        );
        for (l, four) in self.blocks.iter_mut().enumerate() {
            *four = unsliced(planes.map(|plane| plane[l]));
        }
        planes.zeroize();
    }
}

/// Applies a function of eight words to each of L.
#[inline(always)]
fn each<const L: usize>(planes: &mut [[u64; L]; 8], f: impl Fn([u64; 8]) -> [u64; 8]) {
    for l in 0..L {
        let state = f(planes.each_ref().map(|plane| plane[l]));
        for (plane, word) in planes.iter_mut().zip(state) {
            plane[l] = word;
        }
    }
}

/// AddRoundKey.
#[inline(always)]
fn added(state: [u64; 8], key: &[u64; 8]) -> [u64; 8] {
    core::array::from_fn(|i| state[i] ^ key[i])
}

/// So many rows down and columns to the right.
#[derive(Clone, Copy)]
struct Below {
    rows: u32,
    shift: u32,
    /// Where the shift keeps a bit within its 16.
    mask: u64,
}

impl Below {
    #[inline(always)]
    fn new(rows: u32, columns: u32) -> Self {
        let shift = 4 * (columns % 4);
        Below { rows, shift, mask: (0xffff >> shift) * 0x0001_0001_0001_0001 }
    }

    #[inline(always)]
    fn of(self, x: u64) -> u64 {
        let x = x.rotate_right(16 * self.rows);
        (x >> self.shift & self.mask) | (x << (16 - self.shift) & !self.mask)
    }
}

/// MixColumns: 2a + 3a' + a'' + a''' = 2(a + a') + a' + (a + a')'', where a' is a byte below.
#[inline(always)]
fn mixed(state: [u64; 8], near: Below, far: Below) -> [u64; 8] {
    let below = state.map(|x| near.of(x));
    let [s0, s1, s2, s3, s4, s5, s6, s7]: [u64; 8] = core::array::from_fn(|i| state[i] ^ below[i]);
    // 2x = x·X modulo X^8 + X^4 + X^3 + X + 1
    let doubled = [s7, s0 ^ s7, s1, s2 ^ s7, s3 ^ s7, s4, s5, s6];
    let sums = [s0, s1, s2, s3, s4, s5, s6, s7];
    core::array::from_fn(|i| doubled[i] ^ below[i] ^ far.of(sums[i]))
}

/// Rows 1 and 3 by two columns, row 2 by four: ShiftRows twice.
#[inline(always)]
fn shifted_twice(x: u64) -> u64 {
    const LOW: u64 = 0x00ff_0000_00ff_0000;
    (x & !(LOW | LOW << 8)) | (x >> 8 & LOW) | (x & LOW) << 8
}

/// SubBytes: the straight-line program of [BP10] with its names; `x0` is the highest bit.
#[inline(always)]
fn substituted([x7, x6, x5, x4, x3, x2, x1, x0]: [u64; 8]) -> [u64; 8] {
    // the top linear transformation
    let y14 = x3 ^ x5;
    let y13 = x0 ^ x6;
    let y9 = x0 ^ x3;
    let y8 = x0 ^ x5;
    let t0 = x1 ^ x2;
    let y1 = t0 ^ x7;
    let y4 = y1 ^ x3;
    let y12 = y13 ^ y14;
    let y2 = y1 ^ x0;
    let y5 = y1 ^ x6;
    let y3 = y5 ^ y8;
    let t1 = x4 ^ y12;
    let y15 = t1 ^ x5;
    let y20 = t1 ^ x1;
    let y6 = y15 ^ x7;
    let y10 = y15 ^ t0;
    let y11 = y20 ^ y9;
    let y7 = x7 ^ y11;
    let y17 = y10 ^ y11;
    let y19 = y10 ^ y8;
    let y16 = t0 ^ y11;
    let y21 = y13 ^ y16;
    let y18 = x0 ^ y16;
    // the middle: inversion
    let t2 = y12 & y15;
    let t3 = y3 & y6;
    let t4 = t3 ^ t2;
    let t5 = y4 & x7;
    let t6 = t5 ^ t2;
    let t7 = y13 & y16;
    let t8 = y5 & y1;
    let t9 = t8 ^ t7;
    let t10 = y2 & y7;
    let t11 = t10 ^ t7;
    let t12 = y9 & y11;
    let t13 = y14 & y17;
    let t14 = t13 ^ t12;
    let t15 = y8 & y10;
    let t16 = t15 ^ t12;
    let t17 = t4 ^ t14;
    let t18 = t6 ^ t16;
    let t19 = t9 ^ t14;
    let t20 = t11 ^ t16;
    let t21 = t17 ^ y20;
    let t22 = t18 ^ y19;
    let t23 = t19 ^ y21;
    let t24 = t20 ^ y18;
    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t28 = t25 & t27;
    let t29 = t28 ^ t22;
    let t30 = t23 ^ t24;
    let t31 = t22 ^ t26;
    let t32 = t31 & t30;
    let t33 = t32 ^ t24;
    let t34 = t23 ^ t33;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = t36 ^ t34;
    let t38 = t27 ^ t36;
    let t39 = t29 & t38;
    let t40 = t25 ^ t39;
    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;
    let z0 = t44 & y15;
    let z1 = t37 & y6;
    let z2 = t33 & x7;
    let z3 = t43 & y16;
    let z4 = t40 & y1;
    let z5 = t29 & y7;
    let z6 = t42 & y11;
    let z7 = t45 & y17;
    let z8 = t41 & y10;
    let z9 = t44 & y12;
    let z10 = t37 & y3;
    let z11 = t33 & y4;
    let z12 = t43 & y13;
    let z13 = t40 & y5;
    let z14 = t29 & y2;
    let z15 = t42 & y9;
    let z16 = t45 & y14;
    let z17 = t41 & y8;
    // the bottom linear transformation
    let t46 = z15 ^ z16;
    let t47 = z10 ^ z11;
    let t48 = z5 ^ z13;
    let t49 = z9 ^ z10;
    let t50 = z2 ^ z12;
    let t51 = z2 ^ z5;
    let t52 = z7 ^ z8;
    let t53 = z0 ^ z3;
    let t54 = z6 ^ z7;
    let t55 = z16 ^ z17;
    let t56 = z12 ^ t48;
    let t57 = t50 ^ t53;
    let t58 = z4 ^ t46;
    let t59 = z3 ^ t54;
    let t60 = t46 ^ t57;
    let t61 = z14 ^ t57;
    let t62 = t52 ^ t58;
    let t63 = t49 ^ t58;
    let t64 = z4 ^ t59;
    let t65 = t61 ^ t62;
    let t66 = z1 ^ t63;
    let s0 = t59 ^ t63;
    let s6 = t56 ^ !t62;
    let s7 = t48 ^ !t60;
    let t67 = t64 ^ t65;
    let s3 = t53 ^ t66;
    let s4 = t51 ^ t66;
    let s5 = t47 ^ t65;
    let s1 = t64 ^ !s3;
    let s2 = t55 ^ !t67;
    [s7, s6, s5, s4, s3, s2, s1, s0]
}

/// Exchanges bit j of word i with bit i of each byte's word j, for i and j up to 7: its own inverse.
#[inline(always)]
fn transposed(mut words: [u64; 8]) -> [u64; 8] {
    for (distance, mask) in [(1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0f0f_0f0f_0f0f_0f0f)] {
        for i in (0..8).filter(|i| i & distance == 0) {
            let differing = (words[i] >> distance ^ words[i + distance]) & mask;
            words[i] ^= differing << distance;
            words[i + distance] ^= differing;
        }
    }
    words
}

/// The bytes of a column, each in the lower half of 16 bits.
#[inline(always)]
fn spread(column: u32) -> u64 {
    let x = u64::from(column);
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// The column of which [`spread`] is the lower half of each 16 bits.
#[inline(always)]
fn gathered(x: u64) -> u32 {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) as u32
}

/// The eight words of four blocks. Byte 2r + h of word 4g + b, before the transposition, is row r, column
/// 2h + g of block b.
#[inline(always)]
fn sliced(four: &Four) -> [u64; 8] {
    let mut words = [0; 8];
    for (b, block) in four.iter().enumerate() {
        let columns: [u32; 4] = core::array::from_fn(|c| u32::from_le_bytes(block.as_chunks().0[c]));
        words[b] = spread(columns[0]) | spread(columns[2]) << 8;
        words[4 + b] = spread(columns[1]) | spread(columns[3]) << 8;
    }
    transposed(words)
}

/// The four blocks of eight words.
#[inline(always)]
fn unsliced(state: [u64; 8]) -> Four {
    let words = transposed(state);
    core::array::from_fn(|b| {
        let columns = [words[b], words[4 + b], words[b] >> 8, words[4 + b] >> 8].map(gathered);
        let mut block = [0; 16];
        for (bytes, column) in block.as_chunks_mut().0.iter_mut().zip(columns) {
            *bytes = column.to_le_bytes();
        }
        block
    })
}

/// SubWord, on the four bytes of a word.
fn substituted_word(word: u32) -> u32 {
    let mut four = [[0; 16]; 4];
    four[0][..4].copy_from_slice(&word.to_le_bytes());
    u32::from_le_bytes(unsliced(substituted(sliced(&four)))[0].as_chunks().0[0])
}

/// KeyExpansion by bit operations; a key of 4·(N - 7) bytes.
pub(crate) fn expanded<const N: usize>(key: &[u8]) -> RoundKeys<N> {
    expanded_with(key, substituted_word)
}

/// The round keys as [`Encrypt`] takes them.
pub(crate) fn planes<const N: usize>(keys: &RoundKeys<N>) -> Planes<N> {
    let mut planes = [[0; 8]; N];
    for (n, (plane, key)) in planes.iter_mut().zip(keys).enumerate() {
        // Row r of the state before MixColumns stands n·r columns to the right of where it is added.
        let mut block = [0; 16];
        for (at, byte) in block.iter_mut().enumerate() {
            let (row, column) = (at % 4, at / 4);
            *byte = key[(column + 4 - n * row % 4) % 4].to_le_bytes()[row];
        }
        *plane = sliced(&[block; 4]);
        block.zeroize();
    }
    planes
}

/// The encryptions of `counter`, `counter` + 1, … mod 2^128 as big-endian blocks; the last is cut off where `out` ends.
pub(crate) fn keystream<const N: usize>(keys: &Planes<N>, mut counter: u128, mut out: &mut [u8]) {
    while !out.is_empty() {
        // As many blocks at a time as the vectors hold, but for short ends.
        counter =
            if out.len() > 128 { step::<N, 8>(keys, counter, &mut out) } else { step::<N, 1>(keys, counter, &mut out) };
    }
}

/// The next 4·L blocks of keystream, or as much as `out` takes of them; returns the counter after them.
fn step<const N: usize, const L: usize>(keys: &Planes<N>, counter: u128, out: &mut &mut [u8]) -> u128 {
    let mut blocks = [[[0; 16]; 4]; L];
    let mut next = counter;
    for block in blocks.as_flattened_mut() {
        *block = next.to_be_bytes();
        next = next.wrapping_add(1);
    }
    Backend::current().run(Encrypt { keys, blocks: &mut blocks });
    let bytes = blocks.as_flattened().as_flattened();
    let len = bytes.len().min(out.len());
    let (now, later) = core::mem::take(out).split_at_mut(len);
    now.copy_from_slice(&bytes[..now.len()]);
    *out = later;
    blocks.zeroize();
    next
}

/// One block encrypted.
pub(crate) fn encrypt<const N: usize>(keys: &Planes<N>, block: &mut [u8; 16]) {
    let mut blocks = [[*block, [0; 16], [0; 16], [0; 16]]];
    Backend::current().run(Encrypt { keys, blocks: &mut blocks });
    *block = blocks[0][0];
    blocks.zeroize();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// The product in GF(2^8), by its definition.
    fn product(a: u8, b: u8) -> u8 {
        (0..8).rev().fold(0, |sum: u8, i| {
            let doubled = sum << 1 ^ if sum & 0x80 != 0 { 0x1b } else { 0 };
            doubled ^ if b >> i & 1 != 0 { a } else { 0 }
        })
    }

    /// FIPS 197, 5.1.1: the inverse, then the affine map.
    #[test]
    fn the_circuit_is_the_s_box() {
        for x in 0..=255_u8 {
            let inverse = (0..=255).find(|y| product(x, *y) == 1).unwrap_or(0);
            let affine = (0..5).fold(0x63, |sum, i| sum ^ inverse.rotate_left(i));
            let word = substituted_word(u32::from_le_bytes([x; 4]));
            assert_eq!(word.to_le_bytes(), [affine; 4], "{x:#x}");
        }
    }

    #[test]
    fn slicing_has_the_order_that_is_described() {
        for at in 0..64 {
            for bit in 0..8 {
                let mut four = [[0; 16]; 4];
                four[at / 16][at % 16] = 1 << bit;
                let (row, column, block) = (at % 4, at % 16 / 4, at / 16);
                let mut words = [0; 8];
                words[bit] = 1 << (16 * row + 4 * column + block);
                assert_eq!(sliced(&four), words);
                assert_eq!(unsliced(words), four);
            }
        }
    }

    fn bytes<const N: usize>(words: [u32; N]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    /// Appendices A.1 and A.3, the last words.
    #[test]
    fn the_key_expansion() {
        let key = bytes([0x2b7e_1516, 0x28ae_d2a6, 0xabf7_1588, 0x09cf_4f3c]);
        let last = bytes([0xd014_f9a8, 0xc9ee_2589, 0xe13f_0cc8, 0xb663_0ca6]);
        assert_eq!(expanded::<11>(&key)[10].map(u32::to_le_bytes).as_flattened(), last);
        let key =
            [0x603d_eb10, 0x15ca_71be, 0x2b73_aef0, 0x857d_7781, 0x1f35_2c07, 0x3b61_08d7, 0x2d98_10a3, 0x0914_dff4];
        let last = bytes([0xfe48_90d1, 0xe618_8d0b, 0x046d_f344, 0x706c_631e]);
        assert_eq!(expanded::<15>(&bytes(key))[14].map(u32::to_le_bytes).as_flattened(), last);
    }

    #[test]
    fn every_backend_and_width_encrypts_alike() {
        let keys = planes::<15>(&core::array::from_fn(|i| [0x0103_0709 * (i * i) as u32; 4]));
        let blocks: [Four; 8] = core::array::from_fn(|l| core::array::from_fn(|b| [(l * 29 + b * 101) as u8; 16]));
        let one_by_one: Vec<Four> = blocks
            .iter()
            .map(|four| {
                let mut four = [*four];
                Encrypt { keys: &keys, blocks: &mut four }.run();
                four[0]
            })
            .collect();
        for backend in Backend::available() {
            let mut together = blocks;
            backend.run(Encrypt { keys: &keys, blocks: &mut together });
            assert_eq!(together[..], one_by_one, "{backend}");
        }
    }
}
