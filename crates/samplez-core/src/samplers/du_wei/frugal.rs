//! \[DW18\], Algorithms 4 and 5, bit by bit: no more bits than each decision needs.
//!
//! The steps are those of four.rs and five.rs, and so is the law, exactly. Every coin stops at the
//! first place in which a uniform differs from its probability.
//!
//! | Bits       | at σ = 215 and k = 254, each with its expectation computed by `profile`: Algorithm 4 takes 31.1 a sample (with the paper's own coins 37.0), Algorithm 5 21.1 with BIN (21.4 to 22.2), 20.3 with the walk |
//! | Memory     | none |
//!
//! Departures from the paper, besides those of four.rs and five.rs:
//! - *e^-γ* by a run of independent coins γ/1, γ/2 and so on, for the falling run of uniforms. A length of at least n
//!   has probability γ^n/n! in both, and no uniform is kept.
//! - *Step 6 of Algorithm 5* computes 2^-y = (1 - 1/2)^y = 1 - Σ_{n>=1} 2^-n · y/1 · (1-y)/2 ⋯ (n-1-y)/n for 0 <= y
//!   < 1. This is rational where ln 2 is not. If coin n fails, the result is true. If it succeeds, the result is false
//!   with probability 1/2. Otherwise the next coin follows. This takes 3.1 bits on average for y = z/k², where the
//!   paper's form takes 2.92 or 3.50.

use super::super::common::below::uniform_bits;
use super::super::common::estimate::estimated_exp_neg;
use super::super::common::exp_square::K_MAX;
use super::super::common::half_line::{HalfLine, W};
use super::super::common::trials::first_accepted;
use super::five::{self, DuWei5};
use super::four::{self, DuWei4};
use crate::bits::{BitSource, uniform_below};
use crate::coins::{coin_exp, coin_exp_bits, coin_exp2, coin_exp2_bits};
use crate::profile::{Profile, Timing};
use crate::sampler::Sampler;
use crate::samplers::common::trials::Attempt;

/// Proposals that an expected cost is computed from.
const STRATA: u64 = 1024;
/// Levels of the walk in which the paper's table decides.
const LEVELS: u32 = 60;

/// A sampler's law from fewer bits and more time: [`DuWei4::frugal`], [`DuWei5::frugal`].
///
/// ```
/// use samplez_core::{DiscreteGaussian, Rational, Sampler, Width, bits::BitReader};
/// use samplez_core::samplers::DuWei5;
/// use samplez_sources::{ChaCha20, Seed};
/// let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2("254".parse()?))?;
/// let wide = DuWei5::with_table_walk(&law)?;
/// let frugal = wide.frugal();
/// assert!(frugal.profile().expected_bits < 21.0 && wide.profile().expected_bits > 180.0);
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..1000).all(|_| frugal.sample(&mut bits).abs() < 2000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FrugalDuWei<S>(S);

impl DuWei4 {
    /// Returns the same law, bit by bit.
    pub fn frugal(&self) -> FrugalDuWei<DuWei4> {
        FrugalDuWei(self.clone())
    }
}

impl DuWei5 {
    /// Returns the same law, bit by bit.
    pub fn frugal(&self) -> FrugalDuWei<DuWei5> {
        FrugalDuWei(self.clone())
    }
}

/// The mean of `cost` over y in 0 … m-1 and over both signs, one of which adds 1 to y.
fn mean(m: u64, cost: impl Fn(u128) -> f64) -> f64 {
    let strata = m.min(STRATA);
    let place = |i: u64| u128::from(2 * i + 1) * u128::from(m) / u128::from(2 * strata);
    (0..strata).map(|i| cost(place(i)) + cost(place(i) + 1)).sum::<f64>() / (2 * strata) as f64
}

impl FrugalDuWei<DuWei4> {
    /// Expected bits of a trial: k, the sign, j, and steps 5 and 6.
    fn bits(&self) -> f64 {
        let sigma = u128::from(self.0.sigma);
        let square = sigma * sigma;
        let (half, half_bits) = (estimated_exp_neg(0.5), coin_exp_bits(1, 2));
        // A row of n coins e^-½ that ends with the first tail.
        let row = |n: f64| half_bits * (1.0 - estimated_exp_neg(n / 2.0)) / (1.0 - half);
        let (mut proposal, mut accepted, mut rest) = (0.0, 0.0, 0.0);
        for k in 0..64_u32 {
            let (weight, more) =
                ((1.0 - half) * estimated_exp_neg(f64::from(k) / 2.0), f64::from(k * k.saturating_sub(1)));
            proposal += weight * (f64::from(k + 1) * half_bits + row(more));
            let kept = weight * estimated_exp_neg(more / 2.0);
            if kept < 1e-9 {
                continue;
            }
            accepted += kept;
            let steps = mean(self.0.sigma, |j| {
                let i = j * (j + 2 * u128::from(k) * sigma);
                let whole = (i / square) as f64;
                row(whole) + estimated_exp_neg(whole / 2.0) * coin_exp_bits(i % square, 2 * square)
            });
            rest += kept * steps;
        }
        (proposal + rest) / accepted + 1.0 + uniform_bits(self.0.sigma)
    }
}

impl Attempt for FrugalDuWei<DuWei4> {
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        // Steps 1 and 2
        let mut k = 0;
        while coin_exp(1, 2, bits) {
            k += 1;
            if k == K_MAX {
                return None;
            }
        }
        if !(0..k * k.saturating_sub(1)).all(|_| coin_exp(1, 2, bits)) {
            return None;
        }
        // Step 3
        let negative = bits.bit();
        let j = uniform_below(self.0.sigma, bits) + u64::from(negative);
        // Steps 4 to 6: k < K_MAX, i < 2^97
        let (sigma, wide) = (u128::from(self.0.sigma), u128::from(j));
        let (square, i) = (sigma * sigma, wide * (wide + 2 * u128::from(k) * sigma));
        let accepted = (0..i / square).all(|_| coin_exp(1, 2, bits)) && coin_exp(i % square, 2 * square, bits);
        // Step 7
        let value = (k * self.0.sigma + j) as i64;
        accepted.then_some(self.0.center + if negative { -value } else { value })
    }
}

