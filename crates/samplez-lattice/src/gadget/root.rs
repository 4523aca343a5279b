//! Rational square roots.

use num_bigint::BigUint;
use samplez_core::Rational;

/// sqrt(num/den), within 2^-60 of it, for 1 <= num/den < 2^54.
pub(crate) fn root(num: &BigUint, den: &BigUint) -> Option<Rational> {
    let bits = (num / den).bits().max(1) as u32;
    // The root is below 2^(bits/2 + 1), so that this many bits of fraction fit.
    let places = 61 - bits.div_ceil(2);
    let scaled = ((num << (2 * places)) / den).sqrt();
    Rational::new(i64::try_from(scaled).ok()?, 1 << places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_near() {
        for (num, den) in [(1_u64, 1_u64), (5, 4), (1 << 50, 3), (20_000_001, 7), ((1 << 54) - 1, 1)] {
            let found = root(&num.into(), &den.into()).unwrap();
            let want = (num as f64 / den as f64).sqrt();
            assert!((found.to_f64() / want - 1.0).abs() < 1e-15, "{num}/{den}");
        }
    }
}
