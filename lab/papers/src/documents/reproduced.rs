//! docs/papers-reproduced.md: headlines, and a table of claims for each paper. docs/report/findings.csv has every finding.

use super::markdown::table;
use super::prose::Prose;
use super::run::Run;
use crate::answer::MACHINE;
use crate::data::{Claim, csv};
use crate::error::LabError;
use crate::finding::{Finding, Form, Ours};
use crate::papers::{PAPERS, ours};
use crate::verdict::{Judged, Verdict};

pub(super) const HEADLINES: &str = "docs/report/headlines.csv";
/// A longer statement is in the table of findings alone.
const LONG: usize = 60;

pub(super) fn text(run: &Run, prose: &Prose, headlines: &str) -> Result<String, LabError> {
    let judged = run.judged();
    let mut text = String::from(
        "# The papers, claim by claim\n\n<!-- Written by cargo tools gen-report from docs/report and kat/papers. -->\n\n",
    );
    text += &prose.of("top");
    text += &sums(run, &judged);
    text += "\n## Headlines\n\n";
    text += &sentences(headlines, &judged)?;
    for (letter, title, machine) in PAPERS.into_iter().filter(|(letter, ..)| *letter != 'E') {
        text += &format!("\n## {title}\n\n*{machine}*\n\n{}", prose.of(&letter.to_string()));
        let of = |item: &str| item.starts_with(letter);
        text += &rows(judged.iter().filter(|judged| of(&judged.claim.item)));
        for (item, name, chart) in run.charts().iter().filter(|(item, ..)| of(item)) {
            text += &format!("\n![{item}: {}](images/report/{name})\n\n{}\n", chart.title, chart.caption);
        }
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// How many claims have which verdict, and where the run was made.
fn sums(run: &Run, judged: &[Judged<'_>]) -> String {
    let row = |(letter, title, _): (char, &str, &str)| {
        let of =
            |verdict| move |judged: &&Judged<'_>| judged.verdict == verdict && judged.claim.item.starts_with(letter);
        let counts = Verdict::ALL.map(|verdict| judged.iter().filter(of(verdict)).count().to_string());
        [title.to_owned()].into_iter().chain(counts).collect()
    };
    let rows: Vec<Vec<String>> = PAPERS.into_iter().filter(|(letter, ..)| *letter != 'E').map(row).collect();
    let head: Vec<&str> = [""].into_iter().chain(Verdict::ALL.map(Verdict::name)).collect();
    let records: Vec<_> = run.items.iter().flat_map(|item| run.kept.of(&item.id)).collect();
    let mut places: Vec<String> = Vec::new();
    for record in &records {
        let place = format!("{}, {}", record.place.machine, record.date);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let busy = records.iter().filter(|record| record.is_busy()).count();
    format!(
        "{}\nMeasured on {}. The machine was busy during {busy} of {} items: there only ratios within one race count.\n",
        table(&head, &rows, true),
        places.join("; "),
        records.len()
    )
}

/// One sentence for each headline, with its verdict and its numbers put in.
fn sentences(headlines: &str, judged: &[Judged<'_>]) -> Result<String, LabError> {
    let refused = |why: String| LabError::Input(format!("{HEADLINES}: {why}"));
    let mut text = String::new();
    for row in csv::rows(headlines, "item,quantity,sentence").map_err(refused)? {
        let [item, quantity, sentence] = &row[..] else { continue };
        let found = judged.iter().find(|judged| judged.claim.item == *item && judged.claim.quantity == *quantity);
        let judged = found.ok_or_else(|| refused(format!("{item}, {quantity}: no claim that is judged")))?;
        let sentence = sentence
            .replace("{printed}", &judged.claim.shown())
            .replace("{built}", &value(judged, Form::AsBuilt))
            .replace("{printed figures}", &value(judged, Form::Printed))
            .replace("{here}", &value(judged, Form::Ours));
        text += &format!("- **{}**: {sentence}\n", judged.verdict.name());
    }
    Ok(text)
}

/// What the first measurement of a form gave, with its spread.
fn value(judged: &Judged<'_>, form: Form) -> String {
    let Some(finding) = judged.of(form).next() else { return "–".into() };
    match (&finding.ours, finding.spread) {
        (Ours::None, _) => "–".into(),
        (Ours::Text(text), _) if text.chars().count() > LONG => finding.outcome.name().into(),
        (Ours::Number(_), Some([least, most])) => {
            let end = |end| ours(&Finding { ours: Ours::Number(end), unit: "count".into(), ..Finding::default() });
            format!("{} ({} to {})", ours(finding), end(least), end(most))
        }
        _ => ours(finding),
    }
}

/// The table of a paper; absolute speeds of another machine are only counted.
fn rows<'a>(judged: impl Iterator<Item = &'a Judged<'a>>) -> String {
    let (speeds, judged): (Vec<_>, Vec<_>) = judged.partition(|judged| judged.why == MACHINE);
    let printed = |judged: &Judged<'_>| {
        let figures = value(judged, Form::Printed);
        if figures == "–" { String::new() } else { format!(" (its other figures: {figures})") }
    };
    let row = |judged: &&Judged<'_>| {
        let Claim { item, quantity, .. } = judged.claim;
        let why = if judged.why.is_empty() { String::new() } else { format!(": {}", judged.why) };
        vec![
            format!("{item} {quantity}"),
            judged.claim.shown() + &printed(judged),
            value(judged, Form::AsBuilt),
            value(judged, Form::Ours),
            format!("{}{why}", judged.verdict.name()),
        ]
    };
    let rows: Vec<Vec<String>> = judged.iter().map(row).collect();
    let table = table(&["claim", "printed", "as the paper built it", "here", "verdict"], &rows, false);
    match speeds.len() {
        0 => table,
        count => format!("{table}\n{count} absolute speeds and times belong to other hardware.\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Class, Kind};
    use crate::finding::Outcome;
    use std::path::Path;

    /// Every difference of the kept run has a class with its reason, and no class outlives its difference.
    #[test]
    fn every_difference_has_its_reason() {
        let run = Run::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
        let (classes, mut wrong) = (Class::all().unwrap(), Vec::new());
        for judged in run.judged() {
            let class = classes.iter().find(|class| class.is_of(judged.claim));
            let name = format!("{}, {}", judged.claim.item, judged.claim.quantity);
            let differs = judged.findings.iter().any(|finding| matches!(finding.outcome, Outcome::Differs(_)));
            match class.map(|class| class.kind) {
                None if differs && judged.verdict != Verdict::AsThenBuilt => wrong.push(format!("{name}: no class")),
                Some(Kind::Misprint | Kind::Hardware | Kind::Then) if !differs => {
                    wrong.push(format!("{name}: it agrees"))
                }
                _ => {}
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_headline_has_its_claim() {
        assert!(sentences("item,quantity,sentence\nB1,nothing,x\n", &[]).is_err());
    }
}
