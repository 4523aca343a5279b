//! `kat/streams.csv`, `kat/rounders.csv` and `kat/schemes.csv`: what methods, sources, samplers with a centre per call and schemes make under
//! fixed seeds. The same integers and bytes must come out in every language, on every machine, for every number of threads.
//!
//! A line begins with what it is made of, and `gen-kat` makes the rest: for a new vector, write a line's inputs and all commas.

use samplez::{BitReader, Bulk, FixedPoint, Rational, Recipe, Rounder, Seed, Source, schemes};
use samplez_core::samplers::{KarneyRounder, SamplerZ, StripRounder};
use samplez_schemes::{bliss, lp11, regev};
use samplez_sources::ChaCha20;
use sha2::{Digest, Sha256};
use std::io;
use std::path::Path;
use std::process::Command;
use xtask::csv::Table;
use xtask::files::{self, Findings};

type Made<T> = Result<T, Box<dyn std::error::Error>>;
type Make = fn(&[&str]) -> Made<Vec<String>>;

/// The files, how many inputs a line begins with, and what makes the rest.
const FILES: [(&str, usize, Make); 3] =
    [("kat/streams.csv", 9, stream), ("kat/rounders.csv", 7, rounder), ("kat/schemes.csv", 9, scheme)];

/// Writes the vectors with the sums of all, or with `--check` compares them.
pub(crate) fn run(root: &Path, argument: Option<&str>) -> Findings {
    let check = xtask::compares(argument)?;
    let mut findings = Vec::new();
    for (file, inputs, make) in FILES {
        let mut table = Table::open(root, file)?;
        for row in &mut table.rows {
            let given: Vec<&str> = row[..inputs].iter().map(String::as_str).collect();
            let made =
                make(&given).map_err(|error| io::Error::other(format!("{file}: {}: {error}", given.join(","))))?;
            row.splice(inputs.., made);
        }
        findings.extend(files::made(root, file, &table.text(), "tools gen-kat", check)?);
    }
    if !check {
        let sums = "cut -c 67- SHA256SUMS | xargs sha256sum > SHA256SUMS.part && mv SHA256SUMS.part SHA256SUMS";
        let status = Command::new("sh").args(["-c", sums]).current_dir(root.join("kat")).status()?;
        findings.extend((!status.success()).then(|| format!("kat/SHA256SUMS: sha256sum: {status}")));
    }
    Ok(findings)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sum(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The sum of all samples, and the first 16.
fn shown(samples: &[i64]) -> Vec<String> {
    let bytes: Vec<u8> = samples.iter().flat_map(|x| x.to_le_bytes()).collect();
    let head: Vec<String> = samples.iter().take(16).map(i64::to_string).collect();
    vec![sum(&bytes), head.join(" ")]
}

fn generator(seed: &str) -> Made<ChaCha20> {
    Ok(ChaCha20::new(&seed.parse::<Seed>()?))
}

fn stream(inputs: &[&str]) -> Made<Vec<String>> {
    let [width, value, center, method, precision, source, seed, first, count] = *inputs else {
        return Err("9 inputs".into());
    };
    let width = width.replace('-', "_");
    let pairs = [(&*width, value), ("center", center), ("method", method), ("precision", precision)];
    // 0 where there is no table.
    let pairs = pairs.into_iter().filter(|pair| *pair != ("precision", "0"));
    let built = Recipe::from_pairs(pairs)?.build()?;
    let mut samples = vec![0_i64; count.parse()?];
    Bulk::new(built.sampler(), source.parse::<Source>()?, seed.parse::<Seed>()?).fill(first.parse()?, &mut samples)?;
    Ok(shown(&samples))
}

/// A rounder's batch, over calls.
type Batch<'a, C> = &'a dyn Fn(&[C], &mut BitReader<ChaCha20>, &mut [i64]);

/// The samples of a rounder for the calls that `prepare` makes of centres and widths: by its batch, if one is given.
fn draw<R: Rounder>(
    rounder: &R,
    [sigmas, seed, count]: [&str; 3],
    prepare: impl Fn(Rational, Rational) -> Made<R::Center>,
    batch: Option<Batch<'_, R::Center>>,
) -> Made<Vec<String>> {
    let sigmas = sigmas.split(' ').map(str::parse).collect::<Result<Vec<Rational>, _>>()?;
    let center = |i: usize| Rational::new(7919 * i as i64 - 4_000_000, 997 + i as u64 % 5).ok_or("a denominator of 0");
    let call = |i: usize| prepare(center(i)?, sigmas[i % sigmas.len()]);
    let calls = (0..count.parse()?).map(call).collect::<Result<Vec<_>, _>>()?;
    let (mut bits, mut out) = (BitReader::new(generator(seed)?), vec![0; calls.len()]);
    match batch {
        Some(batch) => batch(&calls, &mut bits, &mut out),
        None => rounder.round_all(&calls, &mut bits, &mut out),
    }
    Ok(shown(&out))
}

fn rounder(inputs: &[&str]) -> Made<Vec<String>> {
    let [name, min, max, sigmas, entry, seed, count] = *inputs else { return Err("7 inputs".into()) };
    let (calls, batch) = ([sigmas, seed, count], entry == "batch");
    match name {
        "karney" => {
            let rounder = KarneyRounder::new(sigmas.parse()?)?;
            draw(&rounder, calls, |center, _| Ok(rounder.center(center)?), None)
        }
        "sampler-z" => {
            let rounder = SamplerZ::new(min.parse()?)?;
            let call = |center, sigma| Ok((FixedPoint::new(center)?, rounder.width(sigma)?));
            draw(&rounder, calls, call, batch.then_some(&|calls, bits, out| rounder.round_batch(calls, bits, out)))
        }
        "strips" => {
            let rounder = StripRounder::new(min.parse()?, max.parse()?)?;
            let call = |center, sigma| Ok((FixedPoint::new(center)?, rounder.width(sigma)?));
            draw(&rounder, calls, call, batch.then_some(&|calls, bits, out| rounder.round_batch(calls, bits, out)))
        }
        other => Err(format!("{other}: expected karney, sampler-z or strips").into()),
    }
}

fn scheme(inputs: &[&str]) -> Made<Vec<String>> {
    let [scheme, set, variant, profile, signer, noise, key_seed, seed, message] = *inputs else {
        return Err("9 inputs".into());
    };
    let message = (0..message.len() / 2).map(|i| u8::from_str_radix(&message[2 * i..2 * i + 2], 16));
    let message = message.collect::<Result<Vec<u8>, _>>()?;
    let (mut key_rng, mut rng) = (generator(key_seed)?, generator(seed)?);
    let (parts, decrypted) = match scheme {
        "bliss" => {
            let (set, profile): (bliss::Set, bliss::Profile) = (set.parse()?, profile.parse()?);
            let built = schemes::noise(&set.demand(), noise)?;
            let key = bliss::SigningKey::generate(set, variant.parse()?, &mut key_rng)?;
            let (signature, _) = match signer {
                "plain" => bliss::Signer::new(&key, profile, built.sampler())?.sign(&message, &mut rng)?,
                _ => bliss::IsochronousSigner::new(&key, profile, built.sampler())?.sign(&message, &mut rng)?,
            };
            key.public_key().verify(profile, &message, &signature)?;
            let parts =
                [key.public_key().to_bytes(profile)?, key.to_bytes(profile)?.to_vec(), signature.to_bytes(profile)?];
            (parts, Vec::new())
        }
        "lp11" => {
            let set: lp11::Set = set.parse()?;
            let built = schemes::noise(&set.demand(), noise)?;
            let (public, secret) = lp11::generate(set, built.sampler(), &mut key_rng)?;
            let ciphertext = public.encrypt(built.sampler(), &message, &mut rng)?;
            let decrypted = secret.decrypt(&ciphertext)?;
            ([public.to_bytes(), secret.to_bytes().to_vec(), ciphertext], decrypted.to_vec())
        }
        _ => {
            let set: regev::Set = set.parse()?;
            let built = schemes::noise(&set.parameters().demand(), noise)?;
            let (public, secret) = regev::generate(set, built.sampler(), &mut key_rng)?;
            let ciphertext = public.encrypt(&message, &mut rng)?;
            let decrypted = secret.decrypt(&ciphertext)?;
            ([public.to_bytes(), secret.to_bytes().to_vec(), ciphertext], decrypted.to_vec())
        }
    };
    let [public, secret, output] = parts.map(|part| sum(&part));
    Ok(vec![public, secret, output, hex(&decrypted)])
}
