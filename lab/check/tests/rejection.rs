//! `Rejection`: the exact law on its support by brackets, the bound of its tail, its costs.

use crate::common::{brackets, law, rejecting, verify};
use samplez_check::tape::{Budget, ExactLaw, Tape, enumerate};
use samplez_core::bits::{BitReader, bernoulli};
use samplez_core::samplers::Rejection;
use samplez_core::testing::{Attempt, Counted};
use samplez_core::{DiscreteGaussian, Exactness, Rational, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};

fn sampler(target: &DiscreteGaussian, tail: &str) -> Rejection {
    Rejection::new(target, tail.parse().unwrap()).unwrap()
}

fn reader() -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([11; 32])))
}

fn variance(q: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), Width::SigmaSq(q.parse().unwrap())).unwrap()
}

/// The law given |x - c| <= tσ.
fn given(sigma: f64, center: f64, tail: f64) -> impl Fn(i64) -> f64 {
    let ideal = brackets::pmf(sigma, center);
    let inside = move |x: i64| (x as f64 - center).abs() <= tail * sigma * (1.0 + 1e-12);
    let total: f64 = (-200..200).filter(|x| inside(*x)).map(&ideal).sum();
    move |x| if inside(x) { ideal(x) / total } else { 0.0 }
}

fn walk(runs: u64, attempt: impl FnMut(&mut Tape) -> Option<i64>) -> ExactLaw {
    enumerate(Budget::depth(90).runs(runs), attempt).unwrap()
}

#[test]
fn brackets_hold_the_law_on_its_support() {
    for (sigma_sq, center, tail) in [
        ("1", "0", "3"),
        ("1/4", "1/3", "4"),
        ("10.24", "0", "2"),
        ("2", "-5/2", "7/2"),
        ("7/3", "1/7", "3"),
        ("9", "4", "1"),
    ] {
        let target = variance(sigma_sq, center);
        let sampler = sampler(&target, tail);
        let q = |text: &str| text.parse::<Rational>().unwrap().to_f64();
        let ideal = given(q(sigma_sq).sqrt(), q(center), q(tail));
        let walked = walk(400_000, |bits| sampler.attempt(bits));
        assert!(brackets::holds(&walked, &ideal), "{target}");
        let distance = walked.distance(&ideal);
        assert!(*distance.start() < 1e-10 && *distance.end() < 0.2, "{target}: {distance:?}");
        assert!(walked.values().all(|x| sampler.profile().support.contains(&x)));
        let support = sampler.profile().support;
        assert!((-100..100).all(|x| support.contains(&x) == (ideal(x) > 0.0)), "{support:?}");
    }
}

/// A coin e^-½ too few, or the half exponent for the whole, leaves the brackets.
#[test]
fn wrong_exponents_leave_the_brackets() {
    let ideal = given(1.0, 0.0, 3.0);
    let coin = |num: u128, den: u128, bits: &mut Tape| {
        (0_u128..).find(|n| !(bernoulli(1, n + 1, bits) && bernoulli(num, den, bits))).unwrap_or(0) % 2 == 0
    };
    let attempt = |less: u128, den: u128| {
        walk(400_000, move |bits| {
            let x = samplez_core::bits::uniform_below(7, bits) as i64 - 3;
            let square = (x * x) as u128;
            (0..square.saturating_sub(less)).all(|_| coin(1, den, bits)).then_some(x)
        })
    };
    assert!(brackets::holds(&attempt(0, 2), &ideal));
    assert!(!brackets::holds(&attempt(1, 2), &ideal));
    assert!(!brackets::holds(&attempt(0, 4), &ideal));
}

