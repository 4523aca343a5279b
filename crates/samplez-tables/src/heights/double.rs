//! (x - c)²/2σ² for a centre that is a double, of any exponent.

use crate::fixed::{Interval, Natural};
use samplez_core::Rational;

/// A rational σ and a double c.
#[derive(Clone, Copy, Debug)]
pub(super) struct Double {
    sigma: Rational,
    is_negative: bool,
    /// |c| is `whole` + `part`·2^-`places`, `part` < 2^min(53, `places`).
    whole: u64,
    part: u64,
    places: u32,
}

impl Double {
    /// `None` unless σ is above 0 and |c| is below 2^62.
    pub(super) fn new(sigma: Rational, center: f64) -> Option<Self> {
        let bits = center.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as u32;
        // |c| is mantissa·2^(exponent - 1075); from 2^62 on: 1023 + 62.
        if exponent >= 1085 || sigma.num() <= 0 {
            return None;
        }
        let mantissa = bits & ((1 << 52) - 1) | u64::from(exponent != 0) << 52;
        let places = 1075_u32.saturating_sub(exponent.max(1));
        let (whole, part) = if places == 0 {
            (mantissa << (exponent - 1075), 0)
        } else if places < 53 {
            (mantissa >> places, mantissa & ((1 << places) - 1))
        } else {
            (0, mantissa)
        };
        Some(Double { sigma, is_negative: center.is_sign_negative(), whole, part, places })
    }

    /// `part`·2^-`places`.
    fn fraction<const N: usize>(&self) -> Interval<N> {
        let mut lo = [0; N];
        // The place of the lowest bit, from that of the lowest limb up.
        let at = 64 * (N as i64 - 1) - i64::from(self.places);
        let wide = u128::from(self.part);
        let (limb, shift) = (at.div_euclid(64), at.rem_euclid(64) as u32);
        let halves = wide << shift;
        let mut lost = false;
        for (i, half) in [(limb, halves as u64), (limb + 1, (halves >> 64) as u64)] {
            match usize::try_from(i) {
                Ok(i) if i < N => lo[i] = half,
                _ => lost |= half != 0,
            }
        }
        Interval { lo, width: lost.into() }
    }

    /// (x - c)²/2σ²; `None` if it is 2^20 or more.
    pub(super) fn exponent<const N: usize>(&self, x: i64) -> Option<Interval<N>> {
        let x = if self.is_negative { -i128::from(x) } else { x.into() };
        let steps = x - i128::from(self.whole);
        let mut whole = Interval::<N>::ZERO;
        whole.lo[N - 1] = u64::try_from(steps.unsigned_abs()).ok()?;
        let fraction = self.fraction();
        let distance = if steps > 0 { whole.sub(&fraction) } else { whole.add(&fraction) };
        if distance == Interval::ZERO {
            return Some(distance);
        }
        let inverse = Natural::new(self.sigma.den().into()).over::<N>(&[self.sigma.num().unsigned_abs()])?;
        let ratio = distance.mul(&inverse);
        // Its square is below 2^21.
        if ratio.lo[N - 1] < 1448 { Some(ratio.mul(&ratio).shr(1)) } else { None }
    }
}

#[cfg(test)]
mod tests;
