//! The figures of the papers that can be counted, counted again.
//!
//! The procedures are the papers' own, corrected where docs/errata.md says so, and draw one bit at
//! a time: they count bits and are no samplers. The library's samplers draw wide instead, and
//! declare what that costs in their profiles. Trials and bytes are those of the library's samplers.

mod algorithms;
mod bitwise;
mod half;
mod lazy;
mod memory;
mod trials;

pub use bitwise::{Bitwise, Tape};
pub use memory::{Memory, knuth_yao_bytes};
pub use trials::trial_counts;

use algorithms::{
    First, accept_1, accept_4, accept_5, accepted_k, algorithm_1, algorithm_4, algorithm_5, interval, shifted, simple,
};
use half::{alive, bin, bin_bits, k_coins, propose_k, propose_k_by, walk, walk_by_tables};
use lazy::{Bits, coin_h, coin_h_bits, uniforms_of_h};
use samplez_core::bits::{BitReader, uniform_below};
use samplez_core::testing::Counted;
use samplez_sources::{ChaCha20, Seed};

/// One count: expected bits, or trials.
///
/// ```
/// let rows = samplez_check::papers::bit_counts(10_000);
/// let walk = rows.iter().find(|row| row.name.starts_with("Knuth")).unwrap();
/// assert!((walk.exact.unwrap() - 2.030_881).abs() < 1e-6);
/// assert!((walk.measured - 2.030_881).abs() < 0.1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What is counted.
    pub name: String,
    /// The expectation, summed to the precision of a double, where there is a closed sum.
    pub exact: Option<f64>,
    /// The mean over the repetitions.
    pub measured: f64,
    /// Its standard error.
    pub error: f64,
}

/// The mean of what so many repetitions of `run` give, and its standard error.
fn mean(repetitions: u32, mut run: impl FnMut() -> f64) -> (f64, f64) {
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..repetitions {
        let one = run();
        sum += one;
        squares += one * one;
    }
    let n = f64::from(repetitions);
    let mean = sum / n;
    (mean, ((squares / n - mean * mean).max(0.0) / n).sqrt())
}

/// The bits that `work` draws.
fn counted<T>(bits: &mut Bits, work: impl FnOnce(&mut Bits) -> T) -> f64 {
    let before = bits.count();
    work(bits);
    (bits.count() - before) as f64
}

/// A proposal of k, and its bits if a coin takes one for its first uniform and two for each other.
fn propose_by_two(bits: &mut Bits) -> (Option<u64>, f64) {
    let mut cost = 0.0;
    let coin = |bits: &mut Bits| {
        let uniforms = uniforms_of_h(bits);
        cost += f64::from(2 * uniforms - 1);
        uniforms % 2 == 1
    };
    (propose_k_by(coin, bits), cost)
}

