//! [DDLL13], Algorithms 8 and 10 to 12, with the mistakes that are easily made.

use crate::common::brackets::pmf;
use samplez_check::tape::{Budget, Tape, enumerate};
use samplez_core::bits::{BitSource, bernoulli, uniform_below};
use samplez_core::samplers::Bernoulli;
use samplez_core::{DiscreteGaussian, Rational, Width};
use samplez_tables::{BernoulliOptions, build_bernoulli};
use std::ops::RangeInclusive;

const K: u64 = 3;
const PRECISION: u32 = 12;

/// 2^(-x²) on x >= 0, Algorithm 10. It restarts if one of the first 2i - 2 of 2i - 1 bits is 1.
fn bin(bits: &mut Tape) -> Option<u64> {
    if !bits.bit() {
        return Some(0);
    }
    for i in 1..6 {
        if (0..2 * i - 2).any(|_| bits.bit()) {
            return None;
        }
        if !bits.bit() {
            return Some(i);
        }
    }
    None
}

/// Without the restart: the bits that should have been 0 are not looked at.
fn bin_without_restart(bits: &mut Tape) -> Option<u64> {
    (0..6).find(|_| !bits.bit())
}

/// ⌊2^B·2^(-2^i/k²)⌋.
fn entry(i: u32) -> u64 {
    ((-f64::from(1 << i) / (K * K) as f64).exp2() * f64::from(1 << PRECISION)) as u64
}

/// Algorithms 11 and 12 with a hole for each mistake.
struct Form {
    x: fn(&mut Tape) -> Option<u64>,
    /// y is drawn below this.
    range: u64,
    z: fn(u64, u64) -> u64,
    entry: fn(u32) -> u64,
    /// What becomes of a zero, given a fair coin.
    zero: fn(bool) -> Option<i64>,
}

const RIGHT: Form = Form { x: bin, range: K, z: |x, y| y * (y + 2 * K * x), entry, zero: |kept| kept.then_some(0) };

impl Form {
    fn attempt(&self, bits: &mut Tape) -> Option<i64> {
        let x = (self.x)(bits)?;
        let y = uniform_below(self.range, bits);
        let z = (self.z)(x, y);
        // Algorithm 8: from the most significant bit down.
        for i in (0..64 - z.leading_zeros()).rev() {
            if z >> i & 1 != 0 && !bernoulli((self.entry)(i).into(), 1 << PRECISION, bits) {
                return None;
            }
        }
        let value = (K * x + y) as i64;
        let coin = bits.bit();
        if value == 0 { (self.zero)(coin) } else { Some(if coin { -value } else { value }) }
    }
}

/// The bracket of the statistical distance from the law.
fn distance(attempt: impl FnMut(&mut Tape) -> Option<i64>) -> RangeInclusive<f64> {
    let walked = enumerate(Budget::depth(100).runs(4_000_000).undecided(0.002), attempt).unwrap();
    walked.distance(pmf(K as f64 * (0.5 / std::f64::consts::LN_2).sqrt(), 0.0))
}

/// Whether an attempt has the law, but for the rounding of the entries (2^-9) and what is left open.
fn has_the_law(attempt: impl FnMut(&mut Tape) -> Option<i64>) -> bool {
    let distance = distance(attempt);
    *distance.start() < 0.002 && *distance.end() < 0.012
}

/// Whether the law is wrong for certain.
fn is_caught(form: &Form) -> bool {
    *distance(|bits| form.attempt(bits)).start() > 0.01
}

#[test]
fn the_right_forms_pass() {
    assert!(has_the_law(|bits| RIGHT.attempt(bits)));
    let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(K as i64))).unwrap();
    let table =
        build_bernoulli(&law, &BernoulliOptions { precision: PRECISION, ..BernoulliOptions::default() }).unwrap();
    assert!((0..6).all(|i| table.entry(i as usize) == [(entry(i) << (32 - PRECISION)) as u32]));
    let sampler = Bernoulli::from_table(table);
    assert!(has_the_law(|bits| sampler.attempt_narrow::<4, 2, 2, _>(bits)));
}

/// Zero kept with both signs.
#[test]
fn zero_twice_is_caught() {
    assert!(is_caught(&Form { zero: |_| Some(0), ..RIGHT }));
}

/// A zero that should begin again returns another value.
#[test]
fn zero_without_a_restart_is_caught() {
    assert!(is_caught(&Form { zero: |kept| Some(if kept { 0 } else { 1 }), ..RIGHT }));
}

/// [DW18] gives y this range where it restates the algorithm.
#[test]
fn y_up_to_k_is_caught() {
    assert!(is_caught(&Form { range: K + 1, ..RIGHT }));
}

#[test]
fn a_half_gaussian_without_restarts_is_caught() {
    assert!(is_caught(&Form { x: bin_without_restart, ..RIGHT }));
}

#[test]
fn other_exponents_are_caught() {
    assert!(is_caught(&Form { z: |x, y| y * (y + K * x), ..RIGHT }));
    assert!(is_caught(&Form { z: |_, y| y * y, ..RIGHT }));
    // exp(-2^i/2σ²) and not exp(-2^i/f), f = σ².
    assert!(is_caught(&Form { entry: |i| entry(i + 1), ..RIGHT }));
}
