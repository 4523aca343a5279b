//! `FilteredIsochronous` and `StripRounder` with `ExactHeights`: no trial that the kernel decides is against the exact probability,
//! and samples have the law.

use crate::common::{rejecting, verify};
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::{CloseTrial, FilteredIsochronous, Isochronous, Refine, StripRounder, StripWidth};
use samplez_core::{DiscreteGaussian, FixedPoint, Rational, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{ExactHeights, build_isochronous};
use std::cell::Cell;
use std::rc::Rc;

/// Keeps the last close trial, and accepts it.
struct Recorder(Rc<Cell<Option<CloseTrial>>>);

impl Refine for Recorder {
    fn accepts<B: BitSource + ?Sized>(&self, trial: &CloseTrial, _: &mut B) -> bool {
        self.0.set(Some(*trial));
        true
    }
}

/// Known words.
struct Known<'a>(&'a [(u64, u32)], usize);

impl BitSource for Known<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        let (value, wanted) = self.0[self.1];
        assert_eq!(n, wanted);
        self.1 += 1;
        value
    }
}

fn laws() -> Vec<DiscreteGaussian> {
    type Form = fn(Rational) -> Width;
    let forms: [(Form, &[&str]); 4] = [
        (
            Width::Sigma,
            &[
                "1", "1.0001", "1.3", "2", "3.2", "3.4", "7/3", "19.5", "54.4", "215", "217.7", "1000", "1.6e5",
                "67108864",
            ],
        ),
        (Width::SigmaSq, &["9223372036854775807/9223372036854775806", "2", "11.57", "46000", "121/4", "4e15"]),
        (Width::KSigma2, &["8923908350191153799/7579269905589636629", "10/3", "254", "7e7"]),
        (Width::S, &["2267323898045546789/904531366294955884", "8.35", "540", "2097152", "1.6e8"]),
    ];
    // The last two are nearest to integers that 64 bits do not tell from them.
    let centers =
        ["0", "1/3", "-1/2", "123456789012/7", "1/9223372036854775807", "9223372036854775806/9223372036854775807"];
    let widths = forms.into_iter().flat_map(|(form, texts)| texts.iter().map(move |text| form(text.parse().unwrap())));
    widths
        .flat_map(|width| centers.map(|center| DiscreteGaussian::new(center.parse().unwrap(), width).unwrap()))
        .collect()
}

/// For every law, all strips, both sides and many u: the goal, and its trial as it comes to a `Refine`.
fn close_trials(law: &DiscreteGaussian, seed: u8) -> Vec<(u64, CloseTrial)> {
    let sampler = Isochronous::new(law).unwrap();
    let seen = Rc::new(Cell::new(None));
    let recording = FilteredIsochronous::new(law, Recorder(Rc::clone(&seen))).unwrap();
    let (k, count, at) = sampler.shape();
    let inner = if at == 0 { k } else { 0 };
    let low_bits = if at == 0 { 0 } else { k.next_multiple_of(16) };
    let mut random = BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])));
    let mut us = vec![0, (1 << k) - 1];
    us.extend((0..if k < 3 { 1 << k } else { 8 }).map(|i| if k < 3 { i } else { random.bits(k) }));
    let mut found = Vec::new();
    // Where the strips begin: the last is the lowest.
    let mut ends = vec![u64::MAX; count as usize];
    for h in (0..1 << 16).rev() {
        let (value, rest, ..) = sampler.trial(h << 48, 0);
        if rest == 0 {
            ends[(value.unsigned_abs() >> k) as usize] = h;
        }
    }
    for (end, u, upper) in ends.iter().flat_map(|end| us.iter().flat_map(move |u| [(end, u, 0), (end, u, 1)])) {
        let word = end << 48 | upper << inner | if at == 0 { *u } else { 0 };
        let (_, rest, goal, _) = sampler.trial(word, *u);
        assert_eq!(rest, 0);
        let record = [(word + (goal << (inner + 1)), 64), (*u, low_bits)];
        let value = recording.sample(&mut Known(&record[..if at == 0 { 1 } else { 2 }], 0));
        let trial = seen.take().unwrap();
        assert_eq!((trial.value, trial.prefix, (trial.estimate >> 64) as u64), (value, goal, goal));
        assert_eq!(trial.places, 63 - inner);
        found.push((goal, trial));
    }
    found
}

