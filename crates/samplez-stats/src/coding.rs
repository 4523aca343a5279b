//! Values as small integers, for the tests of order.
//!
//! The law's range is cut into at most 1025 cells of equal, power-of-two width: one integer each up to σ of about 54. Each
//! cell has a code of 11 bits, strictly ascending, about zero. Three series of six bits are functions of the code.
//! Their sums are of integers, so that nothing is rounded, and their laws follow from the cells' exact masses.

use super::power;
use super::target::Target;
use std::sync::Arc;

/// No code is greater.
pub(super) const PEAK: i16 = 1023;

/// No value of a series is greater: the Walsh transform of 1024 of them has 16 bits, and so has a sum of 32 products.
pub(super) const HIGHEST: i16 = 31;

/// A function of the code that follows the value, its distance from the mean, or that distance squared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Series {
    Value,
    Magnitude,
    Square,
}

impl Series {
    pub(super) const ALL: [Series; 3] = [Series::Value, Series::Magnitude, Series::Square];

    /// Its name in the names of tests.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Series::Value => "x",
            Series::Magnitude => "|x|",
            Series::Square => "x²",
        }
    }

    /// Returns its value: (code - `less`)/16, (|code| - `less`)/16, or code²/4096 - `less`/8. `less` brings the mean
    /// near 0.
    #[inline(always)]
    pub(super) fn value(self, code: i16, less: i16) -> i16 {
        let coarse = match self {
            Series::Value => code.wrapping_sub(less) >> 4,
            Series::Magnitude => code.wrapping_abs().wrapping_sub(less) >> 4,
            Series::Square => {
                // |16·code| < 2^14 and |8·code| < 2^13: the upper half of the product is below 2^11.
                let product = i32::from(code.wrapping_mul(16)).wrapping_mul(i32::from(code.wrapping_mul(8)));
                ((product >> 16) as i16).wrapping_sub(less) >> 3
            }
        };
        coarse.clamp(-HIGHEST, HIGHEST)
    }
}

/// How values become codes.
#[derive(Clone, Debug)]
pub(super) struct Coding {
    log2_cell: u32,
    /// The cells' codes.
    codes: Arc<[i16]>,
    /// The cells' masses; the tails belong to the cells at the ends.
    masses: Arc<[f64]>,
    /// The numbers subtracted from each series.
    less: [i16; 3],
    /// The number of values whose shares the masses are; `None` if they are a law's.
    seen: Option<u64>,
}

/// Mean, variance, skewness and excess kurtosis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) mean: f64,
    pub(super) variance: f64,
    pub(super) skewness: f64,
    pub(super) kurtosis: f64,
}

impl Coding {
    pub(super) fn of_law(target: &Target) -> Self {
        let (low, high) = (*target.range.start(), *target.range.end());
        let log2_cell = target.log2_cell();
        let count = (high.abs_diff(low) >> log2_cell) + 1;
        let mass = |i: u64| {
            // The distance from `low` may be 2^63, and their sum is within 64 bits.
            let first = low.wrapping_add((i as i64) << log2_cell);
            let from = if i == 0 { i64::MIN } else { first };
            let to = if i + 1 == count { i64::MAX } else { first + ((1 << log2_cell) - 1) };
            target.mass(from..=to)
        };
        Coding::new(low, log2_cell, (0..count).map(mass).collect(), target.mean)
    }

    /// Codes the cells from `low` on by their counts, about the middle or the end of a cell. Otherwise values at the
    /// same distance from the mean could have different codes.
    pub(super) fn of_values(low: i64, log2_cell: u32, counts: &[u64]) -> Self {
        let n = counts.iter().sum::<u64>().max(1) as f64;
        let mean = (0..).zip(counts).map(|(i, count)| f64::from(i) * *count as f64 / n).sum::<f64>();
        let width = 2_f64.powi(log2_cell as i32);
        let middle = low as f64 + (2.0 * mean).round() / 2.0 * width + (width - 1.0) / 2.0;
        Coding::new(low, log2_cell, counts.iter().map(|count| *count as f64 / n).collect(), middle)
    }

    /// Returns the same codes, with shares of the sample as masses.
    pub(super) fn seen(&self, counts: &[u64]) -> Self {
        let n = counts.iter().sum::<u64>();
        let masses = counts.iter().map(|count| *count as f64 / n.max(1) as f64).collect();
        Coding { masses, seen: Some(n), ..self.clone() }
    }

    /// True if the masses are shares of the sample.
    pub(super) const fn is_seen(&self) -> bool {
        self.seen.is_some()
    }

    /// The share of so many of the values that the masses come from: 0 if they are a law's.
    pub(super) fn share(&self, values: u64) -> f64 {
        self.seen.map_or(0.0, |n| values as f64 / n.max(1) as f64)
    }

    /// Codes the cells from `low` on with these masses, of a law or of a sample, about this mean.
    fn new(low: i64, log2_cell: u32, masses: Arc<[f64]>, mean: f64) -> Self {
        let width = 2_f64.powi(log2_cell as i32);
        // The middle of the cell's integers.
        let middle = |i: usize| low as f64 + i as f64 * width + (width - 1.0) / 2.0 - mean;
        let far = middle(0).abs().max(middle(masses.len() - 1).abs());
        let scale = if masses.len() < 2 { 0.0 } else { f64::from(PEAK) / far };
        let codes: Arc<[i16]> = (0..masses.len()).map(|i| (middle(i) * scale).round() as i16).collect();
        let mut coding = Coding { log2_cell, codes, masses, less: [0; 3], seen: None };
        coding.less = Series::ALL.map(|series| coding.balance(series));
        coding
    }

