//! The laws of both discrete Laplace samplers: [CKS20]'s bracketed by walking its bits, and counted at full width; the constant-time one
//! summed over all classes of its words.

use crate::common::brackets::holds;
use samplez_check::tape::{Budget, ExactLaw, enumerate};
use samplez_core::bits::BitReader;
use samplez_core::samplers::DiscreteLaplace;
use samplez_sources::{ChaCha20, Seed};
use std::collections::BTreeMap;

fn noise(scale: &str) -> DiscreteLaplace {
    DiscreteLaplace::new(scale.parse().unwrap()).unwrap()
}

/// P(X = x) for the scale λ.
fn pmf(scale: f64) -> impl Fn(i64) -> f64 {
    let q = (-1.0 / scale).exp();
    move |x| (1.0 - q) / (1.0 + q) * (-(x.unsigned_abs() as f64) / scale).exp()
}

fn walk(scale: &str) -> ExactLaw {
    let sampler = noise(scale);
    enumerate(Budget::depth(100).runs(2_000_000), |bits| sampler.attempt(bits)).unwrap()
}

/// Scales below 1 and above, whole and not; what the walk leaves open.
const LAWS: [(&str, f64, f64); 8] = [
    ("1/20", 1.0 / 20.0, 0.05),
    ("1/3", 1.0 / 3.0, 0.05),
    ("2/3", 2.0 / 3.0, 0.05),
    ("1", 1.0, 0.05),
    ("5/2", 2.5, 0.05),
    ("4", 4.0, 0.05),
    ("37/3", 37.0 / 3.0, 0.1),
    ("1000/7", 1000.0 / 7.0, 0.25),
];

#[test]
fn the_walk_has_the_law() {
    for (text, scale, open) in LAWS {
        let law = walk(text);
        assert!(holds(&law, pmf(scale)), "{text}");
        let distance = law.distance(pmf(scale));
        assert!(*distance.start() < 1e-10 && *distance.end() < open, "{text}: {distance:?}");
    }
}

/// The walk can tell: another scale, the zero twice, one side too light, and s forgotten.
#[test]
fn wrong_laws_leave_the_brackets() {
    let law = walk("5/2");
    let ideal = pmf(2.5);
    assert!(holds(&law, &ideal));
    assert!(!holds(&law, pmf(2.6)) && !holds(&law, pmf(2.4)) && !holds(&law, pmf(5.0)));
    assert!(!holds(&law, |x| if x == 0 { 2.0 * ideal(0) } else { ideal(x) } / (1.0 + ideal(0))));
    assert!(!holds(&law, |x| if x < 0 { 0.9 * ideal(x) } else { ideal(x) }));
}

/// χ² of two million samples against the law, in cells of at least 50 expected ones, the tails being one each. Its mean is the number
/// of cells less one, its variance twice that: seven deviations more have a probability below 1e-8.
#[test]
fn full_width_samples_are_consistent() {
    const COUNT: usize = 2_000_000;
    for (text, scale) in [("1/2", 0.5), ("1", 1.0), ("10/3", 10.0 / 3.0), ("40", 40.0), ("123457/1000", 123.457)] {
        let mut out = vec![0_i64; COUNT];
        noise(text).fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([31; 32]))), &mut out).unwrap();
        let mut counts = BTreeMap::new();
        out.iter().for_each(|x| *counts.entry(*x).or_insert(0_u32) += 1);
        let (ideal, count) = (pmf(scale), COUNT as f64);
        let edge = (0..).find(|x| ideal(*x) * count < 50.0).unwrap();
        let term = |seen: f64, expected: f64| (seen - expected).powi(2) / expected;
        let inside = (1 - edge..edge).map(|x| term(f64::from(counts.get(&x).copied().unwrap_or(0)), ideal(x) * count));
        let beyond = (1.0 - (1 - edge..edge).map(&ideal).sum::<f64>()) / 2.0 * count;
        let tails = [out.iter().filter(|x| **x >= edge).count(), out.iter().filter(|x| **x <= -edge).count()];
        let chi: f64 = inside.sum::<f64>() + tails.iter().map(|seen| term(*seen as f64, beyond)).sum::<f64>();
        let cells = (2 * edge) as f64;
        assert!(chi < cells + 7.0 * (2.0 * cells).sqrt() + 10.0, "{text}: {chi} of {cells}");
        assert!(chi > cells - 7.0 * (2.0 * cells).sqrt(), "{text}: {chi} of {cells}");
    }
}
