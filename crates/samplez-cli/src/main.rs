//! The `samplez` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    samplez_cli::run(std::env::args_os())
}
