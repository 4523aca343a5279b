//! Wrong laws are rejected, by the tests that are meant to see them, at the stated number of
//! values; and the stated power is true.

use crate::common::{Random, Reference, law, rejected, rejecting, verify};
use samplez_core::{DiscreteGaussian, Rational, Width};
use samplez_tables::Law;

const MILLION: usize = 1_000_000;

#[test]
fn wrong_parameters() {
    let target = law("3.2", "0");
    let sigma = Reference::new(&law("3.232", "0")).draws(1, MILLION);
    rejected("sigma 1 % too large", &target, &sigma, &["chi-squared", "G", "variance", "fourth moment"]);
    let sigma = Reference::new(&law("3.168", "0")).draws(2, MILLION);
    rejected("sigma 1 % too small", &target, &sigma, &["chi-squared", "G", "variance", "fourth moment"]);
    let center = Reference::new(&law("3.2", "0.03")).draws(3, MILLION);
    rejected("center off by 0.03", &target, &center, &["chi-squared", "sign", "mean"]);
    let center = Reference::new(&law("3.2", "1/3")).draws(4, MILLION);
    rejected("center off by 1/3", &law("3.2", "-1/3"), &center, &["chi-squared", "G", "sign", "mean", "third moment"]);
    let shifted: Vec<_> = Reference::new(&law("1e9", "0")).draws(5, MILLION).iter().map(|x| x + 10_000_000).collect();
    rejected("center off by σ/100", &law("1e9", "0"), &shifted, &["sign", "mean"]);
    let wide = Reference::new(&law("1.01e12", "0")).draws(6, MILLION);
    rejected("sigma 1 % too large, wide", &law("1e12", "0"), &wide, &["variance", "fourth moment"]);
}

#[test]
fn zero_twice_or_half() {
    for (sigma, center) in [("3.2", "0"), ("0.8", "0"), ("215", "1/3")] {
        let target = law(sigma, center);
        let reference = Reference::new(&target);
        let mut random = Random::new(11);
        let mut halved = Vec::new();
        while halved.len() < MILLION {
            let x = reference.draw(&mut random);
            if x != 0 || random.coin() {
                halved.push(x);
            }
        }
        rejected("zero with half its probability", &target, &halved, &["P(X = 0)", "chi-squared"]);
        // Twice: a fraction P(0)/(1+P(0)) of values is replaced.
        let p = Law::new(&target).pmf(0);
        let doubled: Vec<_> =
            (0..MILLION).map(|_| if random.unit() < p / (1.0 + p) { 0 } else { reference.draw(&mut random) }).collect();
        rejected("zero with twice its probability", &target, &doubled, &["P(X = 0)", "chi-squared"]);
    }
}

/// [BCGHW13]: the half coin at x = 0 in the first rectangle, which makes zero too frequent by
/// y_0: 1.0359 for 63 rectangles at σ = 3.3311, and 1.0036 as a finer case.
#[test]
fn ziggurat_zero() {
    let target = law("3.3311", "0");
    let reference = Reference::new(&target);
    let mut random = Random::new(12);
    let p = Law::new(&target).pmf(0);
    let mut heavy = |factor: f64, n: usize| -> Vec<i64> {
        let extra = p * (factor - 1.0) / (1.0 + p * (factor - 1.0));
        (0..n).map(|_| if random.unit() < extra { 0 } else { reference.draw(&mut random) }).collect()
    };
    rejected("zero 3.6 % too frequent", &target, &heavy(1.0359, MILLION), &["P(X = 0)", "chi-squared"]);
    // A million values cannot see 0.36 %, and the report says so; thirty million do.
    let fine = heavy(1.0036, 30 * MILLION);
    let report = verify(&target, &fine[..MILLION]);
    assert!(report.consistent && report.power.zero.unwrap() > 0.0036, "{report:?}");
    let report = verify(&target, &fine);
    assert!(rejecting(&report).contains(&"P(X = 0)") && report.power.zero.unwrap() < 0.0036, "{report:?}");
}

