//! σ in every form: compared with rationals, and K²/σ² in fixed point.

use crate::params::{Rational, Width};
use core::cmp::Ordering;

/// q/σ for every form but `SigmaSq`: an integer and six digits of 32 bits, rounded down.
const ONE: [u32; 7] = [1, 0, 0, 0, 0, 0, 0];
/// sqrt(2 ln 2).
const ROOT_2_LN_2: [u32; 7] = [0x1, 0x2d6a_be44, 0xafc4_31fb, 0x5e9f_b2b5, 0x5bab_2447, 0x9267_b6c8, 0x105f_b027];
/// sqrt(2π).
const ROOT_TAU: [u32; 7] = [0x2, 0x81b2_63fe, 0xc4e0_b2ca, 0xf948_3f5c, 0xe459_dc5f, 0x19f3_ea64, 0x1600_0b50];
/// ⌊2^128·ln 2⌋.
const LN_2: u128 = 0xb172_17f7_d1cf_79ab_c9e3_b398_03f2_f6af;
/// ⌊2^128·π/4⌋.
const QUARTER_PI: u128 = 0xc90f_daa2_2168_c234_c4c6_628b_80dc_1cd1;
/// ⌊2^127·log2(e)⌋.
const LOG2_E: u128 = 0xb8aa_3b29_5c17_f0bb_be87_fed0_691d_3e88;

fn parts(q: Rational) -> (u128, u128) {
    (u128::from(q.num().unsigned_abs()), u128::from(q.den()))
}

/// Whether σ is below a/b, equal or above, exactly. Either a <= 2^26 and b = 1, or b <= 2^17, a <= 2^16·K for a
/// power of two K <= max(σ, 1): so no product overflows.
///
/// qb/a has a numerator below 2^80 and is farther than 2^-166 from either root: six digits suffice.
/// docs/proofs/isochronous.md shows it.
pub(super) fn compare(width: Width, a: u64, b: u64) -> Ordering {
    let ((num, den), a, b) = (parts(width.value()), u128::from(a), u128::from(b));
    let root = match width {
        Width::Sigma(_) => ONE,
        Width::SigmaSq(_) => return (num * b * b).cmp(&(den * a * a)),
        Width::KSigma2(_) => ROOT_2_LN_2,
        Width::S(_) => ROOT_TAU,
    };
    // The digits of qb/a.
    let (mut rest, divisor) = (num * b, den * a);
    for digit in root {
        let order = (rest / divisor).cmp(&digit.into());
        if order != Ordering::Equal {
            return order;
        }
        rest = (rest % divisor) << 32;
    }
    rest.cmp(&0)
}

/// ⌊ab/2^128⌋, short by 2 at most.
const fn mul_high(a: u128, b: u128) -> u128 {
    let (a1, a0, b1, b0) = (a >> 64, a & u64::MAX as u128, b >> 64, b & u64::MAX as u128);
    a1 * b1 + ((a1 * b0) >> 64) + ((a0 * b1) >> 64)
}

/// num/den in units of 2^-128, rounded down, at most 2^128 - 1, for num <= den < 2^63: by two digits.
fn fraction(num: u128, den: u128) -> u128 {
    let digit = (num << 64) / den;
    let rest = (num << 64) - digit * den;
    digit.checked_mul(1 << 64).map_or(u128::MAX, |high| high + (rest << 64) / den)
}

/// (K/q)² in units of 2^-128, at most 2^128 - 1: 1/q is short by one unit.
fn ratio_square(q: Rational, shift: u32) -> u128 {
    let (num, den) = parts(q);
    let ratio = fraction(den, num).saturating_mul(1 << shift);
    mul_high(ratio, ratio)
}

/// K²/σ² in units of 2^-128, at most 2^128 - 1, for K = 2^shift <= σ: short by 6K + 64 units at most.
pub(super) fn kappa(width: Width, shift: u32) -> u128 {
    match width {
        Width::Sigma(q) => ratio_square(q, shift),
        Width::SigmaSq(q) => {
            let (num, den) = parts(q);
            fraction(den << (2 * shift), num)
        }
        Width::KSigma2(q) => mul_high(ratio_square(q, shift), LN_2) << 1,
        Width::S(q) => mul_high(ratio_square(q, shift), QUARTER_PI) << 3,
    }
}

/// c = K²·log2(e)/2σ² in units of 2^-128, for K = 2^shift <= σ: short by less than 2^-100.
pub(in crate::samplers) fn square(width: Width, shift: u32) -> u128 {
    mul_high(kappa(width, shift), LOG2_E)
}

#[cfg(test)]
mod tests;
