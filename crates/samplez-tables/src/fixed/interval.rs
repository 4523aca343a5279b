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

    pub(crate) const HALF: Self = {
        let mut lo = [0; N];
        lo[N - 2] = 1 << 63;
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
    /// With errors of u and v ulp, (a + u)(b + v) - ab is below (a + 1)v + (b + 1)u ulp. Here 1 is an ulp (uv ulp² is
    /// less than an ulp, as N >= 3). Rounding costs another.
    pub(crate) fn mul(&self, other: &Self) -> Self {
        let Some(lo) = limbs::mul(&self.lo, &other.lo) else { return Interval { lo: [0; N], width: UNKNOWN } };
        let width = self.times_error(other.width).saturating_add(other.times_error(self.width));
        Interval { lo, width: width.saturating_add(2) }
    }

    /// An upper bound of `lo` times the error: from its integer and its first fractional limb.
    fn times_error(&self, error: u64) -> u64 {
        let fraction = (u128::from(self.lo[N - 2]) + 1) * u128::from(error);
        let fraction = (fraction >> 64) as u64 + u64::from(fraction as u64 != 0);
        if error == UNKNOWN { UNKNOWN } else { self.lo[N - 1].saturating_mul(error).saturating_add(fraction) }
    }

    /// The quotient by a positive integer.
    pub(crate) fn div_small(&self, divisor: u64) -> Self {
        let mut lo = self.lo;
        limbs::div_small(&mut lo, divisor);
        Interval { lo, width: if self.width == UNKNOWN { UNKNOWN } else { (self.width / divisor).saturating_add(2) } }
    }

    /// The product with an integer.
    pub(crate) fn times(&self, n: u64) -> Self {
        let mut integer = [0; N];
        integer[N - 1] = n;
        let Some(lo) = limbs::mul(&self.lo, &integer) else { return Interval { lo: [0; N], width: UNKNOWN } };
        Interval { lo, width: self.width.saturating_mul(n) }
    }

    /// The quotient by 2^n.
    pub(crate) fn shr(&self, n: u32) -> Self {
        let width = self.width.checked_shr(n).unwrap_or(0).saturating_add(2);
        let width = if self.width == UNKNOWN { UNKNOWN } else { width };
        Interval { lo: limbs::shr(&self.lo, n), width }
    }

    /// The product with 2^n, known to be below 2^64.
    pub(crate) fn shl(&self, n: u32) -> Self {
        let mut doubled = *self;
        let mut left = n;
        while left > 0 {
            let step = left.min(63);
            doubled = doubled.times(1 << step);
            left -= step;
        }
        doubled
    }

    /// The interval with its lower end lowered and its upper end raised by n ulp.
    pub(crate) fn widen(&self, n: u64) -> Self {
        let lower = self.sub(&Interval { lo: add_ulps(&[0; N], n).0, width: 0 });
        Interval { lo: lower.lo, width: self.width.saturating_add(n).saturating_add(n) }
    }

    /// 1/x for 1 <= x <= 2^63; unknown for x < 1.
    pub(crate) fn reciprocal(&self) -> Self {
        if self.lo[N - 1] == 0 {
            return Interval { width: UNKNOWN, ..Self::ZERO };
        }
        let quotient = if self.lo == Self::ONE.lo { self.lo } else { limbs::reciprocal(&self.lo) };
        // 1/lo is within an ulp of the quotient, and 1/(lo + width) at most width/lo² ulp below.
        let square = u128::from(self.lo[N - 1]).pow(2).max(1);
        let below = if self.width == UNKNOWN { UNKNOWN } else { u128::from(self.width).div_ceil(square) as u64 };
        Interval { lo: quotient, width: 1 }.sub(&Interval { lo: [0; N], width: below })
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
        // With z leading zeros, x >= 2^-(z+1) and the slope 1/(2 sqrt(x)) is at most 2^((z-1)/2) <= 2^⌊z/2⌋.
        let slope = 1_u64 << (self.lo[N - 2].leading_zeros() / 2);
        Interval { lo: root, width: self.width.saturating_mul(slope).saturating_add(1) }
    }
}

