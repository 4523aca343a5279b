//! The family of tests, and the judgement over all of it.

use super::birthdays::{self, Birthdays};
use super::cells::{Cell, Numbers, Outcome, likelihood_ratio, merged, pearson, share, too_close};
use super::coding::Coding;
use super::dependence::{self, Extent};
use super::group::Family;
use super::halves::Halves;
use super::histogram::Histogram;
use super::order::{FOURIER, Order};
use super::report::{Power, Report, Test, Verdict};
use super::summary::Summary;
use super::sums::{CONSTANT, sum};
use super::target::{ORDERS, Target};
use super::{ALPHA, power, pvalue};
use samplez_tables::TargetLaw;

/// The data of some values, beside the law that they are judged by.
pub(super) struct Observed<'a> {
    pub(super) n: u64,
    pub(super) target: &'a Target,
    pub(super) histogram: &'a Histogram,
    /// `None` if the histogram has a bin for each value.
    pub(super) birthdays: Option<&'a Birthdays>,
    pub(super) halves: &'a Halves,
    pub(super) coding: &'a Coding,
    /// Of streams that have ended.
    pub(super) order: &'a Order,
    /// Of all values.
    pub(super) summary: Summary,
}

/// Runs every test.
pub(super) fn judge(observed: Observed<'_>) -> Report {
    let (coding, order) = (observed.coding, observed.order);
    let halves = observed.halves.family(observed.n, &observed.histogram.cells(coding.log2_cell()));
    let birthdays = match observed.birthdays {
        Some(birthdays) => birthdays.outcome(observed.target),
        None => birthdays::of_counts(observed.histogram, observed.n, observed.target),
    };
    let values = Values::new(observed.n, observed.target, observed.histogram, observed.summary.clone());
    let mut families = values.families(birthdays, 0);
    let of_values = families.len();
    families.extend(dependence::families(coding, order));
    families.push(halves);
    let tests = holm(families.iter().map(together).collect());
    let applicable = tests.iter().filter(|test| test.p_value.is_some()).count();
    let power = values.power(applicable, Extent::new(order), &tests);
    let consistent = tests.iter().all(|test| test.verdict != Verdict::Reject);
    let mut alternative = None;
    // A WebAssembly module is downloaded, and has no such code.
    // The last two tests of the values, "too close" and "birthdays", do not reject a law.
    if cfg!(not(target_arch = "wasm32")) && tests[..of_values - 2].iter().any(|test| test.verdict == Verdict::Reject) {
        let passes = |law: &TargetLaw| {
            let Some(other) = observed.target.as_other(law) else { return false };
            let values = Values::new(observed.n, &other, observed.histogram, observed.summary.clone());
            let tests = holm(values.families(Err("not for another law"), 0).iter().map(together).collect());
            tests[0].p_value.is_some()
                && tests.iter().all(|test| test.verdict == Verdict::Pass || test.p_value.is_none())
        };
        alternative = observed.target.law.others().into_iter().find(passes);
    }
    Report { n: values.n, tests, power, consistent, modulus: None, alternative }
}

/// A family's least p-value, times the number of its tests (Bonferroni's correction), without a verdict.
pub(super) fn together(family: &Family) -> Test {
    let applicable = family.members.iter().filter_map(|member| Some((member, member.outcome.ok()?)));
    let members = applicable.clone().count() as u64;
    // NaN, which no test should give, comes first.
    let key = |p: f64| if p.is_nan() { -1.0 } else { p };
    let least = applicable.min_by(|(_, a), (_, b)| key(a.p_value).total_cmp(&key(b.p_value)));
    let reason = family.members.iter().find_map(|member| member.outcome.err()).unwrap_or("no test applies");
    let numbers = least.as_ref().map(|(_, numbers)| *numbers);
    Test {
        name: family.name.clone(),
        members,
        at: least.map(|(member, _)| member.at.clone()).filter(|at| !at.is_empty()),
        statistic: numbers.map(|numbers| numbers.statistic),
        dof: numbers.and_then(|numbers| numbers.dof),
        p_value: numbers.map(|numbers| (numbers.p_value * members as f64).min(1.0)),
        verdict: if numbers.is_some() { Verdict::Pass } else { Verdict::NotApplicable(reason) },
    }
}

