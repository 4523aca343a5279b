//! Whole numbers below 2^448, and coins of their fractions.

use crate::bits::{BitSource, bernoulli};
use crate::product::full;

/// A number below 2^448 in limbs, least significant first. No operation overflows where its caller's bounds hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wide([u64; 7]);

impl Wide {
    /// The number x.
    pub(crate) const fn new(x: u128) -> Self {
        Wide([x as u64, (x >> 64) as u64, 0, 0, 0, 0, 0])
    }

    /// self·x.
    pub(crate) fn times(self, x: u128) -> Self {
        let mut product = [0_u64; 7];
        for (shift, digit) in [(0, x as u64), (1, (x >> 64) as u64)] {
            let mut carry = 0;
            for i in 0..7 - shift {
                let sum = full(self.0[i], digit) + u128::from(product[i + shift]) + u128::from(carry);
                (product[i + shift], carry) = (sum as u64, (sum >> 64) as u64);
            }
        }
        Wide(product)
    }

    /// self - other, or `None` if that is negative.
    pub(crate) fn minus(self, other: Self) -> Option<Self> {
        let mut borrow = false;
        let rest = core::array::from_fn(|i| {
            let (less, one) = self.0[i].overflowing_sub(other.0[i]);
            let (less, two) = less.overflowing_sub(u64::from(borrow));
            borrow = one | two;
            less
        });
        (!borrow).then_some(Wide(rest))
    }

    /// 2·self.
    fn doubled(self) -> Self {
        let mut carry = 0;
        Wide(self.0.map(|digit| {
            let shifted = digit << 1 | carry;
            carry = digit >> 63;
            shifted
        }))
    }

    /// ⌊self/den⌋ and the remainder, or `None` if the quotient is 2^bits or more; den·2^bits < 2^448.
    pub(crate) fn divided(self, den: Self, bits: u32) -> Option<(u64, Self)> {
        let mut rest = self;
        let mut quotient = 0;
        for i in (0..=bits).rev() {
            if let Some(less) = rest.minus(den.times(1 << i)) {
                (rest, quotient) = (less, quotient | 1 << i);
            }
        }
        (quotient >> bits == 0).then_some((quotient, rest))
    }

    /// Whether the number is 0.
    pub(crate) fn is_zero(self) -> bool {
        self.0 == [0; 7]
    }

    /// The nearest double or one next to it, for estimates of cost only.
    pub(crate) fn estimated(self) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, digit| sum * 18_446_744_073_709_551_616.0 + *digit as f64)
    }
}

/// The error of [`Fraction::lower_bound`] is below this, in 2^-64.
pub(crate) const LOWER_BOUND_SLACK: u64 = 16;

/// A fraction below 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fraction {
    /// num/den, den <= 2^127.
    Small(u128, u128),
    /// num/den, den < 2^447.
    Large(Wide, Wide),
}

impl Fraction {
    /// Whether the fraction is 0.
    pub(crate) fn is_zero(&self) -> bool {
        match self {
            Fraction::Small(num, _) => *num == 0,
            Fraction::Large(num, _) => num.is_zero(),
        }
    }

    /// True with the probability of this fraction, exactly, from 2 bits on average.
    pub(crate) fn coin<B: BitSource + ?Sized>(&self, bits: &mut B) -> bool {
        match *self {
            Fraction::Small(num, den) => bernoulli(num, den, bits),
            // The places of the fraction against those of a uniform: the first that differs decides.
            Fraction::Large(mut rest, den) => loop {
                rest = rest.doubled();
                let less = rest.minus(den);
                rest = less.unwrap_or(rest);
                if bits.bit() != less.is_some() {
                    return less.is_some();
                }
            },
        }
    }

    /// A lower bound in units of 2^-64 that is short by less than [`LOWER_BOUND_SLACK`]; 0 for a large fraction is none.
    ///
    /// N and D are the leading 63 bits of both, after the shift that normalizes the denominator. The fraction is at least
    /// N/(D + 1) and below (N + 1)/D. These differ by (N + D + 1)/(D(D + 1)) <= 2/D <= 2^-61.
    #[inline(always)]
    pub(crate) fn lower_bound(&self) -> u64 {
        let Fraction::Small(num, den) = self else { return 0 };
        let shift = den.leading_zeros();
        let (num, den) = ((num << shift) >> 65, (den << shift) >> 65);
        ((num << 64) / (den + 1)) as u64
    }

