//! `KnuthYao`: its exact law is the inversion table's; one stream for every layout and every first
//! table; bits, memory, statistics.

use crate::common::cdt::has_law_of;
use crate::common::{law, rejecting, verify};
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::KnuthYao;
use samplez_core::table::Table;
use samplez_core::table::{CdtTable, KnuthYaoParts, KnuthYaoTable, Shape, TableError};
use samplez_core::testing::Counted;
use samplez_core::{Bound, DiscreteGaussian, Int, Rational, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{CdtOptions, KnuthYaoOptions, Law, Rounding, build_cdt, build_knuth_yao};

fn built(target: &DiscreteGaussian, cdt: CdtOptions, levels: u32) -> KnuthYaoTable<Vec<u32>> {
    build_knuth_yao(target, &KnuthYaoOptions { cdt, first_levels: Some(levels) }).unwrap()
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
                for levels in [0, 1, 2, 3, 5, precision] {
                    let sampler = KnuthYao::from_table(built(&target, cdt, levels.min(precision)));
                    let law = has_law_of(table.shape(), table.first(), precision, &thresholds, |bits| {
                        Some(sampler.sample(bits))
                    })
                    .unwrap_or_else(|e| panic!("{sigma}, {center}, B = {precision}, {levels}: {e}"));
                    let (declared, walked) = (sampler.profile().expected_bits, law.expected_bits(0.0));
                    assert!((declared - walked.start()).abs() < 1e-12, "{declared}, {walked:?}");
                    assert_eq!(sampler.profile().support, table.support());
                }
            }
        }
    }
}

/// Walks hardly longer than the shortest: `fill` reads no bit ahead that samples leave.
#[test]
fn fills_take_no_more_bits_than_samples() {
    let sampler = KnuthYao::from_table(built(&law("1/4", "0"), CdtOptions::default(), 0));
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
            let matrix = built(&target, cdt, 3);
            assert_eq!(matrix.bound(), table.bound());
            for row in 0..=table.len() {
                let row_bits: Vec<bool> = (0..precision).map(|c| matrix.bit(row, c)).collect();
                assert_eq!(row_bits, weight_bits(&table, row), "{target}, B = {precision}, row {row}");
            }
            assert!(!matrix.bit(table.len() + 1, 0) && !matrix.bit(0, precision));
        }
    }
}

fn drawn<T: Int>(sampler: &KnuthYao<Vec<u32>>, len: usize, number: u8) -> (Vec<i64>, u64, u64) {
    let (mut bits, mut out) = (Counted::new(reader(number)), vec![T::ZERO; len]);
    bits.bits(1 + u32::from(number % 64));
    sampler.fill(&mut bits, &mut out).unwrap();
    (out.into_iter().map(Int::widen).collect(), bits.count(), bits.bits(64))
}

/// The walk as the papers have it: level by level, and in each column row by row, 32 rows at a time. It is the
/// specification of every other form.
struct Plain {
    shape: Shape,
    first: i64,
    /// For each column the number of its ones, and words of 32 rows.
    columns: Vec<(i64, Vec<u32>)>,
}

impl Plain {
    /// The weights of an inversion table of at most 128 bits.
    fn of(table: &CdtTable<Vec<u32>>) -> Self {
        let (len, precision, digits) = (table.len(), table.precision(), table.digits());
        let each = precision.div_ceil(32) as usize;
        // T_0 = 2^B is 0 here: of the difference it takes nothing but the carry.
        let threshold = |j: usize| match j {
            0 => 0,
            j if j > len => 0,
            j => digits[len + (j - 1) * (each - 1)..][..each - 1]
                .iter()
                .chain(&vec![0; 4 - each])
                .fold(u128::from(digits[j - 1]), |sum, digit| sum << 32 | u128::from(*digit)),
        };
        let mut columns = vec![vec![0; (len + 1).div_ceil(32)]; precision as usize];
        for row in 0..=len {
            let weight = threshold(row).wrapping_sub(threshold(row + 1));
            for (c, column) in columns.iter_mut().enumerate() {
                column[row / 32] |= (weight << c >> 127) as u32 * (1 << (row % 32));
            }
        }
        let ones = |column: &Vec<u32>| column.iter().map(|word| i64::from(word.count_ones())).sum();
        let columns = columns.into_iter().map(|column| (ones(&column), column)).collect();
        Plain { shape: table.shape(), first: table.first(), columns }
    }

