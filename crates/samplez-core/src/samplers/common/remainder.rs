//! Exact coins for the excess of π and ln 2 over a fraction.
//!
//! π = Σ r(i)/16^i with r(i) = 4/(8i+1) - 2/(8i+4) - 1/(8i+5) - 1/(8i+6) > 0 (Bailey, Borwein, Plouffe), and
//! ln 2 = (2/3)·Σ 1/((2i+1)·9^i). The leading terms sum to the fraction μ, and the others to δ.
//! All are positive, so δ is a mixture of fractions. Each further term is rarer by 1/16 or 1/9.

use crate::bits::{BitSource, bernoulli};

/// μ + δ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    Pi,
    Ln2,
}

/// r(i) as a fraction, with the denominators' common factors out.
const fn pi_term(i: u128) -> (u128, u128) {
    (120 * i * i + 151 * i + 47, (2 * i + 1) * (4 * i + 3) * (8 * i + 1) * (8 * i + 5))
}

impl Constant {
    /// 2μ: of π the first 2 terms, of ln 2 the first 3.
    pub(crate) const fn twice(self) -> (u128, u128) {
        match self {
            Constant::Pi => (102_913, 16_380),
            Constant::Ln2 => (1684, 1215),
        }
    }

    /// A fraction just above 1/sqrt(2μ).
    pub(crate) const fn inverse_root(self) -> (u128, u128) {
        match self {
            Constant::Pi => (399, 1000),
            Constant::Ln2 => (1699, 2000),
        }
    }

    /// 64δ, for estimates of cost only.
    pub(crate) const fn estimated(self) -> f64 {
        match self {
            Constant::Pi => 64.0 * 1.701_871_673e-4,
            Constant::Ln2 => 64.0 * 1.430_653_336e-4,
        }
    }

    /// Expected bits of [`coin`](Self::coin), 2 for each comparison.
    pub(crate) const fn coin_bits(self) -> f64 {
        match self {
            Constant::Pi => 6.0 + (2.0 * 16.0 / 15.0 + 2.0) / 64.0,
            Constant::Ln2 => 6.0 + (2.0 * 9.0 / 8.0 + 2.0) / 64.0,
        }
    }

    /// True with probability 64δ, which is below 1/64.
    ///
    /// 6 bits must be 0. Then the term i = first + n comes with probability (1 - 1/R)/R^n, R = 16 or 9, and represents
    /// 64²·R/(R-1)·R^-first of its factor.
    pub(crate) fn coin<B: BitSource + ?Sized>(self, bits: &mut B) -> bool {
        if bits.bits(6) != 0 {
            return false;
        }
        let (mut i, ratio) = match self {
            Constant::Pi => (2, 16),
            Constant::Ln2 => (3, 9),
        };
        while bernoulli(1, ratio, bits) {
            i += 1;
        }
        let (num, den) = self.term(i);
        bernoulli(num, den, bits)
    }

    const fn term(self, i: u128) -> (u128, u128) {
        match self {
            Constant::Pi => {
                let (num, den) = pi_term(i);
                (256 * num, 15 * den)
            }
            Constant::Ln2 => (1024, 243 * (2 * i + 1)),
        }
    }

