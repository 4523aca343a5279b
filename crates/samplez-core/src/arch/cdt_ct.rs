//! Inversion of a cumulative table in bit planes: constant time for 512 samples at once.

use super::planes::{Aligned, BATCH, Plane, from_records, to_bytes};
use super::vector::{Machine, Vector, VectorKernel};
use zeroize::Zeroize;

/// The most thresholds: the index is a positive `i16`.
pub(crate) const MAX_THRESHOLDS: usize = i16::MAX as usize;
/// Limbs of 64 bits of the longest record.
const LIMBS: usize = 257_usize.div_ceil(64);
/// Thresholds that are compared together.
const GROUP: usize = 8;
/// Thresholds that wait for the next limb of u, at most.
const CHUNK: usize = 128;
/// Bits of a step of the comparison.
pub(super) const STEP: usize = 4;
/// Steps of a limb.
const STEPS: usize = 64 / STEP;

/// Where a step's bits v of u are below k, for k = 0 … 16.
type Below = [Plane; (1 << STEP) + 1];

/// Planes of the steps of a limb, and behind them of outcomes.
const WORK: usize = STEPS * ((1 << STEP) + 1) + CHUNK;

/// The buffers of an inversion, 46 KB, erased when they are dropped.
pub(crate) struct Scratch {
    /// The words of the records, then their planes.
    planes: Aligned<[[Plane; 64]; LIMBS]>,
    /// The words by groups of lanes, then the steps of a limb and outcomes.
    work: Aligned<[Plane; WORK]>,
    /// How many planes of each have been in use.
    dirty: (usize, usize),
}

impl Scratch {
    /// A constant where it is used: its parts made there one by one, it may take the stack twice.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Scratch { planes: Aligned([[[0; 8]; 64]; LIMBS]), work: Aligned([[0; 8]; WORK]), dirty: (0, 0) }
    }

    /// Where the words of the records belong before each inversion: 8·(precision + signed) of them.
    pub(crate) fn words(&mut self) -> &mut [u64] {
        self.planes.0.as_flattened_mut().as_flattened_mut()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.planes.0.as_flattened_mut()[..self.dirty.0].as_flattened_mut().zeroize();
        self.work.0[..self.dirty.1].as_flattened_mut().zeroize();
    }
}

/// For each of 512 records (u, sign) the number of thresholds above u, negated if the sign is 1.
///
/// A record is `precision` bits of u, least significant first, and with `signed` one bit for the
/// sign. The digits are those of a table: the leading digits of T_1 >= T_2 >= … in `heads`,
/// left-aligned, then ⌈precision/32⌉ - 1 digits for each in `tails`.
///
/// No branch, index or address depends on the records.
pub(crate) struct Inversion<'a> {
    /// With the records' [words](Scratch::words), which are lost.
    pub(crate) scratch: &'a mut Scratch,
    /// 1 to [`MAX_THRESHOLDS`] digits.
    pub(crate) heads: &'a [u32],
    pub(crate) tails: &'a [u32],
    /// 1 to 256.
    pub(crate) precision: usize,
    pub(crate) signed: bool,
    pub(crate) out: &'a mut [i16; BATCH],
}

impl VectorKernel for Inversion<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        self.run_in::<M::Block>();
    }
}

impl Inversion<'_> {
    #[inline(always)]
    fn run_in<V: Vector>(self) {
        let Inversion { scratch, heads, tails, precision, signed, out } = self;
        let record = precision + usize::from(signed);
        let outcomes = heads.len().min(CHUNK).next_multiple_of(GROUP);
        scratch.dirty = (record.next_multiple_of(64), WORK - CHUNK + outcomes);
        let (Aligned(planes), Aligned(work)) = (&mut scratch.planes, &mut scratch.work);
        from_records::<V>(record, work, planes);
        let (u, rest) = planes.as_flattened().split_at(precision);
        let mut count = count::<V>(u, heads, tails, work);
        if signed {
            negate(&mut count, V::load(&rest[0]));
        }
        write_numbers::<V>(&count, heads.len(), out);
    }
}

/// The thresholds of a table, by limbs of 64 bits from the least significant on, filled up with zeros below.
struct Thresholds<'a> {
    heads: &'a [u32],
    tails: &'a [u32],
    /// Digits of a threshold.
    digits: usize,
}

impl Thresholds<'_> {
    /// Digit d of T_(j+1), from the least significant on; 0 beyond the threshold and beyond the table.
    #[inline(always)]
    fn digit(&self, j: usize, d: usize) -> u64 {
        let digit = match (self.digits - 1).checked_sub(d) {
            Some(0) => self.heads.get(j),
            Some(above) => self.tails.get(j * (self.digits - 1) + above - 1),
            None => None,
        };
        digit.copied().unwrap_or(0).into()
    }

    /// This limb of T_(first+1) … T_(first+8), and how many of its steps the largest of them takes below its leading zeros.
    #[inline(always)]
    fn group(&self, first: usize, limb: usize) -> ([u64; GROUP], usize) {
        let mut group = [0; GROUP];
        for (j, threshold) in (first..).zip(&mut group) {
            *threshold = self.digit(j, 2 * limb) | self.digit(j, 2 * limb + 1) << 32;
        }
        let is_long = (2 * limb + 2..self.digits).any(|d| self.digit(first, d) != 0);
        let used = if is_long { STEPS } else { (64 - group[0].leading_zeros() as usize).div_ceil(STEP) };
        (group, used)
    }
}

