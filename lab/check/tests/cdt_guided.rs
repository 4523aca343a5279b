//! `CdtGuided`: its exact law is its table's, for every guide and every split of the lazy draw;
//! `fill` is repeated `sample`; full-width statistics.

use crate::common::cdt::{has_law_of, table};
use crate::common::{Random, law, rejecting, verify};
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::{Cdt, CdtGuided};
use samplez_core::table::Table;
use samplez_core::table::{CdtTable, GuidedTable, Shape, TableError};
use samplez_core::testing::Counted;
use samplez_core::{Int, Sampler};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{CdtGuidedOptions, CdtOptions, Rounding, build_cdt, build_guided};

type Guided = CdtGuided<Vec<u32>, Vec<u32>>;

fn guided(table: CdtTable<Vec<u32>>, guide_bits: u32) -> GuidedTable<Vec<u32>, Vec<u32>> {
    GuidedTable::with_guide_in(table, vec![0; 1 << guide_bits]).unwrap()
}

fn reader(number: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([number; 32])))
}

/// Walks the sampler for every guide and every width of the first two draws, and its declared
/// costs along with it.
fn walk(table: &CdtTable<Vec<u32>>) {
    let precision = table.precision();
    let thresholds: Vec<u32> = table.digits().iter().map(|digit| digit >> (32 - precision)).collect();
    for head_bits in 1..=table.head_bits() {
        let table = table.clone().with_head_bits(head_bits);
        for guide_bits in 1..=head_bits {
            let guided = guided(table.clone(), guide_bits);
            for lead_bits in guide_bits..=head_bits {
                let sampler = CdtGuided::from_table(guided.clone().with_lead_bits(lead_bits));
                let shape = table.shape();
                let law = has_law_of(shape, table.first(), precision, &thresholds, |bits| Some(sampler.sample(bits)))
                    .unwrap_or_else(|e| {
                        panic!("{shape:?}, B = {precision}, {guide_bits}/{lead_bits}/{head_bits}, {thresholds:?}: {e}")
                    });
                let (declared, walked) = (sampler.profile().expected_bits, law.expected_bits(0.0));
                assert!((declared - walked.start()).abs() < 1e-12, "{declared}, {walked:?}");
            }
            // Comparisons, counted over every u.
            let cell = |u: u32| u >> (precision - guide_bits);
            let counted: usize = (0..1_u32 << precision)
                .map(|u| {
                    let open = thresholds.iter().any(|t| cell(*t) == cell(u));
                    let above = thresholds.iter().filter(|t| cell(**t) == cell(u) && u < **t).count();
                    usize::from(open) + above
                })
                .sum();
            let counted = counted as f64 / f64::from(1 << precision);
            assert!((guided.expected_comparisons() - counted).abs() < 1e-12);
        }
    }
}

#[test]
fn every_guide_has_the_law_of_the_table() {
    for precision in [4, 7, 9] {
        for (sigma, center) in [("1", "0"), ("3.2", "-7"), ("1.7", "1/3"), ("0.4", "1/2")] {
            let options = CdtOptions { precision, ..CdtOptions::default() };
            walk(&build_cdt(&law(sigma, center), &options).unwrap());
        }
        let options = CdtOptions { precision, rounding: Rounding::Nearest, ..CdtOptions::default() };
        walk(&build_cdt(&law("3.2", "0"), &options).unwrap());
    }
}

#[test]
fn odd_tables() {
    let mut random = Random::new(2);
    for precision in 1..=7 {
        let top = 1 << precision;
        for shape in [Shape::Folded, Shape::Full] {
            for thresholds in [vec![0], vec![top - 1], vec![top - 1, 0, 0], vec![1; 5], vec![top / 2, top / 2, 1]] {
                walk(&table(shape, -3, precision, &thresholds));
            }
            for len in 1..6 {
                let mut thresholds: Vec<_> = (0..len).map(|_| random.below(top.into()) as u32).collect();
                thresholds.sort_by(|a, b| b.cmp(a));
                walk(&table(shape, 100, precision, &thresholds));
            }
        }
    }
}

