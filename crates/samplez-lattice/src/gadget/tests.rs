//! Cosets against their enumeration.

use super::*;
use samplez_core::bits::BitReader;
use samplez_sources::{ChaCha20, Seed};
use std::collections::BTreeMap;

fn reader(seed: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])))
}

fn gadget(base: u64, q: u64, sigma: &str) -> Gadget {
    Gadget::new(base, q, sigma.parse().unwrap()).unwrap()
}

/// Σ x_i·b^i mod q.
fn value(gadget: &Gadget, x: &[i64]) -> u64 {
    let (base, q) = (i128::from(gadget.base), i128::from(gadget.q));
    x.iter().rev().fold(0, |value, x| (base * value + i128::from(*x)).rem_euclid(q)) as u64
}

/// All points of the coset within this distance of 0 in each coordinate.
fn points(gadget: &Gadget, coset: u64, reach: i64) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for _ in 0..gadget.digits {
        all = all
            .into_iter()
            .flat_map(|x: Vec<i64>| (-reach..=reach).map(move |y| x.iter().copied().chain([y]).collect()))
            .collect();
    }
    all.retain(|x| value(gadget, x) == coset);
    all
}

fn density(x: &[i64], sigma: f64) -> f64 {
    (-x.iter().map(|x| (x * x) as f64).sum::<f64>() / 2.0 / sigma / sigma).exp()
}

/// The normal quantile of Pearson's χ² (Wilson and Hilferty), of bins that expect at least 25.
fn chi_squared(counts: &BTreeMap<Vec<i64>, u64>, law: &[(Vec<i64>, f64)]) -> f64 {
    let total: u64 = counts.values().sum();
    let mass: f64 = law.iter().map(|(_, p)| p).sum();
    let (mut statistic, mut bins, mut rest_seen, mut rest_wanted) = (0.0, 0, total as f64, total as f64);
    for (x, p) in law {
        let (seen, wanted) = (counts.get(x).map_or(0.0, |n| *n as f64), p / mass * total as f64);
        if wanted >= 25.0 {
            statistic += (seen - wanted).powi(2) / wanted;
            bins += 1;
            rest_seen -= seen;
            rest_wanted -= wanted;
        }
    }
    if rest_wanted >= 25.0 {
        statistic += (rest_seen - rest_wanted).powi(2) / rest_wanted;
        bins += 1;
    }
    let df = f64::from(bins - 1);
    let scale = 2.0 / 9.0 / df;
    ((statistic / df).cbrt() - 1.0 + scale) / scale.sqrt()
}

fn law_of(gadget: &Gadget, coset: u64, sigma: f64) -> Vec<(Vec<i64>, f64)> {
    let reach = if gadget.digits <= 3 { (5.0 * sigma) as i64 } else { (4.6 * sigma) as i64 };
    points(gadget, coset, reach).into_iter().map(|x| (x.clone(), density(&x, sigma))).collect()
}

/// q = 2^k, odd and prime. The enumeration of cells takes seconds. The quantile is below 5.5 with probability 1 - 2·10^-8.
#[test]
fn cosets_have_the_enumerated_law() {
    let cases = [
        (2, 8, "2"),
        (2, 4, "5/2"),
        (3, 9, "3"),
        (6, 6, "7"),
        (2, 3, "9/4"),
        (2, 7, "5/2"),
        (3, 7, "19/6"),
        (5, 23, "6"),
        (2, 11, "9/4"),
        (4, 15, "17/4"),
    ];
    for (base, q, sigma) in cases {
        let gadget = gadget(base, q, sigma);
        for coset in [0, q - 1] {
            let count = if gadget.digits > 3 { 60_000 } else { 100_000 };
            let mut out = vec![0; count * gadget.digits];
            gadget.sample(&vec![coset; count], &mut reader(coset as u8), &mut out).unwrap();
            let mut counts = BTreeMap::new();
            for x in out.chunks_exact(gadget.digits) {
                assert_eq!(value(&gadget, x), coset);
                *counts.entry(x.to_vec()).or_insert(0) += 1;
            }
            let quantile = chi_squared(&counts, &law_of(&gadget, coset, gadget.sigma.to_f64()));
            assert!(quantile < 5.5, "b = {base}, q = {q}, u = {coset}: {quantile}");
            // Planted faults: a σ that is 3 % larger, and the next coset's law shifted here.
            let wrong = chi_squared(&counts, &law_of(&gadget, coset, gadget.sigma.to_f64() * 1.03));
            assert!(wrong > 5.5, "b = {base}, q = {q}, u = {coset}: {wrong}");
        }
    }
}

