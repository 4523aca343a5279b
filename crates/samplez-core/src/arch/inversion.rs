//! Inversion of a cumulative table in bit planes: constant time for 512 samples at once.

use super::WideKernel;
use super::planes::{LANES, Plane, from_records, to_bytes};
use super::wide::Wide;

/// The most thresholds: the index is a positive `i16`.
pub(crate) const MAX_THRESHOLDS: usize = i16::MAX as usize;
/// The most words that 512 records take.
pub(crate) const MAX_WORDS: usize = 8 * 257;
/// Thresholds that are compared together.
const GROUP: usize = 8;

/// The masks of eight bits: word j is all ones where bit j of the index is 1. Indexed by the
/// bits of the table, which are public.
static MASKS: [[u64; GROUP]; 256] = {
    let mut masks = [[0; GROUP]; 256];
    let mut index = 0;
    while index < 256 {
        let mut j = 0;
        while j < GROUP {
            masks[index][j] = (index as u64 >> j & 1).wrapping_neg();
            j += 1;
        }
        index += 1;
    }
    masks
};

/// For 512 records (u, sign) the number of thresholds above u, negated if the sign is 1.
///
/// A record is `precision` bits of u, least significant first, and with `signed` one bit for the
/// sign. The digits are those of a table: the leading digits of T_1 >= T_2 >= … in `heads`,
/// left-aligned, then ⌈precision/32⌉ - 1 digits for each in `tails`.
///
/// No branch, index or address depends on `words`.
pub(crate) struct Inversion<'a> {
    /// 8·(precision + signed) words.
    pub(crate) words: &'a [u64],
    /// 1 to [`MAX_THRESHOLDS`] digits.
    pub(crate) heads: &'a [u32],
    pub(crate) tails: &'a [u32],
    /// 1 to 256.
    pub(crate) precision: usize,
    pub(crate) signed: bool,
    pub(crate) out: &'a mut [i16; LANES],
}

impl Inversion<'_> {
    /// How many bits the thresholds of the group of `first` have below their common leading
    /// zeros, and bit by bit their left-aligned digits, least significant first: bit j of byte i
    /// is bit i of T_(first+j+1)·2^padding, where the padding fills the last digit.
    #[inline(always)]
    fn group(&self, first: usize, padding: usize) -> (usize, [u8; 256]) {
        let digits = self.precision.div_ceil(32);
        let more = digits - 1;
        let mut columns = [[0; GROUP]; 8];
        for (j, head) in self.heads[first..].iter().take(GROUP).enumerate() {
            columns[0][j] = *head;
            for (column, digit) in columns[1..].iter_mut().zip(&self.tails[(first + j) * more..][..more]) {
                column[j] = *digit;
            }
        }
        let mut used = 0;
        let mut bytes = [0; 256];
        for (column, bytes) in columns[..digits].iter().rev().zip(bytes.as_chunks_mut::<32>().0) {
            for (eight, byte_column) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(byte_columns(column)) {
                *eight = transpose(byte_column).to_le_bytes();
            }
        }
        for (d, column) in columns[..digits].iter().rev().enumerate() {
            if column[0] != 0 {
                used = 32 * d + column[0].ilog2() as usize + 1 - padding;
            }
        }
        (used, bytes)
    }
}

/// Byte p of the eight digits, in the order of the digits, for p = 0 … 3.
#[inline(always)]
fn byte_columns(digits: &[u32; GROUP]) -> [u64; 4] {
    // Digits 0 … 3 in the lower halves, 4 … 7 in the upper ones: two transpositions at once.
    let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(|j| u64::from(digits[j]) | u64::from(digits[j + 4]) << 32);
    (a, c) = exchange(a, c, 16, 0x0000_ffff_0000_ffff);
    (b, d) = exchange(b, d, 16, 0x0000_ffff_0000_ffff);
    (a, b) = exchange(a, b, 8, 0x00ff_00ff_00ff_00ff);
    (c, d) = exchange(c, d, 8, 0x00ff_00ff_00ff_00ff);
    [a, b, c, d]
}

#[inline(always)]
const fn exchange(a: u64, b: u64, shift: u32, mask: u64) -> (u64, u64) {
    (a & mask | (b & mask) << shift, a >> shift & mask | b & !mask)
}