/// The counts of \[DW18\] beside their expectations and the mean over so many repetitions, from
/// a fixed seed.
///
/// ```
/// for row in samplez_check::papers::bit_counts(50_000) {
///     if let Some(exact) = row.exact {
///         assert!((row.measured / exact - 1.0).abs() < 0.05, "{row:?}");
///     }
/// }
/// ```
pub fn bit_counts(repetitions: u32) -> Vec<Row> {
    let mut bits = Counted::new(BitReader::new(ChaCha20::new(&Seed::from_bytes([18; 32]))));
    let mut rows = Vec::new();
    let mut row = |name: &str, exact, run: &dyn Fn(&mut Bits) -> f64| {
        let (measured, error) = mean(repetitions, || run(&mut bits));
        rows.push(Row { name: name.into(), exact, measured, error });
    };
    // A walk takes Σ P(alive after i) bits, i = 0, 1, 2, …
    let walked = |from: u32| (from..100).map(alive).sum::<f64>();
    let tables = 3.0 + 5.0 * alive(3) + walked(8);
    row("BIN, stopping at the first 1", Some(bin_bits(false)), &|b| counted(b, |b| bin(false, b)));
    row("BIN, drawing all 2i - 1 bits", Some(bin_bits(true)), &|b| counted(b, |b| bin(true, b)));
    row("Knuth-Yao, Algorithm 8", Some(walked(0)), &|b| counted(b, walk));
    row("Knuth-Yao, Algorithm 9", Some(tables), &|b| counted(b, walk_by_tables));

    // A falling run from ½ has e^½ uniforms. The first takes a bit; each other two of its own, up to
    // where it parts from the last, and at most one more of the last.
    let root = 0.5_f64.exp();
    let by = |each: f64| move |b: &mut Bits| 1.0 + each * f64::from(uniforms_of_h(b) - 1);
    row("Coin e^-1/2, 2 bits a uniform", Some(2.0 * root - 1.0), &by(2.0));
    row("Coin e^-1/2, 3 bits a uniform", Some(3.0 * root - 2.0), &by(3.0));
    row("Coin e^-1/2, lazy bits", Some(coin_h_bits()), &|b| counted(b, coin_h));

    // The coins are alike and independent, and which is the last does not depend on later ones (Wald).
    let (coins, accepted) = k_coins();
    let two = coins * (2.0 * root - 1.0);
    let lazy = coins * coin_h_bits();
    row("k of Algorithm 4, 2 bits a uniform, per proposal", Some(two), &|b| propose_by_two(b).1);
    row("k of Algorithm 4, 2 bits a uniform, per accepted k", Some(two / accepted), &|b| {
        let mut bits = 0.0;
        loop {
            let (k, more) = propose_by_two(b);
            bits += more;
            if k.is_some() {
                return bits;
            }
        }
    });
    row("k of Algorithm 4, lazy bits, per proposal", Some(lazy), &|b| counted(b, propose_k));
    row("k of Algorithm 4, lazy bits, per accepted k", Some(lazy / accepted), &|b| counted(b, accepted_k));

    for (how, first) in [("as printed", First::Uniform), ("C first if k = 0", First::Choice)] {
        row(&format!("Algorithm 1, step 7, {how}, per trial"), None, &|b| {
            let (k, j) = (accepted_k(b), uniform_below(215, b));
            counted(b, |b| accept_1(k, j, 215, first, b))
        });
    }
    row("Algorithm 4, steps 5 to 7, per trial", None, &|b| {
        let (k, j) = (accepted_k(b), shifted(215, b));
        counted(b, |b| accept_4(k, j, 215, b))
    });
    for (name, coin) in [("interval", interval as algorithms::Coin), ("simple", simple)] {
        row(&format!("Algorithm 5, accepting, {name}, k = 254, per trial"), None, &|b| {
            let (x, y) = (walk(b), shifted(254, b));
            counted(b, |b| accept_5(x, y, 254, coin, b))
        });
    }
    for (how, first) in [("as printed", First::Uniform), ("C first if k = 0", First::Choice)] {
        row(&format!("Algorithm 1, {how}, sigma = 215, per sample"), None, &|b| {
            counted(b, |b| algorithm_1(215, first, b))
        });
    }
    row("Algorithm 4, sigma = 215, per sample", None, &|b| counted(b, |b| algorithm_4(215, b)));
    for (k, name, coin) in [
        (127, "interval", interval as algorithms::Coin),
        (127, "simple", simple),
        (254, "interval", interval),
        (254, "simple", simple),
    ] {
        row(&format!("Algorithm 5, BIN, {name}, k = {k}, per sample"), None, &|b| {
            counted(b, |b| algorithm_5(k, |b| bin(false, b), coin, b))
        });
    }
    row("Algorithm 5, Algorithm 8, simple, k = 254, per sample", None, &|b| {
        counted(b, |b| algorithm_5(254, walk, simple, b))
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::{DiscreteGaussian, Width};
    use std::collections::HashMap;

    /// Against the figures that were computed independently of this code.
    #[test]
    fn counts_are_reproduced() {
        let rows = bit_counts(400_000);
        let want = [
            ("BIN, stopping", 2.5568),
            ("BIN, drawing", 3.0850),
            ("Knuth-Yao, Algorithm 8", 2.030_881),
            ("Knuth-Yao, Algorithm 9", 3.640),
            ("Coin e^-1/2, 2 bits", 2.2974),
            ("Coin e^-1/2, 3 bits", 2.946),
            ("k of Algorithm 4, 2 bits a uniform, per accepted", 11.09),
            ("k of Algorithm 4, lazy bits, per proposal", 9.477),
            ("k of Algorithm 4, lazy bits, per accepted", 13.737),
            ("Algorithm 1, step 7, as printed", 5.54),
            ("Algorithm 1, step 7, C first", 5.15),
            ("Algorithm 4, steps 5 to 7", 3.19),
            ("Algorithm 5, accepting, interval", 2.92),
            ("Algorithm 5, accepting, simple", 3.50),
            ("Algorithm 1, C first if k = 0, sigma = 215", 39.8),
            ("Algorithm 4, sigma = 215", 37.0),
            ("Algorithm 5, BIN, interval, k = 127", 19.9),
            ("Algorithm 5, BIN, simple, k = 127", 20.7),
            ("Algorithm 5, BIN, interval, k = 254", 21.4),
            ("Algorithm 5, BIN, simple, k = 254", 22.2),
        ];
        let find = |name: &str| rows.iter().find(|row| row.name.starts_with(name)).unwrap();
        for (name, want) in want {
            let row = find(name);
            println!("{row:?}");
            assert!(row.exact.is_none_or(|exact| (exact - want).abs() < 5e-3), "{row:?}, not {want}");
            assert!((row.measured / want - 1.0).abs() < 0.01, "{row:?}, not {want}");
        }
        for row in &rows {
            assert!(row.exact.is_none_or(|exact| (row.measured / exact - 1.0).abs() < 0.01), "{row:?}");
        }
        // A walk saves what BIN takes above it, once for each of 1.46972 trials.
        let saved = 1.469_72 * (bin_bits(false) - 2.030_881);
        let bin = find("Algorithm 5, BIN, simple, k = 254").measured;
        assert!((bin - find("Algorithm 5, Algorithm 8").measured - saved).abs() < 0.1);
    }

    /// Each bitwise sampler passes the tests of `samplez verify`; with the law of another width it does not.
    #[test]
    fn bitwise_samplers_draw_the_law() {
        let width = |sampler| if matches!(sampler, Bitwise::Karney | Bitwise::Four) { "215" } else { "254" };
        for sampler in Bitwise::ALL {
            let law = |k: &str, sigma: &str| match width(sampler) {
                "215" => DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap(),
                _ => DiscreteGaussian::new(0.into(), Width::KSigma2(k.parse().unwrap())).unwrap(),
            };
            let run = |law: DiscreteGaussian| {
                let mut tape = Tape::new([3; 32]);
                let fill = |out: &mut [i64]| {
                    out.fill_with(|| sampler.sample(&mut tape));
                    Ok::<(), std::convert::Infallible>(())
                };
                crate::seeding::Run::new(&law, 50_000, fill).unwrap().report.consistent
            };
            assert!(run(law("254", "215")), "{sampler:?}");
            assert!(!run(law("260", "220")), "{sampler:?}");
        }
    }

    /// Algorithm 4 with its steps 5 and 6 as printed accepts exp(-i/4σ²).
    #[test]
    fn the_printed_algorithm_4_has_the_stated_error() {
        for (sigma, spread, distance) in [(20_i32, 22.12, 0.0635), (1, 1.098, 0.0863)] {
            let (mut law, square) = (HashMap::<i32, f64>::new(), f64::from(sigma * sigma));
            for k in 0..14 {
                for (j, sign) in (0..sigma).flat_map(|j| [(j, -1), (j + 1, 1)]) {
                    let i = f64::from(2 * j * k * sigma + j * j);
                    let weight = (-0.5 * f64::from(k * k) - i / (4.0 * square)).exp();
                    *law.entry(sign * (k * sigma + j)).or_default() += weight;
                }
            }
            let ideal = |z: &i32| (-f64::from(z * z) / (2.0 * square)).exp();
            let (total, whole) = (law.values().sum::<f64>(), law.keys().map(ideal).sum::<f64>());
            let mean: f64 = law.iter().map(|(z, w)| f64::from(*z) * w / total).sum();
            let variance: f64 = law.iter().map(|(z, w)| (f64::from(*z) - mean).powi(2) * w / total).sum();
            let sd: f64 = law.iter().map(|(z, w)| (w / total - ideal(z) / whole).abs()).sum::<f64>() / 2.0;
            assert!((sd - distance).abs() < 1e-4, "{sigma}: SD {sd}");
            assert!((variance.sqrt() - spread).abs() < 0.005, "{sigma}: std {}", variance.sqrt());
        }
    }
}
