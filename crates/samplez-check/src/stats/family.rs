//! The family of tests, and the judgement over all of it.

use super::cells::{Cell, Numbers, Outcome, likelihood_ratio, merged, pearson, share};
use super::histogram::Histogram;
use super::report::{Power, Report, Test, Verdict};
use super::serial::{LAGS, Serial};
use super::summary::Summary;
use super::target::{ORDERS, Target};
use super::{ALPHA, pvalue};

/// A sum of n terms is taken for normal, but for its skewness, if the excess kurtosis of a
/// term is at most this times n.
const MAX_KURTOSIS: f64 = 0.01;

const NOT_NORMAL: &str = "needs more values: the sum is far from normal";
const CONSTANT: &str = "the law is constant here";

/// What was seen of some values, beside the law that they are judged by.
pub(super) struct Observed<'a> {
    pub(super) n: u64,
    pub(super) target: &'a Target,
    pub(super) histogram: &'a Histogram,
    pub(super) serial: &'a Serial,
    /// Of all values.
    pub(super) summary: Summary,
}

/// Runs every test.
pub(super) fn judge(observed: Observed<'_>) -> Report {
    let family = Family::new(observed);
    let mut outcomes = vec![
        ("chi-squared".into(), pearson(&family.cells)),
        ("G".into(), likelihood_ratio(&family.cells)),
        ("sign".into(), share(family.summary.above, family.off_center(), family.p_above)),
        ("parity".into(), share(family.odd(), family.n, family.p_odd())),
        ("low 4 bits".into(), family.low_bits()),
        (format!("P(X = {})", family.marked_value()), share(family.summary.at_mark, family.n, family.p_marked)),
    ];
    for (k, name) in (1..).zip(["mean", "variance", "third moment", "fourth moment"]) {
        outcomes.push((name.into(), family.moment(k)));
    }
    outcomes.push(("range".into(), family.range()));
    for k in 1..=LAGS {
        outcomes.push((format!("serial lag {k}"), family.serial(k)));
    }
    let applicable = outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).count();
    let power = family.power(applicable);
    let tests = holm(outcomes);
    let consistent = tests.iter().all(|test| test.verdict != Verdict::Reject);
    Report { n: family.n, tests, power, consistent }
}

/// Holm's step-down correction: the i-th smallest of m p-values is compared to α/(m-i+1), and
/// the first that passes lets all larger ones pass. The chance of any false rejection is at most
/// α under every dependence.
fn holm(outcomes: Vec<(String, Outcome)>) -> Vec<Test> {
    let mut p_values: Vec<f64> = outcomes.iter().filter_map(|(_, o)| o.ok()).map(|o| o.p_value).collect();
    p_values.sort_by(f64::total_cmp);
    let m = p_values.len();
    // NaN, which no test should give, rejects.
    let passes = |(i, p): (usize, &f64)| *p >= ALPHA / (m - i) as f64;
    let least_passing = p_values.iter().enumerate().find(|it| passes(*it)).map_or(f64::INFINITY, |(_, p)| *p);
    let test = |(name, outcome): (String, Outcome)| match outcome {
        Ok(Numbers { statistic, dof, p_value }) => {
            let verdict = if p_value >= least_passing { Verdict::Pass } else { Verdict::Reject };
            Test { name, statistic: Some(statistic), dof, p_value: Some(p_value), verdict }
        }
        Err(reason) => {
            Test { name, statistic: None, dof: None, p_value: None, verdict: Verdict::NotApplicable(reason) }
        }
    };
    outcomes.into_iter().map(test).collect()
}

/// The values' summary beside the law's numbers.
struct Family<'a> {
    target: &'a Target,
    serial: &'a Serial,
    n: u64,
    summary: Summary,
    cells: Vec<Cell>,
    moments: [f64; ORDERS],
    residues: [f64; super::target::RESIDUES],
    /// P(X > c | X ≠ c); 0 if the law has nothing but c, to the precision of doubles.
    p_above: f64,
    p_marked: f64,
}