/// Transposes a matrix of 8 × 8 bits, a row in each byte.
#[inline(always)]
const fn transpose(mut x: u64) -> u64 {
    let t = (x ^ x >> 7) & 0x00aa_00aa_00aa_00aa;
    x ^= t ^ t << 7;
    let t = (x ^ x >> 14) & 0x0000_cccc_0000_cccc;
    x ^= t ^ t << 14;
    let t = (x ^ x >> 28) & 0x0000_0000_f0f0_f0f0;
    x ^ t ^ t << 28
}

/// Where u < T_(first+j+1), for the group's `bytes` and the planes of ¬u: with the bits from the
/// least significant up, below ← t ? (¬u ∨ below) : (¬u ∧ below), the majority of ¬u, below and t.
#[inline(always)]
fn compare<V: Wide>(bytes: &[u8], not_u: &[Plane]) -> [V; GROUP] {
    let mut below = [V::splat(0); GROUP];
    // Half a group, its planes and its masks fit the registers of AVX2, too.
    for half in [0, GROUP / 2] {
        let mut part = [V::splat(0); GROUP / 2];
        for (byte, plane) in bytes.iter().zip(not_u) {
            let (masks, not_u) = (&MASKS[usize::from(*byte)], V::load(plane));
            for (j, below) in part.iter_mut().enumerate() {
                *below = not_u.majority(*below, V::splat(masks[half + j]));
            }
        }
        below[half..][..GROUP / 2].copy_from_slice(&part);
    }
    below
}

impl WideKernel for Inversion<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Wide>(self) {
        // As few planes as hold a record: they stay in the nearest cache, and are cleared each time.
        match self.precision {
            // WebAssembly is downloaded: there the code is not made for 2.
            #[cfg(not(target_arch = "wasm32"))]
            ..=126 => self.invert::<V, 2>(),
            ..=190 => self.invert::<V, 3>(),
            _ => self.invert::<V, 5>(),
        }
    }
}

impl Inversion<'_> {
    /// The computation in N limbs of 64 planes; a record is below 64 N.
    #[inline(always)]
    fn invert<V: Wide, const N: usize>(self) {
        let (precision, signs) = (self.precision, usize::from(self.signed));
        let mut planes = [[[0; 8]; 64]; N];
        from_records::<V, N>(self.words, precision + signs, precision + signs, &mut planes);
        let planes = planes.as_flattened_mut();
        let (u, rest) = planes.split_at_mut(precision);
        for plane in u.iter_mut() {
            V::load(plane).not().store(plane);
        }
        // The bits of #{j : u < T_j}. As the T fall, u < T_j is a thermometer: bit k of its height
        // is the parity of the outcomes at the multiples of 2^k.
        let mut count = [V::splat(0); 16];
        // Where the bits of u from `top` on are all zero, as those of the thresholds to come.
        let (mut zeros, mut top) = (V::splat(u64::MAX), precision);
        let padding = 32 * precision.div_ceil(32) - precision;
        for first in (0..self.heads.len()).step_by(GROUP) {
            let (used, bytes) = self.group(first, padding);
            while top > used {
                top -= 1;
                zeros = zeros.and(V::load(&u[top]));
            }
            let b = compare::<V>(&bytes[padding..][..used], &u[..used]).map(|below| below.and(zeros));
            let odd = b[1].xor(b[3]).xor(b[5].xor(b[7]));
            let even = b[0].xor(b[2]).xor(b[4].xor(b[6]));
            count[0] = count[0].xor(odd).xor(even);
            count[1] = count[1].xor(odd);
            count[2] = count[2].xor(b[3]).xor(b[7]);
            // T_(first+8) is at a multiple of 8·2^z.
            let z = (first / GROUP + 1).trailing_zeros() as usize;
            for count in &mut count[3..=3 + z] {
                *count = count.xor(b[7]);
            }
        }
        // Two's complement: (x ⊕ s) + s.
        let sign = if self.signed { V::load(&rest[0]) } else { V::splat(0) };
        let mut carry = sign;
        for bit in &mut count {
            let flipped = bit.xor(sign);
            *bit = flipped.xor(carry);
            carry = carry.and(flipped);
        }
        let [low, high] = [0, 8].map(|at| core::array::from_fn(|i| count[at + i]));
        let (mut lows, mut highs) = ([0; LANES], [0; LANES]);
        to_bytes::<V>(low, &mut lows);
        if self.heads.len() < 128 {
            for (out, low) in self.out.iter_mut().zip(lows) {
                *out = i16::from(low.cast_signed());
            }
        } else {
            to_bytes::<V>(high, &mut highs);
            for ((out, low), high) in self.out.iter_mut().zip(lows).zip(highs) {
                *out = i16::from_le_bytes([low, high]);
            }
        }
    }
}
