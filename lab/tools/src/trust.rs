//! docs/trust.md's tables, from what was measured and is kept in docs/trust/.

use crate::ages::{self, Ages};
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
use xtask::csv::{number, rows};
use xtask::files::Findings;
use xtask::markers;

const FILE: &str = "docs/trust.md";

pub(crate) const FUZZ: &str = "docs/trust/fuzz.csv";
pub(crate) const FUZZ_HEADER: &str = "target,oracle,date,machine,commit,seconds,executions,edges,corpus,findings";
pub(crate) const COVERAGE: &str = "docs/trust/coverage.csv";
pub(crate) const COVERAGE_HEADER: &str = "crate,lines,covered,date,machine,commit";
const ERASED: &str = "docs/trust/erased.csv";
const ERASED_HEADER: &str = "value,windows,found alive,found after the drop,copies on the stack";
const NULLS: &str = "docs/trust/nulls.csv";
const NULLS_HEADER: &str = "sigma,center,values,others,family,tests,first,runs,1e-2,1e-3,1e-4,least";
pub(crate) const PLANTED: &str = "docs/trust/planted.csv";
pub(crate) const PLANTED_HEADER: &str = "fault,values,seen by";

/// Writes the tables, or with `check` compares them.
pub(crate) fn run(root: &Path, check: bool) -> Findings {
    let mut ages = Ages::read(root, check)?;
    let tables = [
        ("figures", figures(root, &mut ages)?),
        ("fuzz", fuzz(root, &mut ages)?),
        ("coverage", coverage(root, &mut ages)?),
        ("mutants", mutants(root)?),
        ("faults", faults(root, &mut ages)?),
        ("leaks", leaks(root)?),
        ("soak", soak(root)?),
        ("matrix", matrix(root)?),
        ("erased", erased(root)?),
    ];
    let pages = markers::fill(root, FILE, "tools gen-trust", &tables, check)?;
    Ok([ages.finish()?, pages, mutants::unexplained(root)?].concat())
}

/// The code that a fuzz target runs.
fn fuzzed(target: &str) -> Vec<String> {
    let parts: &[&str] = match target {
        "builders" => &["crates/samplez-tables/src"],
        "calls" => &["capi/src", "crates/samplez/src"],
        "drbgs" => &["crates/samplez-sources/src"],
        "files" => &["crates/samplez-cli/src/files"],
        "params" => &["crates/samplez-core/src/params", "crates/samplez-tables/src"],
        "recipes" => &["crates/samplez/src"],
        "samplers" => &["crates/samplez-core/src/arch", "crates/samplez-core/src/samplers"],
        "schemes" => &["crates/samplez-schemes/src"],
        "tables" => &["crates/samplez-core/src/table"],
        _ => &["crates"],
    };
    [parts, &["lab/fuzz/src"]].concat().into_iter().map(String::from).collect()
}

/// The code that a row of coverage counts.
fn covered(name: &str) -> [String; 1] {
    [match name {
        "samplez for Python" => "python/samplez".into(),
        "samplez for JavaScript" => "web/src".into(),
        name => format!("crates/{name}/src"),
    }]
}

/// For each row its parts of the code that have changed since.
fn aged<const N: usize>(
    ages: &mut Ages,
    rows: &[[String; N]],
    commit: usize,
    parts: impl Fn(&[String; N]) -> Vec<String>,
) -> io::Result<Vec<Vec<String>>> {
    rows.iter().map(|row| ages.changed(&row[commit], &parts(row))).collect()
}

