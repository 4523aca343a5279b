//! Two samples against each other: ideal ones pass, others do not, copies are told.

use crate::common::{Random, Reference, law};
use samplez_stats::{Comparer, Comparison, Verdict};

fn compare(first: &[i64], second: &[i64]) -> Comparison {
    let mut comparer = Comparer::new(&first[..first.len().min(65_536)], &second[..second.len().min(65_536)]);
    comparer.push_first(first);
    comparer.push_second(second);
    comparer.finish().unwrap()
}

fn rejecting(comparison: &Comparison) -> Vec<&str> {
    let rejects = comparison.tests.iter().filter(|test| test.verdict == Verdict::Reject);
    rejects.map(|test| test.name.as_str()).collect()
}

fn rejected(what: &str, first: &[i64], second: &[i64], seen_by: &[&str]) -> Comparison {
    let comparison = compare(first, second);
    let names = rejecting(&comparison);
    println!("{what}: {names:?}");
    for name in seen_by {
        assert!(names.contains(name), "{what}: {name} does not see it, only {names:?} do: {comparison:?}");
    }
    assert!(!comparison.consistent);
    comparison
}

/// σ from 0.3 to 2^40, lengths that differ and do not.
#[test]
fn ideal_samples_are_consistent() {
    let lengths = [(120_000, 120_000), (150_000, 20_000), (1000, 30_000), (100, 100)];
    for (i, sigma) in (0..).zip(["0.3", "0.5", "1", "3.2", "215", "160000", "1099511627776"]) {
        for (j, center) in (0..).zip(["0", "1/2", "-7.25", "3000001/3"]) {
            let (n, m) = lengths[(i + j) as usize % 4];
            let reference = Reference::new(&law(sigma, center));
            let comparison = compare(&reference.draws(100 * i + j, n), &reference.draws(100 * i + j + 50, m));
            assert_eq!(rejecting(&comparison), [""; 0], "sigma {sigma}, center {center}: {comparison:?}");
            assert!(comparison.shared.is_none_or(|(again, _)| again == 0));
            let applicable = comparison.tests.iter().filter(|test| test.p_value.is_some()).count();
            assert!(applicable > if sigma == "0.3" || n < 1000 { 4 } else { 20 }, "{sigma} {center}: {applicable}");
        }
    }
}

/// Never too many small p-values, of any family, over 150 pairs of samples.
#[test]
fn p_values_are_not_too_small() {
    const RUNS: u64 = 150;
    let reference = Reference::new(&law("3.2", "1/3"));
    let mut small: Vec<(String, u64)> = Vec::new();
    for seed in 0..RUNS {
        let comparison = compare(&reference.draws(seed << 20, 9000), &reference.draws(seed << 20 | 1, 6000));
        assert!(comparison.consistent, "seed {seed}: {comparison:?}");
        small.resize(comparison.tests.len(), Default::default());
        for ((name, small), test) in small.iter_mut().zip(comparison.tests) {
            *name = test.name;
            *small += u64::from(test.p_value.is_some_and(|p| p <= 0.1));
        }
    }
    for (name, small) in small {
        // P(more than 37 of 150) < 5e-8, by python3 -c "from scipy.stats import binom; print(binom.sf(37, 150, .1))"
        assert!(small <= 37, "{name}: {small}");
    }
}

#[test]
fn laws_that_differ() {
    let narrow = Reference::new(&law("3.2", "0")).draws(1, 300_000);
    let draws = |sigma, center| Reference::new(&law(sigma, center)).draws(2, 200_000);
    rejected("wider", &narrow, &draws("3.3", "0"), &["variance", "chi-squared", "fourth moment"]);
    rejected("moved", &narrow, &draws("3.2", "1/10"), &["mean", "Kolmogorov-Smirnov", "chi-squared"]);
    rejected("far away", &narrow, &draws("3.2", "1e9"), &["mean", "Kolmogorov-Smirnov", "chi-squared", "range"]);
    let mut cut = draws("3.2", "0");
    cut.iter_mut().for_each(|x| *x = (*x).clamp(-11, 11));
    // By so few values that no other test sees it.
    rejected("a tail cut off", &narrow, &cut, &["range"]);
    let wide = Reference::new(&law("1e9", "0"));
    let mut even = wide.draws(4, 100_000);
    even.iter_mut().for_each(|x| *x &= !1);
    rejected("even values", &wide.draws(3, 100_000), &even, &["low 4 bits"]);
}

