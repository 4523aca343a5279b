//! The law of a convolution, from its table's integers.

use samplez_core::samplers::Convolution;
use samplez_core::table::{CdtTable, ConvolutionTable};
use samplez_core::{Bound, DiscreteGaussian, Rational, Width};
use samplez_tables::{CdtOptions, build_cdt, guide};
use std::collections::BTreeMap;

/// The base table for this width.
pub(crate) fn base(s: &str, precision: u32) -> CdtTable<Vec<u32>> {
    let law = DiscreteGaussian::with_sigma(s.parse().unwrap()).unwrap();
    build_cdt(&law, &CdtOptions { precision, ..CdtOptions::default() }).unwrap()
}

/// The convolution of a base of width s, with a bound that nobody reads.
pub(crate) fn table(
    s: &str,
    center: &str,
    base: CdtTable<Vec<u32>>,
    legs: &[(u64, u64)],
) -> ConvolutionTable<Vec<u32>> {
    let s: Rational = s.parse().unwrap();
    let norms: u64 = legs.iter().map(|(z1, z2)| z1 * z1 + z2 * z2).product();
    let square = Rational::new(s.num() * s.num() * norms as i64, s.den() * s.den()).unwrap();
    let law = DiscreteGaussian::new(center.parse().unwrap(), Width::SigmaSq(square)).unwrap();
    let bound = Bound::TRIVIAL;
    ConvolutionTable::new(law, bound, base, legs).unwrap()
}

/// The sampler over this table and a guide to its base.
pub(crate) fn guided(table: ConvolutionTable<Vec<u32>>) -> Convolution<Vec<u32>, Vec<u32>> {
    let guide = guide(table.base(), 1 << 20).unwrap();
    Convolution::from_table(table, guide).unwrap()
}

/// The weights of a folded table around 0, in units of 2^-(B+1).
pub(crate) fn weights(thresholds: &[u128], precision: u32) -> BTreeMap<i64, u128> {
    let mut weights = BTreeMap::new();
    for j in 0..=thresholds.len() {
        let upper = if j == 0 { 1 << precision } else { thresholds[j - 1] };
        let weight = upper - thresholds.get(j).copied().unwrap_or(0);
        *weights.entry(j as i64).or_insert(0) += weight;
        *weights.entry(-(j as i64)).or_insert(0) += weight;
    }
    weights.retain(|_, weight| *weight > 0);
    weights
}

/// The weights of z1·Y1 + z2·Y2.
pub(crate) fn convolved(law: &BTreeMap<i64, u128>, z1: u64, z2: u64) -> BTreeMap<i64, u128> {
    let mut sums = BTreeMap::new();
    for (y1, p1) in law {
        for (y2, p2) in law {
            *sums.entry(z1 as i64 * y1 + z2 as i64 * y2).or_insert(0) += p1 * p2;
        }
    }
    sums
}
