//! Tests of the law, of its rare branches one by one, and of the declared costs.

use super::super::common::exp_square::K_MAX;
use super::super::common::exp_square::tests::{G, Script, tail_prefix};
use super::*;
use crate::bits::Counted;
use crate::fixtures::reader;
use std::vec::Vec;

mod steps;

fn law(sigma: &str, center: &str) -> DiscreteGaussian {
    let width = crate::params::Width::Sigma(sigma.parse().unwrap());
    DiscreteGaussian::new(center.parse().unwrap(), width).unwrap()
}

#[test]
fn declared_costs_are_the_counted_ones() {
    for (sigma, center) in [
        ("10", "0"),
        ("3.2", "1/3"),
        ("0.5", "0"),
        ("1/7", "1/2"),
        ("215", "0.25"),
        ("1.6e5", "0"),
        ("1099511627776", "-7/9"),
    ] {
        let karney = Karney::new(&law(sigma, center)).unwrap();
        let mut bits = Counted::new(reader(2));
        let n = 200_000;
        let mut attempts = 0;
        for _ in 0..n {
            while karney.attempt(&mut bits).is_none() {
                attempts += 1;
            }
            attempts += 1;
        }
        let (profile, n) = (karney.profile(), f64::from(n));
        let (bits, trials) = (bits.count() as f64 / n, f64::from(attempts) / n);
        assert!(
            (bits / profile.expected_bits - 1.0).abs() < 0.01,
            "{sigma}, {center}: {bits} bits, declared {}",
            profile.expected_bits
        );
        assert!(
            (trials / profile.expected_trials - 1.0).abs() < 0.01,
            "{sigma}, {center}: {trials} trials, declared {}",
            profile.expected_trials
        );
    }
}

/// The fixed-point goal of the first coin against the exact rational, over x at random and at
/// the ends: never above, and short by less than SLACK.
#[test]
fn goals_are_lower_bounds() {
    let mut bits = reader(3);
    for (sigma, center) in
        [("1/7", "1/2"), ("3.2", "1/3"), ("2305843009213693951/16384", "0"), ("2/3", "0"), ("16", "0")]
    {
        let karney = Karney::new(&law(sigma, center)).unwrap();
        for round in 0..20_000_u64 {
            let x = match round {
                0 => 0,
                1 => karney.steps().frame.unit - 1,
                _ => uniform_below(karney.steps().frame.unit, &mut bits),
            };
            for k in 0..FAST as u64 {
                let (passes, goal) = karney.steps().frame.goal(k, x);
                let (num, den) = karney.steps().frame.exact_coin(k, x, passes);
                assert!(num < den, "the coin is a probability");
                let exact = places(num, den);
                assert!(goal <= exact && exact - goal < SLACK, "{sigma}: k = {k}, x = {x}: {goal}, exact {exact}");
            }
        }
    }
}

/// ⌊2^64·num/den⌋ by long division, num < den <= 2^127.
fn places(num: u128, den: u128) -> u64 {
    let mut rest = num;
    (0..64).fold(0, |value, _| {
        rest <<= 1;
        let digit = rest >= den;
        rest -= if digit { den } else { 0 };
        value << 1 | u64::from(digit)
    })
}

