//! Step 2 of [`Wide`](super::Wide) in fixed point.

use crate::bits::BitSource;
use crate::params::Rational;

/// The leading bits of V that come with a proposal.
pub(super) const LEAD: u32 = 48;
/// Digits of δ.
const DELTA: u32 = 62;
/// The error of the fixed-point probability, in units of 2^-64.
const MARGIN: u64 = 1 << 6;
/// ⌊2^64/3⌋.
const THIRD: u64 = u64::MAX / 3;

/// Exact decisions of trials, for one σ and c.
pub trait WideRefine {
    /// Whether V >= 1 - exp(-E) for this y and the L bits of u + 2^(L-1), the lowest limb first. The digits of V are the 48 bits of `lead`,
    /// and then words of this source. The comparison draws as many words as it needs. The highest bit of a word is the first.
    fn accepts<B: BitSource + ?Sized>(&self, y: i64, low: &[u64], lead: u64, bits: &mut B) -> bool;
}

/// The result of a proposal's first 48 bits of V.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideVerdict {
    /// Whether it is accepted, if it is not close.
    pub accepted: bool,
    /// Whether further bits decide.
    pub close: bool,
}

/// The parameters of step 2 for one σ and c.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideTrial {
    shift: u32,
    base: u64,
    curvature: u64,
    gap: u64,
    offset: i64,
}

impl WideTrial {
    /// Builds the trials of these numbers, the last three rounded by at most 2 units:
    ///
    /// - `shift`: L, 2 or more
    /// - `base`: σ₁, from 2^24 to 2^25 + 64
    /// - `curvature`: 4^L/2σ² in units of 2^-112, from 2^-51 to 2^-49
    /// - `gap`: 4^L/2σ² - 1/2σ₁² in units of 2^-128, from 2^-19 to 1.5·2^-19 of 1/2σ₁²
    /// - `offset`: f/2^L in units of 2^-62, for |f| <= 1/2
    ///
    /// Returns `None` for others: then E may be negative, or too large.
    pub fn new(shift: u32, base: u64, curvature: u64, gap: u64, offset: i64) -> Option<Self> {
        let own = (u128::from(curvature) << 16).checked_sub(gap.into())?;
        let excess = (own >> 19..=(own >> 19) + (own >> 20)).contains(&gap.into());
        let square = (1_u128 << 127) / own;
        let is_square = square.abs_diff(u128::from(base).pow(2)) <= 1 << 8;
        let near = offset.unsigned_abs() <= 1 << (DELTA - 1).saturating_sub(shift);
        let fits = shift >= 2 && (1 << 24..=(1 << 25) + 64).contains(&base) && (1 << 61..1 << 63).contains(&curvature);
        (fits && excess && is_square && near).then_some(WideTrial { shift, base, curvature, gap, offset })
    }

    /// Returns L.
    pub const fn shift(&self) -> u32 {
        self.shift
    }

    /// Returns σ₁.
    pub fn base(&self) -> Rational {
        Rational::from(self.base as i64)
    }

    /// Returns the words of 64 bits of a proposal. The lowest L bits are u + 2^(L-1), and the highest 48 are V's.
    pub const fn words(&self) -> usize {
        (self.shift + LEAD).div_ceil(64) as usize
    }

    /// δ = (u - f)/2^L in units of 2^-62, within 3 units.
    fn delta(&self, low: &[u64]) -> i64 {
        let digits = match self.shift.checked_sub(DELTA) {
            None => low[0] << (DELTA - self.shift),
            Some(at) => {
                let (limb, bit) = ((at / 64) as usize, at % 64);
                let high = low.get(limb + 1).copied().unwrap_or(0);
                let both = u128::from(high) << 64 | u128::from(low[limb]);
                (both >> bit) as u64 & ((1 << DELTA) - 1)
            }
        };
        digits as i64 - (1 << (DELTA - 1)) - self.offset
    }

    /// Takes step 2 by the first 48 bits of V, for y and the L bits of u + 2^(L-1), the lowest limb first. A |y| >
    /// 15σ₁ is close.
    ///
    /// In constant time: there is no branch, and no address, that depends on these numbers.
    #[inline(always)]
    pub fn verdict(&self, y: i64, low: &[u64], lead: u64) -> WideVerdict {
        let is_far = y.unsigned_abs() > 15 * self.base;
        let p = self.rejects(y, self.delta(low));
        let v = lead << (64 - LEAD);
        // p < 2^54: neither sum overflows.
        let accepted = v >= p + MARGIN;
        let rejected = v.saturating_add((1 << (64 - LEAD)) + MARGIN) <= p;
        WideVerdict { accepted, close: is_far | !(accepted | rejected) }
    }

    /// Takes step 2: returns the verdict by the first digits of V, or the verdict of `refine`. Both that it is close
    /// and that it is accepted is public.
    pub fn accepts<R: WideRefine, B: BitSource + ?Sized>(
        &self,
        refine: &R,
        y: i64,
        low: &[u64],
        lead: u64,
        bits: &mut B,
    ) -> bool {
        let verdict = self.verdict(y, low, lead);
        if bits.declassify(verdict.close.into()) != 0 {
            return refine.accepts(y, low, lead, bits);
        }
        bits.declassify(verdict.accepted.into()) != 0
    }

    /// 1 - exp(-E) in units of 2^-64, within [`MARGIN`], for |y| <= 15σ₁. Of other y it is any number below 2^54.
    #[inline(always)]
    fn rejects(&self, y: i64, delta: i64) -> u64 {
        // E = (a - b)y² + 2aδy + aδ² + 2^-31, where a = 4^L/2σ² and b = 1/2σ₁².
        let square = high(y.wrapping_mul(y) as u64, self.gap);
        // a·y in units of 2^-82.
        let slope = ((i128::from(self.curvature) * i128::from(y)) >> 30) as i64;
        let linear = ((i128::from(slope) * i128::from(delta)) >> 79) as u64;
        let near = ((i128::from(delta) * i128::from(delta)) >> DELTA) as u64;
        let constant = high(near, self.curvature) >> 46;
        let e = square.wrapping_add(linear).wrapping_add(constant + (1 << 33)) & ((1 << 54) - 1);
        // E(1 - E/2(1 - E/3(1 - E/4)))
        let third = high(e, THIRD);
        let inner = third - high(third, e >> 2);
        e - high(e, (e >> 1) - high(e >> 1, inner))
    }
}

/// ⌊ab/2^64⌋.
#[inline(always)]
const fn high(a: u64, b: u64) -> u64 {
    ((a as u128 * b as u128) >> 64) as u64
}
