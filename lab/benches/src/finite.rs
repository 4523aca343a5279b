//! The finite laws, Skellam and discrete Laplace noise, against the same laws as anyone would first write them: bit by bit, or value by value.

use crate::contest::{Clock, Contestant, SAMPLES, contest, seed, taken};
use samplez::{BitReader, BitSource, Noise, Recipe, Refused, Sampler};
use samplez::{CenteredBinomial, SparseTernary, TUniform, Ternary};
use samplez_core::samplers::DiscreteLaplace;
use samplez_sources::ChaCha20;
use std::error::Error;

/// The sampler of a recipe.
fn noise(recipe: &str) -> Result<Box<dyn Noise>, Refused> {
    Ok(recipe.parse::<Recipe>()?.build()?.into_sampler())
}

/// The length and the weight of a sparse ternary secret.
const SECRET: (usize, usize) = (4096, 192);

fn ternary<B: BitSource>(bits: &mut B) -> i32 {
    loop {
        match bits.bits(2) {
            3 => continue,
            value => return value as i32 - 1,
        }
    }
}

fn centered_binomial<B: BitSource>(eta: u32, bits: &mut B) -> i32 {
    let plus: i32 = (0..eta).map(|_| i32::from(bits.bit())).sum();
    let minus: i32 = (0..eta).map(|_| i32::from(bits.bit())).sum();
    plus - minus
}

/// A half of a wide centred binomial, 64 bits at a time.
fn coins<B: BitSource>(eta: u32, bits: &mut B) -> i32 {
    let mut sum = 0;
    for start in (0..eta).step_by(64) {
        sum += bits.bits((eta - start).min(64)).count_ones() as i32;
    }
    sum
}

/// Wide centred binomials beside a plain loop over words, and beside their random bits alone.
fn wide_binomial(eta: u32, samples: usize) -> Result<(), Box<dyn Error>> {
    let law = CenteredBinomial::new(eta)?;
    let (mut out, mut slow) = (vec![0_i32; samples], vec![0_i32; samples]);
    let (words, mut read) = (eta as usize * samples / 32, [0; 128]);
    contest(
        &format!("Centred binomial, eta = {eta}, to i32"),
        samples,
        Clock::Processor,
        vec![
            ("fill".into(), Box::new(|bits| law.fill(bits, &mut out).map_or(0, |()| taken(&out)))),
            (
                "the random bits alone".into(),
                Box::new(|bits| {
                    (0..words / read.len()).for_each(|_| bits.words(&mut read));
                    taken(&read)
                }),
            ),
            (
                "plain, 64 bits at a time".into(),
                Box::new(|bits| {
                    slow.iter_mut().for_each(|slot| *slot = coins(eta, bits) - coins(eta, bits));
                    taken(&slow)
                }),
            ),
        ],
    );
    assert_eq!(out, slow, "eta = {eta}: the same bits in the same order");
    Ok(())
}

fn tuniform<B: BitSource>(bound_log2: u32, bits: &mut B) -> i32 {
    let coin = i32::from(bits.bit());
    bits.bits(bound_log2 + 1) as i32 + coin - (1 << bound_log2)
}

/// Places that are drawn until they are new, in a time that depends on them.
fn sparse_ternary<B: BitSource>(bits: &mut B, out: &mut [i32]) {
    out.fill(0);
    let mut left = SECRET.1;
    while left > 0 {
        let place = bits.bits(SECRET.0.ilog2()) as usize;
        if out[place] == 0 {
            out[place] = if bits.bit() { 1 } else { -1 };
            left -= 1;
        }
    }
}

/// Uniform numbers multiplied until they are below e^-mean, twice. In doubles, so near the law only.
fn products<B: BitSource>(mean: f64, bits: &mut B) -> i32 {
    let mut poisson = || {
        let (mut product, mut count) = (1.0, -1);
        while product > (-mean).exp() {
            product *= (bits.bits(53) + 1) as f64 * 0.5_f64.powi(53);
            count += 1;
        }
        count
    };
    poisson() - poisson()
}

