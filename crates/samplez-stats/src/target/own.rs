//! The laws that [`Identifier`](crate::Identifier) tries and [`TargetLaw`](samplez_tables::TargetLaw) lacks.

use super::{ORDERS, RESIDUES, Target, laplace_moments, laplace_residues};
use crate::power;
use core::ops::RangeInclusive;
use samplez_core::{NoiseLaw, ParamError, Rational};
use samplez_tables::TargetLaw;

/// A uniform law of more values has the moments of a formula.
const WIDE_UNIFORM: f64 = 65536.0;

/// The largest mean of a Poisson law.
const MOST_POISSON: f64 = (1 << 18) as f64;

/// Masses below this one are left out of a table.
const LEAST: f64 = 1e-305;

/// A law.
#[derive(Clone, Debug)]
pub(super) enum Own {
    /// The sum of two discrete Laplace variables of this scale.
    LaplaceSum(f64),
    /// Uniform on the range.
    Uniform,
}

impl Target {
    /// The sum of two discrete Laplace variables of this scale.
    pub(crate) fn laplace_sum(scale: Rational) -> Result<Self, ParamError> {
        let base = Target::new(&TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale })?)?;
        let (scale, variance) = (scale.to_f64(), 2.0 * base.variance);
        let beyond = |range: &RangeInclusive<i64>, exponent: f64| {
            let (mut low, mut high) = (*range.end(), range.end().saturating_mul(2));
            // The sum reaches at most twice as far.
            while high - low > 1 {
                let middle = low.midpoint(high);
                *(if laplace_tail(scale, middle) < libm::exp2(exponent) { &mut high } else { &mut low }) = middle;
            }
            high
        };
        let (near, far) = (beyond(&base.range, -64.0), beyond(&base.far, -1000.0));
        let own = Some(Own::LaplaceSum(scale));
        let target = Target { own, sigma: variance.sqrt(), variance, far: -far..=far, ..base };
        Ok(Target { range: super::aligned(-near..=near), ..target })
    }

    /// Poisson's law of this mean, above 0 and up to 2^18. `None` for others.
    pub(crate) fn poisson(mean: f64) -> Option<Self> {
        if !(f64::MIN_POSITIVE..=MOST_POISSON).contains(&mean) {
            return None;
        }
        // From the greatest mass to either side; each quotient is exact except for its rounding.
        let (middle, mut masses) = (libm::floor(mean) as i64, vec![1.0]);
        let mut low = middle;
        while low > 0 && masses[masses.len() - 1] > LEAST {
            masses.push(masses[masses.len() - 1] * low as f64 / mean);
            low -= 1;
        }
        masses.reverse();
        for k in middle + 1.. {
            let mass = masses[masses.len() - 1] * mean / k as f64;
            if mass < LEAST {
                break;
            }
            masses.push(mass);
        }
        let whole: f64 = masses.iter().sum();
        masses.iter_mut().for_each(|mass| *mass /= whole);
        // Each mass is a product of at most as many quotients, and so is their sum.
        let error = 4.0 * masses.len() as f64 * f64::EPSILON;
        Target::new(&TargetLaw::by_masses(&format!("Poisson({mean})"), low, masses, error)).ok()
    }

    /// Uniform on the values from `low` to `high`, fewer than 2^62.
    pub(crate) fn uniform(low: i64, high: i64) -> Result<Self, ParamError> {
        let (shift, count) = (low.midpoint(high), high.abs_diff(low) + 1);
        // The shift is rounded towards 0.
        let center = (low - shift + (high - shift)) as f64 / 2.0;
        let range = low - shift..=high - shift;
        // The law itself is not used.
        let base = Target::new(&TargetLaw::finite(&NoiseLaw::Ternary)?)?;
        let variance = (count as f64 - 1.0) * (count as f64 + 1.0) / 12.0;
        Ok(Target {
            shift,
            range: range.clone(),
            far: range,
            center,
            sigma: variance.sqrt(),
            mean: center,
            variance,
            own: Some(Own::Uniform),
            ..base
        })
    }

    /// The mass of each value of a uniform law.
    fn each(&self) -> f64 {
        ((self.range.end().abs_diff(*self.range.start()) + 1) as f64).recip()
    }
}

