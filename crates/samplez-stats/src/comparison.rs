//! The tests of two samples against each other.
//!
//! The hypothesis is that all n + m values are independent draws from one law. Take the number of times that each value
//! came in both samples together. Given these, every way to deal the values out to the two samples is equally likely.
//! The tests are about this deal: no law is needed.

use super::beside;
use super::cells::{Numbers, Outcome, homogeneity};
use super::dependence;
use super::family::{holm, together};
use super::group::{Family, LOW_ENTROPY};
use super::order::{Kind, Order};
use super::report::{Comparison, Power, Test, Verdict};
use super::sums::{CONSTANT, MAX_KURTOSIS, NOT_NORMAL};
use super::tally::{Tally, shared};
use super::{ALPHA, power, pvalue};

/// Runs every test.
/// By these orders, which have ended.
pub(super) fn judge(first: &Tally, second: &Tally, orders: &[Order; 2]) -> Comparison {
    let deal = Counts { n: [first.len, second.len], counts: pairs(&first.counts(), &second.counts()) };
    let residues = Counts { n: deal.n, counts: pairs(&first.residues, &second.residues) };
    let mut families = vec![
        Family::single("chi-squared", deal.homogeneity()),
        Family::single("Kolmogorov-Smirnov", Ok(deal.farthest_apart())),
        Family::single("low 4 bits", residues.homogeneity()),
    ];
    for (k, name) in (1..).zip(["mean", "variance", "third moment", "fourth moment"]) {
        families.push(Family::single(name, deal.moment(k).map(|(numbers, _)| numbers)));
    }
    families.push(Family::single("range", Ok(deal.range())));
    let shared = shared(&orders[0], &orders[1]);
    families.push(Family::single("too close", deal.too_close()));
    families.push(Family::new("in both", in_both(&deal, shared)));
    families.push(Family::new("equal places", beside::places(first.head(), second.head())));
    for (name, (tally, order)) in ["first", "second"].into_iter().zip([first, second].into_iter().zip(orders)) {
        for mut family in dependence::families(&tally.coding(), order) {
            family.name = format!("{}, {name}", family.name);
            families.push(family);
        }
    }
    let tests = holm(families.iter().map(together).collect());
    let consistent = tests.iter().all(|test| test.verdict != Verdict::Reject);
    let power = deal.power(&tests, orders);
    Comparison { n: deal.n, tests, power, shared: shared[0].or(shared[1]), consistent }
}

/// Tests for sequences in both samples that independent ones do not share.
fn in_both(deal: &Counts, shared: [Option<(u64, u64)>; 2]) -> Vec<(String, Outcome)> {
    let outcome = |found: Option<(u64, u64)>| {
        let (again, _) = found.ok_or(LOW_ENTROPY)?;
        let p_value = if again > 0 { Kind::bound(deal.total()) } else { 1.0 };
        Ok(Numbers { statistic: again as f64, dof: None, p_value })
    };
    let names = ["sequences", "magnitudes, either way"];
    let mut outcomes: Vec<_> =
        names.into_iter().zip(shared).map(|(name, found)| (name.to_string(), outcome(found))).collect();
    outcomes.push(("the same counts".to_string(), Ok(deal.same_counts())));
    outcomes
}

fn pairs(first: &[u64], second: &[u64]) -> Vec<[u64; 2]> {
    first.iter().zip(second).map(|(a, b)| [*a, *b]).collect()
}

/// How often each value came in each of two samples, ascending.
struct Counts {
    n: [u64; 2],
    counts: Vec<[u64; 2]>,
}

impl Counts {
    fn total(&self) -> u64 {
        self.n[0] + self.n[1]
    }

    /// nm/(n+m): the number of values that would give a single sample as much power against a known law.
    fn effective(&self) -> f64 {
        self.n[0] as f64 / self.total() as f64 * self.n[1] as f64
    }

    /// Pearson's statistic of the table with two rows.
    fn homogeneity(&self) -> Outcome {
        let table = homogeneity(&self.counts, self.n)?;
        let p_value = pvalue::chi_squared(table.statistic, table.dof);
        Ok(Numbers { statistic: table.statistic, dof: Some(table.dof as u64), p_value })
    }

    /// Tests whether the same statistic is too small.
    fn too_close(&self) -> Outcome {
        let table = homogeneity(&self.counts, self.n)?;
        Ok(Numbers { statistic: table.statistic, dof: Some(table.dof as u64), p_value: table.below() })
    }

    /// Returns the greatest distance of the two distribution functions, times √(nm/(n+m)), by Kolmogorov's law. That
    /// law is for continuous laws and many values, and an upper bound for discrete ones and few.
    fn farthest_apart(&self) -> Numbers {
        let [n, m] = self.n.map(|n| n as f64);
        let (mut sums, mut most) = ([0, 0], 0.0_f64);
        for [a, b] in &self.counts {
            sums = [sums[0] + a, sums[1] + b];
            most = most.max((sums[0] as f64 / n - sums[1] as f64 / m).abs());
        }
        let statistic = most * self.effective().sqrt();
        Numbers { statistic, dof: None, p_value: pvalue::kolmogorov(statistic) }
    }

