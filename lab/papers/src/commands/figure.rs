//! `samplez-lab figure`.

use super::args::Figure;
use samplez_cli::testing::{Failure, complain, print};
use samplez_lab::{Numbered, Picture, Report, Step};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Figure) -> Result<ExitCode, Failure> {
    let is_asked = |row: &Numbered| args.paper.as_ref().is_none_or(|key| *key == row.paper);
    let rows: Vec<Numbered> = Numbered::all().map_err(Failure::Input)?.into_iter().filter(is_asked).collect();
    let Some(number) = args.number.filter(|_| !args.list) else {
        print(&rows.iter().map(line).collect::<String>())?;
        return Ok(ExitCode::SUCCESS);
    };
    let of = |picture| rows.iter().filter(move |row| row.picture == picture).collect::<Vec<_>>();
    let [asked, other] = match args.table {
        true => [Picture::Table(number), Picture::Figure(number)],
        false => [Picture::Figure(number), Picture::Table(number)],
    };
    let found = of(asked);
    if found.is_empty() {
        let way = match (of(other).is_empty(), args.table) {
            (false, false) => "add --table for the table".to_owned(),
            (false, true) => "leave out --table for the figure".to_owned(),
            _ => format!("samplez-lab figure {} lists them", args.paper.as_deref().unwrap_or_default()),
        };
        return Err(Failure::Input(format!("NUMBER = {number}: no claim has {asked}; {way}")));
    }
    if let Some(row) = found.iter().find(|row| row.item.lacking.is_some()) {
        let (id, why) = (&row.item.id, row.item.lacking.as_deref().unwrap_or_default());
        return Err(Failure::Input(format!("NUMBER = {number}: {id} is not measured here: {why}; use make report")));
    }
    let only: Vec<String> = found.iter().map(|row| row.item.id.clone()).collect();
    let (quick, out) = (args.quick, args.out.clone());
    let report = Report { only: only.clone(), quick, again: false, out, merge: Vec::new(), unvectorized: None };
    let summary = report.run(|step| {
        if let Step::Failed(item, why) = step {
            complain(format_args!("error: {item}: {why}"));
        }
    })?;
    for row in found {
        print(&line(row))?;
    }
    print(&files(&args.out, &only)?)?;
    print(&numbers(&args.out, &only)?)?;
    Ok(if summary.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

/// A line of the list.
fn line(row: &Numbered) -> String {
    format!("{:<10}{:<10} {:<5}{}\n", row.paper, row.picture.to_string(), row.item.id, row.title())
}

/// The files of the items' charts.
fn files(out: &Path, items: &[String]) -> Result<String, Failure> {
    let folder = out.join("figures");
    let failed = |error: std::io::Error| Failure::System(format!("cannot read {}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if items.iter().any(|item| name.starts_with(&format!("{item}-"))) {
            files.push(format!("{}\n", path.display()));
        }
    }
    files.sort();
    Ok(files.concat())
}

/// The items' numbers beside the paper's.
fn numbers(out: &Path, items: &[String]) -> Result<String, Failure> {
    let path = out.join("findings.jsonl");
    let failed = |why: String| Failure::System(format!("cannot read {}: {why}", path.display()));
    let mut lines = String::new();
    for line in fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?.lines() {
        let row: Value = serde_json::from_str(line).map_err(|error| failed(error.to_string()))?;
        let (finding, claim) = (&row["finding"], row["claim"].as_str());
        let is_asked = items.iter().any(|item| row["row"] == item.as_str() && finding["item"] == item.as_str());
        let (Some(claim), true) = (claim, is_asked && !finding["ours"].is_null()) else { continue };
        let ours = finding["ours"].as_f64().map_or_else(
            || finding["ours"].as_str().unwrap_or_default().to_owned(),
            |number| format!("{} {}", short(number), finding["unit"].as_str().unwrap_or_default()),
        );
        let built = if finding["form"] == "as-built" { " as the paper built it" } else { "" };
        lines += &format!("{}: {claim} in print, {ours}{built}\n", finding["quantity"].as_str().unwrap_or_default());
    }
    Ok(lines)
}

/// A whole number, or four digits of another.
fn short(number: f64) -> f64 {
    if number.fract() == 0.0 { number } else { format!("{number:.3e}").parse().unwrap_or(number) }
}
