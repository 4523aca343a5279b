//! The ideal probabilities that the indices of a line have.

use super::form::Line;
use crate::density::{Density, Side};
use crate::fixed::Interval;

/// P of the indices of a line.
pub(super) struct Ideal<'a, const N: usize> {
    density: &'a Density<N>,
    line: Line,
    /// 2/(1 + P(0)), of a half line that has its centre.
    scale: Option<Interval<N>>,
}

impl<'a, const N: usize> Ideal<'a, N> {
    pub(super) fn new(density: &'a Density<N>, line: Line) -> Self {
        let with_center = density.exponent().is_symmetric();
        let scale = || Interval::ONE.add(density.mode_mass()).reciprocal().times(2);
        Ideal { density, line, scale: if line == Line::Half && with_center { Some(scale()) } else { None } }
    }

    /// P(X = mode ± distance).
    pub(super) fn value(&self, side: Side, distance: u64) -> Interval<N> {
        self.density.at(side, distance)
    }

    /// P(index = k) of a line that is symmetric: both signs together, or of the half line.
    pub(super) fn index(&self, k: u64) -> Interval<N> {
        let one_sided = self.density.at(Side::Up, k);
        match &self.scale {
            Some(scale) => one_sided.mul(scale),
            None if k == 0 && self.density.exponent().is_symmetric() => one_sided,
            None => one_sided.add(&one_sided),
        }
    }

    /// Returns the count of an entry of such a line: as `index`, but of a mirrored line one side.
    pub(super) fn unit(&self, k: u64) -> Interval<N> {
        if self.line == Line::Mirrored { self.value(Side::Up, k) } else { self.index(k) }
    }
}
