//! \[DW18\], Algorithm 4, for an integer σ.
//!
//! ```text
//! 1  k ← geometric, P(k) ~ exp(-k/2)                        coins e^-½
//! 2  accept k with probability exp(-k(k-1)/2), else 1
//! 3  s ← ±1; j ← {0, …, σ-1}; if s = -1, j ← j + 1          (zero comes once)
//! 4  i ← 2jkσ + j²
//! 5  accept with probability e^(-½⌊i/σ²⌋), else 1
//! 6  accept with probability e^(-z/2σ²), z = i mod σ², else 1
//! 7  return s(kσ + j)
//! ```
//!
//! The law is exact given that k < 2^15, as it is for [`Karney`](super::super::karney::Karney).
//!
//! Departures from the paper.
//! - *Correction* (docs/errata.md, [DW18] 1): step 5 tosses ⌊i/σ²⌋ coins; printed is ⌊i/2σ²⌋.
//! - *Steps 1 and 2*: k is drawn as in karney.rs, by inversion, from a prefix of 12 bits.
//! - *Step 5*: five coins are 12-bit draws against e^-½. One that has its very places (probability 2^-12) is continued.
//!   All doubt lies between two partial sums of the series, and there a run of rational coins decides.
//! - *Step 6*: a run of independent coins γ/1, γ/2, …, γ = z/(2σ²), for the falling run of uniforms. Three of 20 bits
//!   are drawn at once.
//! - Comparisons in fixed point, exact where those are not certain, and no breaking off, as in
//!   five.rs. c is added at the end.

use super::super::common::below::below;
use super::super::common::exp_square::{K_EXTRA_BITS, K_MAX, KTable, PREFIXES, UNIT, coin_h, draw_k, partial_sum};
use super::super::common::locate::locate;
use super::super::common::runs::run_from;
use super::super::common::trials::{fill_accepted, first_accepted};
use super::exponent::{Exponent, SLACK, Verdict, run};
use crate::bits::{BitSource, LazyUniform};
use crate::params::{DiscreteGaussian, ParamError};
use crate::product::high;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::samplers::common::trials::Attempt;

/// The largest σ: a sample is at most K_MAX·σ <= 2^55.
const SIGMA_MAX: u64 = 1 << 40;
/// The largest |c|.
const CENTER_MAX: u64 = 1 << 62;
/// Bits that j is drawn from.
const J: u32 = 51;
/// Coins of step 5 that are drawn at once: enough for k <= 2.
const HALVES: u32 = 5;
/// Bits of a coin of step 5.
const HALF: u32 = 12;
/// Bits of a coin of step 6.
const COIN: u32 = 20;
/// ⌊2^64·e^-½⌋.
const EXP_HALF_64: u64 = 0x9b45_97e3_7cb0_4ff3;

/// Exact sampling of D_{Z,σ,c} for integers σ and c.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Rational, Sampler, bits::BitReader};
/// use samplez_core::samplers::DuWei4;
/// use samplez_sources::{ChaCha20, Seed};
/// let sampler = DuWei4::new(&DiscreteGaussian::with_sigma(Rational::from(215))?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i16; 1000];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| x.abs() < 2000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DuWei4 {
    target: DiscreteGaussian,
    pub(super) center: i64,
    pub(super) sigma: u64,
    /// 2^J mod σ, for the draw of j.
    threshold: u64,
    exponent: Exponent,
}

