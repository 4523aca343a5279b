//! Walks against the explicit tree, and what is no tree.

use super::*;
use crate::bits::BitSource;
use crate::fixtures::{BOUND, falling, matrix, reader};
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

/// All columns' words.
fn stored(weights: &[u128], precision: u32, shape: Shape) -> Vec<u32> {
    matrix(&(0..precision).map(|c| column(weights, precision, c)).collect::<Vec<_>>(), shape)
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
        Ok((row, depth)) => Entry::Leaf { row, depth },
        Err(d) => Entry::Node(d),
    }
}

#[test]
fn walks_are_those_of_the_tree() {
    let mut bits = reader(4);
    for (rows, precision) in
        [(2, 1), (2, 9), (5, 20), (31, 30), (32, 17), (33, 31), (40, 32), (64, 28), (70, 33), (129, 60), (200, 100)]
    {
        for shape in [Shape::Folded, Shape::Full] {
            let weights = weights(rows, precision, rows as u8);
            let ones = |c| (0..rows).filter(|row| column(&weights, precision, c)[*row]).collect::<Vec<_>>();
            let ones: Vec<_> = (0..precision).map(ones).collect();
            let mut digits = stored(&weights, precision, shape);
            let (body, levels) = (digits.len(), 6.min(precision));
            let parts = KnuthYaoParts { shape, first: 9, precision, rows, first_levels: 0, digits: digits.clone() };
            let plain = made(parts.clone()).unwrap();
            digits.extend(plain.first_table(levels));
            let table = made(KnuthYaoParts { first_levels: levels, digits, ..parts }).unwrap();
            let bits_of_columns = plain.parts().digits[precision as usize] as usize;
            assert_eq!((plain.bytes(), plain.column_bytes()), (4 * body, 4 * bits_of_columns.div_ceil(32)));
            assert_eq!((table.bytes(), table.column_bytes()), (4 * body + (4 << levels), plain.column_bytes()));
            assert_eq!(plain.first_table(17).count(), 1 << precision.min(16));
            for i in 0..1_u64 << levels {
                let string = i.reverse_bits() >> (64 - levels);
                let entered = table.entry(i << (64 - levels));
                assert_eq!(entered, entry(walk(&ones, string, levels as usize)), "{rows}, {precision}");
            }
            for i in 0..300 {
                // The last of the nodes, down to a level, and from there on any: it is the deepest walk.
                let deep = if i % 4 == 0 { (1 << (i % 64)) - 1 } else { 0 };
                let word = bits.bits(64) >> (bits.bits(4) * 4) | deep;
                let string = (word as u32).reverse_bits() >> 1;
                let looked = table.column(string);
                match walk(&ones, word, 31) {
                    Ok((row, depth)) => {
                        assert_eq!((looked + 1, table.row(table.leaf(string, looked))), (depth, row));
                        assert_eq!(table.is_zero(string, looked), row == 0);
                    }
                    Err(d) => assert_eq!((looked, table.node(string)), (31, d)),
                }
                let ended = (0..32).filter(|c| !table.has_ended(string, *c)).count();
                assert_eq!(ended as u32, looked);
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
fn small_of(shape: Shape) -> KnuthYaoParts<Vec<u32>> {
    let mut digits = matrix(&[vec![false, true], vec![true, true]], shape);
    digits.extend([1 << 26 | 1, 1 << 31]);
    KnuthYaoParts { shape, first: 0, precision: 2, rows: 2, first_levels: 1, digits }
}

fn small() -> KnuthYaoParts<Vec<u32>> {
    small_of(Shape::Folded)
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
        let ended = made(KnuthYaoParts { first, ..small_of(shape) }).map(|_| ());
        assert_eq!(ended, if fits { Ok(()) } else { Err(TableError::Support { of: "table" }) }, "{shape:?}, {first}");
    }
}

#[test]
fn what_is_no_tree_is_refused_at_its_place() {
    let with = |digits: Vec<u32>| made(KnuthYaoParts { digits, ..small() }).map(|_| ());
    let length = |given, expected| Err(TableError::Length { part: "digits", given, unit: " words", expected });
    let whole = small().digits;
    let all = whole.len();
    assert_eq!(all, 3 + 19 + 3 + 2);
    assert_eq!(with(whole[..all - 1].to_vec()), length(all - 1, all));
    assert_eq!(with([&whole[..], &[0]].concat()), length(all + 1, all));
    assert_eq!(with(whole[..2].to_vec()), length(2, 3));
    assert_eq!(with(whole[..22].to_vec()), length(22, 23));
    let full = made(KnuthYaoParts { shape: Shape::Full, digits: vec![0, 2], ..small() }).map(|_| ());
    assert_eq!(full, length(2, 5));
    let edited = |edits: &[(usize, u32)]| {
        let mut digits = small().digits;
        edits.iter().for_each(|(at, word)| digits[*at] = *word);
        with(digits)
    };
    assert_eq!(edited(&[]), Ok(()));
    assert_eq!(edited(&[(all - 1, 1 << 31 | 1)]), Err(TableError::FirstTable { index: 1 }));
    assert_eq!(edited(&[(all - 2, 1 << 26), (all - 1, 0)]), Err(TableError::FirstTable { index: 0 }));
    // Offsets that do not begin with 0, fall, or leave more bits than rows; bits behind the last.
    assert_eq!(edited(&[(0, 1)]), Err(TableError::Column { column: 0 }));
    assert_eq!(edited(&[(1, 3)]), Err(TableError::Column { column: 0 }));
    assert_eq!(edited(&[(1, 5)]), Err(TableError::Column { column: 0 }));
    assert_eq!(edited(&[(1, 1)]), Err(TableError::Tree { column: 0 }));
    assert_eq!(edited(&[(6, 0b1_1110)]), Err(TableError::Column { column: 1 }));
    assert_eq!(edited(&[(21, 1 << 31)]), Err(TableError::Column { column: 1 }));
    // Offsets 0, 2, 5: a bit more than there are rows.
    assert_eq!(edited(&[(2, 5)]), Err(TableError::Column { column: 1 }));
    // The number of all ones says how many hints there are: beyond 128 there is one more.
    assert_eq!(edited(&[(22, 129)]), length(all, all + 1));
    // As of 0, 2, 3 ones, and of 4.
    for (columns, column) in [([[false, true], [true, false]], 1), ([[true, true], [true, true]], 1)] {
        let mut digits = matrix(&columns.map(|column| column.to_vec()), Shape::Folded);
        digits.extend([1 << 26 | 1, 1 << 31]);
        assert_eq!(with(digits), Err(TableError::Tree { column }));
    }
    let mut digits = matrix(&[vec![false, false], vec![true, true]], Shape::Folded);
    digits.extend([1 << 26 | 1, 1 << 31]);
    assert_eq!(with(digits), Err(TableError::Tree { column: 0 }));
    let empty = matrix(&[vec![false, false], vec![false, false]], Shape::Folded);
    assert_eq!(with([empty, vec![0, 0]].concat()), Err(TableError::Tree { column: 0 }));
    // The first row of a column of a full table, which says what its bits stand for.
    let columns = [vec![false, true], vec![true, true]];
    let digits = matrix(&columns, Shape::Full);
    let parts = KnuthYaoParts { shape: Shape::Full, first_levels: 0, digits, ..small() };
    assert!(made(parts.clone()).is_ok());
    let mut wrong = parts;
    wrong.digits[3] = 2;
    assert_eq!(made(wrong).unwrap_err(), TableError::Column { column: 0 });
}

/// A table of many blocks and groups, whose last column has a stretch of zeros that three hints span.
fn long() -> (Vec<Vec<bool>>, KnuthYaoParts<Vec<u32>>) {
    let (rows, precision) = (5001, 31);
    // Ones in the last column: 1300 rows at the beginning, one at the end, and what makes the sum 1.
    let mut weights: Vec<u128> = (0..rows)
        .map(|row| if row < 1300 { 2 * (row as u128 * 97 % 64) + 1 } else { 2 * (row as u128 * 31 % 128) })
        .collect();
    weights[rows - 1] = 1;
    let rest = (1 << precision) - weights.iter().sum::<u128>() + weights[1];
    weights[1] = rest;
    let columns: Vec<_> = (0..precision).map(|c| column(&weights, precision, c)).collect();
    let digits = matrix(&columns, Shape::Folded);
    (columns, KnuthYaoParts { shape: Shape::Folded, first: 0, precision, rows, first_levels: 0, digits })
}

/// Every one is found by its rank, and every rank is right.
#[test]
fn ones_are_found_by_their_ranks() {
    let (columns, parts) = long();
    let mut string: Vec<bool> = vec![];
    for column in columns {
        string.extend(&column[..column.iter().rposition(|bit| *bit).map_or(0, |last| last + 1)]);
    }
    let places: Vec<usize> = (0..string.len()).filter(|at| string[*at]).collect();
    let table = made(parts).unwrap();
    let words = table.parts().digits.as_slice();
    let far = places.windows(2).filter(|two| two[1] / 512 > two[0] / 512 + 1).count();
    assert!(places.len() > 10_000 && far > 0, "{far} of {}", places.len());
    for (rank, place) in places.iter().enumerate() {
        let leaf = Leaf { rank: rank as u32, shift: 0 };
        let (at, word, before) = table.word_of(leaf);
        assert_eq!((at as usize, table.row(leaf)), (place / 64 * 64, *place), "{rank}");
        assert_eq!((word & ((1 << (place % 64)) - 1)).count_ones(), before, "{rank}");
    }
    let mut ones = 0;
    for at in 0..=string.len() {
        assert_eq!(table.string.rank(words, at), ones, "{at}");
        ones += u32::from(string.get(at) == Some(&true));
    }
}

/// Any change of a rank, of the number of ones or of a hint, is found there.
#[test]
fn wrong_ranks_and_hints_are_refused() {
    let (_, parts) = long();
    let table = made(parts.clone()).unwrap();
    let (head, total) = (32, table.string.len().div_ceil(512));
    let ones_at = head + 19 * total;
    for at in [0, 1, 2, 19 * 7, 19 * 7 + 1, 19 * 7 + 2, 19 * (total - 1) + 2] {
        for bit in [0, 8, 9, 17, 30] {
            let mut wrong = parts.clone();
            wrong.digits[head + at] ^= 1 << bit;
            let error = TableError::Entry { entry: "matrix: the ranks of block", index: at / 19 };
            assert_eq!(made(wrong).unwrap_err(), error, "{at}, {bit}");
        }
    }
    for step in [1, 127, 128] {
        for index in [0, 1, 77, parts.digits.len() - ones_at - 2] {
            for change in [u32::wrapping_add, u32::wrapping_sub] {
                let mut wrong = parts.clone();
                let hint = &mut wrong.digits[ones_at + 1 + index];
                *hint = change(*hint, step);
                assert_eq!(made(wrong).unwrap_err(), TableError::Entry { entry: "matrix: hint", index });
            }
        }
    }
    // One more or one less, among as many hints.
    let ones = parts.digits[ones_at];
    assert!(!(ones + 1).is_multiple_of(128) && !(ones - 1).is_multiple_of(128) && !ones.is_multiple_of(128));
    for ones in [ones - 1, ones + 1] {
        let mut wrong = parts.clone();
        wrong.digits[ones_at] = ones;
        let error = TableError::Entry { entry: "matrix: the ranks of block", index: total };
        assert_eq!(made(wrong).unwrap_err(), error);
    }
}
