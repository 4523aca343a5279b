//! Blocks: points and exponents in fractions, edges, costs.

use super::super::super::common::exp_square::K_MAX;
use super::*;
use crate::bits::Counted;
use crate::fixtures::reader;
use crate::params::Rational;
use core::f64::consts::{LN_2, PI};
use std::collections::HashMap;
use std::vec::Vec;

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn blocks(width: Width, center: &str) -> Blocks {
    Blocks::new(&DiscreteGaussian::new(q(center), width).unwrap()).unwrap()
}

/// Widths of every form and centres, small enough for `i128`.
fn laws() -> Vec<(Width, &'static str)> {
    let widths = [
        Width::SigmaSq(q("10")),
        Width::SigmaSq(q("1/7")),
        Width::SigmaSq(q("472/117")),
        Width::SigmaSq(q("1/100")),
        Width::SigmaSq(q("999/1000")),
        Width::Sigma(q("5/3")),
        Width::Sigma(q("1/20")),
        Width::KSigma2(q("7/2")),
        Width::KSigma2(q("3")),
        Width::S(q("8.35")),
        Width::S(q("1/2")),
    ];
    let centers = ["0", "1/3", "-1/3", "1/2", "-5/2", "7", "22/7", "-99/100"];
    widths.into_iter().flat_map(|width| centers.map(|center| (width, center))).collect()
}

/// σ² as a fraction, with μ for π and ln 2.
fn variance(width: Width) -> (i128, i128) {
    let (num, den) = (i128::from(width.value().num()), i128::from(width.value().den()));
    match width {
        Width::SigmaSq(_) => (num, den),
        Width::Sigma(_) => (num * num, den * den),
        // μ = 842/1215 for ln 2, and 102913/32760 for π.
        Width::KSigma2(_) => (num * num * 1215, den * den * 1684),
        Width::S(_) => (num * num * 16_380, den * den * 102_913),
    }
}

/// 2Y over σ²'s numerator and den², as the code has it.
fn numerator(blocks: &Blocks, k: u64, distance: u128) -> Option<i128> {
    let (whole, rest) = blocks.exponent(k, distance)?;
    let Fraction::Small(num, unit) = rest else { panic!("{rest:?}") };
    Some((u128::from(whole) * unit + num) as i128)
}

/// Every integer comes from one (k, s, j), with rk² + 2Y = ((z - c)² - min (y - c)²)/σ² in fractions, Y >= 0, and Y = 0 for some z;
/// and Z is that with s² or k² for σ².
#[test]
fn every_integer_comes_from_one_triple() {
    for (width, center) in laws() {
        let blocks = blocks(width, center);
        let (a, b) = variance(width);
        let (n, d) = (i128::from(q(center).num()), i128::from(q(center).den()));
        // (zd - n)², the square of den·(z - c).
        let square_of = |z: i64| (i128::from(z) * d - n).pow(2);
        let least = (-20..20).map(square_of).min().unwrap();
        let (mut seen, mut reached) = (HashMap::new(), false);
        for k in 0..6 {
            for negative in [false, true] {
                for j in 0..blocks.block {
                    if negative && k == 0 && j == 0 && blocks.gaps[0] == 0 {
                        continue;
                    }
                    let (z, distance) = blocks.point(k, negative, j);
                    assert_eq!(seen.insert(z, (k, negative, j)), None, "{width}, {center}: {z}");
                    assert_eq!((distance as i128).pow(2), square_of(z), "{width}, {center}: {z}");
                    assert!(i128::from(z) * d >= n || negative, "{z} is on its side");
                    let exact = (square_of(z) - least) * b - i128::from(blocks.rate * k * k) * a * d * d;
                    assert!(exact >= 0, "{width}, {center}: {z}");
                    reached |= exact == 0;
                    let found = numerator(&blocks, k, distance);
                    if found.is_some() && blocks.constant.is_some() {
                        let (whole, rest) = blocks.remainder(distance);
                        let part = 64.0 * (whole as f64 + rest.estimated());
                        let wanted = (square_of(z) - least) as f64 / (d * d) as f64 / width.value().to_f64().powi(2);
                        assert!((part - wanted).abs() <= 1e-12 * wanted, "{width}, {center}: {part}, {wanted}");
                    }
                    assert_eq!(found, (exact < (a * d * d) << 16).then_some(exact), "{width}, {center}: {z}");
                }
            }
        }
        // No integer is left out.
        let (low, high) = (seen.keys().min().unwrap(), seen.keys().max().unwrap());
        assert_eq!(seen.len() as i64, high - low + 1, "{width}, {center}");
        assert!(reached, "{width}, {center}: the nearest integer is accepted always");
    }
}

