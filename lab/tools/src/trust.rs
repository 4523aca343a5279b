//! docs/trust.md's tables, from what was measured and is kept in docs/trust/.

use crate::csv::{number, rows};
use crate::faults::{FAULTS, FAULTS_HEADER};
use crate::leaks::{self, LEAKS, LEAKS_HEADER};
use crate::mutants::{self, MUTANTS, MUTANTS_HEADER};
use crate::proofs;
use crate::soak::{MATRIX, MATRIX_HEADER, SOAK, SOAK_HEADER};
use samplez::{Method, Source};
use samplez_cli::testing::text::grouped;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::Path;
use xtask::files::Findings;
use xtask::markers;

const FILE: &str = "docs/trust.md";

const FUZZ: &str = "docs/trust/fuzz.csv";
const FUZZ_HEADER: &str = "target,oracle,date,machine,commit,seconds,executions,edges,corpus,findings";
pub(crate) const COVERAGE: &str = "docs/trust/coverage.csv";
pub(crate) const COVERAGE_HEADER: &str = "crate,lines,covered,date,machine,commit";
pub(crate) const UNCOVERED: &str = "docs/trust/uncovered.csv";
pub(crate) const UNCOVERED_HEADER: &str = "file,lines,why";
const ERASED: &str = "docs/trust/erased.csv";
const ERASED_HEADER: &str = "value,windows,found alive,found after the drop,copies on the stack";

/// Writes the tables, or with `check` compares them.
pub(crate) fn run(root: &Path, check: bool) -> Findings {
    let tables = [
        ("proofs", proofs::stated()),
        ("fuzz", fuzz(root)?),
        ("coverage", coverage(root)?),
        ("uncovered", uncovered(root)?),
        ("mutants", mutants(root)?),
        ("survivors", survivors(root)?),
        ("faults", faults(root)?),
        ("leaks", leaks(root)?),
        ("soak", soak(root)?),
        ("matrix", matrix(root)?),
        ("erased", erased(root)?),
    ];
    Ok([markers::fill(root, FILE, "tools gen-trust", &tables, check)?, mutants::unexplained(root)?].concat())
}

/// A table of what was measured, or that nothing was; or that it has no line.
fn table(root: &Path, measured: &str, head: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return if root.join(measured).exists() { "None.\n" } else { "Not measured yet.\n" }.into();
    }
    let columns = head.matches('|').count() - 1;
    let mut text = format!("{head}\n|{}\n", "---|".repeat(columns));
    lines.iter().for_each(|line| text += &format!("{line}\n"));
    text
}

fn fuzz(root: &Path) -> io::Result<String> {
    let mut lines = Vec::new();
    for [target, oracle, date, machine, commit, seconds, executions, edges, corpus, findings] in
        rows(root, FUZZ, FUZZ_HEADER)?
    {
        lines.push(format!(
            "| `{target}` | {oracle} | {seconds} s | {} | {} | {} | {findings} | {machine}, {date}, {commit} |",
            grouped(number(&executions)?),
            grouped(number(&edges)?),
            grouped(number(&corpus)?)
        ));
    }
    Ok(table(
        root,
        FUZZ,
        "| target | what it holds results against | time | executions | edges | corpus | findings | where and when |",
        &lines,
    ))
}

fn coverage(root: &Path) -> io::Result<String> {
    let mut lines = Vec::new();
    for [name, all, covered, date, machine, commit] in rows(root, COVERAGE, COVERAGE_HEADER)? {
        let (all, covered) = (number(&all)?, number(&covered)?);
        let share = 100.0 * covered as f64 / all as f64;
        lines.push(format!(
            "| `{name}` | {} | {} | {share:.1} % | {machine}, {date}, {commit} |",
            grouped(all),
            grouped(all - covered)
        ));
    }
    Ok(table(root, COVERAGE, "| package | lines of code | never run | run | where and when |", &lines))
}

