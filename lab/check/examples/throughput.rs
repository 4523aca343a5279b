//! How fast the lab is, on one core: `cargo run --release -p samplez-check --example throughput`.

use samplez_check::tape::{Budget, enumerate};
use samplez_core::bits::{BitReader, bernoulli, uniform_below};
use samplez_core::samplers::Karney;
use samplez_core::{DiscreteGaussian, Int, Sampler};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::Verifier;
use std::time::Instant;

/// Values that are taken in at once.
const SLICE: usize = 1 << 17;

/// Rounds over the same values. Each slice's best time counts, so that what else the machine does does not.
const ROUNDS: usize = 9;

fn verify<T: Int>(sigma: &str) -> Result<(), Box<dyn std::error::Error>> {
    let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
    let mut samples = vec![T::ZERO; 1 << 24];
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    Karney::new(&law)?.fill(&mut bits, &mut samples)?;
    let empty = Verifier::new(&law)?;
    let mut best = vec![f64::INFINITY; samples.len() / SLICE];
    let mut verifier = empty.clone();
    for _ in 0..ROUNDS {
        verifier = empty.clone();
        for (slice, best) in samples.chunks(SLICE).zip(&mut best) {
            let start = Instant::now();
            verifier.push(slice);
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    // The first windows are looked at with every test, of the others one in 32.
    let rate = |best: &[f64]| (best.len() * SLICE) as f64 / best.iter().sum::<f64>() / 1e6;
    let start = Instant::now();
    let report = verifier.finish()?;
    println!(
        "verify sigma = {sigma:>14} {:4}: {:6.0} million a second, {:6.0} after the first 131072; finish {:?}; {}",
        T::NAME,
        rate(&best),
        rate(&best[1..]),
        start.elapsed(),
        if report.consistent { "consistent" } else { "rejected" }
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    verify::<i8>("3.2")?;
    verify::<i64>("3.2")?;
    verify::<i16>("215")?;
    verify::<i32>("1e4")?;
    verify::<i32>("1.6e5")?;
    verify::<i64>("1099511627776")?;
    let start = Instant::now();
    let law = enumerate(Budget::depth(60).runs(10_000_000), |bits| {
        let x = uniform_below(1000, bits) as i64;
        (0..4).all(|_| bernoulli(x as u128, 1000, bits)).then_some(x)
    })?;
    let rate = law.runs() as f64 / start.elapsed().as_secs_f64() / 1e6;
    println!("tape: {} runs, {rate:.1} million a second, undecided {:e}", law.runs(), law.undecided());
    Ok(())
}
