//! π, cosines and quotients.

use crate::exp::Bounds;
use num_bigint::{BigInt, BigUint};

/// Bits beyond the precision in which series are computed.
const GUARD: u32 = 64;

/// Bounds of π, by Machin's formula.
pub(super) fn pi(q: u32) -> Bounds {
    // arctan(1/x), each term rounded down.
    let arctan = |x: u32| {
        let (mut power, mut sum, mut k) = ((BigInt::from(1) << (q + GUARD)) / x, BigInt::ZERO, 0_u32);
        while power != BigInt::ZERO {
            let term = &power / (2 * k + 1);
            sum += if k.is_multiple_of(2) { term } else { -term };
            power /= x * x;
            k += 1;
        }
        sum
    };
    // Each sum errs by less than 2 units for each of its terms: both together by far less than 2^GUARD.
    let pi: BigInt = (arctan(5) * 16 - arctan(239) * 4) >> GUARD;
    let pi = pi.into_parts().1;
    (&pi - 1_u8, pi + 2_u8)
}

/// cos(2π·num/den) in units of 2^-q, within 2 of them, for 0 <= num < den.
pub(super) fn cosine((num, den): (&BigInt, &BigInt), q: u32) -> BigInt {
    // A turn t in units of 2^-w, folded to 0..1/2, then to 0..1/4.
    let w = q + GUARD;
    let one = BigInt::from(1) << w;
    let turn = (num << w) / den;
    let half = &one >> 1;
    let turn = if turn > half { &one - turn } else { turn };
    let is_negative = turn > (&one >> 2);
    let turn = if is_negative { half - turn } else { turn };
    let angle = (turn * BigInt::from(pi(w).0)) >> (w - 1);
    let square = (&angle * &angle) >> w;
    let (mut term, mut sum, mut k) = (one.clone(), BigInt::ZERO, 0_u32);
    while term != BigInt::ZERO {
        sum += if k.is_multiple_of(2) { term.clone() } else { -term.clone() };
        k += 1;
        term = ((term * &square) >> w) / ((2 * k - 1) * 2 * k);
    }
    let cosine = sum >> GUARD;
    if is_negative { -cosine } else { cosine }
}

/// a/b·2^place as a double, within 2^-52 of it.
pub(super) fn ratio(a: &BigUint, b: &BigUint, place: i64) -> f64 {
    // A quotient of 64 or 65 bits.
    let shift = b.bits() as i64 - a.bits() as i64 + 64;
    let quotient = if shift >= 0 { (a << shift) / b } else { a / (b << -shift) };
    let exponent = place - shift;
    let Ok(quotient) = u128::try_from(quotient) else { return f64::INFINITY };
    // Two steps, as 2^exponent may not be a double where the result is one.
    let step = exponent.clamp(-1000, 1000);
    let rest = (exponent - step).clamp(-1022, 1022);
    quotient as f64 * (step as f64).exp2() * (rest as f64).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// python3 -c "from mpmath import *; mp.dps=60; print(pi, cos(2*pi/7), cos(2*pi*mpf(3)/7), cos(2*pi*mpf(6)/7))"
    #[test]
    fn digits_of_pi_and_cosines() {
        let digits = |x: BigInt, q: u32| ((x * BigInt::from(10).pow(45)) >> q).to_string();
        assert_eq!(digits(pi(256).0.into(), 256), "3141592653589793238462643383279502884197169399");
        assert!(&pi(256).1 - pi(256).0 <= BigUint::from(3_u8));
        let cosine = |num: i32, den: i32| digits(cosine((&num.into(), &den.into()), 256), 256);
        assert_eq!(cosine(1, 7), "623489801858733530525004884004239810632274730");
        assert_eq!(cosine(3, 7), "-900968867902419126236102319507445051165919163");
        assert_eq!(cosine(6, 7), cosine(1, 7));
        assert!(cosine(1, 4).trim_start_matches('-').len() == 1);
    }

    #[test]
    fn quotients_of_every_size() {
        let big = |x: u64| BigUint::from(x);
        assert_eq!(ratio(&big(1), &big(3), 0), 1.0 / 3.0);
        assert_eq!(ratio(&big(0), &big(3), 0), 0.0);
        assert_eq!(ratio(&(big(7) << 3000_u32), &(big(2) << 3000_u32), -1074), 2e-323);
        assert_eq!(ratio(&big(1), &big(1), -1080), 0.0);
        assert_eq!(ratio(&big(1), &big(1), 1023), 2_f64.powi(1023));
    }
}
