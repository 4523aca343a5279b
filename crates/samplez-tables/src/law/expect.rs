//! Expectations of functions.

use super::Law;
use crate::density::Side;

/// The largest σ whose values are visited one by one.
const SIGMA_MAX: f64 = (1 << 20) as f64;
/// Beyond so many σ from the centre probabilities are 0 as doubles.
const REACH: f64 = 38.7;

impl Law {
    /// Returns E\[f(X)\]: f(x)·P(X = x) summed over every x whose probability is not 0 as a double, some 77σ of them, from outside in
    /// and compensated. It errs by less than 2^-50 E\[|f(X)|\], besides f's own error. `None` for σ above 2^20.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// let even = law.expect(|x| f64::from(u8::from(x % 2 == 0)));
    /// assert!((even.unwrap() - 0.5).abs() < 1e-15);
    /// assert!((law.expect(|x| (x as f64).exp()).unwrap() / 167.335_369_621_104_08 - 1.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expect(&self, mut f: impl FnMut(i64) -> f64) -> Option<f64> {
        if self.sigma() > SIGMA_MAX {
            return None;
        }
        let mode = self.density.exponent().mode();
        // Within a block P falls by less than e^-11.
        let block = (self.sigma() / 4.0).clamp(1.0, 256.0) as u64;
        let blocks = (REACH * self.sigma()) as u64 / block + 2;
        let (mut sum, mut lost) = (0.0_f64, 0.0);
        for from in (0..blocks).rev().map(|i| i * block) {
            for side in [Side::Up, Side::Down] {
                // The mode comes once.
                let first = if side == Side::Down && from == 0 { 1 } else { from };
                let Some(scale) = self.density.scaled(side, first.into()) else { continue };
                let mut walk = self.density.relative_walk(side, first.into(), 0);
                for distance in first..from + block {
                    let x = match side {
                        Side::Up => mode.checked_add_unsigned(distance),
                        Side::Down => mode.checked_sub_unsigned(distance),
                    };
                    let p = scale.mul(&walk.value).to_f64();
                    if let Some(x) = x.filter(|_| p > 0.0) {
                        let term = f(x) * p;
                        let total = sum + term;
                        lost += if sum.abs() >= term.abs() { (sum - total) + term } else { (term - total) + sum };
                        sum = total;
                    }
                    walk.advance();
                }
            }
        }
        // What was lost is no number where the sum is infinite.
        Some(if sum.is_finite() { sum + lost } else { sum })
    }
}
