//! Against the definition in integers.

use super::*;
use crate::fixtures::{falling, table};
use crate::table::{GuidedTable, TableError};
use std::vec;
use std::vec::Vec;

type Direct = GuidedTable<Vec<u32>, Vec<u32>>;

/// A level in integers.
struct Level {
    /// The index of each decided draw.
    cells: Vec<usize>,
    bits: u32,
    /// The F_j, from F_0 on, in units of 2^-`precision`.
    below: Vec<u128>,
    precision: u32,
}

/// The level of so many bits of these cumulative masses, from that of index 0 on, whose unit is 2^-`precision`.
fn level(masses: &[u128], mut precision: u32, bits: u32) -> Level {
    let up = bits.saturating_sub(precision);
    precision += up;
    let masses: Vec<u128> = masses.iter().map(|mass| mass << up).collect();
    let unit = precision - bits;
    let of = |j: usize| masses[j] - masses.get(j + 1).copied().unwrap_or(0);
    let mut counts: Vec<u128> = (0..masses.len()).map(|j| of(j) >> unit).collect();
    let open = ((1 << bits) - counts.iter().sum::<u128>()).max(1).next_power_of_two();
    // Those of the largest indices are taken back.
    let mut taken = open + counts.iter().sum::<u128>() - (1 << bits);
    for count in counts.iter_mut().rev() {
        let back = taken.min(*count);
        (*count, taken) = (*count - back, taken - back);
    }
    let cells = (0..masses.len()).rev().flat_map(|j| vec![j; counts[j] as usize]).collect();
    let above = |j: usize| counts[j..].iter().sum::<u128>() << unit;
    let below = (0..masses.len()).map(|j| masses[j] - above(j)).collect();
    Level { cells, bits, below, precision: unit + open.ilog2() }
}

/// A direct guide's words by the definition.
fn words(shape: Shape, thresholds: &[u128], precision: u32) -> Vec<u32> {
    let first_bits = if shape == Shape::Folded { 15 } else { 16 };
    let masses: Vec<u128> = [1 << precision].into_iter().chain(thresholds.iter().copied()).collect();
    let first = level(&masses, precision, first_bits);
    let second = level(&first.below, first.precision, (thresholds.len().ilog2() + 3).clamp(14, 16));
    let mut words = Vec::new();
    for level in [&first, &second] {
        assert!(level.below[0].is_power_of_two());
        let mut cells = level.cells.clone();
        cells.resize(1 << level.bits, 0);
        words.extend(cells.chunks(2).map(|pair| (pair[0] | pair[1] << 16) as u32));
    }
    assert_eq!(second.below[0], 1 << second.precision);
    let head = |rest: &u128| {
        if second.precision > 31 { rest >> (second.precision - 31) } else { rest << (31 - second.precision) }
    };
    words.extend(second.below[1..].iter().map(|rest| head(rest) as u32));
    if thresholds.len().is_multiple_of(2) {
        words.push(0);
    }
    words
}

/// Thresholds of a bell.
fn bell(count: usize, precision: u32) -> Vec<u128> {
    let weight = |x: usize| (-(x as f64 * 4.0 / count as f64).powi(2)).exp();
    let all: f64 = (0..=count).map(weight).sum();
    let mut above = 1.0;
    (0..count)
        .map(|x| {
            above -= weight(x) / all;
            (f64::max(above, 0.0) * 2_f64.powi(precision.min(60) as i32)) as u128
                * (1 << (precision - precision.min(60)))
        })
        .collect()
}

