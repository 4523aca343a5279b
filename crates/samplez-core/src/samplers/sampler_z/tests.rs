//! Single calls against Falcon's algorithms 12 to 15, in floating point where the sampler has fixed point.

use super::*;
use crate::fixtures::{Tape, reader};
use std::format;
use std::string::ToString;
use std::vec;
use std::vec::Vec;

fn rational(num: i64, den: u64) -> Rational {
    Rational::new(num, den).unwrap()
}

/// z0 of BaseSampler, by the table.
fn base(v: u128) -> i64 {
    RCDT.iter().filter(|t| v < **t).count() as i64
}

#[test]
fn the_base_is_a_half_gaussian() {
    let weight = |z: usize| (-((z * z) as f64) / (2.0 * 1.8205 * 1.8205)).exp();
    let total: f64 = (0..60).map(weight).sum();
    for z in 0..=18 {
        let (exact, found) = (weight(z) / total * 72_f64.exp2(), SamplerZ::base_weight(z) as f64);
        // All are rounded down, and the first has the rest.
        assert!((found - exact).abs() < 1e-12 * exact + if z == 0 { 20.0 } else { 1.0 }, "{z}: {found}, {exact}");
    }
    assert_eq!((0..=18).map(SamplerZ::base_weight).sum::<u128>(), 1 << 72);
}

/// Algorithm 14's probability, which is to be met within 2^-44 of it and some units of 2^-64.
fn probability(sigma_min: f64, sigma: f64, z0: i64, distance: f64) -> f64 {
    let x = distance * distance / (2.0 * sigma * sigma) - (z0 * z0) as f64 / (2.0 * 1.8205 * 1.8205);
    sigma_min / sigma * (-x).exp()
}

fn assert_near(threshold: u64, probability: f64) {
    let exact = probability * 64_f64.exp2();
    assert!((threshold as f64 - exact).abs() <= exact * (-44_f64).exp2() + 16.0, "{threshold}, {exact}");
}

#[test]
fn a_trial_is_what_the_algorithms_say() {
    let mut bits = reader(3);
    for (sampler, sigma_min) in
        [(SamplerZ::FALCON_512, 1.2778336969128337), (SamplerZ::FALCON_1024, 1.2982803343442917)]
    {
        for i in 0..1500_i64 {
            let sigma = 1300 + i * 7 % 521;
            let width = sampler.width(rational(sigma, 1000)).unwrap();
            let (mut v, low) = (u128::from(bits.bits(64)) << 8 | u128::from(bits.bits(8)), bits.bits(56));
            match i % 4 {
                0 => v = RCDT[i as usize % 18] - u128::from(i as u64 / 4 % 2),
                1 => v >>= bits.bits(6),
                _ => {}
            }
            let fraction = [0, 1, u64::MAX, bits.bits(64), bits.bits(64)][i as usize % 5];
            let rest = low << 8 | (v as u64 & 0xff);
            let (z0, b) = (base(v), (low & 1) as i64);
            let (z, threshold) = SamplerZ::trial(width, fraction, [(v >> 8) as u64, rest]);
            assert_eq!(z, b + (2 * b - 1) * z0, "{v:x}, {low:x}");
            let distance = (z as f64 - fraction as f64 / 64_f64.exp2()).abs();
            assert_near(threshold, probability(sigma_min, sigma as f64 / 1000.0, z0, distance));
            let whole = (z.unsigned_abs() as u128) << 64;
            let exact = if b == 1 { whole - u128::from(fraction) } else { whole + u128::from(fraction) };
            assert_eq!(SamplerZ::acceptance(width, z0 as u64, exact), threshold);
        }
    }
}