/// Tables of 18 bits whose thresholds share leads, are neighbours, and are 0.
fn crowded() -> Vec<Vec<u32>> {
    let mut random = Random::new(7);
    let mut lists = vec![
        vec![200_000],
        vec![(1 << 18) - 1, 200_001, 200_000, 200_000, 199_999, 80, 9, 8, 3, 0],
        (1..200).rev().map(|i| 13 * i * i / 2).collect(),
    ];
    let mut many: Vec<u32> = (0..40).map(|_| random.below(1 << 18) as u32).collect();
    many.extend((0..40).map(|i| 100_000 + 5 * i));
    many.sort_by(|a, b| b.cmp(a));
    lists.push(many);
    lists
}

/// Draws of 16 bits: the law is the table's whatever the guide's entries hold.
#[test]
fn draws_of_16_bits_have_the_law_of_the_table() {
    for thresholds in crowded() {
        for (shape, all_guide_bits) in [(Shape::Folded, [1, 6, 15]), (Shape::Full, [2, 9, 16])] {
            for guide_bits in all_guide_bits {
                for head_bits in [16, 18] {
                    let table = table(shape, 5, 18, &thresholds).with_head_bits(head_bits);
                    let sampler = CdtGuided::from_table(guided(table, guide_bits));
                    let law = has_law_of(shape, 5, 18, &thresholds, |bits| Some(sampler.sample(bits)))
                        .unwrap_or_else(|e| panic!("{shape:?}, {guide_bits}, {head_bits}, {thresholds:?}: {e}"));
                    let (declared, walked) = (sampler.profile().expected_bits, law.expected_bits(0.0));
                    assert!((declared - walked.start()).abs() < 1e-12, "{declared}, {walked:?}");
                }
            }
        }
    }
}

/// Short tables: their samples begin with a draw of 8 bits.
#[test]
fn draws_of_bytes_have_the_law_of_the_table() {
    let mut walked = 0;
    for precision in 15..=19 {
        for (sigma, center) in
            [("0.4", "0"), ("1", "-7"), ("3.2", "0"), ("6", "2"), ("0.4", "1/2"), ("2", "1/3"), ("3.2", "1/3")]
        {
            let cdt = CdtOptions { precision, ..CdtOptions::default() };
            let law = law(sigma, center);
            for guide_bits in [None, Some(1), Some(7), Some(15)] {
                let table = build_guided(&law, &CdtGuidedOptions { cdt, guide_bits }).unwrap();
                let (shape, first) = (table.table().shape(), table.table().first());
                let thresholds: Vec<u32> =
                    table.table().digits().iter().map(|digit| digit >> (32 - precision)).collect();
                let sampler = CdtGuided::from_table(table);
                let walk = has_law_of(shape, first, precision, &thresholds, |bits| Some(sampler.sample(bits)))
                    .unwrap_or_else(|e| panic!("{law}, {precision}, {guide_bits:?}: {e}"));
                let declared = sampler.profile().expected_bits;
                assert!((declared - walk.expected_bits(0.0).start()).abs() < 1e-12, "{law}, {precision}: {declared}");
                walked += usize::from(declared < 10.0);
            }
        }
    }
    // All but the full ones of 15 bits.
    assert_eq!(walked, 4 * (5 * 7 - 3));
}

#[test]
fn small_widths_need_nine_bits_and_larger_ones_16() {
    let bits = |sigma, center| {
        let table = build_guided(&law(sigma, center), &CdtGuidedOptions::default()).unwrap();
        CdtGuided::from_table(table).profile().expected_bits
    };
    assert!((bits("3.2", "0") - 8.0 - 8.0 * 9.0 / 128.0).abs() < 0.01);
    for (sigma, center) in [("0.3", "0"), ("1", "0"), ("6", "0"), ("3.2", "1/3"), ("4", "1/2")] {
        assert!((8.0..9.1).contains(&bits(sigma, center)), "{sigma}, {center}");
    }
    assert!(bits("9", "0") > 16.0 && bits("215", "1/3") > 16.0);
}

