//! Batches against the steps of the module's documentation, one sample at a time in plain integers.

use super::*;
use crate::bits::BitReader;
use crate::fixtures::{Tape, reader, table};
use std::vec;
use std::vec::Vec;

type Lazy = CdtLazyCt<Vec<u32>, Vec<i8>>;

/// What the documentation of the table defines.
struct Model {
    folded: bool,
    first: i64,
    precision: u32,
    thresholds: Vec<u128>,
    /// D_0, D_1, …
    coarse: Vec<u128>,
    /// F_1, F_2, …
    fine: Vec<u128>,
    /// B-L+m.
    fine_bits: u32,
}

impl Model {
    fn new(shape: Shape, first: i64, precision: u32, thresholds: &[u128]) -> Self {
        let lead = if shape == Shape::Folded { 15 } else { 16 };
        let bits = precision.max(lead);
        let unit = 1_u128 << (bits - lead);
        let mut all: Vec<u128> = thresholds.iter().map(|t| t << (bits - precision)).collect();
        all.insert(0, 1 << bits);
        all.push(0);
        let mut cells: Vec<u128> = all.windows(2).map(|two| (two[0] - two[1]) / unit).collect();
        let total = |cells: &[u128]| cells.iter().sum::<u128>();
        let spare = (0..).find(|m| total(&cells) + (1 << m) >= 1 << lead).unwrap();
        // One by one, from the last index on.
        while total(&cells) > (1 << lead) - (1 << spare) {
            *cells.iter_mut().rev().find(|d| **d > 0).unwrap() -= 1;
        }
        let coarse: Vec<u128> = (0..cells.len()).map(|j| total(&cells[j..])).collect();
        let fine = (1..cells.len()).map(|j| all[j] - unit * coarse[j]).collect();
        let (folded, thresholds) = (shape == Shape::Folded, thresholds.to_vec());
        Model { folded, first, precision, thresholds, coarse, fine, fine_bits: bits - lead + spare }
    }

    fn digits(&self) -> usize {
        self.fine_bits.div_ceil(8).max(1) as usize
    }

    fn value(&self, index: usize, is_negative: bool) -> i64 {
        if self.folded && is_negative { self.first - index as i64 } else { self.first + index as i64 }
    }

    fn v(&self, draw: u16) -> u128 {
        u128::from(if self.folded { draw & 0x7fff } else { draw })
    }

    fn is_open(&self, draw: u16) -> bool {
        self.v(draw) >= self.coarse[0]
    }

    /// The samples of a batch of these draws, row by row, and these slots of whole digits, of which there are enough.
    fn batch(&self, draws: &[u16], slots: &[u128]) -> Vec<i64> {
        let mut samples = vec![0; draws.len()];
        let mut next = slots.iter();
        for column in 0..64 {
            for at in (column..draws.len()).step_by(64) {
                let index = if self.is_open(draws[at]) {
                    let w = next.next().unwrap() >> (8 * self.digits() as u32 - self.fine_bits);
                    self.fine.iter().filter(|f| w < **f).count()
                } else {
                    self.coarse[1..].iter().filter(|d| self.v(draws[at]) < **d).count()
                };
                samples[at] = self.value(index, draws[at] >> 15 != 0);
            }
        }
        samples
    }
}

/// The bits of a batch.
fn stream(draws: &[u16], slots: &[u128], digits: usize) -> Vec<bool> {
    let mut bytes = vec![];
    for row in draws.chunks(64) {
        bytes.extend(row.iter().map(|draw| (draw >> 8) as u8));
        bytes.extend(row.iter().map(|draw| *draw as u8));
    }
    for d in (0..digits).rev() {
        bytes.extend(slots.iter().map(|w| (w >> (8 * d)) as u8));
    }
    bytes.iter().flat_map(|byte| (0..8).map(move |i| byte >> i & 1 != 0)).collect()
}

/// A sampler, its model, and a source of what is drawn.
struct Case {
    sampler: Lazy,
    model: Model,
    bits: BitReader<crate::bits::SplitMix64>,
}

