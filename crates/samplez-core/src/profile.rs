//! What a sampler declares about itself: [`Profile`], [`Exactness`], [`Bound`], [`Timing`].

use crate::params::DiscreteGaussian;
use core::fmt;
use core::ops::RangeInclusive;

/// How the running time depends on what must stay secret (the sample, and the random bits).
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
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Timing::Constant => "constant",
            Timing::Isochronous => "isochronous",
            Timing::Variable => "variable",
        })
    }
}

/// The distance of the sampled law Q from the ideal law P, as upper bounds in bits: each
/// field is an upper bound of the log2 of what it names. Given ideal random bits.
///
/// ```
/// use samplez_core::Bound;
/// let b = Bound::new(-123.8, [(2, -244.0), (256, -129.2), (513, -129.2)], -120.8, -126.0);
/// assert_eq!(b.renyi(256), Some(-129.2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Bound {
    /// Statistical distance, ½ Σ |Q(x) - P(x)|.
    pub log2_sd: f64,
    /// (a, log2(R_a - 1)) with R_a(Q‖P) = (Σ Q(x)^a P(x)^(1-a))^(1/(a-1)).
    pub log2_renyi: [(u32, f64); 3],
    /// R_∞ - 1, with R_∞(Q‖P) = max Q(x)/P(x).
    pub log2_rinf: f64,
    /// Mass that P has outside the support of Q.
    pub log2_tail: f64,
}

impl Bound {
    /// The bound that holds for any two distributions: SD <= 1. The divergences are unbounded.
    pub const TRIVIAL: Bound = Bound {
        log2_sd: 0.0,
        log2_renyi: [(2, f64::INFINITY), (256, f64::INFINITY), (513, f64::INFINITY)],
        log2_rinf: f64::INFINITY,
        log2_tail: 0.0,
    };

    /// These distances, in the order of the fields.
    pub const fn new(log2_sd: f64, log2_renyi: [(u32, f64); 3], log2_rinf: f64, log2_tail: f64) -> Self {
        Bound { log2_sd, log2_renyi, log2_rinf, log2_tail }
    }

    /// log2(R_a - 1) for one of the orders held.
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

    /// log2 of the number q of samples that keep `security` bits in a search problem (forging,
    /// key recovery), by the Rényi argument: R_a - 1 <= 1/(4q) with a >= 2·security loses at
    /// most 2 bits \[Pre17\]. `None` if no order held is large enough.
    ///
    /// A decision problem needs the statistical distance: see [`Bound::samples_log2_decision`].
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

    /// log2 of the number q of samples with q·SD <= 2^-security: what any problem, decision
    /// problems included, can draw. Negative if not even one sample is that close.
    ///
    /// ```
    /// # use samplez_core::Bound;
    /// # let b = Bound::new(-192.0, [(2, -2.0), (256, -66.0), (513, -64.0)], -5.0, -6.0);
    /// assert_eq!(b.samples_log2_decision(128), 64.0);
    /// ```
    pub fn samples_log2_decision(&self, security: u32) -> f64 {
        -self.log2_sd - f64::from(security)
    }
}

/// Whether the sampled law is the target itself.
///
/// ```
/// use samplez_core::Exactness;
/// assert!(Exactness::Exact.is_exact());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exactness {
    /// The law is D_{Z,σ,c} itself, given ideal bits.
    Exact,
    /// The law differs from D_{Z,σ,c} by at most this.
    Within(Bound),
}

impl Exactness {
    /// True for `Exact`.
    pub const fn is_exact(&self) -> bool {
        matches!(self, Exactness::Exact)
    }
}

/// A sampler's declaration: its law, its cost, its leakage.
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
    pub target: DiscreteGaussian,
    /// How far the sampled law is from it.
    pub exactness: Exactness,
    /// What the running time reveals.
    pub timing: Timing,
    /// Every possible sample value.
    pub support: RangeInclusive<i64>,
    /// Memory that a sample reads besides the code, in bytes.
    pub table_bytes: usize,
    /// Expected random bits per sample.
    pub expected_bits: f64,
    /// Expected trials (attempts) per sample; 1 where nothing is rejected.
    pub expected_trials: f64,
}
