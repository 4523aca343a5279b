//! Logarithms.

use super::exp::exp_neg;
use super::interval::Interval;
use super::limbs::nearest;
use super::scaled::Scaled;
use libm::{floor, log, scalbn};

/// Returns ln(x), for 1 <= x < 2^16.
///
/// Take a double y a little below ln(x), exact in fixed point. Then ln(x) = y + ln(x e^-y), where x e^-y is above 1 by
/// less than 2^-40.
pub(crate) fn ln<const N: usize>(x: &Interval<N>) -> Interval<N> {
    debug_assert!(x.lo[N - 1] >= 1 && x.lo[N - 1] < 1 << 16);
    // libm's logarithm is below 12 here and errs by less than 2^-49.
    let units = floor(scalbn(log(nearest(&x.lo)), 52)) as u64;
    let units = units.saturating_sub(64);
    let mut y = [0; N];
    (y[N - 1], y[N - 2]) = (units >> 52, units << 12);
    let y = Interval { lo: y, width: 0 };
    let excess = x.mul(&exp_neg(&y).fixed()).sub(&Interval::ONE);
    y.add(&excess.mul(&ln_1p_over(&excess)))
}

/// ln(1 + q), for 0 <= q < 2^15, with relative precision.
pub(crate) fn ln_1p<const N: usize>(q: &Scaled<N>) -> Scaled<N> {
    let fixed = q.fixed();
    if fixed.lo[N - 1] == 0 && fixed.lo[N - 2] >> 56 == 0 {
        q.mul(&ln_1p_over(&fixed))
    } else {
        ln(&fixed.add(&Interval::ONE)).into()
    }
}

/// ln(1 + x)/x = 1 - x/2 + x²/3 - …, for x < 2^-7.
fn ln_1p_over<const N: usize>(x: &Interval<N>) -> Interval<N> {
    let mut sums = [Interval::ONE, Interval::ZERO];
    let mut power = Interval::ONE;
    let mut n = 1;
    while power.lo != [0; N] {
        power = power.mul(x);
        n += 1;
        sums[usize::from(n % 2 == 0)] = sums[usize::from(n % 2 == 0)].add(&power.div_small(n));
    }
    // An alternating series with falling terms: the rest is below the last power.
    sums[0].sub(&sums[1]).widen(power.width)
}

#[cfg(test)]
mod tests {
    use super::super::Constant;
    use super::super::less;
    use super::*;

    fn meet(a: &Interval<5>, b: &Interval<5>) -> bool {
        assert!(a.width < 1 << 40 && b.width < 1 << 40, "{a:?} {b:?}");
        !less(&a.hi().unwrap(), &b.lo) && !less(&b.hi().unwrap(), &a.lo)
    }

    #[test]
    fn logarithms_invert_exponentials() {
        let ln2 = Constant::LN_2.to::<5>();
        assert_eq!(ln(&Interval::<5>::ONE).lo, [0; 5]);
        for n in 0..15 {
            assert!(meet(&ln(&Interval::ONE.times(1 << n)), &ln2.times(n)), "{n}");
        }
        for i in 0..400_u64 {
            let x = Interval { lo: [i, 0, i << 55, (i * i) << 40, 1 + i * i / 3], width: 2 };
            let y = ln(&x);
            // x e^-ln(x) = 1
            let e = exp_neg(&y);
            assert!(meet(&x.mul(&e.fixed()), &Interval::ONE), "{i}");
        }
    }

    #[test]
    fn small_arguments_keep_their_precision() {
        for shift in [0, 8, 30, 900] {
            let q = Scaled::<5> { value: Interval { lo: [7, 0, 3, 1 << 62, 0], width: 1 }, shift };
            let x = scalbn(0.25, -shift);
            assert!((ln_1p(&q).to_f64() / libm::log1p(x) - 1.0).abs() < 1e-15, "{shift}");
            assert!(ln_1p(&q).rounded().is_some());
        }
    }
}
