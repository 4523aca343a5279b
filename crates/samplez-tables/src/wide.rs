//! The trials of [`Wide`](samplez_core::samplers::Wide): their numbers, and exact decisions.
//!
//! Proof: docs/proofs/wide.md.

use crate::fixed::{Constant, Interval, Scaled, add, exp_neg, sub};
use crate::heights::ends;
use alloc::vec;
use alloc::vec::Vec;
use samplez_core::bits::BitSource;
use samplez_core::samplers::{WideRefine, WideTrial};
use samplez_core::{DiscreteGaussian, ParamError, Width};

/// From this |y| on, intervals don't hold E. The base has a mass below 2^(-2^35) there.
const FAR: u64 = 1 << 43;
/// The bits of V that come with a proposal.
const LEAD: u32 = 48;

/// A form of a width, without its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WidthForm {
    /// σ = q.
    Sigma,
    /// σ² = q.
    SigmaSquared,
    /// σ = q·sqrt(1/(2 ln 2)).
    KSigma2,
    /// σ = q/sqrt(2π).
    S,
}

impl From<Width> for WidthForm {
    fn from(width: Width) -> Self {
        match width {
            Width::Sigma(_) => WidthForm::Sigma,
            Width::SigmaSq(_) => WidthForm::SigmaSquared,
            Width::KSigma2(_) => WidthForm::KSigma2,
            Width::S(_) => WidthForm::S,
        }
    }
}

/// A non-negative fraction of natural numbers of any size: 64 bits a limb, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fraction {
    num: Vec<u64>,
    den: Vec<u64>,
}

impl Fraction {
    /// Returns num/den. `None` if den is 0.
    pub fn new(num: &[u64], den: &[u64]) -> Option<Self> {
        let is_zero = den.iter().all(|limb| *limb == 0);
        (!is_zero).then(|| Fraction { num: num.to_vec(), den: den.to_vec() })
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.num.iter().all(|limb| *limb == 0)
    }

    pub(crate) fn is_at_most_half(&self) -> bool {
        let at = |limbs: &[u64], i: usize| limbs.get(i).copied().unwrap_or(0);
        let twice = |i: usize| at(&self.num, i) << 1 | i.checked_sub(1).map_or(0, |below| at(&self.num, below) >> 63);
        let from = self.num.len().max(self.den.len());
        let differs = (0..=from).rev().find(|i| twice(*i) != at(&self.den, *i));
        differs.is_none_or(|i| twice(i) < at(&self.den, i))
    }

    pub(crate) fn to<const N: usize>(&self) -> Scaled<N> {
        natural(&self.num).over(&natural(&self.den))
    }
}

/// A natural number of any size, with a value from 1 to 2.
fn natural<const N: usize>(limbs: &[u64]) -> Scaled<N> {
    let Some(top) = limbs.iter().rposition(|limb| *limb != 0) else { return Scaled::ZERO };
    let zeros = limbs[top].leading_zeros();
    // The digits below the leading one, as fraction.
    let mut value = Interval::<N>::ONE;
    let at = |i: Option<usize>| i.and_then(|i| limbs.get(i)).copied().unwrap_or(0);
    let shift = zeros + 1;
    for (step, limb) in value.lo[..N - 1].iter_mut().rev().enumerate() {
        let (high, low) = (at(top.checked_sub(step)), at(top.checked_sub(step + 1)));
        *limb = high.checked_shl(shift).unwrap_or(0) | low.checked_shr(64 - shift).unwrap_or(0);
    }
    value.width = u64::from(top + 1 >= N);
    Scaled { value, shift: -(64 * top as i32 + 63 - zeros as i32) }
}

/// Decides exactly whether proposals of [`Wide`](samplez_core::samplers::Wide) are accepted: for σ > 2^26 of any size, and any c.
///
/// The digits of V are drawn by 64 until the numbers that begin with them lie all on one side. The probability is computed by
/// interval arithmetic with 192, 448 and 16,320 bits, as many as the comparison needs. One that needs more, or a |y| of 2^43 or more, which has a
/// probability below 2^-16000, [condemns](BitSource::condemn) the source. Runs in variable time.
#[derive(Clone, Debug)]
pub struct WideExponent {
    form: WidthForm,
    width: Fraction,
    /// |f|, and whether f < 0.
    offset: Fraction,
    is_negative: bool,
    /// L.
    shift: u32,
    /// σ₁.
    base: u64,
}

