use super::*;
use crate::arch::isochronous::{BLOCK, Call, CallTrials, Compaction, Trial};
use crate::fixtures::{Tape, reader, words};
use crate::samplers::common::fixed_exp::exp_neg;
use std::string::ToString;
use std::vec::Vec;

pub(super) mod steps;

/// Falcon's range, and others: at the ends of what is allowed, and of K.
const RANGES: [[&str; 2]; 14] = [
    ["1.2778336969128337", "1.8205"],
    ["1.2", "1.8205"],
    ["1", "1"],
    ["1", "2"],
    ["1.7", "3.4"],
    ["1.70005", "3.4001"],
    ["3.4", "6.8"],
    ["19.5", "19.5"],
    ["108.8", "217.6"],
    ["800", "1000"],
    ["111411.25", "222822.5"],
    ["1e5", "2e5"],
    ["33554432", "67108864"],
    ["67108864", "67108864"],
];

fn rational(text: &str) -> Rational {
    text.parse().unwrap()
}

fn rounder([min, max]: [&str; 2]) -> StripRounder {
    StripRounder::new(rational(min), rational(max)).unwrap()
}

/// The ends of the range, and a σ in the middle.
fn widths(rounder: &StripRounder) -> [Rational; 3] {
    let (min, max) = (rounder.sigma_min, rounder.sigma_max);
    let middle = Rational::try_from((min.to_f64() * max.to_f64()).sqrt()).unwrap();
    let middle = if at_most(min, 1, middle) && at_most(middle, 1, max) { middle } else { max };
    [min, middle, max]
}

const FRACTIONS: [u64; 8] = [0, 1, 2, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, u64::MAX / 3];

#[test]
fn on_every_backend_a_trial_is_the_specification() {
    const BLOCKS: usize = 100;
    for range in RANGES {
        let rounder = rounder(range);
        let calls: Vec<Call> = widths(&rounder)
            .into_iter()
            .flat_map(|sigma| FRACTIONS.map(|fraction| rounder.width(sigma).unwrap().call(fraction)))
            .collect();
        let field = |field: fn(&Call) -> u64| -> Vec<[u64; BLOCK]> {
            (0..BLOCKS).map(|b| core::array::from_fn(|i| field(&calls[(b * BLOCK + i) / 5 % calls.len()]))).collect()
        };
        let (fractions, squares) = (field(|call| call.fraction), field(|call| call.square));
        let lifts = field(|call| call.lift);
        let words = words(2 * BLOCKS, &rounder.envelope);
        let (words, lows) = words.split_at(BLOCKS);
        let mut equals = 0;
        for backend in Backend::available() {
            let mut values = std::vec![[0; BLOCK]; BLOCKS];
            let (mut below, mut close) = ([0; BLOCKS], [0; BLOCKS]);
            CallTrials {
                envelope: &rounder.envelope,
                words,
                lows: if rounder.envelope.shift == 0 { &[] } else { lows },
                fractions: &fractions,
                squares: &squares,
                lifts: &lifts,
                values: &mut values,
                below: &mut below,
                close: &mut close,
            }
            .run(backend);
            for (b, i) in (0..BLOCKS).flat_map(|b| (0..BLOCK).map(move |i| (b, i))) {
                let call = Call { fraction: fractions[b][i], square: squares[b][i], lift: lifts[b][i] };
                let trial = rounder.envelope.trial(&call, words[b][i], lows[b][i]);
                let is = (values[b][i], below[b] >> i & 1 != 0, close[b] >> i & 1 != 0);
                let is_close = trial.rest.abs_diff(trial.goal) <= steps::margin(trial.goal);
                let want = (trial.value, trial.rest < trial.goal && !is_close, is_close);
                assert_eq!(is, want, "{range:?}, {:x}, {backend}", words[b][i]);
                equals += usize::from(want.2);
            }
        }
        assert!(equals > 0 || rounder.envelope.shift > 0, "{range:?}: no trial at its goal");
    }
}

