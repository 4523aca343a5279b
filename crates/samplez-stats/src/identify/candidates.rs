//! The laws that are tried, each with the parameters of the greatest likelihood.

use super::counts::{modulus_of, moments, reduced};
use super::estimates::{Z, estimate, estimate_of_center, estimate_of_whole, holds, short, whole};
use super::fit::{Fit, fit};
use super::known;
use super::model::{Family, Law, Model, Origin};
use super::report::Candidate;
use crate::birthdays::{self, Birthdays};
use crate::family::{Values, holm, together};
use crate::histogram::Histogram;
use crate::report::{Test, Verdict};
use crate::summary::Summary;
use crate::target::Target;
use crate::{ALPHA, MAX_DIRECT, MIN_EXPECTATION, pvalue};
use core::f64::consts::FRAC_1_SQRT_2;
use samplez_core::{DiscreteGaussian, NoiseLaw, Rational, Width};
use samplez_tables::TargetLaw;

/// A law about 0 is moved by an integer where the mean's standard error is below this.
const SURE: f64 = 0.1;

/// The mean is away from 0 by so many standard errors.
const AWAY: f64 = 5.5;

/// A cut law is a candidate if the whole one expects so many values outside of the range that all lie in. A whole law
/// expects more with a probability of 13·e^-12.
const MISSING: f64 = 12.0;

/// At most so many values of a cut law are added up.
const CUT: i64 = 1 << 16;

/// The largest variance of a Skellam law: beyond that of one sample, sums of samples.
const MOST_SKELLAM: f64 = (1 << 24) as f64;

/// The largest η.
const MOST_PAIRS: i64 = 1 << 20;

/// At most so many values are compared.
const GRID: i64 = 1 << 16;

const TWO_VALUES: &str = "two values do not determine a width and a centre";
const TOO_WIDE: &str = "the values are too wide for this law";
const NEGATIVE: &str = "a value is negative";

/// The values, and what is known of them before a law is.
pub(super) struct Data {
    /// The values less `shift`, ascending.
    ys: Vec<i64>,
    counts: Vec<u64>,
    shares: Vec<f64>,
    n: u64,
    /// The first values.
    head: Vec<i64>,
    pub(super) mean: f64,
    pub(super) deviation: f64,
    pub(super) modulus: Option<u128>,
    /// An integer near the mean.
    shift: i64,
    /// By how much laws about 0 are moved: 0 or `shift`.
    moved: i64,
}

impl Data {
    pub(super) fn new(pairs: &[(i64, u64)], head: &[i64], modulus: Option<u128>) -> Self {
        let modulus = modulus.or_else(|| modulus_of(pairs.iter().copied()));
        let about = modulus.map(|q| reduced(pairs, q)).filter(|about| moments(about).1 < moments(pairs).1);
        let is_reduced = about.is_some();
        let pairs = about.unwrap_or_else(|| pairs.to_vec());
        let (mean, variance) = moments(&pairs);
        let n: u64 = pairs.iter().map(|(_, count)| count).sum();
        let error = (variance / n as f64).sqrt();
        // As near to the mean as leaves all values less it within 64 bits.
        let (low, high) = (pairs[0].0, pairs[pairs.len() - 1].0);
        let shift = (mean.round() as i64).clamp(high.saturating_sub(i64::MAX), low.saturating_sub(i64::MIN));
        let head = match modulus {
            Some(q) if is_reduced => head.iter().map(|x| reduced(&[(*x, 1)], q)[0].0).collect(),
            _ => head.to_vec(),
        };
        Data {
            ys: pairs.iter().map(|(y, _)| y - shift).collect(),
            shares: pairs.iter().map(|(_, count)| *count as f64 / n as f64).collect(),
            counts: pairs.iter().map(|(_, count)| *count).collect(),
            n,
            head,
            mean,
            deviation: variance.sqrt(),
            modulus,
            shift,
            moved: if error < SURE && mean.abs() > AWAY * error { shift } else { 0 },
        }
    }

    /// The least and the greatest value.
    pub(super) fn range(&self) -> (i64, i64) {
        let of = |y: Option<&i64>| y.map_or(0, |y| y.saturating_add(self.shift));
        (of(self.ys.first()), of(self.ys.last()))
    }

