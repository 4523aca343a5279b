//! The law of the samplers of [DW18], bracketed by walking their bits, and judged at full width.

use crate::common::{brackets::holds, brackets::pmf, law, verify};
use samplez_check::tape::{Budget, ExactLaw, Tape, enumerate};
use samplez_core::bits::BitReader;
use samplez_core::samplers::{DuWei4, DuWei5};
use samplez_core::testing::{Attempt, Counted};
use samplez_core::{DiscreteGaussian, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};

fn k_sigma2(k: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), Width::KSigma2(k.parse().unwrap())).unwrap()
}

/// σ₂ = sqrt(1/(2 ln 2)).
fn sigma2(k: f64) -> f64 {
    k * (0.5 / std::f64::consts::LN_2).sqrt()
}

fn walk(runs: u64, attempt: impl Fn(&mut Tape) -> Option<i64>) -> ExactLaw {
    enumerate(Budget::depth(100).runs(runs), |bits| attempt(bits)).unwrap()
}

/// The brackets hold the law, and leave less than `open` of statistical distance.
fn check(name: &str, ideal: impl Fn(i64) -> f64, open: f64, law: &ExactLaw) {
    assert!(holds(law, &ideal), "{name}");
    let distance = law.distance(&ideal);
    assert!(*distance.start() < 1e-10 && *distance.end() < open, "{name}: {distance:?}");
}

fn both(k: u64, center: i64) -> [DuWei5; 2] {
    let law = k_sigma2(&k.to_string(), &center.to_string());
    [DuWei5::new(&law).unwrap(), DuWei5::with_table_walk(&law).unwrap()]
}

/// k and c, and the distance that the walks leave open.
const LAWS_5: [(u64, i64, f64); 6] =
    [(1, 0, 0.04), (2, -3, 0.04), (3, 0, 0.2), (5, 1, 0.25), (10, 0, 0.35), (127, 0, 0.8)];

#[test]
fn algorithm_5_has_the_law() {
    for (k, center, open) in LAWS_5 {
        let ([bin, walked], ideal) = (both(k, center), pmf(sigma2(k as f64), center as f64));
        let law = walk(2_000_000, |bits| bin.attempt_narrow::<2, 1, 1, 1, _>(bits));
        check(&format!("k = {k}, BIN"), &ideal, open, &law);
        let law = walk(2_000_000, |bits| walked.attempt_narrow::<32, 1, 1, 1, _>(bits));
        check(&format!("k = {k}, walk"), &ideal, open, &law);
    }
}

#[test]
fn algorithm_5_does_not_depend_on_the_widths() {
    for k in [2, 3, 7] {
        for (sampler, way) in both(k, 0).iter().zip(["BIN", "walk"]) {
            let ideal = pmf(sigma2(k as f64), 0.0);
            let law = walk(4_000_000, |bits| sampler.attempt_narrow::<4, 5, 3, 1, _>(bits));
            check(&format!("k = {k}, {way}, 4 prefixes"), &ideal, 0.4, &law);
            let law = walk(4_000_000, |bits| sampler.attempt_narrow::<64, 2, 2, 1, _>(bits));
            check(&format!("k = {k}, {way}, 64 prefixes"), &ideal, 0.6, &law);
        }
    }
}

#[test]
fn algorithm_4_has_the_law() {
    for (sigma, center, open) in [(1, 0, 0.2), (2, -3, 0.25), (3, 0, 0.3), (10, 1, 0.4), (215, 0, 0.8)] {
        let sampler = DuWei4::new(&law(&sigma.to_string(), &center.to_string())).unwrap();
        let ideal = pmf(f64::from(sigma), f64::from(center));
        let law = walk(3_000_000, |bits| sampler.attempt_narrow::<2, 1, 1, 1, _>(bits));
        check(&format!("sigma = {sigma}"), &ideal, open, &law);
        let law = walk(3_000_000, |bits| sampler.attempt_narrow::<8, 2, 1, 2, _>(bits));
        check(&format!("sigma = {sigma}, wider"), &ideal, 2.0 * open, &law);
    }
}

/// The walk can tell: laws that are off by a little leave its brackets.
#[test]
fn wrong_laws_leave_the_brackets() {
    for sampler in both(2, 0) {
        let law = walk(2_000_000, |bits| sampler.attempt_narrow::<32, 1, 1, 1, _>(bits));
        let ideal = pmf(sigma2(2.0), 0.0);
        assert!(holds(&law, &ideal));
        assert!(!holds(&law, |x| if x == 0 { 2.0 * ideal(0) } else { ideal(x) } / (1.0 + ideal(0))));
        assert!(!holds(&law, |x| if x < 0 { 0.95 * ideal(x) } else { ideal(x) }));
        assert!(!holds(&law, pmf(sigma2(2.15), 0.0)) && !holds(&law, pmf(sigma2(1.85), 0.0)));
    }
}