#[test]
fn refuses_what_it_cannot_honour() {
    use crate::params::{Rational, Width};
    let new = |width, center: &str| Karney::new(&DiscreteGaussian::new(center.parse().unwrap(), width).unwrap());
    let q = |s: &str| s.parse::<Rational>().unwrap();
    let large = "140737488355329";
    for (width, center, allowed) in [
        (Width::Sigma(q(large)), "0", "sigma = 140737488355329: method karney allows sigma <= 2^47"),
        (Width::S(q("281474976710657")), "0", "s = 281474976710657: method karney allows s <= 2^48"),
        (Width::KSigma2(q(large)), "1/3", "k_sigma2 = 140737488355329: method karney allows k_sigma2 <= 2^47"),
        (
            Width::Sigma(q("1")),
            "9223372036854775807",
            "center = 9223372036854775807: method karney allows |center| <= 2^62; subtract",
        ),
        (
            Width::SigmaSq(q("1")),
            "-9223372036854775807",
            "center = -9223372036854775807: method karney allows |center| <= 2^62",
        ),
        (
            Width::S(q("1")),
            "-4611686018427387905",
            "center = -4611686018427387905: method karney allows |center| <= 2^62",
        ),
    ] {
        let error = new(width, center).map(drop).unwrap_err();
        assert!(std::format!("{error}").starts_with(allowed), "{width}, {center}: {error}");
    }
    // The corners of the budget work.
    for (sigma, center) in [
        ("140737488355328", "1/16384"),
        ("1/9223372036854775807", "0"),
        ("1", "4611686018427387904"),
        ("3", "1/768614336404564650"),
        ("1/8", "-1/2"),
        ("1/40", "9/10"),
    ] {
        let karney = Karney::new(&law(sigma, center)).unwrap();
        let mut bits = reader(4);
        let samples: Vec<i64> = (0..1000).map(|_| karney.sample(&mut bits)).collect();
        let sigma = law(sigma, center).width().value().to_f64();
        let center = law("1", center).center().to_f64();
        assert!(samples.iter().all(|x| (*x as f64 - center).abs() <= 12.0 * sigma + 1.0));
    }
}

/// With all coins tails (a coin's uniform is all ones), a draw of (k, s, j) must come back as the integer it stands for.
#[test]
fn every_k_reaches_its_point() {
    for (sigma, center) in [("10", "1/3"), ("10", "-1/3"), ("77/10", "5"), ("12.5", "-100/7")] {
        let karney = Karney::new(&law(sigma, center)).unwrap();
        let (sigma, c) = (law(sigma, center).width().value().to_f64(), law("1", center).center().to_f64());
        for i in 0..40 {
            for negative in [false, true] {
                // The prefix lies in the tail; j = ⌊m·(2^18 + 1)/2^19⌋; k = 3 + i; accepted.
                let draw = (1 << 18 | 1) << 13 | u64::from(negative) << 12 | tail_prefix();
                let mut script: Vec<u64> = (0..32).rev().map(|b| draw >> b & 1).collect();
                script.extend(core::iter::repeat_n(1, i));
                script.extend([0, 0]);
                let value = karney.attempt(&mut Script(script.iter())).unwrap();
                let (k, side) = ((3 + i) as f64, if negative { -1.0 } else { 1.0 });
                let (fraction, j) = (c - c.floor(), (karney.steps().frame.m / 2) as f64);
                let expected = c.floor() + side * ((k * sigma + side * fraction).ceil() + j);
                assert_eq!(value as f64, expected, "{sigma}, {center}, k = {k}, {side}");
            }
        }
    }
}

/// The draw of j: every value has the same number of draws that stand, all counted.
#[test]
fn j_is_uniform() {
    /// The first draw, then tails; a draw of another width than the coins' is a redraw.
    struct First(u64, u32, bool);
    impl BitSource for First {
        fn bits(&mut self, n: u32) -> u64 {
            if self.1 > 0 {
                assert_eq!(n, self.1);
                self.1 = 0;
                return self.0;
            }
            let coins = n == 2 * COIN;
            self.2 |= !coins;
            if coins { u64::MAX >> (64 - n) } else { 0 }
        }
    }
    // k = 0, s = +1, c = 0: the attempt returns j, if that was not redrawn.
    let drawn = |karney: &Karney, r: u64, width: u32| {
        let mut source = First(r << 13, width, false);
        let value = karney.attempt(&mut source);
        (!source.2).then(|| value.unwrap() as u64)
    };
    for sigma in ["1", "3", "10", "3000", "4096"] {
        let karney = Karney::new(&law(sigma, "0")).unwrap();
        let mut counts = std::vec![0; karney.steps().frame.m as usize];
        for r in 0..1 << J_OF_32 {
            if let Some(j) = drawn(&karney, r, 32) {
                counts[j as usize] += 1;
            }
        }
        assert!(counts.iter().all(|count| *count == (1 << J_OF_32) / karney.steps().frame.m), "{sigma}");
    }
    for sigma in ["4097", "160000", "1099511627777", "140737488355328"] {
        let karney = Karney::new(&law(sigma, "0")).unwrap();
        let first = |j: u64| (u128::from(j) << J_OF_64).div_ceil(karney.steps().frame.m.into()) as u64;
        for j in (0..1000).map(|i| (u128::from(karney.steps().frame.m - 1) * i / 999) as u64) {
            // The draws that fall on j follow one another; only the first may be redrawn.
            let (low, high) = (first(j), first(j + 1));
            let redrawn = drawn(&karney, low, 64).is_none();
            assert!(high - low - u64::from(redrawn) == (1 << J_OF_64) / karney.steps().frame.m, "{sigma}: {j}");
            let inner = drawn(&karney, low + 1, 64);
            assert!(inner == Some(j) && drawn(&karney, high - 1, 64) == Some(j), "{sigma}: {j}, {inner:?}");
        }
    }
}