    /// All laws: those that pass first, by Schwarz's criterion, then the others by their least p-value.
    pub(super) fn candidates(&self) -> Vec<(Candidate, Option<Law>)> {
        let mut found = Vec::new();
        for family in [Family::Discrete, Family::Rounded] {
            let whole = self.gaussian(family, None);
            let cut = self.cut_of(&whole);
            found.push(whole);
            found.extend(cut);
        }
        found.push(self.binomial());
        found.push(self.tuniform());
        found.push(self.ternary());
        found.push(self.laplace(Family::Laplace));
        found.push(self.laplace(Family::RoundedLaplace));
        found.push(self.laplace(Family::LaplaceSum));
        found.push(self.skellam());
        // Residues about 0 have negative values.
        found.extend(self.modulus.is_none().then(|| self.poisson()));
        found.extend(self.uniform());
        let key = |row: &Row| {
            let least = row.candidate.least().and_then(|test| test.p_value).unwrap_or(-1.0);
            match row.candidate.verdict {
                Verdict::Pass => (0, -row.criterion(self.n as f64)),
                Verdict::Reject => (1, -least),
                Verdict::NotApplicable(_) => (2, 0.0),
            }
        };
        found.sort_by(|a, b| {
            let ((rank, a), (other, b)) = (key(a), key(b));
            rank.cmp(&other).then(a.total_cmp(&b))
        });
        let range = self.range();
        let named = |row: Row| {
            let known = known::samplers(&row.candidate, range);
            (Candidate { known, ..row.candidate }, row.law)
        };
        found.into_iter().map(named).collect()
    }

    /// The values less an integer.
    fn about(&self, shift: i64) -> Vec<i64> {
        let by = self.shift - shift;
        self.ys.iter().map(|y| y.saturating_add(by)).collect()
    }

    fn is_wide(&self) -> bool {
        self.ys[self.ys.len() - 1].abs_diff(self.ys[0]) >= MAX_DIRECT
    }

    fn model(&self, family: Family, range: Option<(i64, i64)>) -> Model {
        let modulus = self.modulus.and_then(|q| i64::try_from(q).ok()).filter(|q| *q <= CUT);
        Model { family, range, modulus: modulus.filter(|_| range.is_none()) }
    }

    /// D_Z or the rounded normal.
    fn gaussian(&self, family: Family, range: Option<(i64, i64)>) -> Row {
        let name = if family == Family::Discrete { "discrete Gaussian" } else { "rounded normal" };
        let row = Row::new(name);
        if self.ys.len() < 3 {
            return row.without(TWO_VALUES);
        }
        let model = self.model(family, range);
        let (middle, variance) = (self.mean - self.shift as f64, self.deviation * self.deviation);
        let less = if family == Family::Rounded { 1.0 / 12.0 } else { 0.0 };
        let width = match variance {
            v if v >= 0.3 => (v - less).sqrt(),
            // P(|X| = 1) is about 2e^(-1/2σ²).
            v => (2.0 * (2.0 / v).ln()).sqrt().recip(),
        };
        let fitted = if self.is_wide() {
            let theta = [middle, libm::log(width)];
            self.known(&model, theta, [width, FRAC_1_SQRT_2])
        } else {
            fit(&model, [middle, libm::log(width)], &self.ys, &self.shares)
        };
        let [center, log] = fitted.theta;
        let (sigma, root) = (libm::exp(log), (self.n as f64).sqrt());
        let errors = [fitted.errors[0] / root, sigma * fitted.errors[1] / root];
        let (width, middle) = (short(sigma, errors[1]), short(center, errors[0]));
        let law = (|| {
            let parameters = DiscreteGaussian::new(middle.parse().ok()?, Width::Sigma(width.parse().ok()?)).ok()?;
            let law = match family {
                Family::Discrete => TargetLaw::from(&parameters),
                _ => TargetLaw::rounded(&parameters).ok()?,
            };
            match (range, self.modulus) {
                (Some((low, high)), _) => law.within(low..=high).ok(),
                (None, Some(q)) => law.modulo(q).ok(),
                _ => Some(law),
            }
        })();
        let target = law.and_then(|law| Target::new(&law).ok()).map(|target| target.shifted(self.shift));
        let mut row = row.judged(self, target, 2, Law::Fitted(model, fitted.theta), &fitted);
        if row.law.is_none() && self.modulus.is_some() {
            // The parameters may be those of another width modulo q.
            return row;
        }
        let (sigma, center) = (estimate("sigma", sigma, errors[1]), estimate_of_center(center, self.shift, errors[0]));
        row.candidate.is_floor = family == Family::Rounded && holds(&center, -0.5) && !holds(&center, 0.0);
        row.candidate.parameters = vec![sigma, center];
        row.candidate.range = range.map(|(low, high)| (low + self.shift, high + self.shift));
        row
    }