impl<'a> Family<'a> {
    fn new(observed: Observed<'a>) -> Self {
        let target = observed.target;
        let (last_below, first_above) = target.sides();
        let (below, above) = (target.mass(i64::MIN..=last_below), target.mass(first_above..=i64::MAX));
        let marked = target.marked();
        Family {
            cells: cells(&observed),
            target,
            serial: observed.serial,
            n: observed.n,
            summary: observed.summary,
            moments: target.moments(),
            residues: target.residues(),
            p_above: if above + below > 0.0 { above / (above + below) } else { 0.0 },
            p_marked: target.mass(marked..=marked),
        }
    }

    fn off_center(&self) -> u64 {
        self.summary.below + self.summary.above
    }

    fn odd(&self) -> u64 {
        self.summary.residues.iter().skip(1).step_by(2).sum()
    }

    fn p_odd(&self) -> f64 {
        self.residues.iter().skip(1).step_by(2).sum()
    }

    /// The marked value as an x.
    fn marked_value(&self) -> i128 {
        i128::from(self.target.marked()) + i128::from(self.target.shift)
    }

    fn low_bits(&self) -> Outcome {
        let cell = |(count, p): (&u64, &f64)| Cell { count: *count, expected: self.n as f64 * p };
        pearson(&merged(self.summary.residues.iter().zip(&self.residues).map(cell)))
    }

    /// The sum of the k-th powers of T against its expectation.
    fn moment(&self, k: usize) -> Outcome {
        self.target.deviation().ok_or(CONSTANT)?;
        let raw = |j: usize| self.moments[j * k];
        let mean = raw(1);
        let variance = raw(2) - mean * mean;
        if variance < 1e-9 {
            return Err(CONSTANT);
        }
        let third = raw(3) - 3.0 * raw(2) * mean + 2.0 * mean.powi(3);
        let fourth = raw(4) - 4.0 * raw(3) * mean + 6.0 * raw(2) * mean * mean - 3.0 * mean.powi(4);
        let excess = self.summary.power(k) - self.n as f64 * mean;
        sum(excess, self.n, variance, third / variance.powf(1.5), fourth / (variance * variance) - 3.0)
    }

    /// The sum of T_i·T_(i-k): uncorrelated terms of mean 0 and variance 1.
    fn serial(&self, k: usize) -> Outcome {
        self.target.deviation().ok_or(CONSTANT)?;
        let (skewness, kurtosis) = (self.moments[3].powi(2), self.moments[4].powi(2) - 3.0);
        sum(self.serial.product(k), self.serial.pairs(k), 1.0, skewness, kurtosis)
    }

    /// The extremes. Four p-values, each at most t with probability at most t (of the least and
    /// of the greatest value, for lying too far out and for not lying far enough), combined by
    /// Bonferroni's inequality.
    fn range(&self) -> Outcome {
        let (low, high) = self.summary.extremes.ok_or(CONSTANT)?;
        let n = self.n as f64;
        // P(some of n values falls into an event of probability q), P(none does)
        let some = |q: f64| -(n * (-q.min(1.0)).ln_1p()).exp_m1();
        let none = |q: f64| (n * (-q.min(1.0)).ln_1p()).exp();
        let below = low.checked_sub(1).map_or(0.0, |y| self.target.mass(i64::MIN..=y));
        let above = high.checked_add(1).map_or(0.0, |y| self.target.mass(y..=i64::MAX));
        let p_values =
            [some(self.target.mass(i64::MIN..=low)), some(self.target.mass(high..=i64::MAX)), none(below), none(above)];
        let least = p_values.into_iter().fold(1.0, f64::min);
        let distance = |y: i64| (y as f64 - self.target.center).abs() / self.target.sigma;
        let statistic = distance(low).max(distance(high));
        Ok(Numbers { statistic, dof: None, p_value: (4.0 * least).min(1.0) })
    }

