//! Upper bounds of Rényi divergences.
//!
//! With δ = q/p - 1 at every integer, Σpδ = 0, so that
//!
//! ```text
//! Σ q^a p^(1-a) = Σ p(1 + δ)^a = 1 + S,   S = Σ p·g(δ),   g(δ) = (1 + δ)^a - 1 - aδ >= 0,
//! R_a - 1 = (1 + S)^(1/(a-1)) - 1 <= S/(a-1)
//! ```
//!
//! where an integer that is never sampled has δ = -1 and g = a - 1. g is convex with its least value at 0. Over an
//! interval of δ it is largest at an end. Nothing cancels in S.
//!
//! A factor 1 + 2^-50 (`SLACK`) covers the rounding of the operation before it. The functions of `libm` used here are
//! within a unit in the last place, 2^-52 relative.

use core::f64::consts::LN_2;
use libm::{exp2, expm1, log1p, log2};

const SLACK: f64 = 1.0 + f64::EPSILON * 4.0;

/// The orders of a [`Bound`](samplez_core::Bound).
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
    /// Terms that fit a double; the end corrects the rounding error.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::{Constant, Interval, Scaled, exp_neg, ln_1p};
    use libm::{ceil, frexp, ldexp};

    type Exact = Scaled<5>;

    /// A double >= 0, exactly.
    fn exact(x: f64) -> Exact {
        let (fraction, exponent) = frexp(x);
        let lo = [0, 0, 0, 0, ldexp(fraction, 53) as u64];
        Exact { value: Interval { lo, width: 0 }, shift: 53 - exponent }
    }

    /// 2^x.
    fn exact_exp2(x: f64) -> Exact {
        let whole = ceil(x);
        let rest = if x > 0.0 { exact(whole).sub(&exact(x)) } else { exact(whole - x) };
        let power = exp_neg(&rest.fixed().mul(&Constant::LN_2.to()));
        Exact { shift: power.shift - whole as i32, ..power }
    }

    /// (1 ± x)^a less its first terms, of which there are one or two: by the binomial series or by the power itself.
    fn power_less(a: u32, x: f64, is_below: bool, terms: u32) -> Exact {
        let x_exact = exact(x);
        if x < 1e-6 {
            // The last term is an odd one: with either sign of x the sum is not above the series.
            let mut sums = [Exact::ZERO; 2];
            let mut term = exact(1.0);
            for k in 1..=a.min(13) {
                term = term.product(&x_exact).times((a + 1 - k).into());
                term.value = term.value.div_small(k.into());
                if k >= terms {
                    let sum = &mut sums[usize::from(is_below && k % 2 == 1)];
                    *sum = sum.add(&term).normal();
                }
            }
            return if sums[1].value == Interval::ZERO { sums[0] } else { sums[0].sub(&sums[1]) };
        }
        let one = exact(1.0);
        let power = if is_below { one.sub(&x_exact) } else { one.add(&x_exact) }.power(a);
        match (terms, is_below) {
            (1, _) => power.sub(&one),
            (_, true) => power.add(&x_exact.times(a.into())).sub(&one),
            (_, false) => power.sub(&one).sub(&x_exact.times(a.into())),
        }
    }

    /// g(±x).
    fn g(a: u32, x: f64, is_below: bool) -> Exact {
        power_less(a, x, is_below, 2)
    }

    /// The bound is one, and above by at most so many parts of the value.
    fn assert_close(bound: &Exact, value: &Exact, parts: f64, what: &dyn core::fmt::Debug) {
        assert!(bound.reaches(value), "no bound: {what:?} {bound:?} {value:?}");
        assert!(value.product(&exact(1.0 + parts)).reaches(bound), "loose: {what:?} {bound:?} {value:?}");
    }

    struct Random(u64);

    impl Random {
        fn word(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            self.0 ^ self.0 >> 31
        }

        fn sign(&mut self) -> f64 {
            [1.0, -1.0][(self.word() % 2) as usize]
        }

        /// From 2^low to 2^high.
        fn double(&mut self, low: i32, high: i32) -> f64 {
            let exponent = low + (self.word() % (high - low) as u64) as i32;
            ldexp(1.0 + ldexp((self.word() >> 12) as f64, -52), exponent)
        }
    }

    const CASES: u32 = if cfg!(miri) { 3 } else { 4000 };

    #[test]
    fn exact_powers_are_known() {
        assert_eq!(g(2, 0.75, false).rounded(), Some(0.5625));
        assert_eq!(g(2, 0.75, true).rounded(), Some(0.5625));
        assert_eq!(g(2, ldexp(3.0, -400), true).rounded(), Some(ldexp(9.0, -800)));
        assert_eq!(g(513, 1.0, true).rounded(), Some(512.0));
        assert_eq!(power_less(3, 1.0, false, 1).rounded(), Some(7.0));
        assert_eq!(exact_exp2(-0.5).rounded(), Some(core::f64::consts::FRAC_1_SQRT_2));
        assert_eq!(exact_exp2(900.0).rounded(), Some(ldexp(1.0, 900)));
        for is_below in [false, true] {
            let (series, power) = (g(256, 1e-6_f64.next_down(), is_below), g(256, 1e-6, is_below));
            assert!((series.to_f64() / power.to_f64() - 1.0).abs() < 1e-14);
        }
    }

    /// g on both sides of 0: never below, and above by some units in the last place of what it is the difference of.
    #[test]
    fn terms_are_close_from_above() {
        let mut random = Random(1);
        for i in 0..CASES {
            for a in ORDERS {
                let order = f64::from(a);
                let x = match i % 4 {
                    0 => random.double(-500, 0),
                    1 => random.double(-70, 1),
                    2 if i == 2 => QUADRATIC / order,
                    2 => QUADRATIC / order * random.double(-1, 1),
                    _ => random.double(-12, 9),
                };
                // As `add` has it, and the least that serves.
                let exponent = order * log1p_if_needed(order, x);
                let exact_exponent =
                    ln_1p(&if x < 1.0 { exact(x).normal() } else { exact(x) }).normal().times(a.into());
                let nearest = exact_exponent.to_f64();
                let least = if exact(nearest).reaches(&exact_exponent) { nearest } else { nearest.next_up() };
                if order * x >= QUADRATIC {
                    assert_close(&exact(exponent), &exact_exponent, f64::EPSILON * 8.0, &("exponent", a, x));
                }
                for exponent in [exponent, least].into_iter().filter(|exponent| *exponent < LARGE) {
                    let leading = if order * x < QUADRATIC { 1.02 * order * x } else { 0.0 };
                    let lost = f64::EPSILON * (16.0 + 400.0 * exponent + 400.0 / exponent);
                    let parts = if leading > 0.0 { leading + 16.0 * f64::EPSILON } else { lost };
                    assert_close(&exact(g_above(order, x, exponent)), &g(a, x, false), parts, &("above", a, x));
                }
                if x <= 1.0 {
                    let ax = order * x;
                    let lost = f64::EPSILON * (16.0 + 16.0 / (ax * ax));
                    let parts = if ax < QUADRATIC { 0.4 * ax + 16.0 * f64::EPSILON } else { lost };
                    assert_close(&exact(g_below(order, x)), &g(a, x, true), parts, &("below", a, x));
                }
            }
        }
        for a in ORDERS {
            let order = f64::from(a);
            assert_eq!((g_above(order, 0.0, 0.0), g_below(order, 0.0)), (0.0, 0.0));
            for x in [1.0, 1.0_f64.next_down()] {
                assert_close(&exact(g_below(order, x)), &g(a, x, true), 16.0 * f64::EPSILON, &(a, x));
            }
        }
    }

    /// (1 + plain + 2^large)^(1/n) - 1, by its n-th power.
    #[test]
    fn roots_are_close_from_above() {
        let mut random = Random(2);
        for i in 0..CASES {
            for a in ORDERS {
                let n = f64::from(a - 1);
                let plain = random.double(-900, 500);
                let (plain, large) = match i % 5 {
                    0 => (plain, f64::NEG_INFINITY),
                    1 => (random.double(-20, 20), random.double(-5, 5) * random.sign()),
                    2 => (plain, random.double(8, 10)),
                    // As near to each other as they come.
                    3 => (random.double(900, 966), 1000.0 + random.double(-4, 6)),
                    _ => (plain, random.double(9, 10) + (random.sign() * (511.0 * n - 1024.0)).max(0.0)),
                };
                let bound = root(plain, large, n);
                if bound == f64::INFINITY {
                    assert!(large > 1023.9 * n);
                    continue;
                }
                let power =
                    if large == f64::NEG_INFINITY { exact(plain) } else { exact(plain).add(&exact_exp2(large)) };
                let least = power_less(a - 1, bound, false, 1);
                assert!(least.reaches(&power), "no bound: {a} {plain:e} {large} {bound:e}");
                let below = bound * (1.0 - f64::EPSILON * (32.0 + 16.0 * (log2(plain).max(large).max(0.0) / n)));
                assert!(power.reaches(&power_less(a - 1, below, false, 1)), "loose: {a} {plain:e} {large} {bound:e}");
            }
        }
    }

    /// log2(2^a + 2^b).
    #[test]
    fn sums_of_logarithms_are_close_from_above() {
        let mut random = Random(3);
        for _ in 0..CASES {
            let a = random.double(-5, 18) * random.sign();
            let b = a + random.double(-60, 8) * random.sign();
            let sum = log2_sum(a, b);
            assert_eq!(sum, log2_sum(b, a));
            let exact_sum = exact_exp2(a).add(&exact_exp2(b));
            assert_close(&exact_exp2(sum), &exact_sum, f64::EPSILON * (8.0 + 2.0 * a.abs().max(b.abs())), &(a, b));
        }
        assert_eq!((log2_sum(f64::NEG_INFINITY, 3.0), log2_sum(3.0, f64::INFINITY)), (3.0, f64::INFINITY));
        assert_eq!(log2_sum(f64::NEG_INFINITY, f64::NEG_INFINITY), f64::NEG_INFINITY);
    }

    /// A single term, below and beyond `LARGE`: p·g(δ), or log2 of p(1 + δ)^a.
    #[test]
    fn single_terms_are_close_from_above() {
        let mut random = Random(4);
        for i in 0..CASES {
            let p = match i % 4 {
                0 => random.double(-1074, -1000),
                1 => 1.0,
                _ => random.double(-300, 0),
            };
            let surplus = match i % 3 {
                0 => random.double(-70, -10),
                1 => random.double(-10, 12),
                _ => random.double(0, 1020),
            };
            let mut renyi = Renyi::new();
            renyi.add(p, surplus, 0.0);
            for (a, sum) in ORDERS.into_iter().zip(&renyi.sums) {
                if sum.large == f64::NEG_INFINITY {
                    if i % 4 > 0 {
                        let term = exact(p).product(&g(a, surplus, false));
                        assert_close(&exact(sum.plain), &term, 0.02, &(a, p, surplus));
                    }
                    assert!(f64::from(a) * log1p(surplus) < 600.0);
                } else {
                    let power = exact(p).product(&exact(1.0).add(&exact(surplus)).power(a));
                    let exponent = f64::from(a) * log1p(surplus);
                    let parts = f64::EPSILON * 12.0 * (exponent + 1100.0);
                    assert_close(&exact_exp2(sum.large), &power, parts, &(a, p, surplus));
                    // Even were each logarithm a unit in its last place too small.
                    let lower = sum.large - (log2(p).abs() + exponent) * f64::EPSILON;
                    assert!(exact_exp2(lower).reaches(&power), "{a} {p:e} {surplus:e}");
                    assert_eq!(sum.plain, 0.0);
                    assert!(exponent > 599.0);
                }
            }
        }
    }

    /// Many terms each lost in rounding, and a tail: what they lose is made up for, and no more.
    #[test]
    fn sums_and_tails_are_close_from_above() {
        let terms = 3000;
        let mut renyi = Renyi::new();
        renyi.add(1.0, 1.0, 0.0);
        let mut sum = exact(1.0);
        for i in 0..terms {
            let delta = ldexp(0.99, -27);
            let (surplus, deficit) = if i % 2 == 0 { (delta, delta / 2.0) } else { (0.0, delta) };
            renyi.add(1.0, surplus, deficit);
            sum = sum.add(&g(2, delta, false));
        }
        let mut random = Random(5);
        for _ in 0..CASES {
            let tail = random.double(-120, -80);
            let (order, bound) = renyi.bounds(tail)[0];
            let parts = f64::EPSILON * f64::from(terms + 100);
            assert_eq!(order, 2);
            assert_close(&exact(bound), &sum.add(&exact(tail)), parts, &tail);
            for (a, bound) in Renyi::new().bounds(tail) {
                let power = exact(tail).times((a - 1).into());
                let least = power_less(a - 1, bound, false, 1);
                assert!(least.reaches(&power), "{a} {tail:e}");
                assert!(bound <= tail * (1.0 + 32.0 * f64::EPSILON));
            }
        }
    }
}