    /// The same law cut to the values' range, if the whole one would have gone beyond.
    fn cut_of(&self, whole: &Row) -> Option<Row> {
        let (low, high) = (*self.ys.first()?, *self.ys.last()?);
        let Some(Law::Fitted(Model { family, .. }, theta)) = whole.law else { return None };
        let missing = |theta: [f64; 2]| (1.0 - family.held(theta, low, high)) * self.n as f64;
        if self.modulus.is_some()
            || self.ys.len() < 5
            || high.abs_diff(low) > CUT as u64
            || missing(theta) < MISSING / 2.0
        {
            return None;
        }
        let row = self.gaussian(family, Some((low, high)));
        let Some(Law::Fitted(_, theta)) = row.law else { return None };
        // A width without end is the uniform law's.
        let is_flat = libm::exp(theta[1]) > 10.0 * (high.abs_diff(low) as f64);
        (!is_flat && missing(theta) >= MISSING).then_some(row)
    }

    fn laplace(&self, family: Family) -> Row {
        let row = Row::new(match family {
            Family::Laplace => "discrete Laplace",
            Family::LaplaceSum => "sum of two discrete Laplace",
            _ => "rounded Laplace",
        });
        let (model, ys) = (self.model(family, None), self.about(self.moved));
        let mean: f64 = ys.iter().zip(&self.shares).map(|(y, share)| (*y as f64).abs() * share).sum();
        let start = match family {
            // The variance of one is 1/(2·sinh²(1/2λ)).
            Family::LaplaceSum => -libm::log(2.0 * libm::asinh(self.deviation.recip())),
            // E|X| = 2q/(1 - q²) = 1/sinh(1/λ), for q = e^(-1/λ).
            _ => -libm::log(libm::asinh(mean.recip())),
        };
        let fitted = match self.is_wide() {
            true => self.known_of(&model, [start, 0.0], [1.0, 0.0], &ys),
            false => fit(&model, [start, 0.0], &ys, &self.shares),
        };
        let scale = libm::exp(fitted.theta[0]);
        let error = scale * fitted.errors[0] / (self.n as f64).sqrt();
        // Beyond half a modulus lies at most e^-40, and of a sum e^-36.
        let is_wrapped = self.modulus.is_some_and(|q| 80.0 * scale > q as f64);
        let value: Option<Rational> = short(scale, error).parse().ok();
        let target = value.and_then(|scale| match family {
            Family::Laplace => self.target(&NoiseLaw::DiscreteLaplace { scale }),
            _ if scale.to_f64() < 1.0 / 16.0 || is_wrapped => None,
            Family::LaplaceSum => Target::laplace_sum(scale).ok(),
            _ => TargetLaw::rounded_laplace(scale).ok().and_then(|law| Target::new(&law).ok()),
        });
        let target = target.map(|target| target.shifted(self.moved));
        let mut row = row.judged(self, target, 1, Law::Fitted(model, fitted.theta), &fitted);
        row.candidate.shift = self.moved;
        if row.law.is_some() || self.modulus.is_none() {
            row.candidate.parameters = vec![estimate("scale", scale, error)];
        }
        row
    }