fn uncovered(root: &Path) -> io::Result<String> {
    let rows = rows(root, UNCOVERED, UNCOVERED_HEADER)?;
    let line = |[file, lines, why]: &[String; 3]| format!("| `{file}:{lines}` | {} |", reason(why));
    let lines: Vec<String> = rows.iter().map(line).collect();
    Ok(table(root, UNCOVERED, "| lines | why no test runs them |", &lines))
}

/// What the mutants come to, by the folder of each crate.
fn mutants(root: &Path) -> io::Result<String> {
    #[derive(Default)]
    struct Sum {
        files: usize,
        /// Caught, too slow, missed, unviable.
        counts: [u64; 4],
        last: String,
    }
    let room = |file: &str| file.splitn(5, '/').take(4).collect::<Vec<_>>().join("/");
    let mut sums = BTreeMap::<String, Sum>::new();
    for [file, _, caught, timeouts, missed, unviable, _, date, _] in rows(root, MUTANTS, MUTANTS_HEADER)? {
        let sum = sums.entry(room(&file)).or_default();
        for (sum, count) in sum.counts.iter_mut().zip([caught, timeouts, missed, unviable]) {
            *sum += number(&count)?;
        }
        (sum.files, sum.last) = (sum.files + 1, date.max(std::mem::take(&mut sum.last)));
    }
    let mut lines = Vec::new();
    for (room, Sum { files, counts: [caught, timeouts, missed, unviable], last }) in &sums {
        let all = mutants::judged(&root.join(room))?.len();
        lines.push(format!(
            "| `{room}` | {files} of {all} | {} | {caught} | {timeouts} | {missed} | {unviable} | {last} |",
            caught + timeouts + missed
        ));
    }
    Ok(table(
        root,
        MUTANTS,
        "| in | files | mutants that compile | caught | too slow | survive | do not compile | last |",
        &lines,
    ))
}

fn reason(why: &str) -> &str {
    if why.is_empty() { "no reason yet" } else { why }
}

fn survivors(root: &Path) -> io::Result<String> {
    let survivors = mutants::survivors(root)?;
    let line = |s: &mutants::Survivor| {
        format!("| `{}:{}` | `{}` | {} |", s.file, s.line, s.change.replace('|', "\\|"), reason(&s.why))
    };
    Ok(table(root, MUTANTS, "| line | change | why it may live |", &survivors.iter().map(line).collect::<Vec<_>>()))
}

