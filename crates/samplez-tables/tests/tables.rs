//! Built tables and their certificates against 1500-bit sums (kat/law-tables.csv,
//! kat/law-thresholds.csv).
#![cfg(not(miri))]

mod common;

use samplez_core::table::Table;
use samplez_core::table::{CdtTable, Shape};
use samplez_core::{Bound, DiscreteGaussian, Rational};
use samplez_tables::{BuildError, CdtOptions, Rounding, build_cdt, certify};
use std::collections::HashMap;

const TABLES: &str = include_str!("../../../kat/law-tables.csv");
const THRESHOLDS: &str = include_str!("../../../kat/law-thresholds.csv");

fn built(row: &[&str]) -> CdtTable<Vec<u32>> {
    let rounding = match row[4] {
        "floor" => Rounding::Floor,
        "nearest" => Rounding::Nearest,
        other => panic!("rounding {other}"),
    };
    let options = CdtOptions { precision: row[3].parse().unwrap(), rounding, ..CdtOptions::default() };
    build_cdt(&common::law(row), &options).unwrap()
}

/// T_j, as a hexadecimal number.
fn threshold<S: AsRef<[u32]>>(table: &CdtTable<S>, j: usize) -> String {
    let (n, each) = (table.len(), table.precision().div_ceil(32) as usize);
    let (heads, others) = table.digits().split_at(n);
    let mut digits = vec![heads[j - 1]];
    digits.extend(&others[(j - 1) * (each - 1)..j * (each - 1)]);
    // Left-aligned: write 32·D bits in binary, and cut behind B.
    let binary: String = digits.iter().map(|digit| format!("{digit:032b}")).collect();
    let (number, rest) = binary.split_at(table.precision() as usize);
    assert!(!rest.contains('1'));
    let padded = format!("{}{number}", "0".repeat((4 - number.len() % 4) % 4));
    let hex: String = (0..padded.len() / 4)
        .map(|i| format!("{:x}", u8::from_str_radix(&padded[4 * i..4 * i + 4], 2).unwrap()))
        .collect();
    let trimmed = hex.trim_start_matches('0');
    if trimmed.is_empty() { "0".into() } else { trimmed.into() }
}

fn entries(bound: &Bound) -> [f64; 6] {
    let renyi = |order| bound.renyi(order).unwrap();
    [bound.log2_sd, renyi(2), renyi(256), renyi(513), bound.log2_rinf, bound.log2_tail]
}

#[test]
fn layouts_and_bounds() {
    let names = ["SD", "R_2", "R_256", "R_513", "R_inf", "tail"];
    let (mut count, mut loosest) = (0, (0.0, String::new()));
    for row in common::rows(TABLES) {
        let table = built(&row);
        let shape = match table.shape() {
            Shape::Folded => "folded",
            Shape::Full => "full",
        };
        assert_eq!((shape, table.first().to_string().as_str()), (row[5], row[6]), "{row:?}");
        assert_eq!(table.len().to_string(), row[7], "{row:?}");
        assert_eq!(certify(&table.view()), table.bound());
        for ((name, got), want) in names.iter().zip(entries(&table.bound())).zip(&row[8..]) {
            let want: f64 = want.parse().unwrap();
            assert!(got >= want - want.abs() * 1e-11, "{name} is {want}, not below {got}: {row:?}");
            // Tightness ends where the working precision does.
            if want > -f64::from(table.precision()) - 30.0 {
                count += 1;
                if got - want > loosest.0 {
                    loosest = (got - want, format!("{name} {row:?}"));
                }
            }
        }
    }
    println!("loosest of {count}: {loosest:?}");
    assert!(count > 600 && loosest.0 < 0.02, "{loosest:?}");
}

#[test]
fn thresholds_are_exact() {
    let mut tables = HashMap::new();
    let mut count = 0;
    for row in common::rows(THRESHOLDS) {
        let table = tables.entry(row[..5].to_vec()).or_insert_with(|| built(&row));
        assert_eq!(threshold(table, row[5].parse().unwrap()), row[6], "{row:?}");
        count += 1;
    }
    assert_eq!(count, tables.values().map(CdtTable::len).sum::<usize>());
    assert!(count > 2000);
}

/// The published way to round costs the Rényi argument everything, rounding down nothing.
#[test]
fn nearest_thresholds_are_worse_by_the_known_factors() {
    let cases = [("1.8205", -48.64, -63.96), ("3.3311", -2.20, -63.04), ("19.5", 1.35, -61.04), ("215", 5.21, -57.67)];
    for (sigma, nearest, floored) in cases {
        let law = DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap();
        for (rounding, want) in [(Rounding::Nearest, nearest), (Rounding::Floor, floored)] {
            let options = CdtOptions { precision: 64, rounding, ..CdtOptions::default() };
            let got = build_cdt(&law, &options).unwrap().bound().renyi(256).unwrap();
            assert!((got - want).abs() < 0.02, "{sigma} {rounding:?}: {got}");
        }
    }
    for (precision, want) in [(72, [-73.95, -71.8, -69.2, -65.8]), (80, [-82.4, -79.6, -77.3, -73.8])] {
        for (sigma, want) in ["1.8205", "3.3311", "19.5", "215"].into_iter().zip(want) {
            let law = DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap();
            let options = CdtOptions { precision, ..CdtOptions::default() };
            let got = build_cdt(&law, &options).unwrap().bound().renyi(256).unwrap();
            assert!((got - want).abs() < 0.06, "{sigma} {precision}: {got}");
        }
    }
}

