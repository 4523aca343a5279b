//! Laws as functions of their parameters, in doubles: for the fit alone. The tests have the exact masses of [`Target`](crate::target::Target).

use crate::target::laplace_sum_log;
use core::f64::consts::{FRAC_1_SQRT_2, LN_2, TAU};

/// From this σ on, Σ exp(-(x - c)²/2σ²) is σ√(2π), up to e^(-2π²·16).
const SMOOTH: f64 = 4.0;

/// From this σ on, a mass of the rounded normal is its density times 1 + (z² - 1)/24σ², up to a share of σ^-4.
const WIDE: f64 = 1000.0;

/// From this σ on, the mass of D_Z in a range is that of a formula.
const SUMMED: f64 = 50.0;

/// The distance from the centre, in σ, beyond which the mass is below 2^-100.
const REACH: f64 = 12.0;

/// The maximum number of periods on either side that are added up.
const PERIODS: i64 = 64;

/// A law with parameters to be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// c and ln σ.
    Discrete,
    /// c and ln σ.
    Rounded,
    /// ln λ.
    Laplace,
    /// ln λ.
    RoundedLaplace,
    /// ln λ.
    LaplaceSum,
    /// ln of the variance.
    Skellam,
    /// ln of the mean.
    Poisson,
}

/// A family, cut to a range or reduced modulo q.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    pub(super) family: Family,
    pub(super) range: Option<(i64, i64)>,
    pub(super) modulus: Option<i64>,
}

/// A law as a function of its values.
#[derive(Clone, Copy)]
pub(super) enum Law {
    Fitted(Model, [f64; 2]),
    Binomial(i64),
    Uniform(i64, i64),
    TUniform(u32),
}

/// What the values of a law are relative to.
pub(super) enum Origin {
    /// 0.
    Zero,
    /// The integer nearest to the mean.
    Mean,
    /// 0, or the integer that the law is moved by.
    Center,
}

impl Law {
    /// What its values are relative to.
    pub(super) fn origin(self) -> Origin {
        match self {
            Law::Fitted(Model { family: Family::Poisson, .. }, _) => Origin::Zero,
            Law::Fitted(model, _) if model.family.dimension() == 2 => Origin::Mean,
            Law::Uniform(low, high) if (low, high) != (-1, 1) => Origin::Mean,
            _ => Origin::Center,
        }
    }

    pub(super) fn log_masses(self, ys: &[i64]) -> Vec<f64> {
        let each = |f: &dyn Fn(i64) -> f64| ys.iter().map(|y| f(*y)).collect();
        match self {
            Law::Fitted(model, theta) => model.log_masses(theta, ys),
            Law::Binomial(eta) => each(&|y| binomial(eta, y)),
            Law::Uniform(low, high) => {
                let log = -libm::log(high.abs_diff(low) as f64 + 1.0);
                each(&|y| if low <= y && y <= high { log } else { f64::NEG_INFINITY })
            }
            Law::TUniform(b) => {
                let (end, log) = (1_u64 << b, -(f64::from(b) + 1.0) * LN_2);
                each(&|y| match y.unsigned_abs() {
                    size if size < end => log,
                    size if size == end => log - LN_2,
                    _ => f64::NEG_INFINITY,
                })
            }
        }
    }
}

impl Model {
    /// ln P(Y = y) for each y, ascending.
    pub(super) fn log_masses(&self, theta: [f64; 2], ys: &[i64]) -> Vec<f64> {
        if let Some((low, high)) = self.range {
            let held = self.family.held(theta, low, high);
            // Too far from the centre for its digits: not a law to fit.
            if held < 1e-280 {
                return vec![f64::NEG_INFINITY; ys.len()];
            }
            let held = libm::log(held);
            let logs = self.family.log_masses(theta, ys).into_iter().zip(ys);
            let cut = |(log, y): (f64, &i64)| if (low..=high).contains(y) { log - held } else { f64::NEG_INFINITY };
            return logs.map(cut).collect();
        }
        let (reach, Some(q)) = (self.family.reach(theta), self.modulus) else {
            return self.family.log_masses(theta, ys);
        };
        let periods = (libm::ceil((reach / q as f64 - 0.5).max(0.0)) as i64).min(PERIODS);
        if periods == 0 {
            return self.family.log_masses(theta, ys);
        }
        let mut masses = vec![0.0; ys.len()];
        for k in -periods..=periods {
            let moved: Vec<i64> = ys.iter().map(|y| y.saturating_add(k.saturating_mul(q))).collect();
            for (mass, log) in masses.iter_mut().zip(self.family.log_masses(theta, &moved)) {
                *mass += libm::exp(log);
            }
        }
        masses.into_iter().map(libm::log).collect()
    }
}

