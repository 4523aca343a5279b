//! `StripRounder`: the exact law of the shipped integers, wrong variants of it, the streams of single calls and of batches on
//! every backend, and statistics at full width.

use crate::common::law;
use crate::common::one_word::{Model, Records, Strips, certificate, one_trial, place, weights, within};
use samplez_core::arch::Backend;
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::{StripRounder, StripWidth};
use samplez_core::testing::Counted;
use samplez_core::{Bound, Exactness, FixedPoint, Rational, Rounder, Timing};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::Verifier;
use std::collections::BTreeMap;

const FALCON: [&str; 2] = ["1.2778336969128337", "1.8205"];
/// n: the bits of v.
const V: u32 = 63;

fn reader(seed: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])))
}

fn rounder([min, max]: [&str; 2]) -> StripRounder {
    StripRounder::new(min.parse().unwrap(), max.parse().unwrap()).unwrap()
}

/// The distance that a rounder declares.
fn bound_of(rounder: &StripRounder) -> Bound {
    match rounder.exactness() {
        Exactness::Within(bound) => bound,
        Exactness::Exact => panic!("no rounder here is exact"),
    }
}

fn width(rounder: &StripRounder, sigma: &str) -> StripWidth {
    rounder.width(sigma.parse().unwrap()).unwrap()
}

fn fixed(center: &str) -> FixedPoint {
    FixedPoint::new(center.parse().unwrap()).unwrap()
}

/// Whether a trial accepts, with 64 more bits if it is close.
fn is_accepted<B: BitSource>([rest, goal, next]: [u64; 3], bits: &mut B) -> bool {
    let wide = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
    if rest.abs_diff(goal) <= (goal >> 51) + 1 { wide(rest, bits.bits(64)) < wide(goal, next) } else { rest < goal }
}

/// What the leading 16 bits of v give, for whatever call.
fn strips(rounder: &StripRounder, width: StripWidth) -> Strips {
    let (k, _) = rounder.shape();
    let strip = |h: u64| {
        let (z, rest, ..) = rounder.trial(width, 0, h << 48, 0);
        let (same, last, ..) = rounder.trial(width, 0, ((h + 1) << 48).wrapping_sub(2), 0);
        assert!(same == z && last == rest + (1 << 47) - 1, "the other bits of v follow");
        (z.unsigned_abs() >> k, rest >> 47)
    };
    (0..1 << 16).map(strip).collect()
}

fn model<'a>(rounder: &'a StripRounder, width: StripWidth, fraction: u64, strips: &[(u64, u64)]) -> Model<'a> {
    let (k, count) = rounder.shape();
    let weights = weights(strips);
    let numerator = move |x: u64, upper: bool| {
        let word = weights[(x >> k) as usize].1 << 48 | u64::from(upper);
        let (z, rest, goal, next) = rounder.trial(width, fraction, word, x & ((1 << k) - 1));
        assert_eq!((z, rest), (place(x, upper), 0));
        u128::from(goal) << 64 | u128::from(next)
    };
    Model { strips: strips.to_vec(), place, numerator: Box::new(numerator), shape: (k, count, V) }
}

/// The masses above 0: those of all values between the least and the largest of them.
fn masses(model: &Model<'_>) -> BTreeMap<i64, u128> {
    let mut masses = one_trial(model);
    masses.retain(|_, mass| *mass > 0);
    let (first, last) = (masses.first_key_value().unwrap().0, masses.last_key_value().unwrap().0);
    assert_eq!(masses.len() as i64, last - first + 1, "a value in between has no mass");
    masses
}

fn largest(worst: &mut [f64; 6], bound: &Bound) {
    let [a, b, c] = bound.log2_renyi.map(|(_, log2)| log2);
    for (worst, is) in worst.iter_mut().zip([bound.log2_sd, a, b, c, bound.log2_rinf, bound.log2_tail]) {
        *worst = worst.max(is);
    }
}

