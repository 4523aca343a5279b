//! ρ(x) = e^(-x²/2σ²) in big integers.

use num_bigint::BigUint;

/// Bits of heights and thresholds.
pub(crate) const BITS: u64 = 106;
/// Bits of the arithmetic that makes them.
pub(super) const WORKING: u64 = 160;
/// Halvings of the exponent before the series, and squarings after it.
const HALVINGS: u64 = 16;

pub(super) fn one() -> BigUint {
    BigUint::from(1_u8) << WORKING
}

/// The density of a decimal width, with the support 0 to 13σ.
#[derive(Clone)]
pub(crate) struct Density {
    /// 1/2σ², as a fraction.
    over: BigUint,
    under: BigUint,
    /// ⌊13σ⌋.
    pub(crate) last: u64,
}

impl Density {
    /// That of σ = whole/parts.
    pub(crate) fn new(whole: u64, parts: u64) -> Density {
        let (over, under) = (BigUint::from(parts).pow(2), BigUint::from(whole).pow(2) * 2_u8);
        Density { over, under, last: 13 * whole / parts }
    }

    /// ρ(x) in units of 2^-160.
    pub(super) fn working(&self, x: u64) -> BigUint {
        let exponent = ((BigUint::from(x).pow(2) * &self.over) << (WORKING - HALVINGS)) / &self.under;
        let (mut term, mut plus, mut minus) = (one(), one(), BigUint::ZERO);
        for i in 1_u32.. {
            term = ((&term * &exponent) >> WORKING) / i;
            if term == BigUint::ZERO {
                break;
            }
            if i % 2 == 0 { plus += &term } else { minus += &term }
        }
        let mut power = plus - minus;
        for _ in 0..HALVINGS {
            power = (&power * &power) >> WORKING;
        }
        power
    }

    /// ρ(x), rounded down to 106 bits.
    pub(crate) fn at(&self, x: u64) -> BigUint {
        self.working(x) >> (WORKING - BITS)
    }

    /// Whether x <= σ, where the curve is concave.
    pub(super) fn is_below_sigma(&self, x: u64) -> bool {
        BigUint::from(x).pow(2) * &self.over * 2_u8 <= self.under
    }

    /// ρ(0) to ρ(13σ) in units of 2^-160.
    pub(crate) fn all(&self) -> Vec<BigUint> {
        (0..=self.last).map(|x| self.working(x)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits of mpmath at 60 digits: floor(2^106 exp(-x²/2σ²)).
    #[test]
    fn densities_are_those_of_mpmath() {
        for (sigma, x, digits) in [
            ((10, 1), 0, "81129638414606681695789005144064"),
            ((10, 1), 7, "63500536173034452238801594306528"),
            ((32, 1), 100, "614611971798500238293540668416"),
            ((32, 1), 416, "0"),
            ((160000, 1), 2000000, "0"),
            ((33311, 10000), 5, "26299221372596391649590497611890"),
        ] {
            let (whole, parts) = sigma;
            assert_eq!(Density::new(whole, parts).at(x).to_string(), digits, "{whole}/{parts} at {x}");
        }
    }
}