#[test]
fn a_search_is_the_specification() {
    for range in RANGES {
        let StripRounder { envelope, search, .. } = rounder(range);
        assert!((0..1 << 16).all(|h| search.strip(h) == envelope.strip(h)), "{range:?}");
    }
}

/// Calls of a range, with fractions of every kind.
fn calls(rounder: &StripRounder) -> Vec<(FixedPoint, StripWidth)> {
    let widths = widths(rounder).map(|sigma| rounder.width(sigma).unwrap());
    let center = |i: usize| FixedPoint::from_parts(i as i64 - 9, FRACTIONS[i % FRACTIONS.len()]).unwrap();
    (0..24).map(|i| (center(i), widths[i % 3])).collect()
}

#[test]
fn on_every_backend_a_round_is_its_trials() {
    for range in RANGES {
        let StripRounder { envelope, search, .. } = &rounder(range);
        let words = words(300, envelope);
        let (words, _) = words.as_flattened().as_chunks::<ROUND>();
        for ((words, others), (center, width)) in
            words.iter().zip(words.iter().rev()).zip(calls(&rounder(range)).into_iter().cycle())
        {
            let (call, lows) = (width.call(center.fraction()), &[others[1], others[3]]);
            let round = Round { envelope, search, call: &call, words, lows };
            let low = [others[1] & 0xffff_ffff, others[1] >> 32, others[3] & 0xffff_ffff, others[3] >> 32];
            let trials: [Trial; ROUND] = core::array::from_fn(|i| envelope.trial(&call, words[i], low[i]));
            let same = |a: &Trial, b: &Trial| (a.value, a.rest, a.goal, a.next) == (b.value, b.rest, b.goal, b.next);
            assert!((0..ROUND).all(|i| same(&round.trial(i), &trials[i])), "{range:?}");
            let is_close = |trial: &Trial| trial.rest.abs_diff(trial.goal) <= steps::margin(trial.goal);
            let first = trials.iter().position(|trial| trial.rest < trial.goal || is_close(trial));
            let bit = first.map_or(0, |i| 1 << i);
            let close = if first.is_some_and(|i| is_close(&trials[i])) { bit } else { 0 };
            for backend in Backend::available() {
                let mut values = [7; ROUND];
                let places = round.run(backend, &mut values);
                assert_eq!(places.is_some(), steps::has_rounds(backend));
                let is = values.map(|value| value as i32);
                assert!(places.is_none_or(|places| places == (bit, close)), "{range:?}, {words:x?}, {backend}");
                assert!(places.is_none() || is == trials.map(|trial| trial.value), "{range:?}, {backend}");
            }
        }
    }
}

/// Single calls are the steps of their documentation, on every backend: the samples, the bits taken, and the public outcomes.
#[test]
fn calls_are_their_steps() {
    for range in RANGES {
        let rounder = rounder(range);
        for backend in Backend::available() {
            let (mut steps, mut bits) = (Tape::before(&[], 3), Tape::before(&[], 3));
            for call in calls(&rounder).into_iter().cycle().take(500) {
                let want = steps::round(&rounder, backend, call, &mut steps);
                assert_eq!(rounder.round_on(backend, call, &mut bits), want, "{range:?}, {backend}");
            }
            assert_eq!((bits.read, bits.outcomes), (steps.read, steps.outcomes), "{range:?}, {backend}");
        }
    }
}

/// A kind of trial.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Below,
    Above,
    /// At its goal, and the 64 more bits below or not.
    At(bool),
}

