//! `samplez-lab report`.

use super::args::Report;
use samplez_cli::testing::{Failure, complain};
use samplez_cli::testing::{print, print_json};
use samplez_lab::Step;
use serde_json::json;
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
        print_json(&json!({
            "reproduced": summary.reproduced,
            "contradicted": summary.contradicted,
            "not_comparable": summary.not_comparable,
            "not_measured": summary.not_measured,
            "failed": summary.failed.iter().map(|(item, why)| json!({ "item": item, "why": why })).collect::<Vec<_>>(),
            "page": summary.page.display().to_string(),
        }))?;
        return Ok(code);
    }
    print(&format!(
        "{} reproduced, {} contradicted, {} not comparable, {} not measured.\nThe page is {}.\n",
        summary.reproduced,
        summary.contradicted,
        summary.not_comparable,
        summary.not_measured,
        summary.page.display()
    ))?;
    Ok(code)
}
