//! The law D_{Z,σ,c}, evaluated from its exact parameters.

mod mass;
mod moments;

pub use moments::Moments;

use crate::density::{Density, POISSON_SIGMA, Side};
use crate::fixed::nearest;
use core::ops::RangeInclusive;
use libm::{scalbn, sqrt};
use samplez_core::params::{DiscreteGaussian, Width};

/// The law D_{Z,σ,c}, ready to be evaluated at any σ and centre.
///
/// Probabilities come from interval arithmetic with 192 bits of fraction and the exact
/// parameters, and are rounded once; sums state their error.
///
/// ```
/// use samplez_core::params::{DiscreteGaussian, Width};
/// use samplez_tables::Law;
/// let law = Law::new(&DiscreteGaussian::new("1/3".parse()?, Width::Sigma("3.2".parse()?))?);
/// assert!((law.pmf(0) - 0.123_994_918_974_024).abs() < 1e-15);
/// assert!((law.mass(-3..=3) - law.mass(i64::MIN..=-4) - 0.610_758_102_332).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Law {
    target: DiscreteGaussian,
    sigma: f64,
    density: Density<4>,
}

/// σ as a double, within 3 units in the last place.
pub(crate) fn sigma(law: &DiscreteGaussian) -> f64 {
    let q = law.width().value().to_f64();
    match law.width() {
        Width::Sigma(_) => q,
        Width::SigmaSq(_) => sqrt(q),
        Width::KSigma2(_) => q * 0.849_321_800_288_019, // sqrt(1/(2 ln 2))
        Width::S(_) => q * 0.398_942_280_401_432_7,     // 1/sqrt(2π)
    }
}

