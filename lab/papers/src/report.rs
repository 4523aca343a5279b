//! The report: items are measured, kept, and shown.

mod page;
mod views;

pub(crate) use views::findings_csv;

use crate::answer::Answer;
use crate::data::{Claim, Class, Item};
use crate::error::LabError;
use crate::finding::{Finding, Outcome};
use crate::items::{Bench, measure_of};
use crate::kept::{Record, Records};
use crate::merge::merge;
use crate::place::{Place, load, today};
use crate::verdict::{Judged, Verdict};
use samplez_cli::testing::measure::rounds::standard;
use std::path::PathBuf;
use std::time::Instant;

/// What is to be measured, and where it is kept.
#[derive(Clone, Debug)]
pub struct Report {
    /// Items, by name, number or letter: `B15a`, `B15`, `B`; all if there is none.
    pub only: Vec<String>,
    /// Whether in a hurry: fewer points, shorter turns.
    pub quick: bool,
    /// Whether what is kept is measured again.
    pub again: bool,
    /// The folder.
    pub out: PathBuf,
    /// Files of findings that others made, in browsers or in Python: a line of JSON for each.
    pub merge: Vec<PathBuf>,
    /// The command of another build, without vectorization, for what is compared with it.
    pub unvectorized: Option<PathBuf>,
}

/// How far a report is.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<'a> {
    /// An item begins: its name and title, its number among those to be measured, and how many these are.
    Begins(&'a str, &'a str, usize, usize),
    /// An item could not be measured, and why; the others go on.
    Failed(&'a str, String),
}

/// The verdicts on the claims that were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Each verdict with its number of claims.
    pub verdicts: Vec<(Verdict, usize)>,
    /// Items that failed, and why.
    pub failed: Vec<(String, String)>,
    /// The page.
    pub page: PathBuf,
}

impl Report {
    /// Measures what is asked for and not kept yet for this machine and commit, keeps each item at once, and writes the
    /// views: `findings.jsonl`, `findings.csv`, `figures/`, and the page `index.html`.
    ///
    /// # Errors
    ///
    /// If no item has such a name, or a file cannot be read or written, or has a line that is no finding.
    ///
    /// ```
    /// use samplez_lab::{Report, Step};
    /// let folder = tempfile::tempdir()?;
    /// let report = Report { only: vec!["D11".into()], quick: true, again: false, out: folder.path().into(), merge: vec![], unvectorized: None };
    /// let mut steps = 0;
    /// let summary = report.run(|_| steps += 1)?;
    /// assert_eq!((steps, summary.verdicts[1]), (1, (samplez_lab::Verdict::Misprint, 1))); // 4.777
    /// report.run(|step| panic!("{step:?}: it is kept"))?;
    /// assert!(std::fs::read_to_string(summary.page)?.contains("misprint"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(&self, mut tell: impl FnMut(Step<'_>)) -> Result<Summary, LabError> {
        let items = Item::all().map_err(LabError::Input)?;
        let claims = Claim::all().map_err(LabError::Input)?;
        if let Some(name) = self.only.iter().find(|name| !items.iter().any(|item| item.is_in(name))) {
            return Err(LabError::Input(format!(
                "{name}: no such item; expected a letter of B, D, J, S and E, or one with a number"
            )));
        }
        let mut kept = Records::open(&self.out)?;
        let (here, bench) = (Place::here(), Bench::new(self.quick, self.unvectorized.clone()));
        let asked = |item: &&Item| self.only.is_empty() || self.only.iter().any(|name| item.is_in(name));
        let needed = |item: &&Item| self.again || !kept.holds(&item.id, &here, self.quick);
        let todo: Vec<_> = items
            .iter()
            .filter(asked)
            .filter(needed)
            .filter_map(|item| measure_of(&item.id).map(|measure| (item, measure)))
            .collect();
        for path in &self.merge {
            merge(path, &here, &items, &claims, &mut kept)?;
        }
        let mut failed = Vec::new();
        for (number, (item, measure)) in todo.iter().enumerate() {
            tell(Step::Begins(&item.id, &item.title, number + 1, todo.len()));
            let (start, mut answer) = (Instant::now(), Answer::new(&item.id, &claims));
            if let Err(why) = measure(&bench, &mut answer) {
                tell(Step::Failed(&item.id, why.to_string()));
                failed.push((item.id.clone(), why.to_string()));
                continue;
            }
            let lacking = answer.unanswered(&item.id).into_iter().map(unmeasured).collect::<Vec<_>>();
            let Answer { mut findings, charts, .. } = answer;
            findings.extend(lacking);
            kept.add(Record {
                item: item.id.clone(),
                by: String::new(),
                place: here.clone(),
                date: today(),
                quick: self.quick,
                seconds: start.elapsed().as_secs_f64(),
                load: load(),
                yardstick: Some(standard()),
                command: format!("samplez-lab report --only {}{}", item.id, if self.quick { " --quick" } else { "" }),
                findings,
                charts,
            })?;
        }
        let classes = Class::all().map_err(LabError::Input)?;
        let judged = Judged::all(&claims, &classes, &kept);
        views::write(&self.out, &items, &claims, &kept, &judged)?;
        let page = self.out.join("index.html");
        crate::kept::write(&page, page::html(&items, &kept, &judged))?;
        let asked = |judged: &&Judged<'_>| items.iter().any(|item| item.id == judged.claim.item && asked(&item));
        let count = |verdict| judged.iter().filter(asked).filter(|judged| judged.verdict == verdict).count();
        let verdicts = Verdict::ALL.into_iter().map(|verdict| (verdict, count(verdict))).collect();
        Ok(Summary { verdicts, failed, page })
    }
}

/// A claim that nothing answers.
fn unmeasured(claim: &Claim) -> Finding {
    Finding {
        item: claim.item.clone(),
        quantity: claim.quantity.clone(),
        unit: claim.unit.name.to_owned(),
        outcome: Outcome::Untested("the item's experiment has no answer to it".into()),
        ..Finding::default()
    }
}