    fn skellam(&self) -> Row {
        let row = Row::new("Skellam");
        let (model, ys) = (self.model(Family::Skellam, None), self.about(self.moved));
        let square = |(y, share): (&i64, &f64)| share * (*y as f64) * (*y as f64);
        let variance: f64 = ys.iter().zip(&self.shares).map(square).sum();
        if self.is_wide() || variance > MOST_SKELLAM {
            return row.without(TOO_WIDE);
        }
        let fitted = fit(&model, [libm::log(variance), 0.0], &ys, &self.shares);
        let variance = libm::exp(fitted.theta[0]);
        let error = variance * fitted.errors[0] / (self.n as f64).sqrt();
        let value: Option<Rational> = short(variance, error).parse().ok();
        let target = value.and_then(|variance| self.target(&NoiseLaw::Skellam { variance }));
        let target = target.map(|target| target.shifted(self.moved));
        let mut row = row.judged(self, target, 1, Law::Fitted(model, fitted.theta), &fitted);
        row.candidate.parameters = vec![estimate("variance", variance, error)];
        row.candidate.shift = self.moved;
        row
    }

    fn poisson(&self) -> Row {
        let row = Row::new("Poisson");
        if self.range().0 < 0 {
            return row.without(NEGATIVE);
        }
        // The mean is the likeliest, and has the variance μ/n.
        let (mean, error) = (self.mean, (self.mean / self.n as f64).sqrt());
        let (model, theta) = (self.model(Family::Poisson, None), [libm::log(mean), 0.0]);
        let fitted = self.known_of(&model, theta, [mean.sqrt().recip(), 0.0], &self.about(0));
        let mut row = row.judged(self, Target::poisson(mean), 1, Law::Fitted(model, theta), &fitted);
        row.candidate.parameters = vec![estimate("mean", mean, error)];
        row
    }

    fn binomial(&self) -> Row {
        let ys = self.about(self.moved);
        let least = ys.iter().map(|y| y.saturating_abs()).max().unwrap_or(0).max(1);
        let row = Row::new("centred binomial");
        if least > MOST_PAIRS {
            return row.without(TOO_WIDE);
        }
        // The first η in a range from which on a condition holds, or its end.
        let first = |mut low: i64, mut high: i64, holds: &dyn Fn(i64) -> bool| {
            while low < high {
                let middle = low.midpoint(high);
                (low, high) = if holds(middle) { (low, middle) } else { (middle + 1, high) };
            }
            low
        };
        // P of η + 1 over that of η is (1 - 1/(2η + 2))/(1 - y²/(η + 1)²). The likelihood rises, and then it falls.
        let falls = |eta: i64| {
            let inverse = ((eta + 1) as f64).recip();
            let of = |(y, share): (&i64, &f64)| share * libm::log1p(-(*y as f64 * inverse) * (*y as f64 * inverse));
            libm::log1p(-inverse / 2.0) <= ys.iter().zip(&self.shares).map(of).sum()
        };
        let best = first(least, MOST_PAIRS, &falls);
        let log_likelihood = self.likelihood(Law::Binomial(best), &ys);
        // Those whose likelihood is not less by more than χ²/2.
        let near = |eta| (log_likelihood - self.likelihood(Law::Binomial(eta), &ys)) * self.n as f64 <= Z * Z / 2.0;
        let (low, beyond) = (first(least, best, &near), first(best, MOST_PAIRS + 1, &|eta| eta > best && !near(eta)));
        let fitted = Fit { theta: [0.0; 2], errors: [0.0; 2], log_likelihood };
        let target = self.target(&NoiseLaw::CenteredBinomial { eta: best as u32 });
        let target = target.map(|target| target.shifted(self.moved));
        let mut row = row.judged(self, target, 1, Law::Binomial(best), &fitted);
        row.candidate.parameters = vec![estimate_of_whole("eta", best, low..=beyond - 1)];
        row.candidate.shift = self.moved;
        row
    }

    fn tuniform(&self) -> Row {
        let (row, ys) = (Row::new("TUniform"), self.about(self.moved));
        let most = ys.iter().map(|y| y.unsigned_abs()).max().unwrap_or(0);
        let b = most.checked_next_power_of_two().map_or(64, u64::trailing_zeros);
        if b > 62 {
            return row.without(TOO_WIDE);
        }
        let law = Law::TUniform(b);
        let fitted = Fit { theta: [0.0; 2], errors: [0.0; 2], log_likelihood: self.likelihood(law, &ys) };
        let target = self.target(&NoiseLaw::TUniform { bound_log2: b }).map(|target| target.shifted(self.moved));
        let mut row = row.judged(self, target, 0, law, &fitted);
        row.candidate.parameters = vec![whole("b", b.into())];
        row.candidate.shift = self.moved;
        row
    }