/// How many rows of each figure are older than the code.
fn older(root: &Path, ages: &mut Ages) -> io::Result<[String; 10]> {
    let soak = aged(ages, &rows::<12>(root, SOAK, SOAK_HEADER)?, 11, |row| ages::of_method(&row[1]))?;
    let of_pair = |row: &[String; 11]| [ages::of_method(&row[1]), vec!["crates/samplez-sources/src".into()]].concat();
    let matrix = aged(ages, &rows::<11>(root, MATRIX, MATRIX_HEADER)?, 10, of_pair)?;
    let planted = ages.of_file(PLANTED, &["crates/samplez-stats/src", "lab/check/examples/planted.rs"])?;
    let nulls = ages.of_file(NULLS, &["crates/samplez-stats/src", "lab/check/examples/null_runs.rs"])?;
    let fuzz = aged(ages, &rows::<10>(root, FUZZ, FUZZ_HEADER)?, 4, |row| fuzzed(&row[0]))?;
    let coverage = aged(ages, &rows::<6>(root, COVERAGE, COVERAGE_HEADER)?, 5, |row| covered(&row[0]).into())?;
    let mutants = aged(ages, &rows::<9>(root, MUTANTS, MUTANTS_HEADER)?, 8, |row| vec![row[0].clone()])?;
    let leaks = aged(ages, &rows::<9>(root, LEAKS, LEAKS_HEADER)?, 8, |row| vec![row[0].clone()])?;
    let erased =
        ages.of_file(ERASED, &["crates/samplez-core/src/bits", "crates/samplez-sources/src", "crates/samplez/src"])?;
    Ok([soak, matrix, vec![planted], vec![nulls], vec![], fuzz, coverage, mutants, leaks, vec![erased]]
        .map(|rows| ages::share(&rows)))
}

/// The sum of a column.
fn sum<const N: usize>(rows: &[[String; N]], column: usize) -> io::Result<u64> {
    rows.iter().map(|row| number(&row[column])).sum()
}