impl Family {
    /// How many parameters it has.
    pub(super) const fn dimension(self) -> usize {
        if matches!(self, Family::Discrete | Family::Rounded) { 2 } else { 1 }
    }

    /// Almost all values are so near to 0.
    fn reach(self, [a, b]: [f64; 2]) -> f64 {
        match self {
            Family::Discrete | Family::Rounded => a.abs() + REACH * libm::exp(b) + 1.0,
            Family::Laplace | Family::RoundedLaplace => 100.0 * LN_2 * libm::exp(a) + 1.0,
            Family::LaplaceSum => (100.0 * LN_2 + 10.0) * libm::exp(a) + 1.0,
            Family::Skellam => REACH * libm::exp(a / 2.0) + 30.0,
            Family::Poisson => libm::exp(a) + REACH * libm::exp(a / 2.0) + 30.0,
        }
    }

    /// P(low <= Y <= high).
    pub(super) fn held(self, theta: [f64; 2], low: i64, high: i64) -> f64 {
        let [center, sigma] = [theta[0], libm::exp(theta[1])];
        let is_gaussian = self.dimension() == 2;
        if !is_gaussian || (self == Family::Discrete && sigma < SUMMED) {
            let each = self.log_masses(theta, &(low..=high).collect::<Vec<_>>());
            return each.into_iter().map(libm::exp).sum();
        }
        let ends = [low as f64 - 0.5, high as f64 + 0.5].map(|x| (x - center) / sigma);
        let upper = |z: f64| libm::erfc(z * FRAC_1_SQRT_2) / 2.0;
        let normal = if ends[0] > 0.0 { upper(ends[0]) - upper(ends[1]) } else { upper(-ends[1]) - upper(-ends[0]) };
        if self == Family::Rounded {
            return normal;
        }
        // Euler and Maclaurin: the sum is the integral less the difference of the derivatives over 24. The next term is below 7/5760·σ^-4.
        let slope = ends.map(|z| -z * libm::exp(-z * z / 2.0) / TAU.sqrt() / (sigma * sigma));
        normal - (slope[1] - slope[0]) / 24.0
    }

    fn log_masses(self, [a, b]: [f64; 2], ys: &[i64]) -> Vec<f64> {
        match self {
            Family::Discrete => discrete(a, libm::exp(b), ys),
            Family::Rounded => ys.iter().map(|y| rounded(*y as f64 - a, libm::exp(b))).collect(),
            Family::Laplace => {
                let scale = libm::exp(a);
                let at_zero = libm::log(libm::tanh(0.5 / scale));
                ys.iter().map(|y| at_zero - (*y as f64).abs() / scale).collect()
            }
            Family::RoundedLaplace => {
                let scale = libm::exp(a);
                let half = 0.5 / scale;
                // ln sinh h = h + ln((1 - e^-2h)/2).
                let beside = half + libm::log(-libm::expm1(-2.0 * half) / 2.0);
                let mass = |y: i64| match y {
                    0 => libm::log(-libm::expm1(-half)),
                    _ => beside - (y as f64).abs() / scale,
                };
                ys.iter().map(|y| mass(*y)).collect()
            }
            Family::LaplaceSum => ys.iter().map(|y| laplace_sum_log(libm::exp(a), *y)).collect(),
            Family::Skellam => skellam(libm::exp(a), ys),
            Family::Poisson => ys.iter().map(|y| poisson(a, *y)).collect(),
        }
    }
}

fn discrete(center: f64, sigma: f64, ys: &[i64]) -> Vec<f64> {
    let log = |y: f64| -(y - center) * (y - center) / (2.0 * sigma * sigma);
    let middle = center.round();
    let normalizer = if sigma >= SMOOTH {
        libm::log(sigma * TAU.sqrt())
    } else {
        // About the greatest term, so that nothing vanishes.
        let top = log(middle);
        let reach = (14.0 * sigma) as i32 + 3;
        top + libm::log((-reach..=reach).map(|i| libm::exp(log(middle + f64::from(i)) - top)).sum::<f64>())
    };
    ys.iter().map(|y| log(*y as f64) - normalizer).collect()
}

