//! A trial by one word: the portable implementation, which is the specification.

use crate::arch::hidden;

/// Keys of a table.
pub(crate) const KEYS: usize = 16;
/// Trials in a block.
pub(crate) const BLOCK: usize = 32;
/// k is at most this.
pub(crate) const MAX_SHIFT: u32 = 25;

/// The polynomial of degree 7 that is 2^(-ρ/8) at the 8 Chebyshev points of [0, 1], within 2^-58.5 of it in between.
/// These are the |coefficients| from ρ^0 up, in units of 2^-63, 2^-64, 2^-65, 2^-66 and 2^-67. Their signs alternate.
pub(super) const COEFFICIENTS: [u64; 5] =
    [0x7fff_ffff_ffff_ffeb, 0x162e_42fe_fa39_d9df, 0x01eb_fbdf_f828_d86a, 0x001c_6b08_d6cc_8e04, 0x0001_3b2a_b542_8471];
/// The last three, in units of 2^-56, 2^-62 and 2^-68.
pub(super) const SHORT: [u64; 3] = [0xaec3_895c, 0xa161_9513, 0x7a87_ed62];

/// Strips of K = 2^k values, whose weights dominate a law. Strip j of z0 = j has the weight w_j, and T_j is the weight of
/// the strips beyond it, of 2^16 in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Envelope {
    /// T_j - `ones` for the strips of weight above 1: falling, and 0 for the last of them and beyond. At most 14 are above 0.
    pub(crate) keys: [u16; KEYS],
    /// How many strips have weight 1: the last ones.
    pub(crate) ones: u16,
    /// k, at most [`MAX_SHIFT`]; z0 < 2^6.
    pub(crate) shift: u32,
    /// S·2^(-i/8) in units of 2^-63.
    pub(crate) heights: [u64; 8],
}

/// A trial's constants of σ and the centre: c = K²·log2(e)/2σ², f the centre's fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strips {
    pub(crate) envelope: Envelope,
    /// The bits of u that are in the word: k or 0.
    pub(crate) inner: u32,
    /// e <= 3.
    pub(crate) scale: u32,
    /// c in units of 2^-(63 + e), below 2^63.
    pub(crate) square: u64,
    /// 2co/K in units of 2^-60 and co²/K² + 1 + `inner` in units of 2^-57, for o = f and for o = 1 - f.
    pub(crate) offsets: [(u64, u64); 2],
}

/// The exact probability is within the margin ⌊goal/2^52⌋ + 1 of the goal: docs/proofs/isochronous.md shows it.
pub(super) const MARGIN: u32 = 52;
/// The same of a [`Call`](super::Call): docs/proofs/strip-rounder.md.
pub(super) const CALL_MARGIN: u32 = 51;

/// A trial's outcome: `value` is accepted if `rest` and the bits that would follow it are below `goal` and `next`.
#[derive(Clone, Copy)]
pub(crate) struct Trial {
    pub(crate) value: i32,
    pub(crate) rest: u64,
    pub(crate) goal: u64,
    pub(crate) next: u64,
}

impl Trial {
    /// Whether `rest` is below the goal, and whether it is close: within the margin, so that further bits decide.
    #[inline(always)]
    pub(crate) const fn verdict(&self) -> (bool, bool) {
        self.within(MARGIN)
    }

    /// The same for the trial of a [`Call`](super::Call).
    #[inline(always)]
    pub(crate) const fn call_verdict(&self) -> (bool, bool) {
        self.within(CALL_MARGIN)
    }

    #[inline(always)]
    const fn within(&self, places: u32) -> (bool, bool) {
        let margin = (self.goal >> places) + 1;
        (self.rest < self.goal, self.rest.wrapping_sub(self.goal).wrapping_add(margin) <= 2 * margin)
    }
}

/// Whether products of 64 bits by 64 take one instruction or two; elsewhere they are put together from halves.
const WIDE: bool = cfg!(target_pointer_width = "64");

/// The product of the low halves.
#[inline(always)]
pub(super) const fn mul(a: u64, b: u64) -> u64 {
    (a & 0xffff_ffff) * (b & 0xffff_ffff)
}

/// Returns ab, less the product of the low halves, over 2^n, rounded down. It is for 32 <= n <= 64, where the sum of
/// the halves' two middle products and the quotient are below 2^64.
#[inline(always)]
pub(super) const fn product(a: u64, b: u64, n: u32) -> u64 {
    if WIDE {
        ((a as u128 * b as u128 - mul(a, b) as u128) >> n) as u64
    } else {
        let middle = mul(a >> 32, b) + mul(a, b >> 32);
        (mul(a >> 32, b >> 32) << (64 - n)) + (middle >> (n - 32))
    }
}

/// ax over 2^n, rounded down: for x < 2^32 and n <= 32, where the quotient is below 2^64.
#[inline(always)]
pub(super) const fn multiple(a: u64, x: u64, n: u32) -> u64 {
    if WIDE { ((a as u128 * x as u128) >> n) as u64 } else { (mul(a >> 32, x) << (32 - n)) + (mul(a, x) >> n) }
}