/// The first screen: ten figures, each of the rows of its section, what they leave open, and how many are older than the code.
fn figures(root: &Path, ages: &mut Ages) -> io::Result<String> {
    let soak: Vec<[String; 12]> = rows(root, SOAK, SOAK_HEADER)?;
    let rejecting = soak.iter().filter(|row| row[6] != "0").count();
    let mut longest = (0, String::new());
    for row in &soak {
        longest = longest.max((number(&row[2])?, format!("`{}` under `{}`", row[1], row[0])));
    }
    let mut matrix: Vec<[String; 11]> = rows(root, MATRIX, MATRIX_HEADER)?;
    matrix.retain(|row| row[2].parse::<Source>().is_ok_and(Source::is_cryptographic));
    // Backends give the same integers.
    let mut backends = BTreeMap::<&str, u64>::new();
    for row in &matrix {
        *backends.entry(&row[0]).or_default() += number(&row[4])?;
    }
    let independent = backends.values().max().copied().unwrap_or(0);
    let planted: Vec<[String; 3]> = rows(root, PLANTED, PLANTED_HEADER)?;
    let found = planted.iter().filter(|row| row[1] != "never").count();
    let mut nulls: Vec<[String; 12]> = rows(root, NULLS, NULLS_HEADER)?;
    nulls.retain(|row| row[4] == "all");
    let least = nulls.iter().filter_map(|row| row[11].parse().ok()).fold(1.0, f64::min);
    let fuzz: Vec<[String; 10]> = rows(root, FUZZ, FUZZ_HEADER)?;
    let coverage: Vec<[String; 6]> = rows(root, COVERAGE, COVERAGE_HEADER)?;
    let share = 100.0 * sum(&coverage, 2)? as f64 / sum(&coverage, 1)?.max(1) as f64;
    let mutants: Vec<[String; 9]> = rows(root, MUTANTS, MUTANTS_HEADER)?;
    let noticed = sum(&mutants, 2)? + sum(&mutants, 3)?;
    let missing = |folder: &str| -> io::Result<(usize, usize)> {
        let all = mutants::judged(&root.join(folder))?.len();
        let counted = mutants.iter().filter(|row| row[0].starts_with(folder)).count();
        Ok((all.saturating_sub(counted), all))
    };
    let samplers = missing("crates/samplez-core/src/samplers/")?;
    let kernels = missing("crates/samplez-core/src/arch/")?;
    let leaks: Vec<[String; 9]> = rows(root, LEAKS, LEAKS_HEADER)?;
    let with = |outcome: &str| leaks.iter().filter(|row| row[5] == outcome).count();
    let tried = leaks.len() - with(leaks::UNFIT);
    let mut erased: Vec<[String; 5]> = rows(root, ERASED, ERASED_HEADER)?;
    erased.retain(|row| !row[0].starts_with("control"));
    let lines = [
        format!(
            "[Long runs](#soak) | {} samples in {} runs; {rejecting} runs rejected. The longest has {} samples of {} | laws without a row",
            grouped(sum(&soak, 2)?),
            soak.len(),
            grouped(longest.0),
            longest.1
        ),
        format!(
            "[Methods over sources](#soak) | {} runs over cryptographic sources, {} of them independent: backends give the same integers; {} rejected | sources without a seed; NEON and WebAssembly's vectors",
            grouped(sum(&matrix, 4)?),
            grouped(independent),
            sum(&matrix, 8)?
        ),
        format!(
            "[Faults that `verify` finds](book/verifying.md#faults-and-sizes) | {found} of {} planted faults, by 10^7 samples | errors smaller than its [power](book/verifying.md#the-power)",
            planted.len()
        ),
        format!(
            "[False alarms of `verify`](../benches/RESULTS.md#verdicts-on-ideal-samples) | {} ideal files; the least p-value is {least:.1e}, and 1e-6 rejects | the rate at 1e-6 itself; families that need longer files",
            grouped(sum(&nulls, 7)?)
        ),
        format!("[Proofs](proofs/README.md) | {} | every other proof: on paper, read by no outsider", proofs::stated()),
        format!(
            "[Fuzzing](#fuzzing) | {} executions of {} targets in {} minutes; {} findings in the last runs | longer runs: an hour each is intended",
            grouped(sum(&fuzz, 6)?),
            fuzz.len(),
            sum(&fuzz, 5)? / 60,
            sum(&fuzz, 9)?
        ),
        format!(
            "[Lines that tests run](#lines-that-tests-run) | {share:.1} % of {} lines | branches within a line; the command; packages without a row",
            grouped(sum(&coverage, 1)?)
        ),
        format!(
            "[Mutants](#mutants) | {} of {} changes are noticed; the others have reasons | {} of {} files of `samplers/`, and {} of {} of `arch/`, the default's vector kernels",
            grouped(noticed),
            grouped(noticed + sum(&mutants, 4)?),
            samplers.0,
            samplers.1,
            kernels.0,
            kernels.1
        ),
        format!(
            "[Leaks of time](#leaks-of-time) | {} of {tried} planted leaks are found; the others are listed with reasons | {} leaks that were not tried, and places that no case runs; timing on NEON",
            tried - with(leaks::MISSED),
            grouped((leaks::count(root)? - leaks.len()) as u64)
        ),
        format!(
            "[Memory that held secrets](#memory-that-held-secrets) | {} windows of {} dropped values are found outside the stack | the stack, registers, swap",
            sum(&erased, 3)?,
            erased.len()
        ),
    ];
    let older = older(root, ages)?;
    let lines: Vec<String> = lines.iter().zip(older).map(|(line, older)| format!("| {line} | {older} |")).collect();
    Ok(table(root, SOAK, "| checked | result | not covered | rows older than the code |", &lines))
}

