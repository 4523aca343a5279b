//! Step 2 of [`Wide`](super::Wide) in fixed point.

use crate::bits::BitSource;
use crate::params::Rational;
use crate::samplers::isochronous::sigma::mul_high;

/// The leading bits of V that come with a proposal.
pub(super) const LEAD: u32 = 16;
/// A proposal whose V has a bit among the first 11 is accepted: 1 - exp(-E) < 2^-11.
const CLEAR: u32 = 11;
/// Digits of δ.
const DELTA: u32 = 62;
/// The error of the fixed-point probability, in units of 2^-128.
const MARGIN: u128 = 1 << 60;

/// Exact decisions of trials, for one σ and c.
pub trait WideRefine {
    /// Whether V >= 1 - exp(-E) for this y and the L bits of u + 2^(L-1), the lowest limb first. The digits of V are `lead`, of 16
    /// bits, then `word`, then the words of this source, of which the comparison draws as many as it needs. The highest bit of a word
    /// is the first.
    fn accepts<B: BitSource + ?Sized>(&self, y: i64, low: &[u64], lead: u64, word: u64, bits: &mut B) -> bool;
}

/// The numbers of the trials that make samples of D_{Z,σ,c} of those of D_{Z,σ₁}.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideTrial {
    shift: u32,
    base: u64,
    curvature: u64,
    gap: u64,
    offset: i64,
}

impl WideTrial {
    /// The trials of these numbers, the last three rounded by at most 2 units:
    ///
    /// - `shift`: L, 2 or more
    /// - `base`: σ₁, from 2^24 to 2^25 + 64
    /// - `curvature`: 4^L/2σ² in units of 2^-112, from 2^-51 to 2^-49
    /// - `gap`: 4^L/2σ² - 1/2σ₁² in units of 2^-128, from 2^-19 to 2^-18 of 1/2σ₁²
    /// - `offset`: f/2^L in units of 2^-62, for |f| <= 1/2
    ///
    /// Returns `None` for others: then E may be negative, or too large.
    pub fn new(shift: u32, base: u64, curvature: u64, gap: u64, offset: i64) -> Option<Self> {
        let own = (u128::from(curvature) << 16).checked_sub(gap.into())?;
        let excess = (own >> 19..=own >> 18).contains(&gap.into());
        let square = (1_u128 << 127) / own;
        let is_square = square.abs_diff(u128::from(base).pow(2)) <= 1 << 8;
        let near = offset.unsigned_abs() <= 1 << (DELTA - 1).saturating_sub(shift);
        let fits = shift >= 2 && (1 << 24..=(1 << 25) + 64).contains(&base) && (1 << 61..1 << 63).contains(&curvature);
        (fits && excess && is_square && near).then_some(WideTrial { shift, base, curvature, gap, offset })
    }

    /// L.
    pub const fn shift(&self) -> u32 {
        self.shift
    }

    /// σ₁.
    pub fn base(&self) -> Rational {
        Rational::from(self.base as i64)
    }

    /// 16σ₁.
    const fn limit(&self) -> u64 {
        16 * self.base
    }

    /// Whether these first 16 bits of V accept this y, as they do every |y| <= 16σ₁.
    #[inline(always)]
    pub const fn is_clear(&self, y: i64, lead: u64) -> bool {
        (lead >> (LEAD - CLEAR) != 0) & (y.unsigned_abs() <= self.limit())
    }

    /// Step 2: whether the proposal of y and of the L bits of u + 2^(L-1), the lowest limb first, is accepted for a V that begins with these
    /// 16 bits. `bits` continues V by words, the highest bit first.
    ///
    /// For |y| <= 16σ₁ the time is the same for every y and u, but for the answer, except with a probability below 2^-68 a proposal.
    pub fn accepts<R: WideRefine, B: BitSource + ?Sized>(
        &self,
        refine: &R,
        y: i64,
        low: &[u64],
        lead: u64,
        bits: &mut B,
    ) -> bool {
        if bits.declassify(self.is_clear(y, lead).into()) != 0 {
            return true;
        }
        let word = bits.bits(64);
        if bits.declassify((y.unsigned_abs() <= self.limit()).into()) != 0 {
            let v = (u128::from(lead) << 64 | u128::from(word)) << (64 - LEAD);
            let p = self.rejects(y, self.delta(low));
            let (is_above, is_below) = (v >= p + MARGIN, v + MARGIN + (1 << (64 - LEAD)) <= p);
            if bits.declassify((is_above | is_below).into()) != 0 {
                return bits.declassify(is_above.into()) != 0;
            }
        }
        refine.accepts(y, low, lead, word, bits)
    }

    /// δ = (u - f)/2^L in units of 2^-62, within 2 units.
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

    /// 1 - exp(-E) in units of 2^-128, within [`MARGIN`], for |y| <= 16σ₁. Without branches on y and δ.
    fn rejects(&self, y: i64, delta: i64) -> u128 {
        let (wide, delta) = (i128::from(y), i128::from(delta));
        // E = (a - b)y² + 2aδy + aδ² + 2^-31, where a = 4^L/2σ² and b = 1/2σ₁².
        let square = (wide * wide) as u128 * u128::from(self.gap);
        // In units of 2^-82.
        let slope = (i128::from(self.curvature) * wide) >> 30;
        let linear = (slope * delta) >> 15;
        let constant = (((delta * delta) as u128 >> DELTA) * u128::from(self.curvature)) >> 46;
        let e = (square + constant + (1 << 97)).wrapping_add_signed(linear);
        // E(1 - E/2(1 - E/3(1 - E/4(1 - E/5))))
        let part = |part: u128, rest: u128| part - mul_high(part, rest);
        let (third, fifth) = (mul_high(e, u128::MAX / 3), mul_high(e, u128::MAX / 5));
        part(e, part(e >> 1, part(third, part(e >> 2, fifth))))
    }
}