/// t is the least integer that is not below σ, or for `s` and kσ₂ hardly above, and r the largest up to 8 with rσ² <= t².
#[test]
fn blocks_are_as_short_as_possible() {
    for (width, center) in laws() {
        let blocks = blocks(width, center);
        let ((a, b), t, r) = (variance(width), i128::from(blocks.block), i128::from(blocks.rate));
        assert!(t * t * b >= a && (t - 1).pow(2) * b * 999 < a * 1000, "{width}");
        assert!(r * a <= t * t * b && (r == 8 || (r + 1) * a > t * t * b), "{width}: {r}");
    }
    let block = |text: &str| blocks(Width::SigmaSq(q(text)), "1/2").block;
    assert_eq!([block("9"), block("9.0001"), block("8.9999"), block("1"), block("1e-9")], [3, 4, 3, 1, 1]);
    assert_eq!(block("9223372036854775807"), 3_037_000_500);
}

/// The exponent in 448 bits against that in 128.
#[test]
fn wide_exponents_are_the_narrow_ones() {
    for (width, center) in laws() {
        let blocks = blocks(width, center);
        for k in 0..4 {
            for negative in [false, true] {
                let (_, distance) = blocks.point(k, negative, blocks.block - 1);
                let parts = |found: Option<(u64, Fraction)>| {
                    found.map(|(whole, rest)| match rest {
                        Fraction::Small(num, unit) => (whole, Wide::new(num), Wide::new(unit)),
                        Fraction::Large(num, unit) => (whole, num, unit),
                    })
                };
                let (narrow, wide) = (blocks.exponent(k, distance), blocks.wide_exponent(k, distance));
                assert!(matches!(narrow, None | Some((_, Fraction::Small(..)))));
                assert_eq!(parts(narrow), parts(wide), "{width}, {center}, k = {k}");
            }
        }
    }
    // σ just below ½: num and den near 2^63 and 2^64, and a centre of the largest denominator.
    let blocks = blocks(Width::Sigma(q("9223372036854775807/18446744073709551615")), "-1/18446744073709551615");
    let (_, distance) = blocks.point(1, false, 0);
    let (whole, rest) = blocks.exponent(1, distance).unwrap();
    assert!(matches!(rest, Fraction::Large(..)), "{rest:?}");
    // Half of 4(1 + 2^-63)((1 + g)² - g²) - 4 with g = 2^-64: 2^-61 nearly.
    let x = rest.estimated() * f64::from(1 << 30) * f64::from(1 << 30) * 2.0;
    assert!(whole == 0 && (x - 1.0).abs() < 0.3, "{x}");
}

/// Numbers at the ends of their ranges: overflow panics in tests.
#[test]
fn the_largest_numbers_fit() {
    let sigmas = [
        "9223372036854775807/65537",
        "140737488355328",
        "1/18446744073709551615",
        "9223372036854775807/9223372036854775806",
    ];
    let squares =
        ["9223372036854775807", "9223372036854775806/18446744073709551615", "1/18446744073709551615", "1e-18"];
    let centers = [
        "4611686018427387904",
        "-4611686018427387904",
        "9223372036854775807/2",
        "-9223372036854775807/2",
        "3000000000000000001/3",
        "9223372036854775807/18446744073709551615",
        "-1/18446744073709551615",
        "1/9223372036854775808",
    ];
    let forms: [fn(Rational) -> Width; 3] = [Width::Sigma, Width::S, Width::KSigma2];
    let widths = sigmas.into_iter().flat_map(|text| forms.map(|form| form(q(text))));
    for width in widths.chain(squares.map(|text| Width::SigmaSq(q(text)))) {
        for center in centers {
            let blocks = blocks(width, center);
            for negative in [false, true] {
                for k in [0, 1, 7, K_MAX - 1] {
                    let (value, distance) = blocks.point(k, negative, blocks.block - 1);
                    let steps = i128::from(k) * i128::from(blocks.block) + i128::from(blocks.block) - 1;
                    let off = (i128::from(value) - i128::from(blocks.base)).abs();
                    assert!(off == steps || off == steps + 1, "{width}, {center}");
                    let _ = blocks.exponent(k, distance);
                }
            }
            let mut bits = reader(4);
            for _ in 0..20 {
                let _ = blocks.attempt(&mut bits);
            }
            let (bits, accepted) = blocks.cost();
            // ρ/(2tΘ), and ρ is 1 at least: 0.285 at t = 1, less just above.
            assert!(bits < 200.0 && (0.26..=1.0).contains(&accepted), "{width}, {center}: {bits}, {accepted}");
        }
    }
}

/// The declared costs against counted ones.
#[test]
fn declared_costs_are_the_counted_ones() {
    let mut all = laws();
    all.extend([(Width::SigmaSq(q("46226")), "1/3"), (Width::S(q("2e6")), "1/7"), (Width::KSigma2(q("1e9/7")), "0")]);
    for (width, center) in all {
        let blocks = blocks(width, center);
        let (mut bits, mut accepted, n) = (Counted::new(reader(2)), 0, 60_000);
        for _ in 0..n {
            accepted += u32::from(blocks.attempt(&mut bits).is_some());
        }
        let (declared, rate) = blocks.cost();
        let (bits, found) = (bits.count() as f64 / f64::from(n), f64::from(accepted) / f64::from(n));
        assert!((bits / declared - 1.0).abs() < 0.012, "{width}, {center}: {bits} bits, declared {declared}");
        assert!((found - rate).abs() < 0.011, "{width}, {center}: {found} accepted, declared {rate}");
    }
}

