//! `Law` against 1500-bit sums (kat/law-values.csv), and at the ends of its domain.
#![cfg(not(miri))]

mod common;

use samplez_core::{DiscreteGaussian, Rational, Width};
use samplez_tables::Law;
use std::collections::HashMap;

const DISTRIBUTION: &str = include_str!("../../../kat/law-distribution.csv");
const ROUNDED: &str = include_str!("../../../kat/law-rounded.csv");
const VALUES: &str = include_str!("../../../kat/law-values.csv");

/// Every vector: how far the value is from it, in units of what the documentation allows.
#[test]
fn values_are_within_their_stated_errors() {
    let mut worst: HashMap<&str, (f64, String)> = HashMap::new();
    let mut count = 0;
    let mut absolute_third = HashMap::new();
    for row in common::rows(VALUES).filter(|row| row[3] == "absolute-third") {
        absolute_third.insert((row[0], row[1], row[2]), row[6].parse::<f64>().unwrap());
    }
    for row in common::rows(VALUES) {
        let law = Law::new(&common::law(&row));
        let want: f64 = row[6].parse().unwrap();
        let at = |i: usize| row[i].parse::<i64>().unwrap();
        let exact = |got: f64| if got == want { 0.0 } else { 2.0 + (got / want - 1.0).abs() };
        let relative = |got: f64| if want == 0.0 { got.abs() * 1e300 } else { (got / want - 1.0).abs() };
        let error = match row[3] {
            "sigma" => relative(law.sigma()) / (3.0 * f64::EPSILON),
            "pmf" => exact(law.pmf(at(4))),
            "mass" => exact(law.mass(at(4)..=at(5))),
            "mean" if want.abs() > 1e-300 => exact(law.mean()),
            "variance" if want > 1e-300 => exact(law.variance()),
            "fourth" if want > 1e-300 => relative(law.moments().fourth) / 1e-13,
            "third" => (law.moments().third - want).abs() / (1e-13 * absolute_third[&(row[0], row[1], row[2])]),
            "entropy" => exact(law.entropy_in(2.0).unwrap()),
            "tail" => f64::from(u8::from(law.tail_range(want) != Some(at(4)..=at(5)))) * 9.0,
            "absolute-third" | "mean" | "variance" | "fourth" => continue,
            other => panic!("kind {other}"),
        };
        count += 1;
        let entry = worst.entry(row[3]).or_default();
        if error >= entry.0 {
            *entry = (error, row.join(","));
        }
    }
    println!("{count} values; worst: {worst:#?}");
    assert!(count > 1500 && worst.len() == 9);
    for (kind, (error, row)) in worst {
        assert!(error <= 1.0, "{kind}: {error} times what is allowed, at {row}");
    }
}

/// Every vector of kat/law-rounded.csv, to the last bit.
#[test]
fn values_are_correctly_rounded() {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for row in common::rows(ROUNDED) {
        let law = Law::new(&common::law(&row));
        let want: f64 = row[6].parse().unwrap();
        let at = |i: usize| row[i].parse::<i64>().unwrap();
        let got = match row[3] {
            "pmf" => law.pmf(at(4)),
            "cdf" => law.cdf(at(4)),
            "sf" => law.sf(at(4)),
            "mass" => law.mass(at(4)..=at(5)),
            "mean" => law.mean(),
            "var" => law.variance(),
            "std" => law.std_dev(),
            "entropy" => law.entropy_in(2.0).unwrap(),
            "ppf" => {
                assert_eq!(law.quantile(row[4].parse().unwrap()), Some(row[6].parse().unwrap()), "{row:?}");
                *seen.entry("ppf").or_default() += 1;
                continue;
            }
            other => panic!("kind {other}"),
        };
        assert_eq!(got, want, "{row:?}");
        *seen.entry(row[3]).or_default() += 1;
    }
    assert!(seen.len() == 9 && seen.values().all(|n| *n > 50), "{seen:?}");
}

