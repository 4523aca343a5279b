//! Tests of vectors against a form: [`Report`].

use crate::form::Form;
use crate::law::Law;
use crate::law::tree::{factors, reach, signed};
use samplez::{Rational, Refused};
use samplez_stats::{Judge, Sum, Test, Verdict};
use std::collections::HashMap;

/// No verdict on fewer vectors.
const FEWEST: usize = 100;
/// The most products of entries whose exact moments are computed.
const PRODUCTS: usize = 1 << 22;
/// The most standard errors that a limit law may be off.
const OFF: f64 = 0.05;

const NO_LAW: &str = "needs a larger sigma, or a form of fewer vectors";
const NO_SHELLS: &str = "needs a theta series, or a form of fewer vectors";

/// The outcome of [`Form::verify`].
///
/// ```
/// use samplez::{Seed, Source};
/// use samplez_lattice::{Form, Matrix};
/// let form = Form::basis(&Matrix::new(&[[2, 1], [0, 3]])?, "4".parse()?)?;
/// let mut vectors = [0; 2000];
/// form.fill(Source::ChaCha20, &Seed::from_number(1), 0, &mut vectors)?;
/// let report = form.verify(&vectors, &[])?;
/// assert!(report.consistent && report.n == 1000);
/// let wider = Form::basis(&Matrix::new(&[[2, 1], [0, 3]])?, "5".parse()?)?;
/// assert!(!wider.verify(&vectors, &[])?.consistent);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The number of vectors.
    pub n: u64,
    /// Every family of tests, including the families that do not apply.
    pub tests: Vec<Test>,
    /// True if no test rejects.
    pub consistent: bool,
}

/// A form in doubles.
struct Real {
    /// D_j, and sqrt(D_j).
    weights: Vec<f64>,
    links: Vec<Vec<f64>>,
    centers: Vec<f64>,
    /// ‖b*_j‖² in the units of the Gram matrix.
    norms: Vec<f64>,
    duals: Vec<Vec<f64>>,
}

impl Real {
    fn new(form: &Form) -> Real {
        let (space, target) = (&form.space, &form.target);
        let (weights, links) = factors(space);
        let d = &space.reduced.minors;
        let center = |j: usize| signed(&target.lambda[j], &(&target.den * &d[j + 1]));
        let one = num_bigint::BigInt::from(1);
        Real {
            centers: (0..weights.len()).map(center).collect(),
            norms: d.windows(2).map(|pair| signed(&pair[1], &pair[0])).collect(),
            duals: space.duals.iter().map(|row| row.iter().map(|x| signed(x, &one)).collect()).collect(),
            weights,
            links,
        }
    }

    /// Coordinates in the reduced basis, rounded.
    fn nearest(&self, v: &[f64]) -> Vec<f64> {
        let n = self.weights.len();
        let mut shares: Vec<f64> = Vec::with_capacity(n);
        for (j, dual) in self.duals.iter().enumerate() {
            let product = dual.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
            let before = (0..j).map(|k| self.links[j][k] * shares[k] * self.norms[k]).sum::<f64>();
            shares.push((product - before) / self.norms[j]);
        }
        for j in (0..n).rev() {
            let x = shares[j].round();
            shares.iter_mut().zip(&self.links[j]).for_each(|(share, l)| *share -= l * x);
            shares[j] = x;
        }
        shares
    }

    /// The components of x - c along the Gram-Schmidt vectors, in standard deviations.
    fn components(&self, x: &[f64]) -> Vec<f64> {
        let one = |j: usize| {
            let sum = (j + 1..x.len()).map(|i| self.links[i][j] * x[i]).sum::<f64>();
            self.weights[j].sqrt() * (x[j] - self.centers[j] + sum)
        };
        (0..x.len()).map(one).collect()
    }

    /// A bound of the relative error of the limit laws, for the lattice of the multiples of `k`.
    fn ripple(&self, k: f64) -> f64 {
        let one = |weight: &f64| {
            let exponent = 2.0 * std::f64::consts::PI.powi(2) / (weight * k * k);
            20.0 * (-exponent).exp() * (1.0 + 2.0 * exponent)
        };
        self.weights.iter().map(one).sum()
    }
}

/// The first four central moments of a variable: mean, variance, skewness, excess kurtosis.
#[derive(Clone, Copy)]
struct Moments([f64; 4]);

impl Moments {
    fn of(values: impl Iterator<Item = (f64, f64)> + Clone) -> Moments {
        let mean = values.clone().map(|(mass, x)| mass * x).sum::<f64>();
        let central = |k: i32| values.clone().map(|(mass, x)| mass * (x - mean).powi(k)).sum::<f64>();
        let variance = central(2);
        let ratio = |k: i32, power: f64| if variance < 1e-12 { 0.0 } else { central(k) / variance.powf(power) };
        Moments([mean, variance, ratio(3, 1.5), ratio(4, 2.0) - 3.0])
    }

    fn sum(self, at: String, total: f64, n: usize) -> Sum {
        let [mean, variance, skewness, kurtosis] = self.0;
        Sum { at, excess: total - n as f64 * mean, variance, skewness, kurtosis }
    }
}

