//! Faults that are slow, far apart or of one place. The family that is meant to see each rejects it.
//!
//! The p-values of these families on ideal draws.

use crate::common::{Random, Reference, law, rejected, rejecting, verify};
use samplez_stats::{Test, Verifier};

const N: usize = 400_000;

fn ideal(sigma: &str, seed: u64) -> (Vec<i64>, Random) {
    (Reference::new(&law(sigma, "0")).draws(seed, N), Random::new(seed + 1_000_000))
}

/// Signs lean with a probability that is a function of the place in 0 … 1.
fn leaning(samples: &mut [i64], random: &mut Random, most: f64, lean: impl Fn(f64) -> f64) {
    for (i, x) in samples.iter_mut().enumerate() {
        let now = most * lean(i as f64 / N as f64);
        if random.unit() < now.abs() {
            *x = if now > 0.0 { x.abs() } else { -x.abs() };
        }
    }
}

#[test]
fn trends_and_slow_waves() {
    for (sigma, seed) in [("1", 1), ("3.2", 2), ("1e9", 3)] {
        let target = law(sigma, "0");
        let (samples, mut random) = ideal(sigma, seed);
        let mut rising = samples.clone();
        leaning(&mut rising, &mut random, 0.03, |t| 2.0 * t - 1.0);
        rejected("a mean that rises", &target, &rising, &["trend and waves"]);
        let mut waving = samples.clone();
        leaning(&mut waving, &mut random, 0.03, |t| (core::f64::consts::TAU * 7.0 * t).sin());
        rejected("a mean that goes round seven times", &target, &waving, &["trend and waves"]);
        let mut widening = samples;
        for i in 0..N {
            // Small magnitudes at first, great ones later.
            if random.unit() < 0.08 && (widening[i].abs() > widening[i ^ 1].abs()) == (2 * i < N) {
                widening[i] = widening[random.below(N as u64) as usize];
            }
        }
        rejected("a width that rises", &target, &widening, &["trend and waves"]);
    }
}

#[test]
fn lags_and_periods() {
    for (sigma, seed) in [("1", 11), ("3.2", 12), ("1e9", 13)] {
        let target = law(sigma, "0");
        let (samples, mut random) = ideal(sigma, seed);
        for lag in [77, 1000, 100_001] {
            let mut copied = samples.clone();
            let mut sizes = samples.clone();
            for i in lag..N {
                if random.unit() < 0.04 {
                    copied[i] = copied[i - lag];
                    sizes[i] = sizes[i - lag].abs() * if random.coin() { 1 } else { -1 };
                }
            }
            rejected(&format!("4 % copied over {lag} places"), &target, &copied, &["all lags"]);
            rejected(&format!("4 % of magnitudes copied over {lag} places"), &target, &sizes, &["all lags"]);
            let report = verify(&target, &copied);
            let test = report.tests.iter().find(|test| test.name == "all lags").unwrap();
            assert!(test.at.as_ref().is_some_and(|at| at.ends_with(&format!("lag {lag}"))), "{lag}: {test:?}");
        }
        for period in [3, 100, 1000, 3999] {
            let rule: Vec<bool> = (0..period).map(|_| random.coin()).collect();
            let mut places = samples.clone();
            for (i, x) in places.iter_mut().enumerate() {
                if random.unit() < 0.14 {
                    *x = if rule[i % period] { x.abs() } else { -x.abs() };
                }
            }
            // A rule for three places may be the same for all.
            if period > 3 || rule.iter().any(|up| *up != rule[0]) {
                rejected(&format!("places modulo {period} lean"), &target, &places, &["periods"]);
            }
        }
        let mut wave = samples.clone();
        for (i, x) in wave.iter_mut().enumerate() {
            let lean = 0.06 * (core::f64::consts::TAU * i as f64 / 17.3).sin();
            if random.unit() < lean.abs() {
                *x = if lean > 0.0 { x.abs() } else { -x.abs() };
            }
        }
        rejected("a mean that sways, period 17.3", &target, &wave, &["periods"]);
    }
}

