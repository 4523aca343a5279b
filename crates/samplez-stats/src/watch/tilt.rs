//! Tilted laws: the factor of a bet for each outcome, whose mean under the law is at most 1.

use libm::{exp, log};

/// Logarithms of factors are multiples of 2^-40, so that sums over any number of values are exact.
pub(super) const SCALE: f64 = (1_u64 << 40) as f64;

/// Two units of 2^-40 below the logarithm: more than all errors of [`factors`].
const MARGIN: i64 = 2;

/// A logarithm as a multiple of 2^-40, rounded down, with the margin.
pub(super) fn below(factor: f64) -> i64 {
    (log(factor) * SCALE).floor() as i64 - MARGIN
}

/// ln(exp(l)/Z) for each outcome, in units of 2^-40, where Z is at least the sum of p·exp(l). `above` has upper bounds of the
/// probabilities p, so the mean of the factors is at most 1.
///
/// The exponents l are rounded to units first, and are exact from there on. A term p·exp(l) has a relative error below 2^-50, and the sum of at
/// most 2^11 terms, all positive, one below 2^-42. The logarithm of a sum between 2^-1000 and 2^1000 errs by less than 2^-42. So Z is
/// below its bound by less than one unit in the logarithm, and the margin is two beyond rounding up.
pub(super) fn factors(above: &[f64], exponent: impl Fn(usize) -> f64) -> Box<[i64]> {
    let exponents: Vec<i64> = (0..above.len()).map(|i| (exponent(i) * SCALE).round() as i64).collect();
    let sum: f64 = above.iter().zip(&exponents).map(|(p, l)| p * exp(*l as f64 / SCALE)).sum();
    let log_sum = (log(sum) * SCALE).ceil() as i64 + MARGIN;
    exponents.into_iter().map(|l| l - log_sum).collect()
}

/// The feature with mean 0 and variance 1 under the law; `None` for a constant.
pub(super) fn standardized(above: &[f64], mut feature: Vec<f64>) -> Option<Vec<f64>> {
    let mean: f64 = above.iter().zip(&feature).map(|(p, f)| p * f).sum();
    let variance: f64 = above.iter().zip(&feature).map(|(p, f)| p * (f - mean) * (f - mean)).sum();
    let deviation = Some(variance.sqrt()).filter(|deviation| *deviation > 1e-6)?;
    feature.iter_mut().for_each(|f| *f = (*f - mean) / deviation);
    Some(feature)
}

/// ln(exp(a) + exp(b) + …), of at least one term that is finite.
pub(super) fn log_sum(terms: &[f64]) -> f64 {
    let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY { most } else { most + log(terms.iter().map(|term| exp(term - most)).sum()) }
}
