//! `samplez bench`.

mod matrix;
mod openssl;
mod papers;
mod race;
mod sample;
mod schemes;
mod sources;
mod tradeoff;

use crate::args::Bench;
use crate::failure::Failure;
use std::process::ExitCode;

pub(crate) fn run(args: &Bench) -> Result<ExitCode, Failure> {
    match args {
        Bench::Sample(args) => sample::run(args),
        Bench::Sources(args) => sources::run(args),
        Bench::Matrix(args) => matrix::run(args),
        Bench::Papers(args) => papers::run(args),
        Bench::Tradeoff(args) => tradeoff::run(args),
        Bench::Schemes(args) => schemes::run(args),
    }
}
