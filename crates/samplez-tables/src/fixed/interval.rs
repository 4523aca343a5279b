//! Intervals of fixed-point numbers.

use super::limbs::{self, add_ulps};

/// The numbers from `lo` to `lo + width` ulp.
///
/// A width of `u64::MAX` stands for "unknown": the interval then has no upper end, and
/// whatever is computed from it is unknown too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval<const N: usize> {
    pub(crate) lo: [u64; N],
    pub(crate) width: u64,
}

const UNKNOWN: u64 = u64::MAX;

impl<const N: usize> Interval<N> {
    pub(crate) const ZERO: Self = Interval { lo: [0; N], width: 0 };
    pub(crate) const ONE: Self = {
        let mut lo = [0; N];
        lo[N - 1] = 1;
        Interval { lo, width: 0 }
    };

    /// The upper end, or `None` if that is unknown.
    pub(crate) fn hi(&self) -> Option<[u64; N]> {
        let (hi, over) = add_ulps(&self.lo, self.width);
        if over || self.width == UNKNOWN { None } else { Some(hi) }
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        Interval { lo: limbs::add(&self.lo, &other.lo), width: self.width.saturating_add(other.width) }
    }

    /// The difference, which is known not to be negative.
    pub(crate) fn sub(&self, other: &Self) -> Self {
        let width = self.width.saturating_add(other.width);
        let Some(subtrahend) = other.hi() else { return Interval { lo: [0; N], width: UNKNOWN } };
        // A lower end below zero becomes zero; the upper end then only rises.
        Interval { lo: limbs::sub(&self.lo, &subtrahend).unwrap_or([0; N]), width }
    }

    /// The product.
    ///
    /// With a < A, b < B integers and errors of u and v ulp, (a + u)(b + v) - ab is below
    /// Av + Bu + 1 ulp (uv ulp² is less than an ulp, as N >= 3); rounding costs another.
    pub(crate) fn mul(&self, other: &Self) -> Self {
        let Some(lo) = limbs::mul(&self.lo, &other.lo) else { return Interval { lo: [0; N], width: UNKNOWN } };
        let (a, b) = (self.lo[N - 1].saturating_add(1), other.lo[N - 1].saturating_add(1));
        let width = a.saturating_mul(other.width).saturating_add(b.saturating_mul(self.width));
        Interval { lo, width: width.saturating_add(2) }
    }

    /// The quotient by a positive integer.
    pub(crate) fn div_small(&self, divisor: u64) -> Self {
        let mut lo = self.lo;
        limbs::div_small(&mut lo, divisor);
        Interval { lo, width: if self.width == UNKNOWN { UNKNOWN } else { self.width / divisor + 2 } }
    }

    /// The quotient by 2^n.
    pub(crate) fn shr(&self, n: u32) -> Self {
        let width = if self.width == UNKNOWN { UNKNOWN } else { self.width.checked_shr(n).unwrap_or(0) + 2 };
        Interval { lo: limbs::shr(&self.lo, n), width }
    }

    /// The interval with its lower end lowered and its upper end raised by n ulp.
    pub(crate) fn widen(&self, n: u64) -> Self {
        let lower = self.sub(&Interval { lo: add_ulps(&[0; N], n).0, width: 0 });
        Interval { lo: lower.lo, width: self.width.saturating_add(n).saturating_add(n) }
    }

