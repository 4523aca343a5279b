//! Walks against the explicit tree, and what is no tree.

use super::*;
use crate::bits::BitSource;
use crate::fixtures::{BOUND, falling, reader};
use crate::params::Rational;
use std::vec;
use std::vec::Vec;

fn made(parts: KnuthYaoParts<Vec<u32>>) -> Result<KnuthYaoTable<Vec<u32>>, TableError> {
    KnuthYaoTable::new(DiscreteGaussian::with_sigma(Rational::from(1)).unwrap(), BOUND, parts)
}

/// Probabilities of rows in units of 2^-B, which add up to 1.
fn weights(rows: usize, precision: u32, seed: u8) -> Vec<u128> {
    let mut ends = vec![1 << precision];
    ends.extend(falling(rows - 1, precision, seed));
    ends.push(0);
    ends.windows(2).map(|two| two[0] - two[1]).collect()
}

/// The bits of column c, by rows.
fn column(weights: &[u128], precision: u32, c: u32) -> Vec<bool> {
    weights.iter().map(|weight| weight >> (precision - 1 - c) & 1 != 0).collect()
}

fn words(bits: &[bool]) -> Vec<u32> {
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, bit| word << 1 | u32::from(*bit));
    bits.chunks(32).map(word).collect()
}

/// The columns as the type's documentation says.
fn stored(weights: &[u128], precision: u32, shape: Shape, columns: Columns) -> Vec<u32> {
    let all = (0..precision).map(|c| column(weights, precision, c));
    if columns == Columns::Packed {
        return all.flat_map(|column| words(&column)).collect();
    }
    let (mut offsets, mut first_rows, mut bits) = (vec![0], vec![], vec![]);
    for column in all {
        let last = column.iter().rposition(|bit| *bit).map_or(0, |last| last + 1);
        let first = if shape == Shape::Full { column.iter().position(|bit| *bit).unwrap_or(0) } else { 0 };
        bits.extend(&column[first..last]);
        first_rows.push(first as u32);
        offsets.push(bits.len() as u32);
    }
    if shape == Shape::Full {
        offsets.extend(first_rows);
    }
    offsets.extend(words(&bits));
    offsets
}

/// Where a walk is after these bits, the first being the least significant: the row and the bits used, or the node; by the rows
/// of each column's ones.
fn walk(ones: &[Vec<usize>], string: u64, levels: usize) -> Result<(usize, u32), u64> {
    let mut d = 0;
    for (c, ones) in ones.iter().enumerate().take(levels) {
        let child = 2 * d + (string >> c & 1);
        match ones.get(child as usize) {
            Some(row) => return Ok((*row, c as u32 + 1)),
            None => d = child - ones.len() as u64,
        }
    }
    Err(d)
}

fn entry(walked: Result<(usize, u32), u64>) -> Entry {
    match walked {
        Ok((row, depth)) => Entry::Leaf { row, zero: row == 0, depth },
        Err(d) => Entry::Node(d),
    }
}