/// The law of the shipped integers is within the declared bound of D_{Z,σ,f}, by certificate, for every call; no weight is below
/// what the values of its strip are to have; and the number of trials is as declared, whatever σ and the centre are.
#[test]
fn exact_law() {
    let calls: [([&str; 2], &[&str]); 10] = [
        (FALCON, &["1.2778336969128337", "1.3", "1.5", "1.7037990414754918", "1.8205"]),
        (["1.2982803343442917", "1.8205"], &["1.2982803343442917", "1.6", "1.8205"]),
        (["1", "1"], &["1"]),
        (["1", "2"], &["1", "1.41", "2"]),
        (["1.7", "3.4"], &["1.7", "7/3", "3.4"]),
        (["1.70005", "3.4001"], &["1.70005", "3.4001"]),
        (["4", "7"], &["4", "5.5", "7"]),
        (["19.5", "19.5"], &["19.5"]),
        (["20", "40"], &["20", "31.4", "40"]),
        (["150", "215"], &["150", "215"]),
    ];
    let mut worst = [f64::NEG_INFINITY; 6];
    for (range, sigmas) in calls {
        let rounder = rounder(range);
        let strips = strips(&rounder, width(&rounder, sigmas[0]));
        let centers =
            ["0", "1/3", "1/2", "7/8", "1/1048576", "1048575/1048576", "9223372036854775807/9223372036854775808"];
        for (sigma, center) in sigmas.iter().flat_map(|sigma| centers.map(|center| (*sigma, center))) {
            let model = model(&rounder, width(&rounder, sigma), fixed(center).fraction(), &strips);
            let masses = masses(&model);
            for (z, mass) in &masses {
                let (x, upper) = if *z > 0 { (*z as u64 - 1, true) } else { (z.unsigned_abs(), false) };
                assert_eq!(*mass, (model.numerator)(x, upper), "{range:?}, {sigma}, {center}: {z} has more");
            }
            let bound = certificate(&masses, &law(sigma, center));
            assert!(within(&bound, &bound_of(&rounder)), "{range:?}, {sigma}, {center}: {bound:?}");
            largest(&mut worst, &bound);
            let total: f64 = masses.values().map(|mass| *mass as f64).sum();
            let accepted = total / 2f64.powi((V + rounder.shape().0 + 65) as i32);
            let declared = rounder.expected_trials();
            assert!((declared * accepted - 1.0).abs() < 1e-7, "{range:?}, {sigma}: {declared}, {}", 1.0 / accepted);
        }
    }
    println!("SD, R_2, R_256, R_513, R_inf, tail: {worst:.1?}");
}

/// Wrong variants are caught by the same certificate; without the 64 bits more the law is farther by R_a alone.
#[test]
fn wrong_variants_are_caught() {
    let (sigma, center) = ("1.5", "1/4");
    let rounder = rounder(FALCON);
    let (call, fraction) = (width(&rounder, sigma), fixed(center).fraction());
    let strips = strips(&rounder, call);
    let low = weights(&strips);
    let shipped = || model(&rounder, call, fraction, &strips);
    assert!(within(&certificate(&masses(&shipped()), &law(sigma, center)), &bound_of(&rounder)));
    let caught = |wrong: Model<'_>, least: f64, what: &str| {
        let bound = certificate(&masses(&wrong), &law(sigma, center));
        assert!(bound.log2_renyi[0].1 > least && !within(&bound, &bound_of(&rounder)), "{what}: {bound:?}");
    };
    let changed = |change: &dyn Fn(&mut Strips)| {
        let mut model = shipped();
        change(&mut model.strips);
        model
    };
    let with = |wrong: Box<dyn Fn(u64, bool) -> u128>| Model { numerator: wrong, ..shipped() };
    let table = |model: Model<'_>| -> BTreeMap<(u64, bool), u128> {
        let all = (0..rounder.shape().1).flat_map(|x| [(x, false), (x, true)]);
        all.map(|(x, upper)| ((x, upper), (model.numerator)(x, upper))).collect()
    };

    // Step 1. T_2 is the lower end of strip 2.
    let end = low[2].1 as usize;
    caught(changed(&|strips| strips[end].0 = 3), -60.0, "T_2 one more for the strip alone");
    caught(changed(&|strips| strips[end] = (3, low[3].0)), -60.0, "T_2 one more: the weight is too small");
    let moved = |strips: &mut Strips| strips.iter_mut().for_each(|strip| strip.1 += u64::from(strip.0 == 4));
    caught(changed(&moved), -60.0, "a lower end");
    let unshifted = |strips: &mut Strips| {
        let ends = strips.iter_mut().zip(0..).filter(|((z0, _), _)| low[*z0 as usize].0 == 1);
        ends.for_each(|((_, rest), h)| *rest = h);
    };
    caught(changed(&unshifted), -80.0, "the lower ends of the strips of weight 1");
    // Step 3.
    let mut twice = shipped();
    twice.place = |x, upper| if upper { x as i64 } else { -(x as i64) };
    caught(twice, -60.0, "z = ±x: zero twice");
    // Step 4.
    let right = table(shipped());
    let (sides, first) = (right.clone(), right.clone());
    caught(with(Box::new(move |x, upper| sides[&(x, !upper)])), -60.0, "the distance of the other side");
    caught(with(Box::new(move |x, upper| first[&(x, upper)] >> 64 << 64)), -90.0, "no bits beyond the first");
    let blind = table(model(&rounder, call, 0, &strips));
    caught(with(Box::new(move |x, upper| blind[&(x, upper)])), -60.0, "the centre's fraction left out");
    let near = table(model(&rounder, call, fraction + (1 << 20), &strips));
    caught(with(Box::new(move |x, upper| near[&(x, upper)])), -100.0, "another fraction by 2^-44");
    let other = table(model(&rounder, width(&rounder, "1.50000000001"), fraction, &strips));
    caught(with(Box::new(move |x, upper| other[&(x, upper)])), -90.0, "another sigma");
    // The strips of narrower laws have too little weight for the widest of these.
    let narrow = self::rounder([FALCON[0], "1.4"]);
    let few = self::strips(&narrow, width(&narrow, "1.4"));
    let mut wide = model(&rounder, width(&rounder, "1.8205"), fraction, &strips);
    wide.strips = few.iter().map(|(z0, rest)| ((*z0).min(rounder.shape().1 - 1), *rest)).collect();
    let bound = certificate(&masses(&wide), &law("1.8205", center));
    assert!(bound.log2_renyi[0].1 > -60.0, "weights that are exceeded: {bound:?}");
}