    fn ternary(&self) -> Row {
        let ys = self.about(self.moved);
        let law = Law::Uniform(-1, 1);
        let fitted = Fit { theta: [0.0; 2], errors: [0.0; 2], log_likelihood: self.likelihood(law, &ys) };
        let target = self.target(&NoiseLaw::Ternary).map(|target| target.shifted(self.moved));
        let mut row = Row::new("ternary").judged(self, target, 0, law, &fitted);
        row.candidate.shift = self.moved;
        row
    }

    /// `None` for the values of the ternary law.
    fn uniform(&self) -> Option<Row> {
        let (low, high) = (*self.ys.first()?, *self.ys.last()?);
        let row = Row::new("uniform");
        if high.abs_diff(low) >= 1 << 62 {
            return Some(row.without(TOO_WIDE));
        }
        if self.about(self.moved) == [-1, 0, 1] {
            return None;
        }
        let law = Law::Uniform(low, high);
        let fitted = Fit { theta: [0.0; 2], errors: [0.0; 2], log_likelihood: self.likelihood(law, &self.ys) };
        let target = Target::uniform(low, high).ok().map(|target| target.shifted(self.shift));
        let mut row = row.judged(self, target, 0, law, &fitted);
        row.candidate.parameters = vec![whole("low", low + self.shift), whole("high", high + self.shift)];
        Some(row)
    }

    /// A finite law, modulo q.
    fn target(&self, law: &NoiseLaw) -> Option<Target> {
        let law = TargetLaw::finite(law).ok()?;
        let law = match self.modulus {
            Some(q) => law.modulo(q).ok()?,
            None => law,
        };
        Target::new(&law).ok()
    }

    fn likelihood(&self, law: Law, ys: &[i64]) -> f64 {
        law.log_masses(ys).iter().zip(&self.shares).map(|(log, share)| log * share).sum()
    }

    /// Known parameters and standard errors.
    fn known(&self, model: &Model, theta: [f64; 2], errors: [f64; 2]) -> Fit {
        self.known_of(model, theta, errors, &self.ys)
    }

    fn known_of(&self, model: &Model, theta: [f64; 2], errors: [f64; 2], ys: &[i64]) -> Fit {
        Fit { theta, errors, log_likelihood: self.likelihood(Law::Fitted(*model, theta), ys) }
    }

    /// The tests of the values, of a law with so many fitted parameters.
    fn tests(&self, target: &Target, fitted: u64) -> Vec<Test> {
        let (mut histogram, direct) = Histogram::direct_or_not(target);
        let mut summary = Summary::new(target);
        for (y, count) in self.ys.iter().zip(&self.counts) {
            let y = target.place(y.saturating_add(self.shift));
            histogram.add(y, *count);
            summary.add(y, *count);
        }
        let birthdays = if direct {
            birthdays::of_counts(&histogram, self.n, target)
        } else {
            let mut birthdays = Birthdays::new(target);
            let head: Vec<i64> = self.head.iter().map(|x| target.place(*x)).collect();
            birthdays.push(&head);
            birthdays.outcome(target)
        };
        let values = Values::new(self.n, target, &histogram, summary);
        holm(values.families(birthdays, fitted).iter().map(together).collect())
    }

