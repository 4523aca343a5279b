//! How often ideal samples are rejected at levels that can be counted:
//! `cargo run --release -p samplez-check --example null_runs -- SIGMA CENTER VALUES RUNS [FIRST [OTHERS]]`.
//!
//! With OTHERS, so many more values of each run are a second sample, and the tests are those of two samples.
//!
//! For each family and for the whole (Holm's correction: the least p-value times the number of families), the share of runs
//! whose p-value is at most 1e-2, 1e-3 and 1e-4, in units of that level: 1 is exact, below 1 is conservative.

use samplez_core::bits::BitReader;
use samplez_core::samplers::Karney;
use samplez_core::{DiscreteGaussian, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::{Comparer, Test, Verifier};
use std::error::Error;

const LEVELS: [f64; 3] = [1e-2, 1e-3, 1e-4];

fn alone(empty: &Verifier, samples: &[i64]) -> Result<Vec<Test>, Box<dyn Error>> {
    let mut verifier = empty.clone();
    verifier.push(samples);
    Ok(verifier.finish()?.tests)
}

fn against(first: &[i64], second: &[i64]) -> Result<Vec<Test>, Box<dyn Error>> {
    let mut comparer = Comparer::new(first, second);
    comparer.push_first(first);
    comparer.push_second(second);
    Ok(comparer.finish()?.tests)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [sigma, center, values, runs, rest @ ..] = args.as_slice() else {
        return Err("SIGMA CENTER VALUES RUNS [FIRST [OTHERS]]".into());
    };
    let law = DiscreteGaussian::new(center.parse()?, Width::Sigma(sigma.parse()?))?;
    let (sampler, empty) = (Karney::new(&law)?, Verifier::new(&law)?);
    let (values, runs): (usize, u64) = (values.parse()?, runs.parse()?);
    let first: u64 = rest.first().map_or(Ok(0), |first| first.parse())?;
    let others: usize = rest.get(1).map_or(Ok(0), |others| others.parse())?;
    let mut samples = vec![0_i64; values + others];
    let mut counts: Vec<(String, u64, [u64; LEVELS.len()])> = Vec::new();
    let mut whole = [0_u64; LEVELS.len()];
    // The least p-value after Holm's correction, with its family and its run.
    let mut extreme = (f64::INFINITY, String::new(), 0);
    for run in first..first + runs {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&run.to_le_bytes());
        sampler.fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes(seed))), &mut samples)?;
        let tests =
            if others == 0 { alone(&empty, &samples)? } else { against(&samples[..values], &samples[values..])? };
        let applicable = tests.iter().filter(|test| test.p_value.is_some()).count() as f64;
        counts.resize(tests.len(), Default::default());
        let mut least = f64::INFINITY;
        for ((name, members, below), test) in counts.iter_mut().zip(tests) {
            (*name, *members) = (test.name, test.members);
            let Some(p) = test.p_value else { continue };
            if p * applicable < extreme.0 {
                extreme = (p * applicable, name.clone(), run);
            }
            least = least.min(p);
            below.iter_mut().zip(LEVELS).for_each(|(count, level)| *count += u64::from(p <= level));
        }
        whole.iter_mut().zip(LEVELS).for_each(|(count, level)| *count += u64::from(least * applicable <= level));
    }
    println!("sigma = {sigma}, center = {center}: {runs} runs of {values} values, against {others}");
    println!("least p-value {:.2e}: {} in run {}", extreme.0, extreme.1, extreme.2);
    counts.push(("all".into(), 0, whole));
    for (name, members, below) in counts {
        let share = |(count, level): (&u64, f64)| format!("{:8.3}", *count as f64 / runs as f64 / level);
        let shares: Vec<String> = below.iter().zip(LEVELS).map(share).collect();
        println!("{name:28} {members:4} {}", shares.join(" "));
    }
    Ok(())
}
