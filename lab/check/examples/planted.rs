//! How many values `samplez verify` needs to see each of some sixty faults: `cargo run --release -p samplez-check --example planted`.
//!
//! Each fault is planted in ideal samples of σ = 3.2, at sizes from 10^4 to 10^7. It is seen at the least size at which at least
//! half of the runs are rejected. Writes docs/trust/planted.csv; `cargo tools gen-docs` makes the book's table of it. Some minutes.
//! With a word, only the faults that contain it are tried, and nothing is written.

use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::Karney;
use samplez_core::{DiscreteGaussian, Sampler};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::{Verdict, Verifier};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;

/// The sizes.
const SIZES: [usize; 7] = [10_000, 31_623, 100_000, 316_228, 1_000_000, 3_162_278, 10_000_000];

/// Runs at each size. A fault is seen if half are rejected.
const RUNS: usize = 4;

/// Coins.
struct Random(BitReader<ChaCha20>);

fn seeded(number: u64) -> BitReader<ChaCha20> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    BitReader::new(ChaCha20::new(&Seed::from_bytes(bytes)))
}

impl Random {
    fn chance(&mut self, p: f64) -> bool {
        (self.0.bits(32) as f64) < p * 4_294_967_296.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.0.bits(32) as usize * n) >> 32
    }

    fn sign(&mut self) -> i64 {
        if self.0.bit() { 1 } else { -1 }
    }

    fn shuffle(&mut self, values: &mut [i64]) {
        for i in (1..values.len()).rev() {
            values.swap(i, self.below(i + 1));
        }
    }
}

/// Changes good samples.
type Plant = fn(&mut Vec<i64>, &mut Random);

/// Each value, with this probability, becomes what `change` makes of its place.
fn some(samples: &mut [i64], random: &mut Random, p: f64, mut change: impl FnMut(&mut [i64], usize, &mut Random)) {
    for i in 0..samples.len() {
        if random.chance(p) {
            change(samples, i, random);
        }
    }
}

/// A share of values so many places back is copied.
fn copied(samples: &mut [i64], random: &mut Random, p: f64, lag: usize) {
    some(samples, random, p, |samples, i, _| samples[i] = samples[if i >= lag { i - lag } else { i }]);
}

/// A share of magnitudes so many places back is copied, each with a fresh sign.
fn sized(samples: &mut [i64], random: &mut Random, p: f64, lag: usize) {
    some(samples, random, p, |samples, i, random| {
        samples[i] = samples[if i >= lag { i - lag } else { i }].abs() * random.sign();
    });
}

/// Signs lean by a function of the place in 0 … 1.
fn leaning(samples: &mut [i64], random: &mut Random, most: f64, lean: impl Fn(f64) -> f64) {
    let n = samples.len() as f64;
    for (i, x) in samples.iter_mut().enumerate() {
        let now = most * lean(i as f64 / n);
        if random.chance(now.abs()) {
            *x = if now > 0.0 { x.abs() } else { -x.abs() };
        }
    }
}

/// Values are redrawn where they are large or where they are small, by a function of the place: another width.
fn widths(samples: &mut [i64], random: &mut Random, most: f64, lean: impl Fn(f64) -> f64) {
    let n = samples.len();
    for i in 0..n {
        let now = most * lean(i as f64 / n as f64);
        if random.chance(now.abs()) && (samples[i].abs() <= 2) == (now > 0.0) {
            samples[i] = samples[random.below(n)];
        }
    }
}

/// The signs at each place of a period lean as a fixed rule requires.
fn periodic(samples: &mut [i64], random: &mut Random, p: f64, period: usize) {
    let rule: Vec<bool> = (0..period).map(|_| random.0.bit()).collect();
    for (i, x) in samples.iter_mut().enumerate() {
        if random.chance(p) {
            *x = if rule[i % period] { x.abs() } else { -x.abs() };
        }
    }
}