impl DuWei4 {
    /// Builds the sampler of this law: `du-wei-4`.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless σ is an integer (`Width::Sigma`, or `SigmaSq` of a
    /// square) up to 2^40 and the centre an integer with |c| <= 2^62.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, samplers::DuWei4};
    /// let error = DuWei4::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?).unwrap_err();
    /// assert!(error.to_string().contains("integer"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(law: &DiscreteGaussian) -> Result<Self, ParamError> {
        let (width, center) = (law.width(), law.center());
        let refuse =
            |argument, value, allowed| ParamError::Unsupported { method: "du-wei-4", argument, value, allowed };
        let sigma = width
            .rational_sigma()
            .filter(|sigma| sigma.is_integer() && sigma.num().unsigned_abs() <= SIGMA_MAX)
            .ok_or(refuse(width.name(), width.value(), "integers sigma <= 2^40 only"))?
            .num()
            .unsigned_abs();
        if !center.is_integer() || center.num().unsigned_abs() > CENTER_MAX {
            return Err(refuse("center", center, "integers with |center| <= 2^62 only"));
        }
        Ok(DuWei4 {
            target: *law,
            center: center.num(),
            sigma,
            threshold: (1 << J) % sigma,
            exponent: Exponent::new(sigma),
        })
    }

    /// Makes one attempt, and returns whether it is accepted. It has P prefixes of k, J bits for j, H bits for each
    /// coin of step 5 and C for each of step 6. The law does not depend on them.
    #[inline(always)]
    fn attempt_with<const P: usize, const J: u32, const H: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        threshold: u64,
        bits: &mut B,
    ) -> (bool, i64) {
        let p = const { P.ilog2() };
        let draw = bits.bits(p + 1 + J);
        // Steps 1 and 2
        let mut k = u64::from(KTable::<P>::TABLE[draw as usize % P]);
        // Step 3
        let negative = draw >> p & 1 != 0;
        let j = below::<J, B>(draw >> (p + 1), self.sigma, threshold, bits) + u64::from(negative);
        if k > 2 {
            // Open, as the table settles nothing larger.
            k = draw_k(draw % P as u64, p, bits);
        }
        // Steps 4 to 6
        let coins = Coins::<H, C> { halves: bits.bits(HALVES * H), run: bits.bits(3 * C) };
        let quick = if k <= 2 { self.quick(k, j, coins) } else { None };
        let accepted = match quick {
            Some(decision) => decision,
            None => self.exact(k, j, coins, bits),
        };
        // Step 7
        let value = (k * self.sigma + j) as i64;
        (accepted, self.center + if negative { -value } else { value })
    }

    /// Decides as [`exact`](Self::exact), where the drawn bits are certain to settle it.
    #[inline(always)]
    fn quick<const H: u32, const C: u32>(&self, k: u64, j: u64, coins: Coins<H, C>) -> Option<bool> {
        let exponent = self.exponent.estimate(k, j);
        let (whole, part) = ((exponent >> 64) as u32, exponent as u64);
        let mask = (1_u32 << whole) - 1;
        let (mut heads, mut tails) = (0, 0);
        for n in 0..HALVES {
            let verdict = Verdict::below_constant::<H>(coins.half(n), EXP_HALF_64);
            heads |= u32::from(verdict.yes) << n;
            tails |= u32::from(verdict.no) << n;
        }
        let (settled, even) = run([
            Verdict::below::<C>(coins.place(0), part / 2),
            Verdict::below::<C>(coins.place(1), part / 4),
            Verdict::below::<C>(coins.place(2), high(part, u64::MAX / 6)),
        ]);
        let all = heads & mask == mask;
        (settled & (all | (tails & mask != 0)) & (part < u64::MAX - SLACK) & (whole <= HALVES)).then_some(all & even)
    }

    /// Steps 4 to 6, with five coins of step 5 and three of step 6 drawn, and the others lazily.
    #[cold]
    #[inline(never)]
    fn exact<const H: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        k: u64,
        j: u64,
        coins: Coins<H, C>,
        bits: &mut B,
    ) -> bool {
        // k < K_MAX: i < 2^97.
        let (k, j, sigma) = (u128::from(k), u128::from(j), u128::from(self.sigma));
        let square = sigma * sigma;
        let i = j * (j + 2 * k * sigma);
        for n in 0..i / square {
            let heads = if n < HALVES.into() { is_below_exp_half(coins.half(n as u32), H, bits) } else { coin_h(bits) };
            if !heads {
                return false;
            }
        }
        let z = i % square;
        if z == 0 {
            return true;
        }
        let mut heads = 0;
        loop {
            let known = if heads < 3 { LazyUniform::new(coins.place(heads), C) } else { LazyUniform::new(0, 0) };
            if !known.is_below(z, 2 * square * u128::from(heads + 1), bits) {
                return heads.is_multiple_of(2);
            }
            heads += 1;
        }
    }

    #[inline(always)]
    fn attempt_fast<B: BitSource + ?Sized>(&self, bits: &mut B) -> (bool, i64) {
        self.attempt_with::<PREFIXES, J, HALF, COIN, B>(self.threshold, bits)
    }

    /// Makes an attempt with draws as narrow as these widths, so that the exact law tests can walk every draw. The
    /// code and the law of [`Attempt::attempt`] are unchanged.
    #[cfg(feature = "testing")]
    pub fn attempt_narrow<const P: usize, const J: u32, const H: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
    ) -> Option<i64> {
        let (accepted, value) = self.attempt_with::<P, J, H, C, B>((1 << J) % self.sigma, bits);
        accepted.then_some(value)
    }
}