/// The probability of Klein's algorithm times step 2's is proportional to ρ(x), to 13 digits. Without step 2 it is not.
#[test]
fn step_2_makes_the_probabilities_right() {
    for (base, q, sigma) in [(2, 8, "2"), (3, 27, "3"), (2, 7, "9/4"), (3, 7, "19/6"), (4, 11, "17/4")] {
        let gadget = gadget(base, q, sigma);
        let sigma = gadget.sigma.to_f64();
        for coset in [0, 1, q - 1] {
            let (mut with, mut without) = (vec![], vec![]);
            for x in points(&gadget, coset, 4) {
                let factors = match &gadget.steps {
                    Steps::Power(power) => power.factors(coset, &x),
                    Steps::General(general) => general.factors(coset, &x),
                };
                // 1/Π ρ_σ(Z + c) by its definition.
                let klein: f64 = factors
                    .iter()
                    .map(|factor| {
                        let square = ratio_f64(&factor.square.0, &factor.square.1);
                        let c = factor.center.0 as f64 / factor.center.1 as f64;
                        let c = c - c.round();
                        (-40..=40).map(|j| (-(f64::from(j) + c).powi(2) / 2.0 / square).exp()).sum::<f64>().recip()
                    })
                    .product();
                let accepted: f64 = factors.iter().map(theta::ratio_f64).product();
                with.push(klein * accepted);
                without.push(klein);
            }
            let spread = |all: &[f64]| {
                let most = all.iter().copied().fold(f64::MIN, f64::max);
                let least = all.iter().copied().fold(f64::MAX, f64::min);
                most / least - 1.0
            };
            assert!(with.len() > 5 && spread(&with) < 1e-13, "{base} {q} {coset}: {}", spread(&with));
            assert!(spread(&without) > 1e-10, "{base} {q} {coset}: {}", spread(&without));
            assert!(spread(&without) < gadget.ripple(), "{sigma}");
        }
    }
}

fn ratio_f64(num: &num_bigint::BigUint, den: &num_bigint::BigUint) -> f64 {
    let scaled = u128::try_from((num << 60_u32) / den).unwrap();
    scaled as f64 / (1_u64 << 60) as f64
}

/// The coefficients of Klein's algorithm have the centres that step 2 takes.
#[test]
fn step_2_has_the_centres_of_step_1() {
    let gadget = gadget(3, 50, "12");
    let Steps::General(general) = &gadget.steps else { panic!() };
    let mut out = vec![0; 4 * 1000];
    let cosets: Vec<u64> = (0..1000).map(|i| i % 50).collect();
    gadget.klein(&cosets, &mut reader(3), &mut out);
    let sigmas = general.sigmas();
    // The coefficient of s_i is -x_i plus what was there; about the centre its mean square is σ_i².
    let mut squares = [0.0; 3];
    for (x, coset) in out.chunks_exact(4).zip(&cosets) {
        let mut carry = 0;
        let value = x.iter().rev().fold(0, |value, x| 3 * value + x);
        let z_last = (value - *coset as i64) / 50;
        let modulus = [2, 1, 2, 1];
        let y: Vec<i64> = general::digits(*coset, 3, 4).zip(modulus).map(|(d, q)| d + z_last * q).collect();
        for (place, factor) in general.factors(*coset, x).iter().enumerate() {
            let i = 3 - place;
            let z = y[i] + carry - x[i];
            carry = 3 * z;
            let c = factor.center.0 as f64 / factor.center.1 as f64;
            squares[i - 1] += (z as f64 - c).powi(2) / 1000.0;
        }
    }
    for (square, sigma) in squares.iter().zip(&sigmas) {
        assert!((square / sigma / sigma - 1.0).abs() < 0.25, "{square} {sigma}");
    }
}

#[test]
fn intervals_decide_as_the_word_alone() {
    for (base, q, sigma) in [(2, 64, "2"), (3, 100, "19/6")] {
        let plain = gadget(base, q, sigma);
        let slow = Gadget { sure: 0, ..plain.clone() };
        let cosets: Vec<u64> = (0..300).map(|u| u % q).collect();
        let (mut a, mut b) = (vec![0; 300 * plain.digits], vec![0; 300 * plain.digits]);
        let (mut bits_a, mut bits_b) = (reader(4), reader(4));
        plain.sample(&cosets, &mut bits_a, &mut a).unwrap();
        slow.sample(&cosets, &mut bits_b, &mut b).unwrap();
        assert!(a == b && bits_a.bits(64) == bits_b.bits(64));
    }
}

