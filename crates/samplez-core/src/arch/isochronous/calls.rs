//! A trial of a call by one word, with a centre and a width of its own: the portable implementation, which is the
//! specification.

use super::trial::{BLOCK, CALL_MARGIN, Envelope, KEYS, MAX_SHIFT, Trial, mask, multiple, product, shifted};

/// A trial's constants of a call: c = K²·log2(e)/2σ² for its σ, and the fraction f of its centre.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Call {
    /// f in units of 2^-64.
    pub(crate) fraction: u64,
    /// c in units of 2^-63, below 2^63.
    pub(crate) square: u64,
    /// log2(σ/σ_min) + 1 in units of 2^-55, at most 2^56.
    pub(crate) lift: u64,
}

impl Envelope {
    /// Returns E + log2(σ/σ_min) + 1 in units of 2^-55. E = c(x + o)²/K², for x = K·z0 + u. o = 1 - f if `upper` is all
    /// ones, and f if it is 0.
    #[inline(always)]
    const fn exponent(&self, call: &Call, x: u64, upper: u64) -> u64 {
        let o = (call.fraction ^ upper) >> 1; // 2^-63
        let tilt = product(call.square, o, 64); // co, 2^-62
        let level = product(tilt, o, 64); // co², 2^-61
        let x = x << (MAX_SHIFT - self.shift); // x/K in units of 2^-25
        // c(x + 2o)/K in units of 2^-59.
        let slope = multiple(call.square, x, 29) + (tilt >> (self.shift + 2));
        multiple(slope, x, 29) + (level >> (2 * self.shift + 6)) + call.lift
    }

    /// Returns S·σ_min/σ·2^-E in units of 2^-127, as its quotient by 2^64 and the rest. The value is x + 1 if `upper`
    /// is all ones, and -x if it is 0.
    #[inline(always)]
    pub(crate) fn goal(&self, call: &Call, x: u64, upper: u64) -> (u64, u64) {
        let exponent = self.exponent(call, x, upper);
        let s = exponent >> 55; // from 1 to 511
        let (goal, next) = shifted(self.height(exponent << 2), s);
        let near = !mask(s >> 7 | s >> 8);
        (goal & near, next & near)
    }

    /// The call's trial by a word, and `low`, whose lowest bits are u.
    #[inline(always)]
    pub(crate) fn trial(&self, call: &Call, word: u64, low: u64) -> Trial {
        self.trial_in(self.strip(word >> 48), call, word, low)
    }

    /// The same, in this strip with these bits above its lower end.
    #[inline(always)]
    pub(crate) fn trial_in(&self, (z0, rest): (u64, u64), call: &Call, word: u64, low: u64) -> Trial {
        // What is left of the word above the strip's lower end.
        let rest = (rest << 48 | word << 16 >> 16) >> 1;
        let x = z0 << self.shift | low & ((1 << self.shift) - 1);
        let upper = mask(word);
        let value = upper & (x + 1) | !upper & x.wrapping_neg();
        let (goal, next) = self.goal(call, x, upper);
        Trial { value: value as i32, rest, goal, next }
    }
}

/// The results of [`Envelope::strip`], with three keys in a word: for one trial at a time, without vector registers. And an
/// envelope's tables as the trials of a round read them, with vector registers.
///
/// A word has three lanes of 21 bits. In `above` a lane is 2^16 + key - 1. Less a number of 16 bits, it keeps 2^16 if
/// the key is above the number. In `drops` a lane is by how much the next key is less.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Search {
    above: [u64; 5],
    drops: [u64; 5],
    /// How many words have a key above 0.
    used: usize,
    pub(super) ones: u64,
    /// The keys less 2^15, four in a word.
    pub(super) signed: [u64; KEYS / 4],
    /// The high halves and the low halves of the heights.
    pub(super) heights: [[u32; 8]; 2],
}

impl Search {
    /// 1 in each lane.
    const LANES: u64 = 1 | 1 << 21 | 1 << 42;

    pub(crate) const fn new(envelope: &Envelope) -> Self {
        let (mut above, mut drops, mut used, mut j) = ([0; 5], [0; 5], 0, 0);
        while j < KEYS - 1 {
            let (key, next) = (envelope.keys[j] as u64, envelope.keys[j + 1] as u64);
            above[j / 3] |= ((1 << 16) + key - 1) << (21 * (j % 3));
            drops[j / 3] |= (key - next) << (21 * (j % 3));
            if key > 0 {
                used = j / 3 + 1;
            }
            j += 1;
        }
        let (mut signed, mut heights, mut j) = ([0x8000_8000_8000_8000; KEYS / 4], [[0; 8]; 2], 0);
        while j < KEYS {
            signed[j / 4] ^= (envelope.keys[j] as u64) << (16 * (j % 4));
            heights[j / 8][j % 8] = (envelope.heights[j % 8] >> (32 * (1 - j / 8))) as u32;
            j += 1;
        }
        Search { above, drops, used, ones: envelope.ones as u64, signed, heights }
    }