/// Full precision, and open draws, are needed often: nothing that follows is shifted.
#[test]
fn fill_is_repeated_sample_where_many_draws_are_open() {
    for (number, thresholds) in crowded().into_iter().enumerate() {
        for (shape, all_guide_bits) in [(Shape::Folded, [1, 8, 15]), (Shape::Full, [1, 8, 16])] {
            for guide_bits in all_guide_bits {
                for head_bits in [16, 17, 18] {
                    let table = table(shape, 0, 18, &thresholds).with_head_bits(head_bits);
                    let sampler = CdtGuided::from_table(guided(table, guide_bits));
                    for len in [1, 4, 63, 64, 65, 511, 512, 513, 5000] {
                        agrees::<i16>(&sampler, len, number as u8);
                        agrees::<i32>(&sampler, len, 63);
                    }
                }
            }
        }
    }
}

/// About the width of the first draw: thresholds that are all of it, or differ in one bit behind it.
#[test]
fn precisions_about_that_of_the_draw() {
    for precision in 13..=17 {
        let top: u32 = 1 << precision;
        let lists = [
            vec![top - 1],
            vec![top - 1, top - 1, top - 2, top - 3, top - 4, top / 2 + 1, top / 2, top / 2, top / 2 - 1, 2, 1, 0],
            (0..33).map(|i| top - 1 - i * (top / 40)).collect(),
            (0..300).rev().map(|i| (i * i / 4 + i / 2).min(top - 1)).collect(),
        ];
        for thresholds in lists {
            for (shape, widest) in [(Shape::Folded, 15), (Shape::Full, 16)] {
                for guide_bits in [1, 7, widest.min(precision)] {
                    let table = table(shape, -2, precision, &thresholds);
                    let sampler = CdtGuided::from_table(guided(table, guide_bits));
                    has_law_of(shape, -2, precision, &thresholds, |bits| Some(sampler.sample(bits)))
                        .unwrap_or_else(|e| panic!("{shape:?}, B = {precision}, {guide_bits}, {thresholds:?}: {e}"));
                    for len in [3, 64, 700, 3000] {
                        agrees::<i16>(&sampler, len, precision as u8);
                    }
                }
            }
        }
    }
}

/// As many thresholds as draws of 16 bits can have, and one more; values at the ends of i64.
#[test]
fn the_longest_tables_and_the_outermost_values() {
    for len in [32_766, 32_767, 32_768_u32] {
        let thresholds: Vec<u32> = (1..=len).rev().map(|i| 8 * i - 1).map(|t| t.min((1 << 18) - 1)).collect();
        for (shape, guide_bits) in [(Shape::Folded, 2), (Shape::Folded, 15), (Shape::Full, 16), (Shape::Full, 17)] {
            let sampler = CdtGuided::from_table(guided(table(shape, 0, 18, &thresholds), guide_bits));
            agrees::<i32>(&sampler, 20_000, 1);
            agrees::<i64>(&sampler, 700, 2);
        }
    }
    for thresholds in crowded() {
        let reach = thresholds.len() as i64;
        for (shape, first) in [
            (Shape::Folded, i64::MIN + reach),
            (Shape::Folded, i64::MAX - reach),
            (Shape::Full, i64::MIN),
            (Shape::Full, i64::MAX - reach),
        ] {
            for guide_bits in [1, 8, 15] {
                let sampler = CdtGuided::from_table(guided(table(shape, first, 18, &thresholds), guide_bits));
                agrees::<i64>(&sampler, 3000, 3);
            }
        }
    }
}

/// What fill does, for this type and length: the samples, the bits used, the bits that follow.
fn agrees<T: Int>(sampler: &Guided, len: usize, number: u8) {
    let (mut a, mut b) = (Counted::new(reader(number)), Counted::new(reader(number)));
    let (offset, mut out) = (u32::from(number % 64) + 1, vec![T::ZERO; len]);
    assert_eq!(a.bits(offset), b.bits(offset));
    sampler.fill(&mut a, &mut out).unwrap();
    for (i, x) in out.iter().enumerate() {
        assert_eq!(x.widen(), sampler.sample(&mut b), "sample {i} of {len}, {}", T::NAME);
    }
    assert_eq!((a.count(), a.bits(64)), (b.count(), b.bits(64)), "{len}, {}", T::NAME);
}