    /// The sum over the first sample of the k-th powers of (x - mean)/deviation, both of all values; and the mean fourth power.
    ///
    /// Over all deals its mean is that of all values. Its variance and third moment are those of draws without
    /// replacement: nm/(N-1) times the variance, and nm(m-n)/((N-1)(N-2)) times the third central moment.
    fn moment(&self, k: usize) -> Result<(Numbers, f64), &'static str> {
        let total = self.total() as f64;
        let all = |f: &dyn Fn(f64) -> f64| {
            let terms = (0..).zip(&self.counts).filter(|(_, [a, b])| a + b > 0);
            terms.map(|(i, [a, b])| (a + b) as f64 * f(f64::from(i))).sum::<f64>() / total
        };
        let mean = all(&|x| x);
        let deviation = all(&|x| (x - mean).powi(2)).sqrt();
        if deviation < 1e-9 {
            return Err(CONSTANT);
        }
        let powered = |x: f64| power((x - mean) / deviation, k);
        let middle = all(&powered);
        let central = |j: usize| all(&|x| power(powered(x) - middle, j));
        let (variance, third, fourth) = (central(2), central(3), central(4));
        if variance < 1e-9 {
            return Err(CONSTANT);
        }
        let [n, m] = self.n.map(|n| n as f64);
        if fourth / (variance * variance) - 3.0 > MAX_KURTOSIS * n.min(m) {
            return Err(NOT_NORMAL);
        }
        let sum: f64 = (0..).zip(&self.counts).map(|(i, [a, _])| *a as f64 * (powered(f64::from(i)) - middle)).sum();
        let spread = (n * m / (total - 1.0) * variance).sqrt();
        let skewness = n * m * (m - n) / ((total - 1.0) * (total - 2.0)) * third / power(spread, 3);
        let fourth_power = all(&|x| power((x - mean) / deviation, 4));
        Ok((Numbers::normal(pvalue::normalised(sum / spread, skewness)), fourth_power))
    }

    /// Tests whether one sample alone has the greatest values, or the least. A sample with a share p gets the r
    /// greatest of all with probability at most p^r.
    fn range(&self) -> Numbers {
        let beyond = |counts: &mut dyn Iterator<Item = &[u64; 2]>| {
            let mut lone = [0_u64; 2];
            for [a, b] in counts {
                match (*a, *b, lone) {
                    (0, 0, _) => {}
                    (a, 0, [_, 0]) => lone[0] += a,
                    (0, b, [0, _]) => lone[1] += b,
                    _ => break,
                }
            }
            lone
        };
        let ends = [beyond(&mut self.counts.iter()), beyond(&mut self.counts.iter().rev())];
        let total = self.total() as f64;
        let p = |end: &[u64; 2]| (0..2).map(|i| libm::pow(self.n[i] as f64 / total, end[i] as f64)).fold(1.0, f64::min);
        let least = ends.iter().map(p).fold(1.0, f64::min);
        let statistic = ends.iter().flatten().copied().max().unwrap_or(0) as f64;
        Numbers { statistic, dof: None, p_value: (4.0 * least).min(1.0) }
    }

    /// Two samples of n values each that have the same counts, as a copy in another order has: the probability of this deal,
    /// exactly.
    fn same_counts(&self) -> Numbers {
        let same = self.counts.iter().all(|[a, b]| a == b);
        // ln C(2a, a)
        let halves = |a: u64| libm::lgamma(2.0 * a as f64 + 1.0) - 2.0 * libm::lgamma(a as f64 + 1.0);
        let log = self.counts.iter().map(|[a, _]| halves(*a)).sum::<f64>() - halves(self.n[0]);
        Numbers { statistic: f64::from(same), dof: None, p_value: if same { libm::exp(log).min(1.0) } else { 1.0 } }
    }

    /// Returns the power as [`Power`] defines it, with nm/(n+m) for n; for the tests of order, n is the smaller sample.
    fn power(&self, tests: &[Test], orders: &[Order; 2]) -> Power {
        let applicable = tests.iter().filter(|test| test.p_value.is_some()).count();
        let level = ALPHA / applicable as f64;
        let (z, n) = (pvalue::two_sided_quantile(level), self.effective());
        let distance = |numbers: Numbers| {
            let dof = numbers.dof.unwrap_or(1) as f64;
            (pvalue::chi_squared_quantile(level, dof) - dof + 1.0).max(0.0).sqrt() / (2.0 * n.sqrt())
        };
        let of_order = |name: &str, series: usize| {
            let found = |end| tests.iter().find(|test| test.name == format!("{name}, {end}") && test.members > 0);
            let members = found("first")?.members.max(found("second")?.members) as f64;
            let pairs = orders.iter().map(|order| order.lags.products[series][0].pairs).min().unwrap_or(0) as f64;
            Some(pvalue::two_sided_quantile(level / members) / pairs.sqrt())
        };
        Power {
            sigma: self.moment(2).ok().map(|(_, fourth)| z / 2.0 * ((fourth - 1.0) / n).sqrt()),
            mean: self.moment(1).ok().map(|_| z / n.sqrt()),
            correlation: of_order("x at lags", 0),
            magnitudes: of_order("|x| at lags", 1),
            total_variation: self.homogeneity().ok().map(distance),
            ..Power::default()
        }
    }
}
