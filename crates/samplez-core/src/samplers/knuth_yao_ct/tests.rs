//! The law of the levels exactly, and batches of every length on every backend against a model in plain integers.

use super::*;
use crate::bits::BitReader;
use crate::fixtures::{falling, table};
use core::convert::Infallible;
use rand_core::TryRng;
use std::vec;
use std::vec::Vec;

/// A level by its definition: cells, how many are open, and its bits.
struct Lead {
    bits: u32,
    cells: Vec<u128>,
    spare_bits: u32,
}

/// The levels of a table, and the masses that they leave, which add up to 2^`left`.
struct Model {
    leads: Vec<Lead>,
    rest: Vec<u128>,
    left: u32,
    folded: bool,
    first: i64,
}

impl Model {
    fn new(shape: Shape, first: i64, precision: u32, thresholds: &[u128]) -> Self {
        let mut all = vec![1_u128 << precision];
        all.extend(thresholds);
        let after = |j: usize| all.get(j + 1).copied().unwrap_or(0);
        let mut masses: Vec<u128> = (0..all.len()).map(|j| all[j] - after(j)).collect();
        let (mut left, mut leads) = (precision, vec![]);
        for bits in [if shape == Shape::Folded { 7 } else { 8 }, 8, 16] {
            if left < bits {
                masses.iter_mut().for_each(|mass| *mass <<= bits - left);
                left = bits;
            }
            let mut cells: Vec<u128> = masses.iter().map(|mass| mass >> (left - bits)).collect();
            let open = (1 << bits) - cells.iter().sum::<u128>();
            let spare_bits = open.max(1).next_power_of_two().ilog2();
            let mut back = (1 << spare_bits) - open;
            for cell in cells.iter_mut().rev() {
                let less = back.min(*cell);
                (*cell, back) = (*cell - less, back - less);
            }
            masses.iter_mut().zip(&cells).for_each(|(mass, cells)| *mass -= cells << (left - bits));
            left = left - bits + spare_bits;
            leads.push(Lead { bits, cells, spare_bits });
        }
        Model { leads, rest: masses, left, folded: shape == Shape::Folded, first }
    }

    /// P(index = j) times 2^E, and E.
    fn law(&self) -> (Vec<u128>, u32) {
        let exponent = self.leads.iter().map(|lead| lead.bits - lead.spare_bits).sum::<u32>() + self.left;
        let mut law = self.rest.clone();
        let mut before = 0;
        for lead in &self.leads {
            for (p, cells) in law.iter_mut().zip(&lead.cells) {
                *p += cells << (exponent - before - lead.bits);
            }
            before += lead.bits - lead.spare_bits;
        }
        (law, exponent)
    }

    /// #{j : v is below the mass of j and of those behind it} - 1, or none: the indices in falling order of what they need.
    fn index(masses: &[u128], v: u128) -> Option<usize> {
        let mut above = 0;
        masses.iter().enumerate().rev().find_map(|(j, mass)| {
            above += mass;
            (v < above).then_some(j)
        })
    }

    fn decided(&self, level: usize, v: u128) -> Option<usize> {
        Self::index(&self.leads[level].cells, v)
    }

    /// A draw of this level that is made for one sample alone, and those that it leads to.
    fn anew(&self, level: usize, more: &mut impl Iterator<Item = u8>) -> usize {
        if level == 3 {
            let digits = self.left.div_ceil(8).max(1);
            let w = (0..digits).fold(0, |w, _| w << 8 | u128::from(more.next().unwrap()));
            return Self::index(&self.rest, w >> (8 * digits - self.left)).unwrap();
        }
        let draw = (0..self.leads[level].bits.div_ceil(8)).fold(0, |v, _| v << 8 | u128::from(more.next().unwrap()));
        self.decided(level, draw).unwrap_or_else(|| self.anew(level + 1, more))
    }

    /// The open ones of rows of so many take the pool's values, column by column, and then new draws of the next level.
    fn take(
        &self,
        level: usize,
        drawn: &mut [Option<usize>],
        pool: &[usize],
        columns: usize,
        more: &mut impl Iterator<Item = u8>,
    ) {
        let mut pool = pool.iter();
        for column in 0..columns {
            for value in drawn.iter_mut().skip(column).step_by(columns).filter(|value| value.is_none()) {
                *value = Some(pool.next().copied().unwrap_or_else(|| self.anew(level + 1, more)));
            }
        }
    }