    /// True with probability e^(-64δy), by a run of coins 64δy/1, 64δy/2, …
    pub(crate) fn exp<B: BitSource + ?Sized>(self, mut y: impl FnMut(&mut B) -> bool, bits: &mut B) -> bool {
        let mut heads = 0_u64;
        while bernoulli(1, u128::from(heads + 1), bits) && self.coin(bits) && y(bits) {
            heads += 1;
        }
        heads.is_multiple_of(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Counted;
    use crate::fixtures::{Tape, parting, reader};
    use core::f64::consts::{LN_2, PI};
    use std::vec::Vec;

    const ALL: [(Constant, f64, u128, i32); 2] = [(Constant::Pi, PI, 16, 2), (Constant::Ln2, LN_2, 9, 3)];

    #[test]
    fn the_terms_are_those_of_the_series() {
        for i in 0..50_u32 {
            let (num, den) = pi_term(i.into());
            let part = |n: f64, offset: u32| n / f64::from(8 * i + offset);
            let term = part(4.0, 1) - part(2.0, 4) - part(1.0, 5) - part(1.0, 6);
            assert!((num as f64 / den as f64 / term - 1.0).abs() < 1e-12, "{i}");
        }
        let quotient = |(num, den): (u128, u128)| num as f64 / den as f64;
        let leading: f64 = (0..2).map(|i| quotient(pi_term(i)) / 16_f64.powi(i as i32)).sum();
        assert!((quotient(Constant::Pi.twice()) / 2.0 - leading).abs() < 1e-15);
        let leading: f64 = (0..3).map(|i| 2.0 / 3.0 / f64::from(2 * i + 1) / 9_f64.powi(i)).sum();
        assert!((quotient(Constant::Ln2.twice()) / 2.0 - leading).abs() < 1e-15);
        for (constant, value, ratio, first) in ALL {
            // 2μ + 2δ, with δ from the mixture that the coin draws.
            let ratio = ratio as f64;
            let mixture: f64 = (0..14)
                .map(|n| (1.0 - 1.0 / ratio) / ratio.powi(n) / 64.0 * quotient(constant.term((first + n) as u128)))
                .sum();
            assert!((quotient(constant.twice()) / 2.0 + mixture / 64.0 - value).abs() < 1e-15, "{constant:?}");
            assert!((constant.estimated() / mixture - 1.0).abs() < 1e-8 && mixture < 1.0 / 64.0, "{mixture}");
            let (num, den) = constant.inverse_root();
            let (twice, unit) = constant.twice();
            assert!(num * num * twice >= den * den * unit && (num - 1).pow(2) * twice < den * den * unit);
        }
    }

    /// Each comparison, by uniforms that leave its bound at a late place.
    #[test]
    fn the_coins_are_the_terms() {
        for (constant, _, ratio, first) in ALL {
            for n in 70..82 {
                for more in 0..4 {
                    let (step, is_below) = parting(1, ratio, n);
                    let steps = if is_below { more } else { 0 };
                    let stop = if is_below { Vec::from([true]) } else { step.clone() };
                    let (num, den) = constant.term(first as u128 + steps);
                    let (last, is_last) = parting(num, den, n);
                    let steps = (0..steps).flat_map(|_| step.clone()).chain(stop);
                    let bits: Vec<bool> = [false; 6].into_iter().chain(steps).chain(last).collect();
                    let (len, mut tape) = (bits.len(), Tape::new(bits));
                    assert_eq!((constant.coin(&mut tape), tape.read), (is_last, len), "{constant:?}, {more}");
                }
            }
        }
    }

    #[test]
    fn coins_and_their_cost_are_counted() {
        for (constant, ..) in ALL {
            let (mut bits, n, p) = (Counted::new(reader(3)), 2_000_000, constant.estimated());
            let hits = (0..n).filter(|_| constant.coin(&mut bits)).count() as f64;
            let deviation = (p * f64::from(n)).sqrt();
            assert!((hits - p * f64::from(n)).abs() < 5.0 * deviation, "{constant:?}: {hits}");
            let each = bits.count() as f64 / f64::from(n);
            assert!((each - constant.coin_bits()).abs() < 0.01, "{constant:?}: {each}");
        }
    }

    /// e^(-64δy) for y = 1 and 1/2: the misses are few, and counted.
    #[test]
    fn exponentials_have_their_law() {
        let mut bits = reader(4);
        for (constant, ..) in ALL {
            for y in [1_u128, 2] {
                let n = 1_000_000;
                let misses = (0..n).filter(|_| !constant.exp(|bits| bernoulli(1, y, bits), &mut bits)).count() as f64;
                let expected = (1.0 - (-constant.estimated() / y as f64).exp()) * f64::from(n);
                assert!((misses - expected).abs() < 5.0 * expected.sqrt(), "{constant:?}: {misses}, {expected}");
            }
        }
    }
}
