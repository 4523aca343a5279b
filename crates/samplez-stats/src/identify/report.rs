//! The outcome of an identifier: [`Identification`], [`Candidate`], [`Estimate`].

use crate::report::{Test, Verdict};

/// The laws that values may be from.
///
/// ```
/// use samplez_stats::Identifier;
/// let mut identifier = Identifier::new();
/// (0..1000).for_each(|i| identifier.push(&[i * i % 7]));
/// let found = identifier.finish()?;
/// // The values repeat.
/// assert!(!found.consistent && found.order.iter().any(|test| test.verdict == samplez_stats::Verdict::Reject));
/// # Ok::<(), samplez_stats::VerifyError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Identification {
    /// The number of values that were judged.
    pub n: u64,
    /// The least and the greatest value; of residues, of those about 0.
    pub range: (i64, i64),
    /// The mean of the values.
    pub mean: f64,
    /// The standard deviation of the values.
    pub deviation: f64,
    /// q, if the values are residues modulo q.
    pub modulus: Option<u128>,
    /// Whether the modulus was seen in the values: q is then the greatest value plus 1, or the power of two just above.
    pub is_modulus_seen: bool,
    /// The fitted laws: first the consistent ones, ordered by Schwarz's criterion (the likelihood, less ln n/2 for each parameter and each end of a range).
    pub laws: Vec<Candidate>,
    /// The tests of the order of the values, given the values.
    pub order: Vec<Test>,
    /// About so many values would separate the first two laws that pass: from then on, the tests of the wrong one reject with
    /// probability 1/2. `None` for fewer than two, and from 1e18 on.
    pub separation: Option<f64>,
    /// Whether a law passes, and no test of the order rejects.
    pub consistent: bool,
}

/// A law with its parameters, and its tests.
///
/// ```
/// use samplez_stats::{Identifier, Verdict};
/// let mut identifier = Identifier::new();
/// (0..1000).for_each(|i| identifier.push(&[i % 10 + i % 3]));
/// let laws = identifier.finish()?.laws;
/// assert!(laws.iter().any(|law| law.name == "ternary" && law.verdict == Verdict::Reject && law.parameters.is_empty()));
/// # Ok::<(), samplez_stats::VerifyError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// `discrete Gaussian`, `rounded normal`, `centred binomial`, `TUniform`, `ternary`, `discrete Laplace`, `rounded Laplace`,
    /// `sum of two discrete Laplace`, `Skellam`, `Poisson` or `uniform`.
    pub name: &'static str,
    /// The parameters that the values gave, in the order of the name's definition.
    pub parameters: Vec<Estimate>,
    /// The range that the law is cut to: all values lie there.
    pub range: Option<(i64, i64)>,
    /// The integer that was added to a law about 0.
    pub shift: i64,
    /// Whether the centre's interval has -1/2: the floor of a normal variable about 0.
    pub is_floor: bool,
    /// Samplers of other libraries that drew this law with parameters in these intervals, as package, version and call: rows of
    /// docs/book/census.md. Empty for a law that does not pass.
    pub known: Vec<&'static str>,
    /// The families of tests, as in [`Report`](super::super::Report). Empty if the law cannot be tested.
    pub tests: Vec<Test>,
    /// The verdict over all tests.
    pub verdict: Verdict,
}

impl Candidate {
    /// Returns the test with the least p-value.
    ///
    /// ```
    /// # use samplez_stats::Identifier;
    /// let mut identifier = Identifier::new();
    /// (0..1000).for_each(|i| identifier.push(&[i % 10]));
    /// let laws = identifier.finish()?.laws;
    /// let ternary = laws.iter().find(|law| law.name == "ternary").and_then(|law| law.least());
    /// assert_eq!(ternary.and_then(|test| test.p_value), Some(0.0));
    /// # Ok::<(), samplez_stats::VerifyError>(())
    /// ```
    pub fn least(&self) -> Option<&Test> {
        let applicable = self.tests.iter().filter_map(|test| Some((test, test.p_value?)));
        applicable.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(test, _)| test)
    }
}

/// A parameter of a law.
///
/// ```
/// # use samplez_stats::Identifier;
/// let mut identifier = Identifier::new();
/// (0..1000).for_each(|i| identifier.push(&[i % 10 - i % 3]));
/// let sigma = &identifier.finish()?.laws[0].parameters[0];
/// assert!(sigma.interval.is_none_or(|(low, high)| low <= sigma.value && sigma.value <= high));
/// # Ok::<(), samplez_stats::VerifyError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// `sigma`, `center`, `eta`, `b`, `scale`, `variance`, `mean`, `low` or `high`.
    pub name: &'static str,
    /// The value with the greatest likelihood.
    pub value: f64,
    /// The interval that has the true value with a probability of about 99 %, of each parameter by itself. `None` where the values leave it
    /// open, and for `b`, `low` and `high`.
    pub interval: Option<(f64, f64)>,
    /// The number with the fewest digits in the interval, as a decimal; without an interval, the value.
    pub simplest: String,
}