#[test]
fn a_single_call_reads_bytes_as_the_algorithms_do() {
    let (sampler, mut bits) = (SamplerZ::FALCON_512, reader(4));
    let mut lengths = [0; 9];
    for i in 0..1500_i64 {
        let width = sampler.width(rational(1300 + i * 3 % 500, 1000)).unwrap();
        let center = FixedPoint::from_parts(i * 1001 - 700_000, bits.bits(64)).unwrap();
        let mut bytes = vec![];
        let expected = loop {
            let v: u128 = (0..9).fold(0, |v, _| {
                bytes.push(bits.bits(8) as u8);
                v << 8 | u128::from(*bytes.last().unwrap())
            });
            bytes.push(bits.bits(8) as u8);
            let (z0, b) = (base(v), i64::from(bytes[bytes.len() - 1] & 1));
            let z = b + (2 * b - 1) * z0;
            let distance = u128::from(z.unsigned_abs()) << 64;
            let fraction = u128::from(center.fraction());
            let distance = if b == 1 { distance - fraction } else { distance + fraction };
            let goal = SamplerZ::acceptance(width, z0 as u64, distance).to_be_bytes();
            // A draw that has some of its bytes in common with the probability, or all.
            let mut draw = bits.bits(64).to_be_bytes();
            let like = (bits.bits(4) as usize).min(8);
            draw[..like].copy_from_slice(&goal[..like]);
            let common = (0..8).take_while(|k| draw[*k] == goal[*k]).count();
            bytes.extend(&draw[..(common + 1).min(8)]);
            lengths[common] += 1;
            if draw < goal {
                break center.floor() + z;
            }
        };
        let mut tape = Tape::new(bytes.iter().flat_map(|byte| (0..8).map(move |k| byte >> k & 1 != 0)).collect());
        tape.bits.extend([false; 64]);
        assert_eq!(sampler.round((center, width), &mut tape), expected);
        assert_eq!(tape.read, 8 * bytes.len());
    }
    assert!(lengths.iter().all(|seen| *seen > 20), "{lengths:?}");
}

#[test]
fn a_draw_is_compared_byte_by_byte() {
    for (threshold, draw, read) in [
        (0x8000_0000_0000_0000_u64, 0x7f_u64, 8),
        (0x8000_0000_0000_0000, 0x81, 8),
        (0x1234_5678_9abc_def0, 0x1234_5678_9abc_deef, 64),
        (0x1234_5678_9abc_def0, 0x1234_5678_9abc_def0, 64),
        (0x1234_5678_9abc_def0, 0x1234_5678_9abc_def1, 64),
        (0x1234_5678_9abc_def0, 0x0012_3455, 24),
        (0x1234_5678_9abc_def0, 0x0012_3457, 24),
    ] {
        let bytes = (0..read / 8).rev().map(|k| (draw >> (8 * k)) as u8);
        let mut tape = Tape::new(bytes.flat_map(|byte| (0..8).map(move |k| byte >> k & 1 != 0)).collect());
        assert_eq!(is_below(threshold, &mut tape), draw < threshold >> (64 - read), "{draw:x} of {threshold:x}");
        assert_eq!(tape.read, read);
    }
}

#[test]
fn a_least_width_is_within_its_limits() {
    for (num, den, is_one) in [
        (6, 5, true),
        (3641, 2000, true),
        (1_199_999_999, 1_000_000_000, false),
        (1_820_500_001, 1_000_000_000, false),
        (3, 2, true),
        (-3, 2, false),
        (1, 1, false),
        (0, 1, false),
    ] {
        match SamplerZ::new(rational(num, den)) {
            Ok(sampler) => {
                // ⌊2^62·σ_min⌋
                let (num, s) = ((num as u128) << 62, u128::from(sampler.sigma_min));
                assert!(is_one && s * u128::from(den) <= num && num < (s + 1) * u128::from(den));
            }
            Err(e) => {
                let text =
                    format!("sigma_min = {:#}: method sampler-z allows 1.2 <= sigma_min <= 1.8205", rational(num, den));
                assert!(!is_one && e.to_string() == text, "{e}");
            }
        }
    }
    let falcon = [(SamplerZ::FALCON_512, 1.2778336969128337), (SamplerZ::FALCON_1024, 1.2982803343442917)];
    assert!(falcon.iter().all(|(sampler, s)| (sampler.sigma_min as f64 - s * 62_f64.exp2()).abs() < 1024.0));
}

