//! The sampler against a model in integers, which takes one sample after another, and its law by all draws.

use super::super::CdtGuided;
use super::*;
use crate::fixtures::{Tape, falling, reader, table, write};
use crate::sampler::{RangeError, Sampler};
use crate::table::{GuidedTable, Shape};
use std::vec;
use std::vec::Vec;

/// A table in plain integers, with the cumulative masses of its levels.
struct Law {
    shape: Shape,
    first: i64,
    precision: u32,
    thresholds: Vec<u128>,
    levels: [Level; 2],
    /// The F_j, from F_0 on, and log2 of F_0.
    rest: Vec<u128>,
    left: u32,
}

/// A level: its bits, and D_j from D_0 on.
struct Level {
    bits: u32,
    above: Vec<u128>,
}

/// The level of these masses, of which that of index 0 is 2^left, and the masses below it.
fn level(masses: &[u128], left: u32, bits: u32) -> (Level, Vec<u128>, u32) {
    let up = bits.saturating_sub(left);
    let (masses, unit): (Vec<u128>, u32) = (masses.iter().map(|mass| mass << up).collect(), left + up - bits);
    let cells = |j: usize| (masses[j] - masses.get(j + 1).copied().unwrap_or(0)) >> unit;
    let open = (1 << bits) - (0..masses.len()).map(cells).sum::<u128>();
    let mut taken = open.max(1).next_power_of_two() - open;
    let mut above = vec![0; masses.len() + 1];
    for j in (0..masses.len()).rev() {
        let back = cells(j).min(taken);
        taken -= back;
        above[j] = above[j + 1] + cells(j) - back;
    }
    let below = masses.iter().zip(&above).map(|(mass, above)| mass - (above << unit)).collect();
    let open = (1 << bits) - above[0];
    (Level { bits, above }, below, unit + open.ilog2())
}

impl Law {
    fn new(shape: Shape, first: i64, precision: u32, thresholds: Vec<u128>) -> Self {
        let masses: Vec<u128> = [1 << precision].into_iter().chain(thresholds.iter().copied()).collect();
        let (one, masses, left) = level(&masses, precision, if shape == Shape::Folded { 15 } else { 16 });
        let (two, rest, left) = level(&masses, left, (thresholds.len().ilog2() + 3).clamp(14, 16));
        Law { shape, first, precision, thresholds, levels: [one, two], rest, left }
    }

    fn sampler(&self) -> CdtGuided<Vec<u32>, Vec<u32>> {
        let table = table(self.shape, self.first, self.precision, &self.thresholds).unwrap();
        let len = GuidedTable::<_, Vec<u32>>::direct_len(&table).expect("a direct guide");
        CdtGuided::from_table(GuidedTable::with_guide_in(table, vec![0; len]).unwrap())
    }

    fn sign(&self) -> u32 {
        u32::from(self.shape == Shape::Folded)
    }

    /// How many of the D_j, F_j, j >= 1, are above a draw.
    fn index(above: &[u128], draw: u128) -> usize {
        above[1..].iter().filter(|above| **above > draw).count()
    }

    /// Whether the head of an F_j, j >= 1, is that of the draw's first 32 bits.
    fn ties(&self, draw: u32) -> bool {
        let head = |rest: &u128| if self.left > 31 { rest >> (self.left - 31) } else { rest << (31 - self.left) };
        self.rest[1..].iter().any(|rest| head(rest) == u128::from(draw >> 1))
    }