/// Nearly point masses: σ of 10^-9 and less at c = k + ½ is a fair coin, and elsewhere the nearest integer.
#[test]
fn tiny_widths_are_cheap() {
    for (width, center, value) in [
        (Width::Sigma(q("1e-9")), "7/2", None),
        (Width::SigmaSq(q("1e-18")), "-7/2", None),
        (Width::S(q("1e-18")), "1/2", None),
        (Width::SigmaSq(q("1e-18")), "1/3", Some(0)),
        (Width::KSigma2(q("1e-9")), "-2/3", Some(-1)),
        (Width::Sigma(q("1/18446744073709551615")), "12", Some(12)),
    ] {
        let blocks = blocks(width, center);
        let mut bits = reader(5);
        let found: Vec<i64> = (0..4000).filter_map(|_| blocks.attempt(&mut bits)).collect();
        match value {
            Some(value) => assert!(found.len() > 1500 && found.iter().all(|x| *x == value), "{width}, {center}"),
            None => {
                let base = q(center).floor();
                let up = found.iter().filter(|x| **x == base + 1).count();
                assert!(found.len() > 3000 && found.iter().all(|x| *x == base || *x == base + 1), "{width}");
                assert!((up as f64 / found.len() as f64 - 0.5).abs() < 0.05, "{width}: {up} of {}", found.len());
            }
        }
    }
}

/// χ² against the law, for every form.
#[test]
fn samples_have_the_law() {
    let mut bits = reader(6);
    let mut more = laws();
    more.push((Width::SigmaSq(q("1600.5")), "1/3"));
    for (width, center) in more {
        let blocks = blocks(width, center);
        let c = q(center).to_f64();
        let value = width.value().to_f64();
        let two_variances = match width {
            Width::Sigma(_) => 2.0 * value * value,
            Width::SigmaSq(_) => 2.0 * value,
            Width::KSigma2(_) => value * value / LN_2,
            Width::S(_) => value * value / PI,
        };
        let nearest = (c.round() - c).powi(2);
        let reach = (8.0 * two_variances.sqrt()) as i64 + 4;
        let around = c.floor() as i64 - reach..=c.floor() as i64 + reach;
        let rho = |x: i64| (-((x as f64 - c).powi(2) - nearest) / two_variances).exp();
        let total: f64 = around.clone().map(rho).sum();
        let mut counts = HashMap::new();
        let mut n = 0.0;
        for _ in 0..150_000 {
            if let Some(x) = blocks.attempt(&mut bits) {
                *counts.entry(x).or_insert(0.0) += 1.0;
                n += 1.0;
            }
        }
        let (mut chi2, mut cells, mut rest) = (0.0, 0.0, (0.0, 0.0));
        for x in around {
            let (count, expected) = (counts.remove(&x).unwrap_or(0.0), n * rho(x) / total);
            if expected < 10.0 {
                rest = (rest.0 + count, rest.1 + expected);
            } else {
                chi2 += (count - expected).powi(2) / expected;
                cells += 1.0;
            }
        }
        assert!(counts.is_empty(), "{width}, {center}: {counts:?}");
        assert!(rest.0 < rest.1 + 6.0 * rest.1.sqrt() + 6.0, "{width}, {center}: {rest:?} in the tails");
        // The chance of this is below 1e-6 for every number of cells.
        assert!(chi2 < cells + 7.0 * f64::sqrt(cells) + 14.0, "{width}, {center}: χ² = {chi2} over {cells} cells");
    }
}

/// exp(-δZ), counted, near c and far from it.
#[test]
fn remainders_are_kept_with_their_probability() {
    let mut bits = reader(7);
    for (width, excess) in [(Width::S(q("3")), 1.701_871_673e-4), (Width::KSigma2(q("3")), 1.430_653_336e-4)] {
        let blocks = blocks(width, "1/3");
        let constant = blocks.constant.unwrap();
        for (steps, n) in [(20, 400_000), (90, 200_000), (200, 100_000)] {
            let (z, distance) = blocks.point(0, true, steps);
            let part = ((z as f64 - 1.0 / 3.0).powi(2) - 1.0 / 9.0) / 9.0;
            let kept = (-excess * part).exp();
            let most = 2 * part as u64 * 4;
            let found = (0..n).filter(|_| blocks.is_kept(constant, distance, most, &mut bits)).count() as f64;
            let deviation = (kept * (1.0 - kept) * f64::from(n)).sqrt();
            assert!(
                (found - kept * f64::from(n)).abs() < 5.0 * deviation,
                "{width}, Z = {part}: {found} of {n}, {kept}"
            );
        }
    }
}
