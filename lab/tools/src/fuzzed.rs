//! `docs/trust/fuzz.csv`: what was fuzzed, for how long and with which end, a row for each target, from libFuzzer's own log.

use crate::trust::{FUZZ, FUZZ_HEADER};
use samplez_lab::Place;
use std::io;
use std::path::Path;
use xtask::csv::field;
use xtask::files::{self, Findings};

/// Keeps the run whose log this is, `TARGET.log`, in place of the target's last one.
pub(crate) fn keep(root: &Path, log: &Path) -> Findings {
    let target = log.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let wrong = || io::Error::other(format!("{}: no log of libFuzzer with -print_final_stats=1", log.display()));
    let run = numbers(&files::read(log)?).ok_or_else(wrong)?;
    let text = files::read(&root.join("lab/fuzz/src").join(&target).with_extension("rs"))?;
    let Place { machine, commit } = Place::here();
    let head = [target.as_str(), &oracle(&text), &samplez_lab::today(), &machine, &commit].map(field).join(",");
    let path = root.join(FUZZ);
    let old = if path.exists() { files::read(&path)? } else { String::new() };
    files::write(&path, &table(&old, &target, format!("{head},{}", run.map(|n| n.to_string()).join(","))))?;
    Ok(Vec::new())
}

/// The table with this row for the target, in the order of their names.
fn table(old: &str, target: &str, row: String) -> String {
    let others = old.lines().skip(1).filter(|line| line.split(',').next() != Some(target)).map(str::to_owned);
    let mut rows: Vec<String> = others.chain([row]).collect();
    rows.sort();
    [FUZZ_HEADER.to_owned()].into_iter().chain(rows).map(|line| line + "\n").collect()
}

/// What a target promises: the first paragraph of its file.
fn oracle(text: &str) -> String {
    let head = text.lines().map_while(|line| line.strip_prefix("//! "));
    head.collect::<Vec<_>>().join(" ")
}

/// Of a run the seconds, the executions, the edges of the program's control flow that were covered, the inputs that together cover
/// them, and those that broke a promise: at the first one the run ends.
fn numbers(log: &str) -> Option<[u64; 5]> {
    let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u64>().ok();
    let after = |mark: &str| log.rsplit_once(mark).and_then(|(_, rest)| number(rest.trim_start()));
    let executions = after("stat::number_of_executed_units:")?;
    // «Done 300 runs in 2 second(s)»; after a finding there are the executions per second alone.
    let seconds = log.rsplit_once(" runs in ").and_then(|(_, rest)| number(rest));
    let seconds = seconds.or_else(|| executions.checked_div(after("stat::average_exec_per_sec:")?))?;
    let findings = ["crash-", "leak-", "timeout-", "oom-"];
    let written = log.lines().filter(|line| line.contains("Test unit written to"));
    let findings = written.filter(|line| findings.iter().any(|kind| line.contains(kind))).count();
    Some([seconds, executions, after(" cov: ")?, after(" corp: ")?, findings as u64])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_read() {
        let log = "#2\tINITED cov: 10 ft: 11 corp: 1/1b exec/s: 0 rss: 40Mb\n\
                   #9\tNEW    cov: 12 ft: 13 corp: 2/9b lim: 4 exec/s: 0 rss: 40Mb L: 8/8 MS: 1 EraseBytes-\n";
        let end = "#300\tDONE   cov: 12 ft: 14 corp: 3/10b lim: 4 exec/s: 150 rss: 41Mb\n\
                   Done 300 runs in 2 second(s)\nstat::number_of_executed_units: 300\nstat::average_exec_per_sec:     150\n";
        assert_eq!(numbers(&format!("{log}{end}")), Some([2, 300, 12, 3, 0]));
        let end = "==7== ERROR: libFuzzer: deadly signal\n\
                   artifact_prefix='fuzz/artifacts/a/'; Test unit written to fuzz/artifacts/a/crash-da39\n\
                   stat::number_of_executed_units: 450\nstat::average_exec_per_sec:     150\n";
        assert_eq!(numbers(&format!("{log}{end}")), Some([3, 450, 12, 2, 1]));
        assert_eq!(numbers(log), None);
    }

    #[test]
    fn rows_are_replaced() {
        let first = table("", "b", "b,1".into());
        assert_eq!(first, format!("{FUZZ_HEADER}\nb,1\n"));
        assert_eq!(table(&table(&first, "a", "a,2".into()), "b", "b,3".into()), format!("{FUZZ_HEADER}\na,2\nb,3\n"));
        assert_eq!(oracle("//! Bytes: read,\n//! or refused.\n//!\n//! More.\n"), "Bytes: read, or refused.");
    }
}