/// Trials are 2⌈σ⌉G/ρ_σ(Z - c).
#[test]
fn trials_are_those_of_the_formula() {
    for (sigma, center, tolerance) in [
        ("10", "0", 1e-9),
        ("3.2", "1/3", 1e-9),
        ("16/3", "-7/4", 1e-9),
        ("1/2", "0", 1e-9),
        ("1/7", "1/2", 1e-9),
        ("4096", "1/2", 1e-9),
        ("160000", "0", 1e-5),
    ] {
        let karney = Karney::new(&law(sigma, center)).unwrap();
        let (s, c) = (law(sigma, center).width().value().to_f64(), law("1", center).center().to_f64());
        let reach = (12.0 * s) as i64 + 12;
        let rho: f64 = (-reach..=reach).map(|x| (-(x as f64 - c).powi(2) / (2.0 * s * s)).exp()).sum();
        let (trials, formula) = (karney.profile().expected_trials, 2.0 * s.ceil() * G / rho);
        assert!((trials / formula - 1.0).abs() < tolerance, "{sigma}, {center}: {trials}, by the formula {formula}");
    }
}

/// χ² of samples from the fast way and from the printed one against the law.
#[test]
fn samples_have_the_law_both_ways() {
    for (sigma, center) in [("1/2", "0"), ("1", "1/10"), ("3.2", "-1/3"), ("16/3", "7/4"), ("40", "1/2")] {
        let karney = Karney::new(&law(sigma, center)).unwrap();
        let (s, c) = (law(sigma, center).width().value().to_f64(), law("1", center).center().to_f64());
        let reach = (8.0 * s) as i64 + 8;
        let rho = |x: i64| (-(x as f64 - c).powi(2) / (2.0 * s * s)).exp();
        let total: f64 = (-reach..=reach).map(rho).sum();
        let mut bits = reader(6);
        for (way, n) in [("fast", 2_000_000), ("printed", 500_000)] {
            let mut counts = std::vec![0_f64; 2 * reach as usize + 1];
            for _ in 0..n {
                let x = match way {
                    "fast" => karney.sample(&mut bits),
                    _ => core::iter::repeat_with(|| karney.attempt_printed(&mut bits)).flatten().next().unwrap(),
                };
                counts[(x + reach) as usize] += 1.0;
            }
            let (mut chi2, mut cells, mut rest) = (0.0, 0.0, (0.0, 0.0));
            for (count, x) in counts.iter().zip(-reach..) {
                let expected = f64::from(n) * rho(x) / total;
                if expected < 10.0 {
                    rest = (rest.0 + count, rest.1 + expected);
                } else {
                    chi2 += (count - expected).powi(2) / expected;
                    cells += 1.0;
                }
            }
            assert!(rest.0 < rest.1 + 6.0 * rest.1.sqrt() + 6.0, "{sigma}, {center}, {way}: {rest:?} in the tails");
            // The chance of this is below 1e-6 for every number of cells.
            let limit = cells + 7.0 * f64::sqrt(cells) + 14.0;
            assert!(chi2 < limit, "{sigma}, {center}, {way}: χ² = {chi2} over {cells} cells");
        }
    }
}

