//! Wrong command lines: what is wrong with the argument, the way out, and an example. The parser's own suggestions go by similar letters,
//! and may lead to another quantity.

use crate::failure::{Failure, spelled};
use crate::files::Dtype;
use clap::Command;
use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use samplez::bindings::{meant, near, way_out};
use std::error::Error;
use std::ffi::OsString;
use std::path::Path;

/// The failure behind the parser's error; `None` for help, for the version, and for errors that the parser describes well.
pub(crate) fn failure(root: Command, error: &clap::Error, args: &[OsString]) -> Option<Failure> {
    if [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion].contains(&error.kind()) {
        return None;
    }
    told_of(root, args, |wrong| wrong.eaten().or_else(|| wrong.what(error)))
}

/// The failure of a command line that the parser accepts, with an option in the place of another one's value.
pub(crate) fn eaten(root: Command, args: &[OsString]) -> Option<Failure> {
    told_of(root, args, |wrong| wrong.eaten())
}

fn told_of(mut root: Command, args: &[OsString], what: impl Fn(&Wrong<'_>) -> Option<String>) -> Option<Failure> {
    root.build();
    let args: Vec<String> = args.iter().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let (command, path) = named(&root, &args);
    let mut text = what(&Wrong { root: &root, command, path: &path, args: &args })?;
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

/// Words that have a meaning of their own in these commands, and the way out.
const OWN: [(&[&str], &[&str], &str); 4] = [
    (&["round"], &["center", "mean", "loc", "mu"], "the numbers of the file are the centres"),
    (
        &["plot"],
        &["width", "height", "size", "figsize", "dpi", "bins", "nbins", "title", "xlim", "ylim"],
        "size, bars and axes follow from the distribution; an SVG scales to any size",
    ),
    (
        &["identify"],
        &["sigma", "sigma-squared", "s", "std", "center", "mean", "law", "recipe", "laplace", "skellam"],
        "the command verify tests a distribution that you name",
    ),
    (
        &["sign", "verify", "encrypt", "decrypt"],
        &["message", "msg"],
        "give the file of the message without an option's name; - is standard input",
    ),
];

struct Wrong<'a> {
    root: &'a Command,
    command: &'a Command,
    /// The command's name with those above it.
    path: &'a str,
    args: &'a [String],
}

impl Wrong<'_> {
    fn what(&self, error: &clap::Error) -> Option<String> {
        let argument = text(error, ContextKind::InvalidArg);
        Some(match error.kind() {
            ErrorKind::UnknownArgument => self.unknown(&argument?),
            ErrorKind::InvalidSubcommand => {
                let typed = text(error, ContextKind::InvalidSubcommand)?;
                let names = self.commands();
                let others = commands_with(self.root, "", &|command| command.get_name() == typed);
                let hint = match near(&typed, &names) {
                    Some(near) => format!("; did you mean {near}?"),
                    None if others.is_empty() => String::new(),
                    None => format!("; write {}", others.join(" or ")),
                };
                format!("{typed}: there is no such command; expected one of {}{hint}", names.join(", "))
            }
            ErrorKind::MissingSubcommand => format!("missing command: pass one of {}", self.commands().join(", ")),
            ErrorKind::InvalidValue => self.invalid(&argument?, error),
            ErrorKind::ValueValidation => {
                let (long, value) = (long(&argument?), text(error, ContextKind::InvalidValue)?);
                let why = error.source()?.to_string();
                // The reason may begin with the argument as the library spells it.
                let name = long.trim_start_matches('-').replace('-', "_");
                let why = why.strip_prefix(&format!("{name} = {value}: ")).unwrap_or(&why);
                let is_here = |way: &String| {
                    way.split('`').skip(1).step_by(2).all(|named| self.longs().any(|long| long == named))
                };
                let way = meant(&name, &value).filter(is_here).map(|way| format!("; {}", dashed(&way)));
                format!("{long} = {value}: {why}{}", way.filter(|_| !why.contains("; write ")).unwrap_or_default())
            }
            ErrorKind::TooManyValues => {
                let (long, value) = (long(&argument?), text(error, ContextKind::InvalidValue)?);
                format!("{long} = {value}: {long} is a flag without a value; write {long} alone, or leave it out")
            }
            ErrorKind::ArgumentConflict => {
                let long = long(&argument?);
                let prior = texts(error, ContextKind::PriorArg);
                // A group stands for all of its options.
                let others: Vec<String> = prior.iter().map(|other| self::long(other)).collect();
                if others.first().is_none_or(|other| *other == long) {
                    return Some(format!("{long}: is given twice; pass it once"));
                }
                let is_typed = |other: &&String| !other.starts_with("--") || self.is_typed(other);
                let all: Vec<String> = others.iter().filter(is_typed).map(|other| self.named(other)).collect();
                format!("{}: cannot be used with {}; remove one of them", self.named(&long), all.join(", "))
            }
            ErrorKind::MissingRequiredArgument => {
                let missing = texts(error, ContextKind::InvalidArg)
                    .iter()
                    .map(|argument| self.missing(argument))
                    .collect::<Vec<_>>();
                let one = [("--entropy", "--nonce"), ("--nonce", "--entropy")]
                    .into_iter()
                    .find(|(one, other)| self.is_typed(one) && !self.is_typed(other));
                let both = one.map_or("", |_| "; a DRBG takes --entropy and --nonce together, or --seed alone");
                format!("missing {}{both}", missing.join("; missing "))
            }
            _ => return None,
        })
    }

    fn unknown(&self, argument: &str) -> String {
        if argument.starts_with('-') && self.command.has_subcommands() {
            return format!("{argument}: expected a command before the options, one of {}", self.commands().join(", "));
        }
        let Some(name) = argument.strip_prefix('-').filter(|name| !name.is_empty()) else {
            return format!("{argument}: {}", self.stray(argument));
        };
        let Some(name) = name.strip_prefix('-') else {
            // The parser reads -abc as -a -b -c.
            let typed = self.args.iter().find(|arg| arg.starts_with(argument)).map_or(argument, String::as_str);
            let name = match typed.trim_start_matches('-') {
                "q" => "silent", // no modulus
                name => name,
            };
            let known: Vec<String> = self.longs().filter(|known| known.len() > 1).collect();
            let hint = told(name, &known).map_or(String::new(), |hint| format!("; {hint}"));
            return format!("{typed}: unknown option; options begin with --{hint}");
        };
        let own = OWN.iter().find(|(commands, words, _)| {
            commands.contains(&self.command.get_name()) && words.contains(&name.split('=').next().unwrap_or(name))
        });
        match own.map(|(.., way)| way.to_string()).or_else(|| told(name, &self.longs().collect::<Vec<_>>())) {
            Some(hint) => format!("--{name}: unknown option; {hint}"),
            None => format!("--{name}: unknown option{}", self.elsewhere(name)),
        }
    }

    /// The commands that have an option of this name.
    fn elsewhere(&self, name: &str) -> String {
        let has = |command: &Command| command.get_arguments().any(|known| known.get_long() == Some(name));
        let others = commands_with(self.root, "", &has);
        match others.len() {
            0 => String::new(),
            1..=3 => format!("; it belongs to {}", others.join(" and ")),
            _ => format!("; it belongs to other commands, such as {}", others[..2].join(" and ")),
        }
    }

    fn invalid(&self, argument: &str, error: &clap::Error) -> String {
        let (long, value) = (long(argument), text(error, ContextKind::InvalidValue).unwrap_or_default());
        let valid = texts(error, ContextKind::ValidValue);
        let expected = if valid.is_empty() { String::new() } else { format!("expected one of {}", valid.join(", ")) };
        if value.is_empty() {
            return self.without_value(&long);
        }
        let names: Vec<&str> = valid.iter().map(String::as_str).collect();
        let dtype = Some(&value).filter(|_| long == "--dtype").and_then(|name| Dtype::meant(name));
        let hint = match near(&value, &names) {
            Some(near) => format!("; did you mean {near}?"),
            // A distribution that is an option of its own.
            None if self.longs().any(|known| known == value) => format!("; did you mean --{value}?"),
            None if long == "--dtype" && value.starts_with(['u', 'U']) => {
                "; samples have signs; convert them to another type afterwards".into()
            }
            None if dtype.is_some() => dtype.map_or(String::new(), |dtype| format!("; did you mean {dtype}?")),
            None if long == "--dtype" => "; samples are integers; convert them to another type afterwards".into(),
            None if long == "--format" && value.contains("json") => {
                "; text has one integer in each line, of which `jq -s .` makes a JSON array".into()
            }
            None if long == "<SHELL>" => "; other shells complete no options".into(),
            None if long == "--law" && value.contains('=') => "; --recipe takes a distribution in one text".into(),
            None if long == "--law" => "; discrete is D_Z, and rounded a normal variable that is rounded".into(),
            None => String::new(),
        };
        format!("{long} = {value}: {expected}{hint}")
    }

    /// Why a stray word, number or file is refused.
    fn stray(&self, argument: &str) -> String {
        let has = |name: &str| self.command.get_arguments().any(|known| known.get_long() == Some(name));
        let is_number = argument.parse::<samplez::Rational>().is_ok();
        let files = self.command.get_positionals().filter(|known| known.get_value_names().is_some());
        let is_file =
            argument == "-" || !is_number && argument.contains(['.', '/', '\\']) || Path::new(argument).exists();
        let (name, value) = argument.split_at(argument.find('=').unwrap_or(argument.len()));
        match files.count() {
            _ if (!value.is_empty() || !is_file) && self.longs().any(|known| known == name) => {
                format!("expected an option; write {}{value}", spelled(name))
            }
            _ if self.flag_before(argument).is_some() => {
                let flag = self.flag_before(argument).unwrap_or_default();
                format!("{flag} is a flag without a value; remove {argument}")
            }
            _ if is_number && !is_file => "numbers follow the names of their options".into(),
            1 if has("against") => format!("expected one file; to compare two files, write --against {argument}"),
            1 if is_file => "expected one file; run the command once for each".into(),
            0 if is_file && has("table") => format!(
                "this command reads no samples; `samplez verify {argument}` tests a file of integers, and --table {argument} names a table"
            ),
            0 if is_file && has("out") => format!("this command reads no file; write --out {argument} for the output"),
            0 if is_file => "this command reads no file; remove it".into(),
            _ if has("basis") => {
                format!("expected an option; write --basis {argument} for a file of the lattice's basis")
            }
            _ if self.root.find_subcommand(argument).is_some() => {
                format!("expected an option; `{} {argument} --help` describes that command", self.root.get_name())
            }
            _ => format!("expected an option, which begins with --; `{} --help` lists them", self.path),
        }
    }

    /// The option without a value right before a word.
    fn flag_before(&self, word: &str) -> Option<&str> {
        let at = self.args.iter().position(|arg| arg == word)?;
        let before = self.args.get(at.checked_sub(1)?)?;
        let known = self.command.get_arguments().find(|known| known.get_long() == before.strip_prefix("--"))?;
        (before.starts_with("--") && !known.get_action().takes_values()).then_some(before)
    }

    /// A required argument, and what it is.
    fn missing(&self, argument: &str) -> String {
        let known = self.command.get_arguments().find(|known| {
            long(argument).trim_start_matches('-') == known.get_long().unwrap_or_default()
                || argument
                    == format!(
                        "<{}>",
                        known.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str())
                    )
        });
        let help = known.and_then(|known| known.get_help()).map(ToString::to_string).unwrap_or_default();
        let help = help.split(". ").next().and_then(|help| help.split(" [").next()).unwrap_or_default().trim();
        let values = known.map(|known| known.get_possible_values()).unwrap_or_default();
        let values: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
        match one_of(argument) {
            text if !values.is_empty() => format!("{text}: pass one of {}", values.join(", ")),
            text if text != argument || help.is_empty() => text,
            text => format!("{text}: {help}"),
        }
    }

    /// An option without its value, and the values that it takes.
    fn without_value(&self, long: &str) -> String {
        let name = long.trim_start_matches('-').replace('-', "_");
        let known = self.command.get_arguments().find(|known| known.get_long() == long.strip_prefix("--"));
        let hint = known.and_then(|known| known.get_value_names()).and_then(|names| names.first());
        let write = format!("{long}: has no value; write {long} <{}>", hint.map_or("VALUE", |hint| hint.as_str()));
        let of_recipe =
            || samplez::Recipe::from_pairs([(name.as_str(), "")]).err().map(|refused| refused.reason(spelled));
        let is_law = samplez::bindings::LawInfo::named(&name).is_some();
        let allowed = match !is_law && samplez::Recipe::names().any(|known| known == name) {
            true => of_recipe(),
            // The value's parser says what it takes.
            false => {
                let error =
                    self.command.clone().try_get_matches_from([self.command.get_name(), &format!("{long}=")]).err();
                let is_value = |error: &clap::Error| error.kind() == ErrorKind::ValueValidation;
                error.filter(is_value).and_then(|error| error.source().map(ToString::to_string))
            }
        };
        let allowed = allowed.map(|allowed| allowed.trim_start_matches("not a number; ").to_string());
        let valid = known.map(|known| known.get_possible_values()).unwrap_or_default();
        let valid: Vec<&str> = valid.iter().map(PossibleValue::get_name).collect();
        match allowed {
            _ if !valid.is_empty() => format!("{long}: has no value; expected one of {}", valid.join(", ")),
            Some(allowed) => format!("{write}; {allowed}"),
            None => write,
        }
    }

    /// The first option that takes a value and has another option in its place.
    fn eaten(&self) -> Option<String> {
        let find = |arg: &str| {
            let name = arg.strip_prefix("--")?;
            self.command.get_arguments().find(|known| known.get_long() == Some(name))
        };
        let pair = self.args.windows(2).find(|pair| {
            let next = pair[1].split('=').next().unwrap_or_default();
            find(&pair[0]).is_some_and(|known| known.get_action().takes_values()) && find(next).is_some()
        })?;
        Some(self.without_value(&pair[0]))
    }

    /// Whether this option is on the command line.
    fn is_typed(&self, long: &str) -> bool {
        self.args.iter().any(|arg| arg == long || arg.strip_prefix(long).is_some_and(|rest| rest.starts_with('=')))
    }

    /// An argument as it was typed: an option with its value, or the value of a file without an option.
    fn named(&self, argument: &str) -> String {
        if argument.starts_with("--") {
            return self.typed(argument);
        }
        let takes = |arg: &str| {
            self.command.get_arguments().any(|known| {
                known.get_long().is_some()
                    && known.get_long() == arg.strip_prefix("--")
                    && known.get_action().takes_values()
            })
        };
        let path = self.args.iter().position(|arg| arg == self.command.get_name()).map_or(0, |at| at + 1);
        let mut args = self.args[path..].iter();
        while let Some(arg) = args.next() {
            if takes(arg) {
                args.next();
            } else if arg == "-" || !arg.starts_with('-') {
                return arg.clone();
            }
        }
        argument.into()
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
}

/// The commands below this one that fit, with their words.
fn commands_with(above: &Command, path: &str, fits: &impl Fn(&Command) -> bool) -> Vec<String> {
    let path = format!("{path}{} ", above.get_name());
    let below = above.get_subcommands().filter(|command| command.get_name() != "help");
    let found = below.flat_map(|command| {
        let own = fits(command).then(|| format!("{path}{}", command.get_name()));
        own.into_iter().chain(commands_with(command, &path, fits))
    });
    found.collect()
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    texts(error, kind).into_iter().next()
}

fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

/// The options whose values no message repeats.
const SECRET: [&str; 2] = ["--seed", "--entropy"];

/// The hint for an unknown option, in the command's spelling.
fn told(name: &str, known: &[String]) -> Option<String> {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    way_out(name, &known).map(|hint| dashed(&hint))
}

/// The text with its arguments, which are in backticks, as options.
fn dashed(text: &str) -> String {
    let spell = |(at, piece): (usize, &str)| if at % 2 == 1 { spelled(piece) } else { piece.to_string() };
    text.split('`').enumerate().map(spell).collect()
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
