//! `samplez-lab bench tradeoff`: speed against memory, as \[BCGHW13\]'s figure has it.

use super::args::BenchTradeoff;
use samplez_cli::testing::Failure;
use samplez_cli::testing::Output;
use samplez_cli::testing::{print, print_json};
use samplez_lab::{Race, Tradeoff};
use std::process::ExitCode;

pub(crate) fn run(args: &BenchTradeoff) -> Result<ExitCode, Failure> {
    std::fs::create_dir_all(&args.out)
        .map_err(|error| Failure::System(format!("cannot make {}: {error}", args.out.display())))?;
    let measured = Tradeoff::measure(Race::from(&args.timing), &args.sigma)?;
    for (name, text) in [("tradeoff.csv", measured.csv()), ("tradeoff.svg", measured.draw())] {
        let mut output = Output::file(&args.out.join(name), true)?;
        output.write(text.as_bytes())?;
        output.finish()?;
    }
    if args.json {
        print_json(&measured.as_json())?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&format!("{}\nFigures and picture are in {}.\n", measured.text(), args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}