    /// The next sample of these bits.
    fn sample(&self, bits: &mut impl BitSource) -> i64 {
        let draw = bits.bits(16) as u32;
        let [one, two] = &self.levels;
        let lead = u128::from(draw >> self.sign());
        let index = if lead < one.above[0] {
            Law::index(&one.above, lead)
        } else {
            let second = u128::from(bits.bits(16) >> (16 - two.bits));
            if second < two.above[0] {
                Law::index(&two.above, second)
            } else {
                let third = bits.bits(32) as u32;
                // All bits as a number of 32 + 16k bits; F_j of as many.
                let pieces = if self.ties(third) { self.left.saturating_sub(32).div_ceil(16) } else { 0 };
                let draw = (0..pieces).fold(u128::from(third), |draw, _| draw << 16 | u128::from(bits.bits(16)));
                let len = 32 + 16 * pieces;
                let below = |rest: &u128| {
                    if len >= self.left { draw < rest << (len - self.left) } else { draw < rest >> (self.left - len) }
                };
                self.rest[1..].iter().filter(|rest| below(rest)).count()
            }
        };
        self.first + if self.sign() == 1 && draw & 1 != 0 { -(index as i64) } else { index as i64 }
    }

    /// Bits of some samples: of every kind of draw, at the ends and in between.
    fn tape(&self, count: usize, odds: u64, bits: &mut impl BitSource) -> Vec<bool> {
        let mut tape = vec![];
        for _ in 0..count {
            let mut one_in = || odds > 0 && bits.bits(32) % odds == 0;
            let (open, deeper, tie) = (one_in(), one_in(), one_in());
            let mut draw = |level: &Level, bits_of: u32, open: bool, sign: u32| {
                let (all, decided) = (1_u128 << level.bits, level.above[0]);
                let any = u128::from(bits.bits(64));
                let draw = match (open, any % 7) {
                    (true, 0) => decided,
                    (true, 1) => all - 1,
                    (true, _) => decided + any / 7 % (all - decided),
                    (false, 0) if decided > 0 => decided - 1,
                    (false, _) if decided > 0 => any / 7 % decided,
                    _ => any % all,
                };
                write(&mut tape, (draw << (bits_of - level.bits)) | u128::from(sign) & any >> 60, 16);
                draw >= decided
            };
            let [one, two] = &self.levels;
            let sign = self.sign();
            if !draw(one, 16, open, sign) || !draw(two, 16, deeper, 0) {
                continue;
            }
            let any = u128::from(bits.bits(64));
            let rest = self.rest[1 + any as usize % (self.rest.len() - 1)] + any / 3 % 3;
            let rest = rest.saturating_sub(1).min((1 << self.left) - 1);
            let head = if self.left > 32 { rest >> (self.left - 32) } else { rest << (32 - self.left) };
            let third = if tie { head as u32 } else { bits.bits(32) as u32 };
            write(&mut tape, third.into(), 32);
            if self.ties(third) {
                for piece in 0..self.left.saturating_sub(32).div_ceil(16) {
                    let up = 32 + 16 * (piece + 1);
                    let low = if up > self.left { rest << (up - self.left) } else { rest >> (self.left - up) };
                    write(&mut tape, if tie { low } else { any }, 16);
                }
            }
        }
        tape
    }
}

fn laws() -> Vec<Law> {
    let spread = |count: u128, bits: u32, low: u128| -> Vec<u128> {
        (0..count).rev().map(|j| (j * ((1 << bits) / (count + 1))) | low).collect()
    };
    let mut laws = vec![];
    for shape in [Shape::Folded, Shape::Full] {
        laws.extend([
            Law::new(shape, 3, 40, falling(150, 40, 1)),
            Law::new(shape, -5, 100, falling(400, 100, 2)),
            Law::new(shape, 0, 100, spread(300, 100, 12345)),
            Law::new(shape, 0, 9, falling(140, 9, 3)),
            Law::new(shape, 1, 47, spread(5000, 47, 1)),
            Law::new(shape, 0, 120, spread(20_000, 120, 1 << 60)),
            Law::new(shape, 0, 64, spread((1 << 15) - 1, 64, 77)),
        ]);
        // Thresholds that differ in their last bits only: their heads are the same.
        let mut close = spread(200, 90, 0);
        (0..100).for_each(|j| close[j] = close[100] + (100 - j as u128) / 3);
        laws.push(Law::new(shape, 0, 90, close));
    }
    laws
}