/// Steps 1 to 5 from the bits: the strip by the weights, and nothing of the trial but E's exponential.
struct Steps<'a> {
    rounder: &'a StripRounder,
    weights: Vec<(u64, u64)>,
}

impl<'a> Steps<'a> {
    fn new(rounder: &'a StripRounder, width: StripWidth) -> Self {
        Steps { rounder, weights: weights(&strips(rounder, width)) }
    }

    /// z and the comparison's numbers: v above its strip's lower end, and the goal.
    fn trial(&self, (center, width): (FixedPoint, StripWidth), word: u64, low: u64) -> (i64, u64, u64, u64) {
        let (k, _) = self.rounder.shape();
        let (upper, v, u) = (word & 1 != 0, word >> 1, low % (1 << k));
        let ends = (0..).zip(&self.weights).map(|(z0, (_, lower))| (z0, lower << (V - 16)));
        let (z0, lower) = ends.into_iter().find(|(_, end)| v >= *end).unwrap();
        let end = lower << 1 | u64::from(upper);
        let (_, _, goal, next) = self.rounder.trial(width, center.fraction(), end, u);
        (center.floor() + place(z0 << k | u, upper), v - lower, goal, next)
    }

    /// Rounds of four trials, which are judged in order.
    fn round<B: BitSource>(&self, call: (FixedPoint, StripWidth), bits: &mut B) -> i64 {
        loop {
            let words = [(); 4].map(|()| bits.bits(64));
            let lows = [(); 4].map(|()| if self.rounder.shape().0 > 0 { bits.bits(32) } else { 0 });
            for (word, low) in words.into_iter().zip(lows) {
                let (z, rest, goal, next) = self.trial(call, word, low);
                if is_accepted([rest, goal, next], bits) {
                    return z;
                }
            }
        }
    }

    /// The passes as `round_batch` describes them.
    fn batch<B: BitSource>(&self, calls: &[(FixedPoint, StripWidth)], bits: &mut B) -> Vec<i64> {
        let mut out = vec![0; calls.len()];
        let (mut waiting, mut next) = (Vec::new(), 0);
        loop {
            let fill = next..(next + 256 - waiting.len()).min(calls.len());
            let under_way: Vec<usize> = waiting.iter().copied().chain(fill.clone()).collect();
            if under_way.len() < 16 {
                under_way.iter().for_each(|i| out[*i] = self.round(calls[*i], bits));
                return out;
            }
            next = fill.end;
            let words: Vec<u64> = under_way.iter().map(|_| bits.bits(64)).collect();
            let wide = self.rounder.shape().0 > 0;
            let lows: Vec<u64> = under_way.iter().map(|_| if wide { bits.bits(32) } else { 0 }).collect();
            waiting.clear();
            for ((i, word), low) in under_way.into_iter().zip(words).zip(lows) {
                let (z, rest, goal, after) = self.trial(calls[i], word, low);
                if is_accepted([rest, goal, after], bits) { out[i] = z } else { waiting.push(i) }
            }
        }
    }
}

