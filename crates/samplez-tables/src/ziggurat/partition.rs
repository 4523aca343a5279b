//! The partition: edges and heights of rectangles of equal area.

use super::ZigguratOptions;
use crate::density::{Density, Side};
use crate::error::BuildError;
use crate::fixed::{Interval, add, sub};
use crate::law::sigma;
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::FRAC_PI_2;
use libm::{log, log1p, sqrt};
use samplez_core::DiscreteGaussian;

/// Limbs of a height, which has at most 256 bits after the point and 1 before it.
pub(super) const LIMBS: usize = 5;
/// A height in units of 2^-precision, the least significant limb first.
pub(super) type Height = [u64; LIMBS];

/// Edges X_i + 1 (0 for i = 0) and heights 2^n y_i, i < m.
pub(super) struct Partition {
    pub(super) edges: Vec<u32>,
    pub(super) heights: Vec<Height>,
}

/// A column edge closer to an integer than this, in doubles, is decided by interval arithmetic. Doubles are within 2^-20 of it:
/// some 2^-48 of at most 2^24.
const DOUBT: f64 = 0.01;

impl Partition {
    /// The partition of the least area S for which y_0 reaches 1.
    ///
    /// From the bottom, y_m = 0, X_m = `last`, y_(i-1) = y_i + S/(X_i + 1) and X_(i-1) = min(`last`, max{x : ρ(x) >=
    /// y_(i-1)}). Both y_0 and every other y_i rise with S.
    ///
    /// S is found by bisection in doubles, up to the whole of the last rectangle. It begins at the area of the bell
    /// over m, or at 0 if the support has less than that. S is then raised by 2^-40 of itself, with certified edges and
    /// heights. Where that is too far or not far enough, the bisection is by certified heights.
    pub(super) fn find<const N: usize>(
        density: &Density<N>,
        law: &DiscreteGaussian,
        options: &ZigguratOptions,
        last: u32,
    ) -> Result<Self, BuildError> {
        let (m, sigma) = (options.rectangles, sigma(law));
        let most = f64::from(last) + 1.0;
        let whole = 0.99 * sigma * sqrt(FRAC_PI_2) / f64::from(m);
        let start = if whole < most && !estimate(whole, sigma, m, last) { whole } else { 0.0 };
        let mut low = 0.0;
        let near = border(start, most, |area| estimate(area, sigma, m, last));
        for attempt in 0..4 {
            let raised = near * (1.0 + libm::exp2(-40.0 + 4.0 * f64::from(attempt)));
            match Self::of_area(density, sigma, options, last, raised) {
                Outcome::TooSmall => low = raised,
                Outcome::TooLarge => break,
                Outcome::Flat(rectangle) => {
                    return Err(BuildError::Flat { rectangle, precision: options.precision });
                }
                Outcome::Found(partition) => return Ok(partition),
            }
        }
        let outcome = |area| Self::of_area(density, sigma, options, last, area);
        match outcome(border(low, most, |area| !matches!(outcome(area), Outcome::TooSmall))) {
            Outcome::Found(partition) => Ok(partition),
            Outcome::Flat(rectangle) => Err(BuildError::Flat { rectangle, precision: options.precision }),
            Outcome::TooSmall | Outcome::TooLarge => Err(BuildError::NoPartition { target: *law, rectangles: m }),
        }
    }

