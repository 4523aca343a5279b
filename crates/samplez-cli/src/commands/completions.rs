//! `samplez completions`.

use crate::args::{Cli, Completions};
use crate::failure::Failure;
use crate::report::print;
use clap::CommandFactory;
use std::process::ExitCode;

pub(crate) fn run(args: &Completions) -> Result<ExitCode, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "samplez", &mut text);
    print(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}
