//! The trials of [`Envelope::trial`] in registers, four of them at a time.

use super::calls::{Call, CallTrials, Search};
use super::lanes::{EnvelopeLanes, TURNS, heights};
use super::trial::{BLOCK, CALL_MARGIN, MAX_SHIFT};
use crate::arch::vector::WordVector;

/// The constants that the trials of all calls share, in registers.
#[derive(Clone, Copy)]
struct Shared<V: WordVector> {
    heights: V::Table8,
    shift: V::Count,
    mask: V,
    place: V::Count,
    tilt: V::Count,
    level: V::Count,
}

/// The product of numbers below 2^63 in units of 2^64, less that of the low halves: by the halves.
#[inline(always)]
fn product<V: WordVector>([high, low]: [V::Half; 2], [above, below]: [V::Half; 2]) -> V {
    V::product(high, above).plus(V::product(high, below).plus(V::product(low, above)).shr(32))
}

/// The fields of calls, in registers.
#[derive(Clone, Copy)]
struct Calls<V> {
    fraction: V,
    square: V,
    lift: V,
}

impl<V: WordVector> Shared<V> {
    #[inline(always)]
    fn new(heights: V::Table8, shift: u32) -> Self {
        Shared {
            heights,
            shift: V::places(shift),
            mask: V::splat((1 << shift) - 1),
            place: V::places(MAX_SHIFT - shift),
            tilt: V::places(shift + 2),
            level: V::places(2 * shift + 6),
        }
    }

    /// Returns the values, in the low halves, and the masks of the trials accepted and close. The arguments are the
    /// words, strips z0, and lower ends, in the lanes' lowest 16 bits.
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
            // All ones for the upper side, 0 for the lower: z = x + 1 or -x.
            let upper = zero.minus(words[q].and(V::splat(1)));
            values[q] = zero.minus(x.xor(upper));
            let o = fraction.xor(upper).shr(1);
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
        let height = heights(self.heights, fine);
        let (mut below, mut close) = (0, 0);
        for q in 0..G {
            let goal = height[q].shr_any(exponent[q].shr(55));
            let margin = goal.shr(CALL_MARGIN).plus(V::splat(1));
            below |= rest[q].plus(margin).is_below(goal) << (q * V::WORDS);
            close |= rest[q].is_below(goal.plus(margin).plus(V::splat(1))) << (q * V::WORDS);
        }
        (values, below, close & !below)
    }
}

/// z0 and the strip's lower end in the lanes' lowest 16 bits, by four keys at a time in each lane.
#[inline(always)]
fn strips<V: WordVector>(search: &Search, words: V) -> (V, V) {
    let ones = V::splat(search.ones).and(V::splat(0xffff));
    let h = words.shr(48);
    let excess = h.minus_saturating16(ones);
    let four = excess.or(excess.shl(32));
    // As signed numbers, which the keys are.
    let four = four.or(four.shl(16)).xor(V::splat16(1 << 15));
    let (mut count, mut rest) = (V::splat(0), V::splat(u64::MAX));
    for keys in search.signed.map(V::splat) {
        count = count.count_above_signed16(keys, four);
        // From a threshold above, 2^16 are borrowed: more than from any below.
        rest = rest.min16(four.minus16(keys));
    }
    // The sum and the least of a lane's four; there is no carry, as the counts are 15 in all.
    let (count, rest) = (count.plus(count.shr(32)), rest.min16(rest.shr(32)));
    let (count, rest) = (count.plus(count.shr(16)), rest.min16(rest.shr(16)));
    (count.plus(ones.minus_saturating16(h)), h.minus(rest))
}

/// The place of the first trial of a round that is accepted or close, as [`Round::run`](super::calls::Round::run) has it, and
/// the values of all. K = 2^`shift`.
#[inline(always)]
pub(super) fn first<V: WordVector>(search: &Search, shift: u32, call: &Call, words: V, lows: V) -> (V, (u32, u32)) {
    let shared = Shared::<V>::new(V::halves8(&search.heights), shift);
    let (z0, base) = strips(search, words);
    let call = Calls { fraction: V::splat(call.fraction), square: V::splat(call.square), lift: V::splat(call.lift) };
    let ([values], below, close) = shared.trials([call], [words], [lows], [z0], [base]);
    let open = below | close;
    let first = open & open.wrapping_neg();
    (values, (first, first & close))
}

/// [`CallTrials`] in these registers, G of them at a time, of the [`TURNS`] whose strips are found together.
#[inline(always)]
pub(super) fn run<V: WordVector, const G: usize>(trials: CallTrials<'_>) {
    let CallTrials { envelope, words, lows, fractions, squares, lifts, values, below, close } = trials;
    let enclosing = EnvelopeLanes::<V>::new(envelope);
    let shared = Shared::<V>::new(enclosing.heights, envelope.shift);
    for b in 0..words.len() {
        let (words, lows) = (&words[b], lows.get(b).unwrap_or(&words[b]));
        let (fractions, squares, lifts, values) = (&fractions[b], &squares[b], &lifts[b], &mut values[b]);
        (below[b], close[b]) = (0, 0);
        for part in (0..BLOCK).step_by(TURNS * V::WORDS) {
            let zero = V::splat(0);
            let mut all = [zero; TURNS];
            for (q, word) in all.iter_mut().enumerate() {
                *word = V::load(&words[part + q * V::WORDS..]);
            }
            let (mut z0, mut base) = enclosing.strip(all);
            for first in (0..TURNS).step_by(G) {
                let (mut word, mut low) = ([zero; G], [zero; G]);
                let (mut z0s, mut bases) = ([zero; G], [zero; G]);
                let mut calls = [Calls { fraction: zero, square: zero, lift: zero }; G];
                for q in 0..G {
                    let at = part + (first + q) * V::WORDS;
                    (word[q], low[q]) = (V::load(&words[at..]), V::load(&lows[at..]));
                    let (fraction, square) = (V::load(&fractions[at..]), V::load(&squares[at..]));
                    calls[q] = Calls { fraction, square, lift: V::load(&lifts[at..]) };
                    (z0s[q], bases[q]) = (z0, base);
                    (z0, base) = (z0.shr(16), base.shr(16));
                }
                let (value, is_below, is_close) = shared.trials(calls, word, low, z0s, bases);
                let at = part + first * V::WORDS;
                V::store_low(value, &mut values[at..]);
                below[b] |= is_below << at;
                close[b] |= is_close << at;
            }
        }
    }
}
