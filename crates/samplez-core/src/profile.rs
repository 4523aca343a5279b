//! The declarations of a sampler about itself: [`Profile`], [`Exactness`], [`Bound`], [`Timing`].

use crate::params::NoiseLaw;
use core::f64::consts::LN_2;
use core::fmt;
use core::ops::RangeInclusive;

/// How the running time depends on the secrets: the sample, and the random bits.
///
/// ```
/// use samplez_core::Timing;
/// assert_eq!(Timing::Variable.to_string(), "variable");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timing {
    /// No branch, index or address depends on a random bit.
    Constant,
    /// Time varies, but its law is independent of the returned value.
    Isochronous,
    /// Time, branches or memory addresses may reveal the returned value.
    Variable,
    /// Nothing is promised, because a WebAssembly engine compiles the code again. No sampler declares this class: builds for
    /// WebAssembly report it of samplers that are constant or isochronous elsewhere.
    Unpromised,
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Timing::Constant => "constant",
            Timing::Isochronous => "isochronous",
            Timing::Variable => "variable",
            Timing::Unpromised => "unpromised",
        })
    }
}

/// Upper bounds of the distance of the sampled law Q from the ideal law P, given ideal random bits. Each field is an
/// upper bound of a base-2 logarithm.
///
/// ```
/// use samplez_core::Bound;
/// let b = Bound::new(-123.8, [(2, -244.0), (256, -129.2), (513, -129.2)], -120.8, -126.0);
/// assert_eq!(b.renyi(256), Some(-129.2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Bound {
    /// log2 of the statistical distance, ½ Σ |Q(x) - P(x)|.
    pub log2_sd: f64,
    /// (a, log2(R_a - 1)) with R_a(Q‖P) = (Σ Q(x)^a P(x)^(1-a))^(1/(a-1)).
    pub log2_renyi: [(u32, f64); 3],
    /// log2(R_∞ - 1), with R_∞(Q‖P) = max Q(x)/P(x).
    pub log2_rinf: f64,
    /// log2 of the mass that P has outside the support of Q.
    pub log2_tail: f64,
}

impl Bound {
    /// The bound of any two distributions: SD <= 1, and no bound on the divergences.
    pub const TRIVIAL: Bound = Bound {
        log2_sd: 0.0,
        log2_renyi: [(2, f64::INFINITY), (256, f64::INFINITY), (513, f64::INFINITY)],
        log2_rinf: f64::INFINITY,
        log2_tail: 0.0,
    };

    /// Builds the bound from these logarithms, in the order of the fields.
    pub const fn new(log2_sd: f64, log2_renyi: [(u32, f64); 3], log2_rinf: f64, log2_tail: f64) -> Self {
        Bound { log2_sd, log2_renyi, log2_rinf, log2_tail }
    }

    /// Returns log2(R_a - 1) for order a, if the bound has that order.
    ///
    /// ```
    /// # use samplez_core::Bound;
    /// # let b = Bound::new(-1.0, [(2, -2.0), (256, -3.0), (513, -4.0)], -5.0, -6.0);
    /// assert_eq!(b.renyi(513), Some(-4.0));
    /// assert_eq!(b.renyi(7), None);
    /// ```
    pub fn renyi(&self, order: u32) -> Option<f64> {
        self.log2_renyi.iter().find(|(a, _)| *a == order).map(|(_, bound)| *bound)
    }

    /// Returns a lower bound of the bits that remain of `security` in a search problem (forging, key recovery). It holds for any
    /// number of samples. The game must draw at most `samples_per_time` of them in a unit of the adversary's time. 0 counts as 1.
    ///
    /// With λ = `security`, s = `samples_per_time` and r = min(R_2 - 1, 2·SD), λ - 2·log2(1 + sqrt(2^λ·s·r)) bits remain.
    /// Proof: docs/proofs/bits-kept.md. The Rényi argument of [`Bound::samples_log2`] can allow more.
    ///
    /// ```
    /// # use samplez_core::Bound;
    /// let at = |log2: f64| Bound::new(log2, [(2, log2); 3], log2, log2);
    /// assert!((at(-128.0).bits_search(128, 1) - 126.0).abs() < 1e-6); // 2·log2(1 + 1)
    /// assert!((at(-140.0).bits_search(128, 1 << 12) - 126.0).abs() < 1e-6);
    /// assert_eq!((at(0.0).bits_search(128, 1), at(f64::NEG_INFINITY).bits_search(128, 1)), (0.0, 128.0));
    /// ```
    pub fn bits_search(&self, security: u32, samples_per_time: u64) -> f64 {
        self.bits_kept(0.0, security, samples_per_time)
    }

    /// Returns the same for a decision problem (to distinguish two distributions): λ - 2·log2(1 + 2·sqrt(2^λ·s·r)) bits remain.
    /// The advantage of an adversary that is right with probability a and wrong with b is (a - b)²/(a + b) \[MW18\].
    ///
    /// ```
    /// # use samplez_core::Bound;
    /// let at = |log2: f64| Bound::new(log2, [(2, log2); 3], log2, log2);
    /// assert!((at(-130.0).bits_decision(128, 1) - 126.0).abs() < 1e-6);
    /// assert!(at(-190.0).bits_decision(128, 1) < 128.0);
    /// ```
    pub fn bits_decision(&self, security: u32, samples_per_time: u64) -> f64 {
        self.bits_kept(1.0, security, samples_per_time)
    }