/// Numbers beyond the margin ⌊goal/2^52⌋ + 1 are on the exact probability's side too, and need no bits. With a margin of
/// 2^-56 many are not: the test would see a goal that is too far.
#[test]
fn margins_hold_the_exact_probability() {
    let mut against = [0; 2];
    for (i, law) in laws().iter().enumerate() {
        let heights = ExactHeights::new(law);
        for (goal, trial) in close_trials(law, i as u8) {
            for (against, shift) in against.iter_mut().zip([52, 56]) {
                let margin = (goal >> shift) + 1;
                for (prefix, wanted) in [(goal.checked_sub(margin + 1), true), (Some(goal + margin + 1), false)] {
                    let Some(prefix) = prefix else { continue };
                    let mut asked = Asked(0);
                    let accepted = heights.accepts(&CloseTrial { prefix, ..trial }, &mut asked);
                    *against += u32::from(accepted != wanted || asked.0 > 0);
                }
            }
        }
    }
    assert_eq!(against[0], 0);
    assert!(against[1] > 10, "{against:?}");
}

/// Counts the words that are drawn.
struct Asked(u32);

impl BitSource for Asked {
    fn bits(&mut self, _: u32) -> u64 {
        self.0 += 1;
        1 << 63
    }
}

#[test]
fn statistics() {
    let law = |center: &str, width| DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
    for law in [
        law("1/3", Width::Sigma("3.2".parse().unwrap())),
        law("-5/7", Width::S("835".parse().unwrap())),
        law("0", Width::KSigma2(254.into())),
    ] {
        let mut samples = vec![0_i64; 1_000_000];
        let sampler = build_isochronous(&law).unwrap();
        sampler.fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([13; 32]))), &mut samples).unwrap();
        let report = verify(&law, &samples);
        assert!(report.consistent, "{law}: {:?}", rejecting(&report));
        assert!(samples.iter().all(|x| sampler.profile().support.contains(x)));
    }
}

const RANGES: [[&str; 2]; 9] = [
    ["1.2778336969128337", "1.8205"],
    ["1", "1"],
    ["1", "2"],
    ["1.7", "3.4"],
    ["1.70005", "3.4001"],
    ["3.4", "6.8"],
    ["108.8", "217.6"],
    ["1e5", "2e5"],
    ["33554432", "67108864"],
];

/// Near integers on either side, with bits far below 2^-64, and any.
const CENTERS: [f64; 10] = [
    0.0,
    1e-300,
    -1e-300,
    1.2345678901234567e-10,
    5e-324,
    0.1 + 0.2,
    -91.90471153063714,
    2251799813685248.5,
    2305843009213693952.0,
    -1e-18,
];

/// For a call, all strips but the last, both sides and many u: the goal, and its trial as it comes to a `Refine`.
fn close_calls(rounder: &StripRounder, width: StripWidth, center: f64, seed: u8) -> Vec<(u64, CloseTrial)> {
    let (k, count) = rounder.shape();
    let fixed = FixedPoint::from_f64(center).unwrap();
    let mut random = BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])));
    let mut us = vec![0, (1 << k) - 1];
    us.extend((0..3).filter(|_| k > 1).map(|_| random.bits(k)));
    // Where the strips begin: the last is the lowest.
    let mut ends = vec![u64::MAX; count as usize];
    for h in (0..1 << 16).rev() {
        let (value, rest, ..) = rounder.trial(width, 0, h << 48, 0);
        if rest == 0 {
            ends[(value.unsigned_abs() >> k) as usize] = h;
        }
    }
    let ends = &ends[..ends.len() - 1];
    let mut found = Vec::new();
    for (end, u, upper) in ends.iter().flat_map(|end| us.iter().flat_map(move |u| [(end, u, 0), (end, u, 1)])) {
        let word = end << 48 | upper;
        let (z, rest, goal, _) = rounder.trial(width, fixed.fraction(), word, *u);
        assert_eq!(rest, 0);
        let mut record = vec![(word + (goal << 1), 64), (u64::MAX, 64), (u64::MAX, 64), (u64::MAX, 64)];
        record.extend(if k > 0 { vec![(u | u << 32, 64); 2] } else { vec![] });
        let seen = Rc::new(Cell::new(None));
        let value = rounder.round_refined((fixed, width), || Recorder(Rc::clone(&seen)), &mut Known(&record, 0));
        let trial = seen.take().unwrap();
        assert_eq!((trial.value, trial.prefix, (trial.estimate >> 64) as u64), (value, goal, goal));
        assert_eq!((value, trial.places), (fixed.floor() + z, 63));
        found.push((goal, trial));
    }
    found
}

