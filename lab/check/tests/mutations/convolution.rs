//! Convolution: slips that leave a nearly Gaussian law, against the direct comparison that the
//! right form passes.

use crate::common::convolution::{base, weights};
use samplez_core::DiscreteGaussian;
use samplez_tables::Law;
use std::collections::BTreeMap;

/// Σ max(q - p, 0) for z1·Y1 + z2·Y2 (or (z1 + z2)·Y1) of base samples of width s, against
/// D_{Z,σ}.
fn distance(s: &str, (z1, z2): (i64, i64), one_draw: bool, sigma: &str) -> f64 {
    let base = base(s, 30);
    let thresholds: Vec<u128> = base.digits().iter().map(|d| u128::from(d >> 2)).collect();
    let law = weights(&thresholds, 30);
    let mut sums = BTreeMap::<i64, f64>::new();
    for (y1, p1) in &law {
        for (y2, p2) in &law {
            let y2 = if one_draw { y1 } else { y2 };
            *sums.entry(z1 * y1 + z2 * y2).or_default() += *p1 as f64 * *p2 as f64 / 2_f64.powi(62);
        }
    }
    let ideal = Law::new(&DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap());
    sums.iter().map(|(x, q)| (q - ideal.pmf(*x)).max(0.0)).sum()
}

#[test]
fn the_right_form_passes() {
    assert!(distance("6", (3, 4), false, "30") < 1e-7);
    assert!(distance("15", (5, 12), false, "195") < 1e-7);
}

#[test]
fn slips_are_caught() {
    // Widths added instead of their squares.
    assert!(distance("6", (3, 4), false, "42") > 0.1);
    // The legs of another hypotenuse, nearly as long.
    assert!(distance("6", (3, 4), false, "30.1") > 1e-3);
    // One base sample twice.
    assert!(distance("6", (3, 4), true, "30") > 0.5);
    // Legs with a common factor reach every second integer.
    assert!(distance("6", (6, 8), false, "60") > 0.4);
    // A base too narrow for its legs.
    assert!(distance("6", (20, 21), false, "174") > 0.1);
}