/// Every round of four trials of four kinds, trial i in strip i so that its value is its own. The trials are judged in
/// order. Each that is reached at its goal takes 64 bits, behind the words of the round. Another round follows one without an
/// accepted trial.
#[test]
fn the_first_accepted_trial_counts() {
    const KINDS: [Kind; 4] = [Kind::Below, Kind::Above, Kind::At(true), Kind::At(false)];
    for range in [RANGES[0], RANGES[6], RANGES[11]] {
        let rounder = rounder(range);
        let Envelope { keys, ones, shift, .. } = rounder.envelope;
        let lowest = |i: usize| u64::from(keys[i] + ones) << 48 | (i as u64 & 1);
        // 64 more bits accept and reject.
        let is_fit = |(center, width): &(FixedPoint, StripWidth)| {
            (0..ROUND).all(|i| rounder.trial(*width, center.fraction(), lowest(i), 0).3 > 0)
        };
        let (mut any, width) = (reader(3), rounder.width(rounder.sigma_max).unwrap());
        let call = || (FixedPoint::from_parts(5, any.bits(64)).unwrap(), width);
        let (center, width) = core::iter::repeat_with(call).find(is_fit).unwrap();
        for pattern in 0..256 {
            let kinds: [Kind; 4] = core::array::from_fn(|i| KINDS[pattern >> (2 * i) & 3]);
            let (mut words, mut more, mut sample) = (Vec::new(), Vec::new(), None);
            for (i, kind) in kinds.into_iter().enumerate() {
                let end = lowest(i);
                let (z, rest, goal, next) = rounder.trial(width, center.fraction(), end, 0);
                assert!(rest == 0 && goal > 0, "{range:?}");
                let far = steps::margin(goal) + 1;
                let rest = match kind {
                    Kind::Below => goal - far,
                    Kind::Above => goal + far,
                    Kind::At(_) => goal,
                };
                words.push((end + (rest << 1), 64));
                if sample.is_none() {
                    if let Kind::At(is_below) = kind {
                        more.push((next - u64::from(is_below), 64));
                    }
                    if matches!(kind, Kind::Below | Kind::At(true)) {
                        sample = Some(center.floor() + z);
                    }
                }
            }
            words.extend([(0, 32); 4].into_iter().take(if shift > 0 { 4 } else { 0 }));
            let taken: usize = words.iter().chain(&more).map(|(_, n)| *n as usize).sum();
            let tape = Tape::before(&[words, more].concat(), 11);
            for backend in Backend::available() {
                let (mut bits, mut steps) = (tape.clone(), tape.clone());
                let z = rounder.round_on(backend, (center, width), &mut bits);
                assert_eq!(z, steps::round(&rounder, backend, (center, width), &mut steps), "{kinds:?}, {backend}");
                assert_eq!((bits.read, &bits.outcomes), (steps.read, &steps.outcomes), "{kinds:?}, {backend}");
                match sample {
                    Some(sample) => assert_eq!((z, bits.read), (sample, taken), "{kinds:?}, {backend}"),
                    None => assert!(bits.read >= taken + if shift > 0 { 384 } else { 256 }, "{kinds:?}, {backend}"),
                }
            }
        }
    }
}

#[test]
fn what_is_kept_is_brought_together() {
    let mut bits = reader(9);
    for blocks in 0..10 {
        let array = |k: u64| -> Vec<[u64; BLOCK]> {
            (0..blocks).map(|b| core::array::from_fn(|i| k << 32 | (b * BLOCK + i) as u64)).collect()
        };
        let mut kept: Vec<u32> = (0..blocks).map(|_| bits.bits(32) as u32 & bits.bits(32) as u32).collect();
        kept.iter_mut().zip([0, u32::MAX, 1, 1 << 31]).skip(blocks % 3).for_each(|(mask, edge)| *mask = edge);
        let is_set = |word: &u64| kept[*word as u32 as usize / BLOCK] >> (word % BLOCK as u64) & 1 != 0;
        let all = [1, 2, 3, 4].map(array);
        for backend in Backend::available() {
            let mut arrays = all.clone();
            let made = Compaction { arrays: arrays.each_mut().map(|array| &mut array[..]), kept: &kept }.run(backend);
            for (array, before) in arrays.iter().zip(&all) {
                let want: Vec<u64> = before.as_flattened().iter().copied().filter(is_set).collect();
                assert_eq!(array.as_flattened()[..made], want, "{backend}");
            }
        }
    }
}

