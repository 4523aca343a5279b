//! The normal distribution function, as certified intervals.

use crate::fixed::{Constant, Interval, Scaled, exp_neg, less, sub};

/// Below this t²/2 the series is used, from it on the continued fraction.
const SERIES: u64 = 40;

/// Where t²/2 is 2^20 or more: the mass beyond t is less than this power of 1/2.
const FAR: i32 = 1_500_000;

/// A point t >= 0 of the standard normal distribution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point<const N: usize> {
    /// t²/2, below 2^20.
    pub(crate) u: Interval<N>,
    /// t itself: the root of 2u would lose half the digits of a small one.
    pub(crate) t: Scaled<N>,
}

impl<const N: usize> Point<N> {
    fn is_near(&self) -> bool {
        self.u.lo[N - 1] < SERIES
    }

    /// t·e^-u/sqrt(2π).
    fn front(&self) -> Scaled<N> {
        exp_neg(&self.u).product(&self.t).mul(&Constant::INV_SQRT_2PI.to())
    }
}

/// 1 - Φ(t); `None` stands for any t with u >= 2^20.
///
/// The precision is relative, but below u = 40 absolute.
pub(crate) fn beyond<const N: usize>(point: Option<&Point<N>>) -> Scaled<N> {
    match point {
        None => Scaled::below(FAR),
        Some(point) if point.is_near() => Interval::HALF.sub(&series(point).fixed()).into(),
        Some(point) => fraction(point),
    }
}

/// Φ(t) - 1/2.
pub(crate) fn inside<const N: usize>(point: Option<&Point<N>>) -> Scaled<N> {
    match point {
        Some(point) if point.is_near() => series(point),
        _ => Interval::HALF.sub(&beyond(point).fixed()).into(),
    }
}

/// Φ(b) - Φ(a) for a <= b.
pub(crate) fn between<const N: usize>(a: Option<&Point<N>>, b: Option<&Point<N>>) -> Scaled<N> {
    if b.is_some_and(Point::is_near) { inside(b).sub(&inside(a)) } else { beyond(a).sub(&beyond(b)) }
}

/// Φ(t) - 1/2 = t φ(t) Σ (2u)^n/(1·3·5 … (2n + 1)): all terms are positive.
///
/// Their sum is below e^u < 2^59.
fn series<const N: usize>(point: &Point<N>) -> Scaled<N> {
    let double = point.u.times(2);
    let (mut term, mut sum) = (Interval::ONE, Interval::ONE);
    let mut odd = 1;
    loop {
        odd += 2;
        term = term.mul(&double).div_small(odd);
        sum = sum.add(&term);
        // From here on each term is less than half the one before.
        if term.lo == [0; N] && odd > 4 * (SERIES + 1) {
            break;
        }
    }
    // The last term is at most its width, and so are all that follow together.
    let sum = sum.add(&Interval { lo: [0; N], width: term.width });
    point.front().product(&sum.into())
}

/// 1 - Φ(t) = t φ(t)/(2T), T = u + 1/(2 + 2/(u + 3/(2 + 4/(u + …)))), Laplace's continued fraction.
///
/// All its terms are positive: T lies between any two neighbouring convergents A/B.
fn fraction<const N: usize>(point: &Point<N>) -> Scaled<N> {
    let u = &point.u;
    let (mut before, mut now) = ([Interval::ONE, Interval::ZERO], [*u, Interval::ONE]);
    // About what of T lies between two neighbours: step k divides it by the ratio of the roots of x² = sqrt(2u) x + k.
    let (mut left, mut k) = (1.0, 0_u32);
    while left > libm::scalbn(1.0, -64 * (N as i32 - 1)) {
        k += 1;
        let root = libm::sqrt(1.0 + 2.0 * f64::from(k) / u.lo[N - 1] as f64);
        left *= (root - 1.0) / (root + 1.0);
        let k = u64::from(k);
        // A is the largest of the four.
        if now[0].lo[N - 1] >> 40 != 0 {
            [before, now] = [before, now].map(|pair| pair.map(|x| x.shr(40)));
        }
        let next = [0, 1].map(|i| {
            let times = if k % 2 == 1 { now[i].times(2) } else { now[i].mul(u) };
            times.add(&before[i].times(k))
        });
        (before, now) = (now, next);
    }
    let [first, last] = [before, now].map(|[a, b]| Scaled::from(b).over(&a.into()));
    let half = point.front().product(&hull(&first, &last));
    Scaled { shift: half.shift + 1, ..half }
}