    /// A batch of so many rows by the stream's bytes, and the bytes that follow them; those that are not needed remain.
    fn batch(
        &self,
        rows: usize,
        section_rows: usize,
        pools: Pools,
        bytes: &[u8],
        more: &mut impl Iterator<Item = u8>,
    ) -> Vec<i64> {
        let (draws, bytes) = bytes.split_at(64 * rows);
        let (second, bytes) = bytes.split_at(pools.second);
        let (high, bytes) = bytes.split_at(pools.third);
        let (low, last) = bytes.split_at(pools.third);
        let digits = last.len() / pools.last;
        let last: Vec<usize> = (0..pools.last)
            .map(|k| {
                let w = (0..digits).fold(0, |w, d| w << 8 | u128::from(last[d * pools.last + k]));
                Self::index(&self.rest, w >> (8 * digits as u32 - self.left)).unwrap()
            })
            .collect();
        let pair = |(high, low): (&u8, &u8)| self.decided(2, u128::from(*high) << 8 | u128::from(*low));
        let mut third: Vec<_> = high.iter().zip(low).map(pair).collect();
        self.take(2, &mut third, &last, 64, more);
        let third: Vec<usize> = third.into_iter().flatten().collect();
        let mut pool: Vec<_> = second.iter().map(|v| self.decided(1, (*v).into())).collect();
        self.take(1, &mut pool, &third, 1, more);
        let pool: Vec<usize> = pool.into_iter().flatten().collect();
        let mut values: Vec<_> =
            draws.iter().map(|v| self.decided(0, u128::from(if self.folded { v & 0x7f } else { *v }))).collect();
        for (values, pool) in values.chunks_mut(64 * section_rows).zip(pool.chunks(pools.section)) {
            self.take(0, values, pool, 1, more);
        }
        let signed = |(value, draw): (usize, &u8)| {
            self.first + if self.folded && *draw >= 0x80 { -(value as i64) } else { value as i64 }
        };
        values.into_iter().flatten().zip(draws).map(signed).collect()
    }
}

/// Thresholds of about a Gaussian's form: σ is a third of `count`.
fn gaussian(count: usize, precision: u32) -> Vec<u128> {
    let part = |j: usize| (-(j as f64 * 4.0 / count as f64).powi(2)).exp();
    (1..=count).map(|j| (part(j) * 2_f64.powi(precision as i32)) as u128).collect()
}

struct Case {
    model: Model,
    sampler: KnuthYaoCt<Vec<u32>, Vec<i8>>,
    thresholds: Vec<u128>,
    precision: u32,
}

impl Case {
    fn new(shape: Shape, first: i64, precision: u32, thresholds: &[u128]) -> Option<Self> {
        let model = Model::new(shape, first, precision, thresholds);
        let table = table(shape, first, precision, thresholds).unwrap();
        let sampler = KnuthYaoCt::from_table(PooledTable::with_parts_in(table, |len| vec![0; len]).ok()?);
        Some(Case { model, sampler, thresholds: thresholds.to_vec(), precision })
    }

    /// The stream's bytes of a batch of so many samples.
    fn len(&self, samples: usize) -> usize {
        self.parts(samples).draws
    }

    fn parts(&self, samples: usize) -> Parts {
        self.sampler.parts(samples.div_ceil(64), self.sampler.table.pools(samples))
    }

    fn batch_len(&self) -> usize {
        self.sampler.table.batch()
    }

    /// The samples of these bytes and those that [`Given`] has behind them, and how many of the latter are used.
    fn batch(&self, samples: usize, bytes: &[u8]) -> (Vec<i64>, usize) {
        let (table, rows, mut used) = (&self.sampler.table, samples.div_ceil(64), 0);
        let mut more = (bytes.len()..).map(later).inspect(|_| used += 1);
        let mut batch = self.model.batch(rows, table.section_rows(), table.pools(samples), bytes, &mut more);
        batch.truncate(samples);
        (batch, used)
    }
}

