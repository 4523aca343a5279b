//! \[DW18\], Algorithm 5, for σ = k·σ₂ = k·sqrt(1/(2 ln 2)) with an integer k. Everything is a
//! power of 2: exp(-z²/2σ²) = 2^(-z²/k²).
//!
//! ```text
//! 1  x ← Z+, P(x) ~ 2^(-x²)                 BIN, or Algorithm 9
//! 2  y ← {0, …, k-1}; s ← ±1
//! 3  if s = -1, y ← y + 1                   (zero comes once)
//! 4  i ← y² + 2kxy
//! 5  accept with probability 2^-⌊i/k²⌋, else 1
//! 6  accept with probability 2^-(z/k²), z = i mod k², else 1
//! 7  return s(kx + y)
//! ```
//!
//! The law is exact given that x < 2^10, which fails with probability below 2^-(2^19).
//!
//! Departures from the paper.
//! - *Corrections* (docs/errata.md, [DW18] 2 to 5): y ranges over {0, …, k-1} and is shifted, not j. Step 6 is not the
//!   paper's Algorithm 6, whose branches are exchanged and whose comparison stops at t bits. The walk of Algorithm 9
//!   has no end of table to fall off.
//! - *Step 6.* The run y > u_1 > u_2 > … thinned by coins ln 2 becomes a run of independent coins (z/k²)/n · ln 2. For
//!   n = 1, 2 and so on, its length is at least n with probability γ^n/n!, γ = z ln 2/k², as required. A coin is two
//!   lazy uniforms, one against the rational z/(k²n) and one against ln 2.
//! - *Step 1* is a table over 12 places of its uniform, and over the further places where the table leaves x open
//!   (probability 2^-12). A restart of BIN is a rejection of the attempt.
//! - One draw of 64 bits has x's prefix, s, 7 coins of step 5 and y. Another has the first three coins of step 6, two
//!   times ten bits each. The comparisons are made in 64-bit fixed point where that is certain to be right. Elsewhere
//!   (0.5% of attempts), for runs of three and more and for x > 3, they are exact. They then use the same bits and
//!   further ones.
//! - A rejection does not break off; `fill` writes it over with the next attempt.
//! - c is added at the end.

use super::super::common::below::below;
use super::super::common::half_line::{HalfLine, OPEN, REJECT, W, X_END};
use super::super::common::ln2::{LN2_64, is_below_ln2};
use super::super::common::trials::{fill_accepted, first_accepted};
use super::exponent::{Exponent, SLACK, Verdict, run};
use crate::bits::{BitSource, LazyUniform};
use crate::params::{DiscreteGaussian, ParamError, Width};
use crate::product::high;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::samplers::common::trials::Attempt;

/// The largest k: a sample is below (X_END + 1)·k < 2^51.
const K_MAX: u64 = 1 << 40;
/// The largest |c|.
const CENTER_MAX: u64 = 1 << 62;
/// Entries of the table of x.
const PREFIXES: usize = 4096;
/// Coins of step 5 that are drawn at once: 2x + 1 are needed at most, and x <= 3 goes the fast way.
const FAIR: u32 = 7;
/// Bits that y is drawn from.
const Y: u32 = 44;
/// Bits of each half of a coin.
const COIN: u32 = 10;

/// Exact sampling of D_{Z,σ,c} for σ = k·sqrt(1/(2 ln 2)), integers k and c.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Rational, Sampler, Width, bits::BitReader};
/// use samplez_core::samplers::DuWei5;
/// use samplez_sources::{ChaCha20, Seed};
/// // BLISS-I: σ = 254·sqrt(1/(2 ln 2)) = 215.73.
/// let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2("254".parse()?))?;
/// let sampler = DuWei5::with_table_walk(&law)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i16; 1000];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| x.abs() < 2000));
/// assert!(sampler.profile().exactness.is_exact());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DuWei5 {
    target: DiscreteGaussian,
    pub(super) center: i64,
    pub(super) k: u64,
    /// 2^Y mod k, for the draw of y.
    threshold: u64,
    exponent: Exponent,
    pub(super) half_line: HalfLine,
}