    /// See [`Power`] for the formulas.
    fn power(&self, applicable: usize) -> Power {
        let level = ALPHA / applicable as f64;
        let z = pvalue::two_sided_quantile(level);
        let n = self.n as f64;
        let spread = |p: f64, n: f64| z * (p * (1.0 - p) / n).sqrt();
        let distance = |numbers: Numbers| {
            let dof = numbers.dof.unwrap_or(1) as f64;
            (pvalue::chi_squared_quantile(level, dof) - dof + 1.0).max(0.0).sqrt() / (2.0 * n.sqrt())
        };
        let marked = share(self.summary.at_mark, self.n, self.p_marked);
        Power {
            sigma: self.moment(2).ok().map(|_| z / 2.0 * ((self.moments[4] - 1.0) / n).sqrt()),
            mean: self.moment(1).ok().map(|_| z / n.sqrt()),
            zero: marked.ok().map(|_| spread(self.p_marked, n) / self.p_marked),
            sign: share(self.summary.above, self.off_center(), self.p_above)
                .ok()
                .map(|_| spread(self.p_above, self.off_center() as f64)),
            parity: share(self.odd(), self.n, self.p_odd()).ok().map(|_| spread(self.p_odd(), n)),
            correlation: self.serial(1).ok().map(|_| z / (self.serial.pairs(1) as f64).sqrt()),
            total_variation: pearson(&self.cells).ok().map(distance),
        }
    }
}

/// A sum of n uncorrelated terms with mean 0 and this variance, skewness and excess kurtosis.
fn sum(excess: f64, n: u64, variance: f64, skewness: f64, kurtosis: f64) -> Outcome {
    let n = n as f64;
    if kurtosis > MAX_KURTOSIS * n {
        return Err(NOT_NORMAL);
    }
    let z = excess / (n * variance).sqrt();
    Ok(Numbers::normal(pvalue::normalised(z, skewness / n.sqrt())))
}

/// The intervals of the χ² test, merged: the tail below the range, the range in at most 4096
/// intervals, the tail above.
fn cells(observed: &Observed<'_>) -> Vec<Cell> {
    let (target, histogram) = (observed.target, observed.histogram);
    let (below, above) = histogram.outside();
    let (low, high) = (*target.range.start(), *target.range.end());
    let cell = |count: u64, mass: f64| Cell { count, expected: observed.n as f64 * mass };
    let tail_below = cell(below, low.checked_sub(1).map_or(0.0, |y| target.mass(i64::MIN..=y)));
    // The last bin may reach beyond the range; its mass is that of all its values.
    let bins: Vec<_> = histogram.bins().collect();
    let inside = bins.chunks(1 << (target.log2_bin() - histogram.log2_bin())).map(|group| {
        let (first, last) = (group[0].0, group[group.len() - 1].1);
        cell(group.iter().map(|bin| bin.2).sum(), target.mass(first..=last))
    });
    let end = bins.last().map_or(high, |bin| bin.1);
    let tail_above = cell(above, end.checked_add(1).map_or(0.0, |y| target.mass(y..=i64::MAX)));
    merged(core::iter::once(tail_below).chain(inside).chain(core::iter::once(tail_above)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_steps_down() {
        let outcome = |p| ("t".to_string(), Ok(Numbers { statistic: 0.0, dof: None, p_value: p }));
        let verdicts = |p: &[f64]| -> Vec<bool> {
            let tests = holm(p.iter().map(|p| outcome(*p)).chain([("na".into(), Err("reason"))]).collect());
            assert_eq!(tests.last().unwrap().verdict, Verdict::NotApplicable("reason"));
            tests[..p.len()].iter().map(|test| test.verdict == Verdict::Reject).collect()
        };
        assert_eq!(verdicts(&[0.5, 0.9]), [false, false]);
        // α/3, α/2, α in turn.
        assert_eq!(verdicts(&[0.9e-6, 0.45e-6, 0.3e-6]), [true, true, true]);
        assert_eq!(verdicts(&[0.9e-6, 0.45e-6, 0.35e-6]), [false, false, false]);
        assert_eq!(verdicts(&[0.9e-6, 0.55e-6, 0.3e-6]), [false, false, true]);
        assert_eq!(verdicts(&[0.0, 1.0]), [true, false]);
    }
}
