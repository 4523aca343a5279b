//! Inversion of a cumulative table in bit planes: constant time for 512 samples at once.

use super::RegisterKernel;
use super::planes::{Aligned, BATCH, Plane, from_records, to_bytes};
use super::register::Register;
use core::mem::MaybeUninit;

/// The most thresholds: the index is a positive `i16`.
pub(crate) const MAX_THRESHOLDS: usize = i16::MAX as usize;
/// The most words that 512 records take.
pub(crate) const MAX_WORDS: usize = 8 * 257;
/// Thresholds that are compared together.
const GROUP: usize = 8;
/// Bits of a step of the comparison.
pub(super) const STEP: usize = 4;

/// Where a step's bits v of u are below k, for k = 0 … 16.
type Below = Aligned<[Plane; (1 << STEP) + 1]>;

/// For each of a number of batches of 512 records (u, sign) the number of thresholds above u, negated if the sign is 1.
///
/// A record is `precision` bits of u, least significant first, and with `signed` one bit for the
/// sign. The digits are those of a table: the leading digits of T_1 >= T_2 >= … in `heads`,
/// left-aligned, then ⌈precision/32⌉ - 1 digits for each in `tails`.
///
/// No branch, index or address depends on `words`.
pub(crate) struct Inversion<'a> {
    /// 8·(precision + signed) words for each batch.
    pub(crate) words: &'a [u64],
    /// 1 to [`MAX_THRESHOLDS`] digits.
    pub(crate) heads: &'a [u32],
    pub(crate) tails: &'a [u32],
    /// 1 to 256.
    pub(crate) precision: usize,
    pub(crate) signed: bool,
    pub(crate) out: &'a mut [[i16; BATCH]],
}

/// The digits of the thresholds T_(first+1) … T_(first+8), the least significant first, and how many steps the
/// largest of them takes below its leading zeros; T is 0 beyond the table. There are `more` tails to a head.
#[inline(always)]
fn group(heads: &[u32], tails: &[u32], more: usize, first: usize) -> ([[u32; GROUP]; 8], usize) {
    let mut columns = [[0; GROUP]; 8];
    for (j, head) in heads[first..].iter().take(GROUP).enumerate() {
        columns[more & 7][j] = *head;
        for (column, digit) in columns.iter_mut().zip(tails[(first + j) * more..][..more].iter().rev()) {
            column[j] = *digit;
        }
    }
    let leading = columns.iter().rposition(|column| column[0] != 0);
    (columns, leading.map_or(0, |d| 8 * d + columns[d & 7][0].ilog2() as usize / STEP + 1))
}

/// Where v < k for the number v that these planes are the bits of, least significant first.
///
/// With v = 4h + l: v < 4a + b where h < a, or h <= a and l < b.
#[inline(always)]
pub(super) fn below<V: Register>(bits: [V; STEP]) -> [V; (1 << STEP) + 1] {
    let (low, high) = (below_four(bits[0], bits[1]), below_four(bits[2], bits[3]));
    let mut below = [V::splat(u64::MAX); (1 << STEP) + 1];
    for a in 0..4 {
        below[4 * a] = high[a];
        for b in 1..4 {
            below[4 * a + b] = high[a].or(high[a + 1].and(low[b]));
        }
    }
    below
}

/// Where the number of these two bits is below 0, 1, 2, 3 and 4.
#[inline(always)]
fn below_four<V: Register>(bit0: V, bit1: V) -> [V; 5] {
    let (not0, not1) = (bit0.not(), bit1.not());
    [V::splat(0), not1.and(not0), not1, not1.or(not0), V::splat(u64::MAX)]
}

/// Where u < T for the group's thresholds, from the steps of u and those of T from place `at` on.
///
/// Step by step from the least significant, with the steps' bits v of u and t of T: less ← v < t, or v <= t and less.
#[inline(always)]
fn compare<V: Register>(steps: &[Below], at: usize, digits: &[[u32; GROUP]; 8], less: &mut [V; GROUP]) {
    // Half a group fits the registers of AVX2, too.
    for half in [0, GROUP / 2] {
        let mut part = [V::splat(0); GROUP / 2];
        for (i, Aligned(below)) in (at..).zip(steps) {
            let (column, shift) = (&digits[i / 8 % 8][half..][..GROUP / 2], (i % 8 * STEP) as u32);
            for (digit, less) in column.iter().zip(&mut part) {
                let t = (digit >> shift) as usize % (1 << STEP);
                *less = V::load(&below[t]).or(V::load(&below[t + 1]).and(*less));
            }
        }
        less[half..][..GROUP / 2].copy_from_slice(&part);
    }
}

