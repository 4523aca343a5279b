use super::*;
use crate::bits::BitReader;
use crate::fixtures::{Tape, reader};
use crate::samplers::StripRounder;
use crate::samplers::strip_rounder::tests::steps::margin;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::vec;
use std::vec::Vec;

fn rounder(min: &str, max: &str) -> StripRounder {
    StripRounder::new(min.parse().unwrap(), max.parse().unwrap()).unwrap()
}

/// Keeps the trials, and accepts those for which a list has this place.
struct Recorder<'a>(&'a RefCell<Vec<(usize, CloseTrial)>>, usize, bool);

impl Refine for Recorder<'_> {
    fn accepts<B: BitSource + ?Sized>(&self, trial: &CloseTrial, bits: &mut B) -> bool {
        bits.bits(64);
        self.0.borrow_mut().push((self.1, *trial));
        self.2
    }
}

/// Words for trials of the last strip with v = 0 and the other one, on both sides, and what the `Refine` gets of them. Beyond the strips
/// the value follows from the zeros, and 64 more of them and the strips' zeros are known of the number.
#[test]
fn the_last_strip_stands_for_all_beyond() {
    for (min, max) in [("1.2778336969128337", "1.8205"), ("1", "2"), ("19.5", "19.5"), ("1e5", "2e5")] {
        let rounder = rounder(min, max);
        let (k, count) = rounder.shape();
        let width = rounder.width(max.parse().unwrap()).unwrap();
        let center = FixedPoint::from_parts(-7, u64::MAX / 3).unwrap();
        let u = (1_u64 << k) / 3;
        for (zeros, is_taken) in [(0_u32, true), (3, true), (70, true), (0, false), (200, false)] {
            for upper in [0, 1_u64] {
                let seen = RefCell::new(Vec::new());
                let mut words = vec![(upper, 64), (!0, 64), (!0, 64), (!0, 64)];
                words.extend(if k > 0 { vec![(u, 32); 4] } else { vec![] });
                words.extend((0..zeros / 64).map(|_| (0, 64)));
                words.push((u64::MAX >> (zeros % 64), 64));
                words.push((5, 64));
                let mut tape = Tape::before(&words, 1);
                let z = rounder.round_refined((center, width), || Recorder(&seen, 9, is_taken), &mut tape);
                let taken: usize = words.iter().map(|(_, bits)| *bits as usize).sum();
                let x = (((count - 1 + u64::from(zeros)) << k) + u) as i64;
                let value = -7 + if upper == 1 { x + 1 } else { -x };
                let seen = seen.into_inner();
                let (call, trial) = &seen[0];
                assert_eq!((*call, trial.value, trial.prefix, trial.places), (9, value, 0, 64 + zeros), "{min}");
                assert_eq!((trial.height, trial.lift, trial.estimate), (rounder.height, width.lift - (1 << 55), 0));
                assert_eq!((z == value, tape.read == taken), (is_taken, is_taken), "{min}, {zeros}, {upper}");
            }
        }
        // The next v is rejected without further bits, and so are the other words.
        let mut words = vec![(2, 64), (!0, 64), (!0, 64), (!0, 64)];
        words.extend(if k > 0 { vec![(u, 32); 4] } else { vec![] });
        let count = words.iter().map(|(_, bits)| *bits as usize).sum();
        let (mut tape, seen) = (Tape::before(&words, 1), RefCell::new(Vec::new()));
        rounder.round_refined((center, width), || Recorder(&seen, 0, true), &mut tape);
        assert!(seen.into_inner().is_empty() && tape.read > count);
    }
}

/// The weight of the last strip is 1 of 2^16: its v is 0 if the leading 63 bits of a word are.
#[test]
fn the_last_strip_has_one_word_part() {
    for (min, max) in
        [("1", "1"), ("1", "2"), ("1.7", "3.4"), ("1.70005", "3.4001"), ("3.4", "6.8"), ("33554432", "67108864")]
    {
        let rounder = rounder(min, max);
        let strip = |h| rounder.envelope.strip(h);
        assert_eq!((strip(0), strip(1).0), ((rounder.count - 1, 0), rounder.count - 2), "{min}");
    }
}