impl Own {
    /// P(Y in range).
    pub(super) fn mass(&self, target: &Target, range: RangeInclusive<i64>) -> f64 {
        let (low, high) = range.into_inner();
        match self {
            Own::LaplaceSum(scale) => {
                let from = |x: i64| laplace_tail(*scale, x);
                let beyond = |end: i64| end.checked_add(1).map_or(0.0, from);
                match (low, high) {
                    _ if low > high => 0.0,
                    _ if low == high => libm::exp(laplace_sum_log(*scale, low)),
                    (1.., _) => from(low) - beyond(high),
                    (_, ..0) => from(high.saturating_neg()) - beyond(low.saturating_neg()),
                    _ => 1.0 - beyond(high) - beyond(low.saturating_neg()),
                }
            }
            Own::Uniform => {
                let (low, high) = (low.max(*target.range.start()), high.min(*target.range.end()));
                if low > high { 0.0 } else { (high.abs_diff(low) + 1) as f64 * target.each() }
            }
        }
    }

    /// The largest probability.
    pub(super) fn most(&self, target: &Target) -> f64 {
        match self {
            Own::LaplaceSum(_) => (-1..=1).map(|y| target.pmf(y)).fold(0.0, f64::max),
            Own::Uniform => target.each(),
        }
    }

    /// E\[(Y/d)^k\], d the deviation; `None` if it is to be summed.
    pub(super) fn moments(&self, target: &Target, deviation: f64) -> Option<[f64; ORDERS]> {
        match self {
            Own::LaplaceSum(_) => {
                let moments = laplace_moments(target.variance / 2.0, deviation);
                Some(core::array::from_fn(|k| {
                    let (mut sum, mut binomial) = (0.0, 1.0);
                    for j in 0..=k {
                        sum += binomial * moments[j] * moments[k - j];
                        binomial *= (k - j) as f64 / (j + 1) as f64;
                    }
                    sum
                }))
            }
            Own::Uniform if target.each() * WIDE_UNIFORM < 1.0 => {
                let half = 0.5 / (target.each() * deviation);
                Some(core::array::from_fn(|k| if k % 2 == 0 { power(half, k) / (k + 1) as f64 } else { 0.0 }))
            }
            Own::Uniform => None,
        }
    }

    /// P(Y mod 16 = r); `None` if it is to be summed.
    pub(super) fn residues(&self, target: &Target) -> Option<[f64; RESIDUES]> {
        match self {
            Own::LaplaceSum(scale) => {
                let masses = laplace_residues(*scale);
                let of = |r: usize| (0..RESIDUES).map(|s| masses[s] * masses[(r + RESIDUES - s) % RESIDUES]).sum();
                Some(core::array::from_fn(of))
            }
            Own::Uniform => Some(core::array::from_fn(|r| {
                // Values of this residue: those up to the end less those below the start.
                let upto = |y: i64| (y - r as i64).div_euclid(RESIDUES as i64);
                (upto(*target.range.end()) - upto(target.range.start() - 1)) as f64 * target.each()
            })),
        }
    }
}

/// ln P(Y = y) of a sum of two discrete Laplace variables of this scale: ((1 - q)/(1 + q))²·q^|y|·(|y| + (1 + q²)/(1 - q²)), q = e^(-1/λ).
pub(crate) fn laplace_sum_log(scale: f64, y: i64) -> f64 {
    let size = (y as f64).abs();
    2.0 * libm::log(libm::tanh(0.5 / scale)) - size / scale + libm::log(size + libm::tanh(scale.recip()).recip())
}

