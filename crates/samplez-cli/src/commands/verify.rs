//! `samplez verify`.
use crate::args::Verify;
use crate::failure::Failure;
use std::process::ExitCode;

pub(crate) fn run(_args: &Verify) -> Result<ExitCode, Failure> {
    Err(Failure::Input("later".into()))
}
