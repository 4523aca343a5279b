//! The outcome of a verifier: [`Report`], [`Test`], [`Verdict`], [`Power`], [`VerifyError`].

use super::MIN_SAMPLES;
use core::fmt;
use samplez_tables::TargetLaw;

/// The outcome of all tests.
///
/// ```
/// use samplez_stats::{Verdict, Verifier};
/// use samplez_core::{DiscreteGaussian, Rational};
/// let mut verifier = Verifier::new(&DiscreteGaussian::with_sigma(Rational::from(2))?)?;
/// verifier.push(&[9_i64; 1000]);
/// let report = verifier.finish()?;
/// assert!(!report.consistent && report.n == 1000);
/// assert!(report.tests.iter().any(|test| test.verdict == Verdict::Reject));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The number of values.
    pub n: u64,
    /// Every test of the family, also those that do not apply.
    pub tests: Vec<Test>,
    /// The deviations that would have been detected.
    pub power: Power,
    /// True if no test rejects.
    pub consistent: bool,
    /// The q modulo which rejected values look like residues, by the first of them: a power of two, or their greatest value plus 1, which
    /// may be below q. A [`TargetLaw::modulo`](samplez_tables::TargetLaw::modulo) judges residues.
    pub modulus: Option<u128>,
    /// The first of [`TargetLaw::others`](samplez_tables::TargetLaw::others) that rejected values pass for by the tests of values: not by those of
    /// order and repeats. `None` in WebAssembly, and for laws of more than 2^16 values.
    pub alternative: Option<TargetLaw>,
}

/// The outcome of all tests of two samples against each other.
///
/// ```
/// use samplez_stats::Comparer;
/// let mut comparer = Comparer::new(&[0_i8, 1], &[0, 1]);
/// comparer.push_first(&[0_i8; 1000]);
/// comparer.push_second(&[1_i8; 500]);
/// let comparison = comparer.finish()?;
/// assert_eq!((comparison.n, comparison.consistent), ([1000, 500], false));
/// # Ok::<(), samplez_stats::VerifyError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The number of values of each.
    pub n: [u64; 2],
    /// Every family of tests, also those that do not apply: of both samples, then of the order in the first, then in the second.
    pub tests: Vec<Test>,
    /// The deviations that would have been detected: as in [`Power`], with nm/(n+m) for n. For the tests of order, n is
    /// the smaller sample.
    pub power: Power,
    /// How many of the kept sequences of the second sample come in the first too, and of how many. More than 0 if
    /// values were copied. `None` if the samples' entropy is too small for sequences that never come again.
    pub shared: Option<(u64, u64)>,
    /// True if no test rejects.
    pub consistent: bool,
}

/// A family of tests, judged as one: by its least p-value, times the number of its tests.
///
/// ```
/// # use samplez_stats::Verifier;
/// # use samplez_core::{DiscreteGaussian, Rational};
/// # let mut verifier = Verifier::new(&DiscreteGaussian::with_sigma(Rational::from(2))?)?;
/// # verifier.push(&[9_i64; 1000]);
/// let test = &verifier.finish()?.tests[0];
/// assert_eq!((test.name.as_str(), test.p_value), ("chi-squared", Some(0.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Test {
    /// The family's name, as in the table of the module's documentation.
    pub name: String,
    /// How many of its tests apply; 0 if none does.
    pub members: u64,
    /// Which of them has the least p-value: a lag, a stride, a place. `None` where there is but one, or none applies.
    pub at: Option<String>,
    /// That one's statistic: χ² or G, and for sums and shares a standard normal z. For the range it is the distance of
    /// the farthest value from the centre in σ, and for `stuck` and `repeats` a count. `None` where no test applies.
    pub statistic: Option<f64>,
    /// Its degrees of freedom, for χ² and G.
    pub dof: Option<u64>,
    /// Its p-value times the number of tests that apply, at most 1, before Holm's correction. `None` where none does.
    pub p_value: Option<f64>,
    /// After Holm's correction.
    pub verdict: Verdict,
}

/// The verdict of a test.
///
/// ```
/// use samplez_stats::Verdict;
/// assert_eq!(Verdict::Pass.to_string(), "pass");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Consistent with the law.
    Pass,
    /// Not consistent with the law.
    Reject,
    /// The test does not apply here, for this reason.
    NotApplicable(&'static str),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Pass => f.write_str("pass"),
            Verdict::Reject => f.write_str("reject"),
            Verdict::NotApplicable(reason) => write!(f, "not applicable: {reason}"),
        }
    }
}