    /// See [`Identification::separation`](super::Identification::separation).
    pub(super) fn separation(&self, laws: &[(Candidate, Option<Law>)]) -> Option<f64> {
        let mut passing = laws.iter().filter(|(law, _)| law.verdict == Verdict::Pass);
        let ((_, Some(law)), (second, Some(other))) = (passing.next()?, passing.next()?) else { return None };
        let (low, high) = (*self.ys.first()?, *self.ys.last()?);
        let pad = i64::try_from(high.abs_diff(low) / 2).ok()?.saturating_add(8);
        let (low, high) = (low.checked_sub(pad)?, high.checked_add(pad)?);
        // At most one period of a modulus, which holds all values.
        let count = i128::from(high) - i128::from(low) + 1;
        let beyond = self.modulus.map_or(0, |q| (count - q as i128).max(0)) as i64;
        let (low, high) = (low + beyond / 2, high - (beyond - beyond / 2));
        let step = (high.abs_diff(low) / GRID as u64 + 1) as i64;
        let grid: Vec<i64> = (0..).map_while(|i| low.checked_add(i * step)).take_while(|y| *y <= high).collect();
        // Of the values less their mean, in both frames.
        let masses = |law: Law| -> Vec<f64> {
            let by = match law.origin() {
                Origin::Zero => self.shift,
                Origin::Mean => 0,
                Origin::Center => self.shift - self.moved,
            };
            let ys: Vec<i64> = grid.iter().map(|y| y.saturating_add(by)).collect();
            let masses: Vec<f64> = law.log_masses(&ys).into_iter().map(libm::exp).collect();
            let total: f64 = masses.iter().sum();
            masses.into_iter().map(|p| p / total).collect()
        };
        let p = masses(*law);
        // The nearest law of the other family, not the one that these values gave.
        let nearest = match other {
            Law::Fitted(model, theta) if step == 1 && model.family.dimension() == 2 => {
                let kept: Vec<(i64, f64)> =
                    grid.iter().copied().zip(p.iter().copied()).filter(|(_, p)| *p > 1e-30).collect();
                let (ys, shares): (Vec<i64>, Vec<f64>) = kept.into_iter().unzip();
                Law::Fitted(*model, fit(model, *theta, &ys, &shares).theta)
            }
            _ => *other,
        };
        let q = masses(nearest);
        let distance = match (*law, *other) {
            // The nearest uniform law has the same ends, with twice their mass: not the ends that these values gave.
            (Law::TUniform(b), Law::Uniform(..)) | (Law::Uniform(..), Law::TUniform(b)) if b > 0 => {
                libm::exp2(-f64::from(b)) / 3.0
            }
            _ => p.iter().zip(&q).filter(|(p, q)| *p + *q > 0.0).map(|(p, q)| 2.0 * (p - q) * (p - q) / (p + q)).sum(),
        };
        let cells = p.iter().filter(|p| *p * self.n as f64 >= MIN_EXPECTATION).count().max(2);
        let applicable = second.tests.iter().filter(|test| test.p_value.is_some()).count().max(1);
        let (level, dof) = (ALPHA / applicable as f64, cells as f64 - 1.0);
        let noncentrality = pvalue::chi_squared_quantile(level, dof) - dof + 1.0;
        Some(noncentrality / distance).filter(|n| *n < 1e18)
    }
}

/// A candidate with its criterion.
struct Row {
    candidate: Candidate,
    law: Option<Law>,
    /// The mean of ln P over the values.
    log_likelihood: f64,
}

impl Row {
    fn new(name: &'static str) -> Self {
        let candidate = Candidate {
            name,
            parameters: Vec::new(),
            range: None,
            shift: 0,
            is_floor: false,
            known: Vec::new(),
            tests: Vec::new(),
            verdict: Verdict::NotApplicable(TOO_WIDE),
        };
        Row { candidate, law: None, log_likelihood: f64::NEG_INFINITY }
    }

    fn without(mut self, why: &'static str) -> Self {
        self.candidate.verdict = Verdict::NotApplicable(why);
        self
    }

    /// Schwarz's criterion. The ends of a range are parameters.
    fn criterion(&self, n: f64) -> f64 {
        let ends = if self.candidate.range.is_some() { 2 } else { 0 };
        n * self.log_likelihood - (self.candidate.parameters.len() + ends) as f64 / 2.0 * n.ln()
    }

    /// Tested, with so many parameters that absorb a part of the deviation: those but the ends of a range, which take none.
    fn judged(mut self, data: &Data, target: Option<Target>, parameters: u64, law: Law, fit: &Fit) -> Self {
        let Some(target) = target else { return self.without(TOO_WIDE) };
        self.log_likelihood = fit.log_likelihood;
        self.law = Some(law);
        self.candidate.tests = data.tests(&target, parameters);
        let rejects = self.candidate.tests.iter().any(|test| test.verdict == Verdict::Reject);
        self.candidate.verdict = if rejects { Verdict::Reject } else { Verdict::Pass };
        self
    }
}
