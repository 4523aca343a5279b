//! The command that is asked for, without the options of the others: to build all of them takes longer than a short run.

use super::Cli;
use clap::{ArgMatches, Args, Command, CommandFactory, Error, FromArgMatches, Subcommand};
use std::cell::Cell;
use std::ffi::OsString;
use std::ops::Deref;

thread_local! {
    /// Whether options are built when the parser meets their command.
    static DEFERS: Cell<bool> = const { Cell::new(false) };
}

/// Parses a command line. Other commands' options are built only where help or an error may show them.
pub(crate) fn parsed(args: &[OsString]) -> Result<Cli, Error> {
    let mut command = command(args.get(1).and_then(|name| name.to_str()));
    let mut matches = command.try_get_matches_from_mut(args)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// The parser for a command line that begins with this name.
fn command(name: Option<&str>) -> Command {
    DEFERS.set(true);
    let command = Cli::command();
    DEFERS.set(false);
    if name.is_some_and(|name| command.find_subcommand(name).is_some()) { command } else { Cli::command() }
}

/// The arguments of a command, or the commands below it.
pub(crate) struct Deferred<T>(T);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        if DEFERS.get() { command.defer(T::augment_args) } else { T::augment_args(command) }
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

impl<T: Subcommand> Subcommand for Deferred<T> {
    fn augment_subcommands(command: Command) -> Command {
        if DEFERS.get() { command.defer(T::augment_subcommands) } else { T::augment_subcommands(command) }
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        T::augment_subcommands_for_update(command)
    }

    fn has_subcommand(name: &str) -> bool {
        T::has_subcommand(name)
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Deferred)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(Deferred)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Help and errors are those of a parser that has all options.
    #[test]
    fn every_command_has_its_own_words() {
        let all = Cli::command();
        let names: Vec<&str> =
            all.get_subcommands().map(Command::get_name).chain(["help", "smaple", "--version"]).collect();
        assert!(names.len() > 18, "{names:?}");
        for name in names {
            let bliss =
                [&["bliss", "sign", "--help"][..], &["bliss", "keygen", "x"], &["bliss"], &["sources", "--no-such"]];
            for rest in [&["--help"][..], &["-h"], &["--no-such"], &["--sigma"], &["--sigma", "x"], &["x", "y"], &[]]
                .iter()
                .chain(&bliss)
            {
                let line = [&["samplez", name], *rest].concat();
                let words = |command: &mut Command| {
                    let parsed = command.try_get_matches_from_mut(&line);
                    parsed.map_or_else(
                        |error| error.render().to_string(),
                        |matches| format!("{:?}", matches.subcommand_name()),
                    )
                };
                assert_eq!(words(&mut command(Some(name))), words(&mut all.clone()), "{line:?}");
            }
        }
    }
}