/// Builds the trials of a law with σ > 2^26.
///
/// # Errors
///
/// [`ParamError::Unsupported`] for a smaller σ.
///
/// ```
/// use samplez_core::bits::BitReader;
/// use samplez_core::{DiscreteGaussian, Noise, Width, samplers::Wide};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_tables::{build_isochronous, build_wide};
/// let law = DiscreteGaussian::new("1/3".parse()?, Width::Sigma("1e12".parse()?))?;
/// let (trial, exponent) = build_wide(&law)?;
/// assert_eq!((trial.shift(), trial.base().to_string()), (15, "30517609".into())); // 1e12/2^15 = 30517578.1
/// // Exact but for a mass of 2^-104 beyond its strips. The crate `samplez` has a base without this gap.
/// let base = build_isochronous(&DiscreteGaussian::with_sigma(trial.base())?)?;
/// let sampler: &dyn Noise = &Wide::new(law, base, trial, exponent)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i64; 100];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| x.abs() < 10_000_000_000_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_wide(law: &DiscreteGaussian) -> Result<(WideTrial, WideExponent), ParamError> {
    let (width, center) = (law.width(), law.center());
    let a = center.nearest();
    let f = i128::from(center.num()) - i128::from(a) * i128::from(center.den());
    let q = Fraction { num: vec![width.value().num().unsigned_abs()], den: vec![width.value().den()] };
    let offset = Fraction { num: vec![f.unsigned_abs() as u64], den: vec![center.den()] };
    WideExponent::new(width.into(), q, offset, f < 0).ok_or(ParamError::Unsupported {
        method: "wide",
        argument: width.name(),
        value: width.value(),
        allowed: "2^26 < sigma <= 2^58",
    })
}

impl WideExponent {
    /// Builds the trials of this width and this f = c - a, which `is_negative` gives the sign of. `None` unless σ > 2^26 and |f| <= 1/2.
    pub fn new(form: WidthForm, width: Fraction, offset: Fraction, is_negative: bool) -> Option<(WideTrial, Self)> {
        if width.is_zero() {
            return None;
        }
        let inverse = inverse_square::<5>(form, &width).normal();
        // 1/2σ² is from 2^-shift to 2^(1-shift): 4^L times that is from 2^-51 to 2^-49.
        let shift = u32::try_from(inverse.shift - 50).ok()? / 2;
        let scaled = Scaled { shift: inverse.shift - 2 * shift as i32, ..inverse }.fixed();
        let curvature = top(&scaled) >> 16;
        let square = ((1_u128 << 111) / curvature) as u64;
        let base = (square + (square >> 19)).isqrt() + 2;
        let gap = top(&scaled.sub(&over_square::<5>(&[1], base).fixed()));
        let small = if offset.is_zero() { Scaled::ZERO } else { offset.to::<5>().normal() };
        if !offset.is_zero() && small.shift < 1 || top(&small.fixed()) > 1 << 127 {
            return None;
        }
        let f = Scaled { shift: small.shift + shift as i32, ..small }.fixed();
        let size = (top(&f) >> (128 - 62)) as i64;
        let trial = WideTrial::new(shift, base, curvature as u64, gap as u64, if is_negative { -size } else { size })?;
        Some((trial, WideExponent { form, width, offset, is_negative, shift, base }))
    }

    /// Step 2 by intervals of 5, 9 or 257 words, from the first digits of V.
    #[cold]
    fn decide_by(&self, limbs: usize, y: i64, low: &[u64], lead: u64, words: &[u64]) -> Decided {
        match limbs {
            5 => self.decide::<5>(y, low, lead, words),
            9 => self.decide::<9>(y, low, lead, words),
            _ => self.decide::<257>(y, low, lead, words),
        }
    }

