//! `KnuthYao`: its exact law is the inversion table's; one stream for every layout and every first
//! table; bits, memory, statistics.

use crate::common::cdt::has_law_of;
use crate::common::{law, rejecting, verify};
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::KnuthYao;
use samplez_core::table::Table;
use samplez_core::table::{CdtTable, Columns, KnuthYaoParts, KnuthYaoTable, Shape, TableError};
use samplez_core::testing::Counted;
use samplez_core::{Bound, DiscreteGaussian, Int, Rational, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{CdtOptions, KnuthYaoOptions, Law, Rounding, build_cdt, build_knuth_yao};

const LAYOUTS: [Columns; 2] = [Columns::Packed, Columns::Compact];

fn built(target: &DiscreteGaussian, cdt: CdtOptions, columns: Columns, levels: u32) -> KnuthYaoTable<Vec<u32>> {
    build_knuth_yao(target, &KnuthYaoOptions { cdt, columns, first_levels: Some(levels) }).unwrap()
}

fn reader(number: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([number; 32])))
}

#[test]
fn the_exact_law_is_the_inversion_tables() {
    for precision in [4, 7, 10, 12] {
        for (sigma, center) in [("1", "0"), ("3.2", "-7"), ("1.7", "1/3"), ("0.6", "1/2"), ("3.2", "3/7")] {
            for rounding in [Rounding::Floor, Rounding::Nearest] {
                let (target, cdt) = (law(sigma, center), CdtOptions { precision, rounding, ..CdtOptions::default() });
                let table = build_cdt(&target, &cdt).unwrap();
                let thresholds: Vec<u32> = table.digits().iter().map(|digit| digit >> (32 - precision)).collect();
                for columns in LAYOUTS {
                    for levels in [0, 1, 2, 3, 5, precision] {
                        let levels = levels.min(precision);
                        let sampler = KnuthYao::from_table(built(&target, cdt, columns, levels));
                        let law = has_law_of(table.shape(), table.first(), precision, &thresholds, |bits| {
                            Some(sampler.sample(bits))
                        })
                        .unwrap_or_else(|e| panic!("{sigma}, {center}, B = {precision}, {columns:?}, {levels}: {e}"));
                        let (declared, walked) = (sampler.profile().expected_bits, law.expected_bits(0.0));
                        assert!((declared - walked.start()).abs() < 1e-12, "{declared}, {walked:?}");
                        assert_eq!(sampler.profile().support, table.support());
                    }
                }
            }
        }
    }
}

/// Walks hardly longer than the shortest: `fill` reads no bit ahead that samples leave.
#[test]
fn fills_take_no_more_bits_than_samples() {
    let sampler = KnuthYao::from_table(built(&law("1/4", "0"), CdtOptions::default(), Columns::Compact, 0));
    for seed in 0..50 {
        let (mut ahead, mut single) = (Counted::new(reader(seed)), Counted::new(reader(seed)));
        sampler.fill(&mut ahead, &mut [0_i8; 64]).unwrap();
        for _ in 0..64 {
            sampler.sample(&mut single);
        }
        assert_eq!(ahead.count(), single.count(), "seed {seed}");
    }
}

/// P(row) as the inversion table has it, T_row - T_(row + 1), digit by digit from the last.
fn weight_bits(table: &CdtTable<Vec<u32>>, row: usize) -> Vec<bool> {
    let (len, each) = (table.len(), table.precision().div_ceil(32) as usize);
    let bits = |j: usize| -> Vec<bool> {
        let digits: Vec<u32> = match j {
            0 => vec![0; each],
            j if j > len => vec![0; each],
            j => {
                let tail = &table.digits()[len + (j - 1) * (each - 1)..][..each - 1];
                [&table.digits()[j - 1..j], tail].concat()
            }
        };
        (0..table.precision() as usize).map(|c| digits[c / 32] >> (31 - c % 32) & 1 != 0).collect()
    };
    let (upper, lower) = (bits(row), bits(row + 1));
    let mut borrow = false;
    let mut difference: Vec<bool> = upper
        .iter()
        .zip(&lower)
        .rev()
        .map(|(a, b)| {
            let bit = a ^ b ^ borrow;
            borrow = (!a & (b | borrow)) | (b & borrow);
            bit
        })
        .collect();
    difference.reverse();
    difference
}

