//! Samples of given uniforms, whose bits are put on a tape as the documentation says, against plain inversion.

use super::*;
use crate::bits::{BitReader, Fault, SplitMix64};
use crate::fixtures::{Tape, falling, reader, table, write};
use core::convert::Infallible;
use rand_core::TryRng;
use std::vec;
use std::vec::Vec;

/// A table in plain integers.
#[derive(Clone, Debug)]
pub(super) struct Law {
    pub(super) shape: Shape,
    pub(super) first: i64,
    pub(super) precision: u32,
    pub(super) guide_bits: u32,
    pub(super) lead_bits: u32,
    pub(super) is_lead_forced: bool,
    pub(super) thresholds: Vec<u128>,
}

impl Law {
    fn new(shape: Shape, first: i64, precision: u32, guide_bits: u32, thresholds: Vec<u128>) -> Self {
        let sign = u32::from(shape == Shape::Folded);
        let lead_bits = (if guide_bits + sign <= 16 { 16 } else { 32 } - sign).min(precision);
        Law { shape, first, precision, guide_bits, lead_bits, is_lead_forced: false, thresholds }
    }

    pub(super) fn sampler(&self) -> CdtGuided<Vec<u32>, Vec<u32>> {
        let table = table(self.shape, self.first, self.precision, &self.thresholds).unwrap();
        let guided = GuidedTable::with_guide_in(table, vec![0; 1 << self.guide_bits]).unwrap();
        CdtGuided::from_table(if self.is_lead_forced { guided.with_lead_bits(self.lead_bits) } else { guided })
    }

    pub(super) fn sign(&self) -> u32 {
        u32::from(self.shape == Shape::Folded)
    }

    pub(super) fn index(&self, u: u128) -> usize {
        self.thresholds.partition_point(|t| *t > u)
    }

    /// The leading bits of all thresholds, each value once.
    fn leads(&self, bits: u32) -> Vec<u128> {
        let mut leads: Vec<u128> = self.thresholds.iter().map(|t| t >> (self.precision - bits)).collect();
        leads.dedup();
        leads
    }

    /// Whether the first draw is of a byte.
    fn is_short(&self) -> bool {
        let byte = 8 - self.sign();
        if self.lead_bits + self.sign() != 16 || self.thresholds.len() > 127 {
            return false;
        }
        let at = |t: &u128| t >> (self.precision - byte);
        let above = |value: u128| self.thresholds.partition_point(|t| at(t) > value);
        let held = |value: u128| self.thresholds.partition_point(|t| at(t) >= value) - above(value);
        let values = 0..1_u128 << byte;
        values.clone().filter(|value| held(*value) > 0).count() * 8 <= 1 << byte
            && values.clone().filter(|value| held(*value) > 1).count() <= 2
            && values.clone().all(|value| held(value) > 1 || above(value) < 64)
    }

    /// How many bits of u are known after each draw.
    fn ends(&self) -> Vec<u32> {
        let first = if self.is_short() { 8 - self.sign() } else { self.lead_bits };
        let mut ends: Vec<u32> =
            [first, self.lead_bits, 32 - self.sign(), 32, 64, 96, 128].map(|end| end.min(self.precision)).to_vec();
        ends.dedup();
        ends
    }

    /// Whether the leading bits of u are those of a threshold.
    fn is_open(&self, u: u128, bits: u32) -> bool {
        let next = self.thresholds.partition_point(|t| (t ^ u) >> (self.precision - bits) != 0 && *t > u);
        self.thresholds.get(next).is_some_and(|t| (t ^ u) >> (self.precision - bits) == 0)
    }

    /// The draws for u; returns the sample.
    fn put(&self, ends: &[u32], u: u128, negative: bool, tape: &mut Vec<bool>) -> i64 {
        let mut known = 0;
        for end in ends.iter().copied() {
            if known == 0 {
                write(tape, negative.into(), self.sign());
            } else if known <= 32 - self.sign() && !self.is_open(u, known) {
                break;
            }
            // The bits of u after the first `known`.
            write(tape, u >> (self.precision - end), end - known);
            known = end;
        }
        let index = self.index(u) as i64;
        self.first + if self.sign() == 1 && negative { -index } else { index }
    }

    fn any(&self, bits: &mut impl BitSource) -> u128 {
        (u128::from(bits.bits(64)) << 64 | u128::from(bits.bits(64))) >> (128 - self.precision)
    }

