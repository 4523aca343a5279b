//! Every text of [`Level`] against its definition.

use super::level::{COLUMNS, Level, POOL};
use crate::arch::Backend;
use crate::arch::tree::Tree;
use crate::arch::vector::{Specification, VectorKernel};
use crate::bits::{BitReader, BitSource, SplitMix64};
use std::vec;
use std::vec::Vec;

/// Falling numbers of a byte as a tree has them.
fn row(numbers: &[u8]) -> (Vec<i8>, u32) {
    let levels = (usize::BITS - numbers.len().leading_zeros()).max(4);
    let mut row = vec![-128; 64.max(1 << levels)];
    for (number, rank) in numbers.iter().zip(1_usize..) {
        let place = (1 << (levels - 1 - rank.trailing_zeros())) + (rank >> rank.trailing_zeros()) / 2;
        row[place] = (number ^ 0x80) as i8;
    }
    (row, levels)
}

fn below(bits: &mut BitReader<SplitMix64>, n: u64) -> u64 {
    bits.bits(32) % n
}

/// A level of so many numbers and rows; of 256 draws about `open` are open.
fn check(seed: u8, numbers: usize, folded: bool, rows: usize, section: [usize; 2], open: u64) {
    let mut bits = crate::fixtures::reader(seed);
    let top = if folded { 0x7f } else { 0xff };
    let first = if open == 0 { top } else { top - 3 };
    let mut leads: Vec<u8> = (1..numbers).map(|_| below(&mut bits, u64::from(first)) as u8 + 1).collect();
    leads.push(first);
    leads.sort_by(|a, b| b.cmp(a));
    let (row, levels) = row(&leads);
    let draws: Vec<u8> = (0..COLUMNS * rows)
        .map(|_| {
            let near = leads[below(&mut bits, numbers as u64) as usize];
            let v = match bits.bits(2) {
                0 => near - 1,
                1 => near.min(first - 1),
                _ => below(&mut bits, u64::from(first)) as u8,
            };
            let v = if below(&mut bits, 256) < open {
                first + below(&mut bits, u64::from(top - first) + 1) as u8
            } else {
                v
            };
            if folded { v | (bits.bits(1) as u8) << 7 } else { v }
        })
        .collect();
    let [section_rows, entries] = section;
    let (sections, base) = (rows.div_ceil(section_rows), bits.bits(8) as u8);
    let pool: Vec<u8> = (0..sections * entries + POOL).map(|_| bits.bits(8) as u8).collect();
    // By the words of the type.
    let mut want = Some(vec![]);
    for (i, draws) in draws.chunks(COLUMNS * section_rows).enumerate() {
        let above = |draw: &u8| leads.iter().filter(|d| **d > if folded { draw & 0x7f } else { *draw }).count();
        let mut values: Vec<u8> =
            draws.iter().map(|draw| base.wrapping_add(above(draw) as u8).wrapping_sub(1)).collect();
        let mut taken = pool[i * entries..][..entries].iter();
        for (value, _) in values.iter_mut().zip(draws).filter(|(_, draw)| above(draw) == 0) {
            match taken.next() {
                Some(entry) => *value = *entry,
                None => want = None,
            }
        }
        for (value, _) in values.iter_mut().zip(draws).filter(|(_, draw)| folded && **draw >= 0x80) {
            *value = value.wrapping_neg();
        }
        if let Some(want) = &mut want {
            want.extend(values);
        }
    }
    let by = |text: &dyn Fn(Level<'_>) -> u32| {
        let mut values = vec![0; draws.len()];
        let tree = Tree { rows: &row, stride: row.len(), levels, len: numbers };
        let overflow = text(Level { tree, folded, base, draws: &draws, values: &mut values, pool: &pool, section });
        (overflow == 0).then_some(values)
    };
    assert_eq!(by(&|level| level.run_in_planes::<[u64; 8]>()), want, "planes, {numbers} numbers, {section:?}");
    let portable = by(&|level| VectorKernel::run::<Specification>(level));
    assert_eq!(portable, want, "portable vectors, {numbers} numbers, {section:?}");
    for backend in Backend::available() {
        assert_eq!(by(&|level| level.run(backend)), want, "{backend}, {numbers} numbers, {section:?}");
    }
}

