//! How often ideal samples are rejected at levels that can be counted:
//! `cargo run --release -p samplez-check --example null_runs -- SIGMA CENTER VALUES RUNS [FIRST [OTHERS [FILE]]]`.
//!
//! With OTHERS above 0, so many more values of each run are a second sample, and the tests are those of two samples.
//! With FILE, such as docs/trust/nulls.csv, the counts are kept after each thousand runs, and a call that was cut off resumes there.
//!
//! For each family and for the whole (Holm's correction: the least p-value times the number of families), the share of runs
//! whose p-value is at most 1e-2, 1e-3 and 1e-4, in units of that level: 1 is exact, below 1 is conservative.

use samplez_core::bits::BitReader;
use samplez_core::samplers::Karney;
use samplez_core::{DiscreteGaussian, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::{Comparer, Test, Verifier};
use std::error::Error;
use std::fs;
use std::path::Path;

const LEVELS: [f64; 3] = [1e-2, 1e-3, 1e-4];
const HEADER: &str = "sigma,center,values,others,family,tests,first,runs,1e-2,1e-3,1e-4,least";
/// Runs after which the counts are kept.
const TOGETHER: u64 = 1000;

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

/// Of a family, or of all: its name, its tests, how many p-values are at most each level, and the least.
#[derive(Clone)]
struct Counts {
    family: String,
    tests: u64,
    below: [u64; LEVELS.len()],
    least: f64,
}

impl Counts {
    fn count(&mut self, p: f64) {
        self.below.iter_mut().zip(LEVELS).for_each(|(count, level)| *count += u64::from(p <= level));
        self.least = self.least.min(p);
    }

    fn merge(&mut self, other: &Counts) {
        self.below.iter_mut().zip(other.below).for_each(|(count, more)| *count += more);
        self.least = self.least.min(other.least);
    }
}

/// The rows of these parameters: the counts of each family, and of how many runs.
fn kept(file: &Path, key: &str, first: u64) -> Result<(Vec<Counts>, u64), Box<dyn Error>> {
    let (mut kept, mut done) = (Vec::new(), 0);
    let text = if file.exists() { fs::read_to_string(file)? } else { String::new() };
    for row in text.lines().filter_map(|row| row.strip_prefix(key)) {
        let fields: Vec<&str> = row.split(',').collect();
        let [family, tests, from, runs, a, b, c, least] = fields[..] else { return Err(row.to_owned().into()) };
        if from.parse::<u64>()? != first {
            return Err(format!("FIRST = {first}: these runs are kept from {from} on").into());
        }
        done = runs.parse()?;
        let below = [a.parse()?, b.parse()?, c.parse()?];
        kept.push(Counts { family: family.into(), tests: tests.parse()?, below, least: least.parse()? });
    }
    Ok((kept, done))
}

/// Writes the rows of these parameters in the place of earlier ones.
fn keep(file: &Path, key: &str, first: u64, runs: u64, counts: &[Counts]) -> Result<(), Box<dyn Error>> {
    let text = if file.exists() { fs::read_to_string(file)? } else { format!("{HEADER}\n") };
    let mut text: String = text.lines().filter(|row| !row.starts_with(key)).map(|row| format!("{row}\n")).collect();
    for Counts { family, tests, below: [a, b, c], least } in counts {
        text += &format!("{key}{family},{tests},{first},{runs},{a},{b},{c},{least:e}\n");
    }
    Ok(fs::write(file, text)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [sigma, center, values, runs, rest @ ..] = args.as_slice() else {
        return Err("SIGMA CENTER VALUES RUNS [FIRST [OTHERS [FILE]]]".into());
    };
    let law = DiscreteGaussian::new(center.parse()?, Width::Sigma(sigma.parse()?))?;
    let (sampler, empty) = (Karney::new(&law)?, Verifier::new(&law)?);
    let (values, runs): (usize, u64) = (values.parse()?, runs.parse()?);
    let first: u64 = rest.first().map_or(Ok(0), |first| first.parse())?;
    let others: usize = rest.get(1).map_or(Ok(0), |others| others.parse())?;
    let file = rest.get(2).map(Path::new);
    let key = format!("{sigma},{center},{values},{others},");
    let (mut sums, mut done) = file.map_or(Ok((Vec::new(), 0)), |file| kept(file, &key, first))?;
    let mut samples = vec![0_i64; values + others];
    while done < runs {
        let end = (done + TOGETHER).min(runs);
        let mut counts: Vec<Counts> = Vec::new();
        let new = |family: String, tests| Counts { family, tests, below: [0; LEVELS.len()], least: f64::INFINITY };
        let mut whole = new("all".into(), 0);
        for run in first + done..first + end {
            let mut seed = [0; 32];
            seed[..8].copy_from_slice(&run.to_le_bytes());
            sampler.fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes(seed))), &mut samples)?;
            let tests =
                if others == 0 { alone(&empty, &samples)? } else { against(&samples[..values], &samples[values..])? };
            let applicable = tests.iter().filter(|test| test.p_value.is_some()).count() as f64;
            let mut least = f64::INFINITY;
            for test in tests {
                let at = counts.iter().position(|counts| counts.family == test.name).unwrap_or_else(|| {
                    counts.push(new(test.name.clone(), test.members));
                    counts.len() - 1
                });
                if let Some(p) = test.p_value {
                    counts[at].count(p);
                    least = least.min(p);
                }
            }
            whole.count(least * applicable);
        }
        counts.push(whole);
        for counts in counts {
            match sums.iter_mut().find(|sum| sum.family == counts.family) {
                Some(sum) => sum.merge(&counts),
                None => sums.push(counts),
            }
        }
        done = end;
        if let Some(file) = file {
            keep(file, &key, first, done, &sums)?;
        }
    }
    println!("sigma = {sigma}, center = {center}: {done} runs of {values} values, against {others}");
    for Counts { family, tests, below, least } in sums {
        let share = |(count, level): (u64, f64)| format!("{:8.3}", count as f64 / done as f64 / level);
        let shares: Vec<String> = below.into_iter().zip(LEVELS).map(share).collect();
        println!("{family:28} {tests:4} {} {least:9.2e}", shares.join(" "));
    }
    Ok(())
}