/// E + 1 is at least 1 on both sides, however near the centre is: as printed, κz² - Bz + C with floors needs four units more
/// in C, or falls below 0 at f = 1 - 2^-64.
#[test]
fn exponents_are_never_below_one() {
    let mut below = 0;
    for range in RANGES {
        let rounder = rounder(range);
        for sigma in widths(&rounder) {
            let width = rounder.width(sigma).unwrap();
            assert!(width.square >> 63 == 0 && (1 << 55..=1 << 56).contains(&width.lift), "{range:?}");
            for fraction in FRACTIONS.into_iter().chain((0..64).map(|n| u64::MAX << n)) {
                for upper in [0, u64::MAX] {
                    let (goal, _) = rounder.envelope.goal(&width.call(fraction), 0, upper);
                    assert!(
                        goal <= rounder.envelope.heights[0] && goal > rounder.envelope.heights[0] >> 3,
                        "{range:?}"
                    );
                }
                // In units of 2^-56, z = 1, K = 1.
                let (square, f) = (u128::from(width.square >> 7), u128::from(fraction));
                let (tilt, level) = ((2 * square * f) >> 64, (((square * f) >> 64) * f) >> 64);
                below += usize::from(square + level < tilt);
            }
        }
    }
    assert!(below > 0, "the printed form has no fault");
}

/// S·σ_min/σ·exp(-E) against the exponential with 60 bits of `common/fixed_exp.rs`, which has its own test, and E
/// from 128-bit integers: within 2^-51.
#[test]
fn the_goal_is_the_law() {
    let mut worst = 0.0_f64;
    for range in RANGES {
        let rounder = rounder(range);
        let (k, count) = rounder.shape();
        for (sigma, fraction) in widths(&rounder).into_iter().flat_map(|sigma| FRACTIONS.map(|f| (sigma, f))) {
            let width = rounder.width(sigma).unwrap();
            // 1/σ in units of 2^-100, and σ_min/σ in units of 2^-64.
            let (inverse, minimal) = (inverse(sigma), inverse(rounder.sigma_min));
            let lead = minimal.leading_zeros();
            let ratio = (inverse << lead) / (minimal << lead >> 64);
            let last = (1 << k) - 1;
            let places = (0..count).flat_map(|z0| [0, 1, last / 3, last].map(|u| (z0, u.min(last))));
            for ((z0, u), upper) in places.flat_map(|place| [(place, 0), (place, u64::MAX)]) {
                let x = z0 << k | u;
                let o = if upper == 0 { fraction.into() } else { (1 << 64) - u128::from(fraction) };
                let y = wide_ratio((u128::from(x) << 64) + o, inverse); // 2^-58
                // exp(-y²/2), y²/2 in units of 2^-116.
                let (m, s) = exp_neg((y * y) >> 1);
                let want = ((u128::from(m) * ratio) >> 64) * u128::from(rounder.height); // 2^-(95 + s)
                let (goal, next) = rounder.envelope.goal(&width.call(fraction), x, upper);
                let got = u128::from(goal) << 64 | u128::from(next);
                // Units of 2^-127: the same, and bits enough to compare.
                let shift = s as i32 - 32;
                let want = if shift >= 0 { want >> shift.min(127) } else { want << -shift };
                if want >> 64 > 0 {
                    let relative = got.abs_diff(want) as f64 / want as f64;
                    worst = worst.max(relative);
                    assert!(relative < 2f64.powi(-51), "{range:?}, {sigma}, {fraction}, {x}, {upper}: {relative}");
                }
            }
        }
    }
    assert!(worst > 2f64.powi(-56), "a test that measures nothing");
    /// 1/σ in units of 2^-100.
    fn inverse(sigma: Rational) -> u128 {
        let (num, den) = (sigma.num() as u128, u128::from(sigma.den()));
        (((den << 64) / num) << 36) + ((((den << 64) % num) << 36) / num)
    }
    /// distance·inverse in units of 2^-58, from units of 2^-64 and 2^-100.
    fn wide_ratio(distance: u128, inverse: u128) -> u128 {
        let (high, low) = (distance >> 32, distance & 0xffff_ffff);
        let (i_high, i_low) = (inverse >> 50, inverse & ((1 << 50) - 1));
        // 2^-106 = 2^-58·2^-48
        ((high * i_high) >> 24) + ((high * i_low) >> 74) + ((low * i_high) >> 56)
    }
}

