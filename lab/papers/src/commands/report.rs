//! `samplez-lab report`.

use super::args::Report;
use samplez_cli::testing::{Failure, complain};
use samplez_cli::testing::{print, print_json};
use samplez_lab::Step;
use serde_json::{Map, Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &Report) -> Result<ExitCode, Failure> {
    let report = samplez_lab::Report {
        only: args.only.clone(),
        quick: args.quick,
        again: args.again,
        out: args.out.clone(),
        merge: args.merge.clone(),
        unvectorized: args.unvectorized.clone(),
    };
    let summary = report.run(|step| match step {
        Step::Begins(..) if args.quiet => (),
        Step::Begins(item, title, number, of) => complain(format_args!("{number}/{of}  {item}  {title}")),
        Step::Failed(item, why) => complain(format_args!("error: {item}: {why}")),
    })?;
    let code = if summary.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(3) };
    if args.json {
        let verdicts: Map<String, Value> =
            summary.verdicts.iter().map(|(verdict, count)| (verdict.name().into(), (*count).into())).collect();
        print_json(&json!({
            "verdicts": verdicts,
            "failed": summary.failed.iter().map(|(item, why)| json!({ "item": item, "why": why })).collect::<Vec<_>>(),
            "page": summary.page.display().to_string(),
        }))?;
        return Ok(code);
    }
    let counts: Vec<String> =
        summary.verdicts.iter().map(|(verdict, count)| format!("{count} {}", verdict.name())).collect();
    print(&format!("{}.\nThe page is {}.\n", counts.join(", "), summary.page.display()))?;
    Ok(code)
}