impl Case {
    fn new(shape: Shape, first: i64, precision: u32, thresholds: &[u128]) -> Self {
        let table = table(shape, first, precision, thresholds).unwrap();
        let sampler = CdtLazyCt::from_table(LazyTable::with_parts_in(table, |len| vec![0; len]).unwrap());
        Case { sampler, model: Model::new(shape, first, precision, thresholds), bits: reader(7) }
    }

    /// Draws, of which so many are open, and slots: any, and those at thresholds and next to them.
    fn drawn(&mut self, len: usize, open: usize) -> (Vec<u16>, Vec<u128>) {
        let (model, bits) = (&self.model, &mut self.bits);
        let below = model.coarse[0] as u64;
        let samples = len.div_ceil(64) * 64;
        let mut draws: Vec<u16> = (0..samples)
            .map(|_| {
                let (sign, near) = ((bits.bits(1) << 15) as u16, bits.bits(16) as usize % model.coarse.len());
                let v = match bits.bits(2) {
                    0 => (model.coarse[near] as u64).saturating_sub(bits.bits(1)),
                    _ => bits.bits(16),
                };
                (v.min(u64::from(u16::MAX)) % below) as u16 | if model.folded { sign } else { 0 }
            })
            .collect();
        for k in 0..open {
            // Another place each time.
            let at = (samples - 1 + 37 * k) % samples;
            let more = bits.bits(16) % ((if model.folded { 1 << 15 } else { 1 << 16 }) - below);
            let v = below + if k % 2 == 0 { 0 } else { more };
            draws[at] = draws[at] & if model.folded { 1 << 15 } else { 0 } | v as u16;
        }
        let all_bits = 8 * model.digits() as u32;
        let slots = (0..self.sampler.table().slots(len)).map(|k| {
            let any = (u128::from(bits.bits(64)) << 64 | u128::from(bits.bits(64))) >> (128 - all_bits);
            let near = model.fine[bits.bits(16) as usize % model.fine.len()];
            let low = any & ((1 << (all_bits - model.fine_bits)) - 1);
            let whole = near.saturating_sub(k as u128 % 2).min((1 << model.fine_bits) - 1);
            if k % 3 == 0 { any } else { whole << (all_bits - model.fine_bits) | low }
        });
        let slots = slots.collect();
        (draws, slots)
    }

    /// The bits of a fill, so many open in each batch, and its samples. Behind a batch with too few slots are as many more draws
    /// as it lacks.
    fn fill(&mut self, len: usize, open: &[usize]) -> (Vec<bool>, Vec<i64>) {
        let (mut bits, mut samples) = (vec![], vec![]);
        let mut left = len;
        for open in open {
            let now = left.min(2048);
            let (draws, mut slots) = self.drawn(now, *open);
            bits.extend(stream(&draws, &slots, self.model.digits()));
            let lacking = draws.iter().filter(|draw| self.model.is_open(**draw)).count().saturating_sub(slots.len());
            for _ in 0..lacking {
                let digits: Vec<u8> = (0..self.model.digits()).map(|_| self.bits.bits(8) as u8).collect();
                bits.extend(digits.iter().flat_map(|digit| (0..8).map(move |i| digit >> i & 1 != 0)));
                slots.push(digits.iter().fold(0, |w, digit| w << 8 | u128::from(*digit)));
            }
            samples.extend_from_slice(&self.model.batch(&draws, &slots)[..now]);
            left -= now;
        }
        assert!(left < 32, "as many batches as there are");
        for _ in 0..left {
            let u: Vec<bool> = (0..self.model.precision).map(|_| self.bits.bit()).collect();
            let is_negative = self.model.folded && self.bits.bit();
            let number = u.iter().rev().fold(0, |value, bit| value << 1 | u128::from(*bit));
            let index = self.model.thresholds.iter().filter(|t| number < **t).count();
            bits.extend(&u);
            bits.extend(self.model.folded.then_some(is_negative));
            samples.push(self.model.value(index, is_negative));
        }
        (bits, samples)
    }
}