/// Numbers beyond the margin ⌊goal/2^51⌋ + 1 are on the side of the exact probability too, for the centre itself, and need no bits. With a
/// margin of 2^-55 many are not.
#[test]
fn margins_of_calls_hold_the_exact_probability() {
    let (mut against, mut count) = ([0; 2], 0);
    for [min, max] in RANGES {
        let rounder = StripRounder::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
        for (k, sigma) in [min, max].into_iter().enumerate() {
            let sigma: Rational = sigma.parse().unwrap();
            let width = rounder.width(sigma).unwrap();
            // Every second centre for either width.
            for (i, center) in CENTERS.into_iter().enumerate().skip(k).step_by(2) {
                let heights = ExactHeights::with_f64_center(sigma, center).unwrap();
                for (goal, trial) in close_calls(&rounder, width, center, i as u8) {
                    for (against, shift) in against.iter_mut().zip([51, 55]) {
                        let margin = (goal >> shift) + 1;
                        for (prefix, wanted) in [(goal.checked_sub(margin + 1), true), (Some(goal + margin + 1), false)]
                        {
                            let Some(prefix) = prefix else { continue };
                            let mut asked = Asked(0);
                            let accepted = heights.accepts(&CloseTrial { prefix, ..trial }, &mut asked);
                            *against += u32::from(accepted != wanted || asked.0 > 0);
                            count += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(against[0], 0);
    assert!(against[1] > 10 && count > 5_000, "{against:?} of {count}");
}

/// If each trial were close, all verdicts would be the same: the exact comparison of random trials is that of the kernel.
#[test]
fn exact_verdicts_are_those_of_the_kernel() {
    let mut random = BitReader::new(ChaCha20::new(&Seed::from_bytes([9; 32])));
    for [min, max] in RANGES {
        let rounder = StripRounder::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
        let sigma: Rational = max.parse().unwrap();
        let width = rounder.width(sigma).unwrap();
        let mut counts = [0; 2];
        for center in CENTERS {
            let fixed = FixedPoint::from_f64(center).unwrap();
            let heights = ExactHeights::with_f64_center(sigma, center).unwrap();
            let (_, like) = close_calls(&rounder, width, center, 1)[0];
            for _ in 0..200 {
                let (word, low) = (random.bits(64), random.bits(32));
                let (z, prefix, goal, _) = rounder.trial(width, fixed.fraction(), word, low);
                let trial = CloseTrial { value: fixed.floor() + z, prefix, ..like };
                let mut asked = Asked(0);
                assert_eq!(heights.accepts(&trial, &mut asked), prefix < goal, "{min}, {center}, {word:x}");
                assert_eq!(asked.0, 0);
                counts[usize::from(prefix < goal)] += 1;
            }
        }
        assert!(counts.iter().all(|count| *count > 300), "{min}: {counts:?}");
    }
}

#[test]
fn statistics_of_calls() {
    let mut reader = BitReader::new(ChaCha20::new(&Seed::from_bytes([17; 32])));
    for ([min, max], center, rational) in
        [(RANGES[0], 0.75, "3/4"), (RANGES[2], 1e-300, "0"), (RANGES[6], -7.375, "-59/8")]
    {
        let rounder = StripRounder::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
        for sigma in [min, max] {
            let sigma: Rational = sigma.parse().unwrap();
            let call = (FixedPoint::from_f64(center).unwrap(), rounder.width(sigma).unwrap());
            let law = DiscreteGaussian::new(rational.parse().unwrap(), Width::Sigma(sigma)).unwrap();
            let refine = || ExactHeights::with_f64_center(sigma, center).unwrap();
            let mut samples = vec![0; 400_000];
            let (batch, single) = samples.split_at_mut(300_000);
            rounder.round_batch_refined(&vec![call; 300_000], |_| refine(), &mut reader, batch);
            single.iter_mut().for_each(|x| *x = rounder.round_refined(call, refine, &mut reader));
            let report = verify(&law, &samples);
            assert!(report.consistent, "{law}: {:?}", rejecting(&report));
        }
    }
}