fn cases() -> Vec<Case> {
    let mut cases = vec![];
    for shape in [Shape::Folded, Shape::Full] {
        for precision in [1, 5, 7, 8, 9, 15, 16, 23, 31, 32, 40, 64, 90, 100] {
            for count in [1, 2, 5, 14, 15, 20, 31, 32, 60] {
                cases.extend(Case::new(shape, -3, precision, &gaussian(count, precision)));
                cases.extend(Case::new(shape, 40, precision, &falling(count, precision, count as u8)));
            }
        }
        // The longest tables, and one whose first indices are impossible.
        let most = if shape == Shape::Folded { 127 } else { 254 };
        let even: Vec<u128> = (1..=most).map(|j| 1 << 40 | (most - j)).collect();
        cases.extend(Case::new(shape, -100, 41, &even));
        cases.extend(Case::new(shape, -100, 41, &vec![(1 << 41) - 1; most as usize]));
    }
    assert!(cases.len() > 200);
    cases
}

/// The byte at this place behind the given ones. The reader's watch takes equal blocks for a stuck source.
fn later(at: usize) -> u8 {
    at as u8 ^ (at >> 8) as u8
}

/// Given bytes, then others.
#[derive(Clone)]
struct Given(Vec<u8>, usize);

impl TryRng for Given {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("bytes are asked for")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("bytes are asked for")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for byte in out {
            *byte = self.0.get(self.1).copied().unwrap_or(later(self.1));
            self.1 += 1;
        }
        Ok(())
    }
}

fn random(len: usize, seed: u8) -> Vec<u8> {
    let mut bits = crate::fixtures::reader(seed);
    (0..len).map(|_| bits.bits(8) as u8).collect()
}

/// P(index = j) is the table's own, to the last bit.
#[test]
fn the_levels_have_the_law_of_the_table() {
    for case in cases() {
        let (law, exponent) = case.model.law();
        let mut before = 1_u128 << case.precision;
        let all = case.thresholds.iter().copied().chain([0]);
        for (j, (p, next)) in law.iter().zip(all).enumerate() {
            assert_eq!(*p, (before - next) << (exponent - case.precision), "{j} of {} bits", case.precision);
            before = next;
        }
    }
}

#[test]
fn batches_are_those_of_the_model() {
    for (i, case) in cases().into_iter().enumerate() {
        let lengths = [case.batch_len(), [8, 63, 64, 65, 500, 1024, 1025, 1600, 2047][i % 9]];
        for samples in lengths {
            let bytes = random(case.len(samples), i as u8);
            let (want, used) = case.batch(samples, &bytes);
            for backend in Backend::available() {
                let mut out = vec![7_i32; samples];
                let mut bits = BitReader::new(Given(bytes.clone(), 0));
                assert_eq!(case.sampler.fill_on(backend, &mut bits, &mut out), Ok(()));
                assert!(out.iter().map(|x| i64::from(*x)).eq(want.iter().copied()), "{backend}, {i}");
                assert_eq!(bits.bits(8) as u8, later(bytes.len() + used), "{backend}, {i}");
            }
        }
    }
}

/// Open draws of every level, so that draws of w come out as samples.
#[test]
fn the_last_draws_reach_the_samples() {
    let mut reached = 0;
    for (i, case) in cases().into_iter().enumerate() {
        let pools = case.sampler.table.pools(2048);
        let mut bytes = random(case.len(2048), i as u8);
        let third_at = 2048 + pools.second;
        // All of their bits are ones, which no level decides.
        for start in [0, 2048, third_at, third_at + pools.third] {
            bytes[start..start + 8].fill(0xff);
        }
        let (want, _) = case.batch(2048, &bytes);
        // Another w gives another batch.
        let last_at = third_at + 2 * pools.third;
        let others = [0x00, 0xff].map(|byte| {
            let mut other = bytes.clone();
            other[last_at..].fill(byte);
            case.batch(2048, &other)
        });
        reached += usize::from(others[0] != others[1]);
        for backend in Backend::available() {
            let mut out = vec![7_i32; 2048];
            let mut bits = BitReader::new(Given(bytes.clone(), 0));
            assert_eq!(case.sampler.fill_on(backend, &mut bits, &mut out), Ok(()));
            assert!(out.iter().map(|x| i64::from(*x)).eq(want.iter().copied()), "{backend}, {i}");
        }
    }
    assert!(reached > 100, "{reached}");
}

