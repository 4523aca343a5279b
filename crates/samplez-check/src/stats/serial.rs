//! Serial products at lags 1 … 16.

use super::BLOCK;
use super::target::Target;
use core::ops::RangeInclusive;

/// The lags tested: 1 … 16.
pub(super) const LAGS: usize = 16;

/// Sums of t_i·t_(i-k), where t = (y - mean)/deviation, in the order of the stream.
///
/// Single precision carries the products: an error of 2^-24 of each, of either sign, against the
/// products' own scatter, which is 1. Values beyond the target's range count as its end.
#[derive(Clone, Debug)]
pub(super) struct Serial {
    range: RangeInclusive<i64>,
    mean: f64,
    inverse: f64,
    /// The last 16 values of the stream, and behind them room for a block.
    window: Box<[f32; LAGS + BLOCK]>,
    products: [f64; LAGS],
    /// Values in this stream.
    len: u64,
    /// Pairs in the streams that were merged into this one.
    merged: [u64; LAGS],
}

impl Serial {
    pub(super) fn new(target: &Target) -> Self {
        Serial {
            range: target.range.clone(),
            mean: target.mean,
            inverse: target.deviation().map_or(0.0, f64::recip),
            window: Box::new([0.0; LAGS + BLOCK]),
            products: [0.0; LAGS],
            len: 0,
            merged: [0; LAGS],
        }
    }

    /// At most [`BLOCK`] values.
    pub(super) fn push(&mut self, values: &[i64]) {
        let n = values.len();
        let (low, high) = (*self.range.start(), *self.range.end());
        for (slot, y) in self.window[LAGS..].iter_mut().zip(values) {
            *slot = (((*y).clamp(low, high) as f64 - self.mean) * self.inverse) as f32;
        }
        for (k, product) in (1..).zip(&mut self.products) {
            *product += dot(&self.window[LAGS..LAGS + n], &self.window[LAGS - k..LAGS - k + n]);
        }
        self.window.copy_within(n..n + LAGS, 0);
        self.len += n as u64;
    }

    pub(super) fn merge(&mut self, other: &Serial) {
        for (i, product) in self.products.iter_mut().enumerate() {
            *product += other.products[i];
            self.merged[i] += other.pairs(i + 1);
        }
    }

    /// How many products at lag k were summed.
    pub(super) fn pairs(&self, k: usize) -> u64 {
        self.merged[k - 1] + self.len.saturating_sub(k as u64)
    }

    /// Their sum.
    pub(super) fn product(&self, k: usize) -> f64 {
        self.products[k - 1]
    }
}

/// Σ a_i·b_i, in 16 lanes.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut lanes = [0.0_f32; 16];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
    for (x, y) in a.iter().zip(b) {
        for (lane, (x, y)) in lanes.iter_mut().zip(x.iter().zip(y)) {
            *lane += x * y;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    lanes.iter().map(|lane| f64::from(*lane)).sum::<f64>() + f64::from(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::params::{DiscreteGaussian, Rational};

    #[test]
    fn products_and_pairs_of_two_streams() {
        let target = Target::new(&DiscreteGaussian::with_sigma(Rational::from(4)).unwrap()).unwrap();
        let values: Vec<i64> = (0..3000).map(|i| i * i % 23 - 11).collect();
        let (first, second) = values.split_at(1777);
        let mut serial = Serial::new(&target);
        first.chunks(1000).for_each(|chunk| serial.push(chunk));
        let mut other = Serial::new(&target);
        second.chunks(7).for_each(|chunk| other.push(chunk));
        serial.merge(&other);
        for k in 1..=LAGS {
            let naive = |v: &[i64]| v.iter().zip(&v[k..]).map(|(a, b)| a * b).sum::<i64>() as f64 / 16.0;
            assert!((serial.product(k) - naive(first) - naive(second)).abs() < 1e-2, "lag {k}");
            assert_eq!(serial.pairs(k), 3000 - 2 * k as u64);
        }
        let mut short = Serial::new(&target);
        short.push(&[1, 2, 3]);
        assert_eq!((short.pairs(2), short.pairs(3), short.pairs(16)), (1, 0, 0));
    }
}
