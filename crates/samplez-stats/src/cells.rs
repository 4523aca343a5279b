//! Tests on counts: Pearson's χ², the likelihood ratio G, and a single share.

use super::{MIN_EXPECTATION, pvalue};

/// A test's numbers, or why it does not apply.
pub(super) type Outcome = Result<Numbers, &'static str>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    pub(super) statistic: f64,
    pub(super) dof: Option<u64>,
    pub(super) p_value: f64,
}

impl Numbers {
    pub(super) fn normal(z: f64) -> Self {
        Numbers { statistic: z, dof: None, p_value: pvalue::two_sided(z) }
    }
}

/// A count and its expectation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    pub(super) count: u64,
    pub(super) expected: f64,
}

/// Neighbouring cells merged until each expects enough. The rest at the end joins the last.
pub(super) fn merged(cells: impl Iterator<Item = Cell>) -> Vec<Cell> {
    merged_to(MIN_EXPECTATION, cells)
}

pub(super) fn merged_to(least: f64, cells: impl Iterator<Item = Cell>) -> Vec<Cell> {
    let mut merged: Vec<Cell> = Vec::new();
    let mut open = Cell::default();
    for cell in cells {
        open.count += cell.count;
        open.expected += cell.expected;
        if open.expected >= least {
            merged.push(core::mem::take(&mut open));
        }
    }
    if let Some(last) = merged.last_mut() {
        last.count += open.count;
        last.expected += open.expected;
    }
    merged
}

const FITTED: &str = "needs more cells than parameters that the values gave";
const TOO_FEW_CELLS: &str = "needs two cells that expect 25 values each";

fn degrees(cells: &[Cell]) -> Result<u64, &'static str> {
    if cells.len() < 2 { Err(TOO_FEW_CELLS) } else { Ok(cells.len() as u64 - 1) }
}

/// Pearson's Σ (count - expected)²/expected.
pub(super) fn pearson(cells: &[Cell]) -> Outcome {
    let dof = degrees(cells)?;
    let term = |cell: &Cell| (cell.count as f64 - cell.expected).powi(2) / cell.expected;
    let statistic = cells.iter().map(term).sum();
    Ok(Numbers { statistic, dof: Some(dof), p_value: pvalue::chi_squared(statistic, dof as f64) })
}

/// Tests whether Pearson's statistic is too small. Then the counts are too close to their expectations, as in samples that were
/// drawn without replacement. A few cells with small counts match their expectations by chance, hence [`Table::below`]. Each
/// parameter that the values gave takes one degree of freedom.
pub(super) fn too_close(cells: &[Cell], fitted: u64) -> Outcome {
    let Numbers { statistic, dof, .. } = pearson(cells)?;
    let dof = dof.unwrap_or(0).checked_sub(fitted).filter(|dof| *dof > 0).ok_or(FITTED)?;
    let reciprocals = cells.iter().map(|cell| cell.expected.recip()).sum();
    let table = Table { statistic, dof: dof as f64, reciprocals };
    Ok(Numbers { statistic, dof: Some(dof), p_value: table.below() })
}

/// A statistic of counts that is about χ², with the sum of the reciprocals of the counts' variances.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) statistic: f64,
    pub(super) dof: f64,
    reciprocals: f64,
}

impl Table {
    /// A bound of the probability that the statistic is so small. Counts are integers. In units of their deviations they lie on
    /// a lattice. The cells about its points within a ball lie within a ball that is larger by half their diagonal.
    pub(super) fn below(&self) -> f64 {
        let radius = self.statistic.sqrt() + self.reciprocals.sqrt() / 2.0;
        pvalue::chi_squared_below(radius * radius, self.dof)
    }
}

/// Pearson's statistic of a table with two rows of so many values: neighbours are merged until the smaller one expects enough.
pub(super) fn homogeneity(counts: &[[u64; 2]], n: [u64; 2]) -> Result<Table, &'static str> {
    let [n, m] = n.map(|n| n as f64);
    let share = n.min(m) / (n + m);
    let (mut cells, mut open): (Vec<[f64; 2]>, _) = (Vec::new(), [0.0; 2]);
    for [a, b] in counts {
        open = [open[0] + *a as f64, open[1] + *b as f64];
        if (open[0] + open[1]) * share >= MIN_EXPECTATION {
            cells.push(core::mem::take(&mut open));
        }
    }
    if let Some(last) = cells.last_mut() {
        *last = [last[0] + open[0], last[1] + open[1]];
    }
    if cells.len() < 2 {
        return Err("needs two cells that expect 25 values each of either sample");
    }
    let term = |[a, b]: &[f64; 2]| (a * (m / n).sqrt() - b * (n / m).sqrt()).powi(2) / (a + b);
    let variance = |[a, b]: &[f64; 2]| (a + b) * share * (1.0 - share);
    Ok(Table {
        statistic: cells.iter().map(term).sum(),
        dof: cells.len() as f64 - 1.0,
        reciprocals: cells.iter().map(|cell| variance(cell).recip()).sum(),
    })
}

