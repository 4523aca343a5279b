//! Entropy.

use super::moments::sums;
use super::{Law, correctly_rounded};
use crate::density::{Density, POISSON_SIGMA, Side, peak};
use crate::fixed::{Constant, Interval, Scaled, ln, ln_1p};

impl Law {
    /// The entropy of X in bits, correctly rounded.
    ///
    /// ```
    /// use samplez_core::params::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let entropy = Law::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?).entropy();
    /// assert_eq!(entropy, 3.7251674902932788);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entropy(&self) -> f64 {
        correctly_rounded!(self, false, bits)
    }
}

/// The entropy in bits.
fn bits<const N: usize>(density: &Density<N>) -> Scaled<N> {
    let nats = if density.sigma() >= POISSON_SIGMA { wide(density).into() } else { narrow(density) };
    // 1/ln 2 = 2/(2 ln 2)
    nats.mul(&Constant::LN_2.to().times(2).reciprocal().times(2))
}

/// ln(σ sqrt(2π)) + 1/2 nats, up to less than an ulp by Poisson summation: from
/// 1/(σ sqrt(2π)) = m·2^-s with 1 <= m < 2, which is s ln 2 - ln m + 1/2.
fn wide<const N: usize>(density: &Density<N>) -> Interval<N> {
    let doublings = (density.sigma() / 5.0) as u64;
    let stride = doublings.max(1).ilog2();
    let peak = peak::<N>(density.law(), stride);
    // Here 1/40 < peak <= 0.08; so 3 to 5 doublings more.
    let more = peak.lo[N - 2].leading_zeros() + 1;
    let mantissa = peak.times(1 << more);
    let whole = Constant::LN_2.to().times(u64::from(stride + more));
    whole.add(&Interval::HALF).sub(&ln(&mantissa)).widen(1)
}

/// With weights w = e^-g over that of the mode, and q = Σ w over all others: -ln p = ln(1 + q) + g.
fn narrow<const N: usize>(density: &Density<N>) -> Scaled<N> {
    let [up, down] = [Side::Up, Side::Down].map(|side| sums(density, side));
    let gaps = up[3].add(&down[3]).mul(density.mode_mass());
    ln_1p(&up[0].add(&down[0])).add(&gaps)
}