impl Form {
    /// Tests vectors, one after the other, as samples of this form. It rejects ideal samples with a probability of about 10^-6.
    ///
    /// `theta` is the beginning of the theta series. Each term is the square of a distance, as in
    /// [`Shell::distance`](crate::Shell::distance), and how many vectors have it. A distance without vectors may be left out.
    ///
    /// | family | tests |
    /// |---|---|
    /// | lattice | whether every vector is in the lattice, or its coset |
    /// | vectors | Pearson's χ² of the vectors against their probabilities |
    /// | reach | whether every vector is in the set that holds all but 2^-80 of the probability |
    /// | norms | Pearson's χ² of the distances from the centre against their probabilities |
    /// | distance | the mean square of the distance |
    /// | mean | of each component along the Gram-Schmidt vectors of the reduced basis |
    /// | covariance | of each two components, and the variance of each |
    /// | coordinates | how many vectors have an odd coordinate in the reduced basis: their product with a vector of the dual basis |
    ///
    /// The probabilities are the form's own ([`law`](Self::law)) where it has at most 2^18 vectors within reach. `norms` takes its
    /// probabilities from `theta`, if all but 2^-80 of the probability is nearer than the last distance. Other tests take the moments of the limit for large σ, where these
    /// are exact enough for the number of vectors. A test that has neither does not apply, and reports the reason.
    ///
    /// # Errors
    ///
    /// [`Refused`] for fewer than 100 vectors, and for a number of integers that is no multiple of [`columns`](Self::columns).
    pub fn verify(&self, vectors: &[i64], theta: &[(Rational, f64)]) -> Result<Report, Refused> {
        let columns = self.columns();
        let n = vectors.len() / columns;
        if !vectors.len().is_multiple_of(columns) {
            let wanted = format!("expected a multiple of {columns}, the integers of a vector");
            return Err(Refused::new("number of integers", vectors.len(), wanted));
        }
        if n < FEWEST {
            return Err(Refused::new("number of vectors", n, format!("expected at least {FEWEST}")));
        }
        let real = Real::new(self);
        let found: Vec<Option<Vec<i64>>> = vectors.chunks_exact(columns).map(|v| self.places(&real, v)).collect();
        let mut judge = Judge::new();
        let inside: Vec<&Vec<i64>> = found.iter().flatten().collect();
        judge.impossible("lattice", (n - inside.len()) as u64);
        if !inside.is_empty() {
            self.families(&mut judge, &real, &inside, theta);
        }
        let tests = judge.finish();
        let consistent = tests.iter().all(|test| test.verdict != Verdict::Reject);
        Ok(Report { n: n as u64, tests, consistent })
    }

    /// The coordinates of a vector of the coset.
    fn places(&self, real: &Real, v: &[i64]) -> Option<Vec<i64>> {
        let one = num_bigint::BigInt::from(1);
        let own: Vec<f64> = v.iter().zip(self.offset.iter()).map(|(v, offset)| signed(&(v - offset), &one)).collect();
        let near: Vec<i64> = real.nearest(&own).into_iter().map(|x| x as i64).collect();
        let mut out = vec![0; v.len()];
        if self.combine(&near, &mut out).is_some() && out == v {
            return Some(near);
        }
        self.coordinates(v)?.iter().map(|x| i64::try_from(x).ok()).collect()
    }

