//! The exponential function.

use super::constants::Constant;
use super::interval::Interval;
use super::limbs::{mul, nearest, sub};
use super::scaled::Scaled;

/// e^-x for x below 2^20.
///
/// x = k ln 2 + r with 0 <= r < 1, and e^-r = (e^(-r/2^s))^(2^s). The small argument takes the series, its even and its
/// odd terms apart. The value before scaling is above 1/e. Its error is less than 2^(s+7) ulp and a little more than
/// that of x, where s = 2N + 2, but at most 24.
pub(crate) fn exp_neg<const N: usize>(x: &Interval<N>) -> Scaled<N> {
    debug_assert!(x.lo[N - 1] < 1 << 20);
    if *x == Interval::ZERO {
        return Scaled { value: Interval::ONE, shift: 0 };
    }
    // Argument reduction: k is ⌊x/ln 2⌋ or one less, as x/ln 2 < 2^21 has an error below 2^-30.
    let Interval { lo: ln2, width: ln2_width } = Constant::LN_2.to::<N>();
    let mut k = (nearest(&x.lo) * core::f64::consts::LOG2_E) as u64;
    let times_ln2 = |k: u64| {
        let mut integer = [0; N];
        integer[N - 1] = k;
        mul(&ln2, &integer).unwrap_or([u64::MAX; N])
    };
    let r = loop {
        match sub(&x.lo, &times_ln2(k)) {
            Some(r) => break r,
            None => k -= 1,
        }
    };
    let squarings = (2 * N as u32 + 2).min(24);
    let mut value = small_exp_neg(&Interval { lo: r, width: 0 }.shr(squarings));
    for _ in 0..squarings {
        value = value.mul(&value);
    }
    // e^-x falls by at most w ulp where x rises by w; x - k ln 2 is r less at most kv ulp, v that of
    // ln 2, which raises e^-r by less than kv + 1.
    let lowered = value.sub(&Interval { lo: [0; N], width: x.width });
    let raised = k.saturating_mul(ln2_width).saturating_add(1);
    Scaled { value: Interval { width: lowered.width.saturating_add(raised), ..lowered }, shift: k as i32 }
}

/// e^-x for x <= 1/8, by the series.
fn small_exp_neg<const N: usize>(x: &Interval<N>) -> Interval<N> {
    let mut sums = [Interval::ONE, Interval::ZERO];
    let mut term = Interval::ONE;
    let mut n = 0;
    while term.lo != [0; N] {
        n += 1;
        term = term.mul(x).div_small(n);
        let sum = &mut sums[n as usize % 2];
        *sum = sum.add(&term);
    }
    // An alternating series with falling terms: the rest is below the last term added.
    sums[0].sub(&sums[1]).widen(term.width)
}

#[cfg(test)]
mod tests {
    use super::super::interval::{contains, widened};
    use super::*;
    use crate::fixed::less;

    fn assert_meet(a: &Interval<6>, b: &Interval<6>) {
        assert!(a.width < 1 << 30 && b.width < 1 << 30);
        assert!(!less(&a.hi().unwrap(), &b.lo) && !less(&b.hi().unwrap(), &a.lo), "{a:?} {b:?}");
    }

    #[test]
    fn functional_equation() {
        // e^-(x+y) = e^-x e^-y, for arguments on both sides of every multiple of ln 2.
        for i in 0..60_u64 {
            let x = Interval { lo: [i, 7 * i, 0, i << 58, 0x1357_9bdf << (i % 32), i / 9], width: 0 };
            let y = Interval { lo: [3, i, 5, i << 60, 0xfdb9_7531 << (i % 31), i / 13], width: 3 };
            let product = exp_neg(&x).fixed().mul(&exp_neg(&y).fixed());
            assert_meet(&exp_neg(&x.add(&y)).fixed(), &product);
        }
    }

    /// The values at both ends, to 512 bits, lie in the interval of 128.
    #[test]
    fn intervals_contain_the_function() {
        for integer in [0, 1, 7, 100, 30_000, (1 << 20) - 1] {
            for width in [0, 1, 1 << 20, 1 << 40] {
                let x = Interval { lo: [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, integer], width };
                let coarse = exp_neg::<3>(&x);
                for end in [x.lo, x.hi().unwrap()] {
                    let fine = exp_neg::<9>(&Interval { lo: widened(&end), width: 0 });
                    assert_eq!(fine.shift, coarse.shift);
                    assert!(contains(&coarse.value, &fine.value.lo), "{x:?}");
                }
                assert!(coarse.value.width <= 2 * width + (1 << 15) + 2 * coarse.shift as u64, "{x:?} {coarse:?}");
            }
        }
    }

    #[test]
    fn known_values() {
        let integer = |n: u64| Interval { lo: [0, 0, 0, n], width: 0 };
        for n in (0..700).step_by(if cfg!(miri) { 100 } else { 1 }) {
            let got = exp_neg::<4>(&integer(n)).to_f64();
            let want = libm::exp(-(n as f64));
            assert!((got / want - 1.0).abs() < 4e-16, "{n}: {got} {want}");
        }
        let far = exp_neg::<4>(&integer((1 << 20) - 1));
        // (2^20 - 1) log2 e = 1512773.5…
        assert_eq!(far.shift, 1_512_773);
        assert!(far.value.width < 1 << 24);
        // e^-1 to 128 bits: 0x5e2d58d8b3bcdf1abadec7829054f90d…
        assert_eq!(exp_neg::<4>(&integer(1)).fixed().lo[1..], [0xbade_c782_9054_f90d, 0x5e2d_58d8_b3bc_df1a, 0]);
    }
}
