//! The ideal masses in the order of their distances from the mode.

use crate::density::{Density, Side, Walk};
use crate::fixed::{Interval, add};
use samplez_core::bits::BitSource;
use zeroize::Zeroizing;

/// Limbs of the arithmetic: 512 bits of fraction.
pub(crate) const LIMBS: usize = 9;
/// Bits of the fraction.
pub(super) const FRACTION: u32 = 64 * (LIMBS as u32 - 1);
/// Steps of the recurrence between two direct exponentials.
const BLOCK: u64 = 256;

/// A uniform number below 2^-`tosses`: its digits.
pub(crate) fn uniform<B: BitSource + ?Sized>(tosses: u32, bits: &mut B) -> Zeroizing<[u64; LIMBS]> {
    let mut digits = Zeroizing::new([0; LIMBS]);
    let mut left = FRACTION - tosses;
    for digit in digits.iter_mut() {
        let some = left.min(64);
        if some > 0 {
            *digit = bits.bits(some);
        }
        left -= some;
    }
    digits
}

/// The number an ulp above: the numbers that begin with the digits lie in between.
pub(super) fn next(digits: &[u64; LIMBS]) -> [u64; LIMBS] {
    let mut ulp = [0; LIMBS];
    ulp[0] = 1;
    add(digits, &ulp)
}

/// P at the distances 0, 1, … from the mode on one side.
pub(super) struct Outwards<'a> {
    density: &'a Density<LIMBS>,
    side: Side,
    distance: u64,
    pub(super) walk: Walk<LIMBS>,
}

impl<'a> Outwards<'a> {
    pub(super) fn new(density: &'a Density<LIMBS>, side: Side) -> Self {
        Outwards { density, side, distance: 0, walk: density.walk(side, 0) }
    }

    /// From the first distance above this one on.
    pub(super) fn beyond(density: &'a Density<LIMBS>, side: Side, distance: u64) -> Self {
        Outwards { density, side, distance: distance + 1, walk: density.walk(side, distance + 1) }
    }

    pub(super) fn next(&mut self) -> Interval<LIMBS> {
        if self.distance > 0 && self.distance.is_multiple_of(BLOCK) {
            self.walk = self.density.walk(self.side, self.distance);
        }
        let mass = self.walk.value;
        self.walk.advance();
        self.distance += 1;
        mass
    }
}
