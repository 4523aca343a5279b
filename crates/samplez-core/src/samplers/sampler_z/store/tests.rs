//! Proposals against the trials of a batch.

use super::*;
use crate::fixtures::reader;
use crate::params::Rational;
use crate::sampler::Rounder;
use crate::samplers::common::store::tests::{Borders, compare};
use std::vec::Vec;

fn calls() -> Vec<(FixedPoint, SmallWidth)> {
    let sampler = SamplerZ::FALCON_512;
    let sigmas = [(12_778_337, 10_000_000), (13, 10), (3, 2), (17, 10), (3641, 2000)];
    let fractions = [0, 1, 63, 1 << 62, 1 << 63, u64::MAX / 3, u64::MAX - 64, u64::MAX];
    let widths = sigmas.map(|(num, den)| sampler.width(Rational::new(num, den).unwrap()).unwrap());
    let all = widths
        .into_iter()
        .enumerate()
        .flat_map(|(i, width)| fractions.map(|f| (FixedPoint::from_parts(i as i64 * 1000 - 2000, f).unwrap(), width)));
    all.collect()
}

/// Every decision is that of the full trial, on every backend: many draws are at the goal or near it, and many proposals are far.
#[test]
fn decisions_are_those_of_full_trials() {
    let mut equal = 0;
    for (seed, (center, width)) in calls().into_iter().enumerate() {
        let source = || {
            Borders::new(seed as u8, true, move |words| {
                let [mut high, mut rest, kind, size] = core::array::from_fn(|_| words.bits(64));
                if kind & 3 == 0 {
                    high >>= size % 64;
                }
                let (_, goal) = SamplerZ::trial(width, center.fraction(), [high, rest & 0x1ff]);
                let step = 1 << ((size >> 8) % 56);
                let draw = match kind >> 2 & 7 {
                    0 => goal >> 9,
                    1 => (goal >> 9) + step,
                    2 => (goal >> 9).saturating_sub(step),
                    3 => (size >> 32) & 1,
                    4 => rest >> 9 >> ((size >> 16) % 55),
                    _ => rest >> 9,
                };
                rest = draw.min(u64::MAX >> 9) << 9 | rest & 0x1ff;
                [high, rest]
            })
        };
        let full = |[high, rest]: [u64; 2], source: &mut Borders<_>| {
            let (z, goal) = SamplerZ::trial(width, center.fraction(), [high, rest & 0x1ff]);
            let is_equal = rest >> 9 == goal >> 9;
            let accepted = if is_equal { source.bits(9) < goal & 511 } else { rest >> 9 < goal >> 9 };
            accepted.then_some(center.floor() + z)
        };
        equal += compare(&SamplerZ::FALCON_512, source, |store| store.round(center, width), full);
    }
    assert!(equal > 8_000, "{equal}: a test that measures nothing");
}

/// Places, lows and highs of proposals.
fn prepared(words: [[u64; LANES]; 2]) -> [[u64; LANES]; 3] {
    let [mut places, mut lows, mut highs] = [[0; LANES]; 3];
    let [v, rest] = &words;
    Backend::current().run(Prepare { words: [v, rest], out: [&mut places, &mut lows, &mut highs] });
    [places, lows, highs]
}

/// The first look compares nearly the same sides as the full trial: the margin is 16 times the difference found.
#[test]
fn margins_hold_the_difference() {
    let mut bits = reader(9);
    let mut most = 0;
    for (center, width) in calls() {
        for i in 0..500 {
            let f = center.fraction();
            let [mut v, mut rest] = [(); 2].map(|()| core::array::from_fn::<_, LANES, _>(|_| bits.bits(64)));
            for k in 0..LANES {
                v[k] >>= (i + k) % 60;
                let (_, goal) = SamplerZ::trial(width, f, [v[k], rest[k] & 0x1ff]);
                rest[k] = goal & !511 | rest[k] & 511;
            }
            let [places, lows, highs] = prepared([v, rest]);
            for k in 0..LANES {
                let (_, goal) = SamplerZ::trial(width, f, [v[k], rest[k] & 0x1ff]);
                if goal < 1 << 40 {
                    continue;
                }
                // Of the goal itself, without the draw's 55 bits.
                let draw = goal & !511 | 256;
                let ((log, _), (of_draw, _)) = (double_log(goal), double_log(draw));
                let offset = if places[k] & 1 != 0 { (1 << 58) - f.div_ceil(64) } else { f >> 6 };
                let side = SamplerZ::side((places[k] & !1) + offset, width);
                let edge = lows[k].midpoint(highs[k]);
                most = most.max((side + of_draw).abs_diff(edge + log));
                assert_eq!(highs[k] - edge, MARGIN + (1 << draw.leading_zeros()));
            }
        }
    }
    assert!((1 << 10..1 << 14).contains(&most), "{most}");
}

