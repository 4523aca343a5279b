//! How a command fails: one line on standard error, and an exit code.

use samplez::{
    Options, Refused,
    bindings::{Kind, NoMethod},
};
use std::fmt;
use std::io;
use std::process::ExitCode;

/// A shell tells 128 more of a program that a signal ends; that of a closed pipe is 13 on all that have it.
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

    /// What the library refuses, with its arguments as they are spelled here.
    pub fn refused(refused: &Refused) -> Failure {
        Failure::Input(told(refused, spelled))
    }

    /// A failed write to `name`.
    pub(crate) fn write(name: &str, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            io::ErrorKind::FileTooLarge => Failure::System(format!(
                "cannot write {name}: {error}: no room below the limit on the size of files (ulimit -f)"
            )),
            _ => Failure::System(format!("cannot write {name}: {error}")),
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

    /// Prints the line, but of a closed pipe, whose reader has what it wanted; returns the exit code.
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
            Failure::ClosedPipe => f.write_str("the reader of standard output closed the pipe"),
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

/// A refusal with every argument as `spell` has it; a flag is typed without a value, and a method that was left open not
/// at all.
pub(crate) fn told(refused: &Refused, spell: impl Fn(&str) -> String) -> String {
    let message = refused.respelled(&spell);
    let argument = spell(refused.argument());
    match message.strip_prefix(&format!("{argument} = {}: ", refused.value())) {
        Some(why) if NoMethod::of(refused).is_some() => why.to_string(),
        Some(why) if flag(refused.argument()).is_some() => format!("{argument}: {why}"),
        _ => message,
    }
}

/// What holds where an option that is a flag is not given.
pub(crate) fn flag(name: &str) -> Option<bool> {
    match Options::info(name).ok()?.kind {
        Kind::Flag { default } => Some(default),
        _ => None,
    }
}

/// One line on standard error, whole even where others write to it too. If that fails there is nobody left to tell.
pub fn complain(line: fmt::Arguments<'_>) {
    use io::Write;
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// What the argument parser has to say: help and version on standard output, errors on
/// standard error.
pub fn report_usage(error: &clap::Error) -> Result<ExitCode, Failure> {
    match error.print() {
        Err(io_error) if !error.use_stderr() => Err(Failure::write("standard output", &io_error)),
        _ => Ok(ExitCode::from(if error.use_stderr() { 2 } else { 0 })),
    }
}
