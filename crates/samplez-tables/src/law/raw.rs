//! Raw moments of any order.

use super::moments::{absolute_center, variance};
use super::{Law, correctly_rounded, width};
use crate::density::{Density, POISSON_SIGMA, Side};
use crate::fixed::{Interval, Scaled, exp_neg};
use libm::log2;

/// The largest order of a moment.
const MOST_ORDER: u32 = 32;

impl Law {
    /// Returns the raw moment E\[X^order\], correctly rounded; infinite where that is beyond the doubles. A tie
    /// between two doubles may be broken either way. `None` for orders above 32.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::new("1/3".parse()?, samplez_core::Width::Sigma("3.2".parse()?))?);
    /// assert_eq!((law.moment(0), law.moment(1)), (Some(1.0), Some(law.mean())));
    /// assert_eq!(law.moment(3), Some(10.277037037037037));
    /// assert_eq!(law.moment(33), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moment(&self, order: u32) -> Option<f64> {
        let center = self.target().center().num();
        Some(match order {
            0 => 1.0,
            1 => self.mean(),
            _ if order > MOST_ORDER => return None,
            _ if order % 2 == 1 && center == 0 => 0.0,
            // P(x) > P(-x) for every x on the centre's side of 0.
            _ => {
                let size = correctly_rounded!(self, true, absolute_moment, order);
                if order % 2 == 1 && center < 0 { -size } else { size }
            }
        })
    }
}

/// |E\[X^n\]| for 2 <= n <= 32, which is not 0.
fn absolute_moment<const N: usize>(density: &Density<N>, n: u32) -> Scaled<N> {
    if density.sigma() >= POISSON_SIGMA { wide(density, n) } else { narrow(density, n) }
}

/// Σ_j C(n, 2j) (2j - 1)!! |c|^(n-2j) σ^2j, that of the continuous law. By Poisson summation the other terms are below
/// 4(2πσ)^n e^(-2π²σ²) of it, less than 2^-540.
fn wide<const N: usize>(density: &Density<N>, n: u32) -> Scaled<N> {
    let center = Scaled::from(absolute_center(density));
    let variance = Scaled { shift: -2 * width::magnitude(density) as i32, ..variance(density) };
    let mut sum = Scaled::ZERO;
    // C(n, 2j) (2j - 1)!! = n (n - 1) … (n - 2j + 1)/(2·4 … 2j)
    let (mut factors, mut divisors) = (Scaled::from(Interval::ONE), Scaled::from(Interval::ONE));
    for j in 0..=n / 2 {
        let rest = n - 2 * j;
        if rest == 0 || center.value != Interval::ZERO {
            let term = center.power(rest).product(&variance.power(j)).product(&factors).over(&divisors);
            sum = sum.add(&term);
        }
        factors = factors.normal().times(u64::from(rest * rest.saturating_sub(1)));
        divisors = divisors.normal().times(u64::from(2 * (j + 1)));
    }
    sum
}

/// The sum itself, term by term.
fn narrow<const N: usize>(density: &Density<N>, n: u32) -> Scaled<N> {
    let exponent = density.exponent();
    let mode = exponent.mode().unsigned_abs();
    let out = if density.law().center().num() < 0 { Side::Down } else { Side::Up };
    let power = |x: u64| Scaled::from(Interval::ONE.times(x)).power(n);
    // What X has on the centre's side of 0, and on the other.
    let (mut more, mut less) = (Scaled::ZERO, Scaled::ZERO);
    if mode > 0 {
        more = power(mode);
    }
    let (reach, rest) = reach(density.sigma(), mode, n, 64 * N as u32 + 64);
    for (side, distance) in [Side::Up, Side::Down].into_iter().flat_map(|side| (1..=reach).map(move |k| (side, k))) {
        let Some(gap) = exponent.gap(side, 0, distance.into()) else { continue };
        let weight = exp_neg(&gap);
        if side == out {
            more = more.add(&weight.product(&power(mode + distance)));
        } else if distance < mode || (distance > mode && n.is_multiple_of(2)) {
            more = more.add(&weight.product(&power(mode.abs_diff(distance))));
        } else if distance > mode {
            less = less.add(&weight.product(&power(distance - mode)));
        }
    }
    more.add(&rest).sub(&less.add(&rest)).product(&Scaled::from(*density.mode_mass()))
}

/// Returns how far terms are to be added, and a bound of the rest on both sides: less than 2^-bits of the largest.
///
/// At distance k they are at most (|x0| + k)^n e^-k(k - 1)/2σ², whose logarithm is concave. Once one term is less than
/// half the one before, all are.
fn reach<const N: usize>(sigma: f64, mode: u64, n: u32, bits: u32) -> (u64, Scaled<N>) {
    let term = |k: u64, square: f64| {
        f64::from(n) * log2(mode as f64 + k as f64) - square / (2.0 * sigma * sigma) * core::f64::consts::LOG2_E
    };
    let most = |k: u64| term(k, k as f64 * (k as f64 - 1.0));
    // What there is at least: x0 itself, or at the distances from it.
    let (mut largest, mut k) = (if mode > 0 { term(0, 0.0) } else { f64::NEG_INFINITY }, 1);
    loop {
        largest = largest.max(term(k, k as f64 * (k as f64 + 1.0)));
        if most(k + 1) < largest - f64::from(bits) && most(k + 1) < most(k) - 1.1 {
            break;
        }
        k += 1;
    }
    // Beyond k, on both sides, 4 times the first; 1 for the doubles. What is below 2^-2^20 was left out, too.
    let log = (most(k + 1) + 3.0).clamp(-4000.0, 4000.0);
    (k, Scaled::below(-(libm::ceil(log) as i32)))
}