/// At one place of a period something happens.
fn placed(samples: &mut [i64], period: usize, change: impl Fn(&mut i64)) {
    samples.iter_mut().skip(period / 3).step_by(period).for_each(change);
}

/// Puts a changed copy behind each block.
fn followed(samples: &mut Vec<i64>, block: usize, mut again: impl FnMut(&[i64]) -> Vec<i64>) {
    let n = samples.len();
    let blocks = samples.chunks(block).flat_map(|block| [block.to_vec(), again(block)].concat());
    *samples = blocks.take(n).collect();
}

/// One stream of so many that take turns goes round with a period.
fn interleaved(samples: &mut [i64], stride: usize, cycle: usize) {
    let values: Vec<i64> = samples.iter().copied().take(cycle).collect();
    samples.iter_mut().step_by(stride).zip(values.iter().cycle()).for_each(|(x, value)| *x = *value);
}

fn wave(times: f64, place: f64) -> f64 {
    (core::f64::consts::TAU * times * place).sin()
}

/// All faults.
#[rustfmt::skip]
const FAULTS: &[(&str, Plant)] = &[
    ("σ 0.8 % too large", |x, r| widths(x, r, 0.033, |_| 1.0)),
    ("σ 0.8 % too small", |x, r| widths(x, r, 0.033, |_| -1.0)),
    ("centre off by 0.01σ", |x, r| some(x, r, 0.032, |x, i, _| x[i] += 1)),
    ("zero 2.6 % too frequent", |x, r| some(x, r, 0.0037, |x, i, _| x[i] = 0)),
    ("1 % of signs positive", |x, r| some(x, r, 0.01, |x, i, _| x[i] = x[i].abs())),
    ("2 % of values made even", |x, r| some(x, r, 0.02, |x, i, _| x[i] &= !1)),
    ("clamped to ±12", |x, _| x.iter_mut().for_each(|x| *x = (*x).clamp(-12, 12))),
    ("one value at 9σ", |x, _| x[1234] = 29),
    ("a value missing: no 7", |x, r| { let n = x.len(); for i in 0..n { if x[i] == 7 { x[i] = x[r.below(n)]; } } }),
    ("0.1 % of values uniform on ±16", |x, r| some(x, r, 0.001, |x, i, r| x[i] = r.below(33) as i64 - 16)),
    ("mean rises by 0.04σ", |x, r| leaning(x, r, 0.025, |t| 2.0 * t - 1.0)),
    ("mean falls back: a sawtooth of 5", |x, r| leaning(x, r, 0.025, |t| 2.0 * (5.0 * t).fract() - 1.0)),
    ("mean: one slow wave, 0.02σ", |x, r| leaning(x, r, 0.025, |t| wave(1.0, t))),
    ("mean: 30 slow waves, 0.02σ", |x, r| leaning(x, r, 0.025, |t| wave(30.0, t))),
    ("mean: 500 slow waves, 0.02σ", |x, r| leaning(x, r, 0.025, |t| wave(500.0, t))),
    ("mean: a step at the middle", |x, r| leaning(x, r, 0.02, |t| if t < 0.5 { 1.0 } else { -1.0 })),
    ("width rises", |x, r| widths(x, r, 0.05, |t| 2.0 * t - 1.0)),
    ("width: one slow wave", |x, r| widths(x, r, 0.05, |t| wave(1.0, t))),
    ("width: 100 slow waves", |x, r| widths(x, r, 0.05, |t| wave(100.0, t))),
    ("width: another in the last tenth", |x, r| widths(x, r, 0.1, |t| if t > 0.9 { 1.0 } else { 0.0 })),
    ("mean: a wave of period 17.3", |x, r| { let n = x.len() as f64; leaning(x, r, 0.03, |t| wave(n / 17.3, t)); }),
    ("mean: a wave of period 3000.5", |x, r| { let n = x.len() as f64; leaning(x, r, 0.03, |t| wave(n / 3000.5, t)); }),
    ("2 % copied over 1 place", |x, r| copied(x, r, 0.02, 1)),
    ("2 % copied over 48 places", |x, r| copied(x, r, 0.02, 48)),
    ("2 % copied over 100 places", |x, r| copied(x, r, 0.02, 100)),
    ("2 % copied over 1000 places", |x, r| copied(x, r, 0.02, 1000)),
    ("2 % copied over 77777 places", |x, r| copied(x, r, 0.02, 77_777)),
    ("3 % of magnitudes copied over 99 places", |x, r| sized(x, r, 0.03, 99)),
    ("3 % of magnitudes copied over 5000 places", |x, r| sized(x, r, 0.03, 5000)),
    ("3 % of signs copied over 333 places", |x, r| some(x, r, 0.03, |x, i, _| {
        if i >= 333 { x[i] = x[i].abs() * x[i - 333].signum(); }
    })),
    ("never equal to the value before", |x, _| x.dedup()),
    ("never equal to the value 250 before", |x, r| { let n = x.len(); for i in 250..n { while x[i] == x[i - 250] { x[i] = x[r.below(n)]; } } }),
    ("equal to the value before, 0.5 %", |x, r| copied(x, r, 0.005, 1)),
    ("places modulo 3 lean", |x, r| periodic(x, r, 0.02, 3)),
    ("places modulo 100 lean", |x, r| periodic(x, r, 0.03, 100)),
    ("places modulo 1000 lean", |x, r| periodic(x, r, 0.04, 1000)),
    ("places modulo 1024 lean", |x, r| periodic(x, r, 0.04, 1024)),
    ("places modulo 3001 lean", |x, r| periodic(x, r, 0.06, 3001)),
    ("zero at each 1000th place", |x, _| placed(x, 1000, |x| *x = 0)),
    ("zero at each 1024th place", |x, _| placed(x, 1024, |x| *x = 0)),
    ("positive at each 77th place", |x, _| placed(x, 77, |x| *x = x.abs())),
    ("10 zeros in a row, once", |x, _| x[5000..5010].fill(0)),
    ("12 equal values, once", |x, _| { let value = x[5000]; x[5000..5012].fill(value); }),
    ("100 equal values, once", |x, _| { let value = x[5000]; x[5000..5100].fill(value); }),
    ("dealt from one deck", |x, r| { let mut y = x.clone(); let n = x.len(); y.sort_unstable(); x.clear();
        for i in 0..n / 8 { x.extend([y[8 * i + 4]; 8]); } ideal_deck(x); r.shuffle(x); }),
    ("halves with the same counts", |x, r| { let half = x.len() / 2; let mut y = x[..half].to_vec(); r.shuffle(&mut y); x[half..2 * half].copy_from_slice(&y); }),
    ("each 4096 has sum 0, nearly", |x, r| { for block in x.chunks_mut(4096) { let half = block.len() / 2; for i in 0..half { block[half + i] = -block[i]; } r.shuffle(block); } }),
    ("a generator of period 70000", |x, _| { let n = x.len(); *x = x.iter().copied().take(70_000).cycle().take(n).collect(); }),
    ("1000 values that come again once", |x, _| { let n = x.len(); x.copy_within(1000..2000, n - 2000); }),
    ("blocks of 100 repeated", |x, _| followed(x, 100, <[i64]>::to_vec)),
    ("blocks of 500 repeated with fresh signs", |x, r| followed(x, 500, |b| b.iter().map(|x| x * r.sign()).collect())),
    ("palindromes of 512", |x, _| followed(x, 256, |b| b.iter().rev().copied().collect())),
    ("blocks of 17 negated", |x, _| followed(x, 17, |b| b.iter().map(|x| -x).collect())),
    ("blocks of 300 shuffled", |x, r| followed(x, 300, |b| { let mut y = b.to_vec(); r.shuffle(&mut y); y })),
    ("every 2nd value of period 3001", |x, _| interleaved(x, 2, 3001)),
    ("every 7th value of period 1009", |x, _| interleaved(x, 7, 1009)),
    ("every 64th value of period 1009", |x, _| interleaved(x, 64, 1009)),
    ("|x| sorted within 8, one block of 4", |x, r| { for block in x.chunks_mut(8) { if r.chance(0.25) { block.sort_by_key(|x| x.abs()); } } }),
    ("the greater magnitude of 2 first, 5 %", |x, r| { for pair in x.chunks_mut(2) { if pair.len() == 2 && r.chance(0.05) && pair[0].abs() < pair[1].abs() { pair.swap(0, 1); } } }),
    ("fours sorted, 2 %", |x, r| { for block in x.chunks_mut(4) { if r.chance(0.02) { block.sort_unstable(); } } }),
    ("signs of 3 multiply to +1, 10 %", |x, r| { for i in 2..x.len() { if r.chance(0.1) && x[i] * x[i - 1] * x[i - 2] < 0 { x[i] = -x[i]; } } }),
    ("signs follow parities of the place, 3 %", |x, r| { for i in 0..x.len() { if r.chance(0.03) { x[i] = if (i & 0x2aa).count_ones() % 2 == 0 { x[i].abs() } else { -x[i].abs() }; } } }),
];

