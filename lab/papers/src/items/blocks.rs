//! \[BSOVOGR17\]'s §4.1 and §4.2 as they were built: scalar code, one block or one word a call, AES by instructions in counter
//! mode. Sources take turns, and a ratio is of the least times of one repetition.

use super::Bench;
use super::bench::{RATIO, quartiles};
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::{Form, Outcome};
use crate::scalar::{AesTables, Hash, Random, Stream, Words};
use aes::Aes256Enc;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use rand_core::Rng;
use samplez::Seed;
use samplez_cli::testing::measure::clock::Clock;
use samplez_sources::{Isaac64, Kiss64};
use std::hint::black_box;

/// Words of 8 bytes of a turn.
const WORDS: u32 = 1 << 14;

/// AES-256 in counter mode that encrypts a block when it needs one, and no more.
struct AesInstructions {
    cipher: Aes256Enc,
    counter: u128,
    second: Option<u64>,
}

impl AesInstructions {
    fn new() -> AesInstructions {
        AesInstructions { cipher: Aes256Enc::new(&[7; 32].into()), counter: 0, second: None }
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

/// The same that encrypts eight blocks by one call.
struct AesEight {
    cipher: Aes256Enc,
    counter: u128,
    words: [u64; 16],
    left: usize,
}

impl AesEight {
    fn new() -> AesEight {
        AesEight { cipher: Aes256Enc::new(&[7; 32].into()), counter: 0, words: [0; 16], left: 0 }
    }

    #[inline(never)]
    fn refill(&mut self) {
        let mut blocks: [aes::Block; 8] = std::array::from_fn(|i| (self.counter + i as u128).to_be_bytes().into());
        self.counter += 8;
        self.cipher.encrypt_blocks(&mut blocks);
        // The last first, for they are taken from the end.
        for (pair, block) in self.words.chunks_exact_mut(2).rev().zip(blocks) {
            let block = u128::from_be_bytes(block.into());
            pair.copy_from_slice(&[block as u64, (block >> 64) as u64]);
        }
        self.left = 16;
    }

    fn word(&mut self) -> u64 {
        if self.left == 0 {
            self.refill();
        }
        self.left -= 1;
        self.words[self.left]
    }
}

/// POSIX's rand() of 15 bits, and words of five calls.
struct Rand(u32);

impl Rand {
    #[inline(never)]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        u64::from(self.0 >> 16 & 0x7fff)
    }

    fn word(&mut self) -> u64 {
        (0..5).fold(0, |word, _| word << 15 ^ self.next())
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

/// The end of the names of their speeds.
pub(super) const A_CALL: &str = ", a block a call";
/// The contestants, in the order of their times.
const NAMES: [&str; 10] = [
    "AES by instructions",
    "AES by tables",
    "KISS-64",
    "ISAAC-64",
    "Salsa20",
    "ChaCha20",
    "Hash-DRBG",
    "random",
    "rand",
    "AES by instructions, eight blocks",
];
const AES: usize = 0;
const TABLES: usize = 1;
const KISS: usize = 2;
const ISAAC: usize = 3;
const SALSA: usize = 4;
const CHACHA: usize = 5;
const HASH: usize = 6;
const RANDOM: usize = 7;
const EIGHT: usize = 9;

type Times = [f64; NAMES.len()];

/// Nanoseconds of a word or a sample over each, repeated: the least of interleaved turns.
fn turns(bench: &Bench, thresholds: Option<&[u64]>) -> Vec<Times> {
    let (seed, key) = (Seed::from_bytes([7; 32]), [7; 32]);
    let mut eight = AesEight::new();
    let (mut aes, mut tables) = (AesInstructions::new(), Words::new(AesTables::new(&key, 0)));
    let (mut kiss, mut isaac) = (Kiss64::new(&seed), Isaac64::new(&seed));
    let [mut salsa, mut chacha] = [true, false].map(|is_salsa| Words::new(Stream::new(&key, is_salsa)));
    let (mut hash, mut random, mut rand) = (Words::new(Hash::new()), Random::new(), Rand(1));
    let (repetitions, rounds) = bench.length((5, 2), (15, 8));
    let mut repetition = || {
        let mut least = [f64::INFINITY; NAMES.len()];
        for _ in 0..rounds {
            let turn = [
                nanoseconds(|| aes.word(), thresholds),
                nanoseconds(|| tables.word(), thresholds),
                nanoseconds(|| kiss.next_u64(), thresholds),
                nanoseconds(|| isaac.next_u64(), thresholds),
                nanoseconds(|| salsa.word(), thresholds),
                nanoseconds(|| chacha.word(), thresholds),
                nanoseconds(|| hash.word(), thresholds),
                nanoseconds(|| random.word(), thresholds),
                nanoseconds(|| rand.word(), thresholds),
                nanoseconds(|| eight.word(), thresholds),
            ];
            least = std::array::from_fn(|i| turn[i].min(least[i]));
        }
        least
    };
    (0..repetitions).map(|_| repetition()).collect()
}

/// The median and the quartiles of a figure of each repetition.
fn of(turns: &[Times], figure: impl Fn(&Times) -> f64) -> [f64; 3] {
    quartiles(turns.iter().map(figure).collect())
}

pub(super) fn ratios(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let turns = turns(bench, None);
    let terms =
        "scalar code, a word or a block a call; AES-256, SHA-256, 20 rounds; interleaved minima, repeated, quartiles";
    answer.form = Form::AsBuilt;
    let over = |one: usize, other: usize| of(&turns, |turn| turn[other] / turn[one]);
    let faster = |turn: &Times| turn[SALSA].min(turn[CHACHA]);
    for (quantity, figures, unit) in [
        ("KISS over AES by instructions", over(KISS, AES), "times"),
        ("ISAAC over AES by instructions", over(ISAAC, AES), "times"),
        ("Salsa and ChaCha over ISAAC", of(&turns, |turn| 100.0 * turn[ISAAC] / faster(turn)), "%"),
        ("Salsa and ChaCha over AES by instructions", of(&turns, |turn| 100.0 * turn[AES] / faster(turn)), "%"),
        ("Hash-DRBG over AES by instructions", over(HASH, AES).map(|ratio| 100.0 * ratio), "%"),
    ] {
        answer.repeated(quantity, (figures, unit), 0.0, terms, "another ratio by the processors of today")?;
    }
    // The paper does not print how many blocks a call encrypts.
    let terms_of_eight = format!("{terms}; eight blocks of AES a call");
    for (quantity, figures, unit) in [
        ("KISS over AES by instructions", over(KISS, EIGHT), "times"),
        ("ISAAC over AES by instructions", over(ISAAC, EIGHT), "times"),
        ("Salsa and ChaCha over AES by instructions", of(&turns, |turn| 100.0 * turn[EIGHT] / faster(turn)), "%"),
        ("Hash-DRBG over AES by instructions", over(HASH, EIGHT).map(|ratio| 100.0 * ratio), "%"),
    ] {
        answer.repeated(quantity, (figures, unit), 0.0, &terms_of_eight, "another ratio by eight blocks a call")?;
    }
    let hash = over(HASH, ISAAC).map(|ratio| 100.0 * ratio);
    answer.repeated("Hash-DRBG over ISAAC", (hash, "%"), RATIO, terms, "another ratio by the processors of today")?;
    let least: Times = std::array::from_fn(|i| of(&turns, |turn| turn[i])[0]);
    let mut ranked: Vec<usize> = (0..EIGHT).collect();
    ranked.sort_by(|a, b| least[*a].total_cmp(&least[*b]));
    let place = ranked.iter().position(|i| *i == RANDOM).unwrap_or(0) + 1;
    let ours = ranked.iter().map(|i| NAMES[*i]).collect::<Vec<_>>().join(" > ");
    let outcome = if place == 3 { Outcome::Agrees } else { Outcome::Differs(format!("it is number {place}")) };
    answer.statement("random", &ours, &format!("{terms}; three calls a word"), outcome)?;
    for (name, nanoseconds) in NAMES.iter().zip(least) {
        answer.more(&format!("{name}{A_CALL}"), (8e3 / nanoseconds, "MB/s"), terms);
    }
    answer.form = Form::Ours;
    Ok(())
}

pub(super) fn inside(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.form = Form::AsBuilt;
    let turns = turns(bench, Some(&thresholds()));
    let gains = of(&turns, |turn| 100.0 * (turn[AES] / turn[ISAAC] - 1.0));
    let terms = "inversion at σ = 215 in 64 bits, a whole draw a sample, a block a call; interleaved minima, repeated, quartiles";
    for quantity in ["gain of ISAAC over AES inside samplers, least", "gain of ISAAC over AES inside samplers, most"] {
        answer.repeated(quantity, (gains, "%"), RATIO, terms, "another gain")?;
    }
    let [median, least, most] = of(&turns, |turn| turn[TABLES] / turn[AES]);
    let ours = format!("by instructions {median:.2} ({least:.2} to {most:.2}) times as fast as by tables");
    let outcome = match (least < 1.0, most < 1.0) {
        (true, true) => Outcome::Agrees,
        (false, false) => Outcome::Differs("an instruction a round is faster than tables today".into()),
        _ => Outcome::Straddles("the repetitions lie on both sides of the threshold".into()),
    };
    answer.statement("AES by instructions inside samplers", &ours, terms, outcome)?;
    answer.form = Form::Ours;
    Ok(())
}

/// Words of 8 bytes that KISS-64 and ISAAC-64 keep as published: x, c, y, z; and memory, results, a, b, c.
const KISS_WORDS: usize = 4;
const ISAAC_WORDS: usize = 2 * 256 + 3;

/// Bytes of state alone, without a buffer.
pub(super) fn states(answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.form = Form::AsBuilt;
    for (name, bytes) in [
        ("KISS", 8 * KISS_WORDS),
        ("ISAAC", 8 * ISAAC_WORDS),
        ("Salsa and ChaCha", size_of::<Stream>()),
        ("Hash-DRBG", size_of::<Hash>()),
        ("AES by instructions", size_of::<AesInstructions>()),
        ("AES in software", size_of::<AesTables>()),
    ] {
        let terms = "state alone, without a buffer, of scalar code of a block a call";
        answer.near(&format!("heap of {name}"), (bytes as f64, "bytes"), 0.1, terms, "another generator's state")?;
    }
    answer.form = Form::Ours;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The library's generators hold these words, and what is left of a word; Salsa20 has sixteen of 4 bytes, AES-256 sixty.
    #[test]
    fn states_are_without_buffers() {
        for (words, all) in [(KISS_WORDS, size_of::<Kiss64>()), (ISAAC_WORDS, size_of::<Isaac64>())] {
            assert!((8 * words..=8 * words + 64).contains(&all), "{words}: {all}");
        }
        assert!((64..=72).contains(&size_of::<Stream>()) && size_of::<Hash>() == 64);
        assert!((240..=256 + 32).contains(&size_of::<AesTables>()));
        let claims = crate::data::Claim::all().unwrap();
        let mut answer = Answer::new("S12", &claims);
        states(&mut answer).unwrap();
        let agree = answer.findings.iter().filter(|finding| finding.outcome == Outcome::Agrees);
        assert_eq!(agree.map(|finding| finding.quantity.as_str()).collect::<Vec<_>>(), ["heap of ISAAC"]);
    }

    /// FIPS 197's example of AES-256, by way of the counter, and the order of the words of a block.
    #[test]
    fn blocks_are_those_of_aes() {
        let cipher = Aes256Enc::new(&std::array::from_fn::<u8, 32, _>(|i| i as u8).into());
        let counter = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff;
        let mut aes = AesInstructions { cipher: cipher.clone(), counter, second: None };
        let mut eight = AesEight { cipher, counter, words: [0; 16], left: 0 };
        let [one, many]: [Vec<u64>; 2] =
            [(0..32).map(|_| aes.word()).collect(), (0..32).map(|_| eight.word()).collect()];
        assert_eq!(one[..2], [0x8ea2_b7ca_5167_45bf, 0xeafc_4990_4b49_6089]);
        assert_eq!(one, many);
        assert_eq!(thresholds().last().map(|last| *last >> 40), Some((1 << 24) - 1));
    }
}