/// Holm's step-down correction: the i-th smallest of m p-values is compared to α/(m-i+1), and
/// the first that passes lets all larger ones pass. The chance of any false rejection is at most
/// α under every dependence.
pub(super) fn holm(mut tests: Vec<Test>) -> Vec<Test> {
    let mut p_values: Vec<f64> = tests.iter().filter_map(|test| test.p_value).collect();
    p_values.sort_by(f64::total_cmp);
    let m = p_values.len();
    // NaN, which no test should give, rejects.
    let passes = |(i, p): (usize, &f64)| *p >= ALPHA / (m - i) as f64;
    let least_passing = p_values.iter().enumerate().find(|it| passes(*it)).map_or(f64::INFINITY, |(_, p)| *p);
    for test in &mut tests {
        if let Some(p) = test.p_value {
            test.verdict = if p >= least_passing { Verdict::Pass } else { Verdict::Reject };
        }
    }
    tests
}

/// The values' summary beside the law's numbers.
pub(super) struct Values<'a> {
    target: &'a Target,
    n: u64,
    summary: Summary,
    cells: Vec<Cell>,
    /// Whether a value is in a bin of the range with a probability of 0.
    is_impossible: bool,
    moments: [f64; ORDERS],
    residues: [f64; super::target::RESIDUES],
    /// P(X > c | X ≠ c); 0 if the law has nothing but c, to the precision of doubles.
    p_above: f64,
    p_marked: f64,
}

impl<'a> Values<'a> {
    pub(super) fn new(n: u64, target: &'a Target, histogram: &Histogram, summary: Summary) -> Self {
        let (last_below, first_above) = target.sides();
        let (below, above) = (target.mass(i64::MIN..=last_below), target.mass(first_above..=i64::MAX));
        let marked = target.marked();
        let (cells, is_impossible) = cells(n, target, histogram, |low, high| target.mass(low..=high));
        Values {
            cells,
            is_impossible,
            target,
            n,
            summary,
            moments: target.moments(),
            residues: target.residues(),
            p_above: if above + below > 0.0 { above / (above + below) } else { 0.0 },
            p_marked: target.mass(marked..=marked),
        }
    }

    /// The families of tests that look at the values alone, of a law with so many parameters that the same values gave.
    pub(super) fn families(&self, birthdays: Outcome, fitted: u64) -> Vec<Family> {
        let mut families = vec![
            Family::single("chi-squared", pearson(&self.cells)),
            Family::single("G", likelihood_ratio(&self.cells)),
            Family::single("sign", share(self.summary.above, self.off_center(), self.p_above)),
            Family::single("parity", share(self.odd(), self.n, self.p_odd())),
            Family::single("low 4 bits", self.low_bits()),
            Family::single(
                format!("P(X = {})", self.marked_value()),
                share(self.summary.at_mark, self.n, self.p_marked),
            ),
        ];
        for (k, name) in (1..).zip(["mean", "variance", "third moment", "fourth moment"]) {
            families.push(Family::single(name, self.moment(k)));
        }
        families.push(Family::single("range", self.range()));
        families.push(Family::single("too close", too_close(&self.cells, fitted)));
        families.push(Family::single("birthdays", birthdays));
        families
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
        let third = raw(3) - 3.0 * raw(2) * mean + 2.0 * power(mean, 3);
        let fourth = raw(4) - 4.0 * raw(3) * mean + 6.0 * raw(2) * mean * mean - 3.0 * power(mean, 4);
        let excess = self.summary.power(k) - self.n as f64 * mean;
        sum(excess, self.n, variance, third / (variance * variance.sqrt()), fourth / (variance * variance) - 3.0)
    }