/// At the corners of the budget the largest values and products fit their types.
#[test]
fn the_largest_numbers_fit() {
    for (sigma, center) in [
        ("140737488355328", "4611686018427387904"),
        ("140737488355328", "-4611686018427387904"),
        ("140737488355328", "9223372036854775807/2"),
        ("140737488355327", "-9223372036854775807/2"),
        ("140737488355328", "1/16384"),
        ("140737488355328", "-1/16384"),
        ("1/9223372036854775807", "0"),
    ] {
        let karney = Karney::new(&law(sigma, center)).unwrap();
        let (k, last) = (K_MAX - 1, karney.steps().frame.unit - 1);
        for negative in [false, true] {
            let Start { i0, x0 } = karney.steps().frame.start(k, negative);
            if let Some(room) = last.checked_sub(x0) {
                let value = i0.checked_add_unsigned(room / karney.steps().frame.grid).unwrap();
                assert!(karney.steps().frame.base.checked_add(if negative { -value } else { value }).is_some());
            }
            // Overflow panics in tests.
            let mut bits = reader(7);
            for _ in 0..10 {
                let _ = karney.steps().frame.attempt_slow(k, negative, karney.steps().frame.m - 1, &mut bits);
            }
        }
        for x in [0, last] {
            let (passes, _) = karney.steps().frame.goal(FAST as u64 - 1, x);
            let (num, den) = karney.steps().frame.exact_coin(FAST as u64 - 1, x, passes);
            assert!(num < den && den <= 1 << 126 && passes <= FAST as u64);
        }
    }
}

/// Where γ reaches a whole number, which the fixed point may miss, the coin stays below 1.
#[test]
fn goals_at_whole_numbers() {
    let mut missed = 0;
    for numerator in ((1_i64 << 61) - 201..1 << 61).step_by(2) {
        let sigma = crate::params::Rational::new(numerator, 1 << 14).unwrap();
        let karney = Karney::new(&DiscreteGaussian::with_sigma(sigma).unwrap()).unwrap();
        for k in 0..FAST as u64 {
            for whole in 1..=k as u128 {
                // The least x with γ >= whole: x(2k·unit + x) >= 2·whole·unit².
                let reaches = |x: u64| {
                    let (num, den) = karney.steps().frame.exact_coin(k, x, 1);
                    num >= whole * den
                };
                let (mut below, mut x) = (0, karney.steps().frame.unit);
                while x - below > 1 {
                    let middle = below + (x - below) / 2;
                    *(if reaches(middle) { &mut x } else { &mut below }) = middle;
                }
                for x in [below, x] {
                    let (passes, goal) = karney.steps().frame.goal(k, x);
                    let (num, den) = karney.steps().frame.exact_coin(k, x, passes);
                    assert!(num < den, "k = {k}, x = {x}: {passes} runs");
                    let exact = places(num, den);
                    assert!(goal <= exact && exact - goal < SLACK, "k = {k}, x = {x}: {goal}, exact {exact}");
                    missed += u32::from(u128::from(passes) > whole && !reaches(x));
                }
            }
        }
    }
    assert!(missed > 0, "some are so close below that they take one run more");
}

#[test]
fn fill_is_repeated_sample() {
    for (sigma, center) in [("1/2", "1/3"), ("10", "0"), ("160000", "1/3")] {
        let karney = Karney::new(&law(sigma, center)).unwrap();
        let (mut one, mut other) = (reader(8), reader(8));
        let mut filled = [0_i64; 5000];
        karney.fill(&mut one, &mut filled).unwrap();
        assert!(filled.iter().all(|x| *x == karney.sample(&mut other)), "{sigma}, {center}");
        assert_eq!(one.bits(64), other.bits(64), "the same bits are spent");
    }
    // The first sample that does not fit ends the fill; those before it are written.
    let karney = Karney::new(&law("100", "0")).unwrap();
    let (mut one, mut other) = (reader(9), reader(9));
    let mut filled = [0_i8; 100];
    let error = karney.fill(&mut one, &mut filled).unwrap_err();
    for x in filled {
        let value = karney.sample(&mut other);
        if i8::try_from(value).is_err() {
            assert_eq!(error, RangeError::of::<i8>());
            return;
        }
        assert_eq!(i64::from(x), value);
    }
    panic!("a sample is out of range");
}