    /// 1/x for x >= 1, by restoring division.
    pub(crate) fn reciprocal(&self) -> Self {
        let mut remainder = Self::ONE.lo;
        let mut quotient = [0; N];
        if self.lo == remainder {
            quotient = remainder;
        } else {
            for bit in (0..64 * (N - 1)).rev() {
                remainder = limbs::add(&remainder, &remainder);
                if let Some(rest) = limbs::sub(&remainder, &self.lo) {
                    remainder = rest;
                    quotient[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        // 1/lo is within an ulp of the quotient, and 1/(lo + width) at most width ulp below.
        Interval { lo: quotient, width: 1 }.sub(&Interval { lo: [0; N], width: self.width })
    }

    /// sqrt(x) for 2^-64 <= x < 1, digit by digit.
    pub(crate) fn sqrt(&self) -> Self {
        let (mut root, mut remainder) = ([0; N], [0; N]);
        for step in (0..64 * (N - 1)).rev() {
            // Two digits of x·2^(64(N-1)) at a time: x has its last at step 32(N-1).
            let digits = match (2 * step).checked_sub(64 * (N - 1)) {
                Some(bit) => self.lo[bit / 64] >> (bit % 64) & 3,
                None => 0,
            };
            for _ in 0..2 {
                remainder = limbs::add(&remainder, &remainder);
            }
            remainder[0] |= digits;
            root = limbs::add(&root, &root);
            let doubled = limbs::add(&root, &root);
            let trial = add_ulps(&doubled, 1).0;
            if let Some(rest) = limbs::sub(&remainder, &trial) {
                remainder = rest;
                root[0] |= 1;
            }
        }
        // The slope is 1/(2 sqrt(x)) <= 2^31.
        Interval { lo: root, width: self.width.saturating_mul(1 << 31).saturating_add(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// num/den, which must be a dyadic number or gets rounded down with a width of 1.
    fn ratio(num: u64, den: u64) -> Interval<4> {
        let mut lo = [0, 0, 0, num];
        limbs::div_small(&mut lo, den);
        Interval { lo, width: u64::from(!den.is_power_of_two()) }
    }

    /// Whether num/den, or a number within an ulp of it, lies in the interval.
    fn contains(interval: Interval<4>, num: u64, den: u64) -> bool {
        let exact = ratio(num, den);
        !limbs::less(&exact.hi().unwrap(), &interval.lo) && !limbs::less(&interval.hi().unwrap(), &exact.lo)
    }

    #[test]
    fn operations_contain_the_exact_result() {
        for (a, b) in [((1, 3), (2, 7)), ((22, 7), (355, 113)), ((1, 2), (1, 2)), ((1, u64::MAX), (5, 3))] {
            let (x, y) = (ratio(a.0, a.1), ratio(b.0, b.1));
            let tight = |i: Interval<4>| i.width < 20;
            if a.1 < 1000 {
                assert!(contains(x.add(&y), a.0 * b.1 + b.0 * a.1, a.1 * b.1) && tight(x.add(&y)));
                assert!(contains(x.mul(&y), a.0 * b.0, a.1 * b.1) && tight(x.mul(&y)));
                assert!(contains(x.div_small(9), a.0, 9 * a.1) && tight(x.div_small(9)));
            }
            assert!(
                contains(x.shr(70).mul(&Interval { lo: [0, 0, 0, 1 << 60], width: 0 }).shr(0), a.0, a.1 << 10)
                    || a.1 > 1000
            );
        }
        assert!(contains(ratio(22, 7).sub(&ratio(1, 3)), 59, 21));
        assert_eq!(ratio(1, 4).sub(&ratio(1, 2)), Interval { lo: [0; 4], width: 0 });
        assert!(contains(ratio(1, 3).widen(5), 1, 3));
        assert_eq!(ratio(1, 2).widen(5).width, 10);
    }

    #[test]
    fn reciprocal_and_root_contain_the_exact_result() {
        for (num, den) in [(1, 1), (3, 2), (22, 7), (13, 1), (1_000_001, 1_000_000)] {
            let inverse = ratio(num, den).reciprocal();
            assert!(contains(inverse, den, num) && inverse.width < 4, "{num}/{den}");
        }
        for (num, den) in [(1, 4), (4, 9), (1, 1 << 40), (25, 49)] {
            let root = ratio(num, den).sqrt();
            let exact = (num.isqrt(), den.isqrt());
            assert!(contains(root, exact.0, exact.1) && root.width < 1 << 32, "{num}/{den}");
            assert!(contains(root.mul(&root), num, den));
        }
        // An exact argument gives the root to the ulp.
        assert_eq!(ratio(1, 4).sqrt(), Interval { lo: ratio(1, 2).lo, width: 1 });
    }

    #[test]
    fn the_unknown_stays_unknown() {
        let unknown = Interval { width: UNKNOWN, ..Interval::<4>::ONE };
        let others = [unknown.add(&Interval::ONE), unknown.mul(&Interval::ONE), unknown.div_small(3), unknown.shr(9)];
        for interval in others.into_iter().chain([Interval::ONE.sub(&unknown), unknown.widen(1), unknown.sqrt()]) {
            assert_eq!(interval.hi(), None);
        }
        let large = Interval { lo: [0, 0, 0, 1 << 40], width: 0 };
        assert_eq!(large.mul(&large).hi(), None);
    }
}
