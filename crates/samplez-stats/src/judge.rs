//! Statistics of a caller's law, judged together: [`Judge`], [`Sum`].

use super::cells::{Cell, Numbers, merged, pearson};
use super::family::{holm, together};
use super::group::Family;
use super::report::Test;
use super::sums::sum;

/// A sum of n uncorrelated terms less its expectation.
///
/// ```
/// use samplez_stats::Sum;
/// // 600 heads of 1000 coins.
/// let heads = Sum { at: "heads".into(), excess: 100.0, variance: 0.25, skewness: 0.0, kurtosis: -2.0 };
/// let mut judge = samplez_stats::Judge::new();
/// judge.sums("coins", 1000, [heads]);
/// assert!(judge.finish()[0].p_value.unwrap() < 1e-9);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    /// The place that a report names.
    pub at: String,
    /// The sum less its expectation.
    pub excess: f64,
    /// The variance of a term.
    pub variance: f64,
    /// The skewness of a term.
    pub skewness: f64,
    /// The excess kurtosis of a term.
    pub kurtosis: f64,
}

/// Judges statistics with laws that the caller states, as [`Verifier`](super::Verifier) judges its own: by Holm's correction at [`ALPHA`](super::ALPHA).
///
/// Each call adds a family of tests with one verdict.
///
/// ```
/// use samplez_stats::{Judge, Verdict};
/// let mut judge = Judge::new();
/// judge.counts("die", [(90, 100.0), (110, 100.0), (300, 200.0)]);
/// assert_eq!(judge.finish()[0].verdict, Verdict::Reject);
/// ```
#[derive(Default)]
pub struct Judge {
    families: Vec<Family>,
}

impl Judge {
    /// Returns a judge without families.
    pub fn new() -> Self {
        Judge::default()
    }

    /// Adds Pearson's χ² of these counts and their expectations. Neighbours are merged until each expects 25.
    pub fn counts(&mut self, name: &str, cells: impl IntoIterator<Item = (u64, f64)>) {
        let cells = merged(cells.into_iter().map(|(count, expected)| Cell { count, expected }));
        self.families.push(Family::single(name, pearson(&cells)));
    }

    /// Adds sums of n terms each.
    pub fn sums(&mut self, name: &str, n: u64, sums: impl IntoIterator<Item = Sum>) {
        let members = sums.into_iter().map(|of| {
            let outcome = sum(of.excess, n, of.variance, of.skewness, of.kurtosis);
            (of.at, outcome)
        });
        self.families.push(Family::new(name, members));
    }

    /// Adds a count of values that the law does not have: more than 0 rejects.
    pub fn impossible(&mut self, name: &str, count: u64) {
        let p_value = if count == 0 { 1.0 } else { 0.0 };
        self.families.push(Family::single(name, Ok(Numbers { statistic: count as f64, dof: None, p_value })));
    }

    /// Adds a family that does not apply, for this reason.
    pub fn inapplicable(&mut self, name: &str, reason: &'static str) {
        self.families.push(Family::single(name, Err(reason)));
    }

    /// Returns a verdict on each family, in their order.
    pub fn finish(self) -> Vec<Test> {
        holm(self.families.iter().map(together).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    #[test]
    fn families_have_their_p_values() {
        let mut judge = Judge::new();
        judge.counts("counts", [(100, 100.0), (130, 100.0), (70, 100.0)]);
        let of = |at: &str, excess| Sum { at: at.into(), excess, variance: 1.0, skewness: 0.0, kurtosis: 0.0 };
        judge.sums("sums", 100, [of("a", 5.0), of("b", -60.0)]);
        judge.impossible("none", 0);
        judge.impossible("some", 1);
        judge.inapplicable("other", "too large");
        let tests = judge.finish();
        // χ² = 18 on 2 degrees: e^-9. 2·P(Z > 6), twice.
        assert_eq!((tests[0].dof, tests[0].statistic), (Some(2), Some(18.0)));
        assert!((tests[0].p_value.unwrap() / (-9.0_f64).exp() - 1.0).abs() < 1e-9);
        assert!((tests[1].p_value.unwrap() / 3.946_350_6e-9 - 1.0).abs() < 1e-6 && tests[1].at.as_deref() == Some("b"));
        let verdicts: Vec<Verdict> = tests.iter().map(|test| test.verdict).collect();
        let (pass, reject) = (Verdict::Pass, Verdict::Reject);
        assert_eq!(verdicts, [pass, reject, pass, reject, Verdict::NotApplicable("too large")]);
    }
}