    /// The extremes. The least and the greatest value each have two p-values, for lying too far out and for not lying
    /// far enough. Each p-value is at most t with probability at most t. Bonferroni's inequality combines the four. A value in a gap of the law
    /// has a p-value of 0.
    fn range(&self) -> Outcome {
        let (low, high) = self.summary.extremes.ok_or(CONSTANT)?;
        let n = self.n as f64;
        // P(some of n values falls into an event of probability q), P(none does)
        let some = |q: f64| -libm::expm1(n * libm::log1p(-q.min(1.0)));
        let none = |q: f64| libm::exp(n * libm::log1p(-q.min(1.0)));
        let below = low.checked_sub(1).map_or(0.0, |y| self.target.mass(i64::MIN..=y));
        let above = high.checked_add(1).map_or(0.0, |y| self.target.mass(y..=i64::MAX));
        let p_values =
            [some(self.target.mass(i64::MIN..=low)), some(self.target.mass(high..=i64::MAX)), none(below), none(above)];
        let least = if self.is_impossible { 0.0 } else { p_values.into_iter().fold(1.0, f64::min) };
        let distance = |y: i64| (y as f64 - self.target.center).abs() / self.target.sigma;
        let statistic = distance(low).max(distance(high));
        Ok(Numbers { statistic, dof: None, p_value: (4.0 * least).min(1.0) })
    }

    /// See [`Power`] for the formulas.
    fn power(&self, applicable: usize, reach: Extent, tests: &[Test]) -> Power {
        let level = ALPHA / applicable as f64;
        let z = pvalue::two_sided_quantile(level);
        // What is left of the level for each of so many parts of a family's test.
        let within = |name: &str, parts: f64| {
            let test = tests.iter().find(|test| test.name == name && test.members > 0)?;
            Some(level / test.members as f64 / parts)
        };
        let normal = pvalue::two_sided_quantile;
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
            correlation: within("x at lags", 1.0).map(|level| normal(level) / (reach.values as f64).sqrt()),
            magnitudes: within("|x| at lags", 1.0).map(|level| normal(level) / (reach.magnitudes as f64).sqrt()),
            place: within("places of x", 1024.0).map(|level| normal(level) / (n / 1024.0).sqrt()),
            wave: within("Fourier", FOURIER as f64).map(|level| reach.wave(level)),
            repeat: within("repeats", 1.0).and(reach.repeat),
            total_variation: pearson(&self.cells).ok().map(distance),
        }
    }
}

/// The intervals of the χ² test, merged: the tail below the range, the range in at most 4096
/// intervals, the tail above, with masses of this or another law. And whether one of probability 0 has a value.
fn cells(n: u64, target: &Target, histogram: &Histogram, mass: impl Fn(i64, i64) -> f64) -> (Vec<Cell>, bool) {
    let (below, above) = histogram.outside();
    let (low, high) = (*target.range.start(), *target.range.end());
    let cell = |count: u64, mass: f64| Cell { count, expected: n as f64 * mass };
    let tail_below = cell(below, low.checked_sub(1).map_or(0.0, |y| mass(i64::MIN, y)));
    // The last bin may reach beyond the range; its mass is that of all its values.
    let bins: Vec<_> = histogram.bins().collect();
    let inside = bins.chunks(1 << (target.log2_bin() - histogram.log2_bin())).map(|group| {
        let (first, last) = (group[0].0, group[group.len() - 1].1);
        cell(group.iter().map(|bin| bin.2).sum(), mass(first, last))
    });
    let end = bins.last().map_or(high, |bin| bin.1);
    let tail_above = cell(above, end.checked_add(1).map_or(0.0, |y| mass(y, i64::MAX)));
    let mut is_impossible = false;
    let all = core::iter::once(tail_below).chain(inside).chain(core::iter::once(tail_above));
    let cells = merged(all.inspect(|cell| is_impossible |= cell.count > 0 && cell.expected == 0.0));
    (cells, is_impossible)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_steps_down() {
        let test = |p| together(&Family::single("t", Ok(Numbers { statistic: 0.0, dof: None, p_value: p })));
        let verdicts = |p: &[f64]| -> Vec<bool> {
            let none = together(&Family::single("na", Err("reason")));
            let tests = holm(p.iter().map(|p| test(*p)).chain([none]).collect());
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
