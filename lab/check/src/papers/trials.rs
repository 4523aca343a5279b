//! Trials of a sample: the library's own samplers, beside the papers' figures.

use super::half::weight;
use super::{Row, mean};
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::{DuWei4, DuWei5, Karney, Rejection, Ziggurat};
use samplez_core::testing::Attempt;
use samplez_core::{DiscreteGaussian, Rational, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{ZigguratOptions, build_ziggurat};
use std::f64::consts::{LN_2, PI};

/// Trials of a sample, as the library declares them, beside the mean over so many samples from a
/// fixed seed.
///
/// # Panics
///
/// If a sampler refuses its parameters, which are fixed.
///
/// ```
/// let rows = samplez_check::papers::trial_counts(10_000);
/// let five = rows.iter().find(|row| row.name.starts_with("Algorithm 5")).unwrap();
/// assert!((five.exact.unwrap() - 1.469_719_95).abs() < 1e-8);
/// ```
pub fn trial_counts(repetitions: u32) -> Vec<Row> {
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([19; 32])));
    let law = |width| DiscreteGaussian::new(Rational::from(0), width).expect("a centred law");
    let sigma = |text: &str| law(Width::Sigma(text.parse().expect("a rational")));
    let sqrt_tau = (2.0 * PI).sqrt();
    // Σ over proposals of one sign, doubled, over ρ(Z) = σ sqrt(2π), which Poisson's formula makes good to
    // 2^-60 from σ = 1.5 on.
    let half_gaussian: f64 = (0..40).map(|k| (-0.5 * f64::from(k * k)).exp()).sum();
    let five = 2.0 * weight() / ((1.0 / (2.0 * LN_2)).sqrt() * sqrt_tau);
    let four = 2.0 * half_gaussian / sqrt_tau;
    let uniform = |proposals: f64, sigma: f64| proposals / (sigma * sqrt_tau);
    let karney = Karney::new(&sigma("215")).expect("a rational width");
    let alg4 = DuWei4::new(&sigma("215")).expect("an integer width");
    let alg5 = DuWei5::with_table_walk(&law(Width::KSigma2(Rational::from(254)))).expect("an integer k");
    let mut rows = vec![
        row("Algorithm 1 (karney), sigma = 215", four, &karney, repetitions, &mut bits),
        row("Algorithm 4 (du-wei-4), sigma = 215", four, &alg4, repetitions, &mut bits),
        row("Algorithm 5 (du-wei-5-ky), k = 254", five, &alg5, repetitions, &mut bits),
    ];
    for (text, value) in [("3.3311", 3.3311_f64), ("107", 107.0)] {
        let sampler = Rejection::new(&sigma(text), Rational::from(13)).expect("a rational width");
        // -13σ to 13σ.
        let exact = uniform(2.0 * (13.0 * value).floor() + 1.0, value);
        let name = format!("Uniform proposals to 13 sigma, sigma = {text}");
        rows.push(row(&name, exact, &sampler, repetitions, &mut bits));
    }
    for (text, rectangles) in [
        ("10", 8),
        ("10", 16),
        ("10", 32),
        ("10", 64),
        ("10", 128),
        ("32", 8),
        ("32", 64),
        ("32", 256),
        ("215", 64),
        ("215", 256),
    ] {
        let options = ZigguratOptions { rectangles, tail: Rational::from(13), ..ZigguratOptions::default() };
        let sampler = Ziggurat::from_table(build_ziggurat(&sigma(text), &options).expect("a partition"));
        let exact = sampler.profile().expected_trials;
        let name = format!("Ziggurat, {rectangles} rectangles, sigma = {text}");
        rows.push(row(&name, exact, &sampler, repetitions, &mut bits));
    }
    rows
}

fn row(name: &str, exact: f64, sampler: &impl Attempt, repetitions: u32, bits: &mut impl BitSource) -> Row {
    let (measured, error) = mean(repetitions, || {
        let mut trials = 1_u32;
        while sampler.attempt(bits).is_none() {
            trials += 1;
        }
        f64::from(trials)
    });
    Row { name: name.into(), exact: Some(exact), measured, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the figures that were computed independently of this code.
    #[test]
    fn trials_are_those_of_the_tables() {
        let want = [
            1.398_942, 1.398_942, 1.469_720, 10.42, 10.37, 1.308, 1.172, 1.103, 1.073, 1.059, 1.286, 1.046, 1.0217,
            1.037, 1.011,
        ];
        let rows = trial_counts(100_000);
        assert_eq!(rows.len(), want.len());
        for (row, want) in rows.iter().zip(want) {
            assert!((row.exact.unwrap() / want - 1.0).abs() < 2e-3, "{row:?}, not {want}");
            assert!((row.measured / want - 1.0).abs() < 0.015, "{row:?}, not {want}");
        }
    }
}