#[test]
fn orders_that_differ() {
    let reference = Reference::new(&law("3.2", "0"));
    let (first, mut second) = (reference.draws(1, 300_000), reference.draws(2, 300_000));
    for block in second.chunks_mut(64) {
        block.sort_by_key(|x| x.abs());
    }
    let families = ["|x| at lags, second", "x² at lags, second", "places of |x|, second", "Walsh, second"];
    let comparison = rejected("|x| sorted within blocks of 64", &first, &second, &families);
    assert!(rejecting(&comparison).iter().all(|name| name.ends_with(", second")));
    let mut first = reference.draws(3, 200_000);
    let mut random = Random::new(4);
    for i in 48..first.len() {
        if random.unit() < 0.05 {
            first[i] = first[i - 48];
        }
    }
    rejected("5 % copied over 48 places", &first, &second, &["x at lags, first"]);
    let mut drift = reference.draws(5, 200_000);
    for (i, x) in drift.iter_mut().enumerate() {
        if random.unit() < 0.1 {
            *x = if i < 100_000 { x.abs() } else { -x.abs() };
        }
    }
    rejected("above at first, below later", &drift, &second, &["sums of 4096, first"]);
}

#[test]
fn places_that_are_alike() {
    for (sigma, seed) in [("1", 11), ("3.2", 12), ("1e9", 13)] {
        let reference = Reference::new(&law(sigma, "0"));
        let (first, fresh) = (reference.draws(seed, 200_000), reference.draws(seed + 10, 250_000));
        let mut random = Random::new(seed + 20);
        for (moved, what) in [(0, "the same place"), (3, "three places on")] {
            let (mut equal, mut sizes, mut signs) = (fresh.clone(), fresh.clone(), fresh.clone());
            for i in 0..first.len() {
                if random.unit() < 0.03 {
                    let x = first[i];
                    equal[i + moved] = x;
                    sizes[i + moved] = if random.coin() { x } else { -x };
                    signs[i + moved] = signs[i + moved].abs() * x.signum();
                }
            }
            rejected(&format!("3 % of values at {what}"), &first, &equal, &["equal places"]);
            rejected(&format!("3 % of magnitudes at {what}"), &first, &sizes, &["equal places"]);
            rejected(&format!("3 % of signs at {what}"), &first, &signs, &["equal places"]);
        }
    }
}

#[test]
fn copies() {
    for (sigma, seed) in [("3.2", 1), ("1e9", 2)] {
        let reference = Reference::new(&law(sigma, "0"));
        let (first, fresh) = (reference.draws(seed, 200_000), reference.draws(seed + 10, 100_000));
        let again = |second: &[i64], what: &str, seen_by: &[&str]| {
            let comparison = rejected(what, &first, second, seen_by);
            comparison.shared.unwrap()
        };
        let (found, of) = again(&first, "the same file", &["in both"]);
        assert!(found == of && of > 100);
        let (found, of) = again(&[&fresh[..50_000], &first[..20_000]].concat(), "a part copied", &["in both"]);
        assert!(found > 10 && 2 * found < of, "{found} of {of}");
        let (found, _) = again(&first.iter().rev().map(|x| -x).collect::<Vec<_>>(), "backwards", &["in both"]);
        assert!(found == 0 || sigma == "3.2");
        let mut shuffled = first.clone();
        shuffled.sort_unstable_by_key(|x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64));
        again(&shuffled, "the same values", &["in both"]);
    }
    // Where the entropy is too small for sequences that never come again, the counts tell.
    let narrow = Reference::new(&law("0.3", "0")).draws(3, 1_000_000);
    let comparison = compare(&narrow, &narrow);
    let both = comparison.tests.iter().find(|test| test.name == "in both").unwrap();
    assert!(both.p_value.is_some_and(|p| p < 1e-3) && both.at.as_deref() == Some("the same counts"), "{both:?}");
}

#[test]
fn what_cannot_be_judged() {
    let comparer = Comparer::new(&[1_i64], &[2]);
    assert!(comparer.finish().is_err());
    let constant = compare(&[5; 1000], &[5; 200]);
    assert!(constant.consistent, "{constant:?}");
    rejected("two constants", &[5; 1000], &[6; 200], &["chi-squared", "range"]);
    let extremes = [i64::MIN, i64::MAX, 0, 1, -1].repeat(40);
    assert_eq!(compare(&extremes, &extremes).n, [200, 200]);
}