/// The smallest deviations that a test would have rejected with probability at
/// least 1/2, to first order in 1/√n. `None` where the test does not apply.
///
/// With m applicable families, Holm's correction rejects at p < α/m at the latest. Let z be such that P(|Z| >= z) =
/// α/m. A deviation that moves a test's mean by z standard deviations is then seen with probability 1/2. A test that is
/// one of k in its family has z_k, with P(|Z| >= z_k) = α/(m·k). T is the standardised value (X - mean)/deviation.
///
/// ```
/// # use samplez_stats::Verifier;
/// # use samplez_core::{DiscreteGaussian, Rational};
/// # let mut verifier = Verifier::new(&DiscreteGaussian::with_sigma(Rational::from(2))?)?;
/// verifier.push(&[1_i64; 1_000_000]);
/// let power = verifier.finish()?.power;
/// assert!(power.sigma.unwrap() < 0.004 && power.mean.unwrap() < 0.006);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
// Exhaustive: no front that writes it out shall miss a field.
pub struct Power {
    /// Relative error of the standard deviation: (z/2)·√((E\[T⁴\] - 1)/n).
    pub sigma: Option<f64>,
    /// Shift of the mean, in standard deviations: z/√n.
    pub mean: Option<f64>,
    /// Relative error of p = P(X = 0), or of the probability that is tested in its place:
    /// z·√((1-p)/(p·n)).
    pub zero: Option<f64>,
    /// Error of p = P(X > c | X ≠ c): z·√(p(1-p)/n'), n' the number of values other than c.
    pub sign: Option<f64>,
    /// Error of p = P(X odd): z·√(p(1-p)/n).
    pub parity: Option<f64>,
    /// Serial correlation at lag 1, or up to lag 16: z_74/√(n-1).
    pub correlation: Option<f64>,
    /// Serial correlation of |X - mean| at any of the lags: z_74/√n', n' pairs having been looked at.
    pub magnitudes: Option<f64>,
    /// Shift of the mean at one place modulo 1024, in standard deviations: z_k/√(n/1024), k = 1024 for each test of
    /// the family.
    pub place: Option<f64>,
    /// Amplitude of a wave of one of the frequencies 1/4096 … 2047/4096, in standard deviations: √(2λ/(4096·B)). B
    /// windows have been transformed, and λ is as below for 2B degrees of freedom.
    pub wave: Option<f64>,
    /// Length of a sequence of values that comes again anywhere: w + ln 2/r. Each fingerprint takes w values, and a
    /// share r of all positions has one that is kept.
    pub repeat: Option<f64>,
    /// Statistical distance, seen in the cells of the χ² test with d degrees of freedom:
    /// ½·√(λ/n), λ = q - d + 1, where P(χ²_d >= q) = α/m.
    ///
    /// For a law at distance δ has noncentrality at least 4δ²n (Cauchy–Schwarz), and the
    /// median of a noncentral χ² is at least d + λ - 1.
    pub total_variation: Option<f64>,
}

/// Why there is no verdict.
///
/// ```
/// use samplez_stats::VerifyError;
/// assert_eq!(VerifyError::TooFew { n: 7 }.to_string(), "n = 7 values: a verdict needs at least 100");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// Fewer than 100 values.
    TooFew {
        /// How many there are.
        n: u64,
    },
    /// All values are equal, so that no law can be identified.
    Constant {
        /// How many there are.
        n: u64,
        /// The value.
        value: i64,
    },
    /// Verifiers of different laws cannot be merged.
    OtherLaw,
    /// A share is missing, comes twice, or is of other values or another version.
    OtherShare,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { n } => write!(f, "n = {n} values: a verdict needs at least {MIN_SAMPLES}"),
            Self::Constant { n, value } => {
                write!(f, "all {n} values are {value}: expected at least two different values")
            }
            Self::OtherLaw => f.write_str("verifiers of different laws cannot be merged"),
            Self::OtherShare => {
                f.write_str("shares: expected every share but the first, once each, after the same values")
            }
        }
    }
}

impl core::error::Error for VerifyError {}
