//! The laws that a [`TargetLaw`](super::TargetLaw) cuts and reduces.

use super::masses::Table;
use super::{between, sigma};
use crate::density::{Density, Exponent, Side};
use crate::fixed::{Interval, Scaled};
use crate::laplace::LaplaceTails;
use crate::normal::{self, Point};
use crate::skellam::Tails;
use alloc::sync::Arc;
use samplez_core::{DiscreteGaussian, NoiseLaw, Rational};

/// The identity of a law.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parts {
    pub(super) family: Family,
    pub(super) range: Option<(i64, i64)>,
    pub(super) modulus: Option<u128>,
}

/// A law that is neither cut nor reduced.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Family {
    Gaussian(DiscreteGaussian),
    Rounded(DiscreteGaussian),
    /// A law about 0 that is no Gaussian; its variance.
    Finite(NoiseLaw, f64),
    /// The integer nearest to a Laplace variable of this scale; its variance.
    RoundedLaplace(Rational, f64),
    /// The value of a table less a whole number.
    Table(Arc<Table>, i64),
}

impl Family {
    pub(super) fn parameters(&self) -> Option<&DiscreteGaussian> {
        match self {
            Family::Gaussian(parameters) | Family::Rounded(parameters) => Some(parameters),
            Family::Finite(..) | Family::RoundedLaplace(..) | Family::Table(..) => None,
        }
    }

    pub(super) fn center(&self) -> Rational {
        self.parameters().map_or(Rational::ZERO, DiscreteGaussian::center)
    }
}

/// The law before it is cut or reduced, ready for sums.
#[derive(Clone, Debug)]
pub(super) enum Base<const N: usize> {
    Gaussian(Density<N>),
    /// Of the centre c - 1/2: E there at x is that of c at x + 1/2; and ⌊log2 σ⌋, but at least 0.
    Rounded(Exponent, u32),
    Finite(NoiseLaw),
    Tails(Tails<N>),
    Laplace(LaplaceTails<N>),
    Table(Arc<Table>, i64),
}

impl<const N: usize> Base<N> {
    pub(super) fn new(parts: &Parts) -> Self {
        match &parts.family {
            Family::Finite(NoiseLaw::Skellam { variance }, _) => Base::Tails(Tails::new(*variance)),
            Family::Finite(law @ NoiseLaw::CenteredBinomial { eta }, _) if law.fraction(0..=0).is_none() => {
                Base::Tails(Tails::binomial(*eta))
            }
            Family::Finite(NoiseLaw::DiscreteLaplace { scale }, _) => Base::Laplace(LaplaceTails::new(*scale)),
            Family::Finite(law, _) => Base::Finite(*law),
            Family::RoundedLaplace(scale, _) => Base::Laplace(LaplaceTails::rounded(*scale)),
            Family::Table(table, shift) => Base::Table(table.clone(), *shift),
            Family::Gaussian(parameters) => Base::Gaussian(Density::new(parameters, sigma(parameters))),
            Family::Rounded(parameters) => match half_below(parameters) {
                Some(below) => Base::Rounded(Exponent::new(&below), (sigma(parameters) as u64).max(1).ilog2()),
                None => unreachable!("`rounded` has checked the centre"),
            },
        }
    }

    /// The mass in the range, if there is one.
    pub(super) fn held(&self, parts: &Parts) -> Option<Scaled<N>> {
        parts.range.map(|(low, high)| self.mass(low, high))
    }