/// Close trials of a batch come to the `Refine` of their call with all that it needs, in their order. What it accepts is the sample.
#[test]
fn batches_settle_each_call() {
    for (min, max) in [("1.2778336969128337", "1.8205"), ("1e5", "2e5")] {
        let rounder = rounder(min, max);
        let (k, count) = rounder.shape();
        let widths = rounder.widths([min, max].map(|sigma| sigma.parse().unwrap())).unwrap();
        let center = |i: usize| FixedPoint::from_parts(i as i64 * 1000, (i as u64) << 55).unwrap();
        let calls: Vec<_> = (0..300).map(|i| (center(i), widths[i % 2])).collect();
        let first = u64::from(rounder.envelope.keys[0] + rounder.envelope.ones) << 48;
        // Of the first pass: at either end of the margin, beyond the strips, and above the goal.
        let places = [3_usize, 4, 40, 255];
        let mut words: Vec<(u64, u32)> = (0..256).map(|_| (!0, 64)).collect();
        let goal = |i: usize| rounder.trial(calls[i].1, calls[i].0.fraction(), first, 0).2;
        let ends = [goal(3) - margin(goal(3)), goal(4) + margin(goal(4))];
        words[3].0 = first + (ends[0] << 1);
        words[4].0 = first + (ends[1] << 1);
        words[40].0 = 1;
        words[255].0 = 0;
        let lows = if k > 0 { vec![(0, 32); 256] } else { vec![] };
        // A word for each comparison, and before it one for the zeros.
        let more = [1, 2, u64::MAX >> 5, 3, u64::MAX >> 40, 4].map(|word| (word, 64));
        let tape = Tape::before(&[words, lows, more.to_vec()].concat(), 3);
        for accepted in [&places[..], &[3, 255], &[40], &[]] {
            let (seen, mut bits, mut out) = (RefCell::new(Vec::new()), tape.clone(), vec![0; 300]);
            let refine = |i| Recorder(&seen, i, accepted.contains(&i));
            rounder.round_batch_refined(&calls, refine, &mut bits, &mut out);
            let seen = seen.into_inner();
            let far = |zeros: u64| ((count - 1 + zeros) << k) as i64;
            let wanted = [
                (3, 3000, ends[0], 63),
                (4, 4000, ends[1], 63),
                (40, 40_001 + far(5), 0, 69),
                (255, 255_000 - far(40), 0, 104),
            ];
            assert!(seen.len() >= 4);
            for ((call, trial), (i, value, prefix, known)) in seen.iter().zip(wanted) {
                assert_eq!((*call, trial.value, trial.prefix, trial.places), (i, value, prefix, known));
                assert_eq!(trial.lift, calls[i].1.lift - (1 << 55));
                assert!(!accepted.contains(&i) || out[i] == value, "{i}: {}", out[i]);
            }
        }
    }
}

/// A zeros' number by its leading zeros, over words.
#[test]
fn zeros_are_geometric() {
    let of = |words: &[u64]| {
        let words: Vec<(u64, u32)> = words.iter().map(|word| (*word, 64)).collect();
        let mut tape = Tape::before(&words, 1);
        (zeros(&mut tape), tape.read)
    };
    assert_eq!([of(&[1 << 63]), of(&[1]), of(&[0, 3 << 61])], [(0, 64), (63, 64), (65, 128)]);
    let mut counts = [0; 4];
    let mut bits: BitReader<_> = reader(8);
    (0..64_000).for_each(|_| counts[(zeros(&mut bits) as usize).min(3)] += 1);
    for (count, mean) in counts.into_iter().zip([32_000_i32, 16_000, 8_000, 8_000]) {
        assert!((count - mean).abs() < 600, "{counts:?}");
    }
    assert!(counts.iter().collect::<BTreeSet<_>>().len() > 2);
}
