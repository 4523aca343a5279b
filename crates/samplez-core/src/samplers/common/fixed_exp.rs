//! exp(-E) in fixed point, without a branch, an index or a division that depends on E.
//!
//! E = s·ln 2 + r and exp(-E) = 2^-s·exp(-r). exp(-r) is a polynomial of degree 12, the best one in absolute error on
//! [0, ln 2 + 2^-48]. It is 2^-64.9 away from exp(-r) (Remez's algorithm at 400 bits). Each coefficient is rounded to
//! 2^-63.

use crate::product::{full, high};

use core::hint::black_box;

/// Fractional bits of an exponent E.
pub(crate) const EXPONENT_BITS: u32 = 116;

/// |Coefficients|·2^63 from r^0 up; their signs alternate.
const COEFFICIENTS: [u64; 13] = [
    0x8000000000000000,
    0x7fffffffffffff7d,
    0x3fffffffffffd6a2,
    0x1555555555502eee,
    0x0555555555000927,
    0x011111110dc7f8e9,
    0x002d82d818b3c8db,
    0x00068067ae18a3aa,
    0x0000d00bff48f382,
    0x0000171bdf04c489,
    0x0000024d0a30e673,
    0x000000335a9486f9,
    0x000000032d90ce4c,
];

/// ⌊2^116·ln 2⌋.
const LN2: u128 = 0x000b_1721_7f7d_1cf7_9abc_9e3b_3980_3f2f;
/// ⌊2^63/ln 2⌋.
const INV_LN2: u64 = 0xb8aa_3b29_5c17_f0bb;

/// All ones if n is above `most`, else 0: for n below 2^31, by arithmetic. A comparison, or the lesser of two numbers, becomes a
/// branch in some builds.
#[inline(always)]
const fn above(n: u32, most: u32) -> u64 {
    ((most.wrapping_sub(n)).cast_signed() >> 31) as u64
}

/// ⌊value/2^s⌋ for every s below 2^31.
#[inline(always)]
pub(crate) const fn shift_right(value: u64, s: u32) -> u64 {
    value >> (s & 63) & !above(s, 63)
}

/// [`shift_right`] of a longer number.
#[inline(always)]
pub(crate) const fn shift_right_wide(value: u128, s: u32) -> u128 {
    let (high, low) = ((value >> 64) as u64, value as u64);
    let (near, far, kept) = (s & 63, above(s, 63), !above(s, 127));
    let (upper, lower) = (high >> near, high << 1 << (63 - near) | low >> near);
    ((upper & !far & kept) as u128) << 64 | ((upper & far | lower & !far) & kept) as u128
}

/// a - b, or 0 where that is negative: for numbers below 2^127. The compiler, which would see a comparison in the mask and may make a
/// branch of it, is kept from seeing through.
#[inline(always)]
pub(crate) fn less(a: u128, b: u128) -> u128 {
    let difference = a.wrapping_sub(b);
    let negative = black_box((difference >> 127) as u64);
    let kept = negative.wrapping_sub(1);
    u128::from((difference >> 64) as u64 & kept) << 64 | u128::from(difference as u64 & kept)
}

/// (m, s) with exp(-E) = m·2^(-63-s)·(1 + ε), |ε| < 2^-60, 2^62 - 2^14 < m < 2^63, for
/// E = exponent/2^116 < 2^9.
///
/// s is ⌊E/ln 2⌋, or one less where E/ln 2 is within 2^-44 above a whole number: the product below it is short by less.
/// The rest r = E - s·ln 2, rounded down to 2^-64, is off by 2^-64 and by 738·2^-116. Horner's 12 products lose less
/// than 2^-63·(1 + r + r² + …) < 2^-61.3, on a value of at least ½.
#[inline(always)]
pub(crate) fn exp_neg(exponent: u128) -> (u64, u32) {
    let ([m], [s]) = exp_neg_lanes([exponent]);
    (m, s)
}

