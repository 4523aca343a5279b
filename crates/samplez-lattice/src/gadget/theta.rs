//! Exact decisions with probability Π ρ_σ(Z + c)/ρ_σ(Z), for rational σ² and c.
//!
//! The ratio is at most 1, because all Fourier coefficients of ρ_σ(Z + c) as a function of c are positive. It is at least
//! (1 - 2t)/(1 + 2t), t = Σ_k exp(-2π²σ²k²).

use num_bigint::{BigInt, BigUint};
use samplez_core::bits::BitSource;

/// Where σ² is at least this, the ratio is above 1 - 2^-450, and is not computed.
const SMOOTH: u32 = 16;
/// A uniform number that begins with so many ones is undecided there.
const SMOOTH_BITS: u32 = 448;
/// Bits of the intervals, at most. A comparison that needs more has a probability below 2^-300.
const PRECISION_MAX: u32 = 4096;
/// Bits behind the precision.
const GUARD: u32 = 64;

/// One factor: c = num/den and σ² = square.0/square.1.
pub(super) struct Factor {
    pub(super) center: (i128, u128),
    pub(super) square: (BigUint, BigUint),
}

/// Returns true with probability Π ρ_σ(Z + c)/ρ_σ(Z). The first 64 bits of the uniform number are `first`, and `bits` continues it.
#[cold]
pub(super) fn accepts<B: BitSource + ?Sized>(factors: &[Factor], first: u64, bits: &mut B) -> bool {
    let mut number = BigUint::from(first);
    let mut places = 64;
    let mut precision = 128;
    while precision <= PRECISION_MAX {
        let (low, high) = product(factors, precision);
        loop {
            // The number is from number to number + 1 in units of 2^-places.
            let unit = precision - places;
            if (&number + 1_u32) << unit <= low {
                return true;
            }
            if &number << unit >= high {
                return false;
            }
            if places + 64 > precision {
                break;
            }
            number = number << 64_u32 | BigUint::from(bits.bits(64));
            places += 64;
        }
        precision *= 2;
    }
    bits.condemn();
    false
}

/// Encloses the product in units of 2^-precision.
fn product(factors: &[Factor], precision: u32) -> (BigUint, BigUint) {
    let one = BigUint::from(1_u32) << precision;
    let (mut low, mut high) = (one.clone(), one.clone());
    for factor in factors {
        let (l, h) = ratio(factor, precision);
        low = (low * l) >> precision;
        high = ((high * h) >> precision) + 1_u32;
    }
    (low, high.min(one))
}

/// Encloses ρ_σ(Z + c)/ρ_σ(Z) in units of 2^-precision.
fn ratio(factor: &Factor, precision: u32) -> (BigUint, BigUint) {
    let one = BigUint::from(1_u32) << precision;
    let (square_num, square_den) = &factor.square;
    if *square_num >= square_den * SMOOTH {
        let short = if precision > SMOOTH_BITS { &one >> SMOOTH_BITS } else { BigUint::from(1_u32) };
        return (&one - short, one);
    }
    let work = precision + GUARD;
    let (num, den) = factor.center;
    let (shifted, centred) = (rho(num, den, &factor.square, work), rho(0, 1, &factor.square, work));
    // Each sum is within 2^-(precision + 44), and ρ_σ(Z) >= 1.
    let quotient = ((shifted << work) / centred) >> GUARD;
    let low = if quotient > BigUint::from(1_u32) { &quotient - 1_u32 } else { BigUint::ZERO };
    (low, (quotient + 2_u32).min(one))
}

/// ρ_σ(Z + c) in units of 2^-work, within 2^20 units: each term is within 2 units, and those left out are together below a unit.
fn rho(num: i128, den: u128, square: &(BigUint, BigUint), work: u32) -> BigUint {
    let den_i = BigInt::from(den);
    let start = BigInt::from(num.rem_euclid(den as i128));
    // (j·den + num)²·square_den/(2·den²·square_num)
    let below = BigInt::from(square.0.clone()) * &den_i * &den_i * 2;
    let above = BigInt::from(square.1.clone());
    let term = |j: i64| -> Option<BigUint> {
        let distance = BigInt::from(j) * &den_i + &start;
        let exponent = (&distance * &distance * &above, &below);
        // e^-x < 2^-x.
        if &exponent.0 / exponent.1 > BigInt::from(work) {
            return None;
        }
        let fixed: BigInt = (exponent.0 << work) / exponent.1;
        Some(exp_neg(&fixed.to_biguint().unwrap_or_default(), work))
    };
    let mut sum = BigUint::ZERO;
    for step in [1_i64, -1] {
        let mut j = if step > 0 { 0 } else { -1 };
        while let Some(value) = term(j) {
            sum += value;
            j += step;
        }
    }
    sum
}

