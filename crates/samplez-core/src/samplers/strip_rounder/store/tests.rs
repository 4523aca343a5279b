//! Proposals against the trials of a call, one after the other.

use super::*;
use crate::fixtures::reader;
use crate::sampler::Rounder;
use crate::samplers::common::store::tests::{Borders, compare};
use crate::samplers::{CloseTrial, Refine};
use std::vec::Vec;

const RANGES: [[&str; 2]; 8] = [
    ["1", "1"],
    ["1", "2"],
    ["1.2778336969128337", "1.8205"],
    ["1.7", "3.4"],
    ["1.70005", "3.4001"],
    ["215", "215"],
    ["1e5", "2e5"],
    ["33554432", "67108864"],
];
const FRACTIONS: [u64; 8] = [0, 1, 63, 1 << 62, 1 << 63, u64::MAX / 3, u64::MAX - 64, u64::MAX];

fn rounder([min, max]: [&str; 2]) -> StripRounder {
    StripRounder::new(min.parse().unwrap(), max.parse().unwrap()).unwrap()
}

fn calls(rounder: &StripRounder, range: [&str; 2]) -> Vec<(FixedPoint, StripWidth)> {
    let widths = rounder.widths(range.map(|sigma| sigma.parse().unwrap())).unwrap();
    let call = |(i, f)| (FixedPoint::from_parts(1000 * i as i64 - 2000, f).unwrap(), widths[i % 2]);
    FRACTIONS.into_iter().enumerate().map(call).collect()
}

/// A word whose number is at its goal or near it, or far, or at an end of its strip; and 32 bits.
fn border(rounder: &StripRounder, (center, width): (FixedPoint, StripWidth), words: &mut impl BitSource) -> [u64; 2] {
    let [mut word, low, kind, size] = core::array::from_fn(|_| words.bits(64));
    let low = low & 0xffff_ffff;
    if kind & 3 == 0 {
        word >>= size % 17;
    }
    let (_, rest, goal, _) = rounder.trial(width, center.fraction(), word, low);
    let step = 1 << ((size >> 8) % 60);
    let other = match kind >> 2 & 7 {
        0 => goal,
        1 => goal + step,
        2 => goal.saturating_sub(step),
        3 => (size >> 32) & 3,
        4 => rest >> ((size >> 16) % 62),
        _ => rest,
    };
    // A goal of 0 is close to 1 by the trial alone, which then rejects in any case.
    let other = if goal == 0 && other < 4 { 0 } else { other };
    // In the same strip, if it reaches so far.
    let lower = (word >> 1) - rest;
    [(lower + other.min(u64::MAX / 2 - lower)) << 1 | word & 1, low]
}

/// Accepts about half of the trials, by their numbers.
#[derive(Clone, Copy)]
struct Halves;

impl Refine for Halves {
    fn accepts<B: BitSource + ?Sized>(&self, trial: &CloseTrial, bits: &mut B) -> bool {
        (bits.bits(64) ^ trial.prefix ^ trial.value.cast_unsigned()) & 1 == 0
    }
}

/// Every decision is that of the full trial, on every backend: the declared law, and the refined one.
#[test]
fn decisions_are_those_of_full_trials() {
    let (mut close, mut refined) = (0, 0);
    for (seed, range) in RANGES.into_iter().enumerate() {
        let rounder = rounder(range);
        for (i, (center, width)) in calls(&rounder, range).into_iter().enumerate() {
            let source =
                || Borders::new((8 * seed + i) as u8, false, move |words| border(&rounder, (center, width), words));
            let full = |[word, low]: [u64; 2], source: &mut Borders<_>| {
                let (z, rest, goal, next) = rounder.trial(width, center.fraction(), word, low);
                let is_close = rest.abs_diff(goal) <= (goal >> 51) + 1;
                let wide = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
                let is_accepted = if is_close { wide(rest, source.bits(64)) < wide(goal, next) } else { rest < goal };
                is_accepted.then_some(center.floor() + z)
            };
            close += compare(&rounder, source, |store| store.round(center, width), full);
            let full = |[word, low]: [u64; 2], source: &mut Borders<_>| {
                let trial = rounder.envelope.trial(&width.call(center.fraction()), word, low);
                let (calls, refine) = ([(center, width)], |_| Halves);
                let z = match trial.call_verdict() {
                    (_, true) => rounder.exactly(&calls, &refine).settle(0, &trial, source),
                    (is_below, _) => is_below.then_some(trial.value.into()),
                };
                z.map(|z| center.floor() + z)
            };
            refined += compare(&rounder, source, |store| store.round_refined(center, width, || Halves), full);
        }
    }
    assert!(close > 20_000 && refined > 20_000, "{close}, {refined}: a test that measures nothing");
}

