//! Samples of a narrow law whose numbers need more than 64 bits. A law nearby proposes them.
//!
//! Proof: docs/proofs/wide.md.

use super::ratio::{Ratio, limbs};
use crate::recipe::{Recipe, named};
use crate::refused::{Refused, RefusedKind};
use num_bigint::{BigInt, BigUint, Sign};
use samplez_core::bits::BitSource;
use samplez_core::{DiscreteGaussian, Noise, Rational, Timing};
use samplez_tables::{Fraction, NearExponent, WidthForm};

/// Digits of the numbers of the law nearby.
const DIGITS: u32 = 62;
/// The timing is variable if intervals decide with a larger probability: 2^-40 in units of 2^-64.
const LEAK: u128 = 1 << 24;

/// Proposals of a base, and the decision that keeps some of them. The kept ones have the law.
pub(super) struct Near {
    base: Box<dyn Noise>,
    exponent: NearExponent,
    /// A sample with |x| <= `radius` is kept if the first 64 bits of V are less than 2^64 - `open`.
    radius: u64,
    open: u128,
}

impl Near {
    /// The law of this width around a centre from -1/2 to 1/2.
    ///
    /// # Errors
    ///
    /// [`Refused`] for a width below 2^-60 that is no fraction of 64 bits, as `text` spells it, and as [`Recipe::build`].
    pub(super) fn new(name: &'static str, text: &str, width: &Ratio, center: &Ratio) -> Result<Near, Refused> {
        Near::with_digits(name, text, width, center, DIGITS)
    }

    fn with_digits(
        name: &'static str,
        text: &str,
        width: &Ratio,
        center: &Ratio,
        digits: u32,
    ) -> Result<Near, Refused> {
        let refused = |allowed: &str| Refused::new(name, text, allowed).with_kind(RefusedKind::OutOfRange);
        let is_small = (width.num.magnitude() << 60) < width.den;
        let nearby = above(width, digits).filter(|_| !is_small).ok_or_else(|| Refused::too_narrow(name, text))?;
        let nearby_center = outward(center, digits);
        let law = DiscreteGaussian::new(nearby_center, named(name, nearby))?;
        let built = Recipe::new(law).exact(true).build_gaussian().map_err(|why| refused(&why.to_string()))?;
        let base = built.into_sampler();

        // G, which is positive, and G·m, of numbers without and with a denominator.
        let form = WidthForm::from(law.width());
        let (own, theirs) = (inverse_square(form, width), inverse_square(form, &Ratio::from(nearby)));
        let gap = own.minus(&theirs);
        let middle = own.times(center).minus(&theirs.times(&Ratio::from(nearby_center))).over(&gap);

        // Every |x| to 15σ and 1 more, as σ² <= 1/own; and r·gap·|x|(|x| + 1) there, as 2|m| <= 1.
        let square = &own.den * 225_u8 / own.num.magnitude();
        let radius = square.sqrt() + 2_u8;
        let product = &radius * (&radius + 1_u8);
        let units = ((gap.num.magnitude() * product) << 64) * 22_u8 / (&gap.den * 7_u8) + 1_u8;
        let open = u128::try_from(units).unwrap_or(u128::MAX).min(1 << 64);
        let fraction = |of: &Ratio| Fraction::new(&limbs(of.num.magnitude()), &limbs(&of.den));
        let parts = fraction(&gap).zip(fraction(&middle)).zip(u64::try_from(radius).ok());
        let exponent = parts.and_then(|((gap, magnitude), radius)| {
            let exponent = NearExponent::new(form, gap, magnitude, middle.num.sign() == Sign::Minus)?;
            Some((exponent, radius))
        });
        let (exponent, radius) = exponent.ok_or_else(|| refused("expected sigma of at most 2^26"))?;
        Ok(Near { base, exponent, radius, open })
    }

    /// The class of the running time.
    pub(super) fn timing(&self) -> Timing {
        match self.base.timing() {
            Timing::Variable => Timing::Variable,
            _ if self.open <= LEAK => Timing::Isochronous,
            _ => Timing::Variable,
        }
    }

    /// The base.
    pub(super) fn base(&self) -> &dyn Noise {
        &*self.base
    }

    /// Draws V for each sample of the base in turn, and replaces a dropped sample by a new one.
    pub(super) fn keep<B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [i64], base: impl Fn(&mut B) -> i64) {
        for x in out {
            while !self.keeps(*x, bits) {
                *x = base(bits);
            }
        }
    }

    /// Whether x is kept. That is public, and whether an interval decides it.
    fn keeps<B: BitSource + ?Sized>(&self, x: i64, bits: &mut B) -> bool {
        let lead = bits.bits(64);
        let is_near = i128::from(x.unsigned_abs()) - i128::from(self.radius) - 1;
        let is_low = i128::from(lead) + self.open as i128 - (1 << 64);
        let is_kept = (is_near & is_low) >> 127;
        bits.declassify(is_kept as u32 & 1) != 0 || self.exponent.accepts(x, lead, bits)
    }
}

/// A number of `digits` digits above this positive one, by 2^(3 - `digits`) to 2^(6 - `digits`) of it. `None` if it is too small or too large.
fn above(q: &Ratio, digits: u32) -> Option<Rational> {
    let num = q.num.magnitude();
    let (num, den) = if *num >= q.den {
        let places = digits.checked_sub((num / &q.den).bits() as u32)?;
        ((num << places) / &q.den + 16_u8, BigUint::from(1_u8) << places)
    } else {
        let places = digits.checked_sub((&q.den / num).bits() as u32)?;
        (BigUint::from(1_u8) << places, (&q.den << places) / num - 16_u8)
    };
    Rational::new(i64::try_from(num).ok()?, u64::try_from(den).ok()?)
}

/// The number of magnitude 1/2 or less, to `digits` digits, rounded away from 0.
fn outward(c: &Ratio, digits: u32) -> Rational {
    let size = ((c.num.magnitude() << digits) + (&c.den - 1_u8)) / &c.den;
    let size = i64::try_from(size).unwrap_or(0);
    let num = if c.num.sign() == Sign::Minus { -size } else { size };
    Rational::new(num, 1 << digits).unwrap_or(Rational::from(0))
}

/// 1/q², or 1/q where q is σ².
fn inverse_square(form: WidthForm, q: &Ratio) -> Ratio {
    let inverse = Ratio { num: q.den.clone().into(), den: q.num.magnitude().clone() };
    if form == WidthForm::SigmaSquared { inverse } else { inverse.times(&inverse) }
}

impl From<Rational> for Ratio {
    fn from(q: Rational) -> Self {
        Ratio { num: q.num().into(), den: q.den().into() }
    }
}

impl Ratio {
    fn times(&self, other: &Ratio) -> Ratio {
        Ratio { num: &self.num * &other.num, den: &self.den * &other.den }
    }

    fn minus(&self, other: &Ratio) -> Ratio {
        let (a, b) = (BigInt::from(self.den.clone()), BigInt::from(other.den.clone()));
        Ratio { num: &self.num * &b - &other.num * &a, den: &self.den * &other.den }
    }

    /// The quotient by a positive number.
    fn over(&self, other: &Ratio) -> Ratio {
        Ratio { num: &self.num * BigInt::from(other.den.clone()), den: &self.den * other.num.magnitude() }
    }
}

#[cfg(test)]
mod tests;
