//! Tails of the law, as certified intervals with relative precision.

use crate::density::{Density, Side};
use crate::fixed::{Interval, Scaled};
use core::f64::consts::PI;
use libm::scalbn;

/// Σ P over the distances k >= from from the mode, for from >= 1.
///
/// If there are some hundreds of terms, all are added. If there are more, only the terms at distances
/// `from + j·2^stride` are. The difference of both sums comes from their Euler-Maclaurin formulas, see [`corrections`].
/// So each takes time independent of σ.
///
/// With a centre halfway between two integers, each half of the line holds exactly 1/2.
pub(super) fn tail<const N: usize>(density: &Density<N>, side: Side, from: u128) -> Scaled<N> {
    debug_assert!(from >= 1);
    if density.exponent().is_half(side, from) {
        return Interval::HALF.into();
    }
    let stride = stride(density, side, from);
    heavy(density.strided(side, from, stride))
        .map_or(Scaled::below(NEGLIGIBLE), |first| first.mul(&relative(density, side, from, stride)))
}

/// Σ P over the distances k > distance from the mode.
pub(super) fn beyond<const N: usize>(density: &Density<N>, side: Side, distance: u64) -> Scaled<N> {
    tail(density, side, u128::from(distance) + 1)
}

/// Σ P over the distances k >= from, over P(from)·2^stride for the [`stride`] of `from`: at least 1, and at most 2^10.
pub(super) fn relative<const N: usize>(density: &Density<N>, side: Side, from: u128, stride: u32) -> Interval<N> {
    let walk = terms(density, side, from, stride, None);
    if stride == 0 { walk } else { corrections(density, side, from, stride, walk) }
}

/// Σ P over `len` distances from `from` on, for as many as may be added one by one.
pub(super) fn run<const N: usize>(density: &Density<N>, side: Side, from: u64, len: u64) -> Scaled<N> {
    let sum = |first: Scaled<N>| first.mul(&terms(density, side, from.into(), 0, Some(len)));
    heavy(density.scaled(side, from.into())).map_or(Scaled::below(NEGLIGIBLE), sum)
}

/// The exponent of a sum to which no double but 0 is nearest.
pub(super) const NEGLIGIBLE: i32 = 1200;

/// Nothing, where the sum of all following terms (less than 2^64 times the first) is below 2^-1200.
fn heavy<const N: usize>(first: Option<Scaled<N>>) -> Option<Scaled<N>> {
    first.filter(|first| first.shift < NEGLIGIBLE + 80)
}

/// Returns the exponent of the step. Terms are 1/σ' apart, σ' = σ/2^stride, where σ' is 20 + 3u or up to twice that, u
/// = start/σ. Then less than 14σ' of them reach to 2^-140. The Euler-Maclaurin terms fall by a factor of about (u +
/// sqrt n)/(2πσ') each, at most 1/12.
pub(super) fn stride<const N: usize>(density: &Density<N>, side: Side, from: u128) -> u32 {
    let (sigma, start) = (density.sigma(), from as f64 + density.exponent().offset(side));
    let least = 20.0 + 3.0 * start / sigma;
    (0..63).rev().find(|stride| scalbn(sigma, -(*stride as i32)) >= least).unwrap_or(0)
}

/// Σ P(from + j·2^stride)/P(from) over all j >= 0, or over j < len.
///
/// The ratio of neighbours falls; once it is r < 1, the sum from a term v on is below v/(1 - r).
fn terms<const N: usize>(density: &Density<N>, side: Side, from: u128, stride: u32, len: Option<u64>) -> Interval<N> {
    let mut walk = density.relative_walk(side, from, stride);
    let mut sum = Interval::ZERO;
    let mut left = len.unwrap_or(u64::MAX);
    while left > 0 {
        if let Some(rest) = rest(&walk.value, &walk.ratio) {
            return sum.add(&Interval { lo: [0; N], width: rest });
        }
        sum = sum.add(&walk.value);
        walk.advance();
        left -= 1;
    }
    sum
}

/// v/(1 - r) in ulps, rounded up, once v is below 2^48 ulp and 1 - r above 2^-14.
fn rest<const N: usize>(value: &Interval<N>, ratio: &Interval<N>) -> Option<u64> {
    let small = value.lo[0] < 1 << 48 && value.lo[1..].iter().all(|limb| *limb == 0);
    // In units of 2^-16; the ratio's error is at most one unit of 2^-64.
    let missing = (!ratio.lo[N - 2]).saturating_sub(1) >> 48;
    if !small || ratio.lo[N - 1] != 0 || missing < 4 {
        return None;
    }
    let value = value.lo[0].saturating_add(value.width).saturating_add(ratio.width / u64::MAX * u64::MAX);
    Some(value.saturating_mul((1 << 16) / missing + 1))
}