/// Every vector of kat/law-distribution.csv: to the last bit, but that skewness and kurtosis may be off by 2^-400.
#[test]
fn the_distribution_is_correctly_rounded() {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for row in common::rows(DISTRIBUTION) {
        let law = Law::new(&common::law(&row));
        let want: f64 = row[5].parse().unwrap();
        let at = || row[4].parse::<i64>().unwrap();
        let real = || row[4].parse::<f64>().unwrap();
        let got = match row[3] {
            "logpmf" => law.logpmf(at()),
            "logcdf" => law.logcdf(at()),
            "logsf" => law.logsf(at()),
            "moment" => law.moment(row[4].parse().unwrap()).unwrap(),
            "skew" => law.skewness(),
            "kurtosis" => law.excess_kurtosis(),
            "nats" => law.entropy(),
            "entropy" => law.entropy_in(real()).unwrap(),
            "isf" | "median" => {
                let got = if row[3] == "median" { law.quantile(0.5) } else { law.isf(real()) };
                assert_eq!(got, row[5].parse().ok(), "{row:?}"); // none where it is beyond i64
                *seen.entry(row[3]).or_default() += 1;
                continue;
            }
            other => panic!("kind {other}"),
        };
        let small = 2_f64.powi(-400);
        let equal = got == want || (matches!(row[3], "skew" | "kurtosis") && (got - want).abs() <= small);
        assert!(equal, "{row:?}: {got:?}");
        assert!(got != 0.0 || got.is_sign_positive(), "{row:?}: -0");
        *seen.entry(row[3]).or_default() += 1;
    }
    assert!(seen.len() == 10 && seen.values().all(|n| *n > 25), "{seen:?}");
}

/// Quantiles from both ends, and what lies outside of their domains.
#[test]
fn quantiles_and_intervals_agree() {
    for (width, center) in [("0.3", "1/3"), ("3.2", "1/2"), ("300", "0"), ("1e6", "-1/3"), ("1e17", "1/7")] {
        let width = Width::Sigma(width.parse().unwrap());
        let law = Law::new(&DiscreteGaussian::new(center.parse().unwrap(), width).unwrap());
        for q in [1e-9, 0.25, 0.5, 0.75] {
            // 1 - q is exact for the last three.
            let (x, upper) = (law.quantile(q).unwrap(), law.isf(q).unwrap());
            assert!(law.cdf(x) >= q && law.cdf(x - 1) <= q && law.sf(upper) <= q && law.sf(upper - 1) >= q, "{q}");
            assert!(q < 0.1 || law.quantile(1.0 - q) == Some(upper), "{q}");
        }
        for confidence in [0.0, 0.5, 0.95, 1.0 - 1e-12] {
            let interval = law.interval(confidence).unwrap();
            assert!(interval.contains(&law.quantile(0.5).unwrap()) && law.mass(interval) >= confidence);
        }
        for q in [0.0, 1.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
            assert_eq!((law.quantile(q), law.isf(q)), (None, None));
        }
        for confidence in [1.0, -1e-9, 2.0, f64::NAN] {
            assert_eq!(law.interval(confidence), None);
        }
        for base in [1.0, 0.5, 0.0, -2.0, f64::NAN, f64::INFINITY] {
            assert_eq!(law.entropy_in(base), None);
        }
    }
    let wide = Law::new(&DiscreteGaussian::with_sigma("1e18".parse().unwrap()).unwrap());
    assert_eq!(wide.isf(1e-200), None, "30e18 is beyond i64");
    let interval = wide.interval(0.99).unwrap();
    assert_eq!((interval.start() + interval.end(), interval.end() / 10_i64.pow(15)), (0, 2575));
}

