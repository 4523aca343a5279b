//! Discrete and rounded Laplace laws: probabilities, and the coins of the sampler in constant time. Proof: docs/proofs/discrete-laplace.md.

use crate::fixed::{Interval, Natural, Scaled, add, exp_neg, less};
use crate::remainder::{LIMBS, uniform};
use samplez_core::bits::BitSource;
use samplez_core::samplers::{DiscreteLaplaceCt, LaplaceCoin, LaplaceCoins};
use samplez_core::{ParamError, Rational};

/// Multiples of λ up to which all but 2^-1000 of the law lies: e^-700 < 2^-1009.
const REACH: u128 = 700;
/// e^-x is below 2^-BEYOND for the exponents that no interval has: from 2^20 on.
const BEYOND: i32 = 1_512_000;

/// e^(-steps/λ).
fn power<const N: usize>(scale: Rational, steps: u128) -> Scaled<N> {
    power_over(scale, steps, &[scale.num().unsigned_abs()])
}

/// e^(-steps·d/divisors), with the scale λ = n/d.
fn power_over<const N: usize>(scale: Rational, steps: u128, divisors: &[u64]) -> Scaled<N> {
    let exponent = Natural::new(steps).times(scale.den()).over(divisors);
    exponent.map_or(Scaled::below(BEYOND), |exponent| exp_neg(&exponent))
}

/// 1/(1 + x) for x <= 1.
fn share<const N: usize>(x: &Scaled<N>) -> Interval<N> {
    Interval::ONE.add(&x.fixed()).reciprocal()
}

/// P(X > x) for x >= 0: q^(x + 1)/(1 + q), and q^(x + 1/2)/2 of the integer nearest to a Laplace variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaplaceTails<const N: usize> {
    scale: Rational,
    is_rounded: bool,
    /// 1/(1 + q) or 1/2.
    share: Interval<N>,
}

impl<const N: usize> LaplaceTails<N> {
    pub(crate) fn new(scale: Rational) -> Self {
        LaplaceTails { scale, is_rounded: false, share: share(&power(scale, 1)) }
    }

    pub(crate) fn rounded(scale: Rational) -> Self {
        LaplaceTails { scale, is_rounded: true, share: Interval::ONE.div_small(2) }
    }

    /// The end of `i64` stands for all beyond.
    pub(crate) fn above(&self, x: i64) -> Scaled<N> {
        let steps = u128::from(x.unsigned_abs()) + 1;
        let power = match self.is_rounded {
            _ if x == i64::MAX => return Scaled::ZERO,
            false => power(self.scale, steps),
            true => power_over(self.scale, 2 * steps - 1, &[self.scale.num().unsigned_abs(), 2]),
        };
        power.mul(&self.share)
    }

    /// All beyond this value have less than 2^-1000 together.
    pub(crate) fn reach(&self) -> i64 {
        (REACH * u128::from(self.scale.num().unsigned_abs()) / u128::from(self.scale.den())) as i64 + 1
    }
}

/// The probabilities of the coins of a [`DiscreteLaplaceCt`], with 512 bits.
///
/// If these do not decide a comparison, which has a probability below 2^-470 for each sample, the source is
/// [condemned](BitSource::condemn).
#[derive(Clone, Copy, Debug)]
pub struct LaplaceDigits {
    scale: Rational,
}

impl LaplaceDigits {
    fn probability(&self, coin: LaplaceCoin) -> Interval<LIMBS> {
        let (log2, factor) = match coin {
            LaplaceCoin::Beyond(n) => return power(self.scale, 1 << n).fixed(),
            LaplaceCoin::Digit(j) => (j, 1),
            LaplaceCoin::NotZero => (0, 2),
        };
        let power = power(self.scale, 1 << log2);
        power.fixed().mul(&share(&power)).times(factor)
    }
}

impl LaplaceCoins for LaplaceDigits {
    fn leading(&self, coin: LaplaceCoin) -> u64 {
        self.probability(coin).lo[LIMBS - 2] >> 1
    }

    fn is_below<B: BitSource + ?Sized>(&self, coin: LaplaceCoin, known: u32, bits: &mut B) -> bool {
        let probability = self.probability(coin);
        let mut number = uniform(known, bits);
        number[LIMBS - 2] |= probability.lo[LIMBS - 2] & !(u64::MAX >> known);
        // The numbers that begin with these digits are below the next one.
        let next = add(&number, &Interval::<LIMBS> { lo: [0; LIMBS], width: 1 }.hi().unwrap_or([0; LIMBS]));
        let is_below = !less(&probability.lo, &next);
        if !is_below && probability.hi().is_none_or(|end| less(&number, &end)) {
            bits.condemn();
        }
        is_below
    }
}

/// Builds the constant-time sampler of a discrete Laplace law.
///
/// # Errors
///
/// [`ParamError::Unsupported`] unless 2^-16 <= `scale` <= 2^50.
///
/// ```
/// use samplez_core::{Sampler, bits::BitReader};
/// use samplez_sources::{ChaCha20, Seed};
/// let noise = samplez_tables::build_laplace("10".parse()?)?;
/// let mut out = [0_i16; 1000];
/// noise.fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))), &mut out)?;
/// assert!(out.iter().all(|x| x.abs() < 300));
/// let e = samplez_tables::build_laplace("0".parse()?).unwrap_err();
/// assert_eq!(e.to_string(), "scale = 0: method discrete-laplace allows 2^-16 <= scale <= 2^50");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_laplace(scale: Rational) -> Result<DiscreteLaplaceCt<LaplaceDigits>, ParamError> {
    DiscreteLaplaceCt::new(scale, LaplaceDigits { scale })
}

#[cfg(test)]
mod tests;