/// From the sum of every 2^stride-th term to the sum of all, both over P(from), the latter over
/// H = 2^stride.
///
/// By Euler and Maclaurin, with f(k) = P(from + k)/P(from) and b_j = |B_2j|/(2j)!. The derivative of f of order n at 0
/// is (-1)^n He_n(u)/σ^n with the Hermite polynomials He_n.
///
/// H Σ f(Hk) = ∫f + H/2 + Σ_{j<=m} (-1)^(j+1) b_j H^2j He_(2j-1)(u)/σ^(2j-1) + R_H,
/// |R_H| <= b_m H^2m ∫|f^(2m)|,
///
/// with both integrals from 0 on, and the same with 1 for H. The difference, over H:
///
/// Σ_k f(k)/H = Σ_k f(Hk) - (1 - 1/H)/2 - Σ_j (-1)^(j+1) b_j (1 - H^-2j) (H/σ)^(2j-1) He_(2j-1)(u) + R,
/// |R| <= 2 b_m (H/σ)^(2m-1) ∫_u |He_2m(t)| e^((u² - t²)/2) dt.
///
/// The b_j satisfy (2j + 1) b_j = Σ_{i<j} b_i b_(j-i), from (j + 1/2) ζ(2j) = Σ ζ(2i) ζ(2j - 2i).
fn corrections<const N: usize>(
    density: &Density<N>,
    side: Side,
    from: u128,
    stride: u32,
    sum: Interval<N>,
) -> Interval<N> {
    let exponent = density.exponent();
    let start = from as f64 + exponent.offset(side);
    let (order, remainder) = order::<N>(start / density.sigma(), scalbn(density.sigma(), -(stride as i32)));
    // Both are below 1: σ' >= 20 + 3u.
    let unknown = Interval { lo: [0; N], width: u64::MAX };
    let slope = exponent.slope(side, from, stride).unwrap_or(unknown);
    let curvature = exponent.curvature(stride).unwrap_or(unknown);
    let mut hermite = Hermite { last: [Interval::ZERO; 2], current: [Interval::ONE, Interval::ZERO], degree: 0 };
    let mut bernoulli = [Interval::ZERO; MOST_ORDER + 1];
    // What is to be added, and what is to be subtracted.
    let mut totals = [sum.widen(remainder), Interval::HALF.sub(&Interval::HALF.shr(stride))];
    for j in 1..=order {
        bernoulli[j] = if j == 1 {
            Interval::ONE.div_small(12)
        } else {
            let products = (1..j).map(|i| bernoulli[i].mul(&bernoulli[j - i]));
            products.fold(Interval::ZERO, |sum, product| sum.add(&product)).div_small(2 * j as u64 + 1)
        };
        let factor = bernoulli[j].mul(&Interval::ONE.sub(&Interval::ONE.shr(2 * j as u32 * stride)));
        while hermite.degree < 2 * j as u64 - 1 {
            hermite.advance(&slope, &curvature);
        }
        for (part, positive) in hermite.current.iter().zip([true, false]) {
            // (-1)^(j+1) times the part's sign is subtracted.
            let total = &mut totals[usize::from(positive == (j % 2 == 1))];
            *total = total.add(&factor.mul(part));
        }
    }
    totals[0].sub(&totals[1])
}

/// He_n(u)·(H/σ)^n as a difference of two positive numbers, for n = degree and the one before:
/// He_(n+1)(u) = u He_n(u) - n He_(n-1)(u).
struct Hermite<const N: usize> {
    last: [Interval<N>; 2],
    current: [Interval<N>; 2],
    degree: u64,
}

impl<const N: usize> Hermite<N> {
    /// From u·H/σ and (H/σ)².
    fn advance(&mut self, slope: &Interval<N>, curvature: &Interval<N>) {
        let n = self.degree;
        let next = |i: usize| {
            let lowered = self.last[1 - i].mul(curvature).times(n);
            self.current[i].mul(slope).add(&lowered)
        };
        (self.last, self.current, self.degree) = (self.current, [next(0), next(1)], n + 1);
    }
}

/// The most Euler-Maclaurin terms.
const MOST_ORDER: usize = 64;

