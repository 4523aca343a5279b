//! Every text of [`Batch`] against its definition.

use super::batch::{Batch, COLUMNS, MAX_DIGITS, MAX_ROWS, MAX_SLOTS};
use crate::arch::Backend;
use crate::arch::tree::Tree;
use crate::arch::vector::{Specification, VectorKernel};
use std::vec::Vec;
use std::{format, vec};

/// Numbers of a source that gives the same ones every time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 ^ self.0 >> 29) >> 16) as usize % n
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.below(256) as u8).collect()
    }
}

/// Falling numbers of so many digits, and their tree.
struct Numbers {
    numbers: Vec<Vec<u8>>,
    rows: Vec<i8>,
    stride: usize,
    levels: u32,
}

impl Numbers {
    fn new(mut numbers: Vec<Vec<u8>>, digits: usize) -> Self {
        numbers.sort_by(|a, b| b.cmp(a));
        let levels = (usize::BITS - numbers.len().leading_zeros()).max(4);
        let stride = 64.max(1 << levels);
        let mut rows = vec![-128; digits * stride];
        for (number, rank) in numbers.iter().zip(1_usize..) {
            let place = (1 << (levels - 1 - rank.trailing_zeros())) + (rank >> rank.trailing_zeros()) / 2;
            for (d, digit) in number.iter().enumerate() {
                rows[d * stride + place] = (digit ^ 0x80) as i8;
            }
        }
        Numbers { numbers, rows, stride, levels }
    }

    fn tree(&self) -> Tree<'_> {
        Tree { rows: &self.rows, stride: self.stride, levels: self.levels, len: self.numbers.len() }
    }

    fn above(&self, number: &[u8]) -> usize {
        self.numbers.iter().filter(|other| &other[..] > number).count()
    }
}

/// What a batch is made of, with its own bytes.
struct Case {
    coarse: Numbers,
    fine: Numbers,
    digits: usize,
    slots: usize,
    offset: u16,
    folded: bool,
    wide: bool,
    draws: Vec<u8>,
    spare: Vec<u8>,
}

impl Case {
    /// A batch of so many rows, of which about `open` samples are open, many draws and slots beside the numbers.
    fn new(
        random: &mut Random,
        coarse: usize,
        fine: usize,
        digits: usize,
        slots: usize,
        rows: usize,
        open: usize,
    ) -> Self {
        let (folded, wide) = (random.below(2) == 0, coarse.max(fine) > 100 || random.below(2) == 0);
        let top = if folded { 1 << 15 } else { 1 << 16 };
        let spare_values = 1 << random.below(9);
        let two = |number: usize| vec![(number >> 8) as u8, number as u8];
        let mut leads: Vec<_> = (1..coarse).map(|_| 1 + random.below(top - spare_values)).collect();
        leads.push(top - spare_values);
        let mut draws = vec![0; 2 * COLUMNS * rows];
        let samples = COLUMNS * rows;
        for at in 0..samples {
            let lead = match random.below(4) {
                0 => leads[random.below(coarse)] - 1,
                1 => leads[random.below(coarse)].min(top - spare_values - 1),
                _ => random.below(top - spare_values),
            };
            let is_open = open >= samples || random.below(samples) < open;
            let lead = if is_open { top - 1 - random.below(spare_values) } else { lead };
            let sign = if folded { 0x8000 * random.below(2) } else { 0 };
            let (row, column) = (at / COLUMNS, at % COLUMNS);
            for (half, byte) in two(lead | sign).into_iter().enumerate() {
                draws[2 * COLUMNS * row + COLUMNS * half + column] = byte;
            }
        }
        // As a tail has it: from some number on with zeros before the first digit.
        let numbers = (0..fine).map(|j| {
            let mut number = random.bytes(digits);
            let zeros = (digits * j / fine).min(digits - 1);
            number[..zeros].fill(0);
            number[digits - 1] |= 1;
            number
        });
        let fine = Numbers::new(numbers.collect(), digits);
        let mut spare = random.bytes(digits * slots + COLUMNS);
        for k in 0..slots {
            let near = &fine.numbers[random.below(fine.numbers.len())];
            match random.below(4) {
                0 => {}
                1 => (0..digits / 2).for_each(|d| spare[d * slots + k] = 0),
                least => {
                    (0..digits).for_each(|d| spare[d * slots + k] = near[d]);
                    spare[(digits - 1) * slots + k] -= (least - 2) as u8;
                }
            }
        }
        let least = random.below(20);
        let certain = random.below(20);
        Case {
            coarse: Numbers::new(leads.into_iter().map(two).collect(), 2),
            fine,
            digits,
            slots,
            offset: (certain as u16).wrapping_sub(least as u16),
            folded,
            wide,
            draws,
            spare,
        }
    }

