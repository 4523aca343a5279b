/// Plain rejection: a uniform proposal and an exact coin of probability exp(-(x-c)²/2σ²); no table.
///
/// Paper: \[BCGHW13\], §2 (rejection sampling), with the coins of \[Kar16\], Algorithm H. Proof: docs/proofs/rejection.md.
///
/// | Law        | exact on its support: D_{Z,σ,c} given abs(x - c) <= tσ; the distance from D_{Z,σ,c} is the tail's mass, bounded by a closed form |
/// | Bits       | computed by [`profile`](crate::sampler::Sampler::profile): about 10.4 (lg(26σ) + 8) for t = 13 and wide laws |
/// | Memory     | none |
/// | Timing     | Variable: the number of coins depends on the proposal |
/// | Parameters | rational σ² = A/B, centre a/d and tail p/q <= 64 with p²·A·d² <= 2^120 and B·q² <= 2^120; abs(c) <= 2^61 |
///
/// ```text
/// 1  x uniform on the integers with abs(x - c) <= tσ
/// 2  γ ← (x - c)²/(2σ²); h ← ⌊2γ⌋
/// 3  if one of h coins of probability e^-½ shows tails, 1
/// 4  return x with probability exp(-(γ - h/2)), else 1
/// ```
///
/// Departures from the paper:
/// - The paper compares a fixed-point uniform with a computed ρ(x). Here every decision is a
///   comparison of a lazy uniform with a rational number: coins as in [`Karney`](super::Karney), no rounding.
/// - σ = k·sqrt(1/(2 ln 2)) and σ = s/sqrt(2π) are refused: their exponents are not rational.
///
/// Exact rejection from the uniform law on |x - c| <= tσ.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Rational, Sampler, bits::BitReader};
/// use samplez_core::samplers::Rejection;
/// use samplez_sources::{ChaCha20, Seed};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let sampler = Rejection::new(&law, Rational::from(13))?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!(sampler.sample(&mut bits).abs() <= 41);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rejection {
    target: DiscreteGaussian,
    /// The support.
    low: i64,
    high: i64,
    /// γ = (xd - a)²·top/bottom, c = a/d.
    a: i128,
    d: i128,
    top: u128,
    bottom: u128,
}

use super::common::below::uniform_bits;
use super::common::estimate::estimated_exp_neg;
use super::common::runs::run_from;
use super::common::trials::Attempt;
use super::common::trials::first_accepted;
use crate::bits::{BitSource, bernoulli, uniform_below};
use crate::params::{DiscreteGaussian, ParamError, Rational, Width};
use crate::profile::{Bound, Exactness, Profile, Timing};
use crate::sampler::Sampler;

/// Bounds every product of the constructor.
const LARGEST: u128 = 1 << 120;
/// Bounds |c|; tσ is below half of it, by the bounds of the products.
const REACH: u128 = 1 << 61;
/// The largest tail t: a wide law takes 0.8t attempts, and has less than 2^-1024 beyond t = 39.
const TAIL_MAX: u128 = 64;
/// Proposals that the expected cost is computed from: at least 32 in every σ.
const STRATA: u64 = 4096;