    fn families(&self, judge: &mut Judge, real: &Real, inside: &[&Vec<i64>], theta: &[(Rational, f64)]) {
        let (n, rank) = (inside.len(), self.rank());
        let law = self.law().ok();
        let known = law.as_ref().and_then(Law::vectors).unwrap_or_default();
        let masses: Vec<f64> = match &law {
            Some(law) => known.iter().map(|(_, key)| law.mass_at(*key)).collect(),
            None => Vec::new(),
        };
        let is_smooth = |ripple: f64| ripple * (n as f64).sqrt() < OFF;
        // Each vector, and the distances.
        let mut counts: HashMap<&[i64], u64> = HashMap::new();
        inside.iter().for_each(|x| *counts.entry(x.as_slice()).or_default() += 1);
        if known.is_empty() {
            judge.inapplicable("vectors", NO_LAW);
        } else {
            let mut cells: Vec<(u64, f64)> = Vec::with_capacity(known.len());
            for ((x, _), mass) in known.iter().zip(&masses) {
                cells.push((counts.remove(x.as_slice()).unwrap_or(0), mass * n as f64));
            }
            cells.sort_by(|a, b| b.1.total_cmp(&a.1));
            judge.counts("vectors", cells);
            judge.impossible("reach", counts.values().sum());
        }
        let components: Vec<Vec<f64>> =
            inside.iter().map(|x| real.components(&x.iter().map(|x| *x as f64).collect::<Vec<_>>())).collect();
        let squares: Vec<f64> = components.iter().map(|y| y.iter().map(|y| y * y).sum()).collect();
        match self.shells(law.as_ref(), theta) {
            Some(shells) => judge.counts("norms", cells(&shells, &squares)),
            None => judge.inapplicable("norms", NO_SHELLS),
        }
        let exact: Option<Vec<Vec<f64>>> = (!known.is_empty() && known.len() * rank * rank <= PRODUCTS).then(|| {
            known.iter().map(|(x, _)| real.components(&x.iter().map(|x| *x as f64).collect::<Vec<_>>())).collect()
        });
        // The moments of a function of the components: of the law, or of the limit.
        let moments = |limit: [f64; 4], of: &dyn Fn(&[f64]) -> f64| match &exact {
            Some(points) => Some(Moments::of(masses.iter().zip(points).map(|(mass, y)| (*mass, of(y))))),
            None => is_smooth(real.ripple(1.0)).then_some(Moments(limit)),
        };
        let size = rank as f64;
        let total = |of: &dyn Fn(&[f64]) -> f64| components.iter().map(|y| of(y)).sum::<f64>();
        let family = |judge: &mut Judge, name: &str, members: Vec<Option<Sum>>| match members
            .into_iter()
            .collect::<Option<Vec<Sum>>>()
        {
            Some(members) => judge.sums(name, n as u64, members),
            None => judge.inapplicable(name, NO_LAW),
        };
        let square = |y: &[f64]| y.iter().map(|y| y * y).sum::<f64>();
        let limit = [size, 2.0 * size, (8.0 / size).sqrt(), 12.0 / size];
        let of = moments(limit, &square).map(|of| of.sum(String::new(), total(&square), n));
        family(judge, "distance", vec![of]);
        let mean = |j: usize| {
            let of = |y: &[f64]| y[j];
            Some(moments([0.0, 1.0, 0.0, 0.0], &of)?.sum(format!("component {}", j + 1), total(&of), n))
        };
        family(judge, "mean", (0..rank).map(mean).collect());
        let covariance = |i: usize, j: usize| {
            let of = |y: &[f64]| y[i] * y[j];
            let limit = if i == j { [1.0, 2.0, 8_f64.sqrt(), 12.0] } else { [0.0, 1.0, 0.0, 6.0] };
            Some(moments(limit, &of)?.sum(format!("components {} and {}", i + 1, j + 1), total(&of), n))
        };
        let pairs = (0..rank).flat_map(|i| (0..=i).map(move |j| (i, j)));
        family(judge, "covariance", pairs.map(|(i, j)| covariance(i, j)).collect());
        let odd = |j: usize| {
            let at = format!("coordinate {}", j + 1);
            let count = inside.iter().filter(|x| x[j] & 1 == 1).count() as f64;
            let of = |x: &Vec<i64>| f64::from((x[j] & 1) as u8);
            let limit = Moments([0.5, 0.25, 0.0, -2.0]);
            let of = match &exact {
                Some(_) => Some(Moments::of(masses.iter().zip(&known).map(|(mass, (x, _))| (*mass, of(x))))),
                None => is_smooth(real.ripple(2.0)).then_some(limit),
            };
            Some(of?.sum(at, count, n))
        };
        family(judge, "coordinates", (0..rank).map(odd).collect());
    }

    /// Q of each distance, and its probability: of a theta series that goes far enough, else of the law.
    fn shells(&self, law: Option<&Law>, theta: &[(Rational, f64)]) -> Option<Vec<(f64, f64)>> {
        let unit = self.space.sigma.to_f64().powi(-2);
        let mut shells: Vec<(f64, f64)> =
            theta.iter().map(|(distance, vectors)| (distance.to_f64() * unit, *vectors)).collect();
        shells.sort_by(|a, b| a.0.total_cmp(&b.0));
        if shells.last().is_some_and(|(last, _)| *last >= reach(self.rank())) {
            let least = shells[0].0;
            shells.iter_mut().for_each(|(square, mass)| *mass *= ((least - *square) / 2.0).exp());
            let sum: f64 = shells.iter().map(|(_, mass)| mass).sum();
            shells.iter_mut().for_each(|(_, mass)| *mass /= sum);
            return Some(shells);
        }
        let own = law?.shells().ok()?;
        Some(own.iter().map(|shell| (shell.distance.to_f64() * unit, shell.mass)).collect())
    }
}

/// The counts of these Q, and their expectations; the last cell has all others.
fn cells(shells: &[(f64, f64)], squares: &[f64]) -> Vec<(u64, f64)> {
    let mut cells: Vec<(u64, f64)> = shells.iter().map(|(_, mass)| (0, mass * squares.len() as f64)).collect();
    let mut others = 0;
    for square in squares {
        let k = shells.partition_point(|(edge, _)| edge < square);
        let near = [k.checked_sub(1), Some(k)].into_iter().flatten().filter(|k| *k < shells.len());
        let distance = |k: &usize| (shells[*k].0 - square).abs();
        match near.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
            // Within rounding.
            Some(k) if distance(&k) <= 1e-7 * (1.0 + square) => cells[k].0 += 1,
            _ => others += 1,
        }
    }
    let rest = 1.0 - shells.iter().map(|(_, mass)| mass).sum::<f64>();
    cells.push((others, rest.max(0.0) * squares.len() as f64));
    cells
}

#[cfg(test)]
mod tests;