    /// Returns the number to subtract so that the series' mean is nearest to 0: the mean falls as the number grows.
    fn balance(&self, series: Series) -> i16 {
        let mean = |less: i16| {
            let terms = self.codes.iter().zip(&*self.masses).map(|(code, p)| p * f64::from(series.value(*code, less)));
            terms.sum::<f64>()
        };
        let (mut above, mut below) = (-2048, 2047);
        while below - above > 1 {
            let middle = i16::midpoint(above, below);
            *(if mean(middle) > 0.0 { &mut above } else { &mut below }) = middle;
        }
        if mean(above).abs() < mean(below).abs() { above } else { below }
    }

    pub(super) const fn log2_cell(&self) -> u32 {
        self.log2_cell
    }

    /// The codes of all cells, ascending.
    pub(super) fn codes(&self) -> &[i16] {
        &self.codes
    }

    /// Returns the numbers subtracted from each series.
    pub(super) const fn less(&self) -> [i16; 3] {
        self.less
    }

    /// The cells' masses.
    pub(super) fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// The values of a function of the code, ascending, with their masses.
    pub(super) fn law(&self, function: impl Fn(i16) -> i16) -> Vec<(i16, f64)> {
        let mut law: Vec<_> = self.codes.iter().zip(&*self.masses).map(|(code, p)| (function(*code), *p)).collect();
        law.sort_by_key(|(value, _)| *value);
        law.dedup_by(|(value, p), (kept, sum)| {
            let same = value == kept;
            *sum += if same { *p } else { 0.0 };
            same
        });
        law
    }

    /// The values of |code|, ascending, with their masses.
    pub(super) fn sizes(&self) -> Vec<(i16, f64)> {
        self.law(i16::wrapping_abs)
    }

    /// Returns the least |code| that is reached with at most this probability, and its probability.
    pub(super) fn far(&self, most: f64) -> (i16, f64) {
        let (mut far, mut share) = (i16::MAX, 0.0);
        for (size, p) in self.sizes().into_iter().rev() {
            if share + p > most {
                break;
            }
            (far, share) = (size, share + p);
        }
        (far, share)
    }

    /// The moments of a series.
    pub(super) fn shape(&self, series: Series) -> Shape {
        let less = self.less[series as usize];
        self.shape_of(|code| series.value(code, less))
    }

    /// The moments of a function of the code.
    pub(super) fn shape_of(&self, function: impl Fn(i16) -> i16) -> Shape {
        let law = self.law(function);
        let mean: f64 = law.iter().map(|(value, p)| p * f64::from(*value)).sum();
        let central = |k: usize| law.iter().map(|(value, p)| p * power(f64::from(*value) - mean, k)).sum::<f64>();
        let variance = central(2);
        if variance < 1e-9 {
            return Shape { mean, variance: 0.0, skewness: 0.0, kurtosis: 0.0 };
        }
        let kurtosis = central(4) / (variance * variance) - 3.0;
        Shape { mean, variance, skewness: central(3) / (variance * variance.sqrt()), kurtosis }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::{DiscreteGaussian, Width};

    fn coding(sigma: &str, center: &str) -> Coding {
        let law = DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap();
        Coding::of_law(&Target::new(&(&law).into()).unwrap())
    }

    #[test]
    fn codes_ascend_and_masses_add_up() {
        for (sigma, center) in
            [("1e-9", "0"), ("0.3", "1/2"), ("0.5", "0"), ("3.2", "1/3"), ("54", "0"), ("60", "1/3"), ("1e17", "-7.25")]
        {
            let coding = coding(sigma, center);
            assert!(coding.codes.windows(2).all(|pair| pair[0] < pair[1]), "{sigma} {center}");
            assert!(coding.codes.iter().all(|code| code.abs() <= PEAK));
            assert!((coding.masses.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(coding.codes.len() <= 1025 && (sigma != "54" || coding.log2_cell == 0));
            for series in Series::ALL {
                let shape = coding.shape(series);
                assert!(shape.mean.abs() <= 0.6, "{sigma} {center} {series:?}: {shape:?}");
            }
        }
    }

    #[test]
    fn shapes_of_a_wide_law_are_the_normal_ones() {
        let coding = coding("1e9", "0");
        let [value, magnitude, square] = Series::ALL.map(|series| coding.shape(series));
        assert!(value.skewness.abs() < 1e-2 && value.kurtosis.abs() < 0.05, "{value:?}");
        // |Z|: skewness √2(4-π)/(π-2)^1.5, excess kurtosis 8(π-3)/(π-2)²; Z², cut at 12: below √8 and 12.
        assert!(
            (magnitude.skewness - 0.995).abs() < 0.02 && (magnitude.kurtosis - 0.869).abs() < 0.05,
            "{magnitude:?}"
        );
        assert!((2.0..2.8).contains(&square.skewness) && (5.0..12.0).contains(&square.kurtosis), "{square:?}");
    }
}
