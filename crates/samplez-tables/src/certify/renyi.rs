//! Upper bounds of Rényi divergences.
//!
//! With δ = q/p - 1 at every integer, Σpδ = 0, so that
//!
//! ```text
//! Σ q^a p^(1-a) = Σ p(1 + δ)^a = 1 + S,   S = Σ p·g(δ),   g(δ) = (1 + δ)^a - 1 - aδ >= 0,
//! R_a - 1 = (1 + S)^(1/(a-1)) - 1 <= S/(a-1)
//! ```
//!
//! where an integer that is never sampled has δ = -1 and g = a - 1. g is convex with its least
//! value at 0: over an interval of δ it is largest at an end. Nothing cancels in S.
//!
//! A factor 1 + 2^-50 (`SLACK`) covers the rounding of the operation before it: the functions
//! of `libm` used here are within a unit in the last place, 2^-52 relative.

use core::f64::consts::LN_2;
use libm::{exp2, expm1, log1p, log2};

const SLACK: f64 = 1.0 + f64::EPSILON * 4.0;

/// The orders of a [`Bound`](samplez_core::profile::Bound).
const ORDERS: [u32; 3] = [2, 256, 513];

/// Below this aδ the leading term of g stands for g, at most 0.6 % above it.
const QUADRATIC: f64 = 1.0 / 64.0;

/// From this a·ln(1 + δ) on a term is kept as a logarithm: e^600 < 2^866, and there are fewer
/// than 2^100 terms.
const LARGE: f64 = 600.0;

/// S for every order.
pub(crate) struct Renyi {
    sums: [Sum; 3],
    terms: u64,
}

/// S for one order, in two parts.
struct Sum {
    order: f64,
    /// Terms that fit a double; what rounding costs is made up for at the end.
    plain: f64,
    /// log2 of the sum of the others, rounded up.
    large: f64,
}

impl Renyi {
    pub(crate) fn new() -> Self {
        let sum = |order| Sum { order: f64::from(order), plain: 0.0, large: f64::NEG_INFINITY };
        Renyi { sums: ORDERS.map(sum), terms: 0 }
    }

    /// Takes up integers with ideal mass at most `p` and -deficit <= δ <= surplus.
    pub(crate) fn add(&mut self, p: f64, surplus: f64, deficit: f64) {
        self.terms += 1;
        for sum in &mut self.sums {
            let a = sum.order;
            let exponent = a * log1p_if_needed(a, surplus);
            if exponent < LARGE {
                let g = g_above(a, surplus, exponent).max(g_below(a, deficit));
                sum.plain += p * g * SLACK;
            } else {
                // p(1 + δ)^a; g is less.
                let log = (log2(p) + exponent / LN_2) + (exponent + 1100.0) * (4.0 * f64::EPSILON);
                sum.large = log2_sum(sum.large, log);
            }
        }
    }

    /// (a, R_a - 1) where the integers never sampled have at most this mass.
    pub(crate) fn bounds(&self, tail: f64) -> [(u32, f64); 3] {
        let rounding = 1.0 + (self.terms as f64 + 8.0) * f64::EPSILON;
        core::array::from_fn(|i| {
            let sum = &self.sums[i];
            let plain = (sum.plain + tail * (sum.order - 1.0)) * rounding;
            (ORDERS[i], root(plain, sum.large, sum.order - 1.0))
        })
    }
}

/// ln(1 + x), rounded up; where g takes its leading term, any number below `LARGE` serves.
fn log1p_if_needed(a: f64, x: f64) -> f64 {
    if a * x < QUADRATIC { x } else { log1p(x) * SLACK }
}

/// g(δ) for δ >= 0, rounded up, with aln(1 + δ) at most `exponent`.
fn g_above(a: f64, x: f64, exponent: f64) -> f64 {
    let ax = a * x;
    if ax < QUADRATIC {
        // a(a-1)/2 δ² (1 + ξ)^(a-2), and (1 + ξ)^a <= e^(aδ) <= 1 + 1.01 aδ
        return 0.5 * a * (a - 1.0) * x * x * (1.0 + 1.01 * ax) * SLACK;
    }
    let power = expm1(exponent) * SLACK;
    (power - ax / SLACK) + (power + ax) * f64::EPSILON
}

/// g(-x) for 0 <= x <= 1, rounded up.
fn g_below(a: f64, x: f64) -> f64 {
    let ax = a * x;
    // (1 - ξ)^(a-2) <= 1
    let leading = 0.5 * a * (a - 1.0) * x * x * SLACK;
    if ax < QUADRATIC {
        return leading;
    }
    let direct = expm1(a * log1p(-x)) + ax;
    leading.min(direct + (1.0 + ax) * (4.0 * f64::EPSILON))
}

/// (1 + plain + 2^large)^(1/n) - 1, rounded up.
fn root(plain: f64, large: f64, n: f64) -> f64 {
    if large > 1000.0 {
        // ln(1 + plain + 2^large) <= large ln 2 + (1 + plain)/2^large
        let logarithm = (large * LN_2 + (1.0 + plain) * exp2(-large)) * SLACK;
        return expm1(logarithm / n * SLACK) * SLACK;
    }
    let sum = (plain + exp2(large) * SLACK) * SLACK;
    let bernoulli = sum / n;
    bernoulli.min(expm1(log1p(sum) / n * SLACK)) * SLACK
}

/// log2(2^a + 2^b), rounded up.
fn log2_sum(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY || high == f64::INFINITY {
        return high;
    }
    high + (log1p(exp2(low - high)) / LN_2) * SLACK + high.abs() * f64::EPSILON
}