/// Rows of a reason and the number of its places; the most frequent reason first.
fn by_reason(reasons: impl Iterator<Item = String>) -> Vec<String> {
    let mut counts = BTreeMap::<String, u64>::new();
    reasons.for_each(|why| *counts.entry(why).or_default() += 1);
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.iter().map(|(why, count)| format!("| {} | {count} |", reason(why))).collect()
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

fn fuzz(root: &Path, ages: &mut Ages) -> io::Result<String> {
    let mut lines = Vec::new();
    for [target, _, date, _, commit, seconds, executions, _, _, findings] in rows(root, FUZZ, FUZZ_HEADER)? {
        let older = ages::mark(&ages.changed(&commit, &fuzzed(&target))?);
        let executions = grouped(number(&executions)?);
        lines.push(format!(
            "| [`{target}`](../lab/fuzz/src/{target}.rs) | {seconds} s | {executions} | {findings} | {date}{older} |"
        ));
    }
    Ok(table(root, FUZZ, "| target | time | executions | findings | when |", &lines))
}

fn coverage(root: &Path, ages: &mut Ages) -> io::Result<String> {
    let mut lines = Vec::new();
    for [name, all, covered, date, _, commit] in rows(root, COVERAGE, COVERAGE_HEADER)? {
        let parts = self::covered(&name);
        let (all, covered) = (number(&all)?, number(&covered)?);
        let share = 100.0 * covered as f64 / all as f64;
        let older = ages::mark(&ages.changed(&commit, &parts)?);
        lines.push(format!(
            "| `{name}` | {} | {} | {share:.1} % | {date}{older} |",
            grouped(all),
            grouped(all - covered)
        ));
    }
    Ok(table(root, COVERAGE, "| package | lines of code | never run | run | when |", &lines))
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
    let of_crate = |file: &str| file.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    let mut sums = BTreeMap::<String, Sum>::new();
    for [file, _, caught, timeouts, missed, unviable, _, date, _] in rows(root, MUTANTS, MUTANTS_HEADER)? {
        let sum = sums.entry(of_crate(&file)).or_default();
        for (sum, count) in sum.counts.iter_mut().zip([caught, timeouts, missed, unviable]) {
            *sum += number(&count)?;
        }
        (sum.files, sum.last) = (sum.files + 1, date.max(std::mem::take(&mut sum.last)));
    }
    let mut lines = Vec::new();
    for (of_crate, Sum { files, counts: [caught, timeouts, missed, unviable], last }) in &sums {
        let all = mutants::judged(&root.join(of_crate))?.len();
        lines.push(format!(
            "| `{of_crate}` | {files} of {all} | {} | {caught} | {timeouts} | {missed} | {unviable} | {last} |",
            caught + timeouts + missed
        ));
    }
    let head = "| in | files | mutants that compile | caught | too slow | survive | do not compile | last |";
    Ok(table(root, MUTANTS, head, &lines))
}

fn reason(why: &str) -> &str {
    if why.is_empty() { "no reason yet" } else { why }
}

fn faults(root: &Path, ages: &mut Ages) -> io::Result<String> {
    let mut lines = Vec::new();
    for [fault, file, _, found, date, commit] in rows(root, FAULTS, FAULTS_HEADER)? {
        let older = ages::mark(&ages.changed(&commit, std::slice::from_ref(&file))?);
        let first = found.split(',').next().unwrap_or_default();
        lines.push(format!("| {fault} | {first} | {date}{older} |"));
    }
    Ok(table(root, FAULTS, "| fault | a test that found it | when |", &lines))
}

/// The numbers of the rule's leaks that were planted and found, and the places of those that were missed.
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
    let missed = rows.into_iter().filter(|row| row[5] == leaks::MISSED);
    let lines = by_reason(missed.map(|[.., why, _, _]| why));
    if !lines.is_empty() {
        text += &format!("\n{}", table(root, LEAKS, "| why they were missed | leaks |", &lines));
    }
    Ok(text)
}