impl Rejection {
    /// Builds the sampler of this law, within `tail` times σ of its centre.
    ///
    /// # Errors
    ///
    /// [`ParamError`] unless
    ///
    /// - σ² is rational;
    /// - the tail is positive and at most 64;
    /// - the products in the head of this file are within the budget;
    /// - some integer is within tσ of the centre, and one is nearer than 4σ, without which almost every attempt fails.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, Rational, Width, samplers::Rejection};
    /// let irrational = DiscreteGaussian::new(Rational::ZERO, Width::S("8.35".parse()?))?;
    /// let message = Rejection::new(&irrational, Rational::from(13)).unwrap_err().to_string();
    /// assert_eq!(message, "s = 8.35: method rejection allows a rational sigma or `sigma_squared` only");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(law: &DiscreteGaussian, tail: Rational) -> Result<Self, ParamError> {
        let (width, center) = (law.width(), law.center());
        let refuse =
            |argument, value, allowed| ParamError::Unsupported { method: "rejection", argument, value, allowed };
        let refuse_width = |allowed| refuse(width.name(), width.value(), allowed);
        let (num, den) = (u128::from(width.value().num().unsigned_abs()), u128::from(width.value().den()));
        // σ² = A/B, below 2^126 and 2^128.
        let (top, bottom) = match width {
            Width::Sigma(_) => (num * num, den.checked_mul(den)),
            Width::SigmaSq(_) => (num, Some(den)),
            Width::KSigma2(_) | Width::S(_) => return Err(refuse_width("a rational sigma or `sigma_squared` only")),
        };
        if tail.num() <= 0 {
            return Err(ParamError::NotPositive { argument: "tail", value: tail });
        }
        let (p, q, d) = (u128::from(tail.num().unsigned_abs()), u128::from(tail.den()), u128::from(center.den()));
        if p > TAIL_MAX * q {
            return Err(refuse("tail", tail, "a tail above 0 and at most 64"));
        }
        let within = |product: Option<u128>| product.filter(|product| *product <= LARGEST);
        let budget =
            refuse_width("sigma^2 = A/B, center a/d and tail p/q with p^2*A*d^2 <= 2^120 and B*q^2 <= 2^120 only");
        let scaled = within(top.checked_mul(d).and_then(|x| x.checked_mul(d))).ok_or(budget)?;
        let upper = within(p.checked_mul(p).and_then(|p| p.checked_mul(scaled))).ok_or(budget)?;
        let b = bottom.ok_or(budget)?;
        let lower = within(q.checked_mul(q).and_then(|q| q.checked_mul(b))).ok_or(budget)?;
        // |xd - a| <= reach if and only if |x - c| <= tσ.
        let reach = (upper / lower).isqrt();
        if u128::from(center.floor().unsigned_abs()) > REACH {
            return Err(refuse("center", center, "|center| up to 2^61 only"));
        }
        let (a, d, reach) = (i128::from(center.num()), d as i128, reach as i128);
        let (low, high) = (-(reach - a).div_euclid(d), (a + reach).div_euclid(d));
        if low > high {
            return Err(refuse("tail", tail, "a tail with an integer within tail*sigma of the center"));
        }
        let (low, high) = (low as i64, high as i64);
        let rejection = Rejection { target: *law, low, high, a, d, top: b, bottom: 2 * scaled };
        // The integers beside c, as far as they are within the tail.
        let beside = [center.floor(), center.floor() + 1].map(|x| x.clamp(low, high));
        if beside.iter().all(|x| rejection.doubled_exponent(*x).0 >= 16) {
            return Err(refuse_width("sigma > 1/4 of center's distance to the nearest integer only"));
        }
        Ok(rejection)
    }

    /// 2γ = whole + rest/bottom: y²·top <= p²·A·d²/q² <= 2^120, whence 2y²·top < 2^122.
    #[inline(always)]
    fn doubled_exponent(&self, x: i64) -> (u128, u128) {
        let y = (i128::from(x) * self.d - self.a).unsigned_abs();
        let doubled = 2 * y * y * self.top;
        (doubled / self.bottom, doubled % self.bottom)
    }

    /// |x - c| and γ, rounded.
    fn place(&self, x: i128) -> (f64, f64) {
        let y = (x * self.d - self.a).unsigned_abs() as f64;
        (y / self.d as f64, y * y * (self.top as f64 / self.bottom as f64))
    }

    fn proposals(&self) -> u64 {
        self.high.abs_diff(self.low) + 1
    }

    /// Expected bits of an attempt, and its probability of success.
    fn cost(&self) -> (f64, f64) {
        let (m, strata) = (self.proposals(), self.proposals().min(STRATA));
        let (half, mut bits, mut accepted) = (estimated_exp_neg(0.5), uniform_bits(m), 0.0);
        for i in 0..strata {
            let offset = u128::from(2 * i + 1) * u128::from(m) / u128::from(2 * strata);
            let x = self.low + offset as i64;
            let (whole, rest) = self.doubled_exponent(x);
            // A coin e^-½ costs 2e^½ bits; the last one 2(e^r - 1)(1 + 1/r) for its exponent r.
            let survive = estimated_exp_neg(whole as f64 / 2.0);
            let r = rest as f64 / self.bottom as f64 / 2.0;
            let grown = 1.0 / estimated_exp_neg(r) - 1.0;
            let last = 2.0 * grown + if r < 1e-6 { 2.0 } else { 2.0 * grown / r };
            bits += (2.0 / half * (1.0 - survive) / (1.0 - half) + survive * last) / strata as f64;
            accepted += survive * estimated_exp_neg(r) / strata as f64;
        }
        (bits, accepted)
    }

    /// log2 of an upper bound of the mass outside the support.
    ///
    /// On either side, let δ be the distance of the first integer outside and γ its exponent. Then it is at most e^-γ
    /// Σ_{i>=0} e^(-2iγ/δ) <= e^-γ (1 + δ/2γ), over ρ(Z - c). For σ >= 1 that is at least 2.5σ, by Poisson summation;
    /// for any σ at least ρ at the integer nearest to c.
    fn log2_tail(&self) -> f64 {
        let sides = [self.place(i128::from(self.low) - 1), self.place(i128::from(self.high) + 1)];
        let exponent = sides[0].1.min(sides[1].1);
        let mass: f64 = sides
            .iter()
            .map(|(delta, gamma)| (1.0 + delta / (2.0 * gamma)) * estimated_exp_neg(gamma - exponent))
            .sum();
        let d = self.d.unsigned_abs();
        let sigma = (self.bottom / 2 / d / d / self.top).isqrt() as f64;
        let floor = i128::from(self.target.center().floor());
        let least = self.place(floor).1.min(self.place(floor + 1).1);
        let (mass, exponent) = if sigma >= 1.0 { (mass / (2.5 * sigma), exponent) } else { (mass, exponent - least) };
        // Rounding costs less than 2^-40 of the exponent, which counts as 2^-10 at 2^30.
        (log2_above(mass) - exponent * core::f64::consts::LOG2_E * (1.0 - 1e-12) + 1e-3).min(0.0)
    }
}