#[test]
fn single_calls_and_batches_are_their_steps_on_every_backend() {
    let ranges: [([&str; 2], [&str; 3]); 5] = [
        (FALCON, ["1.3", "1.8205", "1.5"]),
        (["1", "2"], ["1", "2", "1.2"]),
        (["2.5", "4"], ["2.5", "4", "3"]),
        (["150", "215"], ["150", "215", "200"]),
        (["33554432", "67108864"], ["33554432", "67108864", "4e7"]),
    ];
    for (range, sigmas) in ranges {
        let rounder = rounder(range);
        let steps = Steps::new(&rounder, width(&rounder, sigmas[0]));
        let calls: Vec<_> = (0..3001_i64)
            .map(|i| {
                let center = Rational::new(i * 7919 - 4_000_000, 997 + i as u64 % 5).unwrap();
                (FixedPoint::new(center).unwrap(), width(&rounder, sigmas[i as usize % 3]))
            })
            .collect();
        let (mut plain, mut single) = (reader(3), reader(3));
        for call in &calls[..500] {
            assert_eq!(rounder.round(*call, &mut single), steps.round(*call, &mut plain), "{range:?}");
        }
        assert_eq!(single.bits(64), plain.bits(64), "{range:?}: the bits used");
        for count in [0, 1, 7, 15, 16, 17, 31, 32, 33, 64, 255, 256, 257, 700, 3001] {
            let mut plain = reader(4);
            let (want, after) = (steps.batch(&calls[..count], &mut plain), plain.bits(64));
            for backend in Backend::available() {
                let (mut out, mut bits) = (vec![0; count], reader(4));
                rounder.round_batch_by(backend, &calls[..count], &mut bits, &mut out);
                assert!(out == want, "{range:?}, {count}, {backend}");
                assert_eq!(bits.bits(64), after, "{range:?}, {count}, {backend}: the bits used");
            }
        }
    }
}

/// What is above the lower end is rejected from the probability on: where it is equal, by 64 bits more, which follow the
/// words of a round, and in a batch those of the pass.
#[test]
fn the_last_bit_decides() {
    for range in [FALCON, ["4", "7"]] {
        let rounder = rounder(range);
        let (k, _) = rounder.shape();
        let width = width(&rounder, range[1]);
        let weights = weights(&strips(&rounder, width));
        let call = (fixed("-5/3"), width);
        let fraction = call.0.fraction();
        let round = |stream: &mut Records, words: [u64; 4]| {
            words.iter().for_each(|word| stream.push(*word, 64));
            words.iter().for_each(|_| stream.push(0, if k > 0 { 32 } else { 0 }));
        };
        // Strip 0 at its lower end is accepted.
        let (sure, mut compared) = (weights[0].1 << 48, 0);
        for (z0, upper) in [(0, true), (1, true), (2, true), (4, false), (5, true)] {
            let lower = weights[z0 as usize].1 << 47;
            let (z, _, goal, next) = rounder.trial(width, fraction, lower << 1 | u64::from(upper), 0);
            let word = |rest: u64| (lower + rest) << 1 | u64::from(upper);
            if next == 0 {
                continue; // equal is rejected, then
            }
            compared += 1;
            // Closer numbers take 64 more bits too.
            let far = (goal >> 51) + 2;
            let cases = [
                (goal - far, None, true),
                (goal, Some(next - 1), true),
                (goal, Some(next), false),
                (goal + far, None, false),
            ];
            for (rest, more, accepted) in cases {
                // The last trials of a round, and all of the next if there is none behind.
                for first in 0..4 {
                    let mut stream = Records(Vec::new(), 0);
                    let (above, last) = (word(goal + far), if first == 0 { sure } else { word(rest) });
                    round(
                        &mut stream,
                        core::array::from_fn(|i| {
                            if i < first {
                                above
                            } else if i == first {
                                word(rest)
                            } else {
                                last
                            }
                        }),
                    );
                    let times = if accepted || first == 0 { 1 } else { 4 - first };
                    (0..times).for_each(|_| more.iter().for_each(|draw| stream.push(*draw, 64)));
                    if !accepted && first > 0 {
                        round(&mut stream, [sure; 4]);
                    }
                    let single = rounder.round(call, &mut stream);
                    assert_eq!((single, stream.1), (-2 + if accepted { z } else { 0 }, stream.0.len()), "{range:?}");
                }

                // In a pass of 40 calls, at every third of their places; the others are sure. Those that are rejected take one
                // more pass, or are drawn one by one.
                for place in (0..40).step_by(3) {
                    let mut stream = Records(Vec::new(), 0);
                    (0..40).for_each(|i| stream.push(if i == place || i == 39 { word(rest) } else { sure }, 64));
                    (0..40).for_each(|_| stream.push(0, if k > 0 { 32 } else { 0 }));
                    let times = if place == 39 { 1 } else { 2 };
                    (0..times).for_each(|_| more.iter().for_each(|draw| stream.push(*draw, 64)));
                    if !accepted {
                        (0..times).for_each(|_| round(&mut stream, [sure; 4]));
                    }
                    for backend in Backend::available() {
                        let (mut out, mut stream) = ([9; 40], stream.clone());
                        rounder.round_batch_by(backend, &[call; 40], &mut stream, &mut out);
                        let is = |i: usize| -2 + if accepted && (i == place || i == 39) { z } else { 0 };
                        assert!((0..40).all(|i| out[i] == is(i)), "{range:?}, {backend}: {out:?}");
                        assert_eq!(stream.1, stream.0.len(), "{range:?}, {backend}");
                    }
                }
            }
        }
        assert!(compared >= 4, "{range:?}");
    }
}

