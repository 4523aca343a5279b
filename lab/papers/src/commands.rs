//! One module for each command of `samplez-lab`.

pub(crate) mod args;
mod figure;
mod matrix;
mod papers;
mod races;
mod rand_state;
mod report;
mod seeding;
mod tradeoff;

use args::{Bench, Command, Timing};
use samplez_cli::testing::Failure;
use samplez_lab::Race;
use std::process::ExitCode;

/// Runs a command; the code is that of its verdict.
pub(crate) fn run(command: &Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Figure(args) => figure::run(args),
        Command::Papers(args) => papers::run(args),
        Command::RandState(args) => rand_state::run(args),
        Command::Report(args) => report::run(args),
        Command::Seeding(args) => seeding::run(args),
        Command::Bench(Bench::Matrix(args)) => matrix::run(args),
        Command::Bench(Bench::Papers(args)) => races::run(args),
        Command::Bench(Bench::Tradeoff(args)) => tradeoff::run(args),
    }
}

impl From<&Timing> for Race {
    fn from(timing: &Timing) -> Self {
        Race { source: timing.source, rounds: timing.rounds, turn: f64::from(timing.turn) / 1e3 }
    }
}
