//! Times preimages at n = 64, q = 2^14, m = 1024: `cargo run --release -p samplez-lattice --example preimages`.
//!
//! The share of sampling is the time of as many calls with the same widths, apart from the products.

use samplez::{BitReader, DiscreteGaussian, FixedPoint, Rational, Sampler, Seed, Width};
use samplez_core::samplers::StripRounder;
use samplez_lattice::{Gadget, Parameters, Trapdoor};
use samplez_sources::ChaCha20;
use samplez_tables::build_isochronous;
use std::error::Error;
use std::time::{Duration, Instant};

/// The best and the median of 31 rounds, each divided by `count`.
fn timed(count: u32, mut round: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<[Duration; 2], Box<dyn Error>> {
    let mut times = Vec::new();
    for _ in 0..31 {
        let start = Instant::now();
        round()?;
        times.push(start.elapsed() / count);
    }
    times.sort();
    Ok([times[0], times[15]])
}

fn main() -> Result<(), Box<dyn Error>> {
    const TARGETS: usize = 64;
    let mut rng = ChaCha20::new(&Seed::from_number(1));
    let start = Instant::now();
    let trapdoor = Trapdoor::generate(&Parameters::new(64, 1 << 14), &mut rng)?;
    println!("key: {:?}; {trapdoor:?}; {:?}", start.elapsed(), trapdoor.bound());
    let (n, m) = (64, trapdoor.public().columns());
    let targets: Vec<u64> = (0..(n * TARGETS) as u64).map(|i| i * 7919 % (1 << 14)).collect();
    let mut out = vec![0; m * TARGETS];
    for batch in [1, 8, TARGETS] {
        let times = timed(TARGETS as u32, || {
            for (u, x) in targets.chunks(batch * n).zip(out.chunks_mut(batch * m)) {
                trapdoor.preimages(u, &mut rng, x)?;
            }
            Ok(())
        })?;
        println!("{batch} at a time: best {:?}, median {:?} a preimage", times[0], times[1]);
    }
    for (u, x) in targets.chunks(n).zip(out.chunks(m)) {
        assert_eq!(trapdoor.public().apply(x)?, u);
    }

    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_number(2)));
    let gadget = Gadget::new(2, 1 << 14, Rational::from(4))?;
    let s = trapdoor.sigma();
    let variance = Rational::from(s.num() * s.num() - 16);
    let bulk = build_isochronous(&DiscreteGaussian::new(Rational::ZERO, Width::SigmaSq(variance))?)?;
    let rounder = StripRounder::new(Rational::new(s.num(), 2).ok_or("s/2")?, s)?;
    let call = (FixedPoint::new("1/3".parse()?)?, rounder.width(Rational::from(s.num() * 9 / 10))?);
    let (mut last, mut first, mut z) = (vec![0_i32; 896 * TARGETS], vec![0; TARGETS], vec![0; 896 * TARGETS]);
    let sampling = timed(TARGETS as u32, || {
        bulk.fill(&mut bits, &mut last)?;
        for _ in 0..128 {
            rounder.round_batch(&[call; TARGETS], &mut bits, &mut first);
        }
        gadget.sample(&targets, &mut bits, &mut z)?;
        Ok(())
    })?;
    println!("sampling alone, {TARGETS} at a time: best {:?}, median {:?} a preimage", sampling[0], sampling[1]);
    Ok(())
}
