//! Numbers with a scale: small and large ones keep their relative precision.

use super::interval::Interval;
use super::limbs::{nearest, sub};
use super::round::{compare, rounded};
use core::cmp::Ordering;
use libm::scalbn;

/// A non-negative number, value·2^-shift.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled<const N: usize> {
    pub(crate) value: Interval<N>,
    pub(crate) shift: i32,
}

impl<const N: usize> From<Interval<N>> for Scaled<N> {
    fn from(value: Interval<N>) -> Self {
        Scaled { value, shift: 0 }
    }
}

impl<const N: usize> Scaled<N> {
    /// 0.
    pub(crate) const ZERO: Self = Scaled { value: Interval::ZERO, shift: 0 };

    /// Anything.
    const UNKNOWN: Self = Scaled { value: Interval { lo: [0; N], width: u64::MAX }, shift: 0 };

    /// Something from 0 to 2^-power, an ulp.
    pub(crate) const fn below(power: i32) -> Self {
        Scaled { value: Interval { lo: [0; N], width: 1 }, shift: power - 64 * (N as i32 - 1) }
    }

    /// The same number without a scale, which is not negative; its error is absolute then.
    pub(crate) fn fixed(&self) -> Interval<N> {
        self.at(0)
    }

    /// The value at another shift, which the limbs hold.
    fn at(&self, shift: i32) -> Interval<N> {
        let distance = self.shift.abs_diff(shift);
        match self.shift.cmp(&shift) {
            Ordering::Less => self.value.shl(distance),
            Ordering::Equal => self.value,
            Ordering::Greater => self.value.shr(distance),
        }
    }

