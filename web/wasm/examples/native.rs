//! The native side of `web/bench/native.mjs`: for each line `method form width bits milliseconds` it fills an array of
//! integers of so many bits, again and again for so long, and answers with the samples per millisecond of the best round,
//! or with why there are none.

use samplez::{Bulk, Int, Recipe, Seed, Source};
use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdin, stdout};
use std::time::{Duration, Instant};

/// Samples in a round, as in the page's benchmark.
const ROUND: usize = 8 * 8192;

fn rate<T: Int>(bulk: &Bulk, time: Duration) -> Result<f64, Box<dyn Error>> {
    let mut samples = vec![T::ZERO; ROUND];
    let mut best = 0.0_f64;
    let start = Instant::now();
    while best == 0.0 || start.elapsed() < time {
        let round = Instant::now();
        bulk.fill(0, black_box(&mut samples))?;
        best = best.max(ROUND as f64 / (1e3 * round.elapsed().as_secs_f64()));
    }
    Ok(best)
}

fn answer(line: &str) -> Result<f64, Box<dyn Error>> {
    let [method, form, width, bits, milliseconds] = line.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err("a line is: method form width bits milliseconds".into());
    };
    let sampler = Recipe::from_pairs([(form, width), ("method", method)])?.build()?.into_sampler();
    let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([0; 32]));
    let time = Duration::from_millis(milliseconds.parse()?);
    match bits {
        "8" => rate::<i8>(&bulk, time),
        "16" => rate::<i16>(&bulk, time),
        "32" => rate::<i32>(&bulk, time),
        "64" => rate::<i64>(&bulk, time),
        _ => Err(format!("bits = {bits}: expected one of 8, 16, 32, 64").into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    for line in stdin().lines() {
        match answer(&line?) {
            Ok(rate) => println!("{rate}"),
            Err(refusal) => println!("{refusal}"),
        }
        stdout().flush()?;
    }
    Ok(())
}