#[test]
fn walks_are_those_of_the_tree() {
    let mut bits = reader(4);
    for (rows, precision) in
        [(2, 1), (2, 9), (5, 20), (31, 30), (32, 17), (33, 31), (40, 32), (64, 28), (70, 33), (129, 60), (200, 100)]
    {
        for (shape, columns) in [
            (Shape::Folded, Columns::Packed),
            (Shape::Full, Columns::Packed),
            (Shape::Folded, Columns::Compact),
            (Shape::Full, Columns::Compact),
        ] {
            let weights = weights(rows, precision, rows as u8);
            let ones = |c| (0..rows).filter(|row| column(&weights, precision, c)[*row]).collect::<Vec<_>>();
            let ones: Vec<_> = (0..precision).map(ones).collect();
            let mut digits = stored(&weights, precision, shape, columns);
            let (body, levels) = (digits.len(), 6.min(precision));
            let parts =
                KnuthYaoParts { shape, first: 9, precision, rows, columns, first_levels: 0, digits: digits.clone() };
            let plain = made(parts.clone()).unwrap();
            digits.extend(plain.first_table(levels));
            let table = made(KnuthYaoParts { first_levels: levels, digits, ..parts }).unwrap();
            assert_eq!((plain.bytes(), plain.column_bytes()), (4 * body, 4 * body));
            assert_eq!((table.bytes(), table.column_bytes()), (4 * body + (4 << levels), 4 * body));
            assert_eq!(plain.first_table(17).count(), 1 << precision.min(16));
            for i in 0..1 << levels {
                assert_eq!(table.entry(i), entry(walk(&ones, i as u64, levels as usize)), "{rows}, {precision}");
            }
            for i in 0..300 {
                // The last of the nodes, down to a level, and from there on any: it is the deepest walk.
                let deep = if i % 4 == 0 { (1 << (i % 64)) - 1 } else { 0 };
                let word = bits.bits(64) >> (bits.bits(4) * 4) | deep;
                assert_eq!(table.look(word), entry(walk(&ones, word, 31)), "{rows}, {precision}: {word:x}");
                let mut d = 0;
                let mut at = Err(0);
                for c in 0..precision.min(64) {
                    match table.descend(2 * d + (word >> c & 1), c) {
                        Step::Leaf(row) => {
                            at = Ok((row, c + 1));
                            break;
                        }
                        Step::Node(next) => (d, at) = (next, Err(next)),
                    }
                }
                assert_eq!(at, walk(&ones, word, 64));
            }
            for c in 0..precision {
                let column = column(&weights, precision, c);
                assert!((0..rows).all(|row| table.bit(row, c) == column[row]) && !table.bit(rows, c));
            }
            assert!(!table.bit(0, precision));
            assert_eq!(table.quiet() as usize, ones.iter().take_while(|ones| ones.is_empty()).count());
            let depth =
                |(c, ones): (usize, &Vec<usize>)| (c + 1) as f64 * ones.len() as f64 * (-(c as f64) - 1.0).exp2();
            let depth: f64 = ones.iter().enumerate().map(depth).sum();
            assert!((table.expected_depth() - depth).abs() < 1e-9);
            let last = rows as i64 - 1;
            assert_eq!(table.support(), (if shape == Shape::Folded { 9 - last } else { 9 })..=9 + last);
            assert_eq!((table.parts().rows, table.bound()), (rows, BOUND));
        }
    }
}

#[test]
fn words_of_the_first_table() {
    for of in [Entry::Node(0), Entry::Node(77), entry(Ok((0, 1))), entry(Ok((ROWS - 1, 16))), entry(Ok((5, 3)))] {
        assert_eq!(Entry::of(of.word()), of);
    }
    assert_eq!((entry(Ok((5, 3))).word(), Entry::Node(7).word()), (3 << 26 | 5, 1 << 31 | 7));
}

/// P(0) = 0.01, P(±1) = 0.11 with a first table of one level.
fn small() -> KnuthYaoParts<Vec<u32>> {
    let digits = vec![0b10, 0b11, 1 << 26 | 1, 1 << 31];
    let (precision, columns) = (2, Columns::Packed);
    KnuthYaoParts { shape: Shape::Folded, first: 0, precision, rows: 2, columns, first_levels: 1, digits }
}