    fn of_area<const N: usize>(
        density: &Density<N>,
        sigma: f64,
        options: &ZigguratOptions,
        last: u32,
        area: f64,
    ) -> Outcome {
        let m = options.rectangles as usize;
        let mut area_limbs = [0; N];
        area_limbs[N - 1] = area as u64;
        area_limbs[N - 2] = ((area - area_limbs[N - 1] as f64) * 18_446_744_073_709_551_616.0) as u64;
        let area_limbs = Interval { lo: area_limbs, width: 0 };
        let one = Interval::<N>::ONE.lo;
        let (mut edges, mut heights) = (vec![0; m + 1], vec![[0; LIMBS]; m]);
        edges[m] = last + 1;
        let mut y = [0; N];
        for i in (1..=m).rev() {
            y = add(&y, &area_limbs.div_small(edges[i].into()).lo);
            if i == 1 {
                break;
            }
            if sub(&one, &y).is_none() {
                return Outcome::TooLarge;
            }
            heights[i - 1] = to_height(&y, options.precision);
            edges[i - 1] = edge(density, sigma, &y, edges[i] - 1) + 1;
        }
        if sub(&y, &one).is_none() {
            return Outcome::TooSmall;
        }
        if y[N - 1] > 1 {
            return Outcome::TooLarge;
        }
        heights[0] = to_height(&y, options.precision);
        let below = |i: usize| heights.get(i + 1).copied().unwrap_or([0; LIMBS]);
        match (0..m).find(|i| heights[*i].iter().rev().le(below(*i).iter().rev())) {
            Some(i) => Outcome::Flat(i as u32 + 1),
            None => Outcome::Found(Partition { edges, heights }),
        }
    }
}

enum Outcome {
    /// y_0 < 1.
    TooSmall,
    /// y_i > 1 for an i >= 1, or y_0 >= 2.
    TooLarge,
    /// This rectangle has no height to n bits.
    Flat(u32),
    Found(Partition),
}

/// Whether S is large enough, in doubles: y_0 >= 1.
fn estimate(area: f64, sigma: f64, m: u32, last: u32) -> bool {
    let mut y = 0.0;
    let mut columns = f64::from(last) + 1.0;
    for i in (1..=m).rev() {
        y += area / columns;
        if i == 1 || y > 1.0 {
            break;
        }
        columns = columns.min(((sigma * sqrt(-2.0 * log(y))) as u32).saturating_add(1).into());
    }
    y >= 1.0
}

/// The least double above `low` that is large enough, of those up to `high`.
fn border(mut low: f64, mut high: f64, mut large_enough: impl FnMut(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if large_enough(middle) { high = middle } else { low = middle }
    }
    high
}

/// min(`most`, max{x : ρ(x) >= y}) for 0 < y <= 1 and `most` below 2^24.
fn edge<const N: usize>(density: &Density<N>, sigma: f64, y: &[u64; N], most: u32) -> u32 {
    // -ln y with full relative precision on either side of 1/2.
    let below = sub(&Interval::<N>::ONE.lo, y).map_or(0.0, |rest| crate::fixed::nearest(&rest));
    let exponent = if below < 0.5 { -log1p(-below) } else { -log(crate::fixed::nearest(y)) };
    let position = sigma * sqrt(2.0 * exponent);
    if position >= f64::from(most) + 1.0 + DOUBT {
        return most;
    }
    let mut x = position as u32;
    if (position - f64::from(x) - 0.5).abs() < 0.5 - DOUBT {
        return x.min(most);
    }
    let reaches = |x: u32| sub(&density.weights(Side::Up, x.into()).value.lo, y).is_some();
    while x > 0 && !reaches(x) {
        x -= 1;
    }
    while reaches(x + 1) {
        x += 1;
    }
    x.min(most)
}

/// ⌊2^n y⌋ for y < 2.
pub(super) fn to_height<const N: usize>(y: &[u64; N], precision: u32) -> Height {
    let shift = 64 * (N as u32 - 1) - precision;
    let (limbs, bits) = ((shift / 64) as usize, shift % 64);
    core::array::from_fn(|i| {
        let at = |i: usize| y.get(i).copied().unwrap_or(0);
        at(i + limbs) >> bits | if bits == 0 { 0 } else { at(i + limbs + 1) << (64 - bits) }
    })
}

/// The number 2^-n·height.
pub(super) fn from_height<const N: usize>(height: &Height, precision: u32) -> [u64; N] {
    let shift = 64 * (N as u32 - 1) - precision;
    let (limbs, bits) = ((shift / 64) as usize, shift % 64);
    core::array::from_fn(|i| {
        let at = |i: Option<usize>| i.and_then(|i| height.get(i)).copied().unwrap_or(0);
        let low = if bits == 0 { 0 } else { at(i.checked_sub(limbs + 1)) >> (64 - bits) };
        at(i.checked_sub(limbs)) << bits | low
    })
}