/// Words of a seed, of which those after step 1 are all ones: step 2 rejects, once.
#[test]
fn rejected_cosets_begin_again() {
    struct Ones(BitReader<ChaCha20>, u32);
    impl BitSource for Ones {
        fn bits(&mut self, n: u32) -> u64 {
            // Only step 2 asks for single words of 64 bits here: batches ask for many, and single calls for 32.
            if n == 64 && self.1 > 0 {
                self.1 -= 1;
                return u64::MAX;
            }
            self.0.bits(n)
        }
        fn words(&mut self, out: &mut [u64]) {
            self.0.words(out);
        }
    }
    let gadget = gadget(2, 8, "2");
    let cosets = [1; 64];
    let mut plain = vec![0; 3 * 64];
    gadget.sample(&cosets, &mut reader(9), &mut plain).unwrap();
    let mut out = vec![0; 3 * 64];
    // With c = 0 for every digit the probability is 1: 64 ones and more are accepted only there.
    gadget.sample(&cosets, &mut Ones(reader(9), 3), &mut out).unwrap();
    assert!(out.chunks_exact(3).all(|x| value(&gadget, x) == 1));
    let changed: Vec<usize> = (0..64).filter(|i| out[3 * i..][..3] != plain[3 * i..][..3]).collect();
    assert!(!changed.is_empty() && changed.iter().all(|i| *i < 3), "{changed:?}");
}

#[test]
fn bad_arguments_are_refused() {
    let new = |base, q, sigma: &str| Gadget::new(base, q, sigma.parse().unwrap()).unwrap_err().to_string();
    assert_eq!(new(2, 1, "4"), "q = 1: expected an integer from 2 to 2^31");
    assert_eq!(new(2, 0, "4"), "q = 0: expected an integer from 2 to 2^31");
    assert_eq!(new(2, (1 << 31) + 1, "4"), "q = 2147483649: expected an integer from 2 to 2^31");
    assert_eq!(new(1, 8, "4"), "base = 1: expected an integer from 2 to 8");
    assert_eq!(new(9, 8, "4"), "base = 9: expected an integer from 2 to 8");
    assert_eq!(new(1 << 17, 1 << 31, "4"), "base = 131072: expected an integer from 2 to 65536");
    assert_eq!(new(2, 8, "1.99"), "sigma = 1.99: expected a number from 2 to 2^25 for base 2 and this q");
    assert_eq!(new(2, 9, "2"), "sigma = 2: expected a number from 9/4 to 2^25 for base 2 and this q");
    assert!(new(2, 8, "33554433").contains("to 2^25"));
    let ok = gadget(2, 8, "2");
    let mut bits = reader(0);
    let e = ok.sample(&[8], &mut bits, &mut [0; 3]).unwrap_err();
    assert_eq!(e.to_string(), "cosets[0] = 8: expected an integer below q = 8");
    let e = ok.sample(&[7, 1], &mut bits, &mut [0; 3]).unwrap_err();
    assert_eq!(e.to_string(), "length of out = 3: expected 3 integers for each of 2 cosets");
    ok.sample(&[], &mut bits, &mut []).unwrap();
}

#[test]
fn extreme_parameters_are_taken() {
    for (base, q, sigma) in [
        (2, 2, "2"),
        (2, 1 << 31, "33554432"),
        (2, (1 << 31) - 1, "33554432"),
        (65_536, 1 << 31, "65537"),
        (46_341, 2_147_483_647, "46342"),
        (3, 4, "19/6"),
        (65_536, 65_536, "65536"),
    ] {
        let gadget = gadget(base, q, sigma);
        let cosets = [0, 1, q - 1, q / 2, q / 3];
        let mut out = vec![0; 5 * gadget.digits];
        gadget.sample(&cosets, &mut reader(1), &mut out).unwrap();
        for (x, coset) in out.chunks_exact(gadget.digits).zip(cosets) {
            assert_eq!(value(&gadget, x), coset);
            assert!(x.iter().all(|x| (*x as f64).abs() < 13.0 * gadget.sigma.to_f64()), "{gadget:?} {x:?}");
        }
    }
}