    /// A lower bound of λ - 2·log2(1 + 2^t), 2^t = 2^`factor`·sqrt(2^λ·s·r).
    fn bits_kept(&self, factor: f64, security: u32, samples_per_time: u64) -> f64 {
        let security = f64::from(security);
        // R_2 <= R_a for a >= 2.
        let renyi = self.log2_renyi.iter().fold(self.log2_rinf, |least, (_, log2)| least.min(*log2));
        let log2_r = renyi.min(self.log2_sd + 1.0);
        if log2_r == f64::NEG_INFINITY {
            return security;
        }
        let s = samples_per_time.max(1);
        let log2_s = f64::from(s.ilog2()) + log2_of_1_plus(s as f64 / (1_u64 << s.ilog2()) as f64 - 1.0);
        let kept = security - 2.0 * log2_of_1_plus_exp2(factor + (security + log2_r + log2_s) / 2.0);
        // Fewer than 2^8 roundings and truncations in all, each of at most 2^-52 of λ + |log2 r| + 64.
        let slack = (security + log2_r.abs() + 64.0) / (1_u64 << 40) as f64;
        (kept - slack).max(0.0)
    }

    /// Returns log2 of the number q of samples that cost at most 2 of `security` bits in a search problem. By the Rényi
    /// argument, R_a - 1 <= 1/(4q) with a >= 2·security \[Pre17\]. `None` if no order held is large enough.
    ///
    /// ```
    /// # use samplez_core::Bound;
    /// # let b = Bound::new(-1.0, [(2, -2.0), (256, -66.0), (513, -64.0)], -5.0, -6.0);
    /// assert_eq!(b.samples_log2(128), Some(64.0));
    /// assert_eq!(b.samples_log2(256), Some(62.0));
    /// assert_eq!((b.samples_log2(257), b.samples_log2(u32::MAX)), (None, None));
    /// ```
    pub fn samples_log2(&self, security: u32) -> Option<f64> {
        let fitting = self.log2_renyi.iter().filter(|(order, _)| order / 2 >= security);
        fitting.map(|(_, log2)| -log2 - 2.0).fold(None, |best, q| Some(best.map_or(q, |b: f64| b.max(q))))
    }

    /// Returns log2 of the number q of samples with q·SD <= 2^-security: so many change no probability by more than
    /// 2^-security. Statistical hiding, simulation and the δ of differential privacy require this. Negative if one sample is
    /// not that close.
    ///
    /// ```
    /// # use samplez_core::Bound;
    /// # let b = Bound::new(-192.0, [(2, -2.0), (256, -66.0), (513, -64.0)], -5.0, -6.0);
    /// assert_eq!(b.samples_log2_advantage(128), 64.0);
    /// ```
    pub fn samples_log2_advantage(&self, security: u32) -> f64 {
        -self.log2_sd - f64::from(security)
    }
}

/// log2(1 + u), 0 <= u <= 1, except for 2^-47: ln(1 + u) = 2 artanh z, z = u/(2 + u) <= 1/3, by 16 terms of its
/// series.
fn log2_of_1_plus(u: f64) -> f64 {
    let z = u / (2.0 + u);
    let series = (0..16).rev().fold(0.0, |sum, k| sum * z * z + 1.0 / f64::from(2 * k + 1));
    2.0 * z * series / LN_2
}

/// log2(1 + 2^t), except for 2^-46 and roundings of t.
fn log2_of_1_plus_exp2(t: f64) -> f64 {
    let (most, below) = (t.max(0.0), t.abs());
    if below >= 1000.0 {
        return most; // log2(1 + 2^-1000) < 2^-999
    }
    // 2^-below: 2^-whole by its bits, the rest by 24 terms of the series of e^-y, 0 <= y < ln 2.
    let whole = below as u64;
    let y = (below - whole as f64) * LN_2;
    let rest = (1..24).rev().fold(1.0, |sum, k| 1.0 - y / f64::from(k) * sum);
    most + log2_of_1_plus((rest * f64::from_bits((1023 - whole) << 52)).min(1.0))
}

/// Whether the sampled law is the target itself.
///
/// ```
/// use samplez_core::Exactness;
/// assert!(Exactness::Exact.is_exact());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exactness {
    /// The law is the target itself, given ideal bits.
    Exact,
    /// The law differs from the target by at most this.
    Within(Bound),
}

impl Exactness {
    /// Returns true for `Exact`.
    pub const fn is_exact(&self) -> bool {
        matches!(self, Exactness::Exact)
    }
}

/// A sampler's declaration of its law, its distance from it, its timing and its cost.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Rational, Sampler, samplers::Karney};
/// let profile = Karney::new(&DiscreteGaussian::with_sigma(Rational::from(10))?)?.profile();
/// assert!(profile.exactness.is_exact());
/// assert!((profile.expected_trials - 1.3989).abs() < 1e-3);
/// # Ok::<(), samplez_core::ParamError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The law that is aimed at.
    pub target: NoiseLaw,
    /// The distance of the sampled law from it.
    pub exactness: Exactness,
    /// The class of the running time.
    pub timing: Timing,
    /// Every possible sample value. The support of a table, if a remainder makes its sampler exact: other values then have the
    /// probability that the ideal law gives them.
    pub support: RangeInclusive<i64>,
    /// Memory that a sample reads besides the code, in bytes.
    pub table_bytes: usize,
    /// Expected random bits per sample.
    pub expected_bits: f64,
    /// Expected trials (attempts) per sample; 1 where nothing is rejected.
    pub expected_trials: f64,
}

#[cfg(test)]
mod tests;