    /// The nearest double or one next to it, for estimates of cost only.
    pub(crate) fn estimated(&self) -> f64 {
        match self {
            Fraction::Small(num, den) => *num as f64 / *den as f64,
            Fraction::Large(num, den) => num.estimated() / den.estimated(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Counted;
    use crate::fixtures::reader;

    /// Numbers below 2^120, for which `u128` is the judge.
    fn numbers() -> impl Iterator<Item = u128> {
        let mut bits = reader(1);
        let ends = [0, 1, 2, u128::from(u64::MAX), 1 << 64, (1 << 120) - 1];
        ends.into_iter().chain((0..200).map(move |i| {
            let word = u128::from(bits.bits(60)) << 60 | u128::from(bits.bits(60));
            word >> (i % 120)
        }))
    }

    #[test]
    fn arithmetic_is_that_of_whole_numbers() {
        for a in numbers() {
            assert_eq!(Wide::new(a).doubled(), Wide::new(2 * a));
            assert_eq!(Wide::new(a).is_zero(), a == 0);
            assert!((Wide::new(a).estimated() - a as f64).abs() <= 1e-15 * a as f64);
            for b in numbers() {
                assert_eq!(Wide::new(a).minus(Wide::new(b)), a.checked_sub(b).map(Wide::new), "{a} - {b}");
                if let Some(product) = a.checked_mul(b) {
                    assert_eq!(Wide::new(a).times(b), Wide::new(product), "{a} * {b}");
                }
                if let Some(whole) = a.checked_div(b) {
                    let quotient = (whole < 1 << 16).then(|| (whole as u64, Wide::new(a % b)));
                    assert_eq!(Wide::new(a).divided(Wide::new(b), 16), quotient, "{a} / {b}");
                }
                // (ab + a)·b - ab·b = ab, beyond 128 bits.
                let product = Wide::new(a).times(b);
                let more = Wide::new(a).times(b + 1);
                assert_eq!(more.minus(product), Some(Wide::new(a)));
                assert_eq!(more.times(b).minus(product.times(b)), Some(product));
                if a > 0 && b > 0 {
                    let limit = Wide::new(a).times(b).times(b);
                    assert_eq!(limit.times(77).divided(limit, 7), Some((77, Wide::new(0))));
                    assert_eq!(limit.times(128).divided(limit, 7), None);
                }
            }
        }
    }

    #[test]
    fn lower_bounds_are_close() {
        for num in numbers() {
            for den in numbers().filter(|den| *den > num) {
                let bound = Fraction::Small(num, den).lower_bound();
                // ⌊2^64·num/den⌋ by long division.
                let (_, exact) = (0..64).fold((num, 0_u64), |(rest, value), _| {
                    let digit = 2 * rest >= den;
                    (2 * rest - if digit { den } else { 0 }, value << 1 | u64::from(digit))
                });
                assert!(bound <= exact && exact - bound < LOWER_BOUND_SLACK - 1, "{num}/{den}: {bound}, {exact}");
            }
        }
    }

    #[test]
    fn large_fractions_are_coins_like_small_ones() {
        for (num, den) in [(0, 1), (1, 3), (1, 2), (12_345, 54_321), ((1 << 100) - 1, 1 << 100)] {
            let small = Fraction::Small(num, den);
            let scale = |x: u128| Wide::new(x).times((1 << 120) + 7).times(1 << 120);
            let large = Fraction::Large(scale(num), scale(den));
            assert_eq!((small.is_zero(), large.is_zero()), (num == 0, num == 0));
            assert!((small.estimated() - large.estimated()).abs() < 1e-15);
            let (mut one, mut other) = (Counted::new(reader(2)), Counted::new(reader(2)));
            for _ in 0..2000 {
                assert_eq!(small.coin(&mut one), large.coin(&mut other), "{num}/{den}");
                assert_eq!(one.count(), other.count(), "{num}/{den}");
            }
        }
    }
}