#[test]
fn words_are_what_the_type_says() {
    let mut cases = vec![];
    for (i, (count, precision)) in [
        (1, 1),
        (1, 8),
        (9, 8),
        (20, 14),
        (20, 15),
        (21, 16),
        (130, 24),
        (300, 33),
        (40, 64),
        (2600, 100),
        (13_000, 90),
    ]
    .into_iter()
    .enumerate()
    {
        cases.push((falling(count, precision, i as u8), precision));
        if precision > 8 {
            cases.push((bell(count, precision), precision));
        }
    }
    for (thresholds, precision) in cases {
        for shape in [Shape::Folded, Shape::Full] {
            let wanted = words(shape, &thresholds, precision);
            let table = table(shape, 0, precision, &thresholds).unwrap();
            assert_eq!(len(&table), Some(wanted.len()));
            let made = GuidedTable::with_guide_in(table.clone(), vec![7; wanted.len()]).unwrap();
            assert!(made.guide() == wanted, "{shape:?}, {} of {precision}", thresholds.len());
            assert!(made.direct().is_some() && GuidedTable::new(table, wanted).is_ok());
            // What `rest` finds by the cells is the head's.
            let (direct, n) = (made.direct().unwrap(), thresholds.len());
            let (cells, heads) = direct.parts(made.guide(), n);
            for index in (1..=n).step_by(n / 7 + 1) {
                let rest = direct.rest(made.table(), cells, index);
                assert_eq!(leading(&rest, 31), heads[index - 1]);
            }
        }
    }
}

#[test]
fn words_that_do_not_belong_are_refused() {
    for (shape, count) in [(Shape::Folded, 300), (Shape::Full, 301)] {
        let thresholds = bell(count, 40);
        let table = || table(shape, 0, 40, &thresholds).unwrap();
        let len = Direct::direct_len(&table()).unwrap();
        assert_eq!(Some(len), super::len(&table()));
        let guide = GuidedTable::with_guide_in(table(), vec![0; len]).unwrap().guide().to_vec();
        for index in (0..len).step_by(97).chain([len - 1, len - 2, len - count, len - count - 1]) {
            for flip in [1, 1 << 16, 1 << 31] {
                let mut wrong = guide.clone();
                wrong[index] ^= flip;
                wrong[len - 1] ^= 4;
                let error = TableError::Entry { entry: "guide: word", index };
                assert_eq!(GuidedTable::new(table(), wrong).unwrap_err(), error);
            }
        }
        for wrong in [len - 1, len + 1, len + 2] {
            let error = TableError::GuideLength { entries: wrong, max: 26 };
            assert_eq!(GuidedTable::new(table(), vec![0; wrong]).unwrap_err(), error);
            assert_eq!(GuidedTable::with_guide_in(table(), vec![0; wrong]).unwrap_err(), error);
        }
    }
}

#[test]
fn tables_with_a_direct_guide() {
    let len =
        |shape, thresholds: &[u128], precision| Direct::direct_len(&table(shape, 0, precision, thresholds).unwrap());
    // As many thresholds as cells can number, and the first with one more.
    let many: Vec<u128> = (0..1 << 15).rev().map(|t: u128| t << 3).collect();
    assert_eq!(len(Shape::Full, &many[1..], 20), Some((1 << 15) + (1 << 15) + (1 << 15) - 1));
    assert_eq!(len(Shape::Full, &many, 20), None);
    // 16 leads of 7 bits, and 17; 32 of 8, and 33.
    let leads = |count: u128, bits: u32| (0..count).rev().map(|lead| lead << (40 - bits)).collect::<Vec<_>>();
    assert_eq!(len(Shape::Folded, &leads(16, 7), 40), None);
    assert_eq!(len(Shape::Folded, &leads(17, 7), 40), Some((1 << 14) + (1 << 13) + 17));
    assert_eq!(len(Shape::Full, &leads(32, 8), 40), None);
    assert_eq!(len(Shape::Full, &leads(33, 8), 40), Some((1 << 15) + (1 << 13) + 33));
    // Few leads of many thresholds.
    assert_eq!(len(Shape::Folded, &(0..127).rev().collect::<Vec<_>>(), 40), None);
    assert_eq!(len(Shape::Folded, &(0..128).rev().collect::<Vec<_>>(), 40), Some((1 << 14) + (1 << 13) + 129));
}