    fn decide<const N: usize>(&self, y: i64, low: &[u64], lead: u64, words: &[u64]) -> Decided {
        let Some([from, to]) = ends::<N>(lead, LEAD, words) else { return Decided::MorePrecision };
        let kept: Interval<N> = exp_neg(&self.exponent::<N>(y, low)).fixed();
        let Some(kept_end) = kept.hi() else { return Decided::MorePrecision };
        // V >= 1 - exp(-E).
        let one = Interval::<N>::ONE.lo;
        if sub(&add(&from, &kept.lo), &one).is_some() {
            Decided::Yes(true)
        } else if sub(&one, &add(&to, &kept_end)).is_some() {
            Decided::Yes(false)
        } else {
            Decided::MoreBits
        }
    }

    /// E, for |y| < [`FAR`].
    fn exponent<const N: usize>(&self, y: i64, low: &[u64]) -> Interval<N> {
        // 1 + δ = 1/2 + (u + 2^(L-1))/2^L - f/2^L, from 3/8 to 13/8.
        let f = if self.offset.is_zero() { Scaled::ZERO } else { self.offset.to::<N>() };
        let f = Scaled { shift: f.shift + self.shift as i32, ..f }.fixed();
        let digits = natural::<N>(low);
        let digits = Scaled { shift: digits.shift + self.shift as i32, ..digits }.fixed();
        let above = Interval::HALF.add(&digits);
        let above = if self.is_negative { above.add(&f) } else { above.sub(&f) };
        // |y + δ|
        let integer = |n: u64| Interval::ONE.times(n);
        let distance = match y {
            1.. => integer(y.unsigned_abs() - 1).add(&above),
            0 if above.lo[N - 1] > 0 => above.sub(&Interval::ONE),
            _ => integer(1 + y.unsigned_abs()).sub(&above),
        };
        let inverse = inverse_square::<N>(self.form, &self.width);
        let curvature = Scaled { shift: inverse.shift - 2 * self.shift as i32, ..inverse };
        let distance = Scaled::from(distance);
        let target = unscaled(&curvature.product(&distance.product(&distance)));
        let square = u128::from(y.unsigned_abs()).pow(2);
        let own = unscaled(&over_square::<N>(&[square as u64, (square >> 64) as u64], self.base));
        target.add(&Interval::ONE.shr(31)).sub(&own)
    }
}

impl WideRefine for WideExponent {
    fn accepts<B: BitSource + ?Sized>(&self, y: i64, low: &[u64], lead: u64, bits: &mut B) -> bool {
        let mut words = Vec::new();
        for limbs in [5, 9, 257].into_iter().filter(|_| y.unsigned_abs() < FAR) {
            loop {
                match self.decide_by(limbs, y, low, lead, &words) {
                    Decided::Yes(accepted) => return accepted,
                    Decided::MoreBits => words.push(bits.bits(64)),
                    Decided::MorePrecision => break,
                }
            }
        }
        bits.condemn();
        true
    }
}

/// The result of a comparison of intervals.
enum Decided {
    Yes(bool),
    MoreBits,
    MorePrecision,
}

/// The first 128 digits of a number below 1.
fn top<const N: usize>(x: &Interval<N>) -> u128 {
    u128::from(x.lo[N - 2]) << 64 | u128::from(x.lo[N - 3])
}

/// The number without a scale, known to be below 2^63.
pub(crate) fn unscaled<const N: usize>(x: &Scaled<N>) -> Interval<N> {
    if x.shift < 0 { x.value.shl(x.shift.unsigned_abs()) } else { x.fixed() }
}

/// n/2s².
fn over_square<const N: usize>(n: &[u64], s: u64) -> Scaled<N> {
    let square = 2 * u128::from(s).pow(2);
    natural(n).over(&natural(&[square as u64, (square >> 64) as u64]))
}

/// 1/2σ².
fn inverse_square<const N: usize>(form: WidthForm, width: &Fraction) -> Scaled<N> {
    let inverse = natural::<N>(&width.den).over(&natural(&width.num));
    let square = || inverse.product(&inverse);
    let half = |x: Scaled<N>| Scaled { shift: x.shift + 1, ..x };
    match form {
        WidthForm::Sigma => half(square()),
        WidthForm::SigmaSquared => half(inverse),
        WidthForm::KSigma2 => square().mul(&Constant::LN_2.to()),
        WidthForm::S => square().mul(&Constant::PI.to()),
    }
}

#[cfg(test)]
mod tests;
