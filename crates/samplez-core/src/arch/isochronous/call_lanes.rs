//! The trials of [`Envelope::trial`] in registers, four of them at a time.

use super::calls::CallTrials;
use super::lanes::{EnvelopeLanes, Lanes, TURNS};
use super::trial::{BLOCK, Envelope, MAX_SHIFT};

/// What the trials of all calls share, in registers.
#[derive(Clone, Copy)]
struct Shared<V: Lanes> {
    enclosing: EnvelopeLanes<V>,
    shift: V::Count,
    mask: V,
    place: V::Count,
    tilt: V::Count,
    level: V::Count,
}

/// The product of numbers below 2^63 in units of 2^64, less that of the low halves: by the halves.
#[inline(always)]
fn product<V: Lanes>([high, low]: [V::Half; 2], [above, below]: [V::Half; 2]) -> V {
    V::product(high, above).plus(V::product(high, below).plus(V::product(low, above)).shr(32))
}

/// The fields of calls, in registers.
#[derive(Clone, Copy)]
struct Calls<V> {
    fraction: V,
    square: V,
    lift: V,
}

impl<V: Lanes> Shared<V> {
    #[inline(always)]
    fn new(envelope: &Envelope) -> Self {
        Shared {
            enclosing: EnvelopeLanes::new(envelope),
            shift: V::places(envelope.shift),
            mask: V::splat((1 << envelope.shift) - 1),
            place: V::places(MAX_SHIFT - envelope.shift),
            tilt: V::places(envelope.shift + 2),
            level: V::places(2 * envelope.shift + 6),
        }
    }

    /// The values, in the low halves, and the masks of the trials below and at their goals, of these words, strips z0, and
    /// lower ends, in the lanes' lowest 16 bits.
    #[inline(always)]
    fn trials<const G: usize>(
        &self,
        calls: [Calls<V>; G],
        words: [V; G],
        lows: [V; G],
        z0: [V; G],
        base: [V; G],
    ) -> ([V; G], u32, u32) {
        let zero = V::splat(0);
        let (mut values, mut rest) = ([zero; G], [zero; G]);
        let (mut exponent, mut fine) = ([zero; G], [zero; G]);
        for q in 0..G {
            let Calls { fraction, square, lift } = calls[q];
            rest[q] = words[q].minus(base[q].shl(48)).shr(1);
            let x = z0[q].and(V::splat(0xffff)).shl_by(self.shift).or(lows[q].and(self.mask));
            // 0 for the upper side, all ones for the lower: z = x + 1 or -x.
            let lower = words[q].and(V::splat(1)).minus(V::splat(1));
            values[q] = x.xor(lower).plus(V::splat(1));
            let o = fraction.xor(lower).xor(V::splat(u64::MAX)).shr(1);
            let (square, o) = ([square.high(), square.low()], [o.high(), o.low()]);
            let tilt: V = product(square, o);
            let level: V = product([tilt.high(), tilt.low()], o);
            let x = x.shl_by(self.place).low();
            let slope = V::product(square[0], x).shl(3).plus(V::product(square[1], x).shr(29));
            let slope = slope.plus(tilt.shr_by(self.tilt));
            let steep = V::product(slope.high(), x).shl(3).plus(V::product(slope.low(), x).shr(29));
            exponent[q] = steep.plus(level.shr_by(self.level)).plus(lift);
            fine[q] = exponent[q].shl(2);
        }
        let height = self.enclosing.heights(fine);
        let (mut below, mut equal) = (0, 0);
        for q in 0..G {
            // 64 places or more, where there are 128 or more: they are below 512.
            let s = exponent[q].shr(55);
            let far = s.shr(1).or(s.shr(2)).and(V::splat(64));
            let goal = height[q].shr_each(s.and(V::splat(127)).or(far));
            below |= rest[q].is_below(goal) << (q * V::LANES);
            equal |= rest[q].is_equal(goal) << (q * V::LANES);
        }
        (values, below, equal)
    }
}

/// [`CallTrials`] in these registers, G of them at a time, of the [`TURNS`] whose strips are found together.
#[inline(always)]
pub(super) fn run<V: Lanes, const G: usize>(trials: CallTrials<'_>) {
    let CallTrials { envelope, words, lows, fractions, squares, lifts, values, below, equal } = trials;
    let shared = Shared::<V>::new(envelope);
    for b in 0..words.len() {
        let (words, lows) = (&words[b], lows.get(b).unwrap_or(&words[b]));
        let (fractions, squares, lifts, values) = (&fractions[b], &squares[b], &lifts[b], &mut values[b]);
        (below[b], equal[b]) = (0, 0);
        for part in (0..BLOCK).step_by(TURNS * V::LANES) {
            let zero = V::splat(0);
            let mut all = [zero; TURNS];
            for (q, word) in all.iter_mut().enumerate() {
                *word = V::load(&words[part + q * V::LANES..]);
            }
            let (mut z0, mut base) = shared.enclosing.strip(all);
            for first in (0..TURNS).step_by(G) {
                let (mut word, mut low) = ([zero; G], [zero; G]);
                let (mut z0s, mut bases) = ([zero; G], [zero; G]);
                let mut calls = [Calls { fraction: zero, square: zero, lift: zero }; G];
                for q in 0..G {
                    let at = part + (first + q) * V::LANES;
                    (word[q], low[q]) = (V::load(&words[at..]), V::load(&lows[at..]));
                    let (fraction, square) = (V::load(&fractions[at..]), V::load(&squares[at..]));
                    calls[q] = Calls { fraction, square, lift: V::load(&lifts[at..]) };
                    (z0s[q], bases[q]) = (z0, base);
                    (z0, base) = (z0.shr(16), base.shr(16));
                }
                let (value, is_below, is_equal) = shared.trials(calls, word, low, z0s, bases);
                let at = part + first * V::LANES;
                V::store_low(value, &mut values[at..]);
                below[b] |= is_below << at;
                equal[b] |= is_equal << at;
            }
        }
    }
}
