//! Tails of the χ² and the normal distribution, right down to 1e-300.

use super::gamma;

/// P(χ²_dof >= x), for dof > 0.
pub(super) fn chi_squared(x: f64, dof: f64) -> f64 {
    if x <= 0.0 {
        1.0
    } else if x.is_infinite() {
        0.0
    } else {
        gamma::upper(dof / 2.0, x / 2.0)
    }
}

/// P(χ²_dof <= x), for dof > 0.
pub(super) fn chi_squared_below(x: f64, dof: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x.is_infinite() {
        1.0
    } else {
        gamma::lower(dof / 2.0, x / 2.0)
    }
}

/// Kolmogorov's law: P(√n·D >= x) for the greatest distance D of n values' distribution function from the law's, as n grows.
pub(super) fn kolmogorov(x: f64) -> f64 {
    if x < 0.25 {
        return 1.0;
    }
    let term = |k: i32| if k % 2 == 0 { -1.0 } else { 1.0 } * libm::exp(-2.0 * (f64::from(k) * x).powi(2));
    (2.0 * (1..30).map(term).sum::<f64>()).min(1.0)
}

/// P(|Z| >= |z|) for a standard normal Z.
pub(super) fn two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() * core::f64::consts::FRAC_1_SQRT_2)
}

/// A standardised sum of skewness `skew`, brought to a standard normal by the Wilson–Hilferty
/// transform.
///
/// It takes the sum for a shifted gamma variable of that skewness, which is right in the next order of 1/√N. Unlike an
/// Edgeworth series, it stays sane far out in the tail.
pub(super) fn normalised(z: f64, skew: f64) -> f64 {
    if skew.abs() < 1e-9 {
        return z;
    }
    let root = libm::cbrt((1.0 + skew * z / 2.0).max(0.0));
    6.0 / skew * (root - 1.0) + skew / 6.0
}

/// The z with P(|Z| >= z) = p.
pub(super) fn two_sided_quantile(p: f64) -> f64 {
    bisect(0.0, 40.0, |z| two_sided(z) > p)
}

/// The x with P(χ²_dof >= x) = p.
pub(super) fn chi_squared_quantile(p: f64, dof: f64) -> f64 {
    bisect(0.0, 2.0 * dof + 2000.0, |x| chi_squared(x, dof) > p)
}

/// Where `below` turns from true to false.
fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if below(middle) { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, want: f64, relative: f64) {
        assert!((got / want - 1.0).abs() <= relative, "got {got:e}, want {want:e}");
    }

    #[test]
    fn chi_squared_tail() {
        // python3 -c "from mpmath import *; mp.dps=40
        // for x,k in [...]: print(x,k,nstr(gammainc(mpf(k)/2,mpf(x)/2,inf,regularized=True),15))"
        let cases = [
            (1.0, 1.0, 0.317310507862914),
            (30.0, 1.0, 4.32046305782750e-08),
            (1200.0, 1.0, 6.09956881480843e-263),
            (3.5, 2.0, 0.173773943450445),
            (1360.0, 3.0, 1.40857768582436e-294),
            (1380.0, 4.0, 1.50067115244037e-297),
            (60.0, 26.0, 0.00016769764955133),
            (1000.0, 26.0, 3.72040763152175e-194),
            (30.0, 30.0, 0.46565370894401),
            (4600.0, 4096.0, 4.10446070560400e-08),
            (3800.0, 4096.0, 0.999588933500486),
            (6000.0, 4096.0, 2.33740332629533e-76),
        ];
        for (x, dof, want) in cases {
            close(chi_squared(x, dof), want, 1e-9);
        }
        assert_eq!(chi_squared(0.0, 5.0), 1.0);
        assert_eq!(chi_squared(f64::INFINITY, 5.0), 0.0);
    }

    #[test]
    fn kolmogorov_tail() {
        // python3 -c "from scipy.stats import kstwobign
        // for x in [.26,.5,1,2,4]: print(x, kstwobign.sf(x))"
        let cases = [(0.5, 0.9639452436648751), (1.0, 0.26999967167735456), (2.0, 0.0006709252557796953)];
        for (x, want) in cases {
            close(kolmogorov(x), want, 1e-12);
        }
        assert!((kolmogorov(0.26) - 1.0).abs() < 1e-6 && kolmogorov(0.0) == 1.0);
        close(kolmogorov(4.0), 2.0 * (-32.0_f64).exp(), 1e-12);
    }

    #[test]
    fn normal_tail() {
        // python3 -c "from mpmath import *; mp.dps=40
        // for z in [0,1,5.5,10,37,38]: print(z,nstr(erfc(z/sqrt(mpf(2))),15))"
        close(two_sided(-1.0), 0.317310507862914, 1e-15);
        close(two_sided(5.5), 3.79791249317754e-08, 1e-14);
        close(two_sided(10.0), 1.52397060483211e-23, 1e-14);
        close(two_sided(37.0), 1.14511424450492e-299, 1e-13);
        assert_eq!(two_sided(0.0), 1.0);
    }

    #[test]
    fn critical_values() {
        // python3 -c "from scipy.stats import norm, chi2
        // print(norm.isf(5e-7), chi2.isf(1e-6,1), chi2.isf(1e-6,30), chi2.isf(1e-6/27,4095))"
        close(two_sided_quantile(1e-6), 4.89163847569859, 1e-12);
        close(chi_squared_quantile(1e-6, 1.0), 23.9281269769348, 1e-10);
        close(chi_squared_quantile(1e-6, 30.0), 82.0441431370428, 1e-10);
        close(chi_squared_quantile(1e-6 / 27.0, 4095.0), 4600.7514670527, 1e-10);
    }

    #[test]
    fn normalised_sums_have_normal_tails() {
        // The sum of N squares of normal variables, standardised, has skewness √(8/N); its exact
        // tail is the χ² one.
        // Without the transform the first would be off by a factor of 1000.
        for (n, x) in [(100.0, 190.0), (100.0, 45.0), (1000.0, 1280.0), (1000.0, 780.0)] {
            let z = (x - n) / f64::sqrt(2.0 * n);
            let got = two_sided(normalised(z, f64::sqrt(8.0 / n))) / 2.0;
            let upper = chi_squared(x, n);
            close(got, upper.min(1.0 - upper), 0.15);
        }
        assert_eq!(normalised(3.0, 0.0), 3.0);
        assert!(normalised(-100.0, 0.3).is_finite());
    }
}