#[test]
fn declarations() {
    assert_eq!(StripRounder::TIMING, Timing::Isochronous);
    for (range, sigma, bits) in
        [(FALCON, "1.4", 64.0), (["1", "2"], "1", 64.0), (["3.4", "5"], "5", 96.0), (["1000", "1000"], "1000", 96.0)]
    {
        let rounder = rounder(range);
        assert!(bound_of(&rounder).log2_tail < -50.0);
        let calls = vec![(fixed("1/3"), width(&rounder, sigma)); 400_000];
        let (mut source, mut out) = (Counted::new(reader(7)), vec![0; calls.len()]);
        rounder.round_batch(&calls, &mut source, &mut out);
        let trials = source.count() as f64 / bits / calls.len() as f64;
        assert!((trials / rounder.expected_trials() - 1.0).abs() < 0.01, "{range:?}: {trials}");
        let mut source = Counted::new(reader(8));
        calls[..100_000].iter().for_each(|call| assert!(rounder.round(*call, &mut source).abs() < 20_000));
        let rounds = source.count() as f64 / (4.0 * bits) / 1e5;
        let expected = 1.0 / (1.0 - (1.0 - 1.0 / rounder.expected_trials()).powi(4));
        assert!((rounds / expected - 1.0).abs() < 0.005, "{range:?}: {rounds}");
    }
}

/// A range of widths, and laws in it.
type Laws = ([&'static str; 2], [(&'static str, &'static str); 3]);

/// Batches and single calls, each centre by its own law.
#[test]
fn statistics() {
    let ranges: [Laws; 4] = [
        (FALCON, [("1.3", "0.1"), ("1.8205", "-1/3"), ("1.5", "1000")]),
        (["2", "4"], [("2", "1/2"), ("4", "-91.9"), ("3.2", "0")]),
        (["120", "215"], [("120", "1/3"), ("215", "0"), ("200", "-7/9")]),
        (["5e7", "67108864"], [("5e7", "123456789.01"), ("67108864", "0"), ("6e7", "1/7")]),
    ];
    for (range, laws) in ranges {
        let rounder = rounder(range);
        let mut verifiers = laws.map(|(sigma, center)| Verifier::new(&law(sigma, center)).unwrap());
        let mut bits = reader(29);
        for length in [1, 7, 256, 257, 3000, 60_000, 2_000_000] {
            let calls: Vec<_> = laws.map(|(sigma, center)| (fixed(center), width(&rounder, sigma))).into();
            let calls: Vec<_> = calls.into_iter().cycle().take(length).collect();
            let mut out = vec![0; length];
            if length == 60_000 {
                rounder.round_all(&calls, &mut bits, &mut out);
            } else {
                rounder.round_batch(&calls, &mut bits, &mut out);
            }
            for (i, verifier) in verifiers.iter_mut().enumerate() {
                verifier.push(&out.iter().copied().skip(i).step_by(3).collect::<Vec<_>>());
            }
        }
        for ((sigma, center), verifier) in laws.iter().zip(verifiers) {
            let report = verifier.finish().unwrap();
            assert!(report.consistent, "{sigma}, {center}: {report:?}");
        }
    }
}
