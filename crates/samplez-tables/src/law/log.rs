//! Logarithms of probabilities, which are numbers where the probabilities are 0 as doubles.

use super::entropy::log_peak;
use super::sums::sums;
use super::tail::{relative, stride, tail};
use super::{Law, correctly_rounded};
use crate::density::{Density, POISSON_SIGMA, Side};
use crate::fixed::{Constant, Interval, Scaled, ln, ln_1p};

impl Law {
    /// Returns ln P(X = x), correctly rounded. It is finite everywhere.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("1".parse()?)?);
    /// assert_eq!((law.pmf(39), law.logpmf(39)), (0.0, -761.4189385385553));
    /// assert_eq!(law.logpmf(i64::MAX), -4.253529586511731e37);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn logpmf(&self, x: i64) -> f64 {
        let (side, distance) = self.density.exponent().locate(x);
        0.0 - correctly_rounded!(self, false, surprisal, side, distance.into())
    }

    /// Returns ln P(X <= x), correctly rounded, in time independent of σ.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// assert_eq!((law.logcdf(-1000), law.logcdf(40)), (-48830.207089343014, -2.860451665723822e-37));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn logcdf(&self, x: i64) -> f64 {
        0.0 - match self.density.exponent().locate(x) {
            (Side::Up, distance) => correctly_rounded!(self, false, log_rest, Side::Up, u128::from(distance) + 1),
            (Side::Down, distance) => correctly_rounded!(self, false, log_tail, Side::Down, distance.into()),
        }
    }

    /// Returns ln P(X > x), correctly rounded, in time independent of σ.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let wide = Law::new(&DiscreteGaussian::with_sigma("1e12".parse()?)?);
    /// assert_eq!((wide.sf(10_i64.pow(14)), wide.logsf(10_i64.pow(14))), (0.0, -5005.524208694255));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn logsf(&self, x: i64) -> f64 {
        0.0 - match self.density.exponent().locate(x) {
            (Side::Up, distance) => correctly_rounded!(self, false, log_tail, Side::Up, u128::from(distance) + 1),
            (Side::Down, distance) => correctly_rounded!(self, false, log_rest, Side::Down, distance.into()),
        }
    }
}

/// Returns -ln P at this distance from the mode. It is E there plus the logarithm of the normalizer, or the rise of E
/// from the mode plus -ln P at the mode. None of them is negative.
fn surprisal<const N: usize>(density: &Density<N>, side: Side, distance: u128) -> Scaled<N> {
    let unknown = Interval { lo: [0; N], width: u64::MAX };
    let halvings = halvings(density, side, distance);
    let gap = density.exponent().gap_halved(side, 0, distance, halvings).unwrap_or(unknown);
    let gap = Scaled { value: gap, shift: -(halvings as i32) };
    let at_mode = if density.sigma() >= POISSON_SIGMA {
        log_peak(density).add(&density.exponent().at_mode().unwrap_or(unknown)).into()
    } else if gap.value == Interval::ZERO {
        let others = [Side::Up, Side::Down].map(|side| sums(density, side).powers[0]);
        ln_1p(&others[0].add(&others[1]))
    } else {
        // 1/16 < P < 1
        Constant::LN_2.to().times(4).sub(&ln(&density.mode_mass().times(16))).into()
    };
    gap.add(&at_mode)
}

/// How often E is to be halved to be below 2^20.
fn halvings<const N: usize>(density: &Density<N>, side: Side, distance: u128) -> u32 {
    let u = (distance as f64 + density.exponent().offset(side)) / density.sigma();
    // Below 2^260.
    libm::ilogb(0.5 * u * u).saturating_sub(17).max(0).unsigned_abs()
}

/// -ln Σ P over the distances k >= from, for from >= 1: at least ln 2.
fn log_tail<const N: usize>(density: &Density<N>, side: Side, from: u128) -> Scaled<N> {
    if density.exponent().is_half(side, from) {
        return Constant::LN_2.to().into();
    }
    let stride = stride(density, side, from);
    let sum = ln(&relative(density, side, from, stride)).add(&Constant::LN_2.to().times(stride.into()));
    surprisal(density, side, from).sub(&sum.into())
}

/// -ln(1 - Σ P) over the same: with t for the sum it is ln(1 + t/(1 - t)).
fn log_rest<const N: usize>(density: &Density<N>, side: Side, from: u128) -> Scaled<N> {
    let tail = tail(density, side, from);
    ln_1p(&tail.over(&Interval::ONE.sub(&tail.fixed()).into()))
}
