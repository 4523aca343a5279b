//! \[BSOVOGR17\]'s §4.1 and §4.2 as they were built: scalar code, one block or one word a call, AES by instructions in counter
//! mode. Sources take turns, and each ratio is of one turn.

use super::Bench;
use super::bench::{RATIO, quartiles};
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::Form;
use aes::Aes256Enc;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use rand_core::Rng;
use samplez::Seed;
use samplez::sources::{Isaac64, Kiss64};
use samplez_cli::testing::measure::clock::Clock;
use std::hint::black_box;

/// Words of 8 bytes of a turn.
const WORDS: u32 = 1 << 16;

/// AES-256 in counter mode that encrypts a block when it needs one, and no more.
struct Blocks {
    cipher: Aes256Enc,
    counter: u128,
    second: Option<u64>,
}

impl Blocks {
    fn new() -> Blocks {
        Blocks { cipher: Aes256Enc::new(&[7; 32].into()), counter: 0, second: None }
    }

    /// One block by one call.
    #[inline(never)]
    fn block(&mut self) -> u128 {
        let mut block = self.counter.to_be_bytes().into();
        self.counter += 1;
        self.cipher.encrypt_block(&mut block);
        u128::from_be_bytes(block.into())
    }

    fn word(&mut self) -> u64 {
        self.second.take().unwrap_or_else(|| {
            let block = self.block();
            self.second = Some(block as u64);
            (block >> 64) as u64
        })
    }
}

/// Thresholds of the folded law of σ = 215 in 64 bits, for the speed of a search in them.
fn thresholds() -> Vec<u64> {
    let density: Vec<f64> = (0..2580).map(|x| (-0.5 * (f64::from(x) / 215.0).powi(2)).exp()).collect();
    let all: f64 = density.iter().sum();
    let cumulated = density.iter().scan(0.0, |sum, density| {
        *sum += density / all;
        Some((*sum * 2_f64.powi(64)) as u64)
    });
    cumulated.collect()
}

/// Nanoseconds of a word, or of a sample by a search, over one source.
fn nanoseconds(mut word: impl FnMut() -> u64, thresholds: Option<&[u64]>) -> f64 {
    let start = Clock::now();
    let mut sum = 0_u64;
    for _ in 0..WORDS {
        let drawn = word();
        sum = sum
            .wrapping_add(thresholds.map_or(drawn, |all| all.partition_point(|threshold| *threshold <= drawn) as u64));
    }
    black_box(sum);
    1e9 * start.elapsed().as_secs_f64() / f64::from(WORDS)
}

fn turns(bench: &Bench, thresholds: Option<&[u64]>) -> [Vec<f64>; 2] {
    let seed = Seed::from_bytes([7; 32]);
    let (mut aes, mut kiss, mut isaac) = (Blocks::new(), Kiss64::new(&seed), Isaac64::new(&seed));
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..bench.length(5, 101) {
        let of_aes = nanoseconds(|| aes.word(), thresholds);
        ratios[0].push(of_aes / nanoseconds(|| kiss.next_u64(), thresholds));
        ratios[1].push(of_aes / nanoseconds(|| isaac.next_u64(), thresholds));
    }
    ratios
}

pub(super) fn ratios(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.form = Form::AsBuilt;
    let terms = "scalar code, a word or a block of AES-256 a call; turn by turn, quartiles";
    for (name, ratios) in ["KISS", "ISAAC"].into_iter().zip(turns(bench, None)) {
        let quantity = format!("{name} over AES by instructions");
        answer.repeated(&quantity, (quartiles(ratios), "times"), 0.0, terms, "less")?;
    }
    answer.form = Form::Ours;
    Ok(())
}

pub(super) fn inside(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.form = Form::AsBuilt;
    let [_, isaac] = turns(bench, Some(&thresholds()));
    let gains = quartiles(isaac).map(|ratio| 100.0 * (ratio - 1.0));
    let terms =
        "inversion at σ = 215 in 64 bits, a whole draw a sample, a block of AES-256 a call; turn by turn, quartiles";
    let quantity = "gain of ISAAC over AES inside samplers, least";
    answer.repeated(quantity, (gains, "%"), RATIO, terms, "another gain")?;
    answer.form = Form::Ours;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 197's example of AES-256, by way of the counter, and the order of the words of a block.
    #[test]
    fn blocks_are_those_of_aes() {
        let cipher = Aes256Enc::new(&std::array::from_fn::<u8, 32, _>(|i| i as u8).into());
        let mut aes = Blocks { cipher, counter: 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff, second: None };
        assert_eq!([aes.word(), aes.word()], [0x8ea2_b7ca_5167_45bf, 0xeafc_4990_4b49_6089]);
        assert_eq!(thresholds().last().map(|last| *last >> 40), Some((1 << 24) - 1));
    }
}
