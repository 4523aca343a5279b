//! Times [`Form`] at dimensions 64, 128 and 256, in two minutes: `cargo run --release -p samplez-lattice --example klein`. Arguments are
//! other dimensions.
//!
//! Bases have random entries from -512 to 511. Sampling is timed on A·v = 0 modulo 257 at σ = 60, with a random A of n/4 rows, by
//! `Form::fill` and by `Form::sample_each` in turn.

use samplez::{BitReader, Seed, Source};
use samplez_lattice::{Form, Matrix};
use samplez_sources::ChaCha20;
use std::error::Error;
use std::time::Instant;

/// A matrix of entries below 2^bits, from a linear congruential generator.
fn random(rows: usize, columns: usize, bits: u32, offset: i64) -> Result<Matrix, samplez::Refused> {
    let mut state = 1_u64;
    let mut entry = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> (64 - bits)) as i64 - offset
    };
    let rows: Vec<Vec<i64>> = (0..rows).map(|_| (0..columns).map(|_| entry()).collect()).collect();
    Matrix::new(&rows)
}

fn main() -> Result<(), Box<dyn Error>> {
    let given = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<Vec<usize>, _>>()?;
    for n in if given.is_empty() { vec![64, 128, 256] } else { given } {
        let basis = random(n, n, 10, 512)?;
        let start = Instant::now();
        let form = Form::basis(&basis, "1000000".parse()?)?;
        println!("n = {n}: form of a random basis in {:?}, acceptance {:.6}", start.elapsed(), form.acceptance());

        let start = Instant::now();
        let form = Form::qary(&random(n / 4, n, 8, 0)?, 257, "60".parse()?)?;
        println!("n = {n}: form of a kernel in {:?}, acceptance {:.6}", start.elapsed(), form.acceptance());
        let mut vectors = vec![0; 256 * n];
        let forms = vec![form.clone(); 256];
        let (mut times, mut together) = (Vec::new(), Vec::new());
        for round in 0..31 {
            let start = Instant::now();
            form.fill(Source::ChaCha20, &Seed::from_number(round), 0, &mut vectors)?;
            times.push(start.elapsed().as_nanos() as usize / vectors.len());
            let mut bits = BitReader::new(ChaCha20::new(&Seed::from_number(round)));
            let start = Instant::now();
            Form::sample_each(&forms, &mut bits, &mut vectors)?;
            together.push(start.elapsed().as_nanos() as usize / vectors.len());
        }
        times.sort();
        together.sort();
        println!("n = {n}: together least {} ns, median {} ns an integer", together[0], together[15]);
        println!("n = {n}: least {} ns, median {} ns an integer", times[0], times[15]);
    }
    Ok(())
}
