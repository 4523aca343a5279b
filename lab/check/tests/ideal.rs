//! Ideal draws pass, and their p-values are uniform.

use crate::common::{Random, Reference, law, rejecting, verify};
use samplez_stats::{Comparer, Verdict, Verifier};

/// σ from 0.3 to 2^40 at all kinds of centres.
#[test]
fn ideal_draws_are_consistent() {
    let widths = ["0.3", "0.5", "1", "3.2", "215", "160000", "1073741824", "1099511627776"];
    for (i, sigma) in (0..).zip(widths) {
        for (j, center) in (0..).zip(["0", "1/2", "1/3", "-7.25", "3000001/3"]) {
            let target = law(sigma, center);
            let report = verify(&target, &Reference::new(&target).draws(100 * i + j, 200_000));
            assert_eq!(rejecting(&report), [""; 0], "sigma {sigma}, center {center}: {report:?}");
            let applicable = report.tests.iter().filter(|test| test.p_value.is_some()).count();
            assert!(applicable >= 5 && (sigma == "0.3" || applicable >= 22), "{sigma} {center}: {applicable}");
        }
    }
}

fn shuffled(mut values: Vec<i64>, random: &mut Random) -> Vec<i64> {
    for i in (1..values.len()).rev() {
        values.swap(i, random.below(i as u64 + 1) as usize);
    }
    values
}

/// A sum of a few thousand integers is exactly its mean once in a few hundred times, two of them are equal as often: that is
/// no fault, though a continuous law would never have it.
#[test]
fn sums_that_are_what_they_should_be() {
    let target = law("3.2", "0");
    let (reference, mut random) = (Reference::new(&target), Random::new(7));
    for seed in 0..20 {
        let half = reference.draws(seed, 2048);
        let window = half.iter().flat_map(|x| [*x, -*x]).collect();
        let report = verify(&target, &shuffled(window, &mut random));
        assert_eq!(rejecting(&report), [""; 0], "seed {seed}: {report:?}");

        // The wave of four values has no energy at all.
        let quarters = [reference.draws(seed + 100, 1024), reference.draws(seed + 200, 1024)];
        let [a, b] = quarters.clone().map(|quarter| shuffled(quarter, &mut random));
        let [c, d] = quarters.map(|quarter| shuffled(quarter, &mut random));
        let window: Vec<i64> = (0..1024).flat_map(|i| [a[i], b[i], c[i], d[i]]).collect();
        let report = verify(&target, &window);
        let waves = report.tests.iter().find(|test| test.name == "Fourier").unwrap();
        assert_eq!(waves.verdict, Verdict::Pass, "seed {seed}: {waves:?}");

        let (even, odd) = (shuffled(half.clone(), &mut random), shuffled(half, &mut random));
        let first: Vec<i64> = even.into_iter().zip(odd).flat_map(|(a, b)| [a, b]).collect();
        let second = reference.draws(seed + 1000, 4096);
        let mut comparer = Comparer::new(&first, &second);
        comparer.push_first(&first);
        comparer.push_second(&second);
        let comparison = comparer.finish().unwrap();
        let places: Vec<_> = comparison.tests.iter().filter(|test| test.name.starts_with("places of x")).collect();
        assert!(
            places.len() == 2 && places.iter().all(|test| test.verdict == Verdict::Pass),
            "seed {seed}: {places:?}"
        );
    }
}

/// The Kolmogorov–Smirnov distance of values from the uniform law.
fn distance(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let gaps = values.iter().enumerate().map(|(i, p)| (p - i as f64 / n).max((i + 1) as f64 / n - p));
    gaps.fold(0.0, f64::max)
}

/// The p-values of every test over 300 files of ideal draws.
fn p_values_are_uniform(sigma: &str, center: &str, n: usize) {
    const RUNS: u64 = 300;
    // P(KS distance > 2.4/√n) < 2e^(-2·2.4²) = 2e-5; some 130 distances are compared in all.
    let limit = 2.4 / (RUNS as f64).sqrt();
    let target = law(sigma, center);
    let (reference, empty) = (Reference::new(&target), Verifier::new(&target).unwrap());
    let mut p_values: Vec<(String, u64, Vec<f64>)> = Vec::new();
    for seed in 0..RUNS {
        let mut verifier = empty.clone();
        verifier.push(&reference.draws(seed << 20, n));
        let report = verifier.finish().unwrap();
        assert_eq!(rejecting(&report), [""; 0], "{sigma} {center}: seed {seed}");
        p_values.resize(report.tests.len(), Default::default());
        for ((name, members, values), test) in p_values.iter_mut().zip(report.tests) {
            (*name, *members) = (test.name, test.members);
            values.extend(test.p_value);
        }
    }
    for (name, members, values) in &mut p_values {
        let members = *members;
        let got = distance(values);
        println!("{sigma:>7} {center:>5} {name:15} n = {:4}, KS = {got:.4}", values.len());
        match name.as_str() {
            // Conservative by construction: never too many small values.
            _ if members > 1
                || ["range", "stuck", "too close", "longest run", "repeats at strides", "birthdays"]
                    .contains(&name.as_str()) =>
            {
                let small = values.iter().filter(|p| **p <= 0.1).count();
                assert!(small as f64 <= 0.1 * RUNS as f64 + 4.0 * (0.09 * RUNS as f64).sqrt());
            }
            _ if values.is_empty() => {}
            // Here a count expects 37 values only: single counts have probabilities up to 0.07.
            "P(X = 0)" if sigma == "215" => assert!(got <= limit + 0.07),
            _ => assert!(values.len() == RUNS as usize && got <= limit, "{sigma} {center} {name}: {got}"),
        }
    }
}