#[test]
fn the_matrix_holds_the_inversion_tables_weights() {
    let wide = |q: &str, width: fn(Rational) -> Width| {
        DiscreteGaussian::new(Rational::ZERO, width(q.parse().unwrap())).unwrap()
    };
    let laws = [
        law("3.2", "0"),
        law("3.2", "1/3"),
        law("55.5649", "0"),
        wide("8.35", Width::S),
        wide("10", Width::KSigma2),
        wide("7", Width::SigmaSq),
    ];
    for target in laws {
        for precision in [31, 64, 100, 256] {
            let cdt = CdtOptions { precision, ..CdtOptions::default() };
            let table = build_cdt(&target, &cdt).unwrap();
            for columns in LAYOUTS {
                let matrix = built(&target, cdt, columns, 3);
                assert_eq!(matrix.bound(), table.bound());
                for row in 0..=table.len() {
                    let row_bits: Vec<bool> = (0..precision).map(|c| matrix.bit(row, c)).collect();
                    assert_eq!(row_bits, weight_bits(&table, row), "{target}, B = {precision}, {columns:?}, row {row}");
                }
                assert!(!matrix.bit(table.len() + 1, 0) && !matrix.bit(0, precision));
            }
        }
    }
}

fn drawn<T: Int>(sampler: &KnuthYao<Vec<u32>>, len: usize, number: u8) -> (Vec<i64>, u64, u64) {
    let (mut bits, mut out) = (Counted::new(reader(number)), vec![T::ZERO; len]);
    bits.bits(1 + u32::from(number % 64));
    sampler.fill(&mut bits, &mut out).unwrap();
    (out.into_iter().map(Int::widen).collect(), bits.count(), bits.bits(64))
}

/// Plain walk, compact columns, first tables, `sample` and `fill`: the same integers from the same
/// bits, to the last.
#[test]
fn every_variant_has_one_stream() {
    for (sigma, center, precision) in
        [("3.2", "0", 128), ("3.2", "1/3", 128), ("215", "0", 64), ("32", "1/7", 40), ("0.6", "0", 256), ("1", "0", 8)]
    {
        let (target, cdt) = (law(sigma, center), CdtOptions { precision, ..CdtOptions::default() });
        for len in [0, 1, 5, 100, 3000] {
            let plain = KnuthYao::from_table(built(&target, cdt, Columns::Packed, 0));
            let mut bits = Counted::new(reader(len as u8));
            bits.bits(1 + len as u32 as u8 as u32 % 64);
            let samples: Vec<i64> = (0..len).map(|_| plain.sample(&mut bits)).collect();
            let want = (samples, bits.count(), bits.bits(64));
            for columns in LAYOUTS {
                for levels in [0, 1, 2, 7, 8, 14, 16] {
                    let sampler = KnuthYao::from_table(built(&target, cdt, columns, levels.min(precision)));
                    assert_eq!(drawn::<i64>(&sampler, len, len as u8), want, "{sigma}, {columns:?}, {levels}, {len}");
                    assert_eq!(drawn::<i16>(&sampler, len, len as u8), want, "{sigma}, {columns:?}, {levels}, {len}");
                    let mut bits = Counted::new(reader(len as u8));
                    bits.bits(1 + len as u32 as u8 as u32 % 64);
                    assert!(want.0.iter().all(|x| *x == sampler.sample(&mut bits)));
                    assert_eq!(bits.count(), want.1);
                }
            }
        }
    }
}

#[test]
fn bits_are_within_two_of_the_entropy_and_as_declared() {
    for (sigma, center) in
        [("0.6", "0"), ("1", "1/2"), ("3.3311", "0"), ("32", "1/3"), ("55.5649", "0"), ("107", "0"), ("215", "0")]
    {
        let target = law(sigma, center);
        let sampler = KnuthYao::from_table(build_knuth_yao(&target, &KnuthYaoOptions::default()).unwrap());
        let (declared, entropy) = (sampler.profile().expected_bits, Law::new(&target).entropy_in(2.0).unwrap());
        assert!(entropy <= declared && declared < entropy + 2.0, "{sigma}: {declared} bits, entropy {entropy}");
        let n = 400_000;
        let mut bits = Counted::new(reader(5));
        for _ in 0..n {
            sampler.sample(&mut bits);
        }
        let measured = bits.count() as f64 / f64::from(n);
        println!(
            "sigma {sigma}, center {center}: entropy {entropy:.4}, declared {declared:.4}, measured {measured:.4}"
        );
        assert!((measured / declared - 1.0).abs() < 0.01, "{sigma}: {measured}, {declared}");
    }
}

/// Bytes of packed columns, compact ones (516 of them offsets) and the default first table, at the
/// parameters of [JSDGS17], which has 0.48, 7.19 and 13.75 KB for its compact form.
#[test]
fn compact_columns_are_compact() {
    let sizes = ["3.3311", "55.5649", "107"].map(|sigma| {
        let table = |columns| {
            let options = KnuthYaoOptions { columns, ..KnuthYaoOptions::default() };
            build_knuth_yao(&law(sigma, "0"), &options).unwrap()
        };
        let (packed, compact) = (table(Columns::Packed), table(Columns::Compact));
        (packed.column_bytes(), compact.column_bytes(), compact.bytes() - compact.column_bytes())
    });
    assert_eq!(sizes, [(1024, 980, 2048), (11_776, 7904, 32_768), (22_528, 14_572, 65_536)]);
}