/// [`exp_neg`] of each: the steps take turns, so that none waits for the one before.
#[inline(always)]
pub(crate) fn exp_neg_lanes<const N: usize>(exponents: [u128; N]) -> ([u64; N], [u32; N]) {
    let (mut r, mut s, mut m) = ([0; N], [0; N], [COEFFICIENTS[12]; N]);
    for i in 0..N {
        let lead = (exponents[i] >> 62) as u64; // E in units of 2^-54
        s[i] = (full(lead, INV_LN2) >> (54 + 63)) as u32;
        r[i] = ((exponents[i] - u128::from(s[i]) * LN2) >> 52) as u64;
    }
    for coefficient in COEFFICIENTS.iter().rev().skip(1) {
        for i in 0..N {
            m[i] = coefficient - high(m[i], r[i]);
        }
    }
    for m in &mut m {
        // Lanes are kept out of vector registers, which have no such products: in some builds each of the 12 steps is put
        // together there and taken apart again, at more than the price of the products.
        let value = if N > 1 { black_box(*m) } else { *m };
        *m = value - (value >> 63); // 2^63, of E = 0, gives up its last bit
    }
    (m, s)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// exp(-r), 0 <= r < 1, in units of 2^-120, by its series: the sum of its terms, each rounded
    /// down, is within 40 units.
    fn series(r: u128) -> u128 {
        let (mut sum, mut term, one) = (0_i128, 1_u128 << 120, 1_u128 << 120);
        let mut i = 0;
        while term > 0 {
            sum += if i % 2 == 0 { term as i128 } else { -(term as i128) };
            i += 1;
            // term·r/i with r in 2^-120: split r to stay within 128 bits by halves.
            let (hi, lo) = (r >> 60, r & ((1 << 60) - 1));
            let (t_hi, t_lo) = (term >> 60, term & ((1 << 60) - 1));
            term = (t_hi * hi + ((t_hi * lo + t_lo * hi + ((t_lo * lo) >> 60)) >> 60)) / i;
        }
        assert!(sum > 0 && sum <= one as i128);
        sum as u128
    }

    #[test]
    fn the_polynomial_is_the_exponential() {
        let mut worst = 0;
        for i in 0..=50_000_u128 {
            let e = LN2 / 50_001 * i;
            let (m, s) = exp_neg(e);
            assert_eq!(s, 0);
            let error = (u128::from(m) << 57).abs_diff(series(e << 4));
            worst = worst.max(error);
        }
        // 2^-61 of a value of at least ½, in units of 2^-120.
        assert!(worst < 1 << 59, "2^{}", worst.ilog2());
        assert!(worst > 1 << 54, "a test that measures nothing");
    }

    #[test]
    fn whole_multiples_of_ln_2() {
        for n in 0..700_u128 {
            for delta in [0, 1, 1 << 50, 1 << 54] {
                // 2^-n·(1 - 2^-62): as m = 1, s = n or as m = ½, s = n - 1.
                let (m, s) = exp_neg(n * LN2 + delta);
                let half = s + 1 == n as u32;
                assert!(half || s == n as u32, "{n} + {delta}: {s}");
                assert!((if half { 2 * m } else { m }).abs_diff(1 << 63) < 8, "{n} + {delta}: {m:x}, {s}");
            }
        }
    }

    #[test]
    fn shifts_are_quotients() {
        for s in 0..800 {
            let wide = if s < 128 { u128::MAX >> s } else { 0 };
            assert_eq!(shift_right_wide(u128::MAX, s), wide);
            assert_eq!(shift_right(u64::MAX, s), (wide >> 64) as u64);
            let value = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128;
            assert_eq!(shift_right_wide(value, s), if s < 128 { value >> s } else { 0 });
            assert_eq!(shift_right(value as u64, s), if s < 64 { value as u64 >> s } else { 0 });
        }
    }

    #[test]
    fn differences_end_at_zero() {
        let most = u128::MAX >> 1;
        for a in [0, 1, u128::from(u64::MAX), 1 << 64, most - 1, most] {
            for b in [0, 1, u128::from(u64::MAX), 1 << 64, most - 1, most] {
                assert_eq!(less(a, b), a.saturating_sub(b), "{a} {b}");
            }
        }
    }

    #[test]
    fn the_largest_exponent() {
        let (m, s) = exp_neg((1 << 125) - 1);
        assert_eq!(s, 738); // 512/ln 2 = 738.66
        assert!(m >> 62 == 1);
    }
}