impl FrugalDuWei<DuWei5> {
    /// Expected bits of a trial: x, the sign, y, and steps 5 and 6.
    fn bits(&self) -> f64 {
        let k = u128::from(self.0.k);
        let square = k * k;
        let steps = |x: u32| {
            let weight = 1.0 / (1_u64 << (x * x)) as f64 / W;
            let cost = mean(self.0.k, |y| {
                let i = y * (y + 2 * u128::from(x) * k);
                let all = 1.0 / (1_u64 << (i / square)) as f64;
                2.0 - 2.0 * all + all * coin_exp2_bits(i % square, square)
            });
            weight * cost
        };
        self.0.half_line.bits() + 1.0 + uniform_bits(self.0.k) + (0..5).map(steps).sum::<f64>()
    }

    /// An attempt whose walk leaves its table after P levels. The law does not depend on P.
    fn attempt_with<const P: u32, B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        // Step 1
        let x = match self.0.half_line {
            HalfLine::Bin => HalfLine::bin(bits),
            HalfLine::KnuthYao => HalfLine::walk::<P, B>(bits),
        }?;
        // Steps 2 and 3
        let negative = bits.bit();
        let y = uniform_below(self.0.k, bits) + u64::from(negative);
        // Steps 4 to 6: x < X_END, i < 2^91
        let (k, wide) = (u128::from(self.0.k), u128::from(y));
        let (square, i) = (k * k, wide * (wide + 2 * u128::from(x) * k));
        let accepted = (0..i / square).all(|_| bits.bit()) && coin_exp2(i % square, square, bits);
        // Step 7
        let value = (self.0.k * x + y) as i64;
        accepted.then_some(self.0.center + if negative { -value } else { value })
    }
}

#[cfg(feature = "testing")]
impl FrugalDuWei<DuWei5> {
    /// Makes an attempt whose walk leaves its table after P levels, for the exact law tests.
    pub fn attempt_narrow<const P: u32, B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        self.attempt_with::<P, B>(bits)
    }
}

impl Attempt for FrugalDuWei<DuWei5> {
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        self.attempt_with::<LEVELS, B>(bits)
    }
}

impl Sampler for FrugalDuWei<DuWei4> {
    const TIMING: Timing = Timing::Variable;

    /// A trial is a proposal (k, j, s).
    fn profile(&self) -> Profile {
        Profile { expected_bits: four::TRIALS * self.bits(), table_bytes: 0, ..self.0.profile() }
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        first_accepted(|| self.attempt(bits))
    }
}

impl Sampler for FrugalDuWei<DuWei5> {
    const TIMING: Timing = Timing::Variable;

    /// A trial is a proposal (x, y, s).
    fn profile(&self) -> Profile {
        Profile { expected_bits: five::TRIALS * self.bits(), table_bytes: 0, ..self.0.profile() }
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        first_accepted(|| self.attempt(bits))
    }
}

#[cfg(test)]
mod tests;