/// The methods under each law, and the least p-value of them all.
fn soak(root: &Path) -> io::Result<String> {
    let mut laws = BTreeMap::<String, (Vec<String>, f64, u64, String)>::new();
    for [law, method, samples, _, least, _, _, _, _, date, _, _] in rows(root, SOAK, SOAK_HEADER)? {
        let least: f64 = least.parse().map_err(|_| io::Error::other(format!("{least}: expected a number")))?;
        let samples = number(&samples)?;
        let (methods, p, fewest, last) = laws.entry(law).or_insert((vec![], 1.0, samples, String::new()));
        methods.push(format!("`{method}`"));
        (*p, *fewest) = (p.min(least), samples.min(*fewest));
        *last = date.max(std::mem::take(last));
    }
    let lines: Vec<String> = laws
        .iter()
        .map(|(law, (methods, p, fewest, last))| {
            format!("| `{law}` | {} | {} | {p:.1e} | {last} |", methods.join(", "), grouped(*fewest))
        })
        .collect();
    let head = "| law | methods | samples each, at least | least p (corrected) | last |";
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
        /// The rejected methods of each other source.
        weak: BTreeMap<String, u64>,
        date: String,
    }
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    for [backend, _, source, _, types, samples, least, _, rejects, date, _] in rows(root, MATRIX, MATRIX_HEADER)? {
        let sum = sums.entry(backend).or_default();
        let (types, rejects) = (number(&types)?, number(&rejects)?);
        let least: f64 = least.parse().map_err(|_| io::Error::other(format!("{least}: expected a number")))?;
        sum.pairs += 1;
        sum.runs += types;
        sum.samples += types * number(&samples)?;
        if source.parse::<Source>().is_ok_and(Source::is_cryptographic) {
            sum.least = Some(sum.least.map_or(least, |old| old.min(least)));
            sum.rejects += rejects;
            sum.judged += types;
        } else if rejects > 0 {
            *sum.weak.entry(source).or_default() += 1;
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
        let weak: Vec<String> = weak.iter().map(|(source, count)| format!("{count} methods over `{source}`")).collect();
        let weak = if weak.is_empty() { "none".to_owned() } else { weak.join(", ") };
        lines.push(format!("{line} | {weak} | {date} |"));
    }
    let head = "| backend | methods × sources | runs | samples | rejected, of cryptographic sources | their least p (corrected) | rejected, of others | last |";
    Ok(table(root, MATRIX, head, &lines))
}

/// The windows of each kind of value, from the least to the most.
fn erased(root: &Path) -> io::Result<String> {
    let mut kinds: Vec<(String, Vec<[u64; 3]>)> = Vec::new();
    for [value, _, before, after, stack] in rows(root, ERASED, ERASED_HEADER)? {
        let kind = match value.split_once([' ', ',']) {
            Some(("BitReader", _)) => "`BitReader`, by source".to_owned(),
            Some(("Bulk", _)) => "`Bulk`, by method".to_owned(),
            _ if value.parse::<Source>().is_ok() => "generators, by source".to_owned(),
            _ => value.clone(),
        };
        let counts = [number(&before)?, number(&after)?, number(&stack)?];
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, all)) => all.push(counts),
            None => kinds.push((kind, vec![counts])),
        }
    }
    let line = |(kind, all): &(String, Vec<[u64; 3]>)| {
        let cell = |column: usize| {
            let counts = all.iter().map(|counts| counts[column]);
            match (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0)) {
                (least, most) if least == most => grouped(least),
                (least, most) => format!("{} to {}", grouped(least), grouped(most)),
            }
        };
        format!("| {kind} | {} | {} | {} | {} |", all.len(), cell(0), cell(1), cell(2))
    };
    Ok(table(
        root,
        ERASED,
        "| value | values | windows found while it lived | after the drop | on the stack |",
        &kinds.iter().map(line).collect::<Vec<_>>(),
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
    #[test]
    fn reasons_are_counted() {
        let lines = by_reason(["x", "y", "y", ""].map(String::from).into_iter());
        assert_eq!(lines, ["| y | 2 |", "| no reason yet | 1 |", "| x | 1 |"]);
    }
}