/// The proof's sums, in its units of 2^-55, each rounded up to a power of 2; the tail's share is in all of them.
#[test]
fn the_bound_is_that_of_the_proof() {
    let (unit, tail) = ((-55_f64).exp2(), (-104_f64).exp2() + (-119_f64).exp2());
    let up = |x: f64| x.log2().ceil();
    let bound = Bound {
        log2_sd: up(3.3 * unit + tail),
        log2_renyi: [2, 256, 513].map(|a| (a, up(up(f64::from(a) / 2.0 * (3.4 * unit).powi(2)).exp2() + tail))),
        log2_rinf: up(13.7 * unit + tail),
        log2_tail: up(tail),
    };
    assert_eq!((BOUND, rounder(RANGES[0]).exactness()), (bound, Exactness::Within(bound)));
}

#[test]
fn parameters_are_refused_by_name() {
    let refused = |min: &str, max: &str| StripRounder::new(rational(min), rational(max)).unwrap_err().to_string();
    for min in ["0.999999999", "0", "-3", "67108864.5"] {
        let text = refused(min, "1.8");
        assert!(text.starts_with("sigma_min = ") && text.contains("1 <= sigma_min <= 2^26"), "{text}");
    }
    for (min, max) in [("1.3", "1.2"), ("1.3", "2.60001"), ("1", "0"), ("1", "-1"), ("5e7", "67108864.5")] {
        let text = refused(min, max);
        assert!(text.starts_with("sigma_max = ") && text.contains("2*sigma_min, at most 2^26"), "{text}");
    }
    let rounder = rounder(RANGES[0]);
    for sigma in ["1.2778336969128336", "1.82050001", "0", "-1.5", "9223372036854775807"] {
        let text = rounder.width(rational(sigma)).unwrap_err().to_string();
        assert!(text.contains("sigma_min <= sigma <= sigma_max"), "{text}");
    }
    assert!(rounder.width(rational("1.8205")).is_ok());
}

#[test]
fn widths_of_another_rounder_are_refused() {
    let falcon = rounder(RANGES[0]);
    let own = falcon.width(rational("1.5")).unwrap();
    let center = FixedPoint::from_f64(0.25).unwrap();
    assert_eq!(rounder(RANGES[0]).width(rational("1.5")).unwrap(), own, "another of the same range");
    assert!(rounder(RANGES[0]).round((center, own), &mut reader(1)).abs() < 30);
    for range in [RANGES[1], RANGES[3], ["1.2778336969128337", "1.8"]] {
        let other = rounder(range);
        let foreign = other.width(rational("1.5")).unwrap();
        let refused = |work: &mut dyn FnMut()| {
            let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_err();
            let text = panic.downcast_ref::<&str>().copied().unwrap_or_default();
            assert!(text.starts_with("width: expected one of this rounder"), "{text}");
        };
        refused(&mut || _ = falcon.round((center, foreign), &mut reader(1)));
        let mut calls = [(center, own); 300];
        calls[299].1 = foreign;
        refused(&mut || falcon.round_batch(&calls, &mut reader(1), &mut [0; 300]));
        refused(&mut || _ = other.round((center, own), &mut reader(1)));
    }
}

#[test]
fn widths_together_are_those_of_each() {
    for range in RANGES {
        let rounder = rounder(range);
        let [min, middle, max] = widths(&rounder);
        let sigmas = [min, max, middle, min];
        let each = sigmas.map(|sigma| rounder.width(sigma).unwrap());
        assert_eq!(rounder.widths(sigmas).unwrap(), each, "{range:?}");
        let error = rounder.widths([min, rational("0.5"), rational("0.25")]).unwrap_err();
        assert!(error.to_string().starts_with("sigma = 0.5: "), "{error}");
    }
}
