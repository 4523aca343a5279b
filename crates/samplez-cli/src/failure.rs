//! How a command fails: one line on standard error, and an exit code.

use samplez::{Options, Refused, bindings::Kind};
use std::fmt;
use std::io;
use std::process::ExitCode;

/// A shell reports 128 plus the signal's number for a program that a signal ends. SIGPIPE is 13 on every system that has it.
const SIGPIPE: u8 = 13;

/// Why a command stops. The exit codes are part of the interface: see the crate's head.
#[derive(Debug)]
pub enum Failure {
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
    pub fn input(name: &str, what: impl fmt::Display) -> Failure {
        Failure::Input(format!("{name}: {what}"))
    }

    /// A refusal of the library, with its arguments in the command's spelling.
    pub fn refused(refused: &Refused) -> Failure {
        Failure::Input(told(refused, spelled))
    }

    /// A failed write to `name`.
    pub(crate) fn write(name: &str, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            io::ErrorKind::FileTooLarge => Failure::System(format!(
                "cannot write {name}: {error}: the file would exceed the limit on file sizes (ulimit -f)"
            )),
            io::ErrorKind::NotFound => {
                Failure::System(format!("cannot write {name}: No such file or directory; create its directory first"))
            }
            _ => {
                // A temporary file's own path, which nobody named, is left out.
                let why = error.to_string();
                let why = why.split(" at path \"").next().unwrap_or(&why);
                Failure::System(format!("cannot write {name}: {why}"))
            }
        }
    }

    fn code(&self) -> u8 {
        match self {
            Failure::Input(_) => 2,
            Failure::System(_) => 3,
            Failure::ClosedPipe => 128 + SIGPIPE,
            Failure::Signal(number) => 128 + number,
        }
    }

    /// Prints the line, except for a broken pipe; returns the exit code.
    pub fn report(&self) -> ExitCode {
        if !matches!(self, Failure::ClosedPipe) {
            complain(format_args!("error: {self}"));
        }
        ExitCode::from(self.code())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(what) | Failure::System(what) => f.write_str(what),
            Failure::ClosedPipe => f.write_str("broken pipe on standard output"),
            Failure::Signal(2) => f.write_str("interrupted; nothing was written"),
            Failure::Signal(number) => write!(f, "stopped by signal {number}; nothing was written"),
        }
    }
}

/// An argument of a recipe as the command line has it: `--constant-time`, `--no-chord`. There is none for a width as such.
pub(crate) fn spelled(name: &str) -> String {
    let no = if flag(name) == Some(true) { "no-" } else { "" };
    if name == "width" { name.to_string() } else { format!("--{no}{}", name.replace('_', "-")) }
}

/// The name of an option, as the parser of arguments has it.
pub(crate) fn long(name: &str) -> String {
    spelled(name).trim_start_matches('-').to_string()
}

/// A refusal with every argument as `spell` has it. A flag has no value.
pub(crate) fn told(refused: &Refused, spell: impl Fn(&str) -> String) -> String {
    match flag(refused.argument()) {
        Some(_) => format!("{}: {}", spell(refused.argument()), refused.reason(spell)),
        None => refused.respelled(spell),
    }
}

/// The default of an option that is a flag.
pub(crate) fn flag(name: &str) -> Option<bool> {
    match Options::INFO.into_iter().find(|info| info.name == name)?.kind {
        Kind::Flag { default } => Some(default),
        _ => None,
    }
}

/// Prints one line on standard error, whole even where others write to it too. A failure is ignored.
pub fn complain(line: fmt::Arguments<'_>) {
    use io::Write;
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Prints the output of the argument parser: help and version on standard output, errors on
/// standard error.
pub fn report_usage(error: &clap::Error) -> Result<ExitCode, Failure> {
    match error.print() {
        Err(io_error) if !error.use_stderr() => Err(Failure::write("standard output", &io_error)),
        _ => Ok(ExitCode::from(if error.use_stderr() { 2 } else { 0 })),
    }
}
