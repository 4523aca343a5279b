//! `Cdt`: its exact law is its table's, at every precision that can be walked and for every split
//! of the lazy draw.

mod common;
use common::cdt::{has_law_of, table};
use common::{Random, law};
use samplez_core::sampler::Sampler;
use samplez_core::samplers::cdt::Cdt;
use samplez_core::table::Shape;
use samplez_tables::Law;

/// Walks the sampler for every width of the first draw, and its declared cost along with it.
fn walk(shape: Shape, first: i64, precision: u32, thresholds: &[u32]) {
    let table = table(shape, first, precision, thresholds);
    for head_bits in 1..=table.head_bits() {
        let sampler = Cdt::from_table(table.clone().with_head_bits(head_bits));
        let law = has_law_of(shape, first, precision, thresholds, |bits| Some(sampler.sample(bits)))
            .unwrap_or_else(|e| panic!("{shape:?}, B = {precision}, {head_bits} bits first, {thresholds:?}: {e}"));
        let declared = sampler.profile().expected_bits;
        assert_eq!(law.expected_bits(0.0), declared..=declared);
        assert!(law.values().all(|x| sampler.profile().support.contains(&x)));
    }
}

/// Upper tails of the law's weights, each rounded down but the mode's.
fn gaussian(shape: Shape, sigma: &str, center: &str, precision: u32) -> (i64, Vec<u32>) {
    let law = Law::new(&law(sigma, center));
    let one = f64::from(1_u32 << precision);
    let range = law.tail_range(-f64::from(precision) - 2.0).unwrap();
    let first = if shape == Shape::Folded { 0 } else { *range.start() };
    let fold = if shape == Shape::Folded { 2.0 } else { 1.0 };
    let mut thresholds: Vec<u32> = Vec::new();
    let mut sum = 0;
    for x in (first + 1..=*range.end()).rev() {
        sum += (fold * one * law.pmf(x)) as u32;
        thresholds.push(sum);
    }
    thresholds.reverse();
    (first, thresholds)
}

#[test]
fn gaussian_tables_at_every_precision() {
    for precision in 4..=14 {
        for (shape, sigma, center) in [
            (Shape::Folded, "1", "0"),
            (Shape::Folded, "3.2", "0"),
            (Shape::Full, "1.7", "1/3"),
            (Shape::Full, "0.4", "1/2"),
        ] {
            let (first, thresholds) = gaussian(shape, sigma, center, precision);
            walk(shape, first, precision, &thresholds);
        }
    }
}

#[test]
fn long_lazy_draws() {
    for shape in [Shape::Folded, Shape::Full] {
        let (first, thresholds) = gaussian(shape, "5", "0", 16);
        walk(shape, first - 7, 16, &thresholds);
    }
}

#[test]
fn odd_tables() {
    let mut random = Random::new(1);
    for precision in 1..=9 {
        let top = 1 << precision;
        for shape in [Shape::Folded, Shape::Full] {
            for thresholds in [vec![0], vec![top - 1], vec![top - 1, 0, 0], vec![1; 5], vec![top / 2, top / 2, 1]] {
                walk(shape, -3, precision, &thresholds);
            }
            for len in 1..12 {
                let mut thresholds: Vec<_> = (0..len).map(|_| random.below(top.into()) as u32).collect();
                thresholds.sort_by(|a, b| b.cmp(a));
                walk(shape, 100, precision, &thresholds);
            }
        }
    }
}
