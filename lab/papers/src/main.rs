//! `samplez-lab`: what the papers report, measured again. Exit codes and errors are those of `samplez`.
#![forbid(unsafe_code)]

mod commands;

use clap::Parser;
use samplez_cli::testing::report_usage;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match commands::args::Cli::try_parse() {
        Ok(cli) => commands::run(&cli.command),
        Err(error) => report_usage(&error),
    };
    result.unwrap_or_else(|failure| failure.report())
}
