//! Sums of base samples, each with its factor: the common part of the convolutions.

use crate::arch::{Backend, Kernel};
use crate::params::DiscreteGaussian;
use crate::profile::{Bound, Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError};
use crate::table::Table;
use crate::table::{ConvolutionTable, MAX_LEVELS};
use core::ops::RangeInclusive;
use zeroize::Zeroize;

/// Base samples that are drawn at a time: the ones of whole samples.
const BASES: usize = 3072;

/// c + Σ factor·X over the 2^L base samples X of a [`ConvolutionTable`], whose constructor has seen
/// that every such sum is an `i64`.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    target: DiscreteGaussian,
    bound: Bound,
    support: RangeInclusive<i64>,
    levels: usize,
    factors: [i64; 1 << MAX_LEVELS],
    center: i64,
}

impl Sums {
    pub(crate) fn new<S: AsRef<[u32]>>(table: &ConvolutionTable<S>) -> Self {
        Sums {
            target: *table.target(),
            bound: table.bound(),
            support: table.support(),
            levels: table.levels().len(),
            factors: table.factors(),
            center: table.target().center().num(),
        }
    }

    /// The factors of a sample's base samples, in their order.
    #[inline(always)]
    fn factors(&self) -> &[i64] {
        &self.factors[..1 << self.levels]
    }

    /// Whether every sum is a T.
    pub(crate) fn fits<T: Int>(&self) -> bool {
        *self.support.start() >= T::MIN && *self.support.end() <= T::MAX
    }

    /// The sum of base samples that are drawn one by one, in their order.
    #[inline(always)]
    pub(crate) fn sum(&self, mut base: impl FnMut() -> i64) -> i64 {
        self.factors().iter().fold(self.center, |sum, factor| sum + factor * base())
    }

    /// Fills `out` with the sums of base samples that `draw` makes many at a time, in their order. Every sum
    /// is to fit T.
    ///
    /// # Errors
    ///
    /// The errors of `draw`.
    #[inline(always)]
    pub(crate) fn fill<T: Int>(
        &self,
        backend: Backend,
        out: &mut [T],
        mut draw: impl FnMut(&mut [i16]) -> Result<(), RangeError>,
    ) -> Result<(), RangeError> {
        let width = self.factors().len();
        let (mut bases, used) = ([0_i16; BASES], BASES.min(width.saturating_mul(out.len())));
        for part in out.chunks_mut(BASES / width) {
            // steps 1 and 2
            let bases = &mut bases[..part.len() * width];
            draw(bases)?;
            // step 3
            self.add(backend, bases, part);
        }
        bases[..used].zeroize();
        Ok(())
    }

    /// Fills `out` with the sums of `bases`, 2^L of them for each. Every sum is to fit T.
    fn add<T: Int>(&self, backend: Backend, bases: &[i16], out: &mut [T]) {
        let center = self.center;
        match *self.factors() {
            [a, b] => backend.run(Add { factors: [a, b], center, bases, out }),
            [a, b, c, d] => backend.run(Add { factors: [a, b, c, d], center, bases, out }),
            [a, b, c, d, e, f, g, h] => backend.run(Add { factors: [a, b, c, d, e, f, g, h], center, bases, out }),
            _ => backend.run(Add { factors: self.factors, center, bases, out }),
        }
    }

    /// Fills `out` with the sums of `bases`: as many samples of each leg, one leg after the other. Every sum is to fit T.
    pub(crate) fn add_legs<T: Int>(&self, backend: Backend, bases: &[i16], out: &mut [T]) {
        backend.run(LegSums { factors: self.factors(), center: self.center, bases, out });
    }

    /// Base samples of a sample.
    pub(crate) fn width(&self) -> usize {
        self.factors().len()
    }

    /// The bound of sums of independent base samples.
    pub(crate) const fn bound(&self) -> &Bound {
        &self.bound
    }

    /// The profile over a base with this one, within this bound.
    pub(crate) fn profile(&self, base: &Profile, bound: Bound, timing: Timing) -> Profile {
        Profile {
            target: self.target.into(),
            exactness: Exactness::Within(bound),
            timing,
            support: self.support.clone(),
            table_bytes: base.table_bytes,
            expected_bits: base.expected_bits * self.factors().len() as f64,
            expected_trials: 1.0,
        }
    }
}

/// The sums of N base samples each.
struct Add<'a, T, const N: usize> {
    factors: [i64; N],
    center: i64,
    bases: &'a [i16],
    out: &'a mut [T],
}

impl<T: Int, const N: usize> Kernel for Add<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (slot, bases) in self.out.iter_mut().zip(self.bases.as_chunks::<N>().0) {
            let products = bases.iter().zip(&self.factors).map(|(x, factor)| factor * i64::from(*x));
            *slot = T::wrapping(self.center + products.sum::<i64>());
        }
    }
}

/// The sums of base samples that lie one leg after the other.
struct LegSums<'a, T> {
    factors: &'a [i64],
    center: i64,
    bases: &'a [i16],
    out: &'a mut [T],
}

impl<T: Int> Kernel for LegSums<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let LegSums { factors, center, bases, out } = self;
        out.fill(T::wrapping(center));
        for (factor, leg) in factors.iter().zip(bases.chunks_exact(out.len())) {
            // As the sums fit T, they are wanted modulo 2^(width of T) only: narrow products, more of them at once.
            for (slot, x) in out.iter_mut().zip(leg) {
                let sum = slot.widen();
                *slot = T::wrapping(match size_of::<T>() {
                    1 | 2 => (sum as i16).wrapping_add((*factor as i16).wrapping_mul(*x)).into(),
                    4 => (sum as i32).wrapping_add((*factor as i32).wrapping_mul((*x).into())).into(),
                    _ => sum.wrapping_add(factor.wrapping_mul((*x).into())),
                });
            }
        }
    }
}