/// The interval from the one to the other.
fn hull<const N: usize>(a: &Scaled<N>, b: &Scaled<N>) -> Scaled<N> {
    let shift = a.shift.min(b.shift);
    let at = |x: &Scaled<N>| if x.shift == shift { x.value } else { x.value.shr(x.shift.abs_diff(shift)) };
    let (a, b) = (at(a), at(b));
    let (low, high) = if less(&a.lo, &b.lo) { (a, b) } else { (b, a) };
    let gap = sub(&high.lo, &low.lo).filter(|gap| gap[1..].iter().all(|limb| *limb == 0));
    let width = gap.map_or(u64::MAX, |gap| gap[0].saturating_add(high.width).max(low.width));
    Scaled { value: Interval { lo: low.lo, width }, shift }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// u = x/1000.
    fn thousandths<const N: usize>(x: u64) -> Point<N> {
        let u = Interval::ONE.times(x).div_small(1000);
        Point { u, t: if x == 0 { Scaled::ZERO } else { Scaled::from(u.times(2)).sqrt() } }
    }

    fn assert_meet<const N: usize>(a: &Scaled<N>, b: &Scaled<N>, what: u64) {
        let (a, b) =
            (a.value.shr(0), if b.shift == a.shift { b.value.shr(0) } else { b.value.shr((b.shift - a.shift) as u32) });
        let (high_a, high_b) = (a.hi().unwrap(), b.hi().unwrap());
        assert!(!less(&high_a, &b.lo) && !less(&high_b, &a.lo), "{what}: {a:?} {b:?}");
    }

    /// The series and the continued fraction, which share no formula, where both are precise.
    #[test]
    fn two_algorithms_agree() {
        for x in [20_000, 25_123, 30_000, 38_900, 39_999] {
            let u = thousandths::<9>(x);
            let one = Scaled::from(Interval::HALF.sub(&series(&u).fixed()));
            let other: Scaled<9> = fraction(&u).fixed().into();
            assert_meet(&one, &other, x);
            assert!(other.value.width < 1 << 40 && one.value.width < 1 << 40, "{x}: {one:?} {other:?}");
        }
    }

    /// More limbs give a value within the interval of fewer.
    #[test]
    fn intervals_contain_the_function() {
        for x in (0..60_000).step_by(1777).chain([39_999, 40_000, 100_000, 700_000, 5_000_000]) {
            let (fine, coarse) = (thousandths::<9>(x), thousandths::<4>(x));
            for (fine, coarse) in
                [(beyond(Some(&fine)), beyond(Some(&coarse))), (inside(Some(&fine)), inside(Some(&coarse)))]
            {
                let fine = Scaled::<4> {
                    value: Interval { lo: core::array::from_fn(|i| fine.value.lo[i + 5]), width: 1 },
                    shift: fine.shift,
                };
                let (a, b) = (fine.normal(), coarse.normal());
                assert!(coarse.value.width < 1 << 50, "{x}: {coarse:?}");
                if a.shift == b.shift {
                    assert_meet(&a, &b, x);
                } else {
                    assert_meet(&fine.fixed().into(), &coarse.fixed().into(), x);
                }
            }
        }
    }

    #[test]
    fn known_values() {
        // python3 -c "from mpmath import *; mp.dps=40; print([float(erfc(sqrt(mpf(x)/1000))/2) for x in (1, …, 700000)])"
        for (x, want) in VALUES {
            let got = beyond(Some(&thousandths::<4>(x))).rounded().unwrap();
            assert_eq!(got, want, "{x}");
        }
        assert_eq!(beyond::<4>(None).rounded(), Some(0.0));
        assert_eq!(inside::<4>(None).rounded(), Some(0.5));
    }

    const VALUES: [(u64, f64); 6] = [
        (1, 0.48216470413516005),
        (500, 0.15865525393145705),
        (8000, 3.1671241833119924e-05),
        (39999, 1.8739445495376191e-19),
        (40000, 1.8720486921014494e-19),
        (700000, 1.0505072581321088e-306),
    ];
}
