//! The `samplez` command line: parse, call `samplez`, then print, plot or write.
//!
//! The library part exists for the binary, its tests and the fuzz targets: [`run`] is the
//! whole program, [`files`] reads and writes files of integers.
//!
//! # Exit codes
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done; `verify`: the samples are consistent with the law, or the signature is valid |
//! | 1 | `verify`: the samples are rejected, or the signature is not valid |
//! | 2 | wrong arguments or wrong input |
//! | 3 | the system failed: the disk is full, the file cannot be written, no entropy |
//! | 141 | the reader of standard output closed the pipe; nothing is said |
//! | 130, 143, 129 | interrupted (Ctrl-C), terminated, hung up |
#![forbid(unsafe_code)]

mod args;
mod commands;
#[doc(hidden)] // the laboratory draws its pictures with the command's colours
pub mod draw;
mod failure;
pub mod files;
mod input;
#[doc(hidden)] // the laboratory measures as `samplez bench` does
pub mod measure;
mod numbers;
mod output;
mod plot;
mod progress;
mod report;
mod seeds;
#[doc(hidden)] // the laboratory formats numbers and tables as the command does
pub mod text;

use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program with these arguments, the first of which is the program's name, on the
/// process's own standard streams.
///
/// ```
/// use std::process::ExitCode;
/// assert_eq!(samplez_cli::run(["samplez", "sources"]), ExitCode::SUCCESS);
/// assert_eq!(samplez_cli::run(["samplez", "sample", "--sigma", "-1", "--count", "1"]), ExitCode::from(2));
/// ```
pub fn run<I, A>(args: I) -> ExitCode
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let result = match args::Cli::try_parse_from(&args) {
        Ok(cli) => commands::run(cli.command),
        Err(error) => moved(&error, &args).map_or_else(|| failure::report_usage(&error), Err),
    };
    result.unwrap_or_else(|failure| failure.report())
}

/// Commands that `samplez-lab` has.
const MOVED: [&str; 6] = ["papers", "report", "seeding", "bench papers", "bench matrix", "bench tradeoff"];

/// The answer to a command that `samplez-lab` has.
fn moved(error: &clap::Error, args: &[OsString]) -> Option<failure::Failure> {
    let named: Vec<&str> = args.iter().skip(1).take(2).filter_map(|arg| arg.to_str()).collect();
    let is_moved = |command: &&&str| named.join(" ") == **command || named.first() == Some(*command);
    let command = MOVED.iter().find(is_moved).filter(|_| error.kind() == clap::error::ErrorKind::InvalidSubcommand)?;
    let way = format!("in a clone of the repository, run `cargo run --release -p samplez-lab -- {command}`");
    Some(failure::Failure::input(command, format_args!("this command belongs to samplez-lab: {way}")))
}

/// Arguments, output and errors as `samplez` has them, for `samplez-lab`. No part of the public interface.
#[doc(hidden)]
pub mod lab {
    pub use crate::args::{Law, Whole, count, precision, source};
    pub use crate::failure::{Failure, complain, report_usage};
    pub use crate::output::Output;
    pub use crate::plot::png::render;
    pub use crate::report::{print, print_json, print_verdicts};
    pub use crate::seeds::{SeedFrom, SeedPlan, Sources};
}