impl Law {
    /// The law with these parameters.
    ///
    /// Cheap: for σ >= 5 the normaliser comes from Poisson summation (its remainder is below
    /// 2^-700), otherwise from some 200 terms.
    ///
    /// ```
    /// use samplez_core::params::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let wide = Law::new(&DiscreteGaussian::with_sigma("1e12".parse()?)?);
    /// assert!((wide.pmf(0) * 1e12 - 0.398942).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(target: &DiscreteGaussian) -> Law {
        let sigma = sigma(target);
        Law { target: *target, sigma, density: Density::new(target, sigma) }
    }

    /// The parameters.
    ///
    /// ```
    /// # use samplez_core::params::{DiscreteGaussian, Rational};
    /// # use samplez_tables::Law;
    /// let parameters = DiscreteGaussian::with_sigma(Rational::from(4))?;
    /// assert_eq!(Law::new(&parameters).target(), &parameters);
    /// # Ok::<(), samplez_core::params::ParamError>(())
    /// ```
    pub const fn target(&self) -> &DiscreteGaussian {
        &self.target
    }

    /// σ, within 3 units in the last place.
    ///
    /// ```
    /// # use samplez_core::params::{DiscreteGaussian, Rational, Width};
    /// # use samplez_tables::Law;
    /// let bliss = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(254)))?;
    /// assert!((Law::new(&bliss).sigma() - 215.7277).abs() < 1e-4);
    /// # Ok::<(), samplez_core::params::ParamError>(())
    /// ```
    pub const fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The centre c, within 2 units in the last place.
    ///
    /// ```
    /// # use samplez_core::params::{DiscreteGaussian, Width};
    /// # use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::new("1/2".parse()?, Width::S("8".parse()?))?);
    /// assert_eq!(law.center(), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn center(&self) -> f64 {
        self.target.center().to_f64()
    }

    /// P(X = x), within 0.51 units in the last place wherever it is at least 2^-1022 (below
    /// that, doubles have fewer bits, and finally only 0).
    ///
    /// The interval behind it has a relative width below 2^-90, at any σ and x.
    ///
    /// ```
    /// use samplez_core::params::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("1".parse()?)?);
    /// assert_eq!(law.pmf(38), law.pmf(-38));
    /// assert!((law.pmf(38) / 1.097221e-314 - 1.0).abs() < 1e-6);
    /// assert_eq!(law.pmf(39), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pmf(&self, x: i64) -> f64 {
        let (side, distance) = self.density.exponent().locate(x);
        self.at(side, distance)
    }

    /// P(a <= X <= b), with a relative error below 2^-40; 0 for an empty range.
    ///
    /// Terms are added below σ = 512, and integrated (Euler-Maclaurin with three corrections,
    /// Gauss-Legendre panels) above. All terms are positive, so that far tails are as precise
    /// as the middle; below 2^-1022 doubles have fewer bits.
    ///
    /// ```
    /// use samplez_core::params::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("1e12".parse()?)?);
    /// assert!((law.mass(i64::MIN..=i64::MAX) - 1.0).abs() < 1e-12);
    /// // erfc(12/sqrt(2))/2 = 1.776482112077…e-33
    /// assert!((law.mass(12_000_000_000_000..=i64::MAX) / 1.776482112077e-33 - 1.0).abs() < 1e-10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mass(&self, range: RangeInclusive<i64>) -> f64 {
        let (low, high) = (*range.start(), *range.end());
        if low > high {
            return 0.0;
        }
        let mode = self.density.exponent().mode();
        let up = if high >= mode { Some((low.max(mode).abs_diff(mode), high.abs_diff(mode))) } else { None };
        let down = if low < mode { Some((mode.abs_diff(high.min(mode - 1)), mode.abs_diff(low))) } else { None };
        let side = |side, run: Option<(u64, u64)>| run.map_or(0.0, |(from, to)| self.run(side, from, to));
        side(Side::Up, up) + side(Side::Down, down)
    }

    /// The smallest a..=b with P(X < a) < 2^log2 and P(X > b) < 2^log2, up to the precision of
    /// [`Law::mass`]; `None` unless -1000 <= log2 <= -1 and the range lies within `i64`.
    ///
    /// ```
    /// use samplez_core::params::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// assert_eq!(law.tail_range(-128.0), Some(-42..=42));
    /// assert_eq!(law.tail_range(0.0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tail_range(&self, log2: f64) -> Option<RangeInclusive<i64>> {
        if !(-1000.0..=-1.0).contains(&log2) {
            return None;
        }
        let limit = libm::exp2(log2);
        let mode = self.density.exponent().mode();
        let down = self.tail_distance(Side::Down, limit, mode.abs_diff(i64::MIN))?;
        let up = self.tail_distance(Side::Up, limit, mode.abs_diff(i64::MAX))?;
        Some(mode.checked_sub_unsigned(down)?..=mode.checked_add_unsigned(up)?)
    }

    /// The least distance, at most `room`, beyond which the side holds less than the limit <= 1/2.
    pub(crate) fn tail_distance(&self, side: Side, limit: f64, room: u64) -> Option<u64> {
        let light = |distance: u64| distance < u64::MAX && self.run(side, distance + 1, u64::MAX) < limit;
        if light(0) {
            return Some(0);
        }
        let (mut heavy, mut found) = (0, (self.sigma as u64).clamp(1, room.max(1)));
        while !light(found) {
            if found >= room {
                return None;
            }
            (heavy, found) = (found, found.saturating_mul(2).min(room));
        }
        while found - heavy > 1 {
            let middle = heavy + (found - heavy) / 2;
            if light(middle) { found = middle } else { heavy = middle }
        }
        if found <= room { Some(found) } else { None }
    }

    /// P at this distance from the mode.
    fn at(&self, side: Side, distance: u64) -> f64 {
        self.density.scaled(side, distance).map_or(0.0, |p| p.to_f64())
    }

    /// The mass at the distances from..=to of the mode.
    fn run(&self, side: Side, from: u64, to: u64) -> f64 {
        let Some(first) = self.density.scaled(side, from) else { return 0.0 };
        let len = u128::from(to - from) + 1;
        let multiple = mass::run(&self.density, self.sigma, side, from, len);
        // In this order, so that a sum that is a double does not vanish with its first term.
        scalbn(nearest(&first.value.lo) * multiple, -(first.shift as i32))
    }

    /// E at this distance from the mode, less that at the mode; infinite from 2^20 on.
    fn gap(&self, side: Side, distance: u64) -> f64 {
        let gap = self.density.exponent().gap::<4>(side, 0, distance);
        gap.map_or(f64::INFINITY, |gap| nearest(&gap.lo))
    }

    /// x - c for the x at this distance from the mode.
    fn displacement(&self, side: Side, distance: u64) -> f64 {
        let beyond = distance as f64 + self.density.exponent().offset(side);
        if side == Side::Up { beyond } else { -beyond }
    }

    /// Visits, for σ < 5, all that matters to 2^-100: distances up to 14σ + 3, from outside in.
    fn each(&self, mut visit: impl FnMut(Side, u64)) {
        debug_assert!(self.sigma < POISSON_SIGMA);
        for distance in (1..=(14.0 * self.sigma) as u64 + 3).rev() {
            visit(Side::Up, distance);
            visit(Side::Down, distance);
        }
        visit(Side::Up, 0);
    }
}
