//! The kept run, and what of it documents show.

use crate::data::{Claim, Item};
use crate::error::LabError;
use crate::kept::Records;
use crate::plot::Chart;
use std::fs;
use std::path::Path;

/// The kept run.
pub(super) const RUN: &str = "docs/report/run.jsonl";
/// The charts that documents show: item and name.
const SHOWN: [(&str, &str); 7] = [
    ("B14", "memory"),
    ("B21", "split"),
    ("B23", "line"),
    ("D17", "speed"),
    ("J17", "browsers"),
    ("S9", "samplers"),
    ("S18", "means"),
];

/// What the documents are made of.
pub(super) struct Run {
    pub(super) items: Vec<Item>,
    pub(super) claims: Vec<Claim>,
    pub(super) kept: Records,
}

impl Run {
    pub(super) fn read(root: &Path) -> Result<Run, LabError> {
        let text = read(&root.join(RUN))?;
        Ok(Run {
            items: Item::all().map_err(LabError::Input)?,
            claims: Claim::all().map_err(LabError::Input)?,
            kept: Records::of_lines(RUN.into(), &text)?,
        })
    }

    /// The charts that documents show, with the names of their files.
    pub(super) fn shown(&self, item: &str) -> impl Iterator<Item = (String, &Chart)> {
        let charts = self.kept.of(item).flat_map(|record| &record.charts);
        charts.filter(move |chart| is_shown(item, chart)).map(move |chart| (chart.file(item) + ".svg", chart))
    }
}

/// Whether documents show it.
pub(super) fn is_shown(item: &str, chart: &Chart) -> bool {
    SHOWN.contains(&(item, chart.name.as_str()))
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, LabError> {
    fs::read_to_string(path).map_err(|error| LabError::System(format!("cannot read {}: {error}", path.display())))
}