/// Three million samples of each, before the statistics.
fn judge(target: &DiscreteGaussian, sampler: &impl Sampler) {
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([29; 32])));
    let mut samples = vec![0_i64; 3_000_000];
    sampler.fill(&mut bits, &mut samples).unwrap();
    let report = verify(target, &samples);
    assert!(report.consistent, "{target}: {report:?}");
}

#[test]
fn full_width_samples_are_consistent() {
    for (k, center) in
        [("1", "0"), ("2", "0"), ("3", "-9"), ("10", "0"), ("254", "0"), ("188388", "77"), ("1099511627776", "0")]
    {
        let law = k_sigma2(k, center);
        judge(&law, &DuWei5::new(&law).unwrap());
        judge(&law, &DuWei5::with_table_walk(&law).unwrap());
    }
}

#[test]
fn full_width_samples_of_algorithm_4_are_consistent() {
    for (sigma, center) in
        [("1", "0"), ("2", "-1"), ("3", "0"), ("10", "5"), ("215", "0"), ("160000", "0"), ("1099511627776", "0")]
    {
        let law = law(sigma, center);
        judge(&law, &DuWei4::new(&law).unwrap());
    }
}

fn fill_is_repeated_sample(sampler: &(impl Sampler + Attempt)) {
    let reader = || BitReader::new(ChaCha20::new(&Seed::from_bytes([3; 32])));
    let (mut bits, mut attempts) = (reader(), reader());
    let mut filled = [0_i64; 3000];
    sampler.fill(&mut reader(), &mut filled).unwrap();
    for x in filled {
        assert_eq!(sampler.sample(&mut bits), x);
        let attempt = || sampler.attempt(&mut attempts);
        assert_eq!(std::iter::repeat_with(attempt).flatten().next(), Some(x));
    }
}

#[test]
fn both_algorithms_fill_as_they_sample() {
    for k in [1, 4, 254] {
        for sampler in both(k, 5) {
            fill_is_repeated_sample(&sampler);
        }
        fill_is_repeated_sample(&DuWei4::new(&law(&k.to_string(), "-4")).unwrap());
    }
}

/// Bits and attempts for each sample.
fn counted(sampler: &(impl Sampler + Attempt)) -> (f64, f64) {
    let mut bits = Counted::new(BitReader::new(ChaCha20::new(&Seed::from_bytes([2; 32]))));
    let (n, mut attempts) = (300_000, 0);
    for _ in 0..n {
        attempts += 1;
        while sampler.attempt(&mut bits).is_none() {
            attempts += 1;
        }
    }
    (bits.count() as f64 / f64::from(n), f64::from(attempts) / f64::from(n))
}

#[test]
fn declared_costs_are_the_counted_ones() {
    // The draws that succeed: BIN's restarts are attempts, but no trials.
    let w: f64 = (0..8).map(|x| (-f64::from(x * x)).exp2()).sum();
    for k in [1, 2, 10, 254, 188_388, (1 << 40) - 1] {
        for (sampler, draws) in both(k, 0).iter().zip([w / 2.0, 1.0]) {
            let (profile, (bits, attempts)) = (sampler.profile(), counted(sampler));
            assert!((bits / profile.expected_bits - 1.0).abs() < 0.01, "k = {k}: {bits} bits, {profile:?}");
            let trials = attempts * draws;
            assert!((trials / profile.expected_trials - 1.0).abs() < 0.01, "k = {k}: {trials} trials, {profile:?}");
        }
    }
}

#[test]
fn declared_costs_of_algorithm_4_are_the_counted_ones() {
    for sigma in ["1", "3", "215", "1099511627775"] {
        let sampler = DuWei4::new(&law(sigma, "0")).unwrap();
        let (profile, (bits, trials)) = (sampler.profile(), counted(&sampler));
        assert!((bits / profile.expected_bits - 1.0).abs() < 0.01, "sigma = {sigma}: {bits} bits, {profile:?}");
        assert!((trials / profile.expected_trials - 1.0).abs() < 0.01, "sigma = {sigma}: {trials} trials, {profile:?}");
    }
}

#[test]
fn bad_parameters_are_refused() {
    for law in [
        law("10", "0"),
        k_sigma2("5/2", "0"),
        k_sigma2("1099511627777", "0"),
        k_sigma2("254", "1/2"),
        k_sigma2("254", "9223372036854775807"),
        k_sigma2("254", "-9223372036854775807"),
    ] {
        for error in [DuWei5::new(&law), DuWei5::with_table_walk(&law)].map(Result::unwrap_err) {
            assert!(error.to_string().contains("allows"), "{error}");
        }
    }
    for law in [
        law("3.2", "0"),
        k_sigma2("254", "0"),
        law("1099511627777", "0"),
        law("215", "1/3"),
        law("215", "9223372036854775807"),
    ] {
        let error = DuWei4::new(&law).unwrap_err();
        assert!(error.to_string().contains("allows"), "{error}");
    }
}
