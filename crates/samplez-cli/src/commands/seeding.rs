//! `samplez seeding`.

mod sheets;
mod trial;

use crate::args::Seeding;
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::output::Output;
use crate::plot::png;
use crate::report::{columns, print};
use crate::seeds::{SeedFrom, SeedPlan};
use samplez::sources::SeededGenerator;
use samplez::{BitReader, Bulk, DiscreteGaussian, FillError, Noise, Rational, Recipe, Seed, Source, Width};
use samplez_check::seeding::{Run, RunError, repeating_bits};
use samplez_check::stats::Verdict;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use trial::Trial;

/// Words that are searched for bits that repeat.
const WORDS: usize = 4096;
/// The mean is measured at these eighths of the width's number.
const EIGHTHS: [i64; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

/// A law, and a sampler of it.
type Sampler = (DiscreteGaussian, Box<dyn Noise>);

pub(crate) fn run(args: &Seeding) -> Result<ExitCode, Failure> {
    let plans = match &args.seed {
        // Not by the argument parser, which would repeat what is perhaps a secret with a slip.
        Some(text) => vec![SeedPlan::parse(text).map_err(|why| Failure::input("--seed", why))?],
        None => vec![SeedPlan::From(SeedFrom::Os), SeedPlan::Zeros],
    };
    let recipe = args.recipe.recipe()?;
    let (law, built) = (recipe.law, args.recipe.build()?);
    let narrower = narrower(&recipe);
    std::fs::create_dir_all(&args.out)
        .map_err(|error| Failure::System(format!("cannot make {}: {error}", args.out.display())))?;
    let mut trials = Vec::new();
    for source in &args.sources.0 {
        for plan in &plans {
            let first = trials.last().is_none_or(|trial: &Trial| trial.source != *source);
            if source.is_seeded() || first {
                trials.push(trial(&law, built.sampler(), &narrower, *source, plan, args.count)?);
            }
        }
    }
    print(&summary(&law, &trials, args.count, built.method().name()))?;
    write(&args.out, &law, &trials, args.count)?;
    print(&format!("\nPictures and figures are in {}.\n", args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The samplers of eighths of the width, with their σ; fewer where the method refuses.
fn narrower(recipe: &Recipe) -> Vec<Sampler> {
    let law = recipe.law;
    let mut samplers = Vec::new();
    for eighth in EIGHTHS {
        let scaled = |q: Rational| {
            let (num, den) = (q.num().checked_mul(eighth), q.den().checked_mul(8));
            num.zip(den).and_then(|(num, den)| Rational::new(num, den))
        };
        let width = match law.width() {
            Width::Sigma(q) => scaled(q).map(Width::Sigma),
            Width::SigmaSq(q) => scaled(q).map(Width::SigmaSq),
            Width::KSigma2(q) => scaled(q).map(Width::KSigma2),
            Width::S(q) => scaled(q).map(Width::S),
        };
        let law = width.and_then(|width| DiscreteGaussian::new(law.center(), width).ok());
        if let Some(law) = law
            && let Ok(built) = (Recipe { law, ..*recipe }).build()
        {
            samplers.push((law, built.into_sampler()));
        }
    }
    samplers
}

/// One source under one seed.
fn trial(
    law: &DiscreteGaussian,
    sampler: &dyn Noise,
    narrower: &[Sampler],
    source: Source,
    plan: &SeedPlan,
    count: u64,
) -> Result<Trial, Failure> {
    let seed = if source.is_seeded() { plan.seed()? } else { Seed::from_bytes([0; 32]) };
    let run = draw(law, sampler, source, &seed, &mut reader(source, &seed), count)?;
    let mut by_sigma = Vec::new();
    // One stream for all widths, each of which goes on where the one before it ended: one beginning for all would be one mean.
    let mut bits = reader(source, &seed);
    for (law, sampler) in narrower {
        let run = draw(law, &**sampler, source, &seed, &mut bits, (count / 8).max(100))?;
        by_sigma.push((run.sigma, run.z));
    }
    let mut bytes = vec![0; 8 * WORDS];
    let stream = source.open(&seed).and_then(|mut rng| rng.try_fill_bytes(&mut bytes));
    stream.map_err(|error| Failure::System(error.to_string()))?;
    let words: Vec<u64> = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let seed = if source.is_seeded() { plan.name() } else { "none" };
    Ok(Trial { source, seed, run, by_sigma, repeating: repeating_bits(&words) })
}

/// The source's one continuous stream, if it takes a seed.
fn reader(source: Source, seed: &Seed) -> Option<BitReader<SeededGenerator>> {
    source.seeded(seed).map(BitReader::new)
}

/// Samples from a stream, or in bulk from a source that takes no seed.
fn draw(
    law: &DiscreteGaussian,
    sampler: &dyn Noise,
    source: Source,
    seed: &Seed,
    stream: &mut Option<BitReader<SeededGenerator>>,
    count: u64,
) -> Result<Run, Failure> {
    let run = match stream {
        Some(bits) => Run::new(law, count, |out| sampler.fill(bits, out).map_err(FillError::Range)),
        None => {
            let bulk = Bulk::new(sampler, source, seed.clone());
            Run::new(law, count, |out| bulk.fill(0, out))
        }
    };
    run.map_err(|error| match error {
        RunError::Draw(FillError::Entropy(error)) => Failure::System(error.to_string()),
        error => Failure::Input(error.to_string()),
    })
}

fn summary(law: &DiscreteGaussian, trials: &[Trial], count: u64, method: &str) -> String {
    let header = ["source", "seed", "mean", "z of the mean", "periodic bits", "verdict"];
    let mut rows = vec![header.map(String::from).to_vec()];
    for trial in trials {
        let mean = trial.run.track.last().map_or(0.0, |point| point.mean);
        rows.push(vec![
            trial.source.to_string(),
            trial.seed.to_string(),
            format!("{mean:.4}"),
            format!("{:.2}", trial.run.z),
            trial.repeating.to_string(),
            verdict(trial),
        ]);
    }
    let deviation = trials.first().map_or(0.0, |trial| trial.run.sigma) / (count as f64).sqrt();
    let mut text = format!(
        "{} samples of {law} by {method} for each source and seed.\n\
         The mean of ideal samples has standard deviation σ/√N = {deviation:.4}; z is its distance in that unit.\n\
         Periodic bits: of the 64 positions of a word, those that repeat within 512 words.\n\n{}",
        grouped(count),
        columns(&rows, &[2, 3, 4])
    );
    if trials.iter().any(|t| t.source == Source::Kiss64 && t.seed == "zeros") {
        text.push_str(
            "\nkiss64, zeros: x = c = 0 and y = 0 are fixed points of the multiply-with-carry and the xorshift part. Only\n\
             the congruential part runs, whose bit i has period 2^(i+1).\n",
        );
    }
    text
}

/// The tests that reject, the first three by name.
fn verdict(trial: &Trial) -> String {
    let rejecting: Vec<&str> = (trial.run.report.tests.iter())
        .filter(|test| test.verdict == Verdict::Reject)
        .map(|test| test.name.as_str())
        .collect();
    match rejecting.len() {
        0 => "consistent".to_string(),
        n => {
            let more = if n > 3 { format!(" and {} more", n - 3) } else { String::new() };
            format!("REJECTED by {}{more}", rejecting[..n.min(3)].join(", "))
        }
    }
}

/// All files of the experiment.
fn write(folder: &Path, law: &DiscreteGaussian, trials: &[Trial], count: u64) -> Result<(), Failure> {
    for (name, sheet) in sheets::all(law, trials, count) {
        let svg = sheet.draw();
        let picture = png::render(&svg).map_err(|error| Failure::System(format!("cannot render: {error}")))?;
        file(&folder.join(format!("{name}.svg")), svg.as_bytes())?;
        file(&folder.join(format!("{name}.png")), &picture)?;
    }
    let (mut summary, mut means, mut sigmas, mut samples) = (
        "source,seed,samples,mean,z,periodic bits,consistent\n".to_string(),
        "source,seed,n,mean,deviation\n".to_string(),
        "source,seed,sigma,z\n".to_string(),
        "source,seed,i,x\n".to_string(),
    );
    for trial in trials {
        let (source, seed, run) = (trial.source, trial.seed, &trial.run);
        let mean = run.track.last().map_or(0.0, |point| point.mean);
        let consistent = run.report.consistent;
        let _ = writeln!(summary, "{source},{seed},{},{mean},{},{},{consistent}", run.report.n, run.z, trial.repeating);
        for point in &run.track {
            let _ = writeln!(means, "{source},{seed},{},{},{}", point.n, point.mean, point.deviation);
        }
        for (sigma, z) in &trial.by_sigma {
            let _ = writeln!(sigmas, "{source},{seed},{sigma},{z}");
        }
        for (i, x) in run.head.iter().enumerate() {
            let _ = writeln!(samples, "{source},{seed},{i},{x}");
        }
    }
    for (name, text) in [("summary", summary), ("means", means), ("sigmas", sigmas), ("samples", samples)] {
        file(&folder.join(format!("{name}.csv")), text.as_bytes())?;
    }
    Ok(())
}

fn file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::file(path)?;
    output.write(bytes)?;
    output.finish()
}
