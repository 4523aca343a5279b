//! `samplez-lab papers`.

use super::args::Papers;
use samplez_check::papers::knuth_yao_bytes;
use samplez_cli::testing::Failure;
use samplez_cli::testing::{print, print_json};
use samplez_lab::Line;
use serde_json::{Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &Papers) -> Result<ExitCode, Failure> {
    if args.json {
        print_json(&as_json(args.repetitions).map_err(Failure::Input)?)?;
    } else {
        print(&samplez_lab::counts(args.repetitions).map_err(Failure::Input)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(repetitions: u32) -> Result<Value, String> {
    let lines = |lines: Vec<Line>| -> Vec<Value> {
        let line = |line: Line| {
            json!({
                "what": line.name, "exact": line.exact, "measured": line.measured, "paper": line.paper, "verdict": line.verdict,
            })
        };
        lines.into_iter().map(line).collect()
    };
    let sizes = knuth_yao_bytes()
        .into_iter()
        .map(|size| json!({ "what": size.name, "bytes": size.bytes, "paper": size.paper }));
    Ok(json!({
        "bits": lines(Line::bits(repetitions)?),
        "trials": lines(Line::trials(repetitions)?),
        "knuth_yao_matrices": sizes.collect::<Vec<_>>(),
        "repetitions": repetitions,
    }))
}
