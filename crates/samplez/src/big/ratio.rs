//! Fractions of any size, and their texts.

use crate::refused::{Refused, RefusedKind};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use std::fmt;

/// The longest number that is read, in bytes.
const LONGEST: usize = 2048;
/// The largest power of ten.
const POWERS: u32 = 2000;
/// A fraction in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ratio {
    pub(super) num: BigInt,
    pub(super) den: BigUint,
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == BigUint::from(1_u8) { self.num.fmt(f) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

impl Ratio {
    const SYNTAX: &'static str =
        "not a number; allowed are decimals, fractions and scientific notation, such as 3.2, 16/5 or 1.6e5";

    pub(super) fn read(name: &str, text: &str, bits: u64) -> Result<Ratio, Refused> {
        let refused = |allowed: &str| Refused::new(name, text, allowed).with_kind(RefusedKind::OutOfRange);
        let no_number = |allowed| refused(allowed).with_kind(RefusedKind::NotANumber).with_way(name, text);
        if text.len() > LONGEST {
            return Err(refused(&format!("a number has at most {LONGEST} characters")));
        }
        let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
        if bottom.starts_with(['-', '+']) {
            return Err(no_number(Self::SYNTAX));
        }
        let ((num, up), (den, down)) = decimal(top).zip(decimal(bottom)).ok_or_else(|| no_number(Self::SYNTAX))?;
        let power =
            up.zip(down).and_then(|(up, down)| up.checked_sub(down)).filter(|power| power.unsigned_abs() <= POWERS);
        let Some(power) = power else { return Err(refused(&format!("powers of ten are at most {POWERS}"))) };
        let ten = BigUint::from(10_u8).pow(power.unsigned_abs());
        let (sign, mut num) = num.into_parts();
        let (_, mut den) = den.into_parts();
        if den == BigUint::ZERO {
            return Err(no_number("the denominator is zero"));
        }
        if power > 0 {
            num *= ten;
        } else {
            den *= ten;
        }
        let common = num.gcd(&den);
        let (num, den) = (num / &common, den / &common);
        if num.bits().max(den.bits()) > bits {
            let digits = bits * 301 / 1000;
            return Err(refused(&format!(
                "numerator and denominator have at most {bits} bits in lowest terms, which are {digits} digits"
            )));
        }
        Ok(Ratio { num: BigInt::from_biguint(sign, num), den })
    }

    /// The nearest integer, of two the lower one, and the numerator of the distance from it, with `true` if that is negative.
    pub(super) fn nearest(&self) -> (BigInt, BigUint, bool) {
        let den = BigInt::from(self.den.clone());
        let (floor, rest) = self.num.div_mod_floor(&den);
        let rest = rest.into_parts().1;
        if &rest + &rest > self.den { (floor + 1, &self.den - rest, true) } else { (floor, rest, false) }
    }
}

/// A decimal such as `-12.5e-3`: digits, and the power of ten, `None` if that is too large.
fn decimal(text: &str) -> Option<(BigInt, Option<i32>)> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => {
            let digits = &text[at + 1..];
            let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
            if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            (&text[..at], digits.parse::<i32>().ok())
        }
        None => (text, Some(0)),
    };
    let unsigned = mantissa.strip_prefix(['+', '-']).unwrap_or(mantissa);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<BigInt>().ok()?;
    let power = exponent.and_then(|exponent| exponent.checked_sub(fraction.len() as i32));
    Some((if mantissa.starts_with('-') { -size } else { size }, power))
}

/// Limbs of a natural number, at least one.
pub(super) fn limbs(n: &BigUint) -> Vec<u64> {
    let digits = n.to_u64_digits();
    if digits.is_empty() { vec![0] } else { digits }
}

/// Two's complement.
pub(super) fn signed(n: &BigInt, len: usize) -> Vec<u64> {
    let mut words = n.to_signed_bytes_le();
    let fill = if n.sign() == Sign::Minus { 0xff } else { 0 };
    words.resize(8 * len, fill);
    words.chunks_exact(8).map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))).collect()
}
