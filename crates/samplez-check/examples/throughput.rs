//! How fast the lab is, on one core: `cargo run --release -p samplez-check --example throughput`.

use samplez_check::stats::Verifier;
use samplez_check::tape::{Budget, enumerate};
use samplez_core::bits::{BitReader, bernoulli, uniform_below};
use samplez_core::params::DiscreteGaussian;
use samplez_core::sampler::{Int, Sampler};
use samplez_core::samplers::karney::Karney;
use samplez_sources::{ChaCha20, Seed};
use std::time::Instant;

/// Best of five rounds over the same values.
fn verify<T: Int>(sigma: &str) -> Result<(), Box<dyn std::error::Error>> {
    let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
    let mut samples = vec![T::ZERO; 16_000_000];
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    Karney::new(&law)?.fill(&mut bits, &mut samples)?;
    let empty = Verifier::new(&law)?;
    let mut best = f64::INFINITY;
    let mut verifier = empty.clone();
    for _ in 0..5 {
        verifier = empty.clone();
        let start = Instant::now();
        verifier.push(&samples);
        best = best.min(start.elapsed().as_secs_f64());
    }
    let start = Instant::now();
    let report = verifier.finish()?;
    let rate = samples.len() as f64 / best / 1e6;
    println!(
        "verify sigma = {sigma:>14} {:4}: {rate:6.0} million a second; finish {:?}; {}",
        T::NAME,
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
