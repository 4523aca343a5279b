//! The papers' procedures as they are printed, beside what the library makes of them: the half Gaussian of \[DW18\] one bit at a
//! time, and \[BCGHW13\]'s table rejection with lazy comparisons and with whole ones. For speed and bits alone: no law is certified here.

use super::Bench;
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::Outcome;
use samplez::{BitReader, Seed};
use samplez_cli::testing::measure::rounds::{levelled_time, median};
use samplez_core::bits::BitSource;
use samplez_sources::ChaCha20;
use std::convert::Infallible;
use std::hint::black_box;

type Bits = BitReader<ChaCha20>;

fn bits() -> Bits {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([13; 32])))
}

/// Million calls a second, the median of turns.
fn speed(bench: &Bench, mut call: impl FnMut(&mut Bits) -> u64) -> f64 {
    let (calls, mut bits, mut turns) = (bench.length(50_000, 1_000_000), bits(), Vec::new());
    for _ in 0..bench.length(3, 7) {
        let Ok(seconds) = levelled_time(|| {
            for _ in 0..calls {
                black_box(call(&mut bits));
            }
            Ok::<(), Infallible>(())
        });
        turns.push(seconds);
    }
    f64::from(calls) / median(turns) / 1e6
}

/// BLISS's BIN: x ≥ 0 with probability 2^(-x²)/w, stopping at the first 1 among the zeros.
fn bin(bits: &mut impl BitSource) -> u64 {
    'again: loop {
        if bits.bits(1) == 0 {
            return 0;
        }
        for i in 1.. {
            for _ in 0..2 * i - 2 {
                if bits.bits(1) == 1 {
                    continue 'again;
                }
            }
            if bits.bits(1) == 0 {
                return i;
            }
        }
    }
}

/// Bit i - x² of 1/w, the place of weight 2^-i of P(x) = 2^(-x²)/w.
const fn place(x: u32, i: u32) -> bool {
    const INVERSE: u128 = 0xa3a2_446c_95b5_b009_85db_b564_c791_ff8b;
    let i = i.wrapping_sub(x * x);
    i >= 1 && i <= 128 && INVERSE >> (128 - i) & 1 != 0
}

/// The values whose probability has a place of weight 2^-i, as bits, for each level of the walk.
const LEVELS: [u16; 128] = {
    let mut levels = [0; 128];
    let mut i = 0;
    while i < 128 {
        let mut x = 0;
        while x < 11 {
            levels[i] |= (place(x, i as u32 + 1) as u16) << x;
            x += 1;
        }
        i += 1;
    }
    levels
};

/// Algorithm 8: the walk over the binary places of P.
fn walk(bits: &mut impl BitSource) -> u64 {
    let mut distance = 0_u32;
    for level in LEVELS {
        distance = 2 * distance + u32::from(bits.bits(1) == 0);
        let leaves = level.count_ones();
        if distance < leaves {
            let mut left = level;
            for _ in 0..distance {
                left &= left - 1;
            }
            return left.trailing_zeros().into();
        }
        distance -= leaves;
    }
    0
}

pub(super) fn half(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let terms = "Algorithm 10 of [DDLL13], one random bit at a time of ChaCha20, single calls, the median of turns";
    answer.speed("half Gaussian at σ₂", speed(bench, bin), terms)?;
    let terms = "Algorithm 8, its levels as bits of words, one random bit at a time, single calls, the median of turns";
    answer.more("half Gaussian at σ₂ by Algorithm 8", (speed(bench, walk), "million samples/s"), terms);
    Ok(())
}

/// Precision and tail of the table.
const PRECISION: u32 = 106;
const SIGMA: f64 = 32.0;

/// ρ(x) for |x| ≤ 13σ in 128 bits, of which a double gives the first 53.
fn densities() -> Vec<u128> {
    let each = |x: u32| ((-f64::from(x * x) / (2.0 * SIGMA * SIGMA)).exp() * 2_f64.powi(53)) as u128;
    (0..=(13.0 * SIGMA) as u32).map(|x| each(x) << 75).collect()
}