    /// Any uniform, or one at an end, or a threshold or one that begins as it does.
    pub(super) fn choose(&self, i: usize, bits: &mut impl BitSource) -> u128 {
        let (any, top) = (self.any(bits), (1 << self.precision) - 1);
        let t = self.thresholds[bits.bits(16) as usize % self.thresholds.len()];
        match i % 9 {
            0 => t,
            1 => t.saturating_sub(1),
            2 => (t + 1).min(top),
            3 => 0,
            4 => top,
            5..=7 => t ^ any >> (bits.bits(16) as u32 % (self.precision + 1)),
            _ => any,
        }
    }

    /// Any uniform, but one in so many as `choose` gives; only such as one draw decides, if that is none.
    fn one_in(&self, many: usize, ends: &[u32], bits: &mut impl BitSource) -> u128 {
        if many > 0 && (bits.bits(20) as usize).is_multiple_of(many) {
            return self.choose(bits.bits(20) as usize, bits);
        }
        (0..200).map(|_| self.any(bits)).find(|u| many > 0 || !self.is_open(*u, ends[0])).expect("a uniform")
    }
}

/// Thresholds of which some begin as others do, with any bits or ones behind.
fn clustered(count: usize, precision: u32, seed: u8) -> Vec<u128> {
    let (mut all, mut bits) = (falling(count, precision, seed), reader(seed + 100));
    let ones = (1_u128 << precision) - 1;
    for i in 1..count {
        let any = u128::from(bits.bits(64)) << 63 >> (127 - precision);
        match bits.bits(4) {
            0 => all[i] = all[i - 1] ^ any >> 9,
            1 => all[i] = all[i - 1] ^ any >> 15,
            2 => all[i] = all[i - 1] ^ any >> 16,
            3 => all[i] = all[i - 1] ^ any >> 31,
            4 => all[i] = all[i - 1] ^ any >> 32,
            5 => all[i] = all[i - 1] | ones >> 15,
            6 => all[i] = all[i - 1] | ones >> 16,
            7 => all[i] = all[i - 1] | ones >> 31,
            _ => {}
        }
    }
    all.sort_by(|a, b| b.cmp(a));
    all
}

/// Thresholds of which few have the same leading bits.
fn few(precision: u32) -> Vec<u128> {
    let lead = |value: u128, seed| value << (precision - 7) | falling(1, precision - 7, seed)[0];
    let mut all: Vec<u128> =
        [126, 101, 77, 50, 30, 2].iter().zip(1..).map(|(value, seed)| lead(*value, seed)).collect();
    all.extend([all[4] ^ 1, all[4] ^ 2, all[4] ^ 1 << (precision - 9), all[4] ^ 1 << (precision - 15), 0, 1]);
    all.push((1 << (precision - 15)) - 1);
    all.sort_by(|a, b| b.cmp(a));
    all
}

/// Tables of all kinds.
pub(super) fn laws() -> Vec<Law> {
    use Shape::{Folded, Full};
    let mut laws = vec![
        // Short.
        Law::new(Folded, 0, 64, 6, few(64)),
        Law::new(Folded, -3, 16, 9, few(16)),
        Law::new(Full, 2, 100, 8, few(100)),
        Law::new(Full, -100, 32, 16, few(32)),
    ];
    // A few thresholds, and more.
    for (i, count) in [31, 120].into_iter().enumerate() {
        for (j, precision) in [15, 16, 19, 31, 32, 33, 64, 90, 127].into_iter().enumerate() {
            let shape = if (i + j) % 2 == 0 || precision == 15 { Folded } else { Full };
            let guide_bits = [4, 7, 15][(i + j) % 3];
            laws.push(Law::new(
                shape,
                5 - i as i64,
                precision,
                guide_bits,
                clustered(count, precision, (9 * i + j) as u8),
            ));
        }
    }
    // Few bits, and draws of 32.
    for (i, (shape, precision, guide_bits)) in [
        (Folded, 1, 1),
        (Folded, 8, 3),
        (Full, 8, 8),
        (Full, 15, 6),
        (Folded, 14, 14),
        (Folded, 20, 16),
        (Folded, 33, 16),
        (Full, 32, 17),
        (Full, 64, 17),
    ]
    .into_iter()
    .enumerate()
    {
        laws.push(Law::new(
            shape,
            i as i64,
            precision,
            guide_bits,
            clustered(12 + 30 * (i % 2), precision, 50 + i as u8),
        ));
    }
    // Zeros decide.
    for (shape, precision, guide_bits) in [(Folded, 64, 7), (Folded, 64, 16), (Full, 40, 17)] {
        let high = clustered(40, precision - 1, 70).into_iter().map(|t| t | 1 << (precision - 1)).collect();
        laws.push(Law::new(shape, 1, precision, guide_bits, high));
    }
    for (shape, lead_bits) in [(Folded, 18), (Full, 20)] {
        let law = Law::new(shape, -1, 70, 17, clustered(30, 70, 80));
        laws.push(Law { lead_bits, is_lead_forced: true, ..law });
    }
    laws
}