#[test]
fn trees_of_every_length() {
    for numbers in 1..=255 {
        check(numbers as u8, numbers, false, 1 + numbers % 20, [16, 200], 16);
        check(numbers as u8, numbers.min(127), true, 1 + numbers % 20, [16, 200], 16);
    }
}

#[test]
fn sections_of_every_form() {
    for entries in (8..=240).step_by(8) {
        for rows in [1, 5, 16, 17, 31, 32] {
            // About as many open draws as there are entries.
            let n = COLUMNS * rows.min(16);
            check(entries as u8, 12, rows % 2 == 0, rows, [16, entries], (entries * 256 / n) as u64);
            check(entries as u8, 12, rows % 2 == 0, rows, [8, entries], 12);
            check(entries as u8, 12, true, rows, [4, entries], 0);
        }
    }
}

/// After any number of open samples, any open place of a row takes the next entry. An open place behind it takes the one
/// after that.
#[test]
fn every_place_takes_the_next_entry() {
    const ENTRIES: usize = 240;
    let (row, levels) = row(&[200, 100]);
    // Entries differ from their neighbours, and from decided values, in every bit somewhere.
    let pool: Vec<u8> = (0..ENTRIES + POOL).map(|k| (k as u8).wrapping_mul(37) ^ 0x55).collect();
    for start in 0..ENTRIES - 1 {
        for column in 0..COLUMNS {
            let behind = column + 1 + (7 * start + column) % (COLUMNS - column);
            let mut cells = vec![150_u8; 5 * COLUMNS];
            cells[..start].fill(255);
            for place in [column, behind].into_iter().filter(|place| *place < COLUMNS) {
                cells[4 * COLUMNS + place] = 255;
            }
            let mut entries = pool.iter();
            let want: Vec<u8> = cells.iter().map(|v| if *v == 255 { *entries.next().unwrap() } else { 9 }).collect();
            let by = |text: &dyn Fn(Level<'_>) -> u32| {
                let mut values = vec![0; cells.len()];
                let tree = Tree { rows: &row, stride: row.len(), levels, len: 2 };
                let (draws, found, section) = (&cells, &mut values, [16, ENTRIES]);
                let level = Level { tree, folded: false, base: 9, draws, values: found, pool: &pool, section };
                (text(level), values)
            };
            assert_eq!(by(&|level| level.run_in_planes::<[u64; 8]>()).1, want, "words, {start}, {column}");
            for backend in Backend::available() {
                assert_eq!(by(&|level| level.run(backend)), (0, want.clone()), "{backend}, {start}, {column}");
            }
        }
    }
}

/// As many open samples as there are entries are no overflow. One more is. So are 256 and 1024, which are 0 modulo 2^8.
#[test]
fn too_many_open_samples_are_seen() {
    let (row, levels) = row(&[200, 100]);
    let pool = [0; 240 + POOL];
    for (open, overflow) in [(240, 0), (241, 1), (255, 1), (256, 1), (257, 1), (512, 1), (1024, 1)] {
        let by = |text: &dyn Fn(Level<'_>) -> u32| {
            let mut cells = vec![150_u8; 16 * COLUMNS];
            cells[16 * COLUMNS - open..].fill(255);
            let tree = Tree { rows: &row, stride: row.len(), levels, len: 2 };
            let (draws, values, section) = (&cells, &mut vec![0; cells.len()], [16, 240]);
            text(Level { tree, folded: false, base: 9, draws, values, pool: &pool, section })
        };
        assert_eq!(by(&|level| level.run_in_planes::<[u64; 8]>()), overflow, "words, {open}");
        for backend in Backend::available() {
            assert_eq!(by(&|level| level.run(backend)), overflow, "{backend}, {open}");
        }
    }
}