/// Every pool may have too few entries. As many open draws as it has take them, and all others are drawn anew.
#[test]
fn open_draws_without_an_entry_are_drawn_anew() {
    for (shape, sign) in [(Shape::Folded, 0x80), (Shape::Full, 0)] {
        let case = Case::new(shape, 0, 100, &gaussian(14, 100)).unwrap();
        let pools = case.sampler.table.pools(2048);
        assert!(pools.second == 2 * pools.section && pools.section < 1024);
        let second_at = 2048;
        let third_at = second_at + pools.second;
        // (where the open draws are put, how many have entries, pieces of a draw)
        for (start, entries, pieces) in [
            (0, pools.section, vec![0]),
            (1024, pools.section, vec![0]),
            (second_at, pools.third, vec![0]),
            (third_at, pools.last, vec![0, pools.third]),
        ] {
            for more in [0, 1, 2, 5] {
                // All other draws are decided.
                let mut bytes = random(case.len(2048), 3 + more as u8);
                for (at, byte) in bytes[..third_at + pools.third].iter_mut().enumerate() {
                    let (least, most) = if at < second_at { (sign, 0x60) } else { (0, 0xc0) };
                    *byte = (*byte & least) | (*byte % most);
                }
                for draw in 0..entries + more {
                    pieces.iter().for_each(|piece| bytes[start + draw + piece] = 0xff);
                }
                let (want, used) = case.batch(2048, &bytes);
                assert_eq!(used > 0, more > 0, "{start}, {more}");
                for backend in Backend::available() {
                    let mut out = vec![7_i8; 2048];
                    let mut bits = BitReader::new(Given(bytes.clone(), 0));
                    assert_eq!(case.sampler.fill_on(backend, &mut bits, &mut out), Ok(()));
                    assert!(out.iter().map(|x| i64::from(*x)).eq(want.iter().copied()), "{backend}, {start}, {more}");
                    assert_eq!(bits.bits(8) as u8, later(bytes.len() + used), "{backend}, {start}, {more}");
                }
            }
        }
    }
}

#[test]
fn pieces_of_whole_batches_are_one_fill() {
    let case = Case::new(Shape::Full, -9, 64, &gaussian(19, 64)).unwrap();
    let fill = |lengths: &[usize]| {
        let (mut bits, mut out) = (crate::fixtures::reader(1), vec![0_i16; lengths.iter().sum()]);
        let mut rest = &mut out[..];
        for len in lengths {
            let (piece, behind) = rest.split_at_mut(*len);
            case.sampler.fill(&mut bits, piece).unwrap();
            rest = behind;
        }
        out
    };
    let whole = case.batch_len();
    for last in [0, 1, 7, 8, 9, 64, whole - 1] {
        assert_eq!(fill(&[2 * whole + last]), fill(&[whole, whole, last]), "{last}");
    }
    assert_ne!(fill(&[2 * whole]), fill(&[whole / 2, whole / 2, whole]));
    // Seven samples are drawn one by one, eight are not.
    let mut bits = crate::fixtures::reader(2);
    let mut singles = [0_i64; 7];
    case.sampler.fill(&mut crate::fixtures::reader(2), &mut singles).unwrap();
    assert!(singles.iter().all(|x| *x == case.sampler.sample(&mut bits)));
}

#[test]
fn a_type_that_is_too_narrow_is_refused() {
    let case = Case::new(Shape::Folded, 125, 40, &gaussian(14, 40)).unwrap();
    let mut out = vec![0_i8; 2048];
    assert!(case.sampler.fill(&mut crate::fixtures::reader(1), &mut out).is_err());
    let mut out = vec![0_i16; 2048];
    assert_eq!(case.sampler.fill(&mut crate::fixtures::reader(1), &mut out), Ok(()));
    assert!(out.iter().any(|x| *x > 127) && out.iter().all(|x| (111..=139).contains(x)));
}

