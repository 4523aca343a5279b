//! `samplez-lab seeding`: a sampler under every random source, well and badly seeded.

use super::args::Seeding;
use samplez::{DiscreteGaussian, Seed};
use samplez_cli::testing::Failure;
use samplez_cli::testing::Output;
use samplez_cli::testing::{SeedFrom, SeedPlan};
use samplez_cli::testing::{print, print_json, print_verdicts};
use samplez_lab::seeding::{Trial, narrower, sheets, summary, tables};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Seeding) -> Result<ExitCode, Failure> {
    let plans = match &args.seed {
        // Not by the argument parser, which would repeat what is perhaps a secret with a slip.
        Some(text) => vec![SeedPlan::parse(text).map_err(|why| Failure::input("--seed", why))?],
        None => vec![SeedPlan::From(SeedFrom::Os), SeedPlan::Zeros],
    };
    let recipe = args.recipe.recipe()?;
    let (law, built) = (args.recipe.law()?, args.recipe.build()?);
    let narrower = narrower(&recipe);
    std::fs::create_dir_all(&args.out)
        .map_err(|error| Failure::System(format!("cannot make {}: {error}", args.out.display())))?;
    let mut trials = Vec::new();
    for source in &args.sources.0 {
        for plan in &plans {
            let first = trials.last().is_none_or(|trial: &Trial| trial.source != *source);
            if source.is_seeded() || first {
                let seed = if source.is_seeded() { plan.seed()? } else { Seed::from_bytes([0; 32]) };
                trials.push(Trial::run(&law, built.sampler(), &narrower, *source, (&seed, plan.name()), args.count)?);
            }
        }
    }
    if args.json {
        write(&args.out, &law, &trials, args.count)?;
        print_json(&json!({
            "law": law.to_string(),
            "method": built.method().map_or("", samplez::Method::name),
            "samples": args.count,
            "trials": trials.iter().map(Trial::as_json).collect::<Vec<_>>(),
            "folder": args.out.display().to_string(),
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    print_verdicts(&summary(&law, &trials, args.count, built.method().map_or("", samplez::Method::name)))?;
    write(&args.out, &law, &trials, args.count)?;
    print(&format!("\nPictures and figures are in {}.\n", args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// All files of the experiment.
fn write(folder: &Path, law: &DiscreteGaussian, trials: &[Trial], count: u64) -> Result<(), Failure> {
    for (name, sheet) in sheets(law, trials, count) {
        file(&folder.join(format!("{name}.svg")), sheet.draw().as_bytes())?;
    }
    for (name, text) in tables(trials) {
        file(&folder.join(format!("{name}.csv")), text.as_bytes())?;
    }
    Ok(())
}

fn file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    // A run's folder: that its files are written again is no news.
    let mut output = Output::file(path, true)?;
    output.write(bytes)?;
    output.finish()
}