/// x of table rejection, and the bits that it took. A comparison looks at `first` bits, and at the rest of 106 where these are the
/// density's own.
fn rejection(table: &[u128], first: u32, bits: &mut impl BitSource) -> (i64, u64) {
    let far = table.len() as u64 - 1;
    let mut taken = 0;
    loop {
        // |x| and a sign of 2^10 values: the proposal, uniform on -13σ…13σ.
        taken += 10;
        let proposal = bits.bits(10);
        if proposal > 2 * far {
            continue;
        }
        let x = proposal as i64 - far as i64;
        let density = table[x.unsigned_abs() as usize];
        taken += u64::from(first);
        let mut known = draw(first, bits) << (128 - first);
        let mut least = density >> (128 - first) << (128 - first);
        if known == least && first < PRECISION {
            taken += u64::from(PRECISION - first);
            known |= draw(PRECISION - first, bits) << (128 - PRECISION);
            least = density >> (128 - PRECISION) << (128 - PRECISION);
        }
        if known < least || x == 0 {
            return (x, taken);
        }
    }
}

/// So many bits, at most 128.
fn draw(count: u32, bits: &mut impl BitSource) -> u128 {
    let high = count.saturating_sub(64);
    let upper = if high > 0 { u128::from(bits.bits(high)) << 64 } else { 0 };
    upper | u128::from(bits.bits(count - high))
}

pub(super) fn lazy(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let table = densities();
    let mean = |first| {
        let (mut bits, samples) = (bits(), bench.length(20_000, 200_000));
        (0..samples).map(|_| rejection(&table, first, &mut bits).1).sum::<u64>() as f64 / f64::from(samples)
    };
    let (few, all) = (mean(32), mean(PRECISION));
    let fast = |first| speed(bench, |bits| rejection(&table, first, bits).0 as u64);
    let (lazily, whole) = (fast(32), fast(PRECISION));
    let terms = "table rejection at σ = 32, 106 bits, t = 13; the comparison looks at 32 bits first, or at all";
    answer.more("random bits of a sample, compared lazily", (few, "bits"), terms);
    answer.more("random bits of a sample, compared whole", (all, "bits"), terms);
    answer.more("speed compared lazily over speed compared whole", (lazily / whole, "times"), terms);
    let ours = format!("{:.2} times the speed, {few:.0} random bits a sample for {all:.0}", lazily / whole);
    answer.statement("lazy precision in rejection", &ours, terms, Outcome::NoClaim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_their_law() {
        let w: f64 = (0..11).map(|x| f64::from(-x * x).exp2()).sum();
        for draw in [|bits: &mut Bits| bin(bits), |bits: &mut Bits| walk(bits)] {
            let (mut bits, mut counts) = (bits(), [0.0; 12]);
            for _ in 0..200_000 {
                counts[draw(&mut bits).min(11) as usize] += 1.0;
            }
            for (x, count) in counts.iter().enumerate().take(4) {
                let p = f64::from(-((x * x) as i32)).exp2() / w;
                let error = (2e5 * p * (1.0 - p)).sqrt();
                assert!((count - 2e5 * p).abs() < 5.0 * error, "{x}: {count}, {}", 2e5 * p);
            }
        }
    }

    /// Zero is kept with certainty, as ρ(0) = 1, and both ways draw the same law, whose variance is σ².
    #[test]
    fn both_comparisons_draw_one_law() {
        let table = densities();
        for first in [32, PRECISION] {
            let mut bits = bits();
            let samples: Vec<f64> = (0..100_000).map(|_| rejection(&table, first, &mut bits).0 as f64).collect();
            let variance = samples.iter().map(|x| x * x).sum::<f64>() / 1e5;
            // Of the fourth moment: the standard error of the variance is σ²√(2/N).
            let error = SIGMA * SIGMA * (2.0_f64 / 1e5).sqrt();
            assert!((variance - SIGMA * SIGMA).abs() < 5.0 * error, "{first}: {variance}");
        }
    }
}
