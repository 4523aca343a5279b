//! Certificates of tables that nobody should use.
#![cfg(not(miri))]

use samplez_core::table::Table;
use samplez_core::table::{CdtTable, Shape};
use samplez_core::{Bound, DiscreteGaussian, Rational, Width};
use samplez_tables::{Law, certify};

const UNKNOWN: Bound = Bound::TRIVIAL;

fn law(sigma: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
}

/// SD, R_2 - 1 and R_inf - 1 by their definitions, in doubles, where Q lies within ±100.
fn naive(table: &CdtTable<Vec<u32>>) -> [f64; 3] {
    let ideal = Law::new(table.target());
    let mut q = [0.0; 201];
    let scale = 2_f64.powi(table.precision() as i32);
    let edge = |j: usize| f64::from(table.digits()[j] >> (32 - table.precision())) / scale;
    for j in 0..=table.len() {
        let high = if j == 0 { 1.0 } else { edge(j - 1) };
        let mass = high - if j == table.len() { 0.0 } else { edge(j) };
        let at = |offset: i64| (table.first() + offset + 100) as usize;
        match table.shape() {
            Shape::Full => q[at(j as i64)] += mass,
            Shape::Folded => {
                q[at(j as i64)] += mass / 2.0;
                q[at(-(j as i64))] += mass / 2.0;
            }
        }
    }
    let (mut distance, mut square, mut largest) = (0.0, 0.0, 0.0_f64);
    for (x, q) in (-100..=100).zip(q) {
        let p = ideal.pmf(x);
        distance += (q - p).abs() / 2.0;
        square += if q > 0.0 { q * q / p } else { 0.0 };
        largest = largest.max(if q > 0.0 { q / p } else { 0.0 });
    }
    [distance, square - 1.0, largest - 1.0]
}

#[test]
fn random_tables_agree_with_the_definitions() {
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let centers = ["0", "1/3", "-1/2", "5", "-2"];
    for _ in 0..500 {
        let target = law(["3", "5", "21/2"][random(3) as usize], centers[random(5) as usize]);
        let shape = [Shape::Full, Shape::Folded][random(2) as usize];
        let precision = 1 + random(16) as u32;
        let mut digits: Vec<u32> =
            (0..1 + random(12)).map(|_| (random(1 << precision) as u32) << (32 - precision)).collect();
        digits.sort_unstable_by(|a, b| b.cmp(a));
        let table = CdtTable::new(target, UNKNOWN, shape, random(16) as i64 - 8, precision, digits).unwrap();
        let bound = certify(&table);
        for (got, want) in [bound.log2_sd, bound.renyi(2).unwrap(), bound.log2_rinf].into_iter().zip(naive(&table)) {
            assert!((got - want.log2()).abs() < 0.02, "{got} {} {table:?}", want.log2());
        }
    }
}

#[test]
fn certificates_are_never_nan() {
    let laws = [
        law("3.2", "0"),
        law("3.2", "1/3"),
        law("1/1000000", "1/2"),
        law("9e18", "0"),
        law("1/3", "9223372036854775807"),
        DiscreteGaussian::new(Rational::new(1, u64::MAX).unwrap(), Width::KSigma2(Rational::new(1, u64::MAX).unwrap()))
            .unwrap(),
        DiscreteGaussian::new(Rational::from(i64::MIN), Width::S(Rational::from(i64::MAX))).unwrap(),
    ];
    let patterns: [fn(usize) -> u32; 6] =
        [|_| 0, |_| u32::MAX, |_| 1 << 31, |j| u32::MAX - j as u32, |j| 1000 - j as u32, |j| u32::from(j == 0) << 31];
    for target in laws {
        for pattern in patterns {
            for (shape, first) in [
                (Shape::Full, 0),
                (Shape::Full, i64::MIN),
                (Shape::Folded, 0),
                (Shape::Folded, 1 << 62),
                (Shape::Full, -70),
            ] {
                for (precision, digits) in [(32, 1), (256, 8)] {
                    let head = (0..100).map(pattern);
                    let digits: Vec<u32> = head.chain(core::iter::repeat_n(0, 100 * (digits - 1))).collect();
                    let table = CdtTable::new(target, UNKNOWN, shape, first, precision, digits).unwrap();
                    let bound = certify(&table);
                    let renyi = bound.log2_renyi.map(|(_, log2)| log2);
                    let all = [bound.log2_sd, bound.log2_rinf, bound.log2_tail];
                    assert!(all.iter().chain(&renyi).all(|x| !x.is_nan()), "{bound:?} {table:?}");
                    assert!(bound.log2_sd <= 0.0 && bound.log2_tail <= 0.0 && bound.log2_sd > f64::NEG_INFINITY);
                    assert!(renyi.is_sorted() && renyi[2] <= bound.log2_rinf, "{bound:?}");
                }
            }
        }
    }
}

/// A table whose weights lie where the law has nothing.
#[test]
fn misplaced_weight_is_infinitely_far() {
    let table = CdtTable::new(law("3.2", "0"), UNKNOWN, Shape::Full, 1_000_000, 32, [1 << 31]).unwrap();
    let bound = certify(&table);
    assert_eq!((bound.log2_sd, bound.log2_rinf, bound.log2_tail), (0.0, f64::INFINITY, 0.0));
    assert_eq!(bound.log2_renyi.map(|(_, log2)| log2), [f64::INFINITY; 3]);
}