/// Without its margin the first look is wrong at borders, and a margin of the draw's cell is needed for small draws.
#[test]
fn edges_are_logarithms() {
    for (value, exact) in [(1 << 63, 2.0 * 2_f64.ln()), (u64::MAX, 0.0), (256, 112.0 * 2_f64.ln())] {
        let (log, unit) = double_log(value);
        assert_eq!(unit, 1 << value.leading_zeros());
        assert!((log as f64 / 52_f64.exp2() - exact).abs() < 2e-12, "{value:x}: {log}");
    }
    // One of the worst. -2·ln(value/2^64)·2^52 by mpmath, with 60 digits, is 5187244148519365.46.
    let (log, _) = double_log(0x8fec_4262_2fff_ffff);
    assert!((8587..=8588).contains(&(log - 5_187_244_148_519_365)), "{log}");
    let (mut v, mut rest) = ([0; LANES], [u64::MAX; LANES]);
    (v[0], v[1]) = (u64::MAX, u64::MAX);
    (rest[0], rest[1], rest[2]) = (0x1ff, 0x3ff, 0x200);
    let [places, lows, highs] = prepared([v, rest]);
    assert_eq!(places[..4], [1, 1, 18 << 58, 16 << 58 | 1]);
    // A draw of 0 is far from nothing, one of 1 is.
    let margin = |k: usize| highs[k].wrapping_sub(lows[k]) / 2;
    assert!(margin(0) >= 1 << 62 && margin(1) < 1 << 56 && margin(3) == MARGIN + 1);
}

#[test]
fn widths_have_their_logarithm() {
    for (sampler, min) in [(SamplerZ::FALCON_512, 1.2778336969128337), (SamplerZ::FALCON_1024, 1.2982803343442917)] {
        for i in 1300..=1820 {
            let width = sampler.width(Rational::new(i, 1000).unwrap()).unwrap();
            let exact = 2.0 * (i as f64 / 1000.0 / min).ln();
            assert!((width.lift as f64 / 52_f64.exp2() - exact).abs() < 2e-12, "{i}");
        }
    }
}

/// The double 1/σ' is exact, and the same width as the rational's where that is exact too.
#[test]
fn widths_of_inverses_are_exact() {
    let sampler = SamplerZ::FALCON_512;
    for inverse in [0.5625, 0.625, 0.75, 0.78, 0.6, 1.0 / 1.3, 1.0 / 1.82] {
        let width = sampler.width_of_inverse(inverse).unwrap();
        let rational = Rational::try_from(inverse).unwrap();
        let exact = (rational.num() as u128) << 64;
        assert_eq!(u128::from(width.inverse) * u128::from(rational.den()), exact, "{inverse}");
        assert_eq!(u128::from(width.scale), (u128::from(width.inverse) * u128::from(sampler.sigma_min)) >> 62);
    }
    assert_eq!(sampler.width_of_inverse(0.625), sampler.width(Rational::new(8, 5).unwrap()).ok());
    let most = 2000.0_f64 / 3641.0;
    for refused in [
        0.0,
        -0.625,
        0.5,
        0.549,
        0.7826,
        0.79,
        1.0,
        1.25,
        f64::NAN,
        f64::INFINITY,
        f64::MIN_POSITIVE,
        most.next_down(),
        (1.0 / 1.2778336969128337_f64).next_up().next_up(),
    ] {
        assert_eq!(sampler.width_of_inverse(refused), None, "{refused}");
    }
    assert!(sampler.width_of_inverse(most.next_up()).is_some());
    assert!(sampler.width_of_inverse((1.0 / 1.2778336969128337_f64).next_down()).is_some());
}

/// Not the integers of `round`, nor of a batch.
#[test]
fn streams_differ() {
    let (center, width) = calls()[11];
    let mut store = ProposalStore::new(SamplerZ::FALCON_512, reader(7));
    let stored: Vec<i64> = (0..50).map(|_| store.round(center, width)).collect();
    let (mut single, mut batch) = ([0; 50], [0; 50]);
    SamplerZ::FALCON_512.round_all(&[(center, width); 50], &mut reader(7), &mut single);
    SamplerZ::FALCON_512.round_batch(&[(center, width); 50], &mut reader(7), &mut batch);
    assert!(stored != single && stored != batch);
}
