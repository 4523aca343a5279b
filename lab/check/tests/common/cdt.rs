//! The exact law of an inversion sampler, against the thresholds of its table.

use samplez_check::tape::{Budget, ExactLaw, Tape, enumerate};
use samplez_core::table::{CdtTable, Shape};
use samplez_core::{Bound, DiscreteGaussian, Rational};

/// A table of these thresholds, for samplers whose target and bound nobody reads.
pub(crate) fn table(shape: Shape, first: i64, precision: u32, thresholds: &[u32]) -> CdtTable<Vec<u32>> {
    let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    let bound = Bound::new(0.0, [(2, 0.0), (256, 0.0), (513, 0.0)], 0.0, 0.0);
    let digits = thresholds.iter().map(|t| t << (32 - precision)).collect();
    CdtTable::new(law, bound, shape, first, precision, digits).unwrap()
}

/// Whether `run` has the law P(index >= j) = T_j/2^B exactly: the walk must decide everything.
pub(crate) fn has_law_of(
    shape: Shape,
    first: i64,
    precision: u32,
    thresholds: &[u32],
    run: impl FnMut(&mut Tape) -> Option<i64>,
) -> Result<ExactLaw, String> {
    let law = enumerate(Budget::depth(precision + 1), run).map_err(|e| e.to_string())?;
    if law.undecided() > 0.0 || law.rejected() > 0.0 {
        return Err(format!("undecided {}, rejected {}", law.undecided(), law.rejected()));
    }
    // In units of 2^-(B+1).
    let mut want = std::collections::BTreeMap::<i64, u128>::new();
    for j in 0..=thresholds.len() {
        let upper = if j == 0 { 1 << precision } else { thresholds[j - 1] };
        let weight = u128::from(upper - thresholds.get(j).copied().unwrap_or(0));
        let mirror = if shape == Shape::Folded { first - j as i64 } else { first + j as i64 };
        *want.entry(first + j as i64).or_default() += weight;
        *want.entry(mirror).or_default() += weight;
    }
    want.retain(|_, weight| *weight > 0);
    if !law.values().eq(want.keys().copied()) {
        return Err(format!("values {:?}, not {:?}", law.values().collect::<Vec<_>>(), want.keys()));
    }
    match want.iter().find(|(x, weight)| law.numerator(**x) != **weight) {
        Some((x, weight)) => Err(format!("{x} has mass {} instead of {weight}", law.numerator(*x))),
        None => Ok(law),
    }
}
