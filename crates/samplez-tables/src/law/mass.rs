//! Masses of runs of integers, as multiples of their largest probability.

use crate::density::{Density, Side};
use crate::fixed::{Interval, nearest};
use libm::{ceil, exp, sqrt};

/// From this σ on sums become integrals.
const QUADRATURE_SIGMA: f64 = 512.0;

/// The positive nodes and the weights of the Gauss-Legendre rule with 12 points: the roots z
/// of P_12, and 2/((1 - z²) P'_12(z)²).
const GAUSS_LEGENDRE: [(f64, f64); 6] = [
    (0.125_233_408_511_468_9, 0.249_147_045_813_402_8),
    (0.367_831_498_998_180_2, 0.233_492_536_538_354_8),
    (0.587_317_954_286_617_5, 0.203_167_426_723_065_92),
    (0.769_902_674_194_304_7, 0.160_078_328_543_346_23),
    (0.904_117_256_370_474_9, 0.106_939_325_995_318_43),
    (0.981_560_634_246_719_3, 0.047_175_336_386_511_83),
];

/// Σ p(k)/p(from) over the distances k = from, …, from + len - 1 from the mode (len >= 1), with
/// a relative error below 2^-41.
pub(super) fn run(density: &Density<4>, sigma: f64, side: Side, from: u64, len: u128) -> f64 {
    if sigma < QUADRATURE_SIGMA {
        direct(density, side, from, len)
    } else {
        quadrature(sigma, from as f64 + density.exponent().offset(side), len as f64)
    }
}

/// Term by term, while they are 2^-64 or more: from there on they fall by more than 9/σ each,
/// so that what is left out is below 2^-56. The fixed-point error of the k-th term is below
/// 2^20 k² ulp of 2^-192.
fn direct(density: &Density<4>, side: Side, from: u64, len: u128) -> f64 {
    let mut walk = density.relative_walk(side, from);
    let mut sum = Interval::ZERO;
    let mut left = len;
    while left > 0 && (walk.value.lo[3] > 0 || walk.value.lo[2] > 0) {
        sum = sum.add(&walk.value);
        walk.advance();
        left -= 1;
    }
    nearest(&sum.lo)
}

/// By quadrature, for σ >= 512; `start` is the first distance from the centre, at least -1/2.
///
/// *Sum to integral.* With g = f - f''/24 + 7f⁗/5760 - 31f⁽⁶⁾/967680, the integral of g over
/// [x - 1/2, x + 1/2] is f(x) up to 2.2e-6 sup|f⁽⁸⁾|. For f = e^(-u²/2), u the distance over σ,
/// and u <= 39 (beyond, the whole is below the least double) that is less than
/// 2.2e-6·39⁸/σ⁸ = 2^-48.4 of f.
///
/// *Truncation* where f has fallen by e^-50.
///
/// *Quadrature.* On a panel of half-width w <= min(1/4, 1/u), in units of σ, f is entire and on
/// the Bernstein ellipse of parameter 16 at most e^10 f(middle), so that the rule's error is
/// below (64/15) e^10·16^-22/(1 - 2^-8) < 2^-71 of that: at most 2^-70 of the panel's integral.
///
/// *Rounding.* The exponent z is within 2^-48 relative, which costs no more than that, as the
/// mean of z under e^-z is at most 1; adding fewer than 2^10 positive terms costs 2^-43.
fn quadrature(sigma: f64, start: f64, len: f64) -> f64 {
    let variance = sigma * sigma;
    let far = 100.0 * variance / (start + sqrt(start * start + 100.0 * variance));
    let (low, high) = (-0.5, (len - 0.5).min(far));
    let steepest = (start + high) / sigma;
    let panels = ceil((high - low) / sigma * 0.5 * steepest.max(4.0)).max(1.0);
    let half = (high - low) / (2.0 * panels);
    let integrand = |y: f64| {
        let u = (start + y) / sigma;
        let u2 = u * u;
        let hermite = [u2 - 1.0, (u2 - 6.0) * u2 + 3.0, ((u2 - 15.0) * u2 + 45.0) * u2 - 15.0];
        let correction = hermite[0] * (-1.0 / 24.0)
            + (hermite[1] * (7.0 / 5760.0) - hermite[2] * (31.0 / 967_680.0) / variance) / variance;
        exp(-y * (y + 2.0 * start) / (2.0 * variance)) * (1.0 + correction / variance)
    };
    let mut sum = 0.0;
    for panel in 0..panels as u32 {
        let middle = low + f64::from(2 * panel + 1) * half;
        for (node, weight) in GAUSS_LEGENDRE {
            sum += weight * (integrand(middle - node * half) + integrand(middle + node * half));
        }
    }
    sum * half
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::params::{DiscreteGaussian, Width};

    /// Where both ways are open, from the middle to where doubles end.
    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn sums_and_integrals_agree() {
        for (sigma, center) in [("512", "0"), ("513", "1/2"), ("700", "-1/3")] {
            let width = Width::Sigma(sigma.parse().unwrap());
            let law = DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
            let sigma = crate::law::sigma(&law);
            let density = Density::new(&law, sigma);
            for side in [Side::Up, Side::Down] {
                for from in [1.0, 3.0, 9.0, 20.0, 37.0].map(|t| (t * sigma) as u64) {
                    for len in [1, 2, 40, sigma as u128, 1 << 70] {
                        let direct = direct(&density, side, from, len);
                        let start = from as f64 + density.exponent().offset(side);
                        let integral = quadrature(sigma, start, len as f64);
                        assert!((integral / direct - 1.0).abs() < 4e-13, "{law} {side:?} {from} {len}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_rule_integrates_polynomials_of_degree_23() {
        for power in (0..24).step_by(2) {
            let sum: f64 = GAUSS_LEGENDRE.iter().map(|(z, w)| 2.0 * w * libm::pow(*z, f64::from(power))).sum();
            assert!((sum - 2.0 / f64::from(power + 1)).abs() < 4e-16, "{power}: {sum}");
        }
        let next: f64 = GAUSS_LEGENDRE.iter().map(|(z, w)| 2.0 * w * libm::pow(*z, 24.0)).sum();
        assert!((next - 2.0 / 25.0).abs() > 1e-8);
    }
}