    fn sample(&self, bits: &mut impl BitSource) -> i64 {
        let mut d = 0_i64;
        for (ones, column) in &self.columns {
            d = 2 * d + i64::from(bits.bit());
            if d >= *ones {
                d -= ones;
                continue;
            }
            for (i, word) in column.iter().enumerate() {
                let ones = i64::from(word.count_ones());
                if d >= ones {
                    d -= ones;
                    continue;
                }
                let place = (0..32).filter(|place| word >> place & 1 != 0).nth(d as usize).unwrap();
                let row = 32 * i as i64 + place;
                let negative = self.shape == Shape::Folded && row > 0 && bits.bit();
                return self.first + if negative { -row } else { row };
            }
        }
        unreachable!("the weights do not add up to 1");
    }
}

/// Plain walk, first tables, `sample` and `fill`: the same integers from the same
/// bits, to the last.
#[test]
fn every_variant_has_one_stream() {
    for (sigma, center, precision) in [
        ("3.2", "0", 128),
        ("3.2", "1/3", 128),
        ("215", "0", 64),
        ("32", "1/7", 40),
        ("0.6", "0", 128),
        ("1", "0", 8),
        ("2000", "2/7", 33),
    ] {
        let (target, cdt) = (law(sigma, center), CdtOptions { precision, ..CdtOptions::default() });
        let plain = Plain::of(&build_cdt(&target, &cdt).unwrap());
        for len in [0, 1, 5, 100, 3000] {
            let mut bits = Counted::new(reader(len as u8));
            bits.bits(1 + len as u32 as u8 as u32 % 64);
            let samples: Vec<i64> = (0..len).map(|_| plain.sample(&mut bits)).collect();
            let want = (samples, bits.count(), bits.bits(64));
            for levels in [0, 1, 2, 7, 8, 14, 16] {
                let sampler = KnuthYao::from_table(built(&target, cdt, levels.min(precision)));
                assert_eq!(drawn::<i64>(&sampler, len, len as u8), want, "{sigma}, {levels}, {len}");
                assert_eq!(drawn::<i16>(&sampler, len, len as u8), want, "{sigma}, {levels}, {len}");
                let mut bits = Counted::new(reader(len as u8));
                bits.bits(1 + len as u32 as u8 as u32 % 64);
                assert!(want.0.iter().all(|x| *x == sampler.sample(&mut bits)));
                assert_eq!(bits.count(), want.1);
            }
        }
    }
}

/// The stream is that of the plain walk, at length.
fn has_the_plain_stream(cases: &[(&str, &str, u32)], count: usize) {
    for (sigma, center, precision) in cases {
        let (target, cdt) = (law(sigma, center), CdtOptions { precision: *precision, ..CdtOptions::default() });
        let plain = Plain::of(&build_cdt(&target, &cdt).unwrap());
        let mut bits = reader(9);
        let want: Vec<i64> = (0..count).map(|_| plain.sample(&mut bits)).collect();
        for first_levels in [Some(0), None] {
            let options = KnuthYaoOptions { cdt, first_levels };
            let sampler = KnuthYao::from_table(build_knuth_yao(&target, &options).unwrap());
            let (mut out, mut bits) = (vec![0_i64; count], reader(9));
            sampler.fill(&mut bits, &mut out).unwrap();
            assert!(out == want, "{sigma}, {center}, B = {precision}, {first_levels:?}");
            let mut bits = reader(9);
            assert!(want.iter().all(|x| *x == sampler.sample(&mut bits)), "{sigma}, {center}, B = {precision}");
        }
    }
}

#[test]
fn streams_at_length_are_those_of_the_plain_walk() {
    let cases = [
        ("10", "0"),
        ("10", "1/3"),
        ("32", "0"),
        ("32", "-1/2"),
        ("215", "0"),
        ("215", "3/7"),
        ("1000", "0"),
        ("1000", "1/3"),
    ];
    let cases: Vec<_> =
        cases.into_iter().flat_map(|(sigma, center)| [40, 106, 128].map(|p| (sigma, center, p))).collect();
    has_the_plain_stream(&cases, 200_000);
}