fn faults(root: &Path) -> io::Result<String> {
    let rows = rows(root, FAULTS, FAULTS_HEADER)?;
    let line = |[fault, file, tests, found, date, commit]: &[String; 6]| {
        format!("| {fault} | `{file}` | `{tests}` | {found} | {date}, {commit} |")
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    Ok(table(root, FAULTS, "| fault | planted in | tests that were run | those that found it | when |", &lines))
}

/// How many of the rule's leaks were planted and found, and each that was missed.
fn leaks(root: &Path) -> io::Result<String> {
    let rows = rows(root, LEAKS, LEAKS_HEADER)?;
    let with = |outcome: &str| rows.iter().filter(|row: &&[String; 9]| row[5] == outcome).count();
    let (unfit, missed) = (with(leaks::UNFIT), with(leaks::MISSED));
    let last = rows.iter().map(|row| row[7].as_str()).max().unwrap_or("never");
    let all = grouped(leaks::count(root)? as u64);
    let planted = rows.len() - unfit;
    let mut text = format!(
        "Of {all} leaks {} were tried. {unfit} do not compile, and {} of the other {planted} were found (last: {last}).\n",
        rows.len(),
        planted - missed
    );
    let line = |[file, line, statement, leak, on, _, why, ..]: &[String; 9]| {
        format!("| `{file}:{line}` | `{}` | {leak} on {on} | {} |", statement.replace('|', "\\|"), reason(why))
    };
    let lines: Vec<String> = rows.iter().filter(|row| row[5] == leaks::MISSED).map(line).collect();
    if !lines.is_empty() {
        text += &format!("\n{}", table(root, LEAKS, "| line | statement | leak | why it was missed |", &lines));
    }
    Ok(text)
}

fn soak(root: &Path) -> io::Result<String> {
    let mut lines = Vec::new();
    for [law, method, samples, families, least, of, rejects, sigma, seconds, date, machine, commit] in
        rows(root, SOAK, SOAK_HEADER)?
    {
        let speed = number(&samples)? / number(&seconds)?.max(1) / 1_000_000;
        lines.push(format!(
            "| `{method}` | `{law}` | {} | {families}: {rejects} reject | {least}, {} | {sigma} | {speed} M/s | {machine}, {date}, {commit} |",
            grouped(number(&samples)?),
            of.replace('|', "\\|")
        ));
    }
    let head = "| method | law | samples | families of tests | least p (corrected), of | an error of σ that would be seen | speed, judged | where and when |";
    Ok(table(root, SOAK, head, &lines))
}

/// What the matrix comes to, by backend.
fn matrix(root: &Path) -> io::Result<String> {
    #[derive(Default)]
    struct Sum {
        pairs: u64,
        runs: u64,
        samples: u64,
        /// Runs over cryptographic sources.
        judged: u64,
        least: Option<f64>,
        rejects: u64,
        weak: Vec<String>,
        date: String,
    }
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    for [backend, method, source, _, types, samples, least, _, rejects, date, _] in rows(root, MATRIX, MATRIX_HEADER)? {
        let sum = sums.entry(backend).or_default();
        let (types, rejects) = (number(&types)?, number(&rejects)?);
        let least: f64 = least.parse().map_err(|_| io::Error::other(format!("{least}: must be a number")))?;
        sum.pairs += 1;
        sum.runs += types;
        sum.samples += types * number(&samples)?;
        if source.parse::<Source>().is_ok_and(Source::is_cryptographic) {
            sum.least = Some(sum.least.map_or(least, |old| old.min(least)));
            sum.rejects += rejects;
            sum.judged += types;
        } else if rejects > 0 {
            sum.weak.push(format!("`{method}` over `{source}`"));
        }
        sum.date = sum.date.clone().max(date);
    }
    let all = Method::ALL.len() * Source::ALL.iter().filter(|source| source.is_seeded()).count();
    let mut lines = Vec::new();
    for (backend, Sum { pairs, runs, samples, judged, least, rejects, weak, date }) in sums {
        let mut line = format!("| {backend} | {pairs} of {all} | {runs} | {} | {rejects} | ", grouped(samples));
        let _ = match least {
            Some(least) => write!(line, "{least:.1e} in {judged} runs"),
            None => write!(line, "none"),
        };
        let weak = if weak.is_empty() { "none".to_owned() } else { weak.join(", ") };
        lines.push(format!("{line} | {weak} | {date} |"));
    }
    let head = "| backend | methods × sources | runs | samples | rejected, of cryptographic sources | their least p (corrected) | rejected, of others | last |";
    Ok(table(root, MATRIX, head, &lines))
}

fn erased(root: &Path) -> io::Result<String> {
    let mut lines = Vec::new();
    for [value, windows, before, after, stack] in rows(root, ERASED, ERASED_HEADER)? {
        lines.push(format!(
            "| {value} | {} | {} | {} | {} |",
            grouped(number(&windows)?),
            grouped(number(&before)?),
            grouped(number(&after)?),
            grouped(number(&stack)?)
        ));
    }
    Ok(table(
        root,
        ERASED,
        "| value | windows of 16 bytes looked for | found while it lived | found after the drop | copies on the stack |",
        &lines,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_as_many_columns_as_heads() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(table(root, "x", "| a | b |", &["| 1 | 2 |".into()]), "| a | b |\n|---|---|\n| 1 | 2 |\n");
        assert_eq!(table(root, "no such file", "| a |", &[]), "Not measured yet.\n");
        assert_eq!(table(root, "Cargo.toml", "| a |", &[]), "None.\n");
    }
}