/// Whether a uniform is below e^-½ whose first `len` places, most significant first, are `prefix`.
///
/// e^-½ lies between the partial sums of orders 5 and 6 of its series. Between the two, the rest of the series is a run
/// of coins.
fn is_below_exp_half<B: BitSource + ?Sized>(prefix: u64, len: u32, bits: &mut B) -> bool {
    const ENDS: [u64; 3] = [partial_sum(1, 5), partial_sum(1, 6), UNIT];
    match locate(prefix, len, UNIT.into(), ENDS.len(), |i| ENDS[i].into(), bits) {
        0 => true,
        1 => run_from(7, 1, 2, bits),
        _ => false,
    }
}

/// The drawn coins: five of H places for step 5, three of C places for step 6.
#[derive(Clone, Copy)]
struct Coins<const H: u32, const C: u32> {
    halves: u64,
    run: u64,
}

impl<const H: u32, const C: u32> Coins<H, C> {
    #[inline(always)]
    fn half(self, n: u32) -> u64 {
        self.halves >> (n * H) & ((1 << H) - 1)
    }

    #[inline(always)]
    fn place(self, n: u32) -> u64 {
        self.run >> (n * C) & ((1 << C) - 1)
    }
}

impl Attempt for DuWei4 {
    #[inline]
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        let (accepted, value) = self.attempt_fast(bits);
        accepted.then_some(value)
    }
}

impl Sampler for DuWei4 {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let redraw = self.threshold as f64 / (1_u64 << J) as f64;
        let each = f64::from(PREFIXES.ilog2() + 1 + J + HALVES * HALF + 3 * COIN)
            + K_EXTRA_BITS
            + redraw * f64::from(self.sigma.ilog2() + 2);
        let reach = (self.sigma * K_MAX) as i64;
        Profile {
            target: self.target.into(),
            exactness: Exactness::Exact,
            timing: Self::TIMING,
            support: self.center - reach..=self.center + reach,
            table_bytes: PREFIXES,
            expected_bits: TRIALS * each,
            expected_trials: TRIALS,
        }
    }

    #[inline]
    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        fill_accepted(out, || self.attempt_fast(bits))
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        first_accepted(|| self.attempt(bits))
    }
}

/// 2σ·Σ_{k>=0} e^(-k²/2) / Σ_z e^(-z²/2σ²), except for a factor 1 - 2e^(-2π²σ²) > 1 - 2^-27.
pub(super) const TRIALS: f64 = 1.398_942_285_752_008_7;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::reader;

    /// Outside of the partial sums S_5 and S_6 the places decide, between them true has the
    /// probability (e^-½ - S_5)/(S_6 - S_5).
    #[test]
    fn a_coin_is_exact_between_the_partial_sums() {
        let mut bits = reader(9);
        let sum = |order| partial_sum(1, order) as f64 / UNIT as f64;
        let (low, high, half) = (sum(5), sum(6), (-0.5_f64).exp());
        let prefix = |u: f64| (u * f64::from(1 << 20)) as u64;
        assert!(is_below_exp_half(prefix(low) - 1, 20, &mut bits));
        assert!(!is_below_exp_half(prefix(high) + 1, 20, &mut bits));
        let (n, p) = (100_000, (half - low) / (high - low));
        let hits = (0..n).filter(|_| is_below_exp_half(prefix(half), 20, &mut bits)).count() as f64;
        let deviation = (p * (1.0 - p) * f64::from(n)).sqrt();
        assert!((hits - p * f64::from(n)).abs() < 5.0 * deviation, "{hits} of {n}, expected {p}");
        assert_eq!(EXP_HALF_64 >> 44, prefix(half));
    }
}