    fn samples(&self) -> usize {
        self.draws.len() / 2
    }

    /// The indices by the words of [`Batch`]; none on overflow.
    fn definition(&self) -> Option<Vec<u16>> {
        let draw = |at: usize| {
            let first = 2 * COLUMNS * (at / COLUMNS) + at % COLUMNS;
            [self.draws[first] & if self.folded { 0x7f } else { 0xff }, self.draws[first + COLUMNS]]
        };
        let mut indices: Vec<_> = (0..self.samples()).map(|at| self.coarse.above(&draw(at)) as u16).collect();
        let mut slots = (0..self.slots).map(|k| {
            let number: Vec<u8> = (0..self.digits).map(|d| self.spare[d * self.slots + k]).collect();
            self.offset.wrapping_add(self.fine.above(&number) as u16)
        });
        for column in 0..COLUMNS {
            for index in indices[column..].iter_mut().step_by(COLUMNS) {
                *index = if *index == 0 { slots.next()? } else { *index - 1 };
            }
        }
        Some(indices)
    }

    /// What this text makes of it, by bytes, and whether there was an overflow.
    fn by(&self, text: impl Fn(Batch<'_>) -> u32) -> (Vec<u8>, Vec<u8>, u32) {
        let mut low = vec![0xaa; self.samples()];
        let mut high = vec![0xaa; if self.wide { self.samples() } else { 0 }];
        let overflow = text(Batch {
            coarse: self.coarse.tree(),
            fine: self.fine.tree(),
            digits: self.digits,
            slots: self.slots,
            offset: self.offset,
            folded: self.folded,
            draws: &self.draws,
            spare: &self.spare,
            low: &mut low,
            high: &mut high,
        });
        (low, high, overflow)
    }

    fn check(&self) {
        let want = self.definition();
        let agrees = |name: &str, (low, high, overflow): (Vec<u8>, Vec<u8>, u32)| {
            let (coarse, fine) = (self.coarse.numbers.len(), self.fine.numbers.len());
            let case = format!("{name}: {coarse} and {fine} numbers of {} digits, {} slots", self.digits, self.slots);
            assert_eq!(overflow, u32::from(want.is_none()), "{case}");
            for (at, want) in want.iter().flatten().enumerate() {
                assert_eq!(low[at], *want as u8, "{case}, sample {at}");
                assert!(!self.wide || high[at] == (want >> 8) as u8, "{case}, sample {at}");
            }
        };
        agrees("planes", self.by(|batch| batch.run_in_planes::<[u64; 8]>()));
        agrees("portable vectors", self.by(|batch| VectorKernel::run::<Specification>(batch)));
        for backend in Backend::available() {
            agrees(backend.name(), self.by(|batch| batch.run(backend)));
        }
    }
}

/// Both trees of every length up to some hundreds, and of some that fill a level or begin one.
#[test]
fn trees_of_every_length() {
    let mut random = Random(1);
    let long = [511, 512, 513, 1023, 1024, 2047, 2048, 4094, 4095];
    for len in (1..=300).chain(long) {
        let digits = 1 + random.below(4);
        let rows = 1 + random.below(5);
        Case::new(&mut random, len, 1 + len % 40, digits, 40, rows, 20).check();
        Case::new(&mut random, 1 + len % 40, len, digits, 40, rows, 20).check();
    }
}

/// Every number of slots, digits and rows.
#[test]
fn batches_of_every_form() {
    let mut random = Random(2);
    for slots in (8..=MAX_SLOTS).step_by(8) {
        Case::new(&mut random, 20, 90, 15, slots, MAX_ROWS, slots * 3 / 4).check();
    }
    for digits in 1..=MAX_DIGITS {
        Case::new(&mut random, 5, 60, digits, 8 * digits.min(30), 4, 5 * digits).check();
    }
    for rows in 1..=MAX_ROWS {
        Case::new(&mut random, 14, 42, 15, 40, rows, 25).check();
    }
}

/// None open, a few more or less than there are slots, all.
#[test]
fn open_samples_in_any_number() {
    let mut random = Random(3);
    for open in (0..60).chain([100, 1000, 2048]) {
        Case::new(&mut random, 14, 42, 15, 40, MAX_ROWS, open).check();
        Case::new(&mut random, 14, 42, 2, 136, MAX_ROWS, 3 * open).check();
    }
}
