//! Skewness and kurtosis.

use super::Law;
use super::sums::around_mode;
use crate::density::{Density, POISSON_SIGMA};
use crate::fixed::{Interval, Scaled};

impl Law {
    /// Returns the skewness E\[(X - mean)³\]/std³, the g1 of `scipy.stats`; within half a unit in the last place and 2^-400.
    ///
    /// From σ = 5 on, where it is below 2^-650, it is given as 0. For small σ it may exceed all doubles, and is infinite.
    pub fn skewness(&self) -> f64 {
        let (offset, den) = self.density.exponent().four_offsets();
        // Symmetric, also with a centre halfway between two integers.
        let symmetric = offset == 0 || offset.unsigned_abs() == 2 * u128::from(den);
        if symmetric || self.sigma() >= POISSON_SIGMA {
            return 0.0;
        }
        let towards_center = decided(skewness(&self.density), || skewness(&self.fine()));
        // The centre is above the mode, or below it.
        if offset < 0 { towards_center } else { 0.0 - towards_center }
    }

    /// Returns the excess kurtosis E\[(X - mean)⁴\]/variance² - 3, the g2 of `scipy.stats`; within half a unit in the last place and
    /// 2^-400.
    ///
    /// From σ = 5 on, where it is below 2^-650, it is given as 0. For small σ it may exceed all doubles, and is infinite.
    pub fn excess_kurtosis(&self) -> f64 {
        if self.sigma() >= POISSON_SIGMA {
            return 0.0;
        }
        decided(excess_kurtosis(&self.density), || excess_kurtosis(&self.fine()))
    }
}

/// Returns the value that 192 bits decide, or else 512; 0 if not even these decide its sign.
fn decided<const N: usize, const M: usize>(coarse: Option<Signed<N>>, fine: impl FnOnce() -> Option<Signed<M>>) -> f64 {
    let decided = coarse.and_then(|(negative, size)| Some((negative, size.rounded()?)));
    let (negative, size) = decided.unwrap_or_else(|| {
        fine().map_or((false, 0.0), |(negative, size)| (negative, size.rounded().unwrap_or(size.to_f64())))
    });
    if negative { 0.0 - size } else { size }
}

/// Whether it is negative, and its size.
type Signed<const N: usize> = (bool, Scaled<N>);

/// Beyond all doubles, as where the variance is below 2^-2000: there one value has nearly all of the mass.
const fn infinite<const N: usize>() -> Scaled<N> {
    Scaled { value: Interval::ONE, shift: -1100 }
}

/// Returns more - less, or nothing if the intervals do not decide which is larger.
fn difference<const N: usize>(more: &Scaled<N>, less: &Scaled<N>) -> Option<Signed<N>> {
    let negative = !more.reaches(less);
    let size = if negative { less.sub(more) } else { more.sub(less) };
    if size.value.lo == [0; N] { None } else { Some((negative, size)) }
}

/// The skewness, positive towards the centre as seen from the mode, for σ < 5 and a law without symmetry.
fn skewness<const N: usize>(density: &Density<N>) -> Option<Signed<N>> {
    let [s1, s2, s3, _] = around_mode(density);
    let variance = s2.sub(&s1.product(&s1));
    if variance.value.lo == [0; N] {
        return Some((false, infinite()));
    }
    // s3 - 3 s1 s2 + 2 s1³
    let cube = s1.power(3).times(2);
    let (negative, third) = difference(&s3.add(&cube), &s1.product(&s2).times(3))?;
    Some((negative, third.over(&variance.product(&variance.sqrt()))))
}

/// The excess kurtosis, for σ < 5.
fn excess_kurtosis<const N: usize>(density: &Density<N>) -> Option<Signed<N>> {
    let [s1, s2, s3, s4] = around_mode(density);
    let (square, variance) = (s1.product(&s1), s2.sub(&s1.product(&s1)));
    if variance.value.lo == [0; N] {
        return Some((false, infinite()));
    }
    // s4 - 4 s1 s3 + 6 s1² s2 - 3 s1⁴ - 3 (s2 - s1²)²
    let more = s4.add(&square.product(&s2).times(12));
    let less = s1.product(&s3).times(4).add(&s2.power(2).times(3)).add(&square.power(2).times(6));
    let (negative, fourth) = difference(&more, &less)?;
    Some((negative, fourth.over(&variance.power(2))))
}
