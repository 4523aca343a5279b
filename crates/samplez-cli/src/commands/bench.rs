//! `samplez bench`.

mod openssl;
mod sample;
mod schemes;
mod sources;

use crate::args::Bench;
use crate::failure::Failure;
use std::process::ExitCode;

pub(crate) fn run(args: &Bench) -> Result<ExitCode, Failure> {
    match args {
        Bench::Sample(args) => sample::run(args),
        Bench::Sources(args) => sources::run(args),
        Bench::Schemes(args) => schemes::run(args),
    }
}