/// 2^-r in units of 2^-63, for the r that E ends in, in units of 2^-57: the last 54 bits.
#[inline(always)]
const fn exp2_neg(exponent: u64) -> u64 {
    // ρ = 8r in units of 2^-63, and its high half.
    let rho = exponent << 9 & (u64::MAX >> 1);
    let high = rho >> 32;
    let m = SHORT[1] - (mul(SHORT[2], high) >> 37);
    let m = SHORT[0] - (mul(m, high) >> 37);
    let mut m = COEFFICIENTS[4] - (mul(m, high) >> 20);
    let mut i = 4;
    while i > 0 {
        i -= 1;
        m = COEFFICIENTS[i] - product(m, rho, 64);
    }
    m
}

/// The second if the [`mask`] is all ones, the first if it is 0.
#[inline(always)]
const fn either(first: u64, second: u64, mask: u64) -> u64 {
    first ^ (first ^ second) & mask
}

/// All ones if the lowest bit is set, else 0: hidden, so that the compiler does not choose by a branch.
#[inline(always)]
pub(super) fn mask(bit: u64) -> u64 {
    hidden((bit & 1).wrapping_neg())
}

/// ⌊2^64·t/2^s⌋ for s < 128: its quotient by 2^64, and the rest.
#[inline(always)]
pub(super) fn shifted(t: u64, s: u64) -> (u64, u64) {
    let (near, far) = (s & 63, mask(s >> 6));
    (t >> near & !far, t << 1 << (63 - near) & !far | t >> near & far)
}

impl Envelope {
    /// z0 by the leading 16 bits of a word, and how far they are above the strip's lower end.
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    pub(crate) fn strip(&self, h: u64) -> (u64, u64) {
        let ones = self.ones as u64;
        let gap = h.wrapping_sub(ones);
        let below = mask(gap >> 63);
        let excess = gap & !below;
        let (mut z0, mut rest, mut j) = (gap.wrapping_neg() & below, excess, 0);
        while j < KEYS - 1 {
            let key = self.keys[j] as u64;
            z0 += (key > excess) as u64;
            // From a threshold above, 2^16 are borrowed: more than from any below.
            let difference = excess.wrapping_sub(key) & 0xffff;
            rest ^= (rest ^ difference) & mask(difference.wrapping_sub(rest) >> 63);
            j += 1;
        }
        (z0, rest)
    }

    /// S·2^-E in units of 2^-64, less its whole powers of 2, for E in units of 2^-57.
    #[inline(always)]
    pub(super) fn height(&self, exponent: u64) -> u64 {
        // The height at the index that is the next 3 bits, from the lowest up: all are read.
        let [a, b, c, d, e, f, g, h] = self.heights;
        let bit = exponent >> 54;
        let [first, second, third] = [mask(bit), mask(bit >> 1), mask(bit >> 2)];
        let [a, b, c, d] = [either(a, b, first), either(c, d, first), either(e, f, first), either(g, h, first)];
        let height = either(either(a, b, second), either(c, d, second), third);
        let m = exp2_neg(exponent);
        product(m, height, 62)
    }
}

impl Strips {
    /// E + 1 + `inner` in units of 2^-57, E = c(x + o)²/K², for x = K·z0 + u and the side's offsets.
    #[inline(always)]
    const fn exponent(&self, x: u64, offsets: (u64, u64)) -> u64 {
        let x = x << (MAX_SHIFT - self.envelope.shift); // x/K in units of 2^-25
        let slope = multiple(self.square, x, 28 + self.scale) + offsets.0; // c(x + 2o)/K
        multiple(slope, x, 28) + offsets.1
    }

    /// S·2^-E in units of 2^-(n + 64), n = 63 - `inner`: its quotient by 2^64, and the rest. For the value x + 1 if `upper`
    /// is all ones, and -x if it is 0.
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    pub(crate) fn goal(&self, x: u64, upper: u64) -> (u64, u64) {
        let [below, above] = self.offsets;
        let offsets = (upper & above.0 | !upper & below.0, upper & above.1 | !upper & below.1);
        let exponent = self.exponent(x, offsets);
        // 1 <= s < 128
        shifted(self.envelope.height(exponent), exponent >> 57)
    }

    /// The trial by a word, and `low`, whose lowest bits are u where the word has none of them.
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    pub(crate) fn trial(&self, word: u64, low: u64) -> Trial {
        let shift = self.envelope.shift;
        let (z0, rest) = self.envelope.strip(word >> 48);
        // What is left of the word above the strip's lower end.
        let rest = (rest << 48 | word << 16 >> 16) >> (self.inner + 1);
        let u = (if self.inner == shift { word } else { low }) & ((1 << shift) - 1);
        let x = z0 << shift | u;
        let upper = mask(word >> self.inner);
        let value = upper & (x + 1) | !upper & x.wrapping_neg();
        let (goal, next) = self.goal(x, upper);
        Trial { value: value as i32, rest, goal, next }
    }
}

/// Trials by blocks of words: as many blocks in all fields.
pub(crate) struct Trials<'a> {
    pub(crate) strips: &'a Strips,
    pub(crate) words: &'a [[u64; BLOCK]],
    /// The part that [`Strips::trial`] takes beside the word; as many, or none where the words have all of u.
    pub(crate) lows: &'a [[u64; BLOCK]],
    pub(crate) values: &'a mut [[i32; BLOCK]],
    /// A bit for each trial of a block: whether its rest is below its goal and not close,
    pub(crate) below: &'a mut [u32],
    /// and whether it is close: see [`Trial::verdict`].
    pub(crate) close: &'a mut [u32],
}