#[test]
fn trials_and_bits_are_the_declared_ones() {
    for (sigma, center, tail) in [
        ("3.33", "0", "13"),
        ("0.3", "0", "13"),
        ("3.2", "1/3", "6"),
        ("215", "1/7", "13"),
        ("1.6e5", "0", "13"),
        ("1e6", "0", "64"),
    ] {
        let sampler = sampler(&law(sigma, center), tail);
        let (mut bits, n) = (Counted::new(reader()), 60_000);
        let mut tried = 0;
        for _ in 0..n {
            while {
                tried += 1;
                sampler.attempt(&mut bits).is_none()
            } {}
        }
        let profile = sampler.profile();
        let (bits, tried) = (bits.count() as f64 / f64::from(n), f64::from(tried) / f64::from(n));
        println!("sigma {sigma}: {bits:.1} bits, {tried:.3} trials");
        assert!((bits / profile.expected_bits - 1.0).abs() < 0.015, "{sigma}: {bits}, {}", profile.expected_bits);
        assert!((tried / profile.expected_trials - 1.0).abs() < 0.015, "{sigma}: {tried}, {}", profile.expected_trials);
    }
    let limit = 13.0 / (std::f64::consts::PI / 2.0).sqrt();
    assert!((sampler(&law("10000", "0"), "13").profile().expected_trials - limit).abs() < 0.001);
}

/// The declared bound is above the mass outside, and for σ >= 1 less than 4 times that.
#[test]
fn the_tail_is_bounded() {
    for (sigma, center) in
        [("0.2", "0"), ("0.4", "1/2"), ("0.9", "1/3"), ("1", "0"), ("1.9", "1/2"), ("3.2", "0"), ("50", "1/7")]
    {
        for tail in ["2", "3", "4.5", "6"] {
            let sampler = sampler(&law(sigma, center), tail);
            let ideal = brackets::pmf(
                sigma.parse::<Rational>().unwrap().to_f64(),
                center.parse::<Rational>().unwrap().to_f64(),
            );
            let support = sampler.profile().support;
            let outside: f64 = (-2000..2000).filter(|x| !support.contains(x)).map(ideal).sum();
            let Exactness::Within(bound) = sampler.profile().exactness else { panic!("not exact") };
            assert!(outside.log2() <= bound.log2_tail, "{sigma}, {center}, {tail}: {} {bound:?}", outside.log2());
            if sigma.parse::<f64>().unwrap() >= 1.0 {
                assert!(bound.log2_tail - outside.log2() < 2.0, "{sigma}, {tail}: {} {bound:?}", outside.log2());
            }
            assert!((outside / (1.0 - outside)).log2() <= bound.log2_rinf);
        }
    }
}

#[test]
fn rejection_is_consistent() {
    for target in [law("0.6", "1/2"), law("3.2", "0"), variance("10.5", "1/3"), law("215", "-5"), law("1.6e5", "1/7")] {
        let mut out = vec![0_i64; 300_000];
        sampler(&target, "13").fill(&mut reader(), &mut out).unwrap();
        let report = verify(&target, &out);
        assert!(rejecting(&report).is_empty(), "{target}: {report:?}");
    }
}

#[test]
fn bad_parameters_are_refused() {
    let refusal =
        |law: &DiscreteGaussian, tail: &str| Rejection::new(law, tail.parse().unwrap()).unwrap_err().to_string();
    assert_eq!(refusal(&law("3", "0"), "0"), "tail = 0: expected a number greater than 0");
    assert!(refusal(&law("3", "0"), "65").contains("a tail above 0 and at most 64"));
    assert!(refusal(&law("1e17", "0"), "64").contains("2^120"));
    assert!(refusal(&law("1e18", "0"), "2").contains("2^120"));
    assert!(refusal(&law("2", "2305843009213693953"), "2").contains("2^61"));
    assert!(refusal(&law("1/100", "1/2"), "13").contains("an integer within tail*sigma"));
    assert!(refusal(&law("1/10", "1/2"), "13").contains("1/4 of center's distance"));
    // An integer at 4σ is too far, one a little nearer is not.
    assert!(refusal(&law("1/8", "1/2"), "13").contains("1/4 of center's distance"));
    assert!(Rejection::new(&law("0.1251", "1/2"), Rational::from(13)).is_ok());
    let k = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2("10".parse().unwrap())).unwrap();
    assert!(refusal(&k, "13").contains("a rational sigma or `sigma_squared` only"));
    // The corners of the budget work.
    for (sigma, center, tail) in
        [("1e17", "0", "10"), ("2", "4611686018427387903/2", "13"), ("1/1000000000", "0", "13")]
    {
        let sampler = sampler(&law(sigma, center), tail);
        let mut bits = reader();
        for _ in 0..10 {
            let x = sampler.sample(&mut bits);
            assert!(sampler.profile().support.contains(&x));
        }
    }
}
