//! The kept run, and what of it documents show.

use super::pictures::charts;
use crate::data::{Claim, Class, Item};
use crate::error::LabError;
use crate::kept::{Record, Records};
use crate::plot::Chart;
use crate::verdict::{Judged, Verdict};
use std::fs;
use std::path::Path;

/// The kept run.
pub(super) const RUN: &str = "docs/report/run.jsonl";

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

    /// The claims with their verdicts. What was not measured has the item's reason, or none was measured in this run.
    pub(super) fn judged(&self) -> Vec<Judged<'_>> {
        let mut all = Judged::all(&self.claims, &self.classes, &self.kept);
        for judged in all.iter_mut().filter(|judged| judged.verdict == Verdict::NotMeasured && judged.why.is_empty()) {
            let item = self.items.iter().find(|item| item.id == judged.claim.item);
            let lacking = item.and_then(|item| item.lacking.clone());
            judged.why = lacking.unwrap_or_else(|| "this run has no measurement of it".into());
        }
        all
    }

    /// What was measured, in the order of the items.
    pub(super) fn records(&self) -> impl Iterator<Item = &Record> {
        self.items.iter().flat_map(|item| self.kept.of(&item.id))
    }

    /// The charts that documents show: the item, the name of the file, the chart.
    pub(super) fn charts(&self) -> Vec<(&str, String, Chart)> {
        charts(&self.items, &self.claims, &self.kept)
    }
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, LabError> {
    fs::read_to_string(path).map_err(|error| LabError::System(format!("cannot read {}: {error}", path.display())))
}