    /// P(low <= X <= high), for low <= high. The ends of `i64` stand for all beyond.
    pub(super) fn mass(&self, low: i64, high: i64) -> Scaled<N> {
        let (exponent, stride) = match self {
            Base::Gaussian(density) => return between(density, low, high),
            Base::Finite(law) => return law.fraction(low..=high).map_or(Scaled::ZERO, fraction),
            Base::Tails(tails) => return about_zero(low, high, &|x| tails.above(x)),
            Base::Laplace(tails) => return about_zero(low, high, &|x| tails.above(x)),
            Base::Table(table, shift) => {
                return double(table.mass(low.saturating_add(*shift), high.saturating_add(*shift)));
            }
            Base::Rounded(exponent, stride) => (exponent, stride),
        };
        // The ends low - 1/2 and high + 1/2: whether they are above c, and how far from it.
        let end = |x: i64| (exponent.is_above(x), point(exponent, *stride, x));
        let (above_low, low) = low.checked_sub(1).map_or((false, None), end);
        let (above_high, high) = if high < i64::MAX { end(high) } else { (true, None) };
        match (above_low, above_high) {
            (true, _) => normal::between(low.as_ref(), high.as_ref()),
            (_, false) => normal::between(high.as_ref(), low.as_ref()),
            _ => normal::inside(low.as_ref()).add(&normal::inside(high.as_ref())),
        }
    }
}

/// P(low <= X <= high) of a law that is symmetric about 0, by P(X > x) for x >= 0. The ends of `i64` stand for all beyond.
fn about_zero<const N: usize>(low: i64, high: i64, above: &dyn Fn(i64) -> Scaled<N>) -> Scaled<N> {
    let mirrored = |x: i64| x.checked_neg().unwrap_or(i64::MAX);
    match (low > 0, high < 0) {
        // A difference with 0 would lose the scale.
        (true, _) if high == i64::MAX => above(low - 1),
        (true, _) => above(low - 1).sub(&above(high)),
        (_, true) => about_zero(mirrored(high), mirrored(low), above),
        _ => Scaled::from(Interval::ONE).sub(&above(high)).sub(&above(mirrored(low))),
    }
}

/// A probability count/all: without an error if `all` is a power of 2, at most 2^64.
fn fraction<const N: usize>((count, all): (u128, u128)) -> Scaled<N> {
    match count.checked_ilog2() {
        None => Scaled::ZERO,
        _ if count == all => Interval::ONE.into(),
        Some(log2) if all.is_power_of_two() => {
            // Below 2^64: from 1 to 2, times a power of 2.
            let mut value = Interval::ONE;
            value.lo[N - 2] = (count as u64) << (63 - log2) << 1;
            Scaled { value, shift: all.ilog2() as i32 - log2 as i32 }
        }
        Some(_) => Interval::ONE.times(count as u64).div_small(all as u64).into(),
    }
}

/// A double from 2^-1022 on; a smaller one is 0.
fn double<const N: usize>(p: f64) -> Scaled<N> {
    let bits = p.to_bits();
    match (bits >> 52) as i32 {
        0 => Scaled::ZERO,
        exponent => {
            let mut value = Interval::ONE;
            value.lo[N - 2] = bits << 12;
            Scaled { value, shift: 1023 - exponent }
        }
    }
}

/// |x - c|/σ, where 2^stride/σ is about 1 unless σ is below 1; `None` where half its square is 2^20 or more.
fn point<const N: usize>(exponent: &Exponent, stride: u32, x: i64) -> Option<Point<N>> {
    let (side, distance) = exponent.locate(x);
    let u = exponent.at_mode()?.add(&exponent.gap(side, 0, distance.into())?);
    // The sides as seen from the mode; seen from c, that of the mode may be the other.
    let side = if exponent.is_above(x) { Side::Up } else { Side::Down };
    let t = match (exponent.slope(side, distance.into(), stride), exponent.curvature(stride)) {
        (Some(slope), Some(curvature)) => Scaled::from(slope).over(&Scaled::from(curvature).sqrt()),
        _ if u == Interval::ZERO => Scaled::ZERO,
        _ => Scaled::from(u.times(2)).sqrt(),
    };
    Some(Point { u, t })
}

/// The parameters with c - 1/2 for c.
pub(super) fn half_below(parameters: &DiscreteGaussian) -> Option<DiscreteGaussian> {
    let center = parameters.center();
    let (num, den) = (i128::from(center.num()), i128::from(center.den()));
    let (num, den) = if den % 2 == 0 { (num - den / 2, den) } else { (2 * num - den, 2 * den) };
    let center = Rational::new(num.try_into().ok()?, den.try_into().ok()?)?;
    DiscreteGaussian::new(center, parameters.width()).ok()
}
