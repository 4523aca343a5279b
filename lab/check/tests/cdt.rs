//! `Cdt`: its exact law is its table's, at every precision that can be walked and for every split
//! of the lazy draw.

use crate::common::cdt::{has_law_of, table};
use crate::common::{Random, law};
use samplez_check::tape::{Budget, enumerate};
use samplez_core::Sampler;
use samplez_core::samplers::Cdt;
use samplez_core::table::Table;
use samplez_core::table::{CdtTable, Shape};
use samplez_tables::{CdtOptions, Law, Rounding, build_cdt};

/// Walks the sampler for every width of the first draw, and its declared cost along with it.
fn walk(table: &CdtTable<Vec<u32>>) {
    let precision = table.precision();
    // One digit for each threshold, left-aligned.
    let thresholds: Vec<u32> = table.digits().iter().map(|digit| digit >> (32 - precision)).collect();
    for head_bits in 1..=table.head_bits() {
        let sampler = Cdt::from_table(table.clone().with_head_bits(head_bits));
        let shape = table.shape();
        let law = has_law_of(shape, table.first(), precision, &thresholds, |bits| Some(sampler.sample(bits)))
            .unwrap_or_else(|e| panic!("{shape:?}, B = {precision}, {head_bits} bits first, {thresholds:?}: {e}"));
        let declared = sampler.profile().expected_bits;
        assert_eq!(law.expected_bits(0.0), declared..=declared);
        assert!(law.values().all(|x| sampler.profile().support.contains(&x)));
    }
}

fn built(sigma: &str, center: &str, precision: u32, rounding: Rounding) -> CdtTable<Vec<u32>> {
    build_cdt(&law(sigma, center), &CdtOptions { precision, rounding, ..CdtOptions::default() }).unwrap()
}

#[test]
fn built_tables_at_every_precision() {
    for precision in 4..=14 {
        for (sigma, center) in [("1", "0"), ("3.2", "-7"), ("1.7", "1/3"), ("0.4", "1/2")] {
            walk(&built(sigma, center, precision, Rounding::Floor));
        }
        walk(&built("3.2", "0", precision, Rounding::Nearest));
    }
}

#[test]
fn long_lazy_draws() {
    walk(&built("5", "0", 16, Rounding::Floor));
    walk(&built("5", "1/7", 16, Rounding::Floor));
}

/// The certificate against the walk: the distance of the exact law lies below the bound, and not
/// far below.
#[test]
fn certified_distance_is_the_exact_one() {
    for (sigma, center) in [("1", "0"), ("3.2", "0"), ("1.7", "1/3")] {
        for precision in [8, 11, 14] {
            let table = built(sigma, center, precision, Rounding::Floor);
            let (sampler, ideal) = (Cdt::from_table(table), Law::new(&law(sigma, center)));
            let walked = enumerate(Budget::depth(precision + 1), |bits| Some(sampler.sample(bits))).unwrap();
            let exact = walked.distance(|x| ideal.pmf(x)).start().log2();
            let bound = sampler.table().bound().log2_sd;
            assert!(exact <= bound + 1e-9 && bound - exact < 1e-6, "{sigma}, B = {precision}: {exact} {bound}");
        }
    }
}

#[test]
fn odd_tables() {
    let mut random = Random::new(1);
    for precision in 1..=9 {
        let top = 1 << precision;
        for shape in [Shape::Folded, Shape::Full] {
            for thresholds in [vec![0], vec![top - 1], vec![top - 1, 0, 0], vec![1; 5], vec![top / 2, top / 2, 1]] {
                walk(&table(shape, -3, precision, &thresholds));
            }
            for len in 1..12 {
                let mut thresholds: Vec<_> = (0..len).map(|_| random.below(top.into()) as u32).collect();
                thresholds.sort_by(|a, b| b.cmp(a));
                walk(&table(shape, 100, precision, &thresholds));
            }
        }
    }
}