/// More than can be marked in a guide for draws of 16 bits.
fn many(shape: Shape) -> Law {
    Law::new(shape, 0, 40, 4, (0..1 << 15).map(|j| (1 << 40) - 1 - j * 30_000_000).collect())
}

#[test]
fn samples_are_the_uniforms_indices() {
    let (mut bits, mut lengths) = (reader(3), [0; 6]);
    for law in laws().into_iter().chain([many(Shape::Full)]) {
        let (sampler, ends) = (law.sampler(), law.ends());
        for i in 0..if law.thresholds.len() > 1000 { 18 } else { 250 } {
            let (u, negative, mut tape) = (law.choose(i, &mut bits), bits.bit(), vec![]);
            let wanted = law.put(&ends, u, negative, &mut tape);
            let len = tape.len();
            write(&mut tape, bits.bits(64).into(), 64);
            let mut tape = Tape::new(tape);
            assert_eq!((sampler.sample(&mut tape), tape.read), (wanted, len), "{law:?}: {u:x}");
            lengths[len.div_ceil(8).min(5)] += 1;
        }
    }
    assert!(lengths[1..].iter().all(|seen| *seen > 100), "{lengths:?}");
}

/// As many samples in each way as the tape has, in `T`.
fn filled<T: Int>(law: &Law, sampler: &CdtGuided<Vec<u32>, Vec<u32>>, wanted: &[i64], tape: Vec<bool>, used: usize) {
    let (mut tape, mut out) = (Tape::new(tape), vec![T::ZERO; wanted.len()]);
    sampler.fill(&mut tape, &mut out).unwrap();
    assert!(out.iter().map(|x| x.widen()).eq(wanted.iter().copied()), "{} of {law:?}", wanted.len());
    assert_eq!(tape.read, used, "{} of {law:?}", wanted.len());
}

#[test]
fn fills_are_the_samples() {
    let mut bits = reader(4);
    for (i, law) in laws().into_iter().chain([many(Shape::Folded)]).enumerate() {
        let (ends, sampler) = (law.ends(), law.sampler());
        let lens: &[usize] = if law.thresholds.len() > 1000 {
            &[0, 3, 21]
        } else {
            &[0, 1, 2, 3, 4, 5, 9, 16, 63, 64, 65, 130, 256, 300, 511 + i % 3]
        };
        for (j, len) in lens.iter().enumerate() {
            // Nothing open, something, or most.
            let mut many = [0, 40, 2, 8][(i + j) % 4];
            if many == 0 && (law.precision < 10 || law.thresholds.len() > 1000) {
                many = 40;
            }
            let mut tape = vec![];
            let one = |_| law.put(&ends, law.one_in(many, &ends, &mut bits), bits.bit(), &mut tape);
            let wanted: Vec<i64> = (0..*len).map(one).collect();
            let used = tape.len();
            write(&mut tape, 0, 100);
            match j % 4 {
                0 if law.thresholds.len() < 100 => filled::<i8>(&law, &sampler, &wanted, tape, used),
                1 if law.thresholds.len() < 1000 => filled::<i16>(&law, &sampler, &wanted, tape, used),
                2 => filled::<i64>(&law, &sampler, &wanted, tape, used),
                _ => filled::<i32>(&law, &sampler, &wanted, tape, used),
            }
        }
    }
}

/// A chunk has 1024 bytes: what is open in its last one is a sample of the next.
#[test]
fn a_byte_that_is_left_goes_to_the_next_chunk() {
    for law in [&laws()[0], &laws()[2]] {
        let (mut bits, mut tape, ends) = (reader(5), vec![], law.ends());
        let mut wanted = vec![];
        for i in 0..2501 {
            let u = if i % 1024 == 1023 { law.thresholds[3] - 1 } else { law.one_in(0, &ends, &mut bits) };
            wanted.push(law.put(&ends, u, bits.bit(), &mut tape));
        }
        let used = tape.len();
        write(&mut tape, 0, 100);
        filled::<i16>(law, &law.sampler(), &wanted, tape, used);
    }
}

