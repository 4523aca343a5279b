//! Entropy.

use super::sums::sums;
use super::{Law, correctly_rounded};
use crate::density::{Density, POISSON_SIGMA, Side, peak};
use crate::fixed::{Constant, Interval, Scaled, ln, ln_1p};

impl Law {
    /// Returns the entropy of X in nats, correctly rounded: -Σ P ln P, the unit of `scipy.stats`.
    pub fn entropy(&self) -> f64 {
        correctly_rounded!(self, false, nats)
    }

    /// Returns the entropy of X in digits of this base, correctly rounded; `None` unless the base is finite and above 1.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// assert_eq!(law.entropy_in(2.0), Some(3.7251674902932788)); // bits
    /// assert_eq!(law.entropy_in(10.0), Some(1.1213871534505895));
    /// assert_eq!((law.entropy_in(1.0), law.entropy_in(f64::NAN)), (None, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entropy_in(&self, base: f64) -> Option<f64> {
        (base > 1.0 && base.is_finite()).then(|| correctly_rounded!(self, false, digits, base))
    }
}

/// The entropy in digits of a base above 1.
fn digits<const N: usize>(density: &Density<N>, base: f64) -> Scaled<N> {
    // base = (1 + q)·2^e with q < 1.
    let (bits, mut q) = (base.to_bits(), Interval::ZERO);
    q.lo[N - 2] = bits << 12;
    let doublings = Constant::LN_2.to().times((bits >> 52).saturating_sub(1023));
    nats(density).over(&ln_1p(&Scaled::from(q).normal()).add(&doublings.into()))
}

/// The entropy in nats.
fn nats<const N: usize>(density: &Density<N>) -> Scaled<N> {
    if density.sigma() >= POISSON_SIGMA { log_peak(density).add(&Interval::HALF).into() } else { narrow(density) }
}

/// Returns ln(σ sqrt(2π)), for σ >= 5. By Poisson summation this is -ln P(c) of an integer c up to less than an ulp.
/// From 1/(σ sqrt(2π)) = m·2^-s with 1 <= m < 2 it is s ln 2 - ln m.
pub(super) fn log_peak<const N: usize>(density: &Density<N>) -> Interval<N> {
    let doublings = (density.sigma() / 5.0) as u64;
    let stride = doublings.max(1).ilog2();
    let peak = peak::<N>(density.law(), stride);
    // Here 1/40 < peak <= 0.08; so 3 to 5 doublings more.
    let more = peak.lo[N - 2].leading_zeros() + 1;
    let mantissa = peak.times(1 << more);
    Constant::LN_2.to().times(u64::from(stride + more)).sub(&ln(&mantissa)).widen(1)
}

/// With weights w = e^-g over that of the mode, and q = Σ w over all others: -ln p = ln(1 + q) + g.
fn narrow<const N: usize>(density: &Density<N>) -> Scaled<N> {
    let [up, down] = [Side::Up, Side::Down].map(|side| sums(density, side));
    let gaps = up.gaps.add(&down.gaps).mul(density.mode_mass());
    ln_1p(&up.powers[0].add(&down.powers[0])).add(&gaps)
}