#[test]
fn a_width_is_within_its_limits() {
    let sampler = SamplerZ::new(rational(5, 4)).unwrap();
    for (num, den, is_one) in [
        (5, 4, true),
        (124_999, 100_000, false),
        (3641, 2000, true),
        (182_051, 100_000, false),
        (7, 4, true),
        (2, 1, false),
        (1, 2, false),
        (9, 10, false),
        (-3, 2, false),
    ] {
        match sampler.width(rational(num, den)) {
            Ok(width) => {
                let (num, den) = (num as u128, u128::from(den));
                let inverse = (den << 64) / num;
                assert_eq!((u128::from(width.inverse), u128::from(width.scale)), (inverse, inverse * 5 / 4));
                assert!(is_one && format!("{width:?}") == "SmallWidth { .. }");
            }
            Err(e) => {
                let sigma = rational(num, den);
                let text = format!("sigma = {sigma:#}: method sampler-z allows sigma_min <= sigma <= 1.8205");
                assert!(!is_one && e.to_string() == text, "{e}");
            }
        }
    }
}

#[test]
fn fractions_are_compared_by_their_products() {
    for (a, b, is) in [
        ((1, 2), (2, 4), true),
        ((2, 4), (1, 2), true),
        ((1, 3), (1, 2), true),
        ((1, 2), (1, 3), false),
        ((3, 5), (4, 7), false),
        ((4, 7), (3, 5), true),
        ((0, 9), (1, 2), true),
        ((1, 9), (7, 2), true),
        ((7, 2), (1, 9), false),
        ((u64::MAX, 3), (u64::MAX, 2), true),
    ] {
        assert_eq!(at_most(a, b), is, "{a:?}, {b:?}");
    }
}

#[test]
fn the_bound_is_that_of_the_head() {
    let Exactness::Within(bound) = SamplerZ::FALCON_512.exactness() else { panic!("not exact") };
    assert_eq!(bound, BOUND);
    let [(2, two), (256, more), (513, most)] = bound.log2_renyi else { panic!("{bound:?}") };
    // What lies beyond z0 = 18 on both sides of a law is at most that of the base.
    let weight = |z: i32| (-f64::from(z * z) / (2.0 * 1.8205 * 1.8205)).exp();
    let tail = 2.0 * (19..40).map(weight).sum::<f64>() / (-40..40).map(weight).sum::<f64>();
    assert!((tail.log2()..tail.log2() + 1.0).contains(&bound.log2_tail), "{}", tail.log2());
    assert!(bound.log2_tail <= two && two < more && more < most && most < bound.log2_sd);
    assert!(bound.log2_sd < bound.log2_rinf && bound.log2_rinf <= -50.0);
}

#[test]
fn counts_are_of_what_lies_above() {
    let thresholds = [9, 5, 5, 2];
    for (value, count) in [(0, 4), (1, 4), (2, 3), (4, 3), (5, 1), (8, 1), (9, 0), (1 << 100, 0)] {
        assert_eq!(count_above(value, &thresholds), count, "{value}");
    }
}

#[test]
fn ratios_end_at_a_word() {
    assert_eq!(ratio(1, 3), u64::MAX / 3);
    assert_eq!(ratio(3, 3), u64::MAX);
    assert_eq!(ratio(2, 1 << 63), 4);
    assert_eq!(ratio(0, 7), 0);
}

#[test]
fn candidates_are_every_integer_once() {
    let mut seen: Vec<i64> = (0..100).flat_map(|x| [candidate(x, true, 0).0, candidate(x, false, 0).0]).collect();
    seen.sort();
    assert_eq!(seen, (-99..=100).collect::<Vec<_>>());
    let f = 1 << 62;
    assert_eq!(candidate(3, true, f), (4, (4 << 64) - (1 << 62)));
    assert_eq!(candidate(3, false, f), (-3, (3 << 64) + (1 << 62)));
    assert_eq!(candidate(0, false, f), (0, 1 << 62));
}