#[test]
fn what_does_not_fit_is_refused_where_it_comes() {
    // At the ends of i8, one beyond them where the last threshold, 0, has no draw above it, and with a draw beyond; below and above.
    for (shape, first) in [
        (Shape::Folded, -117),
        (Shape::Folded, -116),
        (Shape::Folded, -115),
        (Shape::Folded, 114),
        (Shape::Folded, 115),
        (Shape::Folded, 116),
        (Shape::Full, -129),
        (Shape::Full, -128),
        (Shape::Full, 114),
        (Shape::Full, 115),
        (Shape::Full, 116),
    ] {
        for (kind, guide_bits) in [(few(64), 8), (clustered(13, 64, 7), 8), (clustered(13, 64, 8), 17)] {
            let law = Law::new(shape, first, 64, guide_bits, kind);
            let (sampler, ends, mut bits) = (law.sampler(), law.ends(), reader(6));
            let support = *sampler.table().table().support().start()..=*sampler.table().table().support().end();
            for place in [0, 7, 50] {
                let (mut tape, mut wanted, mut used) = (vec![], vec![], vec![]);
                for i in 0..80 {
                    // u = 0 has the greatest index, and the last uniform index 0.
                    let (u, negative) = if i == place { (0, first < 0) } else { ((1 << 64) - 1, false) };
                    let u = if shape == Shape::Full && (first < 0) { (1 << 64) - 1 - u } else { u };
                    wanted.push(law.put(&ends, u, negative, &mut tape));
                    used.push(tape.len());
                }
                write(&mut tape, bits.bits(64).into(), 64);
                let (mut tape, mut out) = (Tape::new(tape), [0_i8; 80]);
                let result = sampler.fill(&mut tape, &mut out);
                let wrong = wanted.iter().position(|x| i8::try_from(*x).is_err());
                assert_eq!(result, wrong.map_or(Ok(()), |_| Err(RangeError::of::<i8>())), "{law:?}");
                assert_eq!(result.is_err(), [-117, -129, 116].contains(&first), "{support:?}");
                let written = wrong.unwrap_or(80);
                assert!((0..written).all(|i| i64::from(out[i]) == wanted[i]), "{law:?}");
                assert_eq!(tape.read, used[wrong.unwrap_or(79)], "{law:?}");
            }
        }
    }
}

#[test]
fn profiles_are_what_the_draws_cost() {
    let mut short = 0;
    for law in laws().into_iter().chain([many(Shape::Folded)]) {
        let (sampler, mut ends) = (law.sampler(), law.ends());
        let profile = sampler.profile();
        // A draw behind the first ones is made where these are a threshold's.
        let last = ends.iter().position(|end| *end >= (32 - law.sign()).min(law.precision)).unwrap();
        ends.truncate(last + 1);
        ends.push(law.precision);
        let more =
            |two: &[u32]| f64::from(two[1] - two[0]) * law.leads(two[0]).len() as f64 / 2_f64.powi(two[0] as i32);
        let expected = f64::from(ends[0] + law.sign()) + ends.windows(2).map(more).sum::<f64>();
        assert!((profile.expected_bits - expected).abs() < 1e-9, "{law:?}: {}, {expected}", profile.expected_bits);
        let (count, words) = (law.thresholds.len(), law.precision.div_ceil(32) as usize);
        let codes = profile.table_bytes - 4 * count * words - (4 << law.guide_bits);
        // 1.3 KB.
        assert!(if law.is_short() { (1250..1350).contains(&codes) } else { codes == 0 }, "{codes}");
        short += usize::from(law.is_short());
        let below = if law.sign() == 1 { count as i64 } else { 0 };
        assert_eq!(profile.support, law.first - below..=law.first + count as i64);
        assert_eq!((profile.timing, profile.expected_trials), (Timing::Variable, 1.0));
    }
    assert!(short >= 4);
    assert_eq!((few(64).len(), laws()[0].sampler().profile().expected_bits < 8.6), (13, true));
}

#[test]
fn short_tables_have_codes() {
    for law in laws() {
        assert_eq!(law.sampler().codes.is_some(), law.is_short(), "{law:?}");
    }
}

/// Gives ones.
struct Stuck;
impl TryRng for Stuck {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(!0)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(!0)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.fill(!0);
        Ok(())
    }
}

#[test]
fn a_fill_from_a_broken_source_ends() {
    for law in [&laws()[0], &laws()[8], &laws()[31]] {
        let (mut stuck, mut sound) = (BitReader::new(Stuck).latching(), BitReader::new(SplitMix64(1)).latching());
        law.sampler().fill(&mut stuck, &mut [0_i16; 700]).unwrap();
        law.sampler().fill(&mut sound, &mut [0_i16; 700]).unwrap();
        assert_eq!((stuck.fault(), sound.fault()), (Some(Fault::Constant(0xff)), None));
    }
}
