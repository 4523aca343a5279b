//! Wrong command lines: what is wrong with the argument, the way out, and an example. The parser's own suggestions go by similar letters,
//! and may lead to another quantity.

use crate::failure::Failure;
use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use samplez::bindings::{near, way_out};
use std::error::Error;
use std::ffi::OsString;

/// The failure behind the parser's error; `None` for help, for the version, and for errors that the parser describes well.
pub(crate) fn failure(mut root: Command, error: &clap::Error, args: &[OsString]) -> Option<Failure> {
    root.build();
    let args: Vec<String> = args.iter().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let (command, path) = named(&root, &args);
    let what = Wrong { command, args: &args, error }.what()?;
    let mut text = what;
    if let Some(example) = example(command) {
        text += &format!("\nExample: {example}");
    }
    Some(Failure::Input(format!("{text}\nAll options: {path} --help")))
}

/// The command of these arguments, with its words.
fn named<'a>(root: &'a Command, args: &[String]) -> (&'a Command, String) {
    let (mut command, mut path) = (root, root.get_name().to_string());
    for arg in args {
        match command.find_subcommand(arg) {
            Some(next) => (command, path) = (next, format!("{path} {arg}")),
            None => break,
        }
    }
    (command, path)
}

/// The example in a command's description.
fn example(command: &Command) -> Option<String> {
    let about = command.get_long_about().or(command.get_about())?.to_string();
    let example = ["Example: ", "To begin: "].into_iter().find_map(|mark| about.split(mark).nth(1))?;
    example.lines().next().map(str::to_string)
}

struct Wrong<'a> {
    command: &'a Command,
    args: &'a [String],
    error: &'a clap::Error,
}