#[test]
fn fills_and_samples_are_the_models() {
    let mut bits = reader(1);
    for law in laws() {
        let sampler = law.sampler();
        let lens =
            [0, 1, 2, 3, 4, 15, 16, 17, 31, 32, 33, 59, 60, 61, 63, 64, 65, 511, 512, 513, 700, 2047, 2048, 2049, 8192];
        let lens = if law.thresholds.len() > 4000 { &lens[..20] } else { &lens[..] };
        for (i, len) in lens.iter().enumerate() {
            let mut tape = law.tape(*len, [0, 40, 3, 1][i % 4], &mut bits);
            write(&mut tape, 0, 64);
            let (mut tape, mut singles, mut model) =
                (Tape::new(tape.clone()), Tape::new(tape.clone()), Tape::new(tape));
            let wanted: Vec<i64> = (0..*len).map(|_| law.sample(&mut model)).collect();
            let what = std::format!("{:?}, {} of {}, n = {len}", law.shape, law.thresholds.len(), law.precision);
            assert!(wanted.iter().all(|x| sampler.sample(&mut singles) == *x), "{what}");
            assert_eq!(singles.read, model.read, "{what}");
            let mut out = vec![0_i32; *len];
            sampler.fill(&mut tape, &mut out).unwrap();
            assert!(out.iter().zip(&wanted).all(|(a, b)| i64::from(*a) == *b), "{what}");
            assert_eq!(tape.read, model.read, "{what}");
        }
    }
}

/// Each backend's integers, how far it comes, and why it stops.
#[test]
fn every_backend_decodes_the_same() {
    let mut bits = reader(2);
    for law in laws() {
        let sampler = law.sampler();
        let parts = sampler.parts(sampler.table.direct().unwrap());
        for lanes in [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 515] {
            for odds in [0, 30, 4, 1] {
                let mut tape = law.tape(lanes, odds, &mut bits);
                tape.resize(16 * (lanes + 70), true);
                let bytes: Vec<u8> = tape.chunks(8).map(|byte| (0..8).map(|i| u8::from(byte[i]) << i).sum()).collect();
                let blocks = lanes.div_ceil(BLOCK);
                let (mut model, mut made, mut used) = (Tape::new(tape), vec![], 0);
                while used < lanes {
                    let value = law.sample(&mut model) - law.first;
                    let next = model.read / 16;
                    // A tie draws pieces beyond four lanes, unless nothing is left to draw.
                    let third = next >= used + 4
                        && law.ties(u32::from_le_bytes(bytes[2 * used + 4..][..4].try_into().unwrap()));
                    if next > lanes || third {
                        break;
                    }
                    made.push(value);
                    used = next;
                }
                for backend in Backend::available() {
                    let mut looked_up = vec![0; (blocks + 1) * BLOCK];
                    let mut values = vec![0; (blocks + 1) * BLOCK];
                    let bytes = &bytes[..2 * BLOCK * blocks + 6];
                    let got =
                        backend.run(Decode { parts, bytes, lanes, looked_up: &mut looked_up, values: &mut values });
                    assert_eq!(got, Decoded { used, made: made.len() }, "{backend}, {lanes}");
                    assert!(made.iter().zip(&values).all(|(a, b)| *a == i64::from(*b)), "{backend}, {lanes}");
                }
            }
        }
    }
}

