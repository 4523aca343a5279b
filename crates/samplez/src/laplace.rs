//! The sampler of discrete Laplace noise.

use crate::narrow::Ranged;
use crate::refused::Refused;
use samplez_core::{Noise, Rational, Sampler};
use samplez_tables::build_laplace;

/// Builds the exact sampler of discrete Laplace noise: P(X = x) is proportional to exp(-abs(x)/λ), λ = `scale`.
///
/// If λ = Δ/ε, the noise gives ε-differential privacy to counts of sensitivity Δ.
///
/// A sample is a row of coins, in constant time. With a probability below (n + 4)²·2^-65 a sample, n the number of digits, two coins
/// have equal leading bits, and more bits are drawn: 2^-57 for λ = 10, 2^-53 for 2^50. Only then the time depends on the sample. With a
/// probability below 2^-470 512 bits cannot decide a coin, and the fill fails as with a broken source. Proof:
/// docs/proofs/discrete-laplace.md.
pub(crate) fn discrete_laplace(scale: Rational) -> Result<Box<dyn Noise>, Refused> {
    let sampler = build_laplace(scale)?;
    let profile = sampler.profile();
    Ok(Box::new(Ranged::whole(Box::new(sampler), profile)))
}