impl Wrong<'_> {
    fn what(&self) -> Option<String> {
        let argument = self.text(ContextKind::InvalidArg);
        Some(match self.error.kind() {
            ErrorKind::UnknownArgument => self.unknown(&argument?),
            ErrorKind::InvalidSubcommand => {
                let typed = self.text(ContextKind::InvalidSubcommand)?;
                let names = self.commands();
                let hint = near(&typed, &names).map_or(String::new(), |near| format!("; did you mean {near}?"));
                format!("{typed}: there is no such command; expected one of {}{hint}", names.join(", "))
            }
            ErrorKind::MissingSubcommand => format!("missing command: pass one of {}", self.commands().join(", ")),
            ErrorKind::InvalidValue => self.invalid(&argument?),
            ErrorKind::ValueValidation => {
                let (long, value) = (long(&argument?), self.text(ContextKind::InvalidValue)?);
                let why = self.error.source()?.to_string();
                // The reason may begin with the argument as the library spells it.
                let name = long.trim_start_matches('-').replace('-', "_");
                let why = why.strip_prefix(&format!("{name} = {value}: ")).unwrap_or(&why);
                format!("{long} = {value}: {why}")
            }
            ErrorKind::TooManyValues => {
                let (long, value) = (long(&argument?), self.text(ContextKind::InvalidValue)?);
                format!("{long} = {value}: {long} is a flag without a value; write {long} alone, or leave it out")
            }
            ErrorKind::ArgumentConflict => {
                let long = long(&argument?);
                let prior = self.texts(ContextKind::PriorArg);
                let others: Vec<String> = prior.iter().map(|other| self::long(other)).collect();
                match others.first() {
                    Some(other) if *other != long => {
                        let all = others.join(", ");
                        format!("{}: cannot be used with {all}; remove one of them", self.typed(&long))
                    }
                    _ => format!("{long}: is given twice; pass it once"),
                }
            }
            ErrorKind::MissingRequiredArgument => {
                let missing =
                    self.texts(ContextKind::InvalidArg).iter().map(|argument| one_of(argument)).collect::<Vec<_>>();
                format!("missing {}", missing.join("; missing "))
            }
            _ => return None,
        })
    }

    fn unknown(&self, argument: &str) -> String {
        if argument.starts_with('-') && self.command.has_subcommands() {
            return format!("{argument}: expected a command before the options, one of {}", self.commands().join(", "));
        }
        let Some(name) = argument.strip_prefix('-').filter(|name| !name.is_empty()) else {
            let number = argument.parse::<samplez::Rational>().is_ok();
            let why = if number {
                "numbers follow the names of their options"
            } else {
                "expected an option, which begins with --"
            };
            return format!("{argument}: {why}");
        };
        let Some(name) = name.strip_prefix('-') else {
            // The parser reads -abc as -a -b -c.
            let typed = self.args.iter().find(|arg| arg.starts_with(argument)).map_or(argument, String::as_str);
            let name = typed.trim_start_matches('-');
            let known: Vec<String> = self.longs().filter(|known| known.len() > 1).collect();
            let hint = told(name, &known).map_or(String::new(), |hint| format!("; {hint}"));
            return format!("{typed}: unknown option; options begin with --{hint}");
        };
        match told(name, &self.longs().collect::<Vec<_>>()) {
            Some(hint) => format!("--{name}: unknown option; {hint}"),
            None => format!("--{name}: unknown option"),
        }
    }

    fn invalid(&self, argument: &str) -> String {
        let (long, value) = (long(argument), self.text(ContextKind::InvalidValue).unwrap_or_default());
        let valid = self.texts(ContextKind::ValidValue);
        let expected = if valid.is_empty() { String::new() } else { format!("expected one of {}", valid.join(", ")) };
        if value.is_empty() {
            let after = if expected.is_empty() { format!("write {argument}") } else { expected };
            return format!("{long}: has no value; {after}");
        }
        let names: Vec<&str> = valid.iter().map(String::as_str).collect();
        let hint = near(&value, &names).map_or(String::new(), |near| format!("; did you mean {near}?"));
        format!("{long} = {value}: {expected}{hint}")
    }

    /// The names of the options, as a recipe spells them.
    fn longs(&self) -> impl Iterator<Item = String> {
        self.command.get_arguments().filter_map(|arg| arg.get_long()).map(|long| long.replace('-', "_"))
    }

    fn commands(&self) -> Vec<&str> {
        self.command.get_subcommands().map(Command::get_name).filter(|name| *name != "help").collect()
    }

    /// An option with its value as it was typed, unless the value may be secret.
    fn typed(&self, long: &str) -> String {
        if SECRET.contains(&long) {
            return long.into();
        }
        let mut args = self.args.iter();
        while let Some(arg) = args.next() {
            if let Some(value) = arg.strip_prefix(long).and_then(|rest| rest.strip_prefix('=')) {
                return format!("{long} = {value}");
            }
            if arg == long {
                let takes_value = self.command.get_arguments().any(|known| {
                    known.get_long().is_some_and(|name| long.strip_prefix("--") == Some(name))
                        && known.get_action().takes_values()
                });
                return args.next().filter(|_| takes_value).map_or(long.into(), |value| format!("{long} = {value}"));
            }
        }
        long.into()
    }

    fn text(&self, kind: ContextKind) -> Option<String> {
        self.texts(kind).into_iter().next()
    }

    fn texts(&self, kind: ContextKind) -> Vec<String> {
        match self.error.get(kind) {
            Some(ContextValue::String(text)) => vec![text.clone()],
            Some(ContextValue::Strings(texts)) => texts.clone(),
            _ => Vec::new(),
        }
    }
}

/// The options whose values no message repeats.
const SECRET: [&str; 2] = ["--seed", "--entropy"];

/// The hint for an unknown option, in the command's spelling.
fn told(name: &str, known: &[String]) -> Option<String> {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let hint = way_out(name, &known)?;
    let mut pieces = hint.split('`');
    let mut text = pieces.next()?.to_string();
    while let (Some(name), Some(rest)) = (pieces.next(), pieces.next()) {
        text += &format!("--{}{rest}", name.replace('_', "-"));
    }
    Some(text)
}

/// `--sigma` of `--sigma <Q>`.
fn long(argument: &str) -> String {
    argument.split(' ').next().unwrap_or(argument).to_string()
}

/// `one of --sigma <Q>, --s <Q>` of `<--sigma <Q>|--s <Q>>`.
fn one_of(argument: &str) -> String {
    match argument.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')) {
        Some(inner) if inner.contains('|') => format!("distribution: pass one of {}", inner.replace('|', ", ")),
        _ => argument.to_string(),
    }
}
