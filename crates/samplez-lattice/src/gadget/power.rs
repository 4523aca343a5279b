//! q = b^k: digit by digit, exactly.

use super::theta::Factor;
use super::wipe::wipe;
use num_bigint::BigUint;
use samplez_core::bits::BitSource;
use samplez_core::samplers::{CloseTrial, Refine, StripRounder, StripWidth};
use samplez_core::{DiscreteGaussian, FixedPoint, ParamError, Rational, Width};
use samplez_tables::ExactHeights;

/// x_i ← D_{bZ + u, σ}; u ← (u - x_i)/b.
#[derive(Clone)]
pub(super) struct Power {
    base: i64,
    digits: usize,
    /// σ/b.
    sigma: Rational,
    rounder: StripRounder,
    width: StripWidth,
    /// b = 2^shift·odd, and the odd part's inverse modulo 2^64.
    shift: u32,
    inverse: i64,
    /// -d/b for each digit d.
    centers: Vec<FixedPoint>,
}

/// Decides close trials about -d/b.
struct About {
    sigma: Rational,
    center: Option<Rational>,
}

impl Refine for About {
    fn accepts<B: BitSource + ?Sized>(&self, trial: &CloseTrial, bits: &mut B) -> bool {
        let law = self.center.and_then(|center| DiscreteGaussian::new(center, Width::Sigma(self.sigma)).ok());
        match law {
            Some(law) => ExactHeights::new(&law).accepts(trial, bits),
            None => {
                bits.condemn();
                false
            }
        }
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse(odd: i64) -> i64 {
    (0..6).fold(odd, |x, _| x.wrapping_mul(2_i64.wrapping_sub(odd.wrapping_mul(x))))
}

impl Power {
    /// For b >= 2 and σ/b from 1 to 2^26.
    pub(super) fn new(base: u64, digits: usize, sigma: Rational) -> Result<Self, ParamError> {
        let rounder = StripRounder::of_sigma(sigma)?;
        let shift = base.trailing_zeros();
        let center = |d: u64| Rational::new(-(d as i64), base).map_or(FixedPoint::new(Rational::ZERO), FixedPoint::new);
        Ok(Power {
            base: base as i64,
            digits,
            sigma,
            rounder,
            width: rounder.width(sigma)?,
            shift,
            inverse: inverse((base >> shift) as i64),
            centers: (0..base).map(center).collect::<Result<_, _>>()?,
        })
    }

    /// (u - x)/b, which is an integer.
    fn carry(&self, u: i64, x: i64) -> i64 {
        ((u - x) >> self.shift).wrapping_mul(self.inverse)
    }

    fn digit(&self, u: i64) -> i64 {
        if self.base >> self.shift == 1 { u & (self.base - 1) } else { u.rem_euclid(self.base) }
    }

    /// One sample of Klein's algorithm for each coset, k integers each.
    pub(super) fn sample<B: BitSource + ?Sized>(&self, cosets: &[u64], bits: &mut B, out: &mut [i64]) {
        let mut rest: Vec<i64> = cosets.iter().map(|u| *u as i64).collect();
        let mut digits = vec![0; cosets.len()];
        let mut values = vec![0; cosets.len()];
        let mut calls = Vec::with_capacity(cosets.len());
        for i in 0..self.digits {
            calls.clear();
            for (u, digit) in rest.iter().zip(&mut digits) {
                *digit = self.digit(*u);
                calls.push((self.centers[*digit as usize], self.width));
            }
            let refine =
                |call: usize| About { sigma: self.sigma, center: Rational::new(-digits[call], self.base as u64) };
            self.rounder.round_batch_refined(&calls, refine, bits, &mut values);
            let slots = out.iter_mut().skip(i).step_by(self.digits);
            for (((slot, u), digit), z) in slots.zip(&mut rest).zip(&digits).zip(&values) {
                *slot = digit + self.base * z;
                *u = self.carry(*u, *slot);
            }
        }
        wipe(&mut rest);
        wipe(&mut digits);
        wipe(&mut values);
        calls.fill((self.centers[0], self.width));
        zeroize::optimization_barrier(&calls);
    }

    /// The factors of a sample's acceptance. The first digit's is the same for all samples of a coset.
    pub(super) fn factors(&self, coset: u64, sample: &[i64]) -> Vec<Factor> {
        let square = |x: u128| BigUint::from(x) * BigUint::from(x);
        let (num, den) = (self.sigma.num().unsigned_abs().into(), self.sigma.den().into());
        let mut u = coset as i64;
        let digits = sample.iter().map(|x| {
            let digit = self.digit(u);
            u = self.carry(u, *x);
            digit
        });
        let factor =
            |digit| Factor { center: (i128::from(digit), self.base as u128), square: (square(num), square(den)) };
        digits.skip(1).map(factor).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_are_quotients() {
        for base in [2_u64, 3, 6, 8, 10, 12, 1000] {
            let power = Power::new(base, 2, "3".parse().unwrap()).unwrap();
            for quotient in [-12_345_678_i64, -3, -1, 0, 1, 2, 7, 99_999_999] {
                for x in [-17, 0, 5] {
                    assert_eq!(power.carry(x + quotient * base as i64, x), quotient, "{base}");
                }
            }
            for u in -50..50_i64 {
                assert_eq!(power.digit(u), u.rem_euclid(base as i64));
            }
        }
    }
}
