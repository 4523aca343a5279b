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
mod failure;
pub mod files;
mod input;
mod numbers;
mod output;
mod plot;
mod progress;
mod report;
mod seeds;

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
    let result = match args::Cli::try_parse_from(args) {
        Ok(cli) => commands::run(cli.command),
        Err(error) => failure::report_usage(&error),
    };
    result.unwrap_or_else(|failure| failure.report())
}
