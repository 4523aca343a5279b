//! The laboratory's tools: `cargo tools COMMAND`. They write documents, tables and vectors that the library makes, and keep the
//! figures of planted faults and leaks, soak and other runs.
//!
//! Each prints every violation with its place, and exits with 1 if there was one, with 2 if it could not run.
#![forbid(unsafe_code)]

use std::io::Error;
use std::path::Path;
use std::process::ExitCode;
use xtask::csv::{Table, fields};
use xtask::files::Findings;

mod ages;
mod asm;
mod coverage;
mod faults;
mod leaks;
mod modules;
mod proofs;
mod r;
mod report;
mod soak;
mod statics;
mod tables;
mod trust;
mod vectors;

const COMMANDS: [xtask::Command; 11] = [
    (
        "gen-docs",
        "writes tables of methods, options, proofs and the planner's order, their types in TypeScript, and R's functions",
        tables::run,
    ),
    (
        "gen-report",
        "writes docs/papers-reproduced.md, the tables of docs/sources-measured.md and docs/images/report/ from docs/report/; with a folder, \
         that of `samplez-lab report`, keeps it there first and prints the verdicts that it changes",
        report::run,
    ),
    ("gen-trust", "writes the figures of docs/trust.md from the measurements that are kept in docs/trust/", trust::run),
    ("gen-tables", "writes the tables of examples/microcontroller", statics::run),
    ("gen-proofs", "writes lab/check/coq/Tables.v and Netlists.v, about which Coq proves theorems", proofs::run),
    (
        "gen-kat",
        "writes kat/streams.csv, kat/rounders.csv and kat/schemes.csv, with all sums; with --check, each gen-… compares",
        vectors::run,
    ),
    (
        "check-asm",
        "PROGRAM: the instructions of a program or library of ours, where constant or isochronous time is claimed",
        asm::check,
    ),
    (
        "check-faults",
        "FOLDER: plants faults and leaks, one by one in a clone, and keeps what finds each: half an hour",
        faults::check,
    ),
    (
        "plant-leaks",
        "FOLDER: the next 48 leaks of a rule, in a clone, and which of them samplez-ct finds: a quarter of an hour",
        leaks::check,
    ),
    (
        "soak",
        "draws what docs/trust/soak.csv lacks, and judges it: hours, with --release; of one METHOD, `auto` or `stores` alone; with `matrix` \
         what docs/trust/matrix.csv lacks, every method over every source on this build's backend",
        soak::run,
    ),
    (
        "keep",
        "FILE,FIELD,…: keeps a row of docs/trust, in which {date}, {machine} and {commit} stand for today's",
        keep,
    ),
];

/// Keeps a row of a file, in place of the one with its first field.
fn keep(root: &Path, row: Option<&str>) -> Findings {
    let row = fields(row.unwrap_or_default());
    let (Some((file, row)), place) = (row.split_first().filter(|(_, row)| !row.is_empty()), samplez_lab::Place::here())
    else {
        return Err(Error::other("keep: expected FILE,FIELD,…"));
    };
    let today = samplez_lab::today();
    let filled = |field: &String| match field.as_str() {
        "{date}" => today.clone(),
        "{machine}" => place.machine.clone(),
        "{commit}" => place.commit.clone(),
        _ => field.clone(),
    };
    Table::open(root, file)?.put(1, row.iter().map(filled).collect()).map(|()| Vec::new())
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."));
    xtask::run("tools", root, &COMMANDS)
}
