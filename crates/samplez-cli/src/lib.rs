//! The `samplez` command line: parse, call `samplez`, then print, plot or write.
//!
//! The library part exists for the binary, its tests and the laboratory: [`run`] is the whole program.
//!
//! # Exit codes
//!
//! | code | meaning |
//! |---|---|
//! | 0 | success; `verify`, `watch`: the samples are consistent with the distribution, or the signature is valid |
//! | 1 | `verify`, `watch`: the samples are rejected, or the signature is not valid |
//! | 2 | wrong arguments or wrong input |
//! | 3 | system error: disk full, file not writable, no entropy |
//! | 134 | out of memory: aborted with a message; no partial file is left |
//! | 141 | broken pipe on standard output; no message is printed |
//! | 130, 143, 129 | interrupted (Ctrl-C), terminated, hung up |
#![forbid(unsafe_code)]
// What only `testing` shows.
#![cfg_attr(not(feature = "testing"), allow(dead_code, unreachable_pub))]

mod args;
mod code;
mod commands;
mod draw;
mod failure;
mod files;
mod input;
mod measure;
mod numbers;
mod output;
mod plot;
mod progress;
mod report;
mod seeds;
mod tables;
mod text;
mod usage;

use clap::CommandFactory;
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
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let result = match args::parsed(&args) {
        Ok(cli) => commands::run(cli.command).map_err(|failure| match failure {
            failure::Failure::Input(_) => usage::eaten(args::Cli::command(), &args).unwrap_or(failure),
            failure => failure,
        }),
        Err(error) => {
            let wrong = moved(&error, &args).or_else(|| usage::failure(args::Cli::command(), &error, &args));
            wrong.map_or_else(|| failure::report_usage(&error), Err)
        }
    };
    result.unwrap_or_else(|failure| failure.report())
}

/// Commands that `samplez-lab` has.
const MOVED: [&str; 6] = ["papers", "report", "seeding", "bench papers", "bench matrix", "bench tradeoff"];

/// The answer to a command that `samplez-lab` has.
fn moved(error: &clap::Error, args: &[OsString]) -> Option<failure::Failure> {
    let named: Vec<&str> = args.iter().skip(1).take(2).filter_map(|arg| arg.to_str()).collect();
    let is_moved = |command: &&&str| named.join(" ") == **command || named.first() == Some(*command);
    let command = MOVED.iter().find(is_moved).filter(|_| error.kind() == clap::error::ErrorKind::InvalidSubcommand)?;
    let way = format!("in a clone of the repository, run `cargo run --release -p samplez-lab -- {command}`");
    Some(failure::Failure::input(command, format_args!("this command belongs to samplez-lab: {way}")))
}

/// Parts of the command that the laboratory and the tests use. This module is not part of the public interface.
#[cfg(feature = "testing")]
pub mod testing {
    pub use crate::args::{Law, Whole, count, precision, source};
    pub use crate::failure::{Failure, complain, report_usage};
    pub use crate::output::Output;
    pub use crate::plot::{Anchor, Raster};
    pub use crate::report::{print, print_json, print_verdicts};
    pub use crate::seeds::{SeedFrom, SeedPlan, Sources};

    /// The colours and marks of the command's pictures.
    pub mod draw {
        pub use crate::draw::*;
    }
    /// Files of integers.
    pub mod files {
        pub use crate::files::*;
    }
    /// How `samplez bench` measures.
    pub mod measure {
        pub use crate::measure::*;
    }
    /// Numbers and tables as text.
    pub mod text {
        pub use crate::text::*;
    }
}