/// ln(Φ((t + 1/2)/σ) - Φ((t - 1/2)/σ)).
fn rounded(t: f64, sigma: f64) -> f64 {
    let (t, z) = (t.abs(), t.abs() / sigma);
    if sigma >= WIDE {
        return -z * z / 2.0 - libm::log(sigma * TAU.sqrt()) + libm::log1p((z * z - 1.0) / (24.0 * sigma * sigma));
    }
    let upper = |x: f64| libm::erfc(x / sigma * FRAC_1_SQRT_2) / 2.0;
    let mass = if t < 0.5 { 1.0 - upper(0.5 - t) - upper(0.5 + t) } else { upper(t - 0.5) - upper(t + 0.5) };
    if mass > 1e-290 {
        return libm::log(mass);
    }
    // Mills: Φ(-z) is about φ(z)/z.
    let near = (t - 0.5) / sigma;
    -near * near / 2.0 - libm::log(near * TAU.sqrt())
}

/// e^-V·I_|y|(V), from the quotients of neighbours: I_k/I_(k-1) = 1/(2k/V + I_(k+1)/I_k), from far out to the middle.
fn skellam(variance: f64, ys: &[i64]) -> Vec<f64> {
    let most = ys.iter().map(|y| y.unsigned_abs()).max().unwrap_or(0) as usize;
    let reach = most.max((REACH * variance.sqrt()) as usize + 40) + 40;
    let mut logs = vec![0.0; reach + 1];
    let mut quotient = 0.0;
    for k in (1..=reach).rev() {
        quotient = 1.0 / (2.0 * k as f64 / variance + quotient);
        logs[k] = libm::log(quotient);
    }
    let (mut log, mut total) = (0.0, 0.5);
    for step in &mut logs[1..] {
        log += *step;
        *step = log;
        total += libm::exp(log);
    }
    let whole = libm::log(2.0 * total);
    ys.iter().map(|y| logs[y.unsigned_abs() as usize] - whole).collect()
}

/// ln(C(2η, η + y)/4^η).
fn binomial(eta: i64, y: i64) -> f64 {
    if y.saturating_abs() > eta {
        return f64::NEG_INFINITY;
    }
    let (n, above, below) = (eta as f64, (eta + y) as f64, (eta - y) as f64);
    if above.min(below) < 16.0 {
        return libm::lgamma(2.0 * n + 1.0) - 2.0 * n * LN_2 - libm::lgamma(above + 1.0) - libm::lgamma(below + 1.0);
    }
    // Stirling's formula, without the differences of its large terms: those of wide laws are less than these terms' last digits.
    let rest = |n: f64| (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / (n * n)) / (n * n)) / (n * n)) / n;
    let t = y as f64 / n;
    let large = above * libm::log1p(t) + below * libm::log1p(-t) + libm::log(TAU / 2.0 * n * (1.0 - t * t)) / 2.0;
    rest(2.0 * n) - rest(above) - rest(below) - large
}