/// Returns the number m of Euler-Maclaurin terms after which the remainder is below 2^44 ulp, and the remainder in
/// ulps. `u64::MAX` ulps mean that there is no such m.
///
/// |He_2m(t)| = |E (t + iZ)^2m| <= E (t² + Z²)^m = Σ_j C(m, j) (2j - 1)!! t^2(m - j), Z normal, and
/// I_k = ∫_u t^2k e^((u² - t²)/2) dt satisfies I_k = u^(2k-1) + (2k - 1) I_(k-1), I_0 <= sqrt(π/2);
/// b_m = 2ζ(2m)/(2π)^2m <= 4/(2π)^2m. The last factor 2 is for the doubles' roundings, which are
/// below 10^-12.
fn order<const N: usize>(u: f64, sigma: f64) -> (usize, u64) {
    let tau = 2.0 * PI * sigma;
    // I_k/τ^2k, and the coefficients over τ^2j.
    let mut integrals = [0.0; MOST_ORDER + 1];
    integrals[0] = libm::sqrt(PI / 2.0);
    let mut power = u / (tau * tau);
    for m in 1..=MOST_ORDER {
        integrals[m] = power + (2 * m - 1) as f64 / (tau * tau) * integrals[m - 1];
        power *= u / tau * (u / tau);
        let mut coefficient = 1.0;
        let mut integral = 0.0;
        for j in 0..=m {
            integral += coefficient * integrals[m - j];
            coefficient *= (m - j) as f64 / (j + 1) as f64 * (2 * j + 1) as f64 / (tau * tau);
        }
        let ulps = scalbn(2.0 * 2.0 * 4.0 * sigma * integral, 64 * (N as i32 - 1));
        if ulps < scalbn(1.0, 44) {
            return (m, ulps as u64 + 1);
        }
    }
    (MOST_ORDER, u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::less;
    use samplez_core::{DiscreteGaussian, Width};

    /// Both intervals contain the sum, so they meet; 512 bits leave them 2^-440 of it wide.
    fn assert_meet(a: &Scaled<9>, b: &Scaled<9>) {
        assert_eq!(a.shift, b.shift);
        let (high_a, high_b) = (a.value.hi().unwrap(), b.value.hi().unwrap());
        assert!(!less(&high_a, &b.value.lo) && !less(&high_b, &a.value.lo), "{a:?} {b:?}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn few_terms_with_corrections_are_the_sum_of_all() {
        let mut strides = 0;
        for (q, center) in [("64", "0"), ("100", "1/2"), ("1000", "-1/3"), ("3000", "2/7")] {
            let q = q.parse().unwrap();
            for width in [Width::Sigma(q), Width::SigmaSq(q), Width::KSigma2(q), Width::S(q)] {
                let law = DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
                let density = Density::<9>::new(&law, crate::law::sigma(&law));
                for side in [Side::Up, Side::Down] {
                    for from in [1, 5, (3.0 * density.sigma()) as u128, (30.0 * density.sigma()) as u128] {
                        let fast = tail(&density, side, from);
                        strides += u32::from(stride(&density, side, from) > 0);
                        let first = density.scaled(side, from).unwrap();
                        assert_meet(&fast, &first.mul(&terms(&density, side, from, 0, None)));
                        // 192 bits: the same double, or none.
                        let coarse = tail(&Density::<4>::new(&law, density.sigma()), side, from);
                        assert!(coarse.value.width < 1 << 60);
                        assert_eq!(coarse.rounded(), fast.rounded(), "{law} {from}");
                    }
                }
            }
        }
        assert!(strides > 40, "{strides}");
    }

    #[test]
    fn remainders_are_found_everywhere() {
        for u in [0.0, 0.01, 1.0, 6.0, 20.0, 42.0, 1e3, 1e6, 1e12, 3e18] {
            for factor in [1.0, 1.5, 1.999] {
                let sigma = factor * (20.0 + 3.0 * u);
                assert!(order::<4>(u, sigma).1 < 1 << 45, "{u}");
                assert!(order::<9>(u, sigma).1 < 1 << 45, "{u}");
            }
        }
        assert_eq!(order::<9>(6.0, 3.0).1, u64::MAX);
    }

    #[test]
    fn the_last_address() {
        // From -2^63 to 2^63 - 1: the distance after the last does not fit 64 bits.
        let law = DiscreteGaussian::new(i64::MIN.into(), Width::Sigma(i64::MAX.into())).unwrap();
        let density = Density::<9>::new(&law, crate::law::sigma(&law));
        let last = beyond(&density, Side::Up, u64::MAX);
        // erfc(sqrt 2)/2
        assert!((last.to_f64() / 0.022_750_131_948_179_21 - 1.0).abs() < 1e-15, "{}", last.to_f64());
        assert!(last.rounded().is_some());
    }
}