/// Where v < k for the number v that these planes are the bits of, least significant first.
///
/// With v = 4h + l: v < 4a + b where h < a, or h <= a and l < b.
#[inline(always)]
pub(super) fn below<V: Vector>(bits: [V; STEP]) -> [V; (1 << STEP) + 1] {
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
fn below_four<V: Vector>(bit0: V, bit1: V) -> [V; 5] {
    let (not0, not1) = (bit0.not(), bit1.not());
    [V::splat(0), not1.and(not0), not1, not1.or(not0), V::splat(u64::MAX)]
}

/// Returns the lanes in which u < T for the group's thresholds over the limbs so far. The steps are those of this limb up to the thresholds'
/// leading zeros, where u is zero too in `zeros`. `less` has the outcomes over the limbs below.
///
/// Goes step by step from the least significant. With the steps' bits v of u and t of T, it sets less ← v < t, or v <=
/// t and less.
#[inline(always)]
fn compare<V: Vector>(steps: &[Below], least: usize, group: &[u64; GROUP], zeros: V, less: &mut [Plane; GROUP]) {
    // Half a group fits the registers of AVX2, too.
    for (group, less) in group.as_chunks::<4>().0.iter().zip(less.as_chunks_mut::<4>().0) {
        let mut part = [V::splat(0); 4];
        for (part, less) in part.iter_mut().zip(&*less) {
            *part = V::load(less);
        }
        for (i, below) in steps.iter().enumerate().skip(least) {
            for (threshold, part) in group.iter().zip(&mut part) {
                let t = (threshold >> (STEP * i)) as usize % (1 << STEP);
                *part = V::load(&below[t]).or(V::load(&below[t + 1]).and(*part));
            }
        }
        for (part, less) in part.into_iter().zip(less) {
            part.and(zeros).store(less);
        }
    }
}

/// Writes the steps of this limb of u, whose bits the planes are, least significant first. They go from the first one
/// that has a bit of u to the one past the last. They are counted in the limbs of the thresholds, whose least one is
/// filled up with zeros.
#[inline(always)]
fn write_steps<V: Vector>(u: &[Plane], limb: usize, steps: &mut [Below]) -> (usize, usize) {
    let digits = u.len().div_ceil(32);
    let padding = 32 * digits - u.len();
    let least = if limb == 0 { padding / STEP } else { 0 };
    let end = STEPS.min(32 * (digits - 2 * limb) / STEP);
    for (i, below_step) in steps.iter_mut().enumerate().take(end).skip(least) {
        let mut bits = [V::splat(0); STEP];
        for (k, bit) in bits.iter_mut().enumerate() {
            if let Some(plane) = u.get((64 * limb + STEP * i + k).wrapping_sub(padding)) {
                *bit = V::load(plane);
            }
        }
        for (plane, below) in below_step.iter_mut().zip(below(bits)) {
            below.store(plane);
        }
    }
    (least, end)
}

/// The bits of #{j : u < T_j}, for the planes of u.
#[inline(always)]
fn count<V: Vector>(u: &[Plane], heads: &[u32], tails: &[u32], work: &mut [Plane; WORK]) -> [V; 16] {
    let thresholds = Thresholds { heads, tails, digits: u.len().div_ceil(32) };
    let (steps, outcomes) = work.split_at_mut(WORK - CHUNK);
    let (steps, outcomes) = (steps.as_chunks_mut().0, outcomes.as_chunks_mut::<GROUP>().0);
    let mut count = [V::splat(0); 16];
    for first in (0..heads.len()).step_by(CHUNK) {
        let groups = CHUNK.min(heads.len() - first).div_ceil(GROUP);
        let outcomes = &mut outcomes[..groups];
        outcomes.fill([[0; 8]; GROUP]);
        for limb in 0..thresholds.digits.div_ceil(2) {
            let (least, mut top) = write_steps::<V>(u, limb, steps);
            // Where u is zero in the limb's steps from `top` on, as are the thresholds to come.
            let mut zeros = V::splat(u64::MAX);
            for (first, less) in (first..).step_by(GROUP).zip(&mut *outcomes) {
                let (group, used) = thresholds.group(first, limb);
                while top > used.max(least) {
                    top -= 1;
                    zeros = zeros.and(V::load(&steps[top][1]));
                }
                compare(&steps[..top], least, &group, zeros, less);
            }
        }
        for (g, less) in (first / GROUP..).zip(&*outcomes) {
            add(&mut count, g, less);
        }
    }
    count
}

/// Adds the outcomes of a group, the one with this number, to the bits of the count.
///
/// As the T fall, u < T_j is a thermometer: bit k of its height is the parity of the outcomes at the multiples of 2^k.
#[inline(always)]
fn add<V: Vector>(count: &mut [V; 16], group: usize, less: &[Plane; GROUP]) {
    let mut b = [V::splat(0); GROUP];
    for (b, less) in b.iter_mut().zip(less) {
        *b = V::load(less);
    }
    let odd = b[1].xor(b[3]).xor(b[5].xor(b[7]));
    let even = b[0].xor(b[2]).xor(b[4].xor(b[6]));
    count[0] = count[0].xor(odd).xor(even);
    count[1] = count[1].xor(odd);
    count[2] = count[2].xor(b[3]).xor(b[7]);
    // T_(8·group+8) is at a multiple of 8·2^z.
    let z = (group + 1).trailing_zeros() as usize;
    for count in &mut count[3..=3 + z] {
        *count = count.xor(b[7]);
    }
}

/// Two's complement: (x ⊕ s) + s.
#[inline(always)]
fn negate<V: Vector>(number: &mut [V; 16], sign: V) {
    let mut carry = sign;
    for bit in number {
        let flipped = bit.xor(sign);
        *bit = flipped.xor(carry);
        carry = carry.and(flipped);
    }
}

/// The numbers that the planes are the bits of; they are from -n to n.
#[inline(always)]
fn write_numbers<V: Vector>(bits: &[V; 16], n: usize, out: &mut [i16; BATCH]) {
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
