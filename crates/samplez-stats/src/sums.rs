//! Sums of many terms, taken for normal except for their skewness; sums of squares of such.

use super::cells::{Numbers, Outcome};
use super::{power, pvalue};

/// A sum of n terms is taken for normal, except for its skewness, on one condition. The excess kurtosis of a term is at
/// most this times n.
pub(super) const MAX_KURTOSIS: f64 = 0.01;

pub(super) const NOT_NORMAL: &str = "needs more values: the sum is far from normal";
pub(super) const CONSTANT: &str = "the law is constant here";

/// A sum of n uncorrelated terms with mean 0 and this variance, skewness and excess kurtosis.
pub(super) fn sum(excess: f64, n: u64, variance: f64, skewness: f64, kurtosis: f64) -> Outcome {
    let n = n as f64;
    if variance < 1e-9 {
        return Err(CONSTANT);
    }
    if kurtosis > MAX_KURTOSIS * n {
        return Err(NOT_NORMAL);
    }
    let z = excess / (n * variance).sqrt();
    Ok(Numbers::normal(pvalue::normalised(z, skewness / n.sqrt())))
}

/// From so many degrees of freedom on a sum of squares may be too small. Below, it is 0, or next to it, more often than
/// a continuous law predicts. Its terms are sums of integers, and with few terms all of them are at their means now and
/// then.
pub(super) const LOW_SIDE: f64 = 24.0;

/// Tests a sum of squares of `count` independent variables with mean 0, variance 1 and excess kurtosis `kurtosis`. The
/// sum is taken for a multiple of a χ² variable with the same mean and variance. The test has both sides, or with few
/// degrees of freedom the upper one.
pub(super) fn squares(total: f64, count: f64, kurtosis: f64) -> Numbers {
    let Sides { statistic, dof, below, above } = sides(total, count, kurtosis);
    let p_value = if dof < LOW_SIDE { above } else { (2.0 * below.min(above)).min(1.0) };
    Numbers { statistic, dof: Some(dof.round() as u64), p_value }
}

/// A χ² variable, and the probabilities that it is at most and at least what it is.
pub(super) struct Sides {
    pub(super) statistic: f64,
    pub(super) dof: f64,
    pub(super) below: f64,
    pub(super) above: f64,
}

/// As [`squares`], each side by itself.
pub(super) fn sides(total: f64, count: f64, kurtosis: f64) -> Sides {
    let dof = count / (1.0 + kurtosis / 2.0);
    let statistic = total * dof / count;
    let (below, above) = (pvalue::chi_squared_below(statistic, dof), pvalue::chi_squared(statistic, dof));
    Sides { statistic, dof, below, above }
}

/// Cumulants 1 to 4, for each pair, of how many neighbours are equal in a long sequence of independent values with
/// these probabilities.
///
/// With e = exp(θ) - 1, E\[exp(θS)\] grows with each value by the factor λ that solves λ = Σ p/(1 - e·p/λ). This is the
/// greatest eigenvalue of the matrix p(y)(1 + e·\[x = y\]). Power series in e, then in θ.
pub(super) fn equal_neighbours(masses: &[f64]) -> [f64; 4] {
    let sum_of = |k: usize| masses.iter().map(|p| power(*p, k)).sum::<f64>();
    let powers = [sum_of(2), sum_of(3), sum_of(4), sum_of(5)];
    let e = [0.0, 1.0, 0.0, 0.0, 0.0];
    let mut lambda = [1.0, 0.0, 0.0, 0.0, 0.0];
    for _ in 0..4 {
        let step = times(&e, &reciprocal(&lambda));
        let mut turn = [1.0, 0.0, 0.0, 0.0, 0.0];
        let mut next = turn;
        for p in powers {
            turn = times(&turn, &step);
            next.iter_mut().zip(turn).for_each(|(sum, term)| *sum += p * term);
        }
        lambda = next;
    }
    let log = logarithm(&lambda);
    let theta = [0.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0];
    let (mut turn, mut in_theta) = ([1.0, 0.0, 0.0, 0.0, 0.0], [0.0; 5]);
    for coefficient in &log[1..] {
        turn = times(&turn, &theta);
        in_theta.iter_mut().zip(turn).for_each(|(sum, term)| *sum += coefficient * term);
    }
    [in_theta[1], 2.0 * in_theta[2], 6.0 * in_theta[3], 24.0 * in_theta[4]]
}

/// A power series up to the fourth power.
type Series = [f64; 5];

fn times(a: &Series, b: &Series) -> Series {
    core::array::from_fn(|n| (0..=n).map(|k| a[k] * b[n - k]).sum())
}

/// 1/a, for a = 1 + ….
fn reciprocal(a: &Series) -> Series {
    let mut inverse = [1.0, 0.0, 0.0, 0.0, 0.0];
    for n in 1..5 {
        inverse[n] = -(1..=n).map(|k| a[k] * inverse[n - k]).sum::<f64>();
    }
    inverse
}

/// ln a, for a = 1 + ….
fn logarithm(a: &Series) -> Series {
    let mut log = [0.0; 5];
    for n in 1..5 {
        log[n] = a[n] - (1..n).map(|k| k as f64 * log[k] * a[n - k]).sum::<f64>() / n as f64;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all sequences of 3 values, 2 to 9 long: cumulants grow by the same with each value once they are long.
    #[test]
    fn cumulants_of_equal_neighbours() {
        let masses = [0.2, 0.5, 0.3];
        let cumulants = |length: u32| {
            let mut moments = [0.0; 5];
            for number in 0..3_usize.pow(length) {
                let values: Vec<usize> = (0..length).map(|i| number / 3_usize.pow(i) % 3).collect();
                let p: f64 = values.iter().map(|v| masses[*v]).product();
                let equal = values.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64;
                moments.iter_mut().enumerate().for_each(|(k, moment)| *moment += p * equal.powi(k as i32));
            }
            let [_, a, b, c, d] = moments;
            let (variance, third) = (b - a * a, c - 3.0 * a * b + 2.0 * a.powi(3));
            [a, variance, third, d - 4.0 * a * c + 6.0 * a * a * b - 3.0 * a.powi(4) - 3.0 * variance * variance]
        };
        let (long, longer) = (cumulants(9), cumulants(10));
        for (got, (a, b)) in equal_neighbours(&masses).into_iter().zip(long.into_iter().zip(longer)) {
            assert!((got - (b - a)).abs() < 1e-9, "{got} {}", b - a);
        }
        // Two values of probability 1/2: coins.
        let coin = equal_neighbours(&[0.5, 0.5]);
        for (got, want) in coin.into_iter().zip([0.5, 0.25, 0.0, -0.125]) {
            assert!((got - want).abs() < 1e-12);
        }
    }

    #[test]
    fn squares_have_two_tails() {
        assert!(squares(100.0, 100.0, 0.0).p_value > 0.8);
        let (low, high) = (squares(500.0, 1000.0, 0.0), squares(1500.0, 1000.0, 0.0));
        assert!(low.p_value < 1e-20 && high.p_value < 1e-15);
        // Two sums of a thousand integers are both at their means more often than once in a million times.
        assert_eq!(squares(0.0, 2.0, 0.0).p_value, 1.0);
        assert!(squares(60.0, 2.0, 0.0).p_value < 1e-12 && squares(0.0, 24.0, 0.0).p_value == 0.0);
        // Heavier tails, fewer degrees of freedom.
        assert!(squares(1500.0, 1000.0, 1.0).p_value > high.p_value);
    }
}
