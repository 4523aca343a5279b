//! How a command fails: one line on standard error, and an exit code.

use samplez::Refused;
use std::fmt;
use std::io;
use std::process::ExitCode;

/// Why a command stops. The exit codes are part of the interface: see the crate's head.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong arguments, or an input that cannot be used.
    Input(String),
    /// The system could not do its part: write, or give entropy.
    System(String),
    /// The reader of standard output has gone.
    ClosedPipe,
    /// A signal asked to stop.
    Signal(u8),
}

impl Failure {
    /// `name: what`, with exit code 2.
    pub(crate) fn input(name: &str, what: impl fmt::Display) -> Failure {
        Failure::Input(format!("{name}: {what}"))
    }

    /// What the library refuses, with its arguments as they are spelled here.
    pub(crate) fn refused(refused: &Refused) -> Failure {
        Failure::Input(refused.respelled(spelled))
    }

    /// A failed write to `name`.
    pub(crate) fn write(name: &str, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::System(format!("cannot write {name}: {error}")),
        }
    }

    fn code(&self) -> u8 {
        match self {
            Failure::Input(_) => 2,
            Failure::System(_) => 3,
            Failure::ClosedPipe => 4,
            Failure::Signal(number) => 128 + number,
        }
    }

    /// Prints the line; returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        complain(format_args!("error: {self}"));
        ExitCode::from(self.code())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(what) | Failure::System(what) => f.write_str(what),
            Failure::ClosedPipe => f.write_str("the reader of standard output closed the pipe"),
            Failure::Signal(2) => f.write_str("interrupted; nothing was written"),
            Failure::Signal(number) => write!(f, "stopped by signal {number}; nothing was written"),
        }
    }
}

/// An argument of a recipe as the command line has it.
pub(crate) fn spelled(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

/// One line on standard error. If that fails there is nobody left to tell.
pub(crate) fn complain(line: fmt::Arguments<'_>) {
    use io::Write;
    let _ = writeln!(io::stderr(), "{line}");
}

/// What the argument parser has to say: help and version on standard output, errors on
/// standard error.
pub(crate) fn report_usage(error: &clap::Error) -> Result<ExitCode, Failure> {
    match error.print() {
        Err(io_error) if !error.use_stderr() => Err(Failure::write("standard output", &io_error)),
        _ => Ok(ExitCode::from(if error.use_stderr() { 2 } else { 0 })),
    }
}