impl DuWei5 {
    /// Builds the sampler of this law whose x comes from BIN: `du-wei-5`.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless the width is [`Width::KSigma2`] of an integer k <= 2^40
    /// and the centre an integer with |c| <= 2^62.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, Rational, Width, samplers::DuWei5};
    /// let law = |width| DiscreteGaussian::new(Rational::ZERO, width);
    /// assert!(DuWei5::new(&law(Width::KSigma2("254".parse()?))?).is_ok());
    /// let error = DuWei5::new(&law(Width::Sigma("215".parse()?))?).unwrap_err();
    /// assert!(error.to_string().contains("k_sigma2"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(law: &DiscreteGaussian) -> Result<Self, ParamError> {
        Self::with(law, HalfLine::Bin, "du-wei-5")
    }

    /// Builds the sampler of this law whose x comes from the Knuth–Yao walk by table: `du-wei-5-ky`.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    ///
    /// ```
    /// # use samplez_core::{DiscreteGaussian, Rational, Width, samplers::DuWei5};
    /// let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2("5/2".parse()?))?;
    /// assert!(DuWei5::with_table_walk(&law).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_table_walk(law: &DiscreteGaussian) -> Result<Self, ParamError> {
        Self::with(law, HalfLine::KnuthYao, "du-wei-5-ky")
    }

    fn with(law: &DiscreteGaussian, half_line: HalfLine, method: &'static str) -> Result<Self, ParamError> {
        let (width, center) = (law.width(), law.center());
        let refuse = |argument, value, allowed| Err(ParamError::Unsupported { method, argument, value, allowed });
        let value = width.value();
        let Width::KSigma2(q) = width else {
            return refuse(width.name(), value, "a width given as `k_sigma2` only, sigma = k*sqrt(1/(2 ln 2))");
        };
        let k = q.num().unsigned_abs();
        if !q.is_integer() || k > K_MAX {
            return refuse(width.name(), value, "integers k <= 2^40 only");
        }
        if !center.is_integer() || center.num().unsigned_abs() > CENTER_MAX {
            return refuse("center", center, "integers with |center| <= 2^62 only");
        }
        Ok(DuWei5 {
            target: *law,
            center: center.num(),
            k,
            threshold: (1 << Y) % k,
            exponent: Exponent::new(k),
            half_line,
        })
    }

    /// Makes one attempt, and returns whether it is accepted. It has P prefixes of x, F coins of step 5, J bits for y
    /// and C bits for each half of a coin. The law does not depend on them.
    #[inline(always)]
    fn attempt_with<const P: usize, const F: u32, const J: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        threshold: u64,
        bits: &mut B,
    ) -> (bool, i64) {
        let p = const { P.ilog2() };
        let draw = bits.bits(p + 1 + F + J);
        // Step 1
        let entry = self.half_line.table::<P>()[draw as usize % P];
        let mut x = u64::from(entry & !REJECT);
        let mut accepted = entry != REJECT;
        if entry == OPEN {
            match self.half_line.settle(p, bits) {
                Some(far) => x = far,
                None => return (false, 0),
            }
        }
        // Steps 2 and 3
        let negative = draw >> p & 1 != 0;
        let fair = draw >> (p + 1) & ((1 << F) - 1);
        let y = below::<J, B>(draw >> (p + 1 + F), self.k, threshold, bits) + u64::from(negative);
        // Steps 4 to 6
        let coins = Coins::<C>(bits.bits(6 * C));
        let quick = if x <= 3 { self.quick::<F, C>(x, y, fair, coins) } else { None };
        accepted &= match quick {
            Some(decision) => decision,
            None => self.exact::<F, C, B>(x, y, fair, coins, bits),
        };
        // Step 7
        let value = (self.k * x + y) as i64;
        (accepted, self.center + if negative { -value } else { value })
    }

    /// Decides as [`exact`](Self::exact), where the drawn bits are certain to settle it.
    #[inline(always)]
    fn quick<const F: u32, const C: u32>(&self, x: u64, y: u64, fair: u64, coins: Coins<C>) -> Option<bool> {
        let exponent = self.exponent.estimate(x, y);
        let (whole, part) = ((exponent >> 64) as u32, exponent as u64);
        let mask = (1 << whole) - 1;
        let (settled, even) =
            run([coins.compare(0, part), coins.compare(1, part / 2), coins.compare(2, high(part, u64::MAX / 3))]);
        (settled & (part < u64::MAX - SLACK) & (whole <= F)).then_some(even & (fair & mask == mask))
    }

    /// Steps 4 to 6, with F coins of step 5 and three of step 6 drawn, and the others lazily.
    #[cold]
    #[inline(never)]
    fn exact<const F: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        x: u64,
        y: u64,
        fair: u64,
        coins: Coins<C>,
        bits: &mut B,
    ) -> bool {
        // With x < X_END everything stays below 2^91.
        let (x, y, k) = (u128::from(x), u128::from(y), u128::from(self.k));
        let i = y * y + 2 * k * x * y;
        let (whole, z) = (i / (k * k), i % (k * k));
        for n in 0..whole {
            let heads = if n < u128::from(F) { fair >> n & 1 != 0 } else { bits.bit() };
            if !heads {
                return false;
            }
        }
        if z == 0 {
            return true;
        }
        let mut heads = 0;
        while coins.is_heads(heads, z, k * k, bits) {
            heads += 1;
        }
        heads.is_multiple_of(2)
    }

    #[inline(always)]
    fn attempt_fast<B: BitSource + ?Sized>(&self, bits: &mut B) -> (bool, i64) {
        self.attempt_with::<PREFIXES, FAIR, Y, COIN, B>(self.threshold, bits)
    }

    /// Makes an attempt with draws as narrow as these widths, so that the exact law tests can walk every draw. The
    /// code and the law of [`Attempt::attempt`] are unchanged.
    #[cfg(feature = "testing")]
    pub fn attempt_narrow<const P: usize, const F: u32, const J: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
    ) -> Option<i64> {
        let (accepted, value) = self.attempt_with::<P, F, J, C, B>((1 << J) % self.k, bits);
        accepted.then_some(value)
    }
}