/// All first draws, all second draws behind an open one and all third ones behind both: the law is the table's.
#[test]
fn all_draws_together_have_the_tables_law() {
    for (shape, count, precision) in
        [(Shape::Folded, 150, 30), (Shape::Full, 150, 30), (Shape::Folded, 200, 24), (Shape::Full, 129, 12)]
    {
        let thresholds = falling(count, precision, 7);
        let law = Law::new(shape, 0, precision, thresholds.clone());
        assert!(law.left <= 16);
        let sampler = law.sampler();
        let mut masses = vec![0_u128; count + 1];
        // Each sample's first draws, then those of one that decides.
        let mut all = |before: &[u16], weight: u128, third: bool| {
            let lanes = before.len() + if third { 2 } else { 1 };
            let draws = if third { 1 << law.left } else { 1 << 16 };
            let tape = |draw: u32| {
                let mut words = before.to_vec();
                let draw = if third { draw.checked_shl(32 - law.left).unwrap_or(0) } else { draw };
                words.push(draw as u16);
                if third {
                    words.push((draw >> 16) as u16);
                }
                words
            };
            let mut open = vec![];
            let decided = |lane: u16| {
                if before.is_empty() {
                    u128::from(lane >> law.sign()) < law.levels[0].above[0]
                } else {
                    u128::from(lane >> (16 - law.levels[1].bits)) < law.levels[1].above[0]
                }
            };
            let kept: Vec<Vec<u16>> = (0..draws)
                .map(tape)
                .filter(|lanes| {
                    let is_kept = third || decided(lanes[before.len()]);
                    if !is_kept {
                        open.push(lanes.clone());
                    }
                    is_kept
                })
                .collect();
            let mut bits = vec![];
            kept.iter().flatten().for_each(|lane| write(&mut bits, (*lane).into(), 16));
            let (mut tape, mut out) = (Tape::new(bits), vec![0_i16; kept.len()]);
            sampler.fill(&mut tape, &mut out).unwrap();
            assert_eq!(tape.read, 16 * lanes * kept.len());
            out.iter().for_each(|x| masses[x.unsigned_abs() as usize] += weight);
            open
        };
        // In units of 2^-(16 + 16 + left).
        let open = all(&[], 1 << (16 + law.left), false);
        let signs = open.len() as u128;
        let open = all(&open[0], signs << law.left, false);
        let deeper = open.len() as u128;
        all(&open[0], signs * deeper, true);
        let index = |j: usize| if j == 0 { 1 << precision } else { thresholds.get(j - 1).copied().unwrap_or(0) };
        for (j, mass) in masses.iter().enumerate() {
            assert_eq!(*mass << precision, (index(j) - index(j + 1)) << (32 + law.left), "{shape:?}, {precision}, {j}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_where_it_comes() {
    for first in [-24, -23, 0] {
        let law = Law::new(Shape::Full, first, 40, falling(150, 40, 9));
        let mut bits = reader(3);
        let tape = law.tape(300, 20, &mut bits);
        let (mut tape, mut model) = (Tape::new(tape.clone()), Tape::new(tape));
        let mut out = [0_i8; 300];
        let wanted: Vec<i64> = (0..300).map(|_| law.sample(&mut model)).collect();
        let wrong = wanted.iter().position(|x| i8::try_from(*x).is_err());
        assert_eq!(law.sampler().fill(&mut tape, &mut out), wrong.map_or(Ok(()), |_| Err(RangeError::of::<i8>())));
        assert!(out.iter().zip(&wanted[..wrong.unwrap_or(300)]).all(|(a, b)| i64::from(*a) == *b));
    }
}

#[test]
fn profiles_are_what_the_draws_cost() {
    for law in laws() {
        let part = |level: &Level| 1.0 - level.above[0] as f64 / 2_f64.powi(level.bits as i32);
        let [second, third] = [part(&law.levels[0]), part(&law.levels[1])];
        let head = |rest: &u128| if law.left > 31 { rest >> (law.left - 31) } else { rest << (31 - law.left) };
        let mut heads: Vec<u128> = law.rest[1..].iter().map(head).filter(|head| *head < 1 << 31).collect();
        heads.dedup();
        let more = f64::from(16 * law.left.saturating_sub(32).div_ceil(16)) * heads.len() as f64 / 2_f64.powi(31);
        let wanted = 16.0 + second * (16.0 + third * (32.0 + more));
        assert!((law.sampler().profile().expected_bits - wanted).abs() < 1e-12);
    }
}
