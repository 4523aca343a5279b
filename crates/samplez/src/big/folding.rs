//! Integers beyond 64 bits for statistical tests of 64: [`Folding`].

use super::ratio::Ratio;
use crate::refused::Refused;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use samplez_core::{DiscreteGaussian, Rational};
use samplez_tables::{TargetError, TargetLaw};
use std::fmt;

/// The binary logarithm of the least σ of a folded law.
const LEAST: i64 = 54;
/// The largest modulus of residues: an eighth of the least σ.
const MOST_MODULUS: u128 = 1 << (LEAST - 3);
/// The low bits that are kept.
const LOW: u32 = 4;

/// Integers of D_{Z,σ,c} with σ from 2^57 on, as integers of a narrower law: for tests that have 64 bits.
///
/// Let a be the integer nearest to c. An integer x becomes 16⌊(x - a)/2^k⌋ + ((x - a) mod 16). So the bits between the last four and the
/// k-th are left out. k is chosen so that σ' = 16σ/2^k is from 2^54 to 2^55. The law of a folded sample is
/// within a statistical distance of 2^-50 of D_{Z,σ'}. That of n samples is within √n·2^-50 (Pinsker). Where |x - a| = tσ, three factors differ:
///
/// - 16 neighbours have equal probabilities, which differ in D_{Z,σ'} by factors within 1 ± 8t/σ'.
/// - σ' is an integer, and within 2^-51 of 16σ/2^k: a factor 1 ± 2^-51·(t² - 1).
/// - The centre is at most 1 from 0: a factor 1 ± t/σ'.
///
/// ```
/// use samplez::Folding;
/// let folding = Folding::from_pairs([("sigma", "1e30"), ("center", "5")])?.unwrap();
/// // 2^99 < 10^30 < 2^100
/// assert_eq!((folding.shift(), folding.origin().as_str()), (49, "5"));
/// assert_eq!(folding.fold("5"), Some(0));
/// assert_eq!(folding.fold("562949953421320"), Some(16 + 3)); // 2^49 + 8
/// assert_eq!(folding.fold("-1"), Some(-16 + 10));
/// assert!(Folding::from_pairs([("sigma", "3.2")])?.is_none());
/// # Ok::<(), samplez::Refused>(())
/// ```
#[derive(Clone, Debug)]
pub struct Folding {
    name: &'static str,
    width: Ratio,
    center: Ratio,
    law: DiscreteGaussian,
    origin: BigInt,
    shift: u32,
}

impl Folding {
    /// Returns the folding of the law with these names and values; `None` for σ below about 2^57, where nothing is to be folded.
    ///
    /// # Errors
    ///
    /// As [`BigGaussian::from_pairs`](super::BigGaussian::from_pairs), without those of its samplers.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Option<Self>, Refused> {
        let (name, _, width, center) = super::parameters(pairs)?;
        let (mantissa, exponent) = double(&width);
        // σ = mantissa·2^exponent, where the mantissa is from 2^64 to 2^66, or for σ² its root.
        let (mantissa, exponent) = match name {
            "sigma_squared" => (mantissa.sqrt(), exponent / 2),
            "k_sigma2" => (mantissa * 0.849_321_800_288_019, exponent),
            "s" => (mantissa * 0.398_942_280_401_432_7, exponent),
            _ => (mantissa, exponent),
        };
        let log2 = (mantissa.to_bits() >> 52) as i64 - 1023 + exponent;
        if log2 < 57 {
            return Ok(None);
        }
        // From 2^54 to 2^55, rounded.
        let sigma = (mantissa * 2_f64.powi((exponent - log2 + LEAST) as i32)).round() as i64;
        let law = DiscreteGaussian::with_sigma(Rational::from(sigma))?;
        let origin = center.nearest().0;
        Ok(Some(Folding { name, width, center, law, origin, shift: (log2 - LEAST) as u32 + LOW }))
    }

    /// Returns the law of folded samples.
    pub fn law(&self) -> &DiscreteGaussian {
        &self.law
    }

    /// Returns the law of samples modulo q. Both it and that of D_{Z,σ,c} modulo q are uniform, except for a distance below 2^-1000.
    ///
    /// # Errors
    ///
    /// [`TargetError`] for a modulus below 2 or above 2^51.
    ///
    /// ```
    /// let folding = samplez::Folding::from_pairs([("sigma", "1e40")])?.unwrap();
    /// assert_eq!(folding.modulo(8)?.pmf(3), 0.125);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn modulo(&self, q: u128) -> Result<TargetLaw, TargetError> {
        let expected = "a whole number from 2 to 2^51, where sigma has more than 64 bits";
        if q > MOST_MODULUS {
            return Err(TargetError { argument: "modulus", value: q.to_string(), expected });
        }
        TargetLaw::from(&self.law).modulo(q)
    }

    /// Returns a, in decimal digits.
    pub fn origin(&self) -> String {
        self.origin.to_string()
    }

    /// Returns k.
    pub fn shift(&self) -> u32 {
        self.shift
    }

    /// Folds an integer, in decimal digits; `None` for a text that is no integer. A result beyond 64 bits becomes their end.
    pub fn fold(&self, digits: &str) -> Option<i64> {
        let x = digits.parse::<BigInt>().ok()? - &self.origin;
        let low = x.mod_floor(&BigInt::from(1 << LOW));
        let folded = ((&x >> self.shift) << LOW) + low;
        let end = if x.sign() == Sign::Minus { i64::MIN } else { i64::MAX };
        Some(folded.try_into().unwrap_or(end))
    }
}

