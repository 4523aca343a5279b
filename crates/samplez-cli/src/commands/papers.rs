//! `samplez papers`.

use crate::args::Papers;
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::report::{columns, print};
use samplez_check::papers::knuth_yao_bytes;
use samplez_lab::Line;
use std::process::ExitCode;

pub(crate) fn run(args: &Papers) -> Result<ExitCode, Failure> {
    let mut sizes = vec![["bytes of Knuth-Yao matrices", "here", "paper"].map(String::from).to_vec()];
    for size in knuth_yao_bytes() {
        sizes.push(vec![size.name, grouped(size.bytes as i128), size.paper.into()]);
    }
    print(&format!(
        "{}\n{}\n{}",
        table("random bits of [DW18]", &Line::bits(args.repetitions).map_err(Failure::Input)?),
        table("trials of a sample", &Line::trials(args.repetitions).map_err(Failure::Input)?),
        columns(&sizes, &[1]),
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn table(title: &str, counts: &[Line]) -> String {
    let mut rows = vec![[title, "exact", "measured", "paper", "verdict"].map(String::from).to_vec()];
    rows.extend(counts.iter().map(row));
    columns(&rows, &[1, 2, 3])
}

fn row(line: &Line) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.4}"));
    let paper = line.paper.clone().unwrap_or_else(|| "-".into());
    vec![line.name.clone(), number(line.exact), number(line.measured), paper, line.verdict.into()]
}