/// 2 Σ count·ln(count/expected), divided by Williams's factor
/// 1 + (Σ n/expected - 1)/(6n·dof), which gives it the mean dof up to 1/n².
pub(super) fn likelihood_ratio(cells: &[Cell]) -> Outcome {
    let dof = degrees(cells)?;
    let n: f64 = cells.iter().map(|cell| cell.expected).sum();
    // Each term gets expected - count, which adds up to 0, lest large terms cancel.
    let term = |cell: &Cell| {
        let excess = (cell.count as f64 - cell.expected) / cell.expected;
        let log = if cell.count == 0 { 0.0 } else { (1.0 + excess) * libm::log1p(excess) };
        cell.expected * (log - excess)
    };
    let g = 2.0 * cells.iter().map(term).sum::<f64>();
    let reciprocals: f64 = cells.iter().map(|cell| n / cell.expected).sum();
    let statistic = g / (1.0 + (reciprocals - 1.0) / (6.0 * n * dof as f64));
    Ok(Numbers { statistic, dof: Some(dof), p_value: pvalue::chi_squared(statistic, dof as f64) })
}

/// Whether `count` of `n` values is a share of `p`: a z, corrected for skewness.
pub(super) fn share(count: u64, n: u64, p: f64) -> Outcome {
    let n = n as f64;
    if n * p.min(1.0 - p) < MIN_EXPECTATION {
        return Err("needs 25 expected values on each side");
    }
    let deviation = (n * p * (1.0 - p)).sqrt();
    let z = (count as f64 - n * p) / deviation;
    Ok(Numbers::normal(pvalue::normalised(z, (1.0 - 2.0 * p) / deviation)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(pairs: &[(u64, f64)]) -> Vec<Cell> {
        pairs.iter().map(|(count, expected)| Cell { count: *count, expected: *expected }).collect()
    }

    #[test]
    fn merging_keeps_totals_and_expectations() {
        let raw = [(1, 0.5), (3, 9.0), (20, 20.0), (80, 70.0), (11, 30.0), (5, 6.0), (2, 4.0)];
        let merged = merged(cells(&raw).into_iter());
        let got: Vec<_> = merged.iter().map(|cell| (cell.count, cell.expected)).collect();
        assert_eq!(got, [(24, 29.5), (80, 70.0), (18, 40.0)]);
        assert!(super::merged(cells(&[(3, 24.9)]).into_iter()).is_empty());
    }

    #[test]
    fn statistics_against_scipy() {
        // python3 -c "from scipy.stats import power_divergence as d; o=[30,50,20,100]; e=[40,40,30,90]
        // print(d(o,e), d(o,e,lambda_=0), 1+(sum(200/x for x in e)-1)/(6*200*3))"
        let cells = cells(&[(30, 40.0), (50, 40.0), (20, 30.0), (100, 90.0)]);
        let (x, g) = (pearson(&cells).unwrap(), likelihood_ratio(&cells).unwrap());
        assert!((x.statistic - 9.44444444444444).abs() < 1e-12 && (x.p_value - 0.0239297822739742).abs() < 1e-12);
        assert!((g.statistic * 1.00496913580247 - 9.90692959155282).abs() < 1e-12);
        assert_eq!((x.dof, g.dof), (Some(3), Some(3)));
        assert!(pearson(&cells[..1]).is_err() && likelihood_ratio(&[]).is_err());
    }

    /// Of the multinomial law of few values in few cells, every outcome.
    #[test]
    fn the_lower_tail_is_a_bound() {
        for n in [75_u64, 90, 120] {
            let third = n as f64 / 3.0;
            let log_factorial = |k: u64| libm::lgamma(k as f64 + 1.0);
            let mut outcomes = Vec::new();
            for a in 0..=n {
                for b in 0..=n - a {
                    let counts = [a, b, n - a - b];
                    let log = log_factorial(n) - counts.iter().map(|k| log_factorial(*k)).sum::<f64>();
                    let cells: Vec<Cell> = counts.iter().map(|count| Cell { count: *count, expected: third }).collect();
                    outcomes.push((too_close(&cells, 0).unwrap(), (log - n as f64 * 3.0_f64.ln()).exp()));
                }
            }
            for (numbers, _) in outcomes.iter().filter(|(numbers, _)| numbers.statistic < 8.0) {
                let exact: f64 =
                    outcomes.iter().filter(|(other, _)| other.statistic <= numbers.statistic).map(|(_, p)| p).sum();
                assert!(numbers.p_value >= exact, "{n}: {numbers:?} {exact}");
            }
        }
        let cells: Vec<Cell> = (0..40).map(|_| Cell { count: 1000, expected: 1000.5 }).collect();
        assert!(too_close(&cells, 0).unwrap().p_value < 1e-12);
        // Each fitted parameter takes a degree of freedom; three cells fit two parameters without a rest.
        assert_eq!(too_close(&cells, 2).unwrap().dof, Some(cells.len() as u64 - 3));
        assert!(too_close(&cells, 2).unwrap().p_value > too_close(&cells, 0).unwrap().p_value);
        assert!(too_close(&cells[..3], 2).is_err());
    }

    #[test]
    fn shares() {
        assert_eq!(share(50, 100, 0.5).unwrap().p_value, 1.0);
        assert!(share(0, 1000, 0.02).is_err() && share(0, 1000, 0.98).is_err());
        // Far out, the correction for skewness finds the exact tail (a z of 5.5 has 1.9e-8):
        // python3 -c "from scipy.stats import binom; print(binom.sf(154, 1e5, 1e-3), binom.cdf(54, 1e5, 1e-3))"
        for (count, tail) in [(155, 2.09160541993868e-07), (54, 3.38604044492771e-07)] {
            let p = share(count, 100_000, 0.001).unwrap().p_value / 2.0;
            assert!((0.5..2.0).contains(&(p / tail)), "{count}: {p:e}");
        }
    }
}
