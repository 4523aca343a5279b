//! The rounders for every σ from 1 to 2^26: one for each octave.

use samplez_core::samplers::StripRounder;
use samplez_core::{ParamError, Rational};
use std::sync::OnceLock;

/// [1, 2] to [2^25, 2^26].
pub(crate) const OCTAVES: usize = 26;

/// The rounder for σ from 2^n to 2^(n + 1).
pub(crate) fn octave(n: usize) -> Result<&'static StripRounder, ParamError> {
    static ROUNDERS: [OnceLock<Result<StripRounder, ParamError>>; OCTAVES] = [const { OnceLock::new() }; OCTAVES];
    let make = || StripRounder::new(Rational::from(1 << n), Rational::from(2 << n));
    ROUNDERS[n].get_or_init(make).as_ref().map_err(Clone::clone)
}

/// The octaves of the least and of the largest σ: both are `Some` if each σ has an octave. No branch depends on a σ before.
pub(crate) fn octaves_of(sigmas: &[f64]) -> [Option<usize>; 2] {
    // Positive numbers are in the order of their bits, and negative ones above them.
    let bits = sigmas.iter().map(|sigma| sigma.to_bits());
    let ends = |[least, most]: [u64; 2], bits: u64| [least.min(bits), most.max(bits)];
    let first = sigmas.first().map_or([1.0, 2.0], |sigma| [*sigma; 2]);
    bits.fold(first.map(f64::to_bits), ends).map(|bits| octave_of(f64::from_bits(bits)))
}

/// The octave of σ; `None` unless 1 <= σ <= 2^26. That of 2^26 is the last.
#[inline]
pub(crate) fn octave_of(sigma: f64) -> Option<usize> {
    let allowed = (1.0..=(1_u64 << OCTAVES) as f64).contains(&sigma);
    allowed.then(|| ((sigma.to_bits() >> 52) as usize - 1023).min(OCTAVES - 1))
}

/// The same of a rational σ.
pub(crate) fn octave_of_rational(sigma: Rational) -> Option<usize> {
    let num = u64::try_from(sigma.num()).ok()?;
    let (whole, rest) = (num / sigma.den(), num % sigma.den());
    let allowed = whole > 0 && (whole >> OCTAVES == 0 || whole == 1 << OCTAVES && rest == 0);
    allowed.then(|| (whole.ilog2() as usize).min(OCTAVES - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octaves() {
        let edges = [(1.0, 0), (2f64.next_down(), 0), (2.0, 1), (3.9, 1), (2f64.powi(25), 25), (2f64.powi(26), 25)];
        for (sigma, n) in edges {
            assert_eq!(octave_of(sigma), Some(n), "{sigma}");
            assert_eq!(octave_of_rational(Rational::try_from(sigma).unwrap()), Some(n), "{sigma}");
            assert!(octave(n).unwrap().width(Rational::try_from(sigma).unwrap()).is_ok(), "{sigma}");
        }
        for sigma in [1f64.next_down(), 2f64.powi(26).next_up(), 0.0, -2.0, f64::NAN, f64::INFINITY] {
            assert_eq!(octave_of(sigma), None, "{sigma}");
            let exact = Rational::try_from(sigma);
            assert_eq!(exact.ok().and_then(octave_of_rational), None, "{sigma}");
            for sigmas in [[sigma, 3.0, 2.0], [3.0, sigma, 2.0], [2.0, 3.0, sigma]] {
                assert!(octaves_of(&sigmas).contains(&None), "{sigmas:?}");
            }
        }
        assert_eq!(octaves_of(&[2.5, 2.0, 3.9]), [Some(1); 2]);
        assert_eq!(octaves_of(&[2.5, 4.0, 2.0]), [Some(1), Some(2)]);
        assert_eq!(octaves_of(&[]), [Some(0), Some(1)]);
    }
}
