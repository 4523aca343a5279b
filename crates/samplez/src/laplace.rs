//! Discrete Laplace noise: [`discrete_laplace()`].

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
///
/// # Errors
///
/// [`Refused`] unless 2^-16 <= `scale` <= 2^50.
///
/// ```
/// use samplez::{Seed, Source, Stream, Timing, discrete_laplace};
/// // ε = 1/4, for counts that one person changes by 1.
/// let noise = discrete_laplace("4".parse()?)?;
/// assert!(noise.timing() == Timing::Constant && noise.profile().exactness.is_exact());
/// let mut out = [0_i32; 1000];
/// Stream::new(Source::Os.open(&Seed::from_bytes([0; 32]))?).fill(&*noise, &mut out)?;
/// assert!(out.iter().all(|x| x.abs() < 200));
/// assert_eq!(
///     discrete_laplace("0".parse()?).err().unwrap().to_string(),
///     "scale = 0: method discrete-laplace allows 2^-16 <= scale <= 2^50",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn discrete_laplace(scale: Rational) -> Result<Box<dyn Noise>, Refused> {
    let sampler = build_laplace(scale)?;
    let profile = sampler.profile();
    Ok(Box::new(Ranged::whole(Box::new(sampler), profile)))
}