/// The first three coins of step 6: for each, C places of a uniform u and C of a uniform v. The
/// coin of number n is heads if u < z/(k²(n + 1)) and v < ln 2.
#[derive(Clone, Copy)]
struct Coins<const C: u32>(u64);

impl<const C: u32> Coins<C> {
    #[inline(always)]
    fn places(self, half: u32) -> u64 {
        self.0 >> (half * C) & ((1 << C) - 1)
    }

    /// The coin of number n, given u's goal in 2^-64, short by less than SLACK.
    #[inline(always)]
    fn compare(self, n: u32, goal: u64) -> Verdict {
        Verdict::below::<C>(self.places(2 * n), goal).and(Verdict::below_constant::<C>(self.places(2 * n + 1), LN2_64))
    }

    fn is_heads<B: BitSource + ?Sized>(self, n: u32, z: u128, k2: u128, bits: &mut B) -> bool {
        let den = k2 * u128::from(n + 1);
        if n < 3 {
            LazyUniform::new(self.places(2 * n), C).is_below(z, den, bits)
                && is_below_ln2::<C, B>(self.places(2 * n + 1), bits)
        } else {
            LazyUniform::new(0, 0).is_below(z, den, bits) && is_below_ln2::<0, B>(0, bits)
        }
    }
}

impl Attempt for DuWei5 {
    #[inline]
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        let (accepted, value) = self.attempt_fast(bits);
        accepted.then_some(value)
    }
}

impl Sampler for DuWei5 {
    const TIMING: Timing = Timing::Variable;

    /// A trial is a proposal (x, y, s); BIN's restarts are not counted as such.
    fn profile(&self) -> Profile {
        let attempts = TRIALS / self.half_line.acceptance();
        let redraw = self.threshold as f64 / (1_u64 << Y) as f64;
        let each = f64::from(PREFIXES.ilog2() + 1 + FAIR + Y + 6 * COIN) + redraw * f64::from(self.k.ilog2() + 2);
        let reach = (self.k * X_END) as i64;
        Profile {
            target: self.target.into(),
            exactness: Exactness::Exact,
            timing: Self::TIMING,
            support: self.center - reach..=self.center + reach,
            table_bytes: PREFIXES,
            expected_bits: attempts * (each + EXTRA_BITS),
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

/// 2kw/Σ 2^(-z²/k²) = 2w·sqrt(ln 2/π), except for a factor 1 - 2e^(-π²k²/ln 2) > 1 - 2^-19.
pub(super) const TRIALS: f64 = W * 0.939_437_278_699_651_3;

/// Bits that runs longer than two, and draws that were too close, add to an attempt on average.
/// A test compares the sum with a count.
const EXTRA_BITS: f64 = 0.1;
