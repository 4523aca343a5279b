//! Failure rates of decryption, from characteristic functions.
//!
//! The error of a letter is a sum of independent terms modulo q, symmetric around 0. So its characteristic function φ,
//! at 2πk/q, is real and the product of the terms'. P(lo <= error <= hi) = 1/q·Σ_k φ(k)·Σ_e cos(2πke/q). Sums of at
//! most 2^15 doubles of size 1: the result is right to about 1e-13, absolute.

use crate::series::{cosine, exponential};
use alloc::vec::Vec;
use core::f64::consts::{FRAC_PI_2, PI};

/// The law of errors modulo q that are made of noise D_{Z,σ}, σ = s/sqrt(2π).
pub(crate) struct Chance {
    q: u64,
    /// cos(πj/q) for 0 <= j < 2q.
    cosines: Vec<f64>,
    /// P(|X| = x), its tail beyond 2^-100 apart.
    noise: Vec<f64>,
    /// φ of the noise.
    phi: Vec<f64>,
}

impl Chance {
    /// For s² > 4.
    pub(crate) fn new(q: u32, s_squared: f64) -> Self {
        let q = u64::from(q);
        let cosines: Vec<f64> = (0..2 * q)
            .map(|j| {
                let quarter = |j: u64| cosine(PI * j as f64 / q as f64);
                match j.min(2 * q - j) {
                    j if 2 * j <= q => quarter(j),
                    j => -quarter(q - j),
                }
            })
            .collect();
        let weight = |x: u32| exponential(PI / s_squared * f64::from(x) * f64::from(x));
        let weights: Vec<f64> =
            (0..).map(|x| weight(x) * if x == 0 { 1.0 } else { 2.0 }).take_while(|w| *w > 1e-30).collect();
        let total: f64 = weights.iter().sum();
        let noise: Vec<f64> = weights.iter().map(|w| w / total).collect();
        // By Poisson's summation: φ(k) is proportional to the sum of exp(-πs²(k/q + j)²) over all integers j; beyond |j| = 3 the
        // terms are below 1e-38.
        let theta =
            |x: f64| -> f64 { (-3..=3).map(|j| f64::from(j) + x).map(|y| exponential(PI * s_squared * y * y)).sum() };
        let whole = theta(0.0);
        let phi = (0..q).map(|k| theta(k.min(q - k) as f64 / q as f64) / whole).collect();
        Chance { q, cosines, noise, phi }
    }

    /// φ(k) of the noise.
    pub(crate) fn noise(&self, k: u64) -> f64 {
        self.phi[(k % self.q) as usize]
    }

    /// φ(k) of a product of two.
    pub(crate) fn product(&self, k: u64) -> f64 {
        (0_u64..).zip(&self.noise).map(|(x, p)| p * self.noise(k * x)).sum()
    }

    /// P(lo <= error <= hi) for an error of this φ, -q/2 < lo <= hi < q/2.
    pub(crate) fn within(&self, lo: i64, hi: i64, phi: impl Fn(u64) -> f64) -> f64 {
        let (q, count, middle) = (self.q, (hi - lo + 1).unsigned_abs(), (hi + lo).unsigned_abs());
        let cos = |j: u64| self.cosines[(j % (2 * q)) as usize];
        let sin = |j: u64| {
            let x = PI * (j % (2 * q)) as f64 / q as f64;
            if x <= FRAC_PI_2 {
                cosine(FRAC_PI_2 - x)
            } else if x <= 3.0 * FRAC_PI_2 {
                self.bent(x)
            } else {
                -cosine(x - 3.0 * FRAC_PI_2)
            }
        };
        let mut sum = count as f64;
        for k in 1..q {
            let value = phi(k);
            if value.abs() > 1e-24 {
                sum += value * sin(k * count) / sin(k) * cos(k * middle);
            }
        }
        sum / q as f64
    }

    /// sin(x) for π/2 <= x <= 3π/2.
    fn bent(&self, x: f64) -> f64 {
        if x <= PI { cosine(x - FRAC_PI_2) } else { -cosine(3.0 * FRAC_PI_2 - x) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::power;

    /// Against the convolution itself, at a small q.
    #[test]
    fn probabilities_are_those_of_the_convolution() {
        let (q, s, terms) = (101_usize, 3.0_f64, 4);
        let chance = Chance::new(q as u32, s * s);
        let mut noise = std::vec![0.0; q];
        for x in -60_i64..=60 {
            noise[x.rem_euclid(q as i64) as usize] += (-PI * (x * x) as f64 / (s * s)).exp();
        }
        let total: f64 = noise.iter().sum();
        noise.iter_mut().for_each(|p| *p /= total);
        let mut product = std::vec![0.0; q];
        for (x, p) in noise.iter().enumerate() {
            noise.iter().enumerate().for_each(|(y, r)| product[x * y % q] += p * r);
        }
        let mut error = noise.clone();
        for _ in 0..terms {
            let mut next = std::vec![0.0; q];
            for (x, p) in error.iter().enumerate() {
                product.iter().enumerate().for_each(|(y, r)| next[(x + y) % q] += p * r);
            }
            error = next;
        }
        for (lo, hi) in [(-25, 25), (-25, 24), (-3, 40), (0, 0), (7, 50)] {
            let want: f64 = (lo..=hi).map(|e: i64| error[e.rem_euclid(q as i64) as usize]).sum();
            let got = chance.within(lo, hi, |k| power(chance.product(k), terms) * chance.noise(k));
            assert!((got - want).abs() < 1e-13, "{lo} to {hi}: {got}, {want}");
        }
    }
}
