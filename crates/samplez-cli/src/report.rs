//! Texts for the reader.

use crate::failure::Failure;
use crate::output::Output;
use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Style};
use serde_json::Value;

pub(crate) use crate::text::{columns, symbols};

/// Prints a finished text on standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut output = Output::stdout();
    output.write(text.as_bytes())?;
    output.finish()
}

/// Prints a report for programs.
pub fn print_json(report: &Value) -> Result<(), Failure> {
    print(&format!("{report:#}\n"))
}

/// Prints a text, its verdicts in colour if standard output is a terminal that shows colours and `NO_COLOR` is not set.
pub fn print_verdicts(text: &str) -> Result<(), Failure> {
    match AutoStream::choice(&std::io::stdout()) {
        ColorChoice::Never => print(text),
        _ => print(&coloured(text)),
    }
}

/// Words that verdicts begin with.
const GOOD: [&str; 4] = ["pass", "consistent", "valid", "met"];
const BAD: [&str; 4] = ["reject", "REJECTED", "INVALID", "MISSED"];

/// The last cells of lines that begin with the word of a verdict, or the lines: green or red.
fn coloured(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let begins = |text: &str, words: &[&str]| {
            let word = text.split([' ', ':']).next().unwrap_or_default();
            words.contains(&word)
        };
        let style = |text: &str| match text {
            text if begins(text, &GOOD) => Some(AnsiColor::Green.on_default()),
            text if begins(text, &BAD) => Some(AnsiColor::Red.on_default().bold()),
            _ => None,
        };
        let cell = line.rfind("  ").map_or(0, |at| at + 2);
        let (at, style) = match style(line) {
            Some(style) => (0, style),
            None => (cell, style(&line[cell..]).unwrap_or(Style::new())),
        };
        out += &format!("{}{style}{}{style:#}{end}", &line[..at], &line[at..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_coloured_and_nothing_else() {
        let (green, red, end) = ("\u{1b}[32m", "\u{1b}[1m\u{1b}[31m", "\u{1b}[0m");
        for (plain, painted) in [
            ("x at lags  1.0  pass\n", format!("x at lags  1.0  {green}pass{end}\n")),
            ("runs  reject", format!("runs  {red}reject{end}")),
            ("REJECTED: a  b does not\n", format!("{red}REJECTED: a  b does not{end}\n")),
            ("os  none  REJECTED by runs, mean\n", format!("os  none  {red}REJECTED by runs, mean{end}\n")),
            ("valid: x is signed\n", format!("{green}valid: x is signed{end}\n")),
        ] {
            assert_eq!(coloured(plain), painted);
        }
        for plain in ["family  p-value  verdict\n", "passable\n", "\n", "", "goal  method\n", "a  not applicable\n"] {
            assert_eq!(coloured(plain), plain);
        }
    }
}