/// Moments, as expectations too.
#[test]
fn expectations() {
    for (width, center) in [("0.2", "1/3"), ("0.7", "-1/3"), ("4.9", "1/2"), ("21.5", "-9/7"), ("1000", "1/4")] {
        let width = Width::Sigma(width.parse().unwrap());
        let law = Law::new(&DiscreteGaussian::new(center.parse().unwrap(), width).unwrap());
        assert!((law.expect(|_| 1.0).unwrap() - 1.0).abs() < 1e-15);
        for order in 0..=8 {
            let size = law.expect(|x| (x as f64).powi(order).abs()).unwrap();
            let moment = law.expect(|x| (x as f64).powi(order)).unwrap();
            assert!((moment - law.moment(order as u32).unwrap()).abs() < 1e-14 * size, "{order}");
        }
        let entropy = law.expect(|x| -law.logpmf(x)).unwrap();
        assert!((entropy / law.entropy() - 1.0).abs() < 1e-14, "{entropy}");
        assert_eq!(law.expect(|x| if x == 40_000 { f64::NAN } else { 1.0 }).unwrap().is_nan(), law.pmf(40_000) > 0.0);
    }
    let wide = |sigma: &str| Law::new(&DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap()).expect(|_| 1.0);
    assert_eq!(wide("1048577"), None);
    assert_eq!(
        Law::new(&DiscreteGaussian::new(i64::MAX.into(), Width::Sigma(3.into())).unwrap())
            .expect(|_| 2.0)
            .map(|e| e < 1.2),
        Some(true)
    );
}

/// Small variances, down to those that are 0 as doubles while their roots are not; from sums with 4000 bits.
#[test]
fn deviations_of_narrow_laws() {
    for (sigma, center, want) in [
        ("1/30", "0", 2.718_044_542_860_641_4e-98),
        ("1/45", "1/5", 1.210_740_644_465_353_1e-132),
        ("1/50", "0", 5.205_516_271_001_118_5e-272),
        ("1/64", "1/3", 5.765_232_732_319_532e-149),
        ("1/54", "0", 3.546_808e-317),
        ("1/55", "1/100", 1.4e-322),
        ("7/500", "1/9", 0.0),
        ("1/1000", "0", 0.0),
        ("1/100", "1/2", 0.5),
    ] {
        let law = DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap();
        assert_eq!(Law::new(&law).std_dev(), want, "{law}");
    }
}

#[test]
fn masses_add_up() {
    for (width, center) in
        [("0.7", "1/3"), ("200", "-9/7"), ("511", "0"), ("513", "0"), ("1e6", "1/2"), ("1e15", "7/3")]
    {
        let width = Width::Sigma(width.parse().unwrap());
        let law = Law::new(&DiscreteGaussian::new(center.parse().unwrap(), width).unwrap());
        let k = law.sigma() as i64 + 1;
        assert!((law.mass(i64::MIN..=i64::MAX) - 1.0).abs() < 1e-12);
        let parts = law.mass(i64::MIN..=-k) + law.mass(1 - k..=k / 3) + law.mass(k / 3 + 1..=i64::MAX);
        assert!((parts - 1.0).abs() < 1e-12);
        assert_eq!(law.mass(k..=k), law.pmf(k));
        #[expect(clippy::reversed_empty_ranges)]
        let empty = law.mass(3..=2);
        assert_eq!(empty, 0.0);
    }
}

#[test]
fn tails_are_minimal_and_refused_outside_their_domain() {
    for (width, center) in [("0.3", "1/3"), ("3.2", "1/2"), ("300", "0"), ("1e6", "-1/3")] {
        let width = Width::Sigma(width.parse().unwrap());
        let law = Law::new(&DiscreteGaussian::new(center.parse().unwrap(), width).unwrap());
        assert!(law.tail_range(-1.0).is_some());
        for log2 in [-1.01, -1.5, -64.0, -300.0, -1000.0] {
            let limit = 2_f64.powf(log2);
            let (a, b) = law.tail_range(log2).unwrap().into_inner();
            assert!(law.mass(i64::MIN..=a - 1) < limit && law.mass(b + 1..=i64::MAX) < limit);
            assert!(law.mass(i64::MIN..=a) >= limit && law.mass(b..=i64::MAX) >= limit);
        }
        for log2 in [-0.5, 3.0, -1000.5, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(law.tail_range(log2), None);
        }
    }
    let wide = Law::new(&DiscreteGaussian::with_sigma("1e18".parse().unwrap()).unwrap());
    assert!(wide.tail_range(-10.0).is_some());
    assert_eq!(wide.tail_range(-128.0), None, "13e18 is beyond i64");
}