/// ln(e^-μ·μ^y/y!), of ln μ.
fn poisson(log_mean: f64, y: i64) -> f64 {
    if y < 0 {
        return f64::NEG_INFINITY;
    }
    y as f64 * log_mean - libm::exp(log_mean) - libm::lgamma(y as f64 + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Target;
    use samplez_core::{DiscreteGaussian, NoiseLaw, Width};
    use samplez_tables::TargetLaw;

    /// Against the exact masses, which the tests have.
    #[test]
    fn masses_are_those_of_the_target() {
        let gaussian = |sigma: &str, center: &str| {
            DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
        };
        let of = |family, range, modulus, theta: [f64; 2], law: TargetLaw, ys: &[i64]| {
            let model = Model { family, range, modulus };
            for (y, log) in ys.iter().zip(model.log_masses(theta, ys)) {
                let exact = law.logpmf(*y);
                assert!((log - exact).abs() < 1e-9 * exact.abs().max(1.0), "{law}: {y}: {log} {exact}");
            }
        };
        let ys: Vec<i64> = (-9..=9).collect();
        for (sigma, center) in [("0.3", "1/4"), ("0.7", "-1/2"), ("3.9", "0"), ("4.1", "1/3"), ("2000", "-1/5")] {
            let (law, theta) = (gaussian(sigma, center), |law: &DiscreteGaussian| {
                [law.center().to_f64(), law.width().value().to_f64().ln()]
            });
            let theta = theta(&law);
            let near = |y: &&i64| law.width().value().to_f64() > 0.5 || y.abs() < 3;
            let ys: Vec<i64> = ys.iter().filter(near).copied().collect();
            of(Family::Discrete, None, None, theta, (&law).into(), &ys);
            of(Family::Rounded, None, None, theta, TargetLaw::rounded(&law).unwrap(), &ys);
        }
        let law = gaussian("3.9", "1/3");
        let theta = [1.0 / 3.0, 3.9_f64.ln()];
        of(Family::Discrete, Some((-5, 4)), None, theta, TargetLaw::from(&law).within(-5..=4).unwrap(), &[-5, 0, 4]);
        of(Family::Discrete, None, Some(7), theta, TargetLaw::from(&law).modulo(7).unwrap(), &[-3, 0, 3]);
        for (variance, text) in [(0.1_f64, "0.1"), (10.0, "10"), (1e4, "10000")] {
            let law = TargetLaw::finite(&NoiseLaw::Skellam { variance: text.parse().unwrap() }).unwrap();
            of(Family::Skellam, None, None, [variance.ln(), 0.0], law, &ys);
        }
        for (eta, y) in [(9, 9), (33, 0), (33, 17), (33, -18), (1000, 99), (1 << 20, -700), (1 << 20, 4321)] {
            let exact = TargetLaw::finite(&NoiseLaw::CenteredBinomial { eta }).unwrap().logpmf(y);
            let log = Law::Binomial(eta.into()).log_masses(&[y, i64::from(eta) + 1]);
            assert!((log[0] - exact).abs() < 1e-12 && log[1] == f64::NEG_INFINITY, "{eta} {y}: {log:?}, {exact}");
        }
        let law = TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale: "7/2".parse().unwrap() }).unwrap();
        of(Family::Laplace, None, None, [3.5_f64.ln(), 0.0], law, &ys);
        let (poisson, model) =
            (Target::poisson(6.5).unwrap(), Model { family: Family::Poisson, range: None, modulus: None });
        for (y, log) in (0..=9).zip(model.log_masses([6.5_f64.ln(), 0.0], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9])) {
            let exact = poisson.mass(y - poisson.shift..=y - poisson.shift);
            assert!((log.exp() / exact - 1.0).abs() < 1e-12, "{y}");
        }
    }

    /// The rounded Laplace law of the fit, and that of the tests, against the distribution function of a Laplace variable.
    #[test]
    fn rounded_laplace_has_the_masses_of_intervals() {
        for (text, scale) in [("1/3", 1.0 / 3.0), ("2", 2.0), ("50", 50.0)] {
            let target = Target::new(&TargetLaw::rounded_laplace(text.parse().unwrap()).unwrap()).unwrap();
            let below = |x: f64| if x < 0.0 { (x / scale).exp() / 2.0 } else { 1.0 - (-x / scale).exp() / 2.0 };
            let model = Model { family: Family::RoundedLaplace, range: None, modulus: None };
            for y in -20..=20 {
                let mass = below(y as f64 + 0.5) - below(y as f64 - 0.5);
                let fitted = model.log_masses([scale.ln(), 0.0], &[y])[0].exp();
                assert!((fitted - mass).abs() < 1e-14 && (target.mass(y..=y) - mass).abs() < 1e-14, "{scale} {y}");
                assert!((target.mass(-3..=y) - (below(y as f64 + 0.5) - below(-3.5)).max(0.0)).abs() < 1e-14);
            }
            let (moments, residues) = (target.moments(), target.residues());
            let sum = |f: &dyn Fn(i64) -> f64| (-4000..=4000).map(|y| target.mass(y..=y) * f(y)).sum::<f64>();
            let fourth = sum(&|y| (y as f64 / target.variance.sqrt()).powi(4));
            assert!((moments[2] - 1.0).abs() < 1e-12 && (moments[4] / fourth - 1.0).abs() < 1e-9);
            assert!((residues[5] - sum(&|y| f64::from(y.rem_euclid(16) == 5))).abs() < 1e-12);
        }
    }
}
