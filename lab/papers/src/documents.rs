//! The documents that a kept run of the report makes: docs/papers-reproduced.md, docs/report/findings.csv, the tables of
//! docs/sources-measured.md, and pictures; and docs/book/speed.md, of what else was measured.
//!
//! The run is docs/report/run.jsonl. docs/report/headlines.csv has the sentences of the first screen, and docs/report/prose.md
//! the words of the page and of each paper.

mod changes;
mod markdown;
mod pictures;
mod prose;
mod reproduced;
mod reproducing;
mod run;
mod sources;
mod speed;

use crate::data::Item;
use crate::error::LabError;
use crate::kept::{Record, Records, write};
use crate::report::findings_csv;
pub use changes::Change;
use pictures::{is_shown, thinned};
use prose::Prose;
use reproduced::HEADLINES;
use run::{RUN, Run, read};
use std::path::{Path, PathBuf};

const PROSE: &str = "docs/report/prose.md";
const DIEHARDER: &str = "docs/report/dieharder.csv";
const FINDINGS: &str = "docs/report/findings.csv";
const REPRODUCED: &str = "docs/papers-reproduced.md";
const REPRODUCING: &str = "docs/reproducing.md";
const SOURCES: &str = "docs/sources-measured.md";
const SPEED: &str = "docs/book/speed.md";
/// The numbers of its pictures.
const NUMBERS: &str = "docs/speed-numbers.md";
const RESULTS: &str = "benches/RESULTS.md";
/// The folder of the pictures.
pub const PICTURES: &str = "docs/images/report";

/// Keeps the report in `report` as the run of the tree in `root`: every finding, and of the charts those that documents show.
/// Returns the number of items, and the verdicts that differ from those of the run kept before.
///
/// # Errors
///
/// If there is no report, or the run cannot be written.
///
/// ```
/// use samplez_lab::{Report, documents};
/// let (root, out) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// std::fs::create_dir_all(root.path().join("docs/report"))?;
/// assert!(documents::keep(root.path(), out.path()).is_err());
/// let report = Report { only: vec!["E7".into(), "E5".into()], quick: true, again: false, out: out.path().into(), merge: vec![], unvectorized: None };
/// report.run(|_| ())?;
/// let (items, changes) = documents::keep(root.path(), out.path())?;
/// assert_eq!((items, changes.len()), (2, 0)); // no run was kept before
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn keep(root: &Path, report: &Path) -> Result<(usize, Vec<Change>), LabError> {
    let path = report.join("kept.jsonl");
    let kept = Records::of_lines(path.clone(), &read(&path)?)?;
    let (mut text, mut count) = (String::new(), 0);
    for item in Item::all().map_err(LabError::Input)? {
        for record in kept.of(&item.id) {
            let line = serde_json::to_string(&trimmed(record)).map_err(|error| LabError::System(error.to_string()))?;
            text += &(line + "\n");
            count += usize::from(record.by.is_empty());
        }
    }
    let path = root.join(RUN);
    let changes = match path.exists() {
        true => changes::changes(&Records::of_lines(RUN.into(), &read(&path)?)?, &kept)?,
        false => Vec::new(),
    };
    write(&path, &text)?;
    Ok((count, changes))
}

/// A record with as many digits as mean something, and the charts that are shown.
fn trimmed(record: &Record) -> Record {
    let charts = record.charts.iter().filter(|chart| is_shown(&record.item, chart)).cloned().map(|mut chart| {
        for series in chart.plots.iter_mut().flat_map(|plot| &mut plot.series) {
            series.points = thinned(&series.points).into_iter().map(|(x, y)| (place(x), digits(y))).collect();
        }
        chart
    });
    Record { charts: charts.collect(), seconds: digits(record.seconds), ..record.clone() }
}

/// A whole number, or five digits of another: a count of samples is exact.
fn place(value: f64) -> f64 {
    if value.fract() == 0.0 { value } else { digits(value) }
}

/// Five digits of a number.
fn digits(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

/// The documents and pictures that the run in the tree makes, each with its path from the root.
///
/// # Errors
///
/// If the run, the prose or a document cannot be read.
///
/// ```
/// let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
/// let made = samplez_lab::documents::made(&root)?;
/// assert!(made.iter().any(|(path, text)| path.ends_with("papers-reproduced.md") && text.contains("| B15c ")));
/// # Ok::<(), samplez_lab::LabError>(())
/// ```
pub fn made(root: &Path) -> Result<Vec<(PathBuf, String)>, LabError> {
    let (run, prose) = (Run::read(root)?, Prose::parse(&read(&root.join(PROSE))?)?);
    let mut all = vec![
        (REPRODUCED.into(), reproduced::text(&run, &prose, &read(&root.join(HEADLINES))?)?),
        (FINDINGS.into(), findings_csv(&run.items, &run.claims, &run.kept, &run.judged())),
        (SOURCES.into(), sources::filled(&run, &read(&root.join(DIEHARDER))?, &read(&root.join(SOURCES))?)?),
    ];
    all.push((REPRODUCING.into(), reproducing::filled(&run.charts(), &read(&root.join(REPRODUCING))?)?));
    let (page, charts) = speed::filled(&read(&root.join(RESULTS))?, &read(&root.join(SPEED))?)?;
    all.push((SPEED.into(), page));
    all.push((NUMBERS.into(), speed::numbers(&charts)));
    all.extend(charts.iter().map(|chart| (Path::new(PICTURES).join(speed::file(chart)), chart.draw(true))));
    all.extend(run.charts().iter().map(|(_, name, chart)| (Path::new(PICTURES).join(name), chart.draw(true))));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::{digits, place};

    #[test]
    fn counts_are_kept_whole() {
        assert_eq!([place(1_000_123.0), place(0.123_456_7), digits(1_000_123.0)], [1_000_123.0, 0.12346, 1_000_100.0]);
    }
}
