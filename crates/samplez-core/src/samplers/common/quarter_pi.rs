//! Bernoulli(π/4), exactly, with nothing stored beyond a few integers.
//!
//! π = Σ r(k)/16^k with r(k) = 4/(8k+1) - 2/(8k+4) - 1/(8k+5) - 1/(8k+6) > 0 (Bailey, Borwein, Plouffe). The first term is
//! 47/15. The others are a mixture of fractions: k >= 1 comes with probability 15/16^k, and represents r(k)/13.

use crate::bits::{BitSource, bernoulli};

/// r(k) as a fraction.
const fn term(k: u128) -> (u128, u128) {
    let num = 120 * k * k + 151 * k + 47;
    // (2k + 1)(4k + 3)(8k + 1)(8k + 5), with the denominators' common factors out.
    (num, (2 * k + 1) * (4 * k + 3) * (8 * k + 1) * (8 * k + 5))
}

/// True with probability π/4.
pub(crate) fn is_below_quarter_pi<B: BitSource + ?Sized>(bits: &mut B) -> bool {
    if bernoulli(47, 60, bits) {
        return true;
    }
    let mut k = 1;
    while bernoulli(1, 16, bits) {
        k += 1;
    }
    let (num, den) = term(k);
    bernoulli(num, 13 * den, bits)
}

/// Expected bits of [`is_below_quarter_pi`]: 2 for each comparison.
pub(crate) const QUARTER_PI_BITS: f64 = 2.0 + 13.0 / 60.0 * (2.0 * 16.0 / 15.0 + 2.0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Counted;
    use crate::fixtures::{Tape, parting, reader};
    use core::f64::consts::{FRAC_PI_4, PI};
    use std::vec::Vec;

    #[test]
    fn the_terms_are_those_of_the_series() {
        for k in 0..50_u32 {
            let (num, den) = term(k.into());
            let part = |n: f64, offset: u32| n / f64::from(8 * k + offset);
            let term = part(4.0, 1) - part(2.0, 4) - part(1.0, 5) - part(1.0, 6);
            assert!((num as f64 / den as f64 / term - 1.0).abs() < 1e-12, "{k}");
            assert!(k == 0 || num <= 13 * den);
        }
        assert_eq!(term(0), (47, 15));
        let sum: f64 = (0..14).map(|k| term(k).0 as f64 / term(k).1 as f64 / 16_f64.powi(k as i32)).sum();
        assert!((sum - PI).abs() < 1e-15);
        // The mixture: 47/60, then 13/60 times 15/16^k times r(k)/13.
        let rest: f64 =
            (1..14).map(|k| 15.0 / 16_f64.powi(k as i32) * term(k).0 as f64 / (13 * term(k).1) as f64).sum();
        assert!((47.0 / 60.0 + 13.0 / 60.0 * rest - FRAC_PI_4).abs() < 1e-16);
    }

    /// Each comparison, by uniforms that leave its bound at a late place.
    #[test]
    fn the_coins_are_the_terms() {
        for n in 70..82 {
            let (first, is_below) = parting(47, 60, n);
            if is_below {
                let mut tape = Tape::new(first);
                assert_eq!((is_below_quarter_pi(&mut tape), tape.read), (true, n + 1));
                continue;
            }
            for k in 1..6_u128 {
                // 1/16 is 0001000…: a uniform of zeros is below it, one of ones is not.
                let steps: Vec<bool> = (1..k).flat_map(|_| [false; 4]).chain([true]).collect();
                let (num, den) = term(k);
                let (last, is_below) = parting(num, 13 * den, n);
                let bits: Vec<bool> = first.iter().copied().chain(steps).chain(last).collect();
                let (len, mut tape) = (bits.len(), Tape::new(bits));
                assert_eq!((is_below_quarter_pi(&mut tape), tape.read), (is_below, len), "{k}");
            }
        }
    }

    #[test]
    fn coins_and_their_cost_are_counted() {
        let (mut bits, n) = (Counted::new(reader(3)), 1_000_000);
        let hits = (0..n).filter(|_| is_below_quarter_pi(&mut bits)).count() as f64;
        let deviation = (FRAC_PI_4 * (1.0 - FRAC_PI_4) * f64::from(n)).sqrt();
        assert!((hits - FRAC_PI_4 * f64::from(n)).abs() < 5.0 * deviation, "{hits}");
        let each = bits.count() as f64 / f64::from(n);
        assert!((each - QUARTER_PI_BITS).abs() < 0.01, "{each}");
    }
}
