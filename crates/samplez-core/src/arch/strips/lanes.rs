//! The trials of [`Strips::trial`] in registers, four of them at a time.
//!
//! The search for the strip takes 16 bits of a trial: those of four registers lie in one, register q's in the lanes'
//! bits 16q … 16q + 15.

use super::trial::{BLOCK, COEFFICIENTS, KEYS, MAX_SHIFT, SHORT, Strips, Trials};

/// Registers of trials that take turns.
const TURNS: usize = 4;

/// A register of words.
pub(super) trait Lanes: Copy {
    /// How many words; 4 or 8.
    const LANES: usize;
    /// A table of 16 numbers of 16 bits.
    type Table16: Copy;
    /// A table of 8 words.
    type Table8: Copy;
    /// The first words.
    fn load(words: &[u64]) -> Self;
    /// This word everywhere.
    fn splat(word: u64) -> Self;
    /// a & b.
    fn and(self, other: Self) -> Self;
    /// a | b.
    fn or(self, other: Self) -> Self;
    /// a ^ b.
    fn xor(self, other: Self) -> Self;
    /// a + b.
    fn plus(self, other: Self) -> Self;
    /// a - b.
    fn minus(self, other: Self) -> Self;
    /// The products of the low halves.
    fn times(self, other: Self) -> Self;
    /// Shifted left by a constant below 64.
    fn shl(self, n: u32) -> Self;
    /// Shifted right by a constant below 64.
    fn shr(self, n: u32) -> Self;
    /// Each shifted left, by 64 or more to zero.
    fn shl_by(self, n: Self) -> Self;
    /// Each shifted right, by 64 or more to zero.
    fn shr_by(self, n: Self) -> Self;
    /// Of 16-bit lanes: a - b, or 0.
    fn minus_saturating16(self, other: Self) -> Self;
    /// Of 16-bit lanes: the lesser.
    fn min16(self, other: Self) -> Self;
    /// Of 16-bit lanes: one more where `key` is above `number`.
    fn count_above16(self, key: Self, number: Self) -> Self;
    /// A table.
    fn table16(entries: &[u16; KEYS]) -> Self::Table16;
    /// Of 16-bit lanes: the entries at these indices.
    fn look_up16(self, table: Self::Table16) -> Self;
    /// A table.
    fn table8(entries: &[u64; 8]) -> Self::Table8;
    /// The entries at the indices in the lowest 3 bits: in the low halves their high halves, and their low halves.
    fn look_up8(self, table: Self::Table8) -> (Self, Self);
    /// A bit for each lane: a < b, both below 2^63.
    fn is_below(self, other: Self) -> u32;
    /// A bit for each lane: a = b.
    fn is_equal(self, other: Self) -> u32;
    /// The lanes' low halves, one register's after the other's.
    fn store_low(registers: [Self; TURNS], out: &mut [i32]);

    /// This number in the 16-bit lanes.
    #[inline(always)]
    fn splat16(number: u16) -> Self {
        Self::splat(u64::from(number) * 0x0001_0001_0001_0001)
    }
}

/// What all trials share, in registers.
#[derive(Clone, Copy)]
struct Shared<V: Lanes> {
    keys: [V; KEYS - 2],
    table: V::Table16,
    ones: V,
    shift: V,
    mask: V,
    inner: V,
    rest_shift: V,
    place: V,
    square: [V; 2],
    square_shifts: [V; 2],
    slope: [V; 2],
    offset: [V; 2],
    heights: V::Table8,
}

impl<V: Lanes> Shared<V> {
    #[inline(always)]
    fn new(strips: &Strips) -> Self {
        let mut keys = [V::splat(0); KEYS - 2];
        for (key, number) in keys.iter_mut().zip(&strips.keys) {
            *key = V::splat16(*number);
        }
        let count = |n: u32| V::splat(n.into());
        let [below, above] = strips.offsets;
        Shared {
            keys,
            table: V::table16(&strips.keys),
            ones: V::splat16(strips.ones),
            shift: count(strips.shift),
            mask: V::splat((1 << strips.shift) - 1),
            inner: count(strips.inner),
            rest_shift: count(strips.inner + 1),
            place: count(MAX_SHIFT - strips.shift),
            square: [V::splat(strips.square >> 32), V::splat(strips.square)],
            square_shifts: [count(4 - strips.scale), count(28 + strips.scale)],
            // The upper side, and what is to be added for the lower.
            slope: [V::splat(above.0), V::splat(below.0.wrapping_sub(above.0))],
            offset: [V::splat(above.1), V::splat(below.1.wrapping_sub(above.1))],
            heights: V::table8(&strips.heights),
        }
    }

    /// z0 and the strip's lower end, each by 16 bits, of the leading 16 bits of these words.
    #[inline(always)]
    fn strip(&self, words: [V; TURNS]) -> (V, V) {
        let part = |q: usize| V::splat(0xffff << (16 * q));
        let h = words[0].shr(48).or(words[1].shr(32).and(part(1)));
        let h = h.or(words[2].shr(16).and(part(2))).or(words[3].and(part(3)));
        let excess = h.minus_saturating16(self.ones);
        let mut count = V::splat(0);
        for key in self.keys {
            count = count.count_above16(key, excess);
        }
        // The sums are below 2^16, lane by lane.
        let base = h.min16(self.ones).plus(count.look_up16(self.table));
        (count.plus(self.ones.minus_saturating16(h)), base)
    }

