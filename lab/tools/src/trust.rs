//! The figures of docs/trust.md, from what was measured and is kept in docs/trust/.

use crate::ages::{self, Ages};
use crate::leaks;
use samplez::Source;
use samplez_cli::testing::text::grouped;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use xtask::csv::Table;
use xtask::files::Findings;
use xtask::markers;

/// Writes the figures, or with `--check` compares them.
pub(crate) fn run(root: &Path, argument: Option<&str>) -> Findings {
    let check = xtask::compares(argument)?;
    let mut ages = Ages::read(root, check)?;
    let figures = figures(root, &mut ages)?;
    let pages = markers::fill(root, "docs/trust.md", "tools gen-trust", &[("figures", figures)], check)?;
    Ok([ages.finish()?, pages, unexplained(root)?].concat())
}

/// Finds files that are gone, and files whose unnoticed mutants are more or fewer than their reasons in docs/trust/survivors.tsv.
fn unexplained(root: &Path) -> Findings {
    let (mutants, survivors) =
        (Table::open(root, "docs/trust/mutants.csv")?, xtask::files::read(&root.join("docs/trust/survivors.tsv"))?);
    let missed = |(file, missed): (&str, &str)| {
        let is_of = |line: &&str| line.split_once('\t').is_some_and(|(of, _)| of == file) && !line.ends_with('\t');
        let reasons = survivors.lines().filter(is_of).count();
        let is_right = missed == reasons.to_string() && root.join(file).exists();
        (!is_right).then(|| {
            format!("docs/trust/mutants.csv: {file}: it is gone, or not each of {missed} mutants has its reason")
        })
    };
    Ok(mutants.column("file")?.zip(mutants.column("missed")?).filter_map(missed).collect())
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
fn covered(name: &str) -> Vec<String> {
    vec![match name {
        "samplez for Python" => "python/samplez".into(),
        "samplez for JavaScript" => "web/src".into(),
        name => format!("crates/{name}/src"),
    }]
}

/// The days of the first and the last row.
fn days(table: &Table) -> io::Result<String> {
    let days = table.column("date")?;
    let [first, last] = [days.clone().min(), days.max()].map(Option::unwrap_or_default);
    Ok(if first == last { first.to_owned() } else { format!("{first} to {last}") })
}

/// Of each section its result, what it leaves open, when it was measured, and how many of its rows are older than the code.
fn figures(root: &Path, ages: &mut Ages) -> io::Result<String> {
    let open = |name: &str| Table::open(root, &format!("docs/trust/{name}.csv"));
    let sum = |table: &Table, name: &str| table.sum(name).map(grouped);
    let is_safe = |source: &str| source.parse::<Source>().is_ok_and(Source::is_cryptographic);
    let (soak, planted, fuzz, coverage) = (open("soak")?, open("planted")?, open("fuzz")?, open("coverage")?);
    let (matrix, others) =
        (open("matrix")?.only("source", is_safe)?, open("matrix")?.only("source", |name| !is_safe(name))?);
    let (nulls, mutants) = (open("nulls")?.only("family", |name| name == "all")?, open("mutants")?);
    let leaks = open("leaks")?.only("outcome", |outcome| outcome != leaks::UNFIT)?;
    let erased = open("erased")?.only("value", |value| !value.starts_with("control"))?;

    let rejecting = soak.column("rejects")?.filter(|rejects| *rejects != "0").count();
    let longest = soak.column("samples")?.zip(soak.column("method")?.zip(soak.column("law")?));
    let (longest, (method, law)) =
        longest.max_by_key(|(samples, _)| samples.parse().unwrap_or(0_u64)).unwrap_or_default();
    // Backends give the same integers.
    let mut backends = BTreeMap::<&str, u64>::new();
    for (backend, types) in matrix.column("backend")?.zip(matrix.column("types")?) {
        *backends.entry(backend).or_default() += types.parse::<u64>().map_err(io::Error::other)?;
    }
    let independent = grouped(backends.values().max().copied().unwrap_or(0));
    let found = planted.column("values")?.filter(|values| *values != "never").count();
    let least = nulls.column("least")?.filter_map(|least| least.parse().ok()).fold(1.0, f64::min);
    let share = 100.0 * coverage.sum("covered")? as f64 / coverage.sum("lines")?.max(1) as f64;
    let noticed = mutants.sum("caught")? + mutants.sum("timeouts")?;
    let judged =
        |folder: &str| Ok::<_, io::Error>(mutants.column("file")?.filter(|file| file.contains(folder)).count());
    let missed = leaks.column("outcome")?.filter(|outcome| *outcome == leaks::MISSED).count();
    let lines = [
        format!(
            "[Long runs](#soak) | {} samples in {} runs; {rejecting} runs rejected. The longest has {} samples of `{method}` under `{law}` | laws without a row | {}",
            sum(&soak, "samples")?,
            soak.rows.len(),
            grouped(longest.parse::<u64>().unwrap_or(0)),
            days(&soak)?
        ),
        format!(
            "[Methods over sources](#soak) | {} runs over cryptographic sources, {independent} of them independent: backends give the same integers; {} rejected, and {} of {} pairs with other sources | sources without a seed; NEON and WebAssembly's vectors | {}",
            sum(&matrix, "types")?,
            sum(&matrix, "rejects")?,
            others.column("rejects")?.filter(|rejects| *rejects != "0").count(),
            others.rows.len(),
            days(&matrix)?
        ),
        format!(
            "[Faults that `verify` finds](book/verifying.md#faults-and-sizes) | {found} of {} planted faults, by 10^7 samples | errors smaller than its [power](book/verifying.md#the-power) | no date kept",
            planted.rows.len()
        ),
        format!(
            "[False alarms of `verify`](../benches/RESULTS.md#verdicts-on-ideal-samples) | {} ideal files; the least p-value is {least:.1e}, and 1e-6 rejects | the rate at 1e-6 itself; families that need longer files | no date kept",
            sum(&nulls, "runs")?
        ),
        format!(
            "[Proofs](proofs/README.md) | {} | every other proof: on paper, read by no outsider | by `check.sh`",
            crate::proofs::stated()
        ),
        format!(
            "[Fuzzing](#fuzzing) | {} executions of {} targets in {} minutes; {} findings in the last runs | longer runs: an hour each is intended | {}",
            sum(&fuzz, "executions")?,
            fuzz.rows.len(),
            fuzz.sum("seconds")? / 60,
            fuzz.sum("findings")?,
            days(&fuzz)?
        ),
        format!(
            "[Lines that tests run](#lines-that-tests-run) | {share:.1} % of {} lines | branches within a line; the command; packages without a row | {}",
            sum(&coverage, "lines")?,
            days(&coverage)?
        ),
        format!(
            "[Mutants](#mutants) | {} of {} changes in {} files are noticed; the others have reasons | files without a row; {} of `arch/`, the default's vector kernels, have one | {}",
            grouped(noticed),
            grouped(noticed + mutants.sum("missed")?),
            mutants.rows.len(),
            judged("/arch/")?,
            days(&mutants)?
        ),
        format!(
            "[Leaks of time](#leaks-of-time) | {} of {} planted leaks are found; the others are listed with reasons | leaks without a row, and places that no case runs; timing on NEON | {}",
            leaks.rows.len() - missed,
            leaks.rows.len(),
            days(&leaks)?
        ),
        format!(
            "[Memory that held secrets](#memory-that-held-secrets) | {} windows of {} dropped values are found outside the stack | the stack, registers, swap | no date kept",
            sum(&erased, "found after the drop")?,
            erased.rows.len()
        ),
    ];
    let stats = "crates/samplez-stats/src";
    let source = || "crates/samplez-sources/src".to_owned();
    let older = [
        ages.older(&soak, |row| ages::of_method(&row[1]))?,
        ages.older(&matrix, |row| [ages::of_method(&row[1]), vec![source()]].concat())?,
        ages.older_file("docs/trust/planted.csv", &[stats, "lab/check/examples/planted.rs"])?,
        ages.older_file("docs/trust/nulls.csv", &[stats, "lab/check/examples/null_runs.rs"])?,
        "none".into(),
        ages.older(&fuzz, |row| fuzzed(&row[0]))?,
        ages.older(&coverage, |row| covered(&row[0]))?,
        ages.older(&mutants, |row| vec![row[0].clone()])?,
        ages.older(&leaks, |row| vec![row[0].clone()])?,
        ages.older_file("docs/trust/erased.csv", &["crates/samplez-core/src/bits", &source(), "crates/samplez/src"])?,
    ];
    let lines: String = lines.iter().zip(older).map(|(line, older)| format!("| {line} | {older} |\n")).collect();
    Ok(format!(
        "| checked | result | not covered | measured | rows older than the code |\n|---|---|---|---|---|\n{lines}"
    ))
}
