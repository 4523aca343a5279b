//! The trials of [`Strips::trial`] in registers, four of them at a time.
//!
//! The search for the strip takes 16 bits of a trial. One register holds these bits of four registers: register q's in
//! the lanes' bits 16q … 16q + 15.

use super::trial::{BLOCK, COEFFICIENTS, Envelope, KEYS, MARGIN, MAX_SHIFT, SHORT, Strips, Trials};
use crate::arch::vector::WordVector;

/// Registers of trials whose strips are found together.
pub(super) const TURNS: usize = 4;

/// An [`Envelope`] in registers.
#[derive(Clone, Copy)]
pub(super) struct EnvelopeLanes<V: WordVector> {
    keys: [V; KEYS - 2],
    table: V::Table16,
    ones: V,
    pub(super) heights: V::Table8,
}

impl<V: WordVector> EnvelopeLanes<V> {
    #[inline(always)]
    pub(super) fn new(envelope: &Envelope) -> Self {
        let mut keys = [V::splat(0); KEYS - 2];
        for (key, number) in keys.iter_mut().zip(&envelope.keys) {
            *key = V::splat16(*number);
        }
        let (table, heights) = (V::table16(&envelope.keys), V::table8(&envelope.heights));
        EnvelopeLanes { keys, table, ones: V::splat16(envelope.ones), heights }
    }

    /// z0 and the strip's lower end, each by 16 bits, of the leading 16 bits of these words.
    #[inline(always)]
    pub(super) fn strip(&self, words: [V; TURNS]) -> (V, V) {
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
}

/// [`Envelope::height`], of the table of the envelope's heights.
#[inline(always)]
pub(super) fn heights<V: WordVector, const G: usize>(table: V::Table8, exponent: [V; G]) -> [V; G] {
    let zero = V::splat(0);
    // exp2_neg
    let halves = [zero.low(); G];
    let (mut high, mut low) = (halves, halves);
    let (mut m, mut height) = ([zero; G], [zero; G]);
    for q in 0..G {
        high[q] = exponent[q].shr(23).and(V::splat(0x7fff_ffff)).low();
        low[q] = exponent[q].shl(9).low();
        m[q] = V::splat(SHORT[1]).minus(V::product(V::splat(SHORT[2]).low(), high[q]).shr(37));
    }
    for q in 0..G {
        m[q] = V::splat(SHORT[0]).minus(V::product(m[q].low(), high[q]).shr(37));
    }
    for q in 0..G {
        m[q] = V::splat(COEFFICIENTS[4]).minus(V::product(m[q].low(), high[q]).shr(20));
    }
    for coefficient in COEFFICIENTS.iter().rev().skip(1) {
        for q in 0..G {
            let top = m[q].high();
            let cross = V::product(top, low[q]).plus(V::product(m[q].low(), high[q])).shr(32);
            // `cross` is the last to come.
            m[q] = V::splat(*coefficient).minus(V::product(top, high[q])).made().minus(cross);
        }
    }
    for q in 0..G {
        let (height_high, height_low) = exponent[q].shr(54).look_up8(table);
        let top = m[q].high();
        let cross = V::product(top, height_low).plus(V::product(m[q].low(), height_high)).shr(30);
        height[q] = V::product(top, height_high).shl(2).plus(cross);
    }
    height
}

/// The constants that all trials of a law share, in registers.
#[derive(Clone, Copy)]
struct Shared<V: WordVector> {
    enclosing: EnvelopeLanes<V>,
    shift: V::Count,
    mask: V,
    inner: V::Count,
    rest_shift: V::Count,
    place: V::Count,
    square: [V::Half; 2],
    square_shifts: [V::Count; 2],
    slope: [V; 2],
    offset: [V; 2],
}

impl<V: WordVector> Shared<V> {
    #[inline(always)]
    fn new(strips: &Strips) -> Self {
        let shift = strips.envelope.shift;
        let square = V::splat(strips.square);
        let [below, above] = strips.offsets;
        Shared {
            enclosing: EnvelopeLanes::new(&strips.envelope),
            shift: V::places(shift),
            mask: V::splat((1 << shift) - 1),
            inner: V::places(strips.inner),
            rest_shift: V::places(strips.inner + 1),
            place: V::places(MAX_SHIFT - shift),
            square: [square.high(), square.low()],
            square_shifts: [V::places(4 - strips.scale), V::places(28 + strips.scale)],
            // The upper side, and what is to be added for the lower.
            slope: [V::splat(above.0), V::splat(below.0.wrapping_sub(above.0))],
            offset: [V::splat(above.1), V::splat(below.1.wrapping_sub(above.1))],
        }
    }