/// A law that falls as that of a Gaussian does.
fn gaussian(count: usize, precision: u32) -> Vec<u128> {
    let part = |j: usize| (-(j as f64 * 3.0 / count as f64).powi(2)).exp() * (1.0 - j as f64 / (count as f64 + 1.0));
    (1..=count).map(|j| (part(j) * f64::from(precision).exp2()) as u128).collect()
}

/// Values of which the first `rare` are almost never, and the others, `often` in number and one more, alike.
fn shifted(rare: usize, often: usize) -> Vec<u128> {
    let (one, each) = (1_u128 << 24, (1_u128 << 24) / (often as u128 + 1));
    let rare = (1..=rare as u128).map(|j| one - j);
    rare.chain((1..=often as u128).map(|j| each * (often as u128 + 1 - j))).collect()
}

fn cases() -> Vec<Case> {
    vec![
        Case::new(Shape::Folded, 0, 40, &gaussian(14, 40)),
        Case::new(Shape::Full, -30, 72, &gaussian(60, 72)),
        Case::new(Shape::Folded, 5, 100, &gaussian(130, 100)),
        Case::new(Shape::Folded, -7, 8, &[140]),
        Case::new(Shape::Full, 3, 16, &gaussian(9, 16)),
        Case::new(Shape::Full, -128, 24, &shifted(128, 127)),
        Case::new(Shape::Full, -129, 24, &shifted(129, 30)),
        Case::new(Shape::Full, 1000, 24, &shifted(40, 128)),
    ]
}

fn filled<T: Int>(case: &Lazy, backend: Backend, tape: &mut Tape, len: usize) -> (Result<(), RangeError>, Vec<i64>) {
    let mut out = vec![T::wrapping(77); len];
    let filled = case.fill_by(backend, tape, &mut out);
    (filled, out.into_iter().map(T::widen).collect())
}

#[test]
fn fills_are_what_the_steps_say() {
    for (i, mut case) in cases().into_iter().enumerate() {
        let few: [(usize, &[usize]); 8] =
            [(0, &[]), (1, &[]), (31, &[]), (32, &[8]), (33, &[0]), (64, &[7]), (65, &[8]), (190, &[5])];
        let many: [(usize, &[usize]); 4] = [(2048, &[8]), (2079, &[3]), (2080, &[1, 8]), (4100, &[2, 7])];
        let lens = few.iter().chain(if i < 4 { &many[..1 + i % 4] } else { &[] }).chain(&many[i % 4..][..1]);
        for (len, open) in lens {
            let (bits, samples) = case.fill(*len, open);
            for backend in Backend::available() {
                let mut tape = Tape::new(bits.clone());
                let (result, out) = filled::<i16>(&case.sampler, backend, &mut tape, *len);
                assert!((result, &out) == (Ok(()), &samples), "{backend}: {len} of case {i}");
                assert_eq!((tape.read, tape.outcomes), (bits.len(), vec![0; open.len()]));
            }
        }
    }
}

#[test]
fn every_type_gets_the_same_samples() {
    for first in [0, 100] {
        // Narrow and wide, and of the second also some that do not fit 8 bits.
        let mut case = Case::new(Shape::Folded, first, 40, &gaussian(14, 40));
        let (bits, samples) = case.fill(2150, &[8, 6]);
        let expected = (Ok(()), samples);
        let (backend, tape) = (Backend::current(), || Tape::new(bits.clone()));
        assert_eq!(filled::<i8>(&case.sampler, backend, &mut tape(), 2150), expected);
        assert_eq!(filled::<i16>(&case.sampler, backend, &mut tape(), 2150), expected);
        assert_eq!(filled::<i32>(&case.sampler, backend, &mut tape(), 2150), expected);
        assert_eq!(filled::<i64>(&case.sampler, backend, &mut tape(), 2150), expected);
        let mut out = [0_i16; 2150];
        assert_eq!(case.sampler.fill(&mut tape(), &mut out), Ok(()));
        assert!(out.iter().zip(expected.1).all(|(x, y)| i64::from(*x) == y));
    }
}