/// The words outside the marked ranges are zero, so that erasing the ranges erases all values of a fill.
#[test]
fn scratch_buffers_know_what_is_to_be_erased() {
    let case = Case::new(Shape::Folded, 0, 100, &gaussian(14, 100)).unwrap();
    let mut scratch = Scratch { dirty: 0, words: [0; WORDS] };
    let mut most = 0;
    for samples in [100, 2048, case.batch_len(), 70] {
        let mut out = vec![0_i8; samples];
        let bits = &mut crate::fixtures::reader(samples as u8);
        case.sampler.fill_in(&mut scratch, Backend::current(), bits, &mut out).unwrap();
        most = most.max(case.parts(samples).words());
        assert_eq!(scratch.dirty, most);
        assert!(scratch.words[most..].iter().all(|word| *word == 0));
    }
}

/// Buffers of either size have space for every batch of the fill.
#[test]
fn buffers_are_long_enough() {
    let mut short = 0;
    for case in cases() {
        for samples in [8, 64, 500, 1024, 2048, 4096, 8191, 8192, 10_000] {
            let given = case.sampler.with_scratch(samples, |scratch| scratch.words.len());
            let longest = samples.min(case.batch_len());
            let least = (1..=longest.div_ceil(64)).map(|rows| case.parts(64 * rows).words()).max().unwrap();
            assert!(least <= given && (given == WORDS || FEW.contains(&given)), "{samples}");
            short += usize::from(given < WORDS);
        }
    }
    assert!(short > 400, "{short}");
}

#[test]
fn a_profile_is_the_table_s() {
    let case = Case::new(Shape::Folded, 0, 100, &gaussian(14, 100)).unwrap();
    let (profile, table) = (case.sampler.profile(), case.sampler.table());
    let whole = case.batch_len();
    assert_eq!(profile.expected_bits, 8.0 * case.len(whole) as f64 / whole as f64);
    assert_eq!((profile.timing, profile.expected_trials, profile.table_bytes), (Timing::Constant, 1.0, table.bytes()));
    assert_eq!((profile.exactness, profile.support), (Exactness::Within(table.bound()), -14..=14));
}

/// The bytes that kernels read are the model's levels: each tree's numbers, and the index that each counts from.
#[test]
fn the_trees_hold_the_levels() {
    for case in cases() {
        let table = &case.sampler.table;
        let above = |masses: &[u128]| -> Vec<u128> { (0..masses.len()).map(|j| masses[j..].iter().sum()).collect() };
        let number = |levels: &Levels<'_>, digits: usize, rank: usize| {
            let zeros = rank.trailing_zeros();
            let place = (1 << (levels.levels - 1 - zeros)) + (rank >> zeros >> 1);
            let digit = |d: usize| u128::from(levels.rows[d * levels.stride + place].cast_unsigned() ^ 0x80);
            (0..digits).fold(0, |number, d| number << 8 | digit(d))
        };
        let (trees, middle) = (table.trees(), table.middle());
        for (k, (lead, tree)) in case.model.leads.iter().zip(&trees).enumerate() {
            let first = lead.cells.iter().position(|cells| *cells > 0).unwrap();
            let last = lead.cells.iter().rposition(|cells| *cells > 0).unwrap();
            let numbers = &above(&lead.cells)[first..=last];
            assert_eq!((tree.len, table.bases()[k]), (numbers.len(), first.wrapping_sub(middle) as u8));
            for (rank, expected) in (1..).zip(numbers) {
                assert_eq!(number(tree, if k == 2 { 2 } else { 1 }, rank), *expected, "level {k}, {rank}");
            }
        }
        let (all, digits) = (1_u128 << case.model.left, table.fine_digits());
        let rest = &above(&case.model.rest)[1..];
        let certain = rest.iter().filter(|f| **f == all).count();
        let numbers: Vec<u128> = rest.iter().copied().filter(|f| *f != 0 && *f != all).collect();
        assert_eq!((trees[3].len, table.bases()[3]), (numbers.len(), certain.wrapping_sub(middle) as u8));
        for (rank, expected) in (1..).zip(numbers) {
            let aligned = expected << (8 * digits as u32 - case.model.left);
            assert_eq!(number(&trees[3], digits, rank), aligned, "F of rank {rank}");
        }
    }
}