/// Every length about a chunk of bytes, every type, the outermost values.
#[test]
fn fill_of_short_tables_is_repeated_sample() {
    for (number, (sigma, center, precision)) in [
        ("3.2", "0", 128),
        ("3.2", "1/3", 128),
        ("6", "0", 16),
        ("0.2", "0", 128),
        ("4", "1/2", 19),
        ("1", "0", 15),
        ("2", "0", 31),
    ]
    .into_iter()
    .enumerate()
    {
        let cdt = CdtOptions { precision, ..CdtOptions::default() };
        let table = build_guided(&law(sigma, center), &CdtGuidedOptions { cdt, guide_bits: None }).unwrap();
        let sampler = CdtGuided::from_table(table);
        for len in (0..200).chain(1000..1060).chain([2047, 2048, 2049, 8192, 50_000]) {
            agrees::<i8>(&sampler, len, number as u8);
            agrees::<i64>(&sampler, len, 64 + (len % 100) as u8);
        }
        agrees::<i16>(&sampler, 5000, 1);
        agrees::<i32>(&sampler, 5000, 2);
    }
    let thresholds = [(1 << 18) - 1, 200_001, 200_000, 200_000, 199_999, 80, 9, 8, 3, 0];
    for (shape, first) in [
        (Shape::Folded, i64::MIN + 10),
        (Shape::Folded, i64::MAX - 10),
        (Shape::Full, i64::MIN),
        (Shape::Full, i64::MAX - 10),
    ] {
        let sampler = CdtGuided::from_table(guided(table(shape, first, 18, &thresholds), 8));
        agrees::<i64>(&sampler, 9000, 3);
    }
}

#[test]
fn fill_is_repeated_sample() {
    for (sigma, center, precision, guide_bits) in [
        ("3.2", "0", 128, None),
        ("3.2", "0", 128, Some(2)),
        ("3.2", "0", 128, Some(17)),
        ("3.2", "1/3", 128, None),
        ("3.2", "1/3", 64, Some(16)),
        ("3.2", "1/3", 64, Some(17)),
        ("215", "0", 40, None),
        ("215", "1/7", 33, Some(1)),
        ("1", "0", 8, Some(3)),
        ("1000", "0", 128, None),
    ] {
        let cdt = CdtOptions { precision, ..CdtOptions::default() };
        let table = build_guided(&law(sigma, center), &CdtGuidedOptions { cdt, guide_bits }).unwrap();
        let sampler = CdtGuided::from_table(table);
        for (number, len) in [0, 1, 3, 4, 5, 255, 256, 1000, 4096, 20_000].into_iter().enumerate() {
            agrees::<i16>(&sampler, len, number as u8);
            agrees::<i64>(&sampler, len, number as u8 + 100);
            if sampler.table().table().len() < 100 {
                agrees::<i8>(&sampler, len, number as u8 + 50);
            }
        }
    }
}

#[test]
fn a_sample_too_large_for_the_type_is_refused() {
    let sampler = CdtGuided::from_table(build_guided(&law("215", "0"), &CdtGuidedOptions::default()).unwrap());
    let (mut out, mut first) = ([0_i8; 1000], [0_i64; 1000]);
    let error = sampler.fill(&mut reader(1), &mut out).unwrap_err();
    sampler.fill(&mut reader(1), &mut first).unwrap();
    let at = first.iter().position(|x| i8::narrow(*x).is_none()).unwrap();
    assert_eq!(error.dtype, "i8");
    assert!(out[..at].iter().zip(first).all(|(a, b)| a.widen() == b));
}

#[test]
fn measured_bits_are_the_declared_ones() {
    for (sigma, guide_bits) in [("3.2", None), ("3.2", Some(8)), ("215", None), ("215", Some(10)), ("1000", None)] {
        let options = CdtGuidedOptions { guide_bits, ..CdtGuidedOptions::default() };
        let sampler = CdtGuided::from_table(build_guided(&law(sigma, "0"), &options).unwrap());
        let mut bits = Counted::new(reader(9));
        let n = 400_000;
        for _ in 0..n {
            sampler.sample(&mut bits);
        }
        let (measured, declared) = (bits.count() as f64 / f64::from(n), sampler.profile().expected_bits);
        assert!((measured / declared - 1.0).abs() < 0.005, "{sigma}, {guide_bits:?}: {measured}, {declared}");
    }
}