    /// Returns the same number with a value from 1 to 2, if one of its digits is not 0 and its error permits it. The
    /// width stays below 2^56, or as it is.
    pub(crate) fn normal(&self) -> Self {
        let Some(top) = self.value.lo.iter().rposition(|limb| *limb != 0) else { return *self };
        // The leading digit weighs 2^place.
        let place = 64 * (top as i32 + 1 - N as i32) + 63 - self.value.lo[top].leading_zeros() as i32;
        if place > 0 {
            return Scaled { value: self.value.shr(place.unsigned_abs()), shift: self.shift - place };
        }
        let room = if self.value.width == 0 { u32::MAX } else { self.value.width.leading_zeros().saturating_sub(8) };
        let doublings = place.unsigned_abs().min(room);
        Scaled { value: self.value.shl(doublings), shift: self.shift + doublings as i32 }
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

    /// The product with an integer.
    pub(crate) fn times(&self, n: u64) -> Self {
        Scaled { value: self.value.times(n), shift: self.shift }
    }

    /// The product.
    pub(crate) fn product(&self, other: &Self) -> Self {
        let (a, b) = (self.normal(), other.normal());
        Scaled { value: a.value.mul(&b.value), shift: a.shift + b.shift }
    }

    /// The n-th power.
    pub(crate) fn power(&self, n: u32) -> Self {
        let mut power = Scaled::from(Interval::ONE);
        for bit in (0..u32::BITS - n.leading_zeros()).rev() {
            power = power.product(&power);
            if n >> bit & 1 == 1 {
                power = power.product(self);
            }
        }
        power
    }

    /// The quotient; unknown if too little is known of the divisor.
    pub(crate) fn over(&self, divisor: &Self) -> Self {
        let (dividend, divisor) = (self.normal(), divisor.normal());
        if divisor.value.lo[N - 1] == 0 {
            return Self::UNKNOWN;
        }
        Scaled { value: dividend.value.mul(&divisor.value.reciprocal()), shift: dividend.shift - divisor.shift }
    }

    /// The square root; unknown if too little is known of the number.
    pub(crate) fn sqrt(&self) -> Self {
        let normal = self.normal();
        if normal.value.lo[N - 1] == 0 {
            return Self::UNKNOWN;
        }
        // sqrt(v·2^-s) = sqrt(v/2^b)·2^-(s-b)/2 with s - b even and v/2^b below 1.
        let halvings = 2 - normal.shift.rem_euclid(2);
        let root = normal.value.shr(halvings.unsigned_abs()).sqrt();
        Scaled { value: root, shift: (normal.shift - halvings) / 2 }
    }

    /// Whether it is at least the other, certainly.
    pub(crate) fn reaches(&self, other: &Self) -> bool {
        let shift = self.shift.min(other.shift);
        other.at(shift).hi().is_some_and(|hi| sub(&self.at(shift).lo, &hi).is_some())
    }

    /// The double nearest to the lower end, within 0.51 units in the last place; below 2^-1022
    /// it is rounded twice.
    pub(crate) fn to_f64(self) -> f64 {
        scalbn(nearest(&self.value.lo), -self.shift)
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

    /// Compares it with a double >= 0; `None` if the interval does not decide.
    pub(crate) fn compare(&self, double: f64) -> Option<Ordering> {
        let low = compare(&self.value.lo, self.shift, double);
        if low == Ordering::Greater {
            return Some(low);
        }
        let high = compare(&self.value.hi()?, self.shift, double);
        if high == Ordering::Less || high == low { Some(high) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(top: u64, width: u64, shift: i32) -> Scaled<3> {
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
        assert_eq!(scaled(1, 0, 0).compare(1.0), Some(Ordering::Equal));
        assert_eq!(scaled(1, 1, 0).compare(1.0), None);
        let around = Scaled { value: Interval { lo: [u64::MAX, u64::MAX, 0], width: 2 }, shift: 0 };
        assert_eq!((around.compare(1.0), around.rounded()), (None, Some(1.0)));
        assert_eq!(scaled(1, u64::MAX, 0).rounded(), None);
    }

    #[test]
    fn products_quotients_roots_and_powers() {
        let exact = |x: u64, shift| scaled(x, 0, shift);
        for (a, b) in [(3, 700), (7, -900), (1 << 40, 3), (u64::MAX >> 14, 60)] {
            let (x, third) = (exact(a, b), exact(1, 0).over(&exact(3, 0)));
            let value = scalbn(a as f64, -b);
            assert_eq!(x.product(&exact(3, -5)).rounded(), Some(value * 96.0), "{a} {b}");
            assert_eq!(x.over(&exact(5, 0)).rounded(), Some(value / 5.0));
            assert_eq!(x.product(&third).over(&x).rounded(), Some(1.0 / 3.0));
            assert_eq!(x.product(&x).sqrt().rounded(), Some(value));
            assert_eq!(x.product(&x).product(&exact(1, 4)).sqrt().rounded(), Some(value / 4.0));
            assert!(x.reaches(&x) && x.reaches(&exact(a, b + 1)) && !exact(a, b + 1).reaches(&x));
        }
        assert_eq!((exact(2, 0).sqrt().rounded(), exact(2, 1).sqrt().rounded()), (Some(2_f64.sqrt()), Some(1.0)));
        assert_eq!(
            (exact(3, 0).power(33).rounded(), exact(3, 1).power(0).rounded()),
            (Some(5559060566555523.0), Some(1.0))
        );
        assert_eq!(exact(1, 0).over(&Scaled::ZERO).rounded(), None);
        // What is not known to be above 0.
        let small = Scaled::<3>::below(1139);
        assert_eq!(small.product(&exact(5, 0)).rounded(), Some(0.0));
        assert_eq!((small.over(&exact(1, 1)).rounded(), exact(1, 0).over(&small).rounded()), (Some(0.0), None));
        assert!(!small.reaches(&small) && exact(1, 0).reaches(&small));
        // Without an error, and with one that leaves no room to bring the value to 1.
        let rest = Scaled::<3> { value: Interval { lo: [5, 0, 0], width: 0 }, shift: 0 };
        assert_eq!(rest.over(&exact(5, 0)).rounded(), Some(scalbn(1.0, -128)));
        let rest = Scaled::<3> { value: Interval { lo: [0, 5, 0], width: 3 }, shift: 0 };
        assert_eq!(rest.over(&exact(5, 0)).rounded(), Some(scalbn(1.0, -64)));
        assert_eq!((exact(5, 0).over(&rest).rounded(), rest.sqrt().rounded()), (None, None));
        // An error that covers what was left of the digits.
        assert_eq!(scaled(1, 1 << 62, 0).times(4).rounded(), None);
    }
}
