//! `samplez papers`.

use crate::args::Papers;
use crate::failure::Failure;
use crate::report::print;
use std::process::ExitCode;

pub(crate) fn run(args: &Papers) -> Result<ExitCode, Failure> {
    print(&samplez_lab::counts(args.repetitions).map_err(Failure::Input)?)?;
    Ok(ExitCode::SUCCESS)
}