/// [DW18], Algorithm 5 with y drawn from {0..k} instead of {0..k-1}, with and without the shift.
#[test]
fn du_wei_range_of_y() {
    for (k, n) in [(10_i64, MILLION), (127, MILLION)] {
        let target = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(k))).unwrap();
        for (shift, top, wrong) in [(true, k - 1, false), (true, k, true), (false, k, true), (false, k - 1, true)] {
            let mut random = Random::new(13);
            let mut draw = || loop {
                // x with weight 2^(-x²), by its cumulated probabilities.
                let u = random.unit() * 1.564_468_413_605_938_5;
                let x = [1.0, 1.5, 1.5625, 1.564_453_125, 1.564_468_383_789_062_5].iter().filter(|w| u >= **w).count()
                    as i64;
                let negative = random.coin();
                let y = random.below(top as u64 + 1) as i64 + i64::from(shift && negative);
                if random.unit() < (-((y * y + 2 * k * x * y) as f64) / (k * k) as f64).exp2() {
                    return if negative { -(k * x + y) } else { k * x + y };
                }
            };
            let samples: Vec<_> = (0..n).map(|_| draw()).collect();
            if wrong {
                rejected(&format!("k = {k}, y to {top}, shift {shift}"), &target, &samples, &["chi-squared", "G"]);
            } else {
                assert_eq!(rejecting(&verify(&target, &samples)), [""; 0], "k = {k}, as corrected");
            }
        }
    }
}

#[test]
fn dependent_streams() {
    let target = law("3.2", "0");
    let samples = Reference::new(&target).draws(21, MILLION);
    let twice: Vec<_> = samples.iter().flat_map(|x| [*x, *x]).collect();
    rejected("each value twice", &target, &twice, &["x at lags"]);
    for lag in [2, 7, 16] {
        // Every value again `lag` places later, in blocks of 2·lag.
        let again: Vec<_> = samples.chunks_exact(lag).flat_map(|block| [block, block].concat()).collect();
        rejected("a block twice", &target, &again, &["x at lags"]);
        let report = verify(&target, &again);
        let seen = report.tests.iter().find(|test| test.name == "x at lags").unwrap();
        assert_eq!(seen.at, Some(format!("lag {lag}")));
    }
    let mut sorted = samples.clone();
    sorted.sort_unstable();
    rejected("sorted", &target, &sorted, &["x at lags", "runs", "places of x", "sums of 4096"]);
    let swapped: Vec<_> = samples.chunks_exact(2).flat_map(|pair| [pair[0], -pair[0]]).collect();
    rejected("antithetic pairs", &target, &swapped, &["x at lags", "|x| at lags"]);
    for (sigma, center) in [("0.5", "0"), ("1e9", "1/3")] {
        let target = law(sigma, center);
        let twice: Vec<_> = Reference::new(&target).draws(22, MILLION).iter().flat_map(|x| [*x, *x]).collect();
        rejected("each value twice", &target, &twice, &["x at lags"]);
    }
}

#[test]
fn biased_bits() {
    let mut random = Random::new(31);
    for (sigma, n) in [("3.2", MILLION), ("215", MILLION), ("1e12", MILLION)] {
        let target = law(sigma, "0");
        let samples = Reference::new(&target).draws(32, n);
        let sign: Vec<_> = samples.iter().map(|x| if random.unit() < 0.02 { x.abs() } else { *x }).collect();
        rejected("sign bias", &target, &sign, &["sign", "mean"]);
        let even: Vec<_> = samples.iter().map(|x| if random.unit() < 0.02 { x & !1 } else { *x }).collect();
        rejected("even bias", &target, &even, &["parity", "low 4 bits"]);
        if sigma != "3.2" {
            let bit3: Vec<_> = samples.iter().map(|x| if random.unit() < 0.02 { x | 8 } else { *x }).collect();
            rejected("bias of bit 3", &target, &bit3, &["low 4 bits"]);
        }
    }
}

#[test]
fn wrong_tails() {
    for sigma in ["3.2", "215", "1e9"] {
        let target = law(sigma, "0");
        let (reference, limit) = (Reference::new(&target), 4.0 * Law::new(&target).sigma());
        let mut samples = reference.draws(41, MILLION);
        samples.retain(|x| (*x as f64).abs() <= limit);
        rejected("cut at 4σ", &target, &samples, &["range"]);
        for side in [1, -1] {
            let mut samples = reference.draws(43, MILLION);
            samples.retain(|x| (side * *x) as f64 <= limit);
            rejected("cut at 4σ on one side", &target, &samples, &["range"]);
            let mut samples = reference.draws(44, 100_000);
            samples[..200].fill(side * (15.0 * limit / 4.0) as i64);
            rejected("0.2 % far out", &target, &samples, &["range", "chi-squared", "G"]);
        }
        for far in [(9.5 * limit / 4.0) as i64, 40 * limit as i64, i64::MAX, i64::MIN] {
            let mut samples = reference.draws(42, 10_000);
            samples[7000] = far;
            rejected("one value too far", &target, &samples, &["range"]);
        }
    }
}