    /// The values, in the low halves, and the masks of the trials below and at their goals.
    #[inline(always)]
    fn trials(&self, words: [V; TURNS], lows: [V; TURNS]) -> ([V; TURNS], u32, u32) {
        let zero = V::splat(0);
        let (z0, base) = self.strip(words);
        let (mut values, mut rest) = ([zero; TURNS], [zero; TURNS]);
        let (mut exponent, mut goal) = ([zero; TURNS], [zero; TURNS]);
        for q in 0..TURNS {
            let end = base.shl(16 * (3 - q as u32)).and(V::splat(0xffff << 48));
            rest[q] = words[q].minus(end).shr_by(self.rest_shift);
            let z0 = z0.shr(16 * q as u32).and(V::splat(0xffff));
            let x = z0.shl_by(self.shift).or(lows[q].and(self.mask));
            // 0 for the upper side, all ones for the lower: z = x + 1 or -x.
            let lower = words[q].shr_by(self.inner).and(V::splat(1)).minus(V::splat(1));
            values[q] = x.xor(lower).plus(V::splat(1));
            let x = x.shl_by(self.place);
            let slope = self.square[0].times(x).shl_by(self.square_shifts[0]);
            let slope = slope.plus(self.square[1].times(x).shr_by(self.square_shifts[1]));
            let slope = slope.plus(self.slope[0]).plus(self.slope[1].and(lower));
            let product = slope.shr(32).times(x).shl(4).plus(slope.times(x).shr(28));
            exponent[q] = product.plus(self.offset[0]).plus(self.offset[1].and(lower));
        }
        // exp2_neg
        let (mut high, mut m) = ([zero; TURNS], [zero; TURNS]);
        for q in 0..TURNS {
            high[q] = exponent[q].shr(23).and(V::splat(0x7fff_ffff));
            m[q] = V::splat(SHORT[1]).minus(V::splat(SHORT[2]).times(high[q]).shr(37));
        }
        for q in 0..TURNS {
            m[q] = V::splat(SHORT[0]).minus(m[q].times(high[q]).shr(37));
        }
        for q in 0..TURNS {
            m[q] = V::splat(COEFFICIENTS[4]).minus(m[q].times(high[q]).shr(20));
        }
        for coefficient in COEFFICIENTS.iter().rev().skip(1) {
            for q in 0..TURNS {
                let top = m[q].shr(32);
                let cross = top.times(exponent[q].shl(9)).plus(m[q].times(high[q])).shr(32);
                m[q] = V::splat(*coefficient).minus(top.times(high[q])).minus(cross);
            }
        }
        for q in 0..TURNS {
            let (height_high, height_low) = exponent[q].shr(54).look_up8(self.heights);
            let top = m[q].shr(32);
            let cross = top.times(height_low).plus(m[q].times(height_high)).shr(30);
            goal[q] = top.times(height_high).shl(2).plus(cross).shr_by(exponent[q].shr(57));
        }
        let (mut below, mut equal) = (0, 0);
        for q in 0..TURNS {
            below |= rest[q].is_below(goal[q]) << (q * V::LANES);
            equal |= rest[q].is_equal(goal[q]) << (q * V::LANES);
        }
        (values, below, equal)
    }
}

/// [`Trials`] in these registers.
#[inline(always)]
pub(super) fn run<V: Lanes>(trials: Trials<'_>) {
    let shared = Shared::<V>::new(trials.strips);
    let Trials { words, lows, values, below, equal, .. } = trials;
    let blocks = words.iter().zip(values).zip(below.iter_mut().zip(equal));
    if lows.is_empty() {
        for ((words, values), (below, equal)) in blocks {
            (*below, *equal) = block(&shared, words, words, values);
        }
    } else {
        for (((words, values), (below, equal)), lows) in blocks.zip(lows) {
            (*below, *equal) = block(&shared, words, lows, values);
        }
    }
}

#[inline(always)]
fn block<V: Lanes>(
    shared: &Shared<V>,
    words: &[u64; BLOCK],
    lows: &[u64; BLOCK],
    values: &mut [i32; BLOCK],
) -> (u32, u32) {
    let (mut below, mut equal) = (0, 0);
    let step = TURNS * V::LANES;
    for part in 0..BLOCK / step {
        let at = part * step;
        let (mut word, mut low) = ([V::splat(0); TURNS], [V::splat(0); TURNS]);
        for q in 0..TURNS {
            word[q] = V::load(&words[at + q * V::LANES..]);
            low[q] = V::load(&lows[at + q * V::LANES..]);
        }
        let (value, is_below, is_equal) = shared.trials(word, low);
        V::store_low(value, &mut values[at..]);
        below |= is_below << at;
        equal |= is_equal << at;
    }
    (below, equal)
}