/// Tables of megabytes, built in seconds.
#[test]
fn wide_streams_are_those_of_the_plain_walk() {
    has_the_plain_stream(&[("1.6e5", "0", 106), ("1.6e5", "1/3", 48)], 8000);
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

/// Bytes of the columns, of the offsets (516) and ranks beside them, and of the default first table, at the
/// parameters of [JSDGS17], which has 0.48, 7.19 and 13.75 KB for its compact form.
#[test]
fn columns_are_compact() {
    let sizes = ["3.3311", "55.5649", "107"].map(|sigma| {
        let plain = built(&law(sigma, "0"), CdtOptions::default(), 0);
        let table = build_knuth_yao(&law(sigma, "0"), &KnuthYaoOptions::default()).unwrap();
        (plain.column_bytes(), plain.bytes() - plain.column_bytes(), table.bytes() - plain.bytes())
    });
    assert_eq!(sizes, [(464, 732, 2048), (7388, 2884, 32_768), (14_056, 4964, 65_536)]);
}

#[test]
fn knuth_yao_is_consistent() {
    for (sigma, center, precision, levels) in [
        ("0.6", "0", 64, None),
        ("3.2", "0", 128, None),
        ("3.2", "1/2", 72, Some(4)),
        ("215", "1/7", 40, None),
        ("215", "0", 128, Some(0)),
    ] {
        let (target, cdt) = (law(sigma, center), CdtOptions { precision, ..CdtOptions::default() });
        let options = KnuthYaoOptions { cdt, first_levels: levels };
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
    for levels in [0, 3] {
        let table = built(&target, CdtOptions { precision: 12, ..CdtOptions::default() }, levels);
        let parts = table.parts().clone();
        let mut silent = 0;
        for word in 0..parts.digits.len() {
            for bit in 0..32 {
                let mut parts = parts.clone();
                parts.digits[word] ^= 1 << bit;
                silent += usize::from(KnuthYaoTable::new(target, table.bound(), parts).is_ok());
            }
        }
        // The columns' first rows, which say what a bit stands for.
        assert!(silent <= 12 * 4, "{levels}: {silent}");
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
        let options = KnuthYaoOptions { cdt, first_levels };
        build_knuth_yao(&law(sigma, "0"), &options).unwrap_err().to_string()
    };
    assert_eq!(refusal("3.2", 0, None, 1 << 30), "precision = 0: expected a number between 1 and 256");
    assert_eq!(refusal("3.2", 10_000, None, 1 << 30), "precision = 10000: expected a number between 1 and 256");
    assert_eq!(refusal("3.2", 128, Some(17), 1 << 30), "first_levels = 17: expected a number between 0 and 16");
    assert_eq!(refusal("3.2", 5, Some(6), 1 << 30), "first_levels = 6: expected a number between 0 and 5");
    let message = "sigma = 3.2: the matrix takes 3.09 KiB, more than the 1000 bytes allowed; raise max_bytes";
    assert_eq!(refusal("3.2", 128, None, 1000), message);
    let bound = Bound::TRIVIAL;
    let new = |first, rows, precision| {
        // P(0) = 0.01, P(±1) = 0.11: offsets, a block of 4 bits and its ranks, 3 ones and two hints.
        let mut digits = [0; 25];
        digits[..7].copy_from_slice(&[0, 2, 4, 0, 0x180c_0603, 0x00c0_6030, 0b1110]);
        digits[22] = 3;
        digits[23] = 2;
        let parts = KnuthYaoParts { shape: Shape::Folded, first, precision, rows, first_levels: 0, digits };
        KnuthYaoTable::new(law("1", "0"), bound, parts).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(new(0, 2, 2), Ok(()));
    assert_eq!(new(i64::MAX, 2, 2), Err("the table's support exceeds the range of i64".into()));
    assert_eq!(new(0, 1, 2), Err("rows = 1: expected a number between 2 and 67108863".into()));
    assert_eq!(new(0, 2, 257), Err("precision = 257: expected a number between 1 and 256".into()));
}