#[test]
fn extreme_parameters_give_finite_answers() {
    let widths = [Rational::new(i64::MAX, 1), Rational::new(1, u64::MAX), Rational::new(i64::MAX, u64::MAX)];
    let centers = [Rational::from(i64::MAX), Rational::from(i64::MIN), Rational::from(0)];
    let finer = [Rational::new(1, u64::MAX), Rational::new(-i64::MAX, u64::MAX), Rational::new(i64::MAX, 2)];
    for q in widths.map(Option::unwrap) {
        for center in centers.into_iter().chain(finer.map(Option::unwrap)) {
            for width in [Width::Sigma(q), Width::SigmaSq(q), Width::KSigma2(q), Width::S(q)] {
                let law = Law::new(&DiscreteGaussian::new(center, width).unwrap());
                let moments = law.moments();
                for x in [i64::MIN, i64::MIN + 1, -1, 0, 1, center.floor(), i64::MAX] {
                    assert!((0.0..=1.0).contains(&law.pmf(x)), "{:?} {x}", law.target());
                }
                assert!((0.0..1.0 + 1e-12).contains(&law.mass(i64::MIN..=i64::MAX)));
                assert!(law.mass(i64::MIN..=0) >= law.pmf(0));
                assert!(moments.mean.is_finite() && moments.variance >= 0.0 && moments.fourth >= 0.0);
                assert!(law.entropy() >= 0.0 && law.entropy_in(2.0).unwrap() < 66.0);
                for x in [i64::MIN, 0, i64::MAX] {
                    let logs = [law.logpmf(x), law.logcdf(x), law.logsf(x)];
                    assert!(logs.iter().all(|log| *log <= 0.0 && log.is_finite()), "{:?} {x}: {logs:?}", law.target());
                }
                assert!((1..=32).step_by(31).all(|n| law.moment(n).is_some_and(|moment| !moment.is_nan())));
                assert!(!law.skewness().is_nan() && !law.excess_kurtosis().is_nan());
                let _ = law.tail_range(-2.0);
            }
        }
    }
    // A point mass.
    let point = Law::new(&DiscreteGaussian::with_sigma(Rational::new(1, u64::MAX).unwrap()).unwrap());
    assert_eq!((point.pmf(0), point.pmf(1), point.entropy(), point.tail_range(-9.0)), (1.0, 0.0, 0.0, Some(0..=0)));
    assert_eq!((point.logpmf(0), point.logpmf(1), point.moment(2)), (0.0, -1.7014118346046923e38, Some(0.0)));
}

/// A mean on the mode's inner side: by the symmetry, E for the centre 8/5 is 2 - E for 2/5, whose mode is 0.
#[test]
fn means_lean_to_either_side() {
    let mean = |sigma: &str, center: &str| {
        let law = DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap();
        Law::new(&law).mean()
    };
    for sigma in ["0.2", "0.3", "0.5", "1"] {
        let small = mean(sigma, "2/5");
        for (center, wanted) in [("8/5", 2.0 - small), ("7/5", 1.0 + small), ("-8/5", small - 2.0), ("-2/5", -small)] {
            assert!((mean(sigma, center) - wanted).abs() <= 4.0 * f64::EPSILON, "{sigma}, {center}");
        }
    }
}
