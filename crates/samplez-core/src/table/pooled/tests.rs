//! Pooled tables: every byte is looked at, the limits, and how many entries pools have. Their law is tested with the sampler.

use super::super::split::Upper;
use super::*;
use crate::fixtures::table;
use std::vec;
use std::vec::Vec;

fn gaussian(count: usize, precision: u32) -> Vec<u128> {
    let part = |j: usize| (-(j as f64 * 4.0 / count as f64).powi(2)).exp();
    (1..=count).map(|j| (part(j) * 2_f64.powi(precision as i32)) as u128).collect()
}

fn pooled(shape: Shape, precision: u32, thresholds: &[u128]) -> Result<PooledTable<Vec<u32>, Vec<i8>>, TableError> {
    PooledTable::with_parts_in(table(shape, 0, precision, thresholds).unwrap(), |len| vec![7; len])
}

#[test]
fn every_byte_is_looked_at() {
    let made = pooled(Shape::Full, 40, &gaussian(20, 40)).unwrap();
    let (table, parts) = (made.table().view(), made.parts.clone());
    assert!(PooledTable::new(table.clone(), parts.clone()).is_ok());
    for place in 0..parts.len() {
        let mut wrong = parts.clone();
        wrong[place] ^= 1;
        let found = PooledTable::new(table.clone(), wrong.clone()).unwrap_err();
        assert_eq!(found, TableError::Entry { entry: "parts: byte", index: place });
        wrong[parts.len() - 1] ^= 2;
        assert_eq!(PooledTable::new(table.clone(), wrong).unwrap_err(), found);
    }
    for given in [0, parts.len() - 1, parts.len() + 1] {
        let wrong = TableError::Length { part: "parts", given, unit: " bytes", expected: parts.len() };
        assert_eq!(PooledTable::new(table.clone(), vec![0; given]).unwrap_err(), wrong);
        assert_eq!(PooledTable::with_parts_in(table.clone(), |_| vec![0; given]).unwrap_err(), wrong);
    }
}

#[test]
fn limits_are_refused() {
    for (shape, most) in [(Shape::Folded, 127), (Shape::Full, 254)] {
        for count in [most, most + 1] {
            // All at index 0 but for a little.
            let falling: Vec<u128> = (1..=count as u128).map(|j| 300 - j).collect();
            let refused = pooled(shape, 60, &falling).err();
            let expected = TableError::PooledThresholds { thresholds: count, most };
            assert_eq!(refused, (count > most).then_some(expected));
        }
    }
    // 140 values of the same probability: both first levels leave half of their draws open.
    let even: Vec<u128> = (1..140).map(|j| (140 - j) * ((1 << 60) / 140)).collect();
    assert_eq!(pooled(Shape::Full, 60, &even).err(), Some(TableError::PooledOpen { level: 2 }));
    // The greatest number of values that have cells: 255 of 256.
    let values: Vec<u128> = (1..255).map(|j| 255 - j).collect();
    let table = pooled(Shape::Full, 8, &values).unwrap();
    assert_eq!(table.trees()[0].len, 254);
}

/// log2 of the probability that more than k of n are open, each with probability 2^-`open_bits`.
fn log2_tail(n: usize, k: usize, open_bits: u32) -> f64 {
    if k >= n {
        return f64::NEG_INFINITY;
    }
    let odds = (f64::from(open_bits).exp2() - 1.0).recip();
    let mut term = -(n as f64) * odds.ln_1p() / 2_f64.ln();
    let mut terms = vec![];
    for i in 0..n {
        term += ((n - i) as f64 / (i + 1) as f64 * odds).log2();
        terms.push(term);
    }
    let most = terms[k..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + terms[k..].iter().map(|term| (term - most).exp2()).sum::<f64>().log2()
}

/// For batches of every length the pools are large enough for the bound, and 16 entries fewer would not do; a longer batch
/// has no smaller ones.
#[test]
fn pools_are_large_enough_and_small() {
    for shape in [Shape::Folded, Shape::Full] {
        for precision in [1, 8, 20, 40, 72, 100, 120] {
            for count in [1, 4, 14, 20, 30, 60] {
                let Ok(table) = pooled(shape, precision, &gaussian(count, precision)) else { continue };
                let (split, most) = (&table.split, -(precision as i32) - 8);
                let [first, second, third] = split.leads.map(Lead::open_bits);
                let mut before = table.pools(1);
                for rows in 1..=split.rows {
                    let pools = table.pools(64 * rows);
                    let parts = rows.div_ceil(split.section_rows);
                    let mut all = log2_tail(pools.third, pools.last, third).exp2();
                    all += log2_tail(pools.second, pools.third, second).exp2();
                    for part in 0..parts {
                        let start = part * split.section_rows;
                        let n = 64 * (rows - start).min(split.section_rows);
                        let entries = pools.section.min(pools.second - part * pools.section);
                        all += log2_tail(n, entries, first).exp2();
                        assert!(entries.is_multiple_of(8) && entries <= 240);
                    }
                    assert!(all.log2() <= f64::from(split.log2_overflow), "{rows} rows of {precision} bits");
                    assert!(split.log2_overflow <= most);
                    assert!(
                        before.second <= pools.second && before.third <= pools.third && before.last <= pools.last,
                        "{rows} rows"
                    );
                    before = pools;
                }
                let share = f64::from(most - shares(split.rows, split.section_rows));
                let section = before.section;
                assert!(section <= 16 || log2_tail(64 * split.section_rows, section - 16, first) > share);
                assert!(before.third <= 16 || log2_tail(before.second, before.third - 16, second) > share);
            }
        }
    }
}

/// The powers are from above, and by little.
#[test]
fn nobody_open_is_bounded_from_above() {
    for open_bits in [1, 3, 4, 8, 16] {
        for n in [1, 8, 63, 64, 1024, 2048] {
            let bound = Open::new(open_bits).none(n);
            let log2 = (bound.m as f64).log2() + f64::from(bound.e);
            let exact = f64::from(n) * (-f64::from(open_bits).exp2().recip()).ln_1p() / 2_f64.ln();
            assert!((exact - 1e-9..exact + 1e-9 * f64::from(n)).contains(&log2), "{n}, {open_bits}: {log2}, {exact}");
        }
    }
    let product = |a: u64, b: u64| Upper { m: a, e: 0 }.product(Upper { m: b, e: 0 });
    for (a, b) in [(1 << 63, 1 << 63), (u64::MAX, u64::MAX), (1 << 63, u64::MAX), ((1 << 63) + 1, (1 << 63) + 1)] {
        let (exact, bound) = (u128::from(a) * u128::from(b), product(a, b));
        let above = u128::from(bound.m) << bound.e;
        assert!(bound.m >> 63 == 1 && above >= exact && above - exact < 1 << bound.e, "{a}, {b}");
    }
}

/// Every part of a batch, the sections and two pools, has its share of the bound.
#[test]
fn shares_are_for_all_parts() {
    for [rows, section_rows] in BATCHES {
        assert!(1 << shares(rows, section_rows) >= rows / section_rows + 2, "{rows}, {section_rows}");
    }
}