/// A batch with more open samples than slots has draws of its own for those behind the last slot.
#[test]
fn open_samples_without_a_slot_are_drawn_anew() {
    // The second does not fit 8 bits at its ends.
    for (case, is_narrow) in [
        (Case::new(Shape::Folded, 0, 40, &gaussian(14, 40)), true),
        (Case::new(Shape::Folded, 114, 40, &gaussian(14, 40)), false),
        (Case::new(Shape::Full, -30, 72, &gaussian(60, 72)), true),
        (Case::new(Shape::Full, -200, 24, &shifted(129, 30)), false),
    ] {
        let mut case = case;
        assert_eq!(case.sampler.fits::<i8>(), is_narrow);
        for (len, batches) in [(40, 1), (2048, 1), (2112, 2), (2060, 1)] {
            let slots = case.sampler.table().slots(len.min(2048));
            for more in [0, 1, 2, 30] {
                let mut open = vec![4; batches];
                open[0] = slots + more;
                let (bits, samples) = case.fill(len, &open);
                let mut outcomes = vec![0; batches];
                outcomes[0] = u32::from(more > 0);
                for backend in Backend::available() {
                    let mut tape = Tape::new(bits.clone());
                    let (result, out) = filled::<i32>(&case.sampler, backend, &mut tape, len);
                    assert_eq!((result, &out), (Ok(()), &samples), "{backend}: {len}, {more}");
                    assert_eq!((tape.outcomes, tape.read), (outcomes.clone(), tape.bits.len()));
                }
            }
        }
    }
}

#[test]
fn a_sample_that_does_not_fit_ends_the_fill() {
    for (shape, first, thresholds) in [
        (Shape::Folded, 125, gaussian(14, 40)),
        (Shape::Folded, -126, gaussian(14, 40)),
        (Shape::Full, 120, gaussian(14, 40)),
    ] {
        let mut case = Case::new(shape, first, 40, &thresholds);
        assert!(!case.sampler.fits::<i8>() && case.sampler.fits::<i16>());
        let (bits, samples) = case.fill(2200, &[4, 4]);
        let fits = samples.iter().take_while(|x| (-128..=127).contains(*x)).count();
        let mut tape = Tape::new(bits);
        let (result, out) = filled::<i8>(&case.sampler, Backend::current(), &mut tape, 2200);
        assert_eq!((result, &out[..fits]), (Err(RangeError::of::<i8>()), &samples[..fits]));
        // Not one batch more than that sample's.
        let slots = case.sampler.table().slots(2048);
        assert!(fits < 2048 && out[2048..].iter().all(|x| *x == 77));
        assert_eq!(tape.read, 2048 * 16 + 8 * slots * case.model.digits());
        // One by one.
        let (bits, samples) = case.fill(31, &[]);
        let fits = samples.iter().take_while(|x| (-128..=127).contains(*x)).count();
        let mut tape = Tape::new(bits);
        let (result, _) = filled::<i8>(&case.sampler, Backend::current(), &mut tape, 31);
        assert_eq!(
            (result.is_ok(), tape.read),
            (fits == 31, (fits + 1).min(31) * (40 + usize::from(case.model.folded)))
        );
    }
    // Where all samples fit, whatever could come, there is no error.
    let case = Case::new(Shape::Folded, 120, 40, &gaussian(14, 40));
    let (draws, slots) = (vec![0x7000; 64], vec![0; case.sampler.table().slots(64)]);
    let samples = case.model.batch(&draws, &slots);
    assert!(samples.iter().all(|x| *x < 128));
    let mut tape = Tape::new(stream(&draws, &slots, case.model.digits()));
    assert_eq!(filled::<i8>(&case.sampler, Backend::current(), &mut tape, 64), (Ok(()), samples));
}