    /// Returns the values, in the low halves, and the masks of the trials accepted and close. The arguments are the
    /// words, strips z0, and lower ends, in the lanes' lowest 16 bits.
    #[inline(always)]
    fn trials<const G: usize>(&self, words: [V; G], lows: [V; G], z0: [V; G], base: [V; G]) -> ([V; G], u32, u32) {
        let zero = V::splat(0);
        let (mut values, mut rest) = ([zero; G], [zero; G]);
        let (mut exponent, mut goal) = ([zero; G], [zero; G]);
        for q in 0..G {
            rest[q] = words[q].minus(base[q].shl(48)).shr_by(self.rest_shift);
            let x = z0[q].and(V::splat(0xffff)).shl_by(self.shift).or(lows[q].and(self.mask));
            // 0 for the upper side, all ones for the lower: z = x + 1 or -x.
            let lower = words[q].shr_by(self.inner).and(V::splat(1)).minus(V::splat(1));
            values[q] = x.xor(lower).plus(V::splat(1));
            let x = x.shl_by(self.place).low();
            let slope = V::product(self.square[0], x).shl_by(self.square_shifts[0]);
            let slope = slope.plus(V::product(self.square[1], x).shr_by(self.square_shifts[1]));
            let slope = slope.plus(self.slope[0]).plus(self.slope[1].and(lower));
            let product = V::product(slope.high(), x).shl(4).plus(V::product(slope.low(), x).shr(28));
            exponent[q] = product.plus(self.offset[0]).plus(self.offset[1].and(lower));
        }
        let height = heights(self.enclosing.heights, exponent);
        for q in 0..G {
            goal[q] = height[q].shr_each(exponent[q].shr(57));
        }
        let (mut below, mut close) = (0, 0);
        for q in 0..G {
            let margin = goal[q].shr(MARGIN).plus(V::splat(1));
            below |= rest[q].plus(margin).is_below(goal[q]) << (q * V::WORDS);
            close |= rest[q].is_below(goal[q].plus(margin).plus(V::splat(1))) << (q * V::WORDS);
        }
        (values, below, close & !below)
    }
}

/// [`Trials`] in these registers.
#[inline(always)]
pub(super) fn run<V: WordVector>(trials: Trials<'_>) {
    match V::TOGETHER {
        2 => run_by::<V, 2>(trials),
        _ => run_by::<V, 4>(trials),
    }
}

/// The same, G registers at a time, of the [`TURNS`] whose strips are found together.
#[inline(always)]
fn run_by<V: WordVector, const G: usize>(trials: Trials<'_>) {
    let shared = Shared::<V>::new(trials.strips);
    let Trials { words, lows, values, below, close, .. } = trials;
    // Where the words have all of u they stand for what would follow them.
    let lows = if lows.is_empty() { words } else { lows };
    for (((words, lows), values), (below, close)) in words.iter().zip(lows).zip(values).zip(below.iter_mut().zip(close))
    {
        (*below, *close) = block::<V, G>(&shared, words, lows, values);
    }
}

#[inline(always)]
fn block<V: WordVector, const G: usize>(
    shared: &Shared<V>,
    words: &[u64; BLOCK],
    lows: &[u64; BLOCK],
    values: &mut [i32; BLOCK],
) -> (u32, u32) {
    let (mut below, mut close) = (0, 0);
    for part in (0..BLOCK).step_by(TURNS * V::WORDS) {
        let load = |numbers: &[u64; BLOCK], q: usize| V::load(&numbers[part + q * V::WORDS..]);
        let (mut z0, mut base) =
            shared.enclosing.strip([load(words, 0), load(words, 1), load(words, 2), load(words, 3)]);
        for first in (0..TURNS).step_by(G) {
            let (mut word, mut low) = ([V::splat(0); G], [V::splat(0); G]);
            let (mut z0s, mut bases) = ([V::splat(0); G], [V::splat(0); G]);
            for q in 0..G {
                (word[q], low[q]) = (load(words, first + q), load(lows, first + q));
                (z0s[q], bases[q]) = (z0, base);
                (z0, base) = (z0.shr(16), base.shr(16));
            }
            let (value, is_below, is_close) = shared.trials(word, low, z0s, bases);
            let at = part + first * V::WORDS;
            V::store_low(value, &mut values[at..]);
            below |= is_below << at;
            close |= is_close << at;
        }
    }
    (below, close)
}
