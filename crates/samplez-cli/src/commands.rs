//! One module for each command.

mod audit;
mod bench;
mod big;
mod bytes;
mod certify;
mod circuit;
mod completions;
mod identify;
mod lattice;
mod man;
mod methods;
mod plan;
mod plot;
mod round;
mod sample;
mod scheme;
mod sources;
mod table;
mod verify;
mod watch;

use crate::args::Command;
use crate::failure::Failure;
use std::process::ExitCode;

/// Runs a command; the code is that of its verdict.
pub(crate) fn run(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Sample(args) => sample::run(&args),
        Command::Round(args) => round::run(&args),
        Command::Lattice(args) => lattice::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Identify(args) => identify::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Certify(args) => certify::run(&args),
        Command::Table(args) => table::run(&args),
        Command::Circuit(args) => circuit::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Methods(args) => methods::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Sources(args) => sources::run(&args),
        Command::Bytes(args) => bytes::run(&args),
        Command::Scheme(args) => scheme::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