/// A sampler beside its plain form.
fn pair<S: Sampler>(name: &str, sampler: &S, plain: impl Fn(&mut BitReader<ChaCha20>) -> i32) {
    let (mut narrow, mut out, mut slow) = (vec![0_i8; SAMPLES], vec![0_i32; SAMPLES], vec![0_i32; SAMPLES]);
    let mut contestants: Vec<Contestant<'_>> = Vec::new();
    if sampler.profile().support.end() <= &i64::from(i8::MAX) {
        let fill = |bits: &mut BitReader<ChaCha20>| sampler.fill(bits, &mut narrow).map_or(0, |()| taken(&narrow));
        contestants.push(("fill, to i8".into(), Box::new(fill)));
    }
    contestants
        .push(("fill, to i32".into(), Box::new(|bits| sampler.fill(bits, &mut out).map_or(0, |()| taken(&out)))));
    let plainly = |bits: &mut BitReader<ChaCha20>| {
        slow.iter_mut().for_each(|slot| *slot = plain(bits));
        taken(&slow)
    };
    contestants.push(("plain, to i32".into(), Box::new(plainly)));
    contest(
        &format!("{name}, {:.2} bits a sample", sampler.profile().expected_bits),
        SAMPLES,
        Clock::Processor,
        contestants,
    );
    // Both have the variance of the law: that of this many samples is within 1/40 of it.
    let variance = |out: &[i32]| out.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / SAMPLES as f64;
    let ratio = variance(&out) / variance(&slow);
    assert!((ratio - 1.0).abs() < 0.025, "{name}: the variances have the ratio {ratio}");
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    pair("Ternary", &Ternary, ternary);
    for eta in [2, 3, 20, 21] {
        let law = CenteredBinomial::new(eta)?;
        pair(&format!("Centred binomial, eta = {eta}"), &law, |bits| centered_binomial(eta, bits));
        // The plain form has the same bits in the same order.
        let reader = || BitReader::new(ChaCha20::new(&seed(0)));
        let (mut out, mut bits) = ([0; 1000], reader());
        law.fill(&mut reader(), &mut out)?;
        assert!(out.iter().all(|x| *x == centered_binomial(eta, &mut bits)), "eta = {eta}");
    }
    wide_binomial(1000, 1 << 14)?;
    wide_binomial(1 << 20, 64)?;
    for bound_log2 in [5, 17] {
        pair(&format!("TUniform({bound_log2})"), &TUniform::new(bound_log2)?, |bits| tuniform(bound_log2, bits));
    }
    for variance in ["2.5", "30", "1000"] {
        let (noise, mean) = (noise(&format!("skellam={variance}"))?, variance.parse::<f64>()? / 2.0);
        let (mut out, mut slow) = (vec![0_i32; SAMPLES], vec![0_i32; SAMPLES]);
        contest(
            &format!("Skellam, V = {variance}, {:.1} bits a sample", noise.profile().expected_bits),
            SAMPLES,
            Clock::Processor,
            vec![
                ("fill, to i32".into(), Box::new(|bits| noise.fill(bits, &mut out).map_or(0, |()| taken(&out)))),
                (
                    "plain, in doubles and variable time".into(),
                    Box::new(|bits| {
                        slow.iter_mut().for_each(|slot| *slot = products(mean, bits));
                        taken(&slow)
                    }),
                ),
            ],
        );
    }
    for scale in ["1", "10", "1000", "1000000"] {
        let (noise, printed) = (noise(&format!("laplace={scale}"))?, DiscreteLaplace::new(scale.parse()?)?);
        let (mut out, mut slow) = (vec![0_i32; SAMPLES], vec![0_i32; SAMPLES]);
        contest(
            &format!("Discrete Laplace, scale {scale}, {:.1} bits a sample", noise.profile().expected_bits),
            SAMPLES,
            Clock::Processor,
            vec![
                ("fill, to i32".into(), Box::new(|bits| noise.fill(bits, &mut out).map_or(0, |()| taken(&out)))),
                (
                    "[CKS20], in variable time".into(),
                    Box::new(|bits| printed.fill(bits, &mut slow).map_or(0, |()| taken(&slow))),
                ),
            ],
        );
    }
    let (mut out, mut slow) = (vec![0_i32; SECRET.0], vec![0_i32; SECRET.0]);
    let law = SparseTernary::new(SECRET.0, SECRET.1)?;
    contest(
        &format!("Sparse ternary, {} of {} entries, to i32, an entry", SECRET.1, SECRET.0),
        SECRET.0,
        Clock::Processor,
        vec![
            (
                "fill".into(),
                Box::new(|bits| {
                    law.fill(bits, &mut out);
                    taken(&out)
                }),
            ),
            (
                "plain, in variable time".into(),
                Box::new(|bits| {
                    sparse_ternary(bits, &mut slow);
                    taken(&slow)
                }),
            ),
        ],
    );
    for secret in [&out, &slow] {
        assert_eq!(secret.iter().filter(|x| x.abs() == 1).count(), SECRET.1);
    }
    Ok(())
}