#[test]
fn not_discrete_gaussian_at_all() {
    let mut random = Random::new(51);
    let rounded: Vec<_> = (0..MILLION).map(|_| (0.8 * random.normal()).round() as i64).collect();
    rejected("rounded normal", &law("0.8", "0"), &rounded, &["chi-squared", "G", "P(X = 0)", "variance"]);
    let truncated: Vec<_> = (0..MILLION).map(|_| (3.2 * random.normal()) as i64).collect();
    rejected("truncated normal", &law("3.2", "0"), &truncated, &["chi-squared", "P(X = 0)"]);
    let uniform: Vec<_> = (0..1000).map(|_| random.below(7) as i64 - 3).collect();
    rejected("uniform", &law("2", "0"), &uniform, &["chi-squared", "range"]);
    rejected("all the same", &law("3.2", "0"), &[0; 10_000], &["chi-squared", "P(X = 0)", "variance", "range"]);
    rejected("all zero, wide", &law("1e12", "0"), &[0; 1000], &["chi-squared", "G", "range", "parity"]);
    rejected("all far above", &law("3.2", "0"), &[1_000_000; 1000], &["chi-squared", "G", "sign", "mean", "range"]);
    rejected("all far below", &law("3.2", "0"), &[-1_000_000; 1000], &["chi-squared", "G", "sign", "mean", "range"]);
    rejected("other shift", &law("3.2", "1e6"), &Reference::new(&law("3.2", "0")).draws(52, 1000), &["range", "mean"]);
}

/// The smallest σ error that the report claims to see is seen in about half the runs, by the
/// variance test; a third of it is not.
#[test]
fn stated_power_is_true() {
    const RUNS: u64 = 60;
    const N: usize = 40_000;
    let target = law("20", "0");
    let power = verify(&target, &Reference::new(&target).draws(1, N)).power;
    let seen = |deviation: &dyn Fn(&mut Random) -> i64, name: &str, seed: u64| -> u64 {
        let run = |i| {
            let mut random = Random::new(seed + i);
            let samples: Vec<_> = (0..N).map(|_| deviation(&mut random)).collect();
            u64::from(rejecting(&verify(&target, &samples)).contains(&name))
        };
        (0..RUNS).map(run).sum()
    };
    let sigma = |share: f64| {
        let q = 20.0 * (1.0 + share * power.sigma.unwrap());
        Reference::new(&DiscreteGaussian::with_sigma(Rational::try_from(q).unwrap()).unwrap())
    };
    let (full, third) = (sigma(1.0), sigma(1.0 / 3.0));
    let hits = seen(&|random| full.draw(random), "variance", 1000);
    assert!((20..=40).contains(&hits), "sigma: {hits} of {RUNS}");
    assert!(seen(&|random| third.draw(random), "variance", 2000) < 6);

    let exact = Reference::new(&target);
    let mean = power.mean.unwrap() * 20.0;
    let moved = |share: f64| {
        let exact = &exact;
        // A shift by one with this probability moves the mean by it.
        move |random: &mut Random| exact.draw(random) + i64::from(random.unit() < share * mean)
    };
    let hits = seen(&moved(1.0), "mean", 3000);
    assert!((20..=40).contains(&hits), "mean: {hits} of {RUNS}");
    assert!(seen(&moved(1.0 / 3.0), "mean", 4000) < 6);

    let zero = power.zero.unwrap() * Law::new(&target).pmf(0);
    let hits = seen(&|random| if random.unit() < zero { 0 } else { exact.draw(random) }, "P(X = 0)", 5000);
    assert!((20..=40).contains(&hits), "zero: {hits} of {RUNS}");

    // A deviation at the stated distance that is spread evenly (the hardest case for χ²): the
    // mass moves between neighbouring cells of two values.
    let distance = power.total_variation.unwrap();
    let spread = |random: &mut Random| {
        let x = exact.draw(random);
        if x.rem_euclid(4) < 2 && random.unit() < 2.0 * distance { x + 2 } else { x }
    };
    let hits = seen(&spread, "chi-squared", 6000);
    assert!(hits >= 25, "total variation: {hits} of {RUNS}");
}
