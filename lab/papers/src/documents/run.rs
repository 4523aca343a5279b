//! The kept run, and what of it documents show.

use crate::data::{Claim, Class, Item};
use crate::error::LabError;
use crate::grid::Grid;
use crate::kept::Records;
use crate::plot::{Chart, Plot, Series};
use crate::verdict::Judged;
use std::fs;
use std::path::Path;

/// The kept run.
pub(super) const RUN: &str = "docs/report/run.jsonl";
/// The charts that documents show: item and name.
const SHOWN: [(&str, &str); 8] = [
    ("B14", "memory"),
    ("B21", "split"),
    ("B23", "line"),
    ("B24", "densities"),
    ("D17", "speed"),
    ("S9", "samplers"),
    ("S18", "means"),
    ("S20", "mean-by-sigma"),
];

/// What the documents are made of.
pub(super) struct Run {
    pub(super) items: Vec<Item>,
    pub(super) claims: Vec<Claim>,
    classes: Vec<Class>,
    pub(super) kept: Records,
}

impl Run {
    pub(super) fn read(root: &Path) -> Result<Run, LabError> {
        let text = read(&root.join(RUN))?;
        Ok(Run {
            items: Item::all().map_err(LabError::Input)?,
            claims: Claim::all().map_err(LabError::Input)?,
            classes: Class::all().map_err(LabError::Input)?,
            kept: Records::of_lines(RUN.into(), &text)?,
        })
    }

    /// The claims with their verdicts.
    pub(super) fn judged(&self) -> Vec<Judged<'_>> {
        Judged::all(&self.claims, &self.classes, &self.kept)
    }

    /// The charts that documents show: the item, the name of the file, the chart.
    pub(super) fn charts(&self) -> Vec<(&str, String, Chart)> {
        let mut all = Vec::new();
        for item in &self.items {
            let charts = self.kept.of(&item.id).flat_map(|record| record.charts.clone());
            let charts = charts.filter(|chart| is_shown(&item.id, chart)).chain(self.browsers(&item.id));
            all.extend(charts.map(|chart| (item.id.as_str(), chart.file(&item.id) + ".svg", chart)));
        }
        all
    }

    /// \[JSDGS17\]'s Figure 4, of what the browsers found: a plot for each browser.
    fn browsers(&self, item: &str) -> Option<Chart> {
        let mut plots = Vec::new();
        for record in self.kept.of(item).filter(|_| item == "J17") {
            let (_, grids) = Grid::split(&record.findings);
            for grid in &grids {
                let series = grid.rows.iter().map(|row| Series {
                    name: (*row).to_owned(),
                    of_paper: false,
                    joined: true,
                    points: grid.numbers(row),
                });
                plots.push(Plot { title: record.by.clone(), series: series.collect() });
            }
        }
        (!plots.is_empty()).then(|| Chart {
            name: "browsers".into(),
            title: "Four samplers in four engines".into(),
            caption: "The paper's t and m, 128 bits; WebAssembly, and plain JavaScript with words of 32 bits.".into(),
            x: ("σ".into(), true),
            y: ("samples/ms".into(), true),
            places: Vec::new(),
            plots,
        })
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