/// e^-x for x in units of 2^-work, x < 2^13, within 2 units (for work <= 2^13).
///
/// It is computed with 64 bits more. x/2^s is below 2^-8. Its series has fewer than work/8 terms, each within a small unit. Then
/// s <= 22 squarings of numbers at most 1 follow. Each doubles the error and adds a small unit: 2^35 small units in all.
fn exp_neg(x: &BigUint, work: u32) -> BigUint {
    let one = BigUint::from(1_u32) << (work + GUARD);
    let magnitude = (x.bits() as u32).saturating_sub(work) + 9;
    let r = x << GUARD >> magnitude;
    let (mut sum, mut term, mut i) = (BigInt::from(one.clone()), BigInt::from(one), 0_u32);
    let r = BigInt::from(r);
    loop {
        i += 1;
        term = -((term * &r) >> (work + GUARD)) / i;
        if term == BigInt::ZERO || i > work {
            break;
        }
        sum += &term;
    }
    let mut value = sum.to_biguint().unwrap_or_default();
    for _ in 0..magnitude {
        value = (&value * &value) >> (work + GUARD);
    }
    value >> GUARD
}

/// The ratio, for tests.
#[cfg(test)]
pub(super) fn ratio_f64(factor: &Factor) -> f64 {
    let (low, _) = ratio(factor, 128);
    u128::try_from(low >> 8_u32).unwrap_or_default() as f64 / 2_f64.powi(120)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(c: (i128, u128), square: (u32, u32)) -> Factor {
        Factor { center: c, square: (square.0.into(), square.1.into()) }
    }

    fn to_f64(x: &BigUint, precision: u32) -> f64 {
        let top = x >> (precision - 60);
        u64::try_from(top).unwrap() as f64 / (1_u64 << 60) as f64
    }

    /// By the Fourier series in doubles.
    fn fourier(c: f64, square: f64) -> f64 {
        let theta = |c: f64| {
            1.0 + (1..40)
                .map(|k| {
                    let k = f64::from(k);
                    2.0 * (-2.0 * (std::f64::consts::PI * k).powi(2) * square).exp()
                        * (2.0 * std::f64::consts::PI * k * c).cos()
                })
                .sum::<f64>()
        };
        theta(c) / theta(0.0)
    }

    #[test]
    fn ratios_are_those_of_the_fourier_series() {
        for square in [(1, 25), (9, 100), (1, 4), (9, 25), (1, 1), (7, 3)] {
            for c in [(0, 1), (1, 2), (1, 3), (-1, 3), (22, 7), (5, 11)] {
                let want = fourier(c.0 as f64 / c.1 as f64, f64::from(square.0) / f64::from(square.1));
                for precision in [128, 256, 1024] {
                    let (low, high) = ratio(&factor(c, square), precision);
                    assert!(low <= high && &high - &low <= BigUint::from(3_u32));
                    assert!((to_f64(&low, precision) - want).abs() < 1e-14, "{square:?} {c:?} {want}");
                }
                // Precise intervals lie within coarse ones.
                let (coarse, fine) = (ratio(&factor(c, square), 128), ratio(&factor(c, square), 512));
                assert!(coarse.0 <= &fine.0 >> 384_u32 && &fine.1 >> 384_u32 <= coarse.1);
            }
        }
    }

    #[test]
    fn a_smooth_factor_is_almost_one() {
        let (low, high) = ratio(&factor((1, 2), (16, 1)), 1024);
        let one = BigUint::from(1_u32) << 1024_u32;
        assert!(high == one && one - low == BigUint::from(1_u32) << 576_u32);
    }

    /// The words of a script.
    struct Script(Vec<u64>, bool);
    impl BitSource for Script {
        fn bits(&mut self, n: u32) -> u64 {
            assert_eq!(n, 64);
            self.0.pop().unwrap()
        }
        fn condemn(&mut self) {
            self.1 = true;
        }
    }

    #[test]
    fn decisions_are_at_the_ratio() {
        let factors = [factor((1, 2), (1, 4)), factor((1, 3), (1, 4))];
        let (low, _) = product(&factors, 1024);
        let words: Vec<u64> =
            (1..=16_u32).map(|i| u64::try_from((&low >> (1024 - 64 * i)) & BigUint::from(u64::MAX)).unwrap()).collect();
        for at in 0..8 {
            for (delta, want) in [(-1_i64, true), (1, false)] {
                let mut script = words[..=at].to_vec();
                script[at] = script[at].wrapping_add_signed(delta);
                script.reverse();
                let first = script.pop().unwrap();
                let mut source = Script(script, false);
                assert_eq!(accepts(&factors, first, &mut source), want, "{at} {delta}");
                assert!(source.0.is_empty() && !source.1);
            }
        }
        let mut ones = Script(vec![u64::MAX; 100], false);
        assert!(!accepts(&[factor((1, 2), (16, 1))], u64::MAX, &mut ones) && ones.1);
    }
}