/// Two comparisons at most on average by default, and the bound and support of the plain table.
#[test]
fn the_default_guide_needs_few_comparisons() {
    for (sigma, center) in [("0.1", "0"), ("3.2", "0"), ("3.2", "1/2"), ("215", "0"), ("1000", "1/3"), ("1.6e5", "0")] {
        let law = law(sigma, center);
        let table = build_guided(&law, &CdtGuidedOptions::default()).unwrap();
        assert!(table.expected_comparisons() < 0.6, "{sigma}: {}", table.expected_comparisons());
        // As few cells as thresholds already do.
        let len = table.table().len();
        let least = guided(table.table().clone(), len.next_power_of_two().ilog2().max(1));
        assert!(least.expected_comparisons() < 2.0);
        let plain = Cdt::from_table(table.table().clone()).profile();
        let profile = CdtGuided::from_table(table).profile();
        assert_eq!((profile.exactness, profile.support), (plain.exactness, plain.support));
        assert!(profile.expected_bits < plain.expected_bits + 1e-9);
    }
}

#[test]
fn guided_is_consistent() {
    for (sigma, center, precision, guide_bits) in [
        ("0.3", "0", 64, None),
        ("3.2", "0", 128, None),
        ("3.2", "1/2", 72, Some(5)),
        ("215", "1/7", 40, None),
        ("1000", "-5", 256, None),
        ("1.6e5", "0", 64, None),
    ] {
        let law = law(sigma, center);
        let cdt = CdtOptions { precision, ..CdtOptions::default() };
        let sampler = CdtGuided::from_table(build_guided(&law, &CdtGuidedOptions { cdt, guide_bits }).unwrap());
        let mut out = vec![0_i64; 4_000_000];
        sampler.fill(&mut reader(17), &mut out).unwrap();
        let report = verify(&law, &out);
        assert!(rejecting(&report).is_empty(), "{law}: {report:?}");
    }
}

#[test]
fn guides_that_do_not_fit_are_refused() {
    let table = || table(Shape::Folded, 0, 8, &[140, 5]);
    let new = |guide: &[u32]| GuidedTable::new(table(), guide.to_vec()).unwrap_err();
    assert!(GuidedTable::new(table(), vec![1 << 31 | 1, 1, 1 << 31, 0]).is_ok());
    for cell in 0..4 {
        for wrong in [2, 1 << 31 | 2] {
            let mut guide = vec![1 << 31 | 1, 1, 1 << 31, 0];
            guide[cell] = wrong;
            assert_eq!(new(&guide), TableError::Entry { entry: "guide: the entry of cell", index: cell });
        }
    }
    assert_eq!(new(&[]), TableError::GuideLength { entries: 0, max: 8 });
    assert_eq!(new(&[0]), TableError::GuideLength { entries: 1, max: 8 });
    assert_eq!(new(&[0; 3]), TableError::GuideLength { entries: 3, max: 8 });
    assert_eq!(new(&[0; 512]).to_string(), "guide: got 512 entries, expected a power of two from 2 to 2^8");
}

#[test]
fn options_out_of_range_are_refused() {
    let refusal = |precision, guide_bits, max_bytes| {
        let cdt = CdtOptions { precision, max_bytes, ..CdtOptions::default() };
        build_guided(&law("3.2", "0"), &CdtGuidedOptions { cdt, guide_bits }).unwrap_err().to_string()
    };
    assert_eq!(refusal(0, None, 1 << 30), "precision = 0: expected a number between 1 and 256");
    assert_eq!(refusal(128, Some(0), 1 << 30), "guide_bits = 0: expected a number between 1 and 26");
    assert_eq!(refusal(9, Some(10), 1 << 30), "guide_bits = 10: expected a number between 1 and 9");
    let message = "a table with its guide takes 4.66 KiB, more than the 3.91 KiB allowed; raise max_bytes";
    assert_eq!(refusal(128, Some(10), 4000), message);
    // Left alone, the guide shrinks to what is allowed.
    let cdt = CdtOptions { max_bytes: 4000, ..CdtOptions::default() };
    let table = build_guided(&law("3.2", "0"), &CdtGuidedOptions { cdt, guide_bits: None }).unwrap();
    assert_eq!((table.guide_bits(), table.bytes()), (9, 672 + 2048));
}