/// Writes the law whose integers are folded.
impl fmt::Display for Folding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (label, unit) = match self.name {
            "sigma_squared" => ("sigma^2", ""),
            "k_sigma2" => ("sigma", " sqrt(1/(2 ln 2))"),
            name => (name, ""),
        };
        write!(f, "D_Z({label} = {}{unit}, center = {})", self.width, self.center)
    }
}

/// A positive number as m·2^e with m from 2^63 to 2^66 and an even e, within 2^-52 of it.
fn double(q: &Ratio) -> (f64, i64) {
    let num = q.num.magnitude();
    let up = (65 - (num.bits() as i64 - q.den.bits() as i64)).div_euclid(2) * 2;
    let quotient = match u64::try_from(up) {
        Ok(up) => (num << up) / &q.den,
        Err(_) => num / (&q.den << up.unsigned_abs()),
    };
    (u128::try_from(quotient).unwrap_or(u128::MAX) as f64, -up)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, value: &str) -> Folding {
        Folding::from_pairs([(name, value), ("center", "-7/2")]).unwrap().unwrap()
    }

    #[test]
    fn laws() {
        // python3 -c "from mpmath import *; mp.dps=60; s=mpf(2)**128; print(nint(s/2**(128-54)))" and so on
        let two = |power: u32| (BigInt::from(1) << power).to_string();
        for (name, value, sigma, shift) in [
            ("sigma", two(57), 1_i64 << 54, 7),
            ("sigma", two(128), 1 << 54, 78),
            ("sigma_squared", two(256), 1 << 54, 78),
            ("sigma_squared", two(121), (2_f64.sqrt() * 2_f64.powi(54)) as i64, 10),
            ("s", two(128), (0.398_942_280_401_432_7 * 2_f64.powi(56)) as i64, 76),
            ("k_sigma2", two(128), (0.849_321_800_288_019 * 2_f64.powi(55)) as i64, 77),
            ("sigma", format!("{}/3", two(129)), (2_f64.powi(55) / 1.5) as i64, 77),
        ] {
            let folding = of(name, &value);
            let found = folding.law().width().value().num();
            assert!(found.abs_diff(sigma) < 64, "{name} {value}: {found} {sigma}");
            assert_eq!((folding.shift(), folding.origin()), (shift, "-4".into()), "{name} {value}");
        }
        assert_eq!(of("sigma", "1e18").to_string(), "D_Z(sigma = 1000000000000000000, center = -7/2)");
        // 2^57 - 2^37
        let small = Folding::from_pairs([("sigma", "144115050636902400")]).unwrap();
        assert!(small.is_none(), "{small:?}");
        assert!(Folding::from_pairs([("sigma", "0")]).is_err());
    }

    #[test]
    fn ends_and_bits() {
        let folding = of("sigma", "1e20");
        let big = |x: i128| folding.fold(&x.to_string()).unwrap();
        let k = folding.shift();
        for (x, folded) in [(-4, 0), (-5, -1), (11, 15), (12, 0), ((1 << k) - 4, 16), (-(1 << k) - 4, -16)] {
            assert_eq!(big(x), folded, "{x}");
        }
        assert_eq!((big(i128::MAX), big(i128::MIN)), (i64::MAX, i64::MIN));
        assert_eq!((folding.fold("x"), folding.fold("")), (None, None));
    }
}