#[test]
fn p_values_of_a_narrow_law_are_uniform() {
    p_values_are_uniform("3.2", "0", 21_000);
}

#[test]
fn p_values_of_a_law_between_integers_are_uniform() {
    p_values_are_uniform("1", "1/2", 20_000);
}

#[test]
fn p_values_of_the_narrowest_law_are_uniform() {
    p_values_are_uniform("0.5", "-7.25", 40_000);
}

#[test]
fn p_values_of_a_wide_law_are_uniform() {
    p_values_are_uniform("215", "1/3", 20_000);
}

#[test]
fn p_values_of_the_widest_law_are_uniform() {
    p_values_are_uniform("20000", "0", 20_000);
}

#[test]
fn chunks_and_threads_change_nothing_that_matters() {
    for sigma in ["3.2", "1e6"] {
        let target = law(sigma, "1/3");
        let mut samples = Reference::new(&target).draws(5, 50_000);
        // Some values far out on either side, in both parts of what is merged below.
        for (i, far) in [(3, 1 << 40), (30_000, 1 << 50), (7, -(1 << 45)), (49_999, -(1 << 41)), (9, -(1 << 41))] {
            samples[i] = far;
        }
        let whole = verify(&target, &samples);
        let mut cut = Verifier::new(&target).unwrap();
        let mut rest = samples.as_slice();
        for len in (0..).map(|i| i * 7919 % 3000) {
            if rest.is_empty() {
                break;
            }
            let (head, tail) = rest.split_at(len.min(rest.len()));
            cut.push(head);
            rest = tail;
        }
        let mut halves = [&samples[..20_000], &samples[20_000..]].map(|half| {
            let mut verifier = Verifier::new(&target).unwrap();
            verifier.push(half);
            verifier
        });
        let (first, second) = halves.split_at_mut(1);
        first[0].merge(&second[0]).unwrap();
        assert_eq!(cut.finish().unwrap(), whole);
        // The order in two streams is another than in one.
        let of_values = 11;
        for (a, b) in whole.tests.iter().zip(&halves[0].finish().unwrap().tests).take(of_values) {
            let (x, y) = (a.statistic.unwrap_or(0.0), b.statistic.unwrap_or(0.0));
            let gap = (x - y).abs() / x.abs().max(1.0);
            assert!(gap <= 1e-9 && a.dof == b.dof && a.name == b.name && a.verdict == b.verdict, "{}: {gap}", a.name);
        }
        let other = Verifier::new(&law(sigma, "1/4")).unwrap();
        assert!(cut.merge(&other).is_err());
        assert_eq!(cut.finish().unwrap().n, 50_000);
    }
}

#[test]
fn every_width_of_integer() {
    let target = law("3.2", "0");
    let samples = Reference::new(&target).draws(6, 10_000);
    let whole = verify(&target, &samples);
    let narrow: Vec<i8> = samples.iter().map(|x| *x as i8).collect();
    let mut verifier = Verifier::new(&target).unwrap();
    verifier.push(&narrow);
    assert_eq!(verifier.finish().unwrap(), whole);
}

#[test]
fn small_n_says_what_it_cannot_say() {
    let target = law("3.2", "0");
    let samples = Reference::new(&target).draws(7, 100);
    let mut verifier = Verifier::new(&target).unwrap();
    assert!(verifier.finish().is_err());
    verifier.push(&samples[..99]);
    assert!(verifier.finish().is_err());
    verifier.push(&samples[99..]);
    let report = verifier.finish().unwrap();
    let fourth = report.tests.iter().find(|test| test.name == "fourth moment").unwrap();
    assert!(matches!(fourth.verdict, Verdict::NotApplicable(_)) && fourth.p_value.is_none());
    assert!(report.consistent && report.power.sigma.is_none() && report.power.zero.is_none());
    // A law that is constant but for e^-5000: only the range can be tested.
    let target = law("0.01", "5");
    let report = verify(&target, &[5; 1000]);
    assert!(report.consistent && report.power == Default::default(), "{report:?}");
    assert_eq!(rejecting(&verify(&target, &[[5; 999].as_slice(), &[6]].concat())), ["range"]);
}

/// Where X is 0 or ±1, the sum of squares is a binomial count: its tails far out are exact.
#[test]
fn moments_are_right_far_out() {
    // python3 -c "from scipy.stats import binom; from math import exp; a=2*exp(-1/.18);
    // p=a/(1+a); print(binom.sf(224,20000,p), binom.cdf(90,20000,p))"
    for (ones, tail) in [(225, 3.37831e-08), (90, 1.78722e-08)] {
        let samples: Vec<i64> = (0..20_000).map(|i| if i < ones { 1 - 2 * (i % 2) } else { 0 }).collect();
        let report = verify(&law("0.3", "0"), &samples);
        let test = report.tests.iter().find(|test| test.name == "variance").unwrap();
        let ratio = test.p_value.unwrap() / 2.0 / tail;
        assert!((0.5..2.0).contains(&ratio), "{ones}: {ratio}");
    }
}
