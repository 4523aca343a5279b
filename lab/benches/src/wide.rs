//! Wide laws, beside their base, the constant-time convolution and Karney's algorithm; and a law beyond 64 bits.

use crate::contest::{Clock, Contestant, SAMPLES, contest, seed, taken};
use samplez::{BigGaussian, BitReader, Noise, Recipe, Source, Stream};
use samplez_sources::ChaCha20;
use std::error::Error;

fn noise(recipe: &str) -> Result<Box<dyn Noise>, Box<dyn Error>> {
    Ok(recipe.parse::<Recipe>()?.build()?.into_sampler())
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for sigma in ["1e9", "1e15"] {
        let mut contestants: Vec<Contestant<'_>> = Vec::new();
        for (name, recipe) in [
            ("wide, fill, center = 1/3", format!("sigma={sigma},center=1/3,method=wide")),
            ("wide, fill", format!("sigma={sigma},method=wide")),
            ("isochronous, exact, fill: the base", "sigma=30000000,method=isochronous,exact=true".into()),
            ("karney, fill", "sigma=1e9,center=1/3,method=karney".into()),
            ("convolution-ct, fill (certified)", format!("sigma={sigma},method=convolution-ct")),
        ] {
            let (noise, mut out) = (noise(&recipe)?, vec![0_i64; SAMPLES]);
            let work = move |bits: &mut BitReader<ChaCha20>| noise.fill(bits, &mut out).map_or(0, |()| taken(&out));
            contestants.push((name.into(), Box::new(work)));
        }
        contest(&format!("Wide, sigma = {sigma}, to i64"), SAMPLES, Clock::Processor, contestants);
    }
    let count = SAMPLES / 8;
    let mut contestants: Vec<Contestant<'_>> = Vec::new();
    for (name, text) in [("sigma = 2^512", format!("sigma={}", power(512))), ("sigma = 1e30", "sigma=1e30".into())] {
        let law: BigGaussian = text.parse()?;
        let mut round = 0;
        let work = move |_: &mut BitReader<ChaCha20>| {
            round += 1;
            let Ok(generator) = Source::ChaCha20.open(&seed(round)) else { return 0 };
            law.draw(&mut Stream::new(generator), count).map_or(0, |words| words.iter().fold(0, |sum, word| sum ^ word))
        };
        contestants.push((format!("{name}, words"), Box::new(work)));
    }
    contest("Wide, beyond 64 bits", count, Clock::Processor, contestants);
    Ok(())
}

/// 2^n as decimal digits.
fn power(n: u32) -> String {
    let mut digits = vec![1_u8];
    for _ in 0..n {
        let mut carry = 0;
        for digit in &mut digits {
            let double = 2 * *digit + carry;
            (*digit, carry) = (double % 10, double / 10);
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect()
}
