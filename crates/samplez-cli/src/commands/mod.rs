//! One module for each command.

mod bench;
mod bytes;
mod certify;
mod methods;
mod papers;
mod plan;
mod plot;
mod round;
mod sample;
mod seeding;
mod sources;
mod verify;

use crate::args::{Build, Choice, Command};
use crate::failure::Failure;
use crate::output::Output;
use samplez::{DiscreteGaussian, Method, Noise};
use std::process::ExitCode;

/// Runs a command; the code is that of its verdict.
pub(crate) fn run(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Sample(args) => sample::run(&args),
        Command::Round(args) => round::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Certify(args) => certify::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Methods(args) => methods::run(&args),
        Command::Papers(args) => papers::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Sources => sources::run(),
        Command::Bytes(args) => bytes::run(&args),
        Command::Seeding(args) => seeding::run(&args),
        Command::Bench(args) => bench::run(&args),
    }
}

/// The sampler that the arguments ask for, and the method by which it works.
fn build(law: &DiscreteGaussian, args: &Build) -> Result<(Method, Box<dyn Noise>), Failure> {
    let options = args.tables.options();
    match args.method {
        Choice::Named(method) => samplez::build(law, Some(method), &options)
            .map(|sampler| (method, sampler))
            .map_err(|error| Failure::Input(error.to_string())),
        Choice::Auto => samplez::build_planned(law, &options)
            .map(|(plan, sampler)| (plan.method, sampler))
            .map_err(|error| Failure::Input(error.to_string())),
    }
}

/// The law as pictures write it.
fn symbols(law: &DiscreteGaussian) -> String {
    law.to_string().replace("sigma^2", "σ²").replace("sigma", "σ").replace("center", "c")
}

/// Prints a finished text on standard output.
fn print(text: &str) -> Result<(), Failure> {
    let mut output = Output::stdout();
    output.write(text.as_bytes())?;
    output.finish()
}

/// Rows as aligned columns, two spaces apart; the columns whose number is in `right` end at
/// their right edge.
fn columns(rows: &[Vec<String>], right: &[usize]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |column: usize| rows.iter().filter_map(|r| r.get(column)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(wide).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            if right.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_align() {
        let rows = [vec!["σ".to_string(), "1".into(), "x".into()], vec!["name".into(), "10".into()]];
        assert_eq!(super::columns(&rows, &[1]), "σ      1  x\nname  10\n");
    }
}
