//! The laboratory's tools: `cargo tools COMMAND`. They write documents, tables and vectors that the library makes, and keep the
//! figures of mutants, planted faults, soak, coverage and fuzzing.
//!
//! Each prints every violation with its place, and exits with 1 if there was one, with 2 if it could not run.

use std::path::Path;
use std::process::ExitCode;
use xtask::files::Findings;
use xtask::report as reported;

mod ages;
mod asm;
mod coverage;
mod covered;
mod faults;
mod fuzzed;
mod leaks;
mod modules;
mod mutants;
mod plants;
mod proofs;
mod r;
mod report;
mod rounders;
mod schemes;
mod soak;
mod speeds;
mod statics;
mod streams;
mod tables;
mod trust;

const USAGE: &str = "\
usage: cargo tools COMMAND

  check-asm PROGRAM
               the instructions of a program or library of ours, where constant or isochronous time is claimed
  check-leaks FOLDER
               leaks that are planted in a copy of the sources, below FOLDER, are found by samplez-ct
  plant-leaks FOLDER
               the next 48 leaks of a rule, in a copy below FOLDER, and which of them are found, in docs/trust/leaks.csv: a quarter of
               an hour; again for the next ones
  gen-docs     writes the documents' tables of methods, options, proofs and the planner's order, their types in TypeScript, and R's
               functions of each distribution; with --check, compares them
  gen-report   writes docs/papers-reproduced.md, the tables of docs/sources-measured.md and docs/images/report/ from the run that is kept in
               docs/report/; with a folder, that of `samplez-lab report`, keeps it first and prints the verdicts that it changes; with --check,
               compares them
  gen-trust    writes the tables of docs/trust.md from the measurements that are kept in docs/trust/, and which of them are older than
               the code; with --check, compares them
  gen-tables   writes the tables of examples/microcontroller; with --check, compares them with what `samplez table` makes
  gen-proofs   writes lab/check/coq/Tables.v, the tables about which Coq proves theorems; with --check, compares it
  gen-kat      writes kat/streams.csv, kat/rounders.csv and kat/schemes.csv, with their sums; with --check, compares them with what the
               code makes
  soak         draws what docs/trust/soak.csv lacks, 10^10 samples a row, and judges them: hours, with --release; of one METHOD, `auto` or
               `stores` alone;
               with `matrix` what docs/trust/matrix.csv lacks, every method over every source on this build's backend
  check-faults FOLDER  plants faults in a copy of the sources, one by one, and keeps in docs/trust/faults.csv which tests find each: a quarter of an hour
  check-mutants PATHS  makes the mutants of the files below PATHS (one argument, with spaces between), in the core, the sources or the
               tables, that docs/trust/mutants.csv has not judged as they stand, and keeps which of them no test notices; a survivor
               without a reason is a finding: hours
  keep-coverage LCOV  keeps the coverage of the libraries in docs/trust/coverage.csv
  keep-fuzz LOG  keeps a run of the fuzz target of that name in docs/trust/fuzz.csv, from libFuzzer's log
  measure-speeds  writes crates/samplez/src/speeds/, what plans say of speeds, of all classes of machines or of the one named:
               on an idle machine, some minutes
";

/// Writes the vectors with their sums, or compares them.
fn vectors(root: &Path, check: bool) -> Findings {
    let files = [
        ("streams.csv", streams::generate()),
        ("rounders.csv", rounders::generate()),
        ("schemes.csv", schemes::generate()),
    ];
    let mut findings = Vec::new();
    for (file, text) in files {
        let text = text.map_err(|error| std::io::Error::other(error.to_string()))?;
        findings.extend(xtask::files::made(root, &format!("kat/{file}"), &text, "tools gen-kat", check)?);
    }
    if check { Ok(findings) } else { xtask::kat::write(root, &["streams.csv", "rounders.csv", "schemes.csv"]) }
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default();
    let mut args = std::env::args().skip(1);
    let (command, rest) = (args.next(), args.next());
    let findings = match (command.as_deref(), rest.as_deref()) {
        (Some("gen-docs"), None) => tables::run(&root, false),
        (Some("gen-docs"), Some("--check")) => tables::run(&root, true),
        (Some("gen-kat"), None) => vectors(&root, false),
        (Some("gen-kat"), Some("--check")) => vectors(&root, true),
        (Some("gen-report"), argument) => report::run(&root, argument),
        (Some("gen-trust"), None) => trust::run(&root, false),
        (Some("gen-trust"), Some("--check")) => trust::run(&root, true),
        (Some("gen-tables"), None) => statics::run(&root, false),
        (Some("gen-tables"), Some("--check")) => statics::run(&root, true),
        (Some("gen-proofs"), None) => proofs::run(&root, false),
        (Some("gen-proofs"), Some("--check")) => proofs::run(&root, true),
        (Some("soak"), what) => soak::run(&root, what),
        (Some("keep-coverage"), Some(lcov)) => covered::keep(&root, Path::new(lcov)),
        (Some("check-faults"), Some(folder)) => faults::check(&root, Path::new(folder)),
        (Some("check-mutants"), Some(path)) => mutants::check(&root, path),
        (Some("keep-fuzz"), Some(log)) => fuzzed::keep(&root, Path::new(log)),
        (Some("measure-speeds"), class) => speeds::run(&root, class),
        (Some("check-asm"), Some(program)) => asm::check(&root, Path::new(program)),
        (Some("check-leaks"), Some(folder)) => plants::check(&root, Path::new(folder)),
        (Some("plant-leaks"), Some(folder)) => leaks::check(&root, Path::new(folder)),
        (Some("help" | "--help" | "-h"), None) => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    reported("tools", findings)
}