/// Moving 2^-20 of mass from index 4 to index 5 shows in every entry, by what it must.
#[test]
fn a_corrupted_digit_shows() {
    let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
    let table = build_cdt(&law, &CdtOptions { precision: 64, ..CdtOptions::default() }).unwrap();
    let mut digits = table.digits().to_vec();
    digits[4] += 1 << 12;
    let corrupted = CdtTable::new(law, table.bound(), Shape::Folded, 0, 64, digits).unwrap();
    let bound = certify(&corrupted);
    let p = 2.0 * samplez_tables::Law::new(&law).pmf(5);
    let excess = 2_f64.powi(-20);
    assert!((bound.log2_sd + 20.0).abs() < 0.001, "{bound:?}");
    assert!((bound.log2_rinf - (excess / p).log2()).abs() < 0.001, "{bound:?}");
    // R_2 - 1 = Σ pδ², over the two indices.
    let other = 2.0 * samplez_tables::Law::new(&law).pmf(4);
    let chi = excess * excess * (1.0 / p + 1.0 / other);
    assert!((bound.renyi(2).unwrap() - chi.log2()).abs() < 0.01, "{bound:?}");
    assert_eq!(bound.log2_tail, table.bound().log2_tail);
}

#[test]
fn refusals_name_argument_value_and_limit() {
    let law = DiscreteGaussian::with_sigma("1.6e5".parse().unwrap()).unwrap();
    let message = |law: &DiscreteGaussian, options: CdtOptions| build_cdt(law, &options).unwrap_err().to_string();
    for precision in [0, 257, u32::MAX] {
        let text = message(&law, CdtOptions { precision, ..CdtOptions::default() });
        assert_eq!(text, format!("precision = {precision}: expected a number between 1 and 256"));
    }
    let limit = CdtOptions { max_bytes: 30_000_000, ..CdtOptions::default() };
    assert_eq!(
        message(&law, limit),
        "sigma = 160000: a table of 128 bits takes 30.2 MiB, more than the 28.6 MiB allowed; raise max_bytes"
    );
    // The limit is exact: 1979273 thresholds of 16 bytes, 2^128 P(|X| = n) is 1.00002 at the last.
    let bytes = 1_979_273 * 16;
    for rounding in [Rounding::Floor, Rounding::Nearest] {
        let options = CdtOptions { max_bytes: bytes - 1, rounding, ..CdtOptions::default() };
        let error = build_cdt(&law, &options).unwrap_err();
        assert!(matches!(error, BuildError::TooLarge { limit: 31_668_367, .. }), "{error:?}");
    }
    assert_eq!(
        build_cdt(&law, &CdtOptions { max_bytes: bytes, ..CdtOptions::default() }).unwrap().bytes() as u64,
        bytes
    );

    // A coarse table: rounded down a single value is left, rounded to the nearest 1.3 σ.
    let wide = DiscreteGaussian::with_sigma("1e18".parse().unwrap()).unwrap();
    for (rounding, fits) in [(Rounding::Floor, true), (Rounding::Nearest, false)] {
        let table = build_cdt(&wide, &CdtOptions { precision: 2, rounding, ..CdtOptions::default() });
        assert!(matches!(table, Err(BuildError::TooLarge { .. })) != fits && table.is_ok() == fits);
    }

    let unlimited = CdtOptions { max_bytes: u64::MAX, ..CdtOptions::default() };
    let wide = DiscreteGaussian::with_sigma("1e15".parse().unwrap()).unwrap();
    assert!(matches!(build_cdt(&wide, &unlimited), Err(BuildError::OutOfMemory { .. })));
    assert!(message(&wide, unlimited).starts_with("sigma = 1000000000000000: no memory for a table of "));
    for center in [i64::MAX, i64::MAX - 41, i64::MIN, i64::MIN + 41] {
        let width = samplez_core::Width::Sigma("3.2".parse().unwrap());
        let edge = DiscreteGaussian::new(Rational::from(center), width).unwrap();
        assert!(matches!(build_cdt(&edge, &CdtOptions::default()), Err(BuildError::Support { .. })), "{center}");
    }
}

#[test]
fn a_table_reaches_the_ends_of_i64() {
    for center in [i64::MAX - 42, i64::MIN + 42] {
        let width = samplez_core::Width::Sigma("3.2".parse().unwrap());
        let edge = DiscreteGaussian::new(Rational::from(center), width).unwrap();
        let table = build_cdt(&edge, &CdtOptions::default()).unwrap();
        assert_eq!(table.support(), center - 42..=center + 42);
    }
}

#[test]
fn a_point_mass_is_a_table() {
    for center in ["0", "1/3"] {
        let width = samplez_core::Width::Sigma("0.01".parse().unwrap());
        let law = DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
        for precision in [1, 64, 256] {
            let table = build_cdt(&law, &CdtOptions { precision, ..CdtOptions::default() }).unwrap();
            assert_eq!((table.len(), threshold(&table, 1).as_str()), (1, "0"));
            assert!(table.bound().log2_sd < -f64::from(precision));
        }
    }
}
