//! Numbers with a scale: small ones keep their relative precision.

use super::interval::Interval;
use super::limbs::nearest;
use super::round::{rounded, truncated};
use core::cmp::Ordering;
use libm::scalbn;

/// A non-negative number, value·2^-shift.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled<const N: usize> {
    pub(crate) value: Interval<N>,
    pub(crate) shift: u32,
}

impl<const N: usize> From<Interval<N>> for Scaled<N> {
    fn from(value: Interval<N>) -> Self {
        Scaled { value, shift: 0 }
    }
}

impl<const N: usize> Scaled<N> {
    /// 0.
    pub(crate) const ZERO: Self = Scaled { value: Interval::ZERO, shift: 0 };

    /// Something from 0 to 2^-power, an ulp; the power is at least that of an unscaled ulp.
    pub(crate) const fn below(power: u32) -> Self {
        Scaled { value: Interval { lo: [0; N], width: 1 }, shift: power - 64 * (N as u32 - 1) }
    }

    /// The same number without a scale; its error is absolute then.
    pub(crate) fn fixed(&self) -> Interval<N> {
        self.at(0)
    }

    /// The value at a smaller shift.
    fn at(&self, shift: u32) -> Interval<N> {
        if self.shift == shift { self.value } else { self.value.shr(self.shift - shift) }
    }

    /// The sum, at the scale of the larger one.
    pub(crate) fn add(&self, other: &Self) -> Self {
        let zero = |x: &Self| x.value == Interval::ZERO;
        let shift = if zero(self) {
            other.shift
        } else if zero(other) {
            self.shift
        } else {
            self.shift.min(other.shift)
        };
        let at = |x: &Self| if zero(x) { Interval::ZERO } else { x.at(shift) };
        Scaled { value: at(self).add(&at(other)), shift }
    }

    /// The difference, which is known not to be negative, at the scale of this one.
    pub(crate) fn sub(&self, other: &Self) -> Self {
        let shift = self.shift.min(other.shift);
        Scaled { value: self.at(shift).sub(&other.at(shift)), shift }
    }

    /// The product with a number of size about 1.
    pub(crate) fn mul(&self, factor: &Interval<N>) -> Self {
        Scaled { value: self.value.mul(factor), shift: self.shift }
    }

    /// The double nearest to the lower end, within 0.51 units in the last place; below 2^-1022
    /// it is rounded twice.
    pub(crate) fn to_f64(self) -> f64 {
        scalbn(nearest(&self.value.lo), -(self.shift as i32))
    }

    /// The nearest double, if it is the same for all numbers of the interval.
    pub(crate) fn rounded(&self) -> Option<f64> {
        let low = self.rounded_end(false)?;
        if self.rounded_end(true) == Some(low) { Some(low) } else { None }
    }

    /// The double nearest to the lower or the upper end, ties to even; `None` if that end is unknown.
    pub(crate) fn rounded_end(&self, upper: bool) -> Option<f64> {
        Some(rounded(&if upper { self.value.hi()? } else { self.value.lo }, self.shift))
    }

    /// How it compares with a double >= 0: `Greater` stands for "at least", `Less` for "below";
    /// `None` if the interval does not tell.
    pub(crate) fn compare(&self, double: f64) -> Option<Ordering> {
        if truncated(&self.value.lo, self.shift) >= double {
            return Some(Ordering::Greater);
        }
        if truncated(&self.value.hi()?, self.shift) < double { Some(Ordering::Less) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(top: u64, width: u64, shift: u32) -> Scaled<3> {
        Scaled { value: Interval { lo: [0, 0, top], width }, shift }
    }

    #[test]
    fn sums_and_differences_keep_the_larger_scale() {
        let (a, b) = (scaled(3, 0, 1000), scaled(5, 0, 1003));
        assert_eq!(a.add(&b).rounded(), Some(scalbn(29.0, -1003)));
        assert_eq!(b.add(&a).rounded(), Some(scalbn(29.0, -1003)));
        assert_eq!(a.sub(&b).rounded(), Some(scalbn(19.0, -1003)));
        assert_eq!(a.add(&Scaled::ZERO).shift, 1000);
        // Just below the tie between 0 and the least double, and what may reach it.
        let below_tie = Scaled { value: Interval { lo: [0, u64::MAX, 0], width: 0 }, shift: 1075 };
        assert_eq!(below_tie.rounded(), Some(0.0));
        assert_eq!(below_tie.add(&Scaled::below(1139)).rounded(), None);
        assert_eq!(below_tie.add(&Scaled::below(1141)).rounded(), Some(0.0));
        assert_eq!(Scaled::<3>::below(1200).rounded(), Some(0.0));
        // Far below: only the width knows.
        let sum = a.add(&scaled(1, 0, 3000));
        assert_eq!((sum.rounded(), sum.value.width), (Some(scalbn(3.0, -1000)), 2));
    }

    #[test]
    fn undecided_is_said() {
        // 1 + 2^-53 is a tie between doubles.
        let tie = Scaled { value: Interval { lo: [u64::MAX, (1 << 11) - 1, 1], width: 2 }, shift: 0 };
        assert_eq!(tie.rounded(), None);
        assert_eq!((tie.rounded_end(false), tie.rounded_end(true)), (Some(1.0), Some(1.0_f64.next_up())));
        assert_eq!(tie.compare(1.0), Some(Ordering::Greater));
        assert_eq!(tie.compare(1.0_f64.next_up()), Some(Ordering::Less));
        let around = Scaled { value: Interval { lo: [u64::MAX, u64::MAX, 0], width: 2 }, shift: 0 };
        assert_eq!((around.compare(1.0), around.rounded()), (None, Some(1.0)));
        assert_eq!(scaled(1, u64::MAX, 0).rounded(), None);
    }
}