#[test]
fn knuth_yao_is_consistent() {
    for (sigma, center, precision, columns, levels) in [
        ("0.6", "0", 64, Columns::Packed, None),
        ("3.2", "0", 128, Columns::Compact, None),
        ("3.2", "1/2", 72, Columns::Compact, Some(4)),
        ("215", "1/7", 40, Columns::Compact, None),
        ("215", "0", 128, Columns::Compact, None),
    ] {
        let (target, cdt) = (law(sigma, center), CdtOptions { precision, ..CdtOptions::default() });
        let options = KnuthYaoOptions { cdt, columns, first_levels: levels };
        let sampler = KnuthYao::from_table(build_knuth_yao(&target, &options).unwrap());
        let mut out = vec![0_i64; 4_000_000];
        sampler.fill(&mut reader(17), &mut out).unwrap();
        let report = verify(&target, &out);
        assert!(rejecting(&report).is_empty(), "{target}: {report:?}");
    }
}

#[test]
fn a_sample_too_large_for_the_type_is_refused() {
    let sampler = KnuthYao::from_table(build_knuth_yao(&law("215", "0"), &KnuthYaoOptions::default()).unwrap());
    let (mut out, mut all) = ([0_i8; 1000], [0_i64; 1000]);
    let error = sampler.fill(&mut reader(1), &mut out).unwrap_err();
    sampler.fill(&mut reader(1), &mut all).unwrap();
    let at = all.iter().position(|x| i8::narrow(*x).is_none()).unwrap();
    assert_eq!(error.dtype, "i8");
    assert!(out[..at].iter().zip(all).all(|(x, y)| i64::from(*x) == y));
}

/// Every flipped bit of a table is noticed, but those that leave a law of the same shape: a swap
/// needs two.
#[test]
fn damaged_tables_are_refused() {
    let target = law("1.7", "1/3");
    for (columns, levels) in [(Columns::Packed, 0), (Columns::Compact, 0), (Columns::Compact, 3)] {
        let table = built(&target, CdtOptions { precision: 12, ..CdtOptions::default() }, columns, levels);
        let parts = table.parts().clone();
        let used = table.column_bytes() / 4;
        let mut silent = 0;
        for word in 0..parts.digits.len() {
            for bit in 0..32 {
                let mut parts = parts.clone();
                parts.digits[word] ^= 1 << bit;
                silent += usize::from(KnuthYaoTable::new(target, table.bound(), parts).is_ok());
            }
        }
        // Unused bits at the end of the last word of compact columns, and their first rows, which
        // say what a bit stands for.
        let slack = if columns == Columns::Compact { 32 + 12 * 4 } else { 0 };
        assert!(silent <= slack, "{columns:?}: {silent} of {used} words");
        for digits in [parts.digits[1..].to_vec(), [&parts.digits[..], &[0]].concat(), Vec::new()] {
            let parts = KnuthYaoParts { digits, ..parts.clone() };
            let error = KnuthYaoTable::new(target, table.bound(), parts).unwrap_err();
            assert!(!matches!(error, TableError::Param(_) | TableError::Support { .. }), "{error}");
        }
    }
}

#[test]
fn bad_parameters_are_refused() {
    let refusal = |sigma, precision, first_levels, max_bytes| {
        let cdt = CdtOptions { precision, max_bytes, ..CdtOptions::default() };
        let options = KnuthYaoOptions { cdt, first_levels, ..KnuthYaoOptions::default() };
        build_knuth_yao(&law(sigma, "0"), &options).unwrap_err().to_string()
    };
    assert_eq!(refusal("3.2", 0, None, 1 << 30), "precision = 0: must be between 1 and 256");
    assert_eq!(refusal("3.2", 10_000, None, 1 << 30), "precision = 10000: must be between 1 and 256");
    assert_eq!(refusal("3.2", 128, Some(17), 1 << 30), "first_levels = 17: must be between 0 and 16");
    assert_eq!(refusal("3.2", 5, Some(6), 1 << 30), "first_levels = 6: must be between 0 and 5");
    let message = "sigma = 16/5: the matrix takes 3.00 KiB, more than the 1000 bytes allowed (max_bytes)";
    assert_eq!(refusal("3.2", 128, None, 1000), message);
    let bound = Bound::TRIVIAL;
    let new = |first, rows, precision| {
        let (shape, columns) = (Shape::Folded, Columns::Packed);
        let parts = KnuthYaoParts { shape, first, precision, rows, columns, first_levels: 0, digits: [0b10, 0b11] };
        KnuthYaoTable::new(law("1", "0"), bound, parts).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(new(0, 2, 2), Ok(()));
    assert_eq!(new(i64::MAX, 2, 2), Err("the table's support exceeds the range of i64".into()));
    assert_eq!(new(0, 1, 2), Err("rows = 1: must be between 2 and 67108863".into()));
    assert_eq!(new(0, 2, 257), Err("precision = 257: must be between 1 and 256".into()));
}