/// The same number with more limbs of fraction.
#[cfg(test)]
pub(super) fn widened(x: &[u64; 3]) -> [u64; 9] {
    [0, 0, 0, 0, 0, 0, x[0], x[1], x[2]]
}

/// Whether the number, known to more limbs, lies in the interval.
#[cfg(test)]
pub(super) fn contains(interval: &Interval<3>, x: &[u64; 9]) -> bool {
    let hi = interval.hi().expect("an upper end");
    !limbs::less(x, &widened(&interval.lo)) && !limbs::less(&widened(&hi), x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Pseudorandom intervals of all sizes below 2^20 and widths, with both ends.
    fn intervals() -> impl Iterator<Item = (Interval<3>, [Interval<9>; 2])> {
        let mut state = 1_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 33
        };
        (0..if cfg!(miri) { 20 } else { 2000 }).map(move |i| {
            let fraction = random() >> (random() % 64);
            let integer = if i % 3 == 0 { random() >> 44 } else { i % 2 };
            let lo = [random(), fraction, integer];
            let width = if i % 4 == 0 { 0 } else { random() >> (16 + random() % 48) };
            let interval = Interval { lo, width };
            (interval, [lo, interval.hi().unwrap()].map(|end| Interval { lo: widened(&end), width: 0 }))
        })
    }

    /// The value at the corner must be in the interval, which must not be wider than this.
    fn check(interval: Interval<3>, value: Interval<9>, width: u128) {
        if width >= u128::from(UNKNOWN) {
            return;
        }
        assert!(contains(&interval, &value.lo), "{interval:?} {value:?}");
        assert!(u128::from(interval.width) <= width, "{interval:?} {width}");
    }

    #[test]
    fn operations_contain_their_results() {
        let all: Vec<_> = intervals().collect();
        for (i, (x, ends)) in all.iter().enumerate() {
            let (y, others) = &all[all.len() - 1 - i];
            let sum = u128::from(x.width) + u128::from(y.width);
            let weighted =
                u128::from(x.width) * u128::from(y.lo[2] + 1) + u128::from(y.width) * u128::from(x.lo[2] + 1);
            for end in ends {
                for other in others {
                    check(x.add(y), end.add(other), sum);
                    check(x.mul(y), end.mul(other), weighted + 2);
                    if let Some(difference) = limbs::sub(&end.lo, &other.lo) {
                        check(x.sub(y), Interval { lo: difference, width: 0 }, sum);
                    }
                }
                for n in [1, 3, 64, 70] {
                    check(x.shr(n), end.shr(n), u128::from(x.width) + 2);
                    check(
                        x.div_small(u64::from(n)),
                        end.div_small(u64::from(n)),
                        u128::from(x.width / u64::from(n)) + 2,
                    );
                }
                check(x.widen(5), *end, u128::from(x.width) + 10);
                check(x.shl(30), end.shl(30), u128::from(x.width) << 30);
                if x.lo[2] > 0 {
                    check(x.reciprocal(), end.reciprocal(), u128::from(x.width) + 1);
                } else if x.lo[1] > 0 && end.lo[8] == 0 {
                    check(x.sqrt(), end.sqrt(), u128::from(x.width) * (1 << 31) + 1);
                }
            }
        }
        let small = Interval { lo: [0, 1 << 60, 0], width: 0 };
        assert_eq!(small.sub(&Interval::ONE), Interval::ZERO);
        assert_eq!(small.sqrt(), Interval { lo: [0, 1 << 62, 0], width: 1 });
        assert_eq!(Interval::<3>::ONE.reciprocal().lo, Interval::<3>::ONE.lo);
        // The width falls by the square.
        let wide = Interval { lo: [0, 0, 1 << 10], width: 1 << 30 }.reciprocal();
        assert!((1 << 10..=(1 << 10) + 2).contains(&wide.width), "{wide:?}");
        assert_eq!(Interval { lo: [0, 0, 1 << 10], width: UNKNOWN }.reciprocal().width, UNKNOWN);
    }

    #[test]
    fn a_width_that_can_take_no_more_is_unknown() {
        for less in [1, 2] {
            let wide = Interval { width: UNKNOWN - less, ..Interval::<3>::ONE };
            assert_eq!((wide.shr(0).hi(), wide.div_small(1).hi()), (None, None));
        }
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
