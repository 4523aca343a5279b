//! What the project's checks share with the laboratory's tools: walking the tree, tables, and the parts of documents that programs write.

pub mod csv;
pub mod files;
pub mod markers;

use files::Findings;
use std::path::Path;
use std::process::ExitCode;

/// A command: its name, what it does, and its function of the tree and of the argument.
pub type Command = (&'static str, &'static str, fn(&Path, Option<&str>) -> Findings);

/// Runs the command of the program's arguments. Prints every finding: exit code 0 without one, 1 with one, 2 if the command could not run.
pub fn run(program: &str, root: &Path, commands: &[Command]) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, argument) = (arguments.first().map(String::as_str), arguments.get(1).map(String::as_str));
    let command = commands.iter().find(|(known, ..)| name == Some(known));
    let Some((.., run)) = command.filter(|_| arguments.len() < 3) else {
        let list: String = commands.iter().map(|(name, does, _)| format!("  {name:<15} {does}\n")).collect();
        eprint!("usage: cargo {program} COMMAND\n\n{list}");
        return ExitCode::from(if matches!(name, Some("help" | "--help" | "-h")) { 0 } else { 2 });
    };
    match run(root, argument) {
        Ok(findings) => {
            findings.iter().for_each(|finding| eprintln!("{finding}"));
            ExitCode::from(u8::from(!findings.is_empty()))
        }
        Err(error) => {
            eprintln!("{program}: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether a generator shall compare, by its argument.
pub fn compares(argument: Option<&str>) -> std::io::Result<bool> {
    match argument {
        None => Ok(false),
        Some("--check") => Ok(true),
        Some(other) => Err(std::io::Error::other(format!("{other}: expected --check, or nothing"))),
    }
}
