//! Inversion of a remainder whose certified law is symmetric about an integer centre: [`Folded`].

use super::outwards::{LIMBS, Outwards, next};
use crate::density::{Density, Side};
use crate::error::BuildError;
use crate::fixed::{Interval, less};
use core::fmt;
use samplez_core::DiscreteGaussian;

/// Takes the masses of the distances 0, 1, …, each that of one value.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&Interval<LIMBS>);

/// The options of a table whose law is symmetric about an integer centre.
///
/// A trait object, so that a program contains the builders of its own methods only.
pub(super) trait Masses: fmt::Debug + Send + Sync {
    /// Builds the table of this law, and visits its masses.
    ///
    /// # Errors
    ///
    /// As the builder.
    fn visit(&self, law: &DiscreteGaussian, density: &Density<LIMBS>, visit: Visit<'_>) -> Result<(), BuildError>;
}

/// Finds the distance from the centre that a number below 2^-t chooses.
///
/// Distances are visited from 0 on, with the certified mass of each. The two values of a distance count together.
pub(super) struct Folded<'a> {
    ideal: Outwards<'a>,
    tosses: u32,
    uniform: &'a [u64; LIMBS],
    above: [u64; LIMBS],
    sum: Interval<LIMBS>,
    distance: u64,
    /// The distance, or `None` if the number and the sum are too close.
    found: Option<Option<u64>>,
}

impl<'a> Folded<'a> {
    pub(super) fn new(density: &'a Density<LIMBS>, tosses: u32, uniform: &'a [u64; LIMBS]) -> Self {
        Folded {
            ideal: Outwards::new(density, Side::Up),
            tosses,
            uniform,
            above: next(uniform),
            sum: Interval::ZERO,
            distance: 0,
            found: None,
        }
    }

    /// Visits the next distance. `certified` is the mass of one of its values.
    pub(super) fn visit(&mut self, certified: &Interval<LIMBS>) {
        if self.found.is_none() {
            self.step(certified);
        }
    }

    /// Returns the ideal mass of one value.
    fn step(&mut self, certified: &Interval<LIMBS>) -> Interval<LIMBS> {
        let ideal = self.ideal.next();
        let both = |mass: &Interval<LIMBS>| if self.distance > 0 { mass.add(mass) } else { *mass };
        let (p, q) = (both(&ideal), both(certified));
        // P - (1 - 2^-t) Q.
        self.sum = self.sum.add(&p.sub(&q.sub(&q.shr(self.tosses))));
        self.found = match self.sum.hi() {
            Some(hi) if !less(self.uniform, &hi) => None,
            // Below the lower end for certain, or undecided.
            Some(_) => Some((!less(&self.sum.lo, &self.above)).then_some(self.distance)),
            None => Some(None),
        };
        self.distance += 1;
        ideal
    }

    /// The distance, beyond those visited if need be. `None` if 512 bits of fraction do not decide it.
    pub(super) fn finish(mut self) -> Option<u64> {
        loop {
            if let Some(found) = self.found {
                return found;
            }
            if self.step(&Interval::ZERO).lo == [0; LIMBS] && self.found.is_none() {
                return None;
            }
        }
    }
}