/// P(Y >= x) of this sum, for x >= 1: the sum of its masses.
fn laplace_tail(scale: f64, x: i64) -> f64 {
    let (size, less) = (x as f64, -libm::expm1(-scale.recip()));
    let whole = (size + libm::tanh(scale.recip()).recip()) / less + (1.0 - less) / (less * less);
    libm::exp(2.0 * libm::log(libm::tanh(0.5 / scale)) - size / scale) * whole
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against sums of products of the masses of one variable.
    #[test]
    fn a_sum_of_two_laplace_variables_has_the_masses_of_the_convolution() {
        for text in ["1/4", "1", "7/2", "20"] {
            let scale: Rational = text.parse().unwrap();
            let one = Target::new(&TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale }).unwrap()).unwrap();
            let masses: Vec<f64> = (-800..=800).map(|y| one.mass(y..=y)).collect();
            let of = |y: i64| -> f64 {
                (-800..=800_i64)
                    .filter(|x| (y - x).abs() <= 800)
                    .map(|x| masses[(x + 800) as usize] * masses[(y - x + 800) as usize])
                    .sum()
            };
            let sum = Target::laplace_sum(scale).unwrap();
            for y in -40..=40 {
                let (exact, found) = (of(y), sum.mass(y..=y));
                assert!((found / exact - 1.0).abs() < 1e-12, "{text} {y}: {found} {exact}");
                let (low, high) = (y.min(3), y.max(3));
                let whole: f64 = (low..=high).map(of).sum();
                assert!((sum.mass(low..=high) - whole).abs() < 1e-12, "{text} {low}..{high}");
            }
            assert!((sum.mass(i64::MIN..=i64::MAX) - 1.0).abs() < 1e-12);
            let total = |f: &dyn Fn(i64) -> f64| (-800..=800).map(|y| sum.mass(y..=y) * f(y)).sum::<f64>();
            let (moments, residues) = (sum.moments(), sum.residues());
            let fourth = total(&|y| power(y as f64 / sum.variance.sqrt(), 4));
            assert!((moments[2] - 1.0).abs() < 1e-12 && (moments[4] / fourth - 1.0).abs() < 1e-9, "{text}");
            assert!((residues[5] - total(&|y| f64::from(u8::from(y.rem_euclid(16) == 5)))).abs() < 1e-12);
            assert!(sum.mass(*sum.range.end()..=i64::MAX) > libm::exp2(-75.0));
            assert!(sum.mass(*sum.range.end() + 1..=i64::MAX) < libm::exp2(-64.0));
        }
    }

    /// Against e^-m·m^k/k!.
    #[test]
    fn a_poisson_law_has_its_masses_and_moments() {
        for mean in [1e-4, 0.7, 5.0, 1234.5] {
            let law = Target::poisson(mean).unwrap();
            let log = |k: i64| k as f64 * libm::log(mean) - mean - libm::lgamma(k as f64 + 1.0);
            for k in [0, 1, 2, 5, 1200, 1300] {
                let (exact, found) = (libm::exp(log(k)), law.mass(k - law.shift..=k - law.shift));
                assert!((found - exact).abs() <= 1e-10 * exact + 1e-300, "{mean} {k}: {found} {exact}");
            }
            let all = [law.mass(i64::MIN..=i64::MAX), law.mass(-law.shift..=i64::MAX)];
            assert!(all.iter().all(|mass| (mass - 1.0).abs() < 1e-12) && law.mass(i64::MIN..=-law.shift - 1) == 0.0);
            let moments = law.moments();
            // Skewness and kurtosis.
            assert!((moments[3] * mean.sqrt() - 1.0).abs() < 1e-9 && ((moments[4] - 3.0) * mean - 1.0).abs() < 1e-6);
        }
        assert!(Target::poisson(0.0).is_none() && Target::poisson(1e6).is_none());
    }
}