#[test]
fn what_is_out_of_range_is_refused() {
    assert!(made(small()).is_ok());
    let refused = |parts| match made(parts).unwrap_err() {
        TableError::Param(ParamError::OutOfRange { argument, value, min, max }) => (argument, value, min, max),
        other => panic!("{other}"),
    };
    for precision in [0, 257] {
        let parts = KnuthYaoParts { precision, ..small() };
        assert_eq!(refused(parts), ("precision", precision.into(), 1, 256));
    }
    for rows in [0, 1, 1 << 26] {
        assert_eq!(refused(KnuthYaoParts { rows, ..small() }), ("rows", rows as u64, 2, (1 << 26) - 1));
    }
    assert_eq!(refused(KnuthYaoParts { first_levels: 3, ..small() }), ("first_levels", 3, 0, 2));
    let long = KnuthYaoParts { first_levels: 17, precision: 40, ..small() };
    assert_eq!(refused(long), ("first_levels", 17, 0, 16));
    for (shape, first, fits) in [
        (Shape::Full, i64::MAX - 1, true),
        (Shape::Full, i64::MAX, false),
        (Shape::Full, i64::MIN, true),
        (Shape::Folded, i64::MIN + 1, true),
        (Shape::Folded, i64::MIN, false),
        (Shape::Folded, i64::MAX, false),
    ] {
        let ended = made(KnuthYaoParts { shape, first, ..small() }).map(|_| ());
        assert_eq!(ended, if fits { Ok(()) } else { Err(TableError::Support { of: "table" }) }, "{shape:?}, {first}");
    }
}

#[test]
fn what_is_no_tree_is_refused_at_its_place() {
    let with = |digits: &[u32]| made(KnuthYaoParts { digits: digits.to_vec(), ..small() }).unwrap_err();
    let [one, two, first, second] = [0b10, 0b11, 1 << 26 | 1, 1 << 31];
    assert_eq!(with(&[one, two, first]), TableError::Length { part: "digits", given: 3, unit: " words", expected: 4 });
    assert_eq!(
        with(&[one, two, first, second, 0]),
        TableError::Length { part: "digits", given: 5, unit: " words", expected: 4 }
    );
    assert_eq!(with(&[one, two, first, second ^ 1]), TableError::FirstTable { index: 1 });
    assert_eq!(with(&[one, two, first ^ 1, second ^ 1]), TableError::FirstTable { index: 0 });
    assert_eq!(with(&[one, two | 4, first, second]), TableError::Column { column: 1 });
    assert_eq!(with(&[one | 4, two, first, second]), TableError::Column { column: 0 });
    assert_eq!(with(&[0b11, two, first, second]), TableError::Tree { column: 1 });
    assert_eq!(with(&[one, one, first, second]), TableError::Tree { column: 1 });
    assert_eq!(with(&[0, two, first, second]), TableError::Tree { column: 0 });
    let compact = |digits: &[u32], shape| {
        let parts = KnuthYaoParts { columns: Columns::Compact, first_levels: 0, shape, ..small() };
        made(KnuthYaoParts { digits: digits.to_vec(), ..parts }).map(|_| ())
    };
    // Offsets 0, 2, 4; rows 0 and 1 of both columns.
    assert_eq!(compact(&[0, 2, 4, 0b1110], Shape::Folded), Ok(()));
    assert_eq!(compact(&[0, 1, 3, 1, 0, 0b111], Shape::Full), Ok(()));
    assert_eq!(compact(&[0, 5, 4, 0b1110], Shape::Folded), Err(TableError::Column { column: 0 }));
    assert_eq!(compact(&[0, 2, 5, 0b1110], Shape::Folded), Err(TableError::Column { column: 1 }));
    assert_eq!(compact(&[0, 2, 1, 0b1110], Shape::Folded), Err(TableError::Column { column: 1 }));
    let long = KnuthYaoParts { columns: Columns::Compact, first_levels: 0, rows: 64, ..small() };
    let long = KnuthYaoParts { digits: vec![0, 40, 4, 0b1110], ..long };
    assert_eq!(made(long).unwrap_err(), TableError::Column { column: 0 });
    assert_eq!(compact(&[0, 1, 3, 2, 0, 0b111], Shape::Full), Err(TableError::Column { column: 0 }));
    assert_eq!(
        compact(&[0, 2], Shape::Folded),
        Err(TableError::Length { part: "digits", given: 2, unit: " words", expected: 3 })
    );
    assert_eq!(
        compact(&[0, 2], Shape::Full),
        Err(TableError::Length { part: "digits", given: 2, unit: " words", expected: 5 })
    );
}
