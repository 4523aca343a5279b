//! σ and σ² as certified intervals, for σ >= 5.

use crate::density::Density;
use crate::fixed::{Constant, Interval, Natural};
use samplez_core::Width;

/// A k with σ/2^k < 2^8 that is 0 for σ < 2^8.
pub(super) fn magnitude<const N: usize>(density: &Density<N>) -> u32 {
    (density.sigma() as u64).max(1).ilog2().saturating_sub(7)
}

/// A quotient known to be below 2^20.
fn quotient<const N: usize>(numerator: Natural, divisors: [u64; 4]) -> Interval<N> {
    numerator.over(&divisors).unwrap_or(Interval { lo: [0; N], width: u64::MAX })
}

/// σ/2^k, k the [`magnitude`].
pub(super) fn sigma<const N: usize>(density: &Density<N>) -> Interval<N> {
    let (width, power) = (density.law().width(), 1 << magnitude(density));
    let (num, den) = (width.value().num().unsigned_abs(), width.value().den());
    let q = || quotient(Natural::new(num.into()), [den, power, 1, 1]);
    match width {
        Width::Sigma(_) => q(),
        // sqrt(q/4^(k + 9))·2^9: the argument is below 1.
        Width::SigmaSq(_) => quotient(Natural::new(num.into()), [den, power, power, 1 << 18]).sqrt().times(1 << 9),
        // sqrt(1/(2 ln 2))
        Width::KSigma2(_) => q().mul(&Constant::LN_2.to().times(2).reciprocal().sqrt()),
        Width::S(_) => q().mul(&Constant::INV_SQRT_2PI.to()),
    }
}

/// σ²/4^k, k the [`magnitude`].
pub(super) fn variance<const N: usize>(density: &Density<N>) -> Interval<N> {
    let (width, power) = (density.law().width(), 1 << magnitude(density));
    let (num, den) = (width.value().num().unsigned_abs(), width.value().den());
    match width {
        Width::Sigma(_) => quotient(Natural::new(num.into()).times(num), [den, den, power, power]),
        Width::SigmaSq(_) => quotient(Natural::new(num.into()), [den, power, power, 1]),
        Width::KSigma2(_) | Width::S(_) => {
            let sigma = sigma(density);
            sigma.mul(&sigma)
        }
    }
}