#[test]
fn runs_decks_and_strides() {
    let (target, sigma) = (law("3.2", "0"), "3.2");
    let (samples, mut random) = ideal(sigma, 21);
    let mut stuck = samples.clone();
    stuck[4090..4106].fill(3);
    rejected("16 equal values", &target, &stuck, &["longest run"]);
    let mut zeros = samples.clone();
    zeros[200_000..200_022].fill(0);
    rejected("22 zeros", &target, &zeros, &["longest run"]);
    // Each value as often as it should come, dealt without replacement.
    let weight = |x: i64| (-(x * x) as f64 / 20.48).exp();
    let sum: f64 = (-40..=40).map(weight).sum();
    let (mut deck, mut cumulated) = (Vec::new(), 0.0);
    for x in -40..=40 {
        cumulated += weight(x) / sum * N as f64;
        deck.resize(cumulated.round() as usize, x);
    }
    for i in (1..deck.len()).rev() {
        deck.swap(i, random.below(i as u64 + 1) as usize);
    }
    rejected("a shuffled deck", &target, &deck, &["too close"]);
    let mut halves = samples.clone();
    halves.copy_within(..N / 2, N / 2);
    for i in (N / 2 + 1..N).rev() {
        halves.swap(i, N / 2 + random.below((i - N / 2) as u64 + 1) as usize);
    }
    rejected("halves with the same counts", &target, &halves, &["halves"]);
    let other = Reference::new(&law("3.27", "0")).draws(22, N / 2);
    let unlike = [&samples[..N / 2], &other].concat();
    rejected("halves of two widths", &target, &unlike, &["halves"]);
    for stride in [2, 5] {
        let mut strided = samples.clone();
        for i in (0..N).step_by(stride) {
            strided[i] = samples[i / stride % 20_001];
        }
        rejected(&format!("every {stride}th value of a cycle"), &target, &strided, &["repeats at strides"]);
    }
}

/// For each family, how many files of ideal draws it applies to, and how many have a p-value of at most 5 %.
fn shares(sigma: &str, n: usize, runs: u64) -> Vec<(String, u64, u64)> {
    let target = law(sigma, "0");
    let (reference, empty) = (Reference::new(&target), Verifier::new(&target).unwrap());
    let mut counts: Vec<(String, u64, u64)> = Vec::new();
    for seed in 0..runs {
        let mut verifier = empty.clone();
        verifier.push(&reference.draws(seed << 20 | 5, n));
        let report = verifier.finish().unwrap();
        assert_eq!(rejecting(&report), [""; 0], "{sigma}: seed {seed}");
        counts.resize(report.tests.len(), Default::default());
        for ((name, applies, small), Test { name: now, p_value, .. }) in counts.iter_mut().zip(report.tests) {
            *name = now;
            *applies += u64::from(p_value.is_some());
            *small += u64::from(p_value.is_some_and(|p| p <= 0.05));
        }
    }
    counts
}

/// Six hundred files of ideal draws. Where the tests of a family are independent, its p-value is at most 0.05 with
/// probability 0.049. Families that are bounds, or with dependent tests, have fewer.
#[test]
fn p_values_of_slow_and_far_families() {
    for (sigma, n, runs) in [("3.2", 10_000, 400), ("1", 16_384, 100), ("1e5", 12_000, 100)] {
        let counts = shares(sigma, n, runs);
        for (name, least) in [("trend and waves", 0.7), ("all lags", 0.5), ("periods", 0.7), ("halves", 0.3)] {
            let (_, applies, small) = counts.iter().find(|(other, ..)| other == name).unwrap();
            let expected = 0.05 * runs as f64;
            // Five standard deviations.
            let most = expected + 5.0 * expected.sqrt();
            println!("{sigma} {name}: {small} of {applies}, expected {expected}");
            assert!(*applies == runs && *small as f64 <= most, "{sigma} {name}: {small} of {applies}");
            assert!(runs < 400 || *small as f64 >= least * expected, "{sigma} {name}: {small} of {applies}");
        }
    }
}

/// Where values other than the likeliest are rare, their number alone makes the energies at all periods great or small.
/// With these seeds it is far above its mean.
#[test]
fn periods_of_rare_values() {
    for (sigma, center) in [("0.28", "0"), ("0.42", "1/2")] {
        let target = law(sigma, center);
        let (reference, empty) = (Reference::new(&target), Verifier::new(&target).unwrap());
        for seed in [3, 70, 101, 103, 112, 238, 257] {
            let mut verifier = empty.clone();
            verifier.push(&reference.draws(seed, 1 << 18));
            let report = verifier.finish().unwrap();
            assert_eq!(rejecting(&report), [""; 0], "{sigma} {center}: seed {seed}");
            let test = report.tests.iter().find(|test| test.name == "periods").unwrap();
            assert!(test.members == 4 && test.p_value > Some(1e-3), "{sigma} {center}: seed {seed}, {test:?}");
        }
    }
}
