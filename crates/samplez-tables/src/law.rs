//! The law D_{Z,σ,c}, evaluated from its exact parameters.

mod base;
mod entropy;
mod expect;
mod log;
mod masses;
mod moments;
mod quantile;
mod raw;
mod shape;
mod sums;
mod tail;
mod target;
mod width;

pub use moments::Moments;
pub use target::{TargetError, TargetLaw, Term};

use crate::density::{Density, POISSON_SIGMA, Side};
use crate::fixed::{Interval, Scaled};
use core::ops::RangeInclusive;
use libm::sqrt;
use samplez_core::{DiscreteGaussian, Width};

/// The limbs of a first try. WebAssembly is downloaded, and has the code for 5 in any case.
const LIMBS: usize = if cfg!(target_arch = "wasm32") { 5 } else { 4 };

/// Ranges of up to so many values are summed one by one.
const FEW: u64 = 512;

/// The law D_{Z,σ,c}, ready to be evaluated at any σ and centre.
///
/// Probabilities and their logarithms, mean, variance, standard deviation and entropy are *correctly rounded*: each is
/// the double nearest to the exact value, ties to even. Interval arithmetic computes them from the exact parameters,
/// with at least 192 bits of fraction, or with 512 where 192 do not decide. (Values that 512 bits do not decide lie
/// within 2^-380 of a tie between two doubles. No such case is known.)
///
/// ```
/// use samplez_core::{DiscreteGaussian, Width};
/// use samplez_tables::Law;
/// let law = Law::new(&DiscreteGaussian::new("1/3".parse()?, Width::Sigma("3.2".parse()?))?);
/// assert_eq!(law.pmf(0), 0.12399491897402397);
/// assert_eq!((law.cdf(3), law.cdf(-4)), (0.8398012755532623, 0.11452158661051474));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Law {
    density: Density<LIMBS>,
}

/// Returns the double nearest to the enclosure that a function of a [`Density`] returns. Where 512 bits do not decide
/// it, it is the double of the upper end if `$upper`, else of the lower end.
macro_rules! correctly_rounded {
    ($law:expr, $upper:expr, $function:path $(, $argument:expr)*) => {
        $function(&$law.density $(, $argument)*).rounded().unwrap_or_else(|| {
            let fine = $function(&$law.fine() $(, $argument)*);
            fine.rounded().or_else(|| fine.rounded_end($upper)).unwrap_or_else(|| fine.to_f64())
        })
    };
}
use correctly_rounded;

/// Returns σ of the law, within 3 units in the last place.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Width};
/// let law = DiscreteGaussian::new("0".parse()?, Width::SigmaSq("10.24".parse()?))?;
/// assert!((samplez_tables::sigma(&law) - 3.2).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sigma(law: &DiscreteGaussian) -> f64 {
    let q = law.width().value().to_f64();
    match law.width() {
        Width::Sigma(_) => q,
        Width::SigmaSq(_) => sqrt(q),
        Width::KSigma2(_) => q * 0.849_321_800_288_019, // sqrt(1/(2 ln 2))
        Width::S(_) => q * 0.398_942_280_401_432_7,     // 1/sqrt(2π)
    }
}

