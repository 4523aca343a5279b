//! \[BSOVOGR17\]'s Table 2 as it was built: Bernoulli rejection that compares its coins byte by byte, and whole 64-bit draws.
//!
//! A proposal is uniform below 2^12, and one above tσ is refused. All 23 coins e^-(2^i/2σ²) have 8 bytes. The bytes are drawn
//! place by place, at each place for every coin from the greatest on; a coin of a set bit of x² refuses the proposal as soon as
//! its bytes exceed the threshold's. An accepted proposal has read all 184 bytes.

use super::Bench;
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::Form;
use rand_core::Rng;
use samplez::Seed;
use samplez_sources::ChaCha20;

const SIGMA: f64 = 215.0;
/// The tail that comes nearest to the paper's number; 11 and 13 are within one byte.
const TAIL: u64 = 12;
const PROPOSALS: u64 = 1 << 12;
const PROPOSAL_BYTES: u64 = 4;
const COINS: usize = 23;
const PLACES: usize = 8;
/// Standard errors that chance may be off, as for every mean of the report.
const ERRORS: f64 = 5.0;
/// Samples of the paper's run.
const SAMPLES: f64 = 1_048_576.0;

/// Thresholds of the coins, by their big-endian bytes.
fn thresholds() -> [[u8; PLACES]; COINS] {
    std::array::from_fn(|i| ((-(i as f64).exp2() / (2.0 * SIGMA * SIGMA)).exp() * 2_f64.powi(64)) as u64)
        .map(u64::to_be_bytes)
}

fn is_in_range(x: u64) -> bool {
    x <= TAIL * SIGMA as u64
}

/// The expected bytes of a sample, and their standard deviation, by a sum over all proposals and places.
fn expected() -> (f64, f64) {
    let thresholds = thresholds();
    // The chance that the first `places` bytes of a coin do not exceed the threshold's.
    let passes = |coin: usize, places: usize| {
        let prefix = thresholds[coin][..places].iter().fold(0.0, |sum, byte| 256.0 * sum + f64::from(*byte));
        if places == 0 { 1.0 } else { (prefix + 1.0) / 256_f64.powi(places as i32) }
    };
    let (mut bytes, mut squares, mut accepted) = (0.0, 0.0, 0.0);
    for x in 0..PROPOSALS {
        let (mut alive, mut read) = (f64::from(u8::from(is_in_range(x))), PROPOSAL_BYTES as f64);
        let refused = |chance: f64, read: f64| (chance * read, chance * read * read);
        let mut add = |(once, twice): (f64, f64)| (bytes += once, squares += twice);
        add(refused(1.0 - alive, read));
        for place in 0..PLACES {
            for coin in (0..COINS).rev() {
                read += 1.0;
                if (x * x) >> coin & 1 == 1 {
                    let next = alive * passes(coin, place + 1) / passes(coin, place);
                    add(refused(alive - next, read));
                    alive = next;
                }
            }
        }
        add(refused(alive, read));
        accepted += alive;
    }
    // Wald's equations for the bytes of all proposals up to the first that is accepted; the covariance is left out, it is small.
    let (all, rate) = (PROPOSALS as f64, accepted / PROPOSALS as f64);
    let (mean, variance) = (bytes / all, squares / all - (bytes / all).powi(2));
    (mean / rate, (variance / rate + mean * mean * (1.0 - rate) / (rate * rate)).sqrt())
}

/// The bytes that so many samples read, counted.
fn counted(samples: u32) -> f64 {
    let by_coins = thresholds();
    let thresholds: [[u8; COINS]; PLACES] = std::array::from_fn(|place| by_coins.map(|coin| coin[place]));
    let (mut rng, mut read) = (ChaCha20::new(&Seed::from_bytes([13; 32])), 0_u64);
    for _ in 0..samples {
        while !proposal(&thresholds, &mut rng, &mut read) {}
    }
    read as f64 / f64::from(samples)
}

/// Whether one proposal is accepted; thresholds are by their places.
fn proposal(thresholds: &[[u8; COINS]; PLACES], rng: &mut ChaCha20, read: &mut u64) -> bool {
    let x = u64::from(rng.next_u32()) % PROPOSALS;
    *read += PROPOSAL_BYTES;
    if !is_in_range(x) {
        return false;
    }
    let mut is_less = [false; COINS];
    for place in thresholds {
        for coin in (0..COINS).rev() {
            let byte = (rng.next_u32() & 0xff) as u8;
            *read += 1;
            if (x * x) >> coin & 1 == 1 && !is_less[coin] {
                if byte > place[coin] {
                    return false;
                }
                is_less[coin] = byte < place[coin];
            }
        }
    }
    true
}

pub(super) fn table_2(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let ((exact, deviation), samples) = (expected(), bench.length(2_000, 100_000));
    let mean = counted(samples);
    if (mean - exact).abs() > ERRORS * deviation / f64::from(samples).sqrt() {
        return Err(LabError::Input(format!("bytes of a sample: {mean} counted, {exact} expected")));
    }
    let terms = format!(
        "σ = 215, t = {TAIL}, 23 coins of 8 bytes compared byte by byte over all coins, 4 bytes a proposal: the expectation; \
         {samples} samples read {mean:.1}"
    );
    answer.form = Form::AsBuilt;
    // The paper's number is the mean of its own run.
    let chance = ERRORS * deviation / SAMPLES.sqrt();
    answer.within("random bytes of a sample of Bernoulli", (exact, "bytes"), chance, &terms, "another form")?;
    let quantity = "random bytes of 1048576 samples of Bernoulli";
    answer.within(quantity, (SAMPLES * exact, "bytes"), SAMPLES * chance, &terms, "another form")?;
    let terms = "one whole 64-bit draw a sample";
    answer.exact("random bytes of a sample of CDT", (8.0, "bytes"), terms, "")?;
    answer.exact("random bytes of 1048576 samples of CDT", (8.0 * SAMPLES, "bytes"), terms, "")?;
    answer.form = Form::Ours;
    Ok(())
}

pub(super) fn appetite(answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.form = Form::AsBuilt;
    let terms = "the bytes of S13 as built, over 8 of a whole draw";
    answer.exact("random bytes of Bernoulli over CDT's", (expected().0 / 8.0, "times"), terms, "less")?;
    answer.form = Form::Ours;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expectation is that of an independent sum, in multi-precision thresholds, and the count agrees with it.
    #[test]
    fn bytes_are_as_expected() {
        let (exact, deviation) = expected();
        assert!((exact - 271.0790).abs() < 1e-3, "{exact}");
        let mean = counted(4_000);
        assert!((mean - exact).abs() < 4.0 * deviation / 4_000_f64.sqrt(), "{mean}, {exact}");
    }
}