/// The first look compares nearly the same sides as the full trial: the margin is 16 times the difference found.
#[test]
fn margins_hold_the_difference() {
    let (mut bits, mut most) = (reader(9), 0);
    for range in RANGES {
        let rounder = rounder(range);
        for (center, width) in calls(&rounder, range) {
            let (f, shift) = (center.fraction(), rounder.envelope.shift);
            for _ in 0..100 {
                let [mut words, mut parts] = [[0; STORE]; 2];
                for (word, part) in words.iter_mut().zip(&mut parts) {
                    [*word, *part] = border(&rounder, (center, width), &mut bits);
                }
                let [mut places, mut lows, mut highs] = [[0; STORE]; 3];
                let out = [&mut places, &mut lows, &mut highs];
                rounder.prepare(Backend::current(), [&words, &parts], out);
                for i in 0..STORE {
                    let (z, rest, goal, _) = rounder.trial(width, f, words[i], parts[i]);
                    // Where a number is at its goal to 40 bits or more, both sides are the same to that.
                    if rest < 1 << 40 || rest.abs_diff(goal) > rest >> 44 {
                        continue;
                    }
                    let x = if z > 0 { z - 1 } else { -z };
                    assert_eq!(places[i], x.cast_unsigned() << (58 - shift) | u64::from(z > 0));
                    let offset = if z > 0 { (1 << (58 - shift)) - (f.div_ceil(64 << shift)) } else { f >> (6 + shift) };
                    let side = StripRounder::side((places[i] & !1) + offset, width);
                    let edge = lows[i].midpoint(highs[i]);
                    most = most.max(side.abs_diff(edge));
                    assert_eq!(highs[i] - edge, MARGIN + ((1 << (rest << 1 | 1).leading_zeros()) >> 6));
                }
            }
        }
    }
    assert!((1 << 9..1 << 14).contains(&most), "{most}");
}

/// A number of 0 is far from nothing, and no side is far above it, nor the least edges below 0.
#[test]
fn the_ends_of_the_numbers_are_edges() {
    for range in RANGES {
        let rounder = rounder(range);
        let mut words = [0; STORE];
        words[1] = 2;
        words[2] = u64::MAX;
        let [mut places, mut lows, mut highs] = [[0; STORE]; 3];
        rounder.prepare(Backend::current(), [&words, &[0; STORE]], [&mut places, &mut lows, &mut highs]);
        let margin = |k: usize| highs[k].wrapping_sub(lows[k]) / 2;
        assert!(margin(0) >= 1 << 62 && (1 << 50..1 << 57).contains(&margin(1)) && margin(2) < 1 << 20);
        // 2^-11 about 1: the largest number of the first strip is its weight, just above S.
        assert!(highs[2].abs_diff(1 << 52) < 1 << 41, "{:x}", highs[2]);
    }
}

/// Not the integers of `round`, nor of a batch.
#[test]
fn streams_differ() {
    let range = RANGES[2];
    let rounder = rounder(range);
    let (center, width) = calls(&rounder, range)[3];
    let mut store = ProposalStore::new(rounder, reader(7));
    let stored: Vec<i64> = (0..50).map(|_| store.round(center, width)).collect();
    let (mut single, mut batch) = ([0; 50], [0; 50]);
    rounder.round_all(&[(center, width); 50], &mut reader(7), &mut single);
    rounder.round_batch(&[(center, width); 50], &mut reader(7), &mut batch);
    assert!(stored != single && stored != batch);
}

#[test]
#[should_panic(expected = "width: expected one of this rounder")]
fn a_width_of_another_range_panics() {
    let other = rounder(RANGES[0]);
    let mut store = ProposalStore::new(rounder(RANGES[1]), reader(1));
    store.round(FixedPoint::from_parts(0, 0).unwrap(), other.width("1".parse().unwrap()).unwrap());
}