impl RegisterKernel for Inversion<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Register>(self) {
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
    fn invert<V: Register, const N: usize>(self) {
        let record = self.precision + usize::from(self.signed);
        let (mut groups, mut planes) = (Aligned([[[0; 8]; 64]; N]), Aligned([[[0; 8]; 64]; N]));
        let mut steps = [const { [const { MaybeUninit::<Below>::uninit() }; 16] }; N];
        let Inversion { words, heads, tails, precision, signed, out } = self;
        for (words, out) in words.chunks_exact(8 * record).zip(out) {
            from_records::<V, N>(words, record, record, &mut groups.0, &mut planes.0);
            let (u, rest) = planes.0.as_flattened().split_at(precision);
            let steps = write_steps::<V>(u, steps.as_flattened_mut());
            let mut count = count::<V>(steps, precision, heads, tails);
            if signed {
                negate(&mut count, V::load(&rest[0]));
            }
            write_numbers::<V>(&count, heads.len(), out);
        }
    }
}

/// The steps of u, which the planes are the bits of, least significant first. They are counted in the digits of the
/// thresholds, whose last one is filled up with zeros: a step of these alone is left out.
#[inline(always)]
fn write_steps<'a, V: Register>(u: &[Plane], steps: &'a mut [MaybeUninit<Below>]) -> &'a [Below] {
    let padding = padding(u.len());
    let steps = &mut steps[..(padding % STEP + u.len()) / STEP];
    for (i, step) in steps.iter_mut().enumerate() {
        let mut bits = [V::splat(0); STEP];
        for (k, bit) in bits.iter_mut().enumerate() {
            if let Some(plane) = u.get((STEP * i + k).wrapping_sub(padding % STEP)) {
                *bit = V::load(plane);
            }
        }
        let Aligned(planes) = step.write(Aligned([[0; 8]; (1 << STEP) + 1]));
        for (plane, below) in planes.iter_mut().zip(below(bits)) {
            below.store(plane);
        }
    }
    // SAFETY: all of them have just been written.
    unsafe { core::slice::from_raw_parts(steps.as_ptr().cast::<Below>(), steps.len()) }
}

/// The zeros below the last bit of a threshold's digits.
#[inline(always)]
const fn padding(precision: usize) -> usize {
    32 * precision.div_ceil(32) - precision
}

/// The bits of #{j : u < T_j}, for the steps of u.
#[inline(always)]
fn count<V: Register>(steps: &[Below], precision: usize, heads: &[u32], tails: &[u32]) -> [V; 16] {
    // As the T fall, u < T_j is a thermometer: bit k of its height is the parity of the outcomes at the multiples of 2^k.
    let mut count = [V::splat(0); 16];
    let least = padding(precision) / STEP;
    // Where u is zero in the steps from `top` on, as are the thresholds to come.
    let (mut zeros, mut top) = (V::splat(u64::MAX), steps.len());
    for first in (0..heads.len()).step_by(GROUP) {
        let (digits, used) = group(heads, tails, precision.div_ceil(32) - 1, first);
        let used = used.saturating_sub(least);
        while top > used {
            top -= 1;
            zeros = zeros.and(V::load(&steps[top].0[1]));
        }
        let mut b = [V::splat(0); GROUP];
        compare(&steps[..used], least, &digits, &mut b);
        for less in &mut b {
            *less = less.and(zeros);
        }
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
    count
}

/// Two's complement: (x ⊕ s) + s.
#[inline(always)]
fn negate<V: Register>(number: &mut [V; 16], sign: V) {
    let mut carry = sign;
    for bit in number {
        let flipped = bit.xor(sign);
        *bit = flipped.xor(carry);
        carry = carry.and(flipped);
    }
}

/// The numbers that the planes are the bits of; they are from -n to n.
#[inline(always)]
fn write_numbers<V: Register>(bits: &[V; 16], n: usize, out: &mut [i16; BATCH]) {
    let (mut lows, mut highs) = ([0; BATCH], [0; BATCH]);
    to_bytes::<V>(&bits[..8], &mut lows);
    if n < 128 {
        for (out, low) in out.iter_mut().zip(lows) {
            *out = i16::from(low.cast_signed());
        }
    } else {
        to_bytes::<V>(&bits[8..], &mut highs);
        for ((out, low), high) in out.iter_mut().zip(lows).zip(highs) {
            *out = i16::from_le_bytes([low, high]);
        }
    }
}