/// As often as each value should come, as nearly as integers can: a deck of σ = 3.2.
fn ideal_deck(samples: &mut Vec<i64>) {
    let n = samples.len() as f64;
    let weight = |x: i64| (-(x * x) as f64 / 20.48).exp();
    let sum: f64 = (-40..=40).map(weight).sum();
    let (mut cumulated, mut dealt) = (0.0, 0);
    samples.clear();
    for x in -40..=40 {
        cumulated += weight(x) / sum * n;
        let upto = cumulated.round() as usize;
        samples.resize(samples.len() + upto - dealt, x);
        dealt = upto;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let only = std::env::args().nth(1);
    let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
    let empty = Verifier::new(&law)?;
    let mut good = Vec::new();
    for run in 0..RUNS as u64 {
        let mut samples = vec![0_i64; SIZES[SIZES.len() - 1]];
        Karney::new(&law)?.fill(&mut seeded(run), &mut samples)?;
        good.push(samples);
    }
    let mut csv = String::from("fault,values,seen by\n");
    for (name, plant) in FAULTS {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let mut found = None;
        for size in SIZES {
            let (mut rejected, mut families) = (0, BTreeMap::<String, usize>::new());
            for (run, good) in good.iter().enumerate() {
                let mut samples = good[..size].to_vec();
                plant(&mut samples, &mut Random(seeded(1000 + run as u64)));
                let mut verifier = empty.clone();
                verifier.push(&samples);
                let report = verifier.finish()?;
                rejected += usize::from(!report.consistent);
                for test in report.tests.iter().filter(|test| test.verdict == Verdict::Reject) {
                    *families.entry(test.name.clone()).or_default() += 1;
                }
                // Half can be had no more.
                if rejected == 0 && 2 * (run + 1) > RUNS {
                    break;
                }
            }
            if 2 * rejected >= RUNS {
                let most = families.values().max().copied().unwrap_or(0);
                let names: Vec<_> =
                    families.into_iter().filter(|(_, runs)| *runs == most).map(|(name, _)| name).collect();
                found = Some((size, names));
                break;
            }
        }
        let (values, by) = found.map_or(("never".into(), String::new()), |(size, names)| {
            let more = names.len().saturating_sub(2);
            let first: Vec<_> = names.into_iter().take(2).collect();
            (
                size.to_string(),
                first.join(" and ") + &if more > 0 { format!(" and {more} more") } else { String::new() },
            )
        });
        println!("{name}: {values} {by}");
        writeln!(csv, "\"{name}\",{values},{by}")?;
    }
    if only.is_none() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/trust/planted.csv"), csv)?;
    }
    Ok(())
}