#[test]
fn a_support_at_the_ends_of_a_type_fits() {
    for (shape, first, fits) in [
        (Shape::Folded, 113, true),
        (Shape::Folded, 114, false),
        (Shape::Folded, -114, true),
        (Shape::Folded, -115, false),
        (Shape::Full, -128, true),
        (Shape::Full, -129, false),
        (Shape::Full, 113, true),
        (Shape::Full, 114, false),
    ] {
        let case = Case::new(shape, first, 40, &gaussian(14, 40));
        assert_eq!((case.sampler.fits::<i8>(), case.sampler.fits::<i16>()), (fits, true), "{shape:?}, {first}");
    }
}

#[test]
fn indices_are_bytes_where_they_fit() {
    for (rare, often, is_narrow) in
        [(128, 127, true), (128, 128, false), (129, 127, false), (0, 127, true), (0, 128, false), (60, 100, true)]
    {
        let sampler = Case::new(Shape::Full, 0, 24, &shifted(rare, often)).sampler;
        assert_eq!(sampler.table().offsets().0, rare);
        assert_eq!(sampler.is_narrow(), is_narrow, "{rare}, {often}");
    }
}

/// 512 words of draws, 240 slots of 32 bytes, a row more; two bytes a sample; two counters.
#[test]
fn a_room_is_for_the_longest_batch() {
    assert_eq!(size_of::<Scratch>(), usize::next_multiple_of(8 * 512 + 240 * 32 + 64 + 2 * 2048 + 16, 64));
}

#[test]
fn a_room_knows_what_is_to_be_erased() {
    let mut case = Case::new(Shape::Folded, 0, 40, &gaussian(14, 40));
    for is_narrow in [true, false] {
        if !is_narrow {
            case = Case::new(Shape::Full, 0, 24, &shifted(0, 400));
        }
        let mut scratch = Scratch::new();
        let mut most = 0;
        for len in [100, 600, 40] {
            let (bits, samples) = case.fill(len, &[6]);
            let mut out = vec![0_i16; len];
            let mut tape = Tape::new(bits.clone());
            assert_eq!(case.sampler.fill_in(&mut scratch, Backend::current(), &mut tape, &mut out), Ok(()));
            assert!(out.iter().map(|x| i64::from(*x)).eq(samples));
            most = most.max(bits.len() / 64);
            assert_eq!(scratch.dirty, (most, if len == 100 { 16 } else { 80 }));
            assert!(scratch.words.0[most..].iter().chain(&scratch.low.0[scratch.dirty.1..]).all(|word| *word == 0));
            assert!(scratch.words.0[most - 1] != 0 && scratch.low.0[..scratch.dirty.1].iter().any(|word| *word != 0));
            assert_eq!(scratch.high.0.iter().all(|word| *word == 0), is_narrow);
        }
    }
}

/// The drop goes by what the buffers say that they have held, and cannot where that is more than there is.
#[test]
#[should_panic(expected = "out of range")]
fn a_room_that_is_dropped_is_erased() {
    let mut scratch = Scratch::new();
    scratch.dirty.0 = usize::MAX;
}

#[test]
fn single_samples_are_the_inverse_of_the_table() {
    for mut case in cases() {
        let (bits, samples) = case.fill(30, &[]);
        let mut tape = Tape::new(bits);
        assert!(samples.iter().all(|x| *x == case.sampler.sample(&mut tape)));
        assert_eq!(tape.read, tape.bits.len());
    }
}

#[test]
fn a_profile_is_the_table_s() {
    for case in cases() {
        let (profile, table) = (case.sampler.profile(), case.sampler.table());
        let slots = 8 * table.slots(2048) * case.model.digits();
        assert_eq!(profile.expected_bits, 16.0 + slots as f64 / 2048.0);
        assert_eq!((profile.timing, profile.expected_trials), (Timing::Constant, 1.0));
        assert_eq!(profile.exactness, Exactness::Within(table.bound()));
        assert_eq!((profile.support, profile.target), (table.table().support(), table.table().target().into()));
        let count = case.model.thresholds.len();
        let digits = 4 * count * case.model.precision.div_ceil(32) as usize;
        assert_eq!(profile.table_bytes, digits + table.parts().len());
        assert_eq!(case.sampler.folded(), case.model.folded);
    }
}
