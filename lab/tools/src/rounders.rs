//! `kat/rounders.csv`: what each sampler with a centre per call draws under a fixed seed, call by call and in batches. The same
//! integers must come out on every machine.

use samplez::{BitReader, FixedPoint, Rational, Rounder, Seed};
use samplez_core::samplers::{KarneyRounder, SamplerZ, StripRounder};
use samplez_sources::ChaCha20;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fmt::Write as _;

/// Samples under the hash: many passes of a batch, and a part of one.
const COUNT: usize = 5_000;
/// Samples written out.
const HEAD: usize = 16;

const HEADER: &str =
    "rounder,sigma_min,sigma_max,sigmas,entry,seed,count,sha256 of the samples as little-endian i64,the first samples";
const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// Rounder, the range of widths where it has one, the widths of the calls in turn, and whether it is a batch.
type Case = (&'static str, [&'static str; 2], &'static str, bool);

const CASES: [Case; 12] = [
    ("karney", ["", ""], "3.2", false),
    ("sampler-z", ["1.2778336969128337", "1.8205"], "1.3 1.5 1.7037990414754918 1.8205", false),
    ("sampler-z", ["1.2778336969128337", "1.8205"], "1.3 1.5 1.7037990414754918 1.8205", true),
    ("strips", ["1.2778336969128337", "1.8205"], "1.3 1.5 1.7037990414754918 1.8205", false),
    ("strips", ["1.2778336969128337", "1.8205"], "1.3 1.5 1.7037990414754918 1.8205", true),
    ("strips", ["1", "2"], "1 2 1.25", true),
    ("strips", ["3.2", "3.2"], "3.2", false),
    ("strips", ["3.2", "3.2"], "3.2", true),
    ("strips", ["4", "7"], "4 7 16/3", false),
    ("strips", ["4", "7"], "4 7 16/3", true),
    ("strips", ["150", "215"], "150 215 200.5", true),
    ("strips", ["67108863", "67108864"], "67108863 67108864", true),
];

/// The centre of call `i`.
fn center(i: usize) -> Option<Rational> {
    Rational::new(7919 * i as i64 - 4_000_000, 997 + i as u64 % 5)
}

/// A rounder's batch, over calls.
type Batch<'a, C> = &'a dyn Fn(&[C], &mut BitReader<ChaCha20>, &mut [i64]);

/// The samples of `rounder`, for the calls that `prepare` makes: by its batch, if one is given.
fn draw<R: Rounder>(
    rounder: &R,
    sigmas: &[Rational],
    prepare: impl Fn(Rational, Rational) -> Result<R::Center, Box<dyn Error>>,
    batch: Option<Batch<'_, R::Center>>,
) -> Result<Vec<i64>, Box<dyn Error>> {
    let call = |i: usize| prepare(center(i).ok_or("a denominator of 0")?, sigmas[i % sigmas.len()]);
    let calls = (0..COUNT).map(call).collect::<Result<Vec<_>, _>>()?;
    let (mut bits, mut out) = (BitReader::new(ChaCha20::new(&SEED.parse::<Seed>()?)), vec![0; COUNT]);
    match batch {
        Some(batch) => batch(&calls, &mut bits, &mut out),
        None => rounder.round_all(&calls, &mut bits, &mut out),
    }
    Ok(out)
}

fn samples((name, [min, max], sigmas, batch): Case) -> Result<Vec<i64>, Box<dyn Error>> {
    let sigmas = sigmas.split(' ').map(str::parse).collect::<Result<Vec<Rational>, _>>()?;
    match name {
        "karney" => {
            let rounder = KarneyRounder::new(sigmas[0])?;
            draw(&rounder, &sigmas, |center, _| Ok(rounder.center(center)?), None)
        }
        "sampler-z" => {
            let rounder = SamplerZ::new(min.parse()?)?;
            let call = |center, sigma| Ok((FixedPoint::new(center)?, rounder.width(sigma)?));
            draw(&rounder, &sigmas, call, batch.then_some(&|calls, bits, out| rounder.round_batch(calls, bits, out)))
        }
        _ => {
            let rounder = StripRounder::new(min.parse()?, max.parse()?)?;
            let call = |center, sigma| Ok((FixedPoint::new(center)?, rounder.width(sigma)?));
            draw(&rounder, &sigmas, call, batch.then_some(&|calls, bits, out| rounder.round_batch(calls, bits, out)))
        }
    }
}

/// The text of kat/rounders.csv as the code of today makes it.
pub(crate) fn generate() -> Result<String, Box<dyn Error>> {
    let mut text = format!("{HEADER}\n");
    for case in CASES {
        let (name, [min, max], sigmas, batch) = case;
        let samples = samples(case)?;
        let bytes: Vec<u8> = samples.iter().flat_map(|x| x.to_le_bytes()).collect();
        let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let head: Vec<String> = samples[..HEAD].iter().map(i64::to_string).collect();
        let entry = if batch { "batch" } else { "single" };
        writeln!(text, "{name},{min},{max},{sigmas},{entry},{SEED},{COUNT},{sum},{}", head.join(" "))?;
    }
    Ok(text)
}
