//! `samplez papers`.

use crate::args::Papers;
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::report::{columns, print};
use samplez_check::papers::{Row, bit_counts, knuth_yao_bytes, trial_counts};
use std::process::ExitCode;

/// A measured mean, or a paper's figure, this close to the expectation reproduces it.
const CLOSE: f64 = 0.01;

pub(crate) fn run(args: &Papers) -> Result<ExitCode, Failure> {
    let mut sizes = vec![["bytes of Knuth-Yao matrices", "here", "paper"].map(String::from).to_vec()];
    for size in knuth_yao_bytes() {
        sizes.push(vec![size.name, grouped(size.bytes as i128), size.paper.into()]);
    }
    print(&format!(
        "{}\n{}\n{}",
        table("random bits of [DW18]", &bit_counts(args.repetitions)),
        table("trials of a sample", &trial_counts(args.repetitions)),
        columns(&sizes, &[1]),
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn table(title: &str, counts: &[Row]) -> String {
    let mut rows = vec![[title, "exact", "measured", "paper", "verdict"].map(String::from).to_vec()];
    rows.extend(counts.iter().map(row));
    columns(&rows, &[1, 2, 3])
}

fn row(row: &Row) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.4}"));
    let is_close = |a: f64, b: f64| (a / b - 1.0).abs() < CLOSE;
    let verdict = match (row.exact, row.paper) {
        (Some(exact), _) if !is_close(row.measured, exact) => "measured and exact differ",
        (exact, Some(paper)) if is_close(paper, exact.unwrap_or(row.measured)) => "the paper's figure is reproduced",
        (_, Some(_)) => "the paper's figure is not reproduced",
        (Some(_), None) => "measured agrees with exact",
        (None, None) => "measured only",
    };
    vec![row.name.clone(), number(row.exact), number(Some(row.measured)), number(row.paper), verdict.into()]
}