impl Law {
    /// Builds the law with these parameters.
    ///
    /// Cheap: for σ >= 5 the normalizer comes from Poisson summation (its remainder is below
    /// 2^-700), otherwise from some 200 terms.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let wide = Law::new(&DiscreteGaussian::with_sigma("1e12".parse()?)?);
    /// assert!((wide.pmf(0) * 1e12 - 0.398942).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(target: &DiscreteGaussian) -> Law {
        Law { density: Density::new(target, sigma(target)) }
    }

    /// The same with 512 bits of fraction.
    fn fine(&self) -> Density<9> {
        Density::new(self.target(), self.sigma())
    }

    /// Returns the parameters.
    pub fn target(&self) -> &DiscreteGaussian {
        self.density.law()
    }

    /// Returns σ, within 3 units in the last place.
    pub fn sigma(&self) -> f64 {
        self.density.sigma()
    }

    /// The centre c, within 2 units in the last place.
    pub(crate) fn center(&self) -> f64 {
        self.target().center().to_f64()
    }

    /// Returns P(X = x), correctly rounded.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("1".parse()?)?);
    /// assert_eq!(law.pmf(38), law.pmf(-38));
    /// assert_eq!((law.pmf(38), law.pmf(39)), (1.097221046e-314, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pmf(&self, x: i64) -> f64 {
        let (side, distance) = self.density.exponent().locate(x);
        correctly_rounded!(self, false, tail::run, side, distance, 1)
    }

    /// Returns P(X <= x), correctly rounded, in time independent of σ.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// assert_eq!(law.cdf(-4), 0.13605105553235816);
    /// assert_eq!(law.cdf(30), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cdf(&self, x: i64) -> f64 {
        correctly_rounded!(self, false, cumulative, x)
    }

    /// Returns P(X > x), correctly rounded, in time independent of σ.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let wide = Law::new(&DiscreteGaussian::with_sigma("1e12".parse()?)?);
    /// // erfc(12/sqrt(2))/2 = 1.7764821120776…e-33 is that of the continuous law.
    /// assert_eq!(wide.sf(12_000_000_000_000), 1.776482112066947e-33);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sf(&self, x: i64) -> f64 {
        correctly_rounded!(self, false, survival, x)
    }

    /// Returns P(a <= X <= b), correctly rounded, in time independent of σ; 0 for an empty range.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("1e12".parse()?)?);
    /// assert_eq!(law.mass(i64::MIN..=i64::MAX), 1.0);
    /// assert_eq!(law.mass(0..=999_999_999_999), 0.3413447460686214);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mass(&self, range: RangeInclusive<i64>) -> f64 {
        correctly_rounded!(self, false, between, *range.start(), *range.end())
    }

    /// Returns the smallest a..=b with P(X < a) < 2^log2 and P(X > b) < 2^log2, both correctly rounded. `None`
    /// unless -1000 <= log2 <= -1 and the range lies within `i64`.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
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
        let room = mode.abs_diff(i64::MAX);
        let is_same = down <= room && self.density.exponent().is_symmetric();
        let up = if is_same { down } else { self.tail_distance(Side::Up, limit, room)? };
        Some(mode.checked_sub_unsigned(down)?..=mode.checked_add_unsigned(up)?)
    }

    /// P at this distance from the mode.
    fn at(&self, side: Side, distance: u64) -> f64 {
        self.density.scaled(side, distance.into()).map_or(0.0, |p| p.to_f64())
    }

    /// x - c for the x at this distance from the mode.
    fn displacement(&self, side: Side, distance: u64) -> f64 {
        let beyond = distance as f64 + self.density.exponent().offset(side);
        if side == Side::Up { beyond } else { -beyond }
    }

    /// Visits, for σ < 5, all that matters to 2^-100: distances up to 14σ + 3, from outside in.
    fn each(&self, mut visit: impl FnMut(Side, u64)) {
        debug_assert!(self.sigma() < POISSON_SIGMA);
        for distance in (1..=(14.0 * self.sigma()) as u64 + 3).rev() {
            visit(Side::Up, distance);
            visit(Side::Down, distance);
        }
        visit(Side::Up, 0);
    }
}

/// P(X <= x).
fn cumulative<const N: usize>(density: &Density<N>, x: i64) -> Scaled<N> {
    match density.exponent().locate(x) {
        (Side::Up, distance) => complement(&tail::beyond(density, Side::Up, distance)),
        (Side::Down, distance) => tail::tail(density, Side::Down, distance.into()),
    }
}

/// P(X > x).
fn survival<const N: usize>(density: &Density<N>, x: i64) -> Scaled<N> {
    match density.exponent().locate(x) {
        (Side::Up, distance) => tail::beyond(density, Side::Up, distance),
        (Side::Down, distance) => complement(&tail::tail(density, Side::Down, distance.into())),
    }
}

/// P(low <= X <= high).
fn between<const N: usize>(density: &Density<N>, low: i64, high: i64) -> Scaled<N> {
    if low > high {
        return Scaled::ZERO;
    }
    let mode = density.exponent().mode();
    let few = high.abs_diff(low) < FEW;
    // The distances first..=last of one side.
    let part = |side, first: u64, last: u64| {
        if few {
            tail::run(density, side, first, last - first + 1)
        } else {
            tail::tail(density, side, first.into()).sub(&tail::beyond(density, side, last))
        }
    };
    if low > mode {
        part(Side::Up, low.abs_diff(mode), high.abs_diff(mode))
    } else if high < mode {
        part(Side::Down, high.abs_diff(mode), low.abs_diff(mode))
    } else if few {
        let down = if low < mode { part(Side::Down, 1, low.abs_diff(mode)) } else { Scaled::ZERO };
        part(Side::Up, 0, high.abs_diff(mode)).add(&down)
    } else {
        let outside =
            [(Side::Up, high), (Side::Down, low)].map(|(side, x)| tail::beyond(density, side, x.abs_diff(mode)));
        complement(&outside[0].add(&outside[1]))
    }
}

/// 1 - p.
fn complement<const N: usize>(p: &Scaled<N>) -> Scaled<N> {
    Interval::ONE.sub(&p.fixed()).into()
}