/// An upper bound of log2(x), x > 0 and normal, at most 0.0861 above it: log2(1 + f) <= f + 0.0861.
fn log2_above(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52) as f64 - 1023.0;
    let mantissa = f64::from_bits(x.to_bits() & (u64::MAX >> 12) | 1023 << 52);
    exponent + mantissa - 1.0 + 0.0861
}

/// True with probability e^(-num/den), num <= den <= 2^126: a run of coins γ/1, γ/2, …
fn exp_coin<B: BitSource + ?Sized>(num: u128, den: u128, bits: &mut B) -> bool {
    let mut heads = 0_u128;
    while bernoulli(1, heads + 1, bits) && bernoulli(num, den, bits) {
        heads += 1;
    }
    heads.is_multiple_of(2)
}

impl Attempt for Rejection {
    #[inline]
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        // step 1
        let x = self.low.wrapping_add_unsigned(uniform_below(self.proposals(), bits));
        // step 2
        let (h, rest) = self.doubled_exponent(x);
        // steps 3 and 4
        ((0..h).all(|_| run_from(1, 1, 2, bits)) && exp_coin(rest, 2 * self.bottom, bits)).then_some(x)
    }
}

impl Sampler for Rejection {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let (bits, accepted) = self.cost();
        let tail = self.log2_tail();
        // Given the support, Q/P = 1/(1 - tail) everywhere on it, and so is every R.
        let renyi = match tail {
            t if t <= -10.0 => t + 0.003,
            t if t <= -1.0 => t + 1.0,
            _ => f64::INFINITY,
        };
        let log2_renyi = [2, 256, 513].map(|order| (order, renyi));
        Profile {
            target: self.target.into(),
            exactness: Exactness::Within(Bound { log2_sd: tail, log2_renyi, log2_rinf: renyi, log2_tail: tail }),
            timing: Self::TIMING,
            support: self.low..=self.high,
            table_bytes: 0,
            expected_bits: bits / accepted,
            expected_trials: 1.0 / accepted,
        }
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        first_accepted(|| self.attempt(bits))
    }
}

#[cfg(test)]
mod tests;