    /// [`Envelope::strip`].
    #[inline(always)]
    pub(crate) fn strip(&self, h: u64) -> (u64, u64) {
        let gap = h.wrapping_sub(self.ones);
        let below = mask(gap >> 63);
        let excess = gap & !below;
        let (mut count, mut end) = (0, 0);
        for (above, drops) in self.above.iter().zip(&self.drops).take(self.used) {
            let flags = (above - excess * Self::LANES) & (Self::LANES << 16);
            count += flags >> 16;
            // The keys that are not above fall from the lower end to 0.
            end += drops & !(flags - (flags >> 16));
        }
        // The sums of the lanes: at most 15, and below 2^16.
        let count = (count + (count >> 21) + (count >> 42)) & 31;
        let end = (end + (end >> 21) + (end >> 42)) & 0xffff;
        (count + (gap.wrapping_neg() & below), excess - end)
    }
}

/// Trials of a round.
pub(crate) const ROUND: usize = 4;

/// A round: trials of one call, each by a word of its own.
#[derive(Clone, Copy)]
pub(crate) struct Round<'a> {
    pub(crate) envelope: &'a Envelope,
    pub(crate) search: &'a Search,
    pub(crate) call: &'a Call,
    pub(crate) words: &'a [u64; ROUND],
    /// The inputs of [`Envelope::trial`] beside each word, in 32 bits each; anything if k = 0.
    pub(crate) lows: &'a [u64; ROUND / 2],
}

impl Round<'_> {
    /// Trial i.
    #[inline(always)]
    pub(crate) fn trial(&self, i: usize) -> Trial {
        let (word, low) = (self.words[i], self.lows[i / 2] >> (32 * (i % 2)));
        self.envelope.trial_in(self.search.strip(word >> 48), self.call, word, low)
    }
}

/// Trials of calls by blocks: as many blocks in all fields.
pub(crate) struct CallTrials<'a> {
    pub(crate) envelope: &'a Envelope,
    pub(crate) words: &'a [[u64; BLOCK]],
    /// The part that [`Envelope::trial`] takes beside the word; as many, or none if k = 0.
    pub(crate) lows: &'a [[u64; BLOCK]],
    /// The fields of each [`Call`].
    pub(crate) fractions: &'a [[u64; BLOCK]],
    pub(crate) squares: &'a [[u64; BLOCK]],
    pub(crate) lifts: &'a [[u64; BLOCK]],
    pub(crate) values: &'a mut [[i32; BLOCK]],
    /// A bit for each trial of a block: whether its rest is below its goal and not close,
    pub(crate) below: &'a mut [u32],
    /// and whether it is close: see [`Trial::call_verdict`].
    pub(crate) close: &'a mut [u32],
}

impl CallTrials<'_> {
    /// By the definition.
    #[inline(always)]
    pub(super) fn one_by_one(self) {
        let CallTrials { envelope, words, lows, fractions, squares, lifts, values, below, close } = self;
        let envelope = *envelope;
        for b in 0..words.len() {
            let lows = lows.get(b).unwrap_or(&words[b]);
            (below[b], close[b]) = (0, 0);
            for i in (0..BLOCK).rev() {
                let call = Call { fraction: fractions[b][i], square: squares[b][i], lift: lifts[b][i] };
                let trial = envelope.trial(&call, words[b][i], lows[i]);
                values[b][i] = trial.value;
                // [`Trial::call_verdict`] by signs of differences of numbers below 2^63, of which no compiler makes a branch.
                let margin = (trial.goal >> CALL_MARGIN) + 1;
                let is_below = ((trial.rest + margin).wrapping_sub(trial.goal) >> 63) as u32;
                let is_open = (trial.rest.wrapping_sub(trial.goal + margin + 1) >> 63) as u32;
                below[b] = below[b] << 1 | is_below;
                close[b] = close[b] << 1 | is_open ^ is_below;
            }
        }
    }
}

/// Arrays of words of one length, of which those whose bit is set are moved to the heads.
pub(crate) struct Compaction<'a> {
    pub(crate) arrays: [&'a mut [[u64; BLOCK]]; 4],
    pub(crate) kept: &'a [u32],
}

impl Compaction<'_> {
    /// By the definition; how many there are.
    #[inline(always)]
    pub(super) fn one_by_one(self) -> usize {
        let mut made = 0;
        let mut arrays = self.arrays.map(<[_]>::as_flattened_mut);
        for (b, mask) in self.kept.iter().enumerate() {
            for i in 0..BLOCK {
                for array in &mut arrays {
                    array[made] = array[b * BLOCK + i];
                }
                made += (mask >> i & 1) as usize;
            }
        }
        made
    }
}
