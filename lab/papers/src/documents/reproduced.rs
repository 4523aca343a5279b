//! docs/papers-reproduced.md: headlines, and a table of claims for each paper. docs/report/findings.csv has every finding.

use super::markdown::table;
use super::prose::Prose;
use super::run::Run;
use crate::answer::MACHINE;
use crate::data::{Claim, Value, csv};
use crate::error::LabError;
use crate::finding::{Finding, Form, Ours, Outcome};
use crate::papers::{PAPERS, ours};
use crate::plot::Chart;
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
    let (charts, sentences) = (run.charts(), sentences(headlines, &judged)?);
    let papers = || PAPERS.into_iter().filter(|(letter, ..)| *letter != 'E');
    for (letter, title, _) in papers() {
        text += &format!("## {title}\n\n");
        text.extend(sentences.iter().filter(|(item, _)| item.starts_with(letter)).map(|(_, line)| line.as_str()));
        text += &pictures(charts.iter().filter(|(item, name, _)| item.starts_with(letter) && is_first(name)));
        text += "\n";
    }
    text += &format!("## Verdicts\n\n{}{}", prose.of("verdicts"), sums(run, &judged));
    for (letter, title, machine) in papers() {
        let key = title.split(':').next().unwrap_or(title);
        text += &format!("\n## Claims of {key}\n\n*{machine}*\n\n{}", prose.of(&letter.to_string()));
        text += &rows(judged.iter().filter(|judged| judged.claim.item.starts_with(letter)));
        text += &pictures(charts.iter().filter(|(item, name, _)| item.starts_with(letter) && !is_first(name)));
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// The charts of the first screen: one for each paper, with the points that it states.
const FIRST: [&str; 4] = ["B14-memory.svg", "D17-speed.svg", "J17-browsers.svg", "S13-bytes.svg"];

fn is_first(name: &str) -> bool {
    FIRST.contains(&name)
}

fn pictures<'a>(charts: impl Iterator<Item = &'a (&'a str, String, Chart)>) -> String {
    charts.map(|(item, name, chart)| format!("\n![{item}: {}](images/report/{name})\n", chart.title)).collect()
}

/// How many claims have which verdict, and where the run was made.
fn sums(run: &Run, judged: &[Judged<'_>]) -> String {
    let row = |(letter, title, _): (char, &str, &str)| {
        let of =
            |verdict| move |judged: &&Judged<'_>| judged.verdict == verdict && judged.claim.item.starts_with(letter);
        let counts = Verdict::ALL.map(|verdict| judged.iter().filter(of(verdict)).count().to_string());
        [title.to_owned()].into_iter().chain(counts).collect()
    };
    let mut rows: Vec<Vec<String>> = PAPERS.into_iter().filter(|(letter, ..)| *letter != 'E').map(row).collect();
    let is_of = |one: &&Judged<'_>, verdict: Verdict| one.verdict == verdict && !one.claim.item.starts_with('E');
    let all = Verdict::ALL.map(|verdict| judged.iter().filter(|one| is_of(one, verdict)).count().to_string());
    rows.push(["all".to_owned()].into_iter().chain(all).collect());
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

/// A line for each headline with its item: the verdict, and the sentence with its numbers put in.
fn sentences(headlines: &str, judged: &[Judged<'_>]) -> Result<Vec<(String, String)>, LabError> {
    let refused = |why: String| LabError::Input(format!("{HEADLINES}: {why}"));
    let mut lines = Vec::new();
    for row in csv::rows(headlines, "item,quantity,sentence").map_err(refused)? {
        let [item, quantity, sentence] = &row[..] else { continue };
        let found = judged.iter().find(|judged| judged.claim.item == *item && judged.claim.quantity == *quantity);
        let judged = found.ok_or_else(|| refused(format!("{item}, {quantity}: no claim that is judged")))?;
        let sentence = sentence
            .replace("{printed}", &judged.claim.shown())
            .replace("{built}", &value(judged, Form::AsBuilt))
            .replace("{printed figures}", &value(judged, Form::Printed))
            .replace("{here}", &value(judged, Form::Ours));
        lines.push((item.clone(), format!("- **{}**: {sentence}\n", judged.verdict.name())));
    }
    Ok(lines)
}

/// What the first measurement of a form gave, with its spread.
fn value(judged: &Judged<'_>, form: Form) -> String {
    let Some(finding) = judged.of(form).find(|finding| finding.ours != Ours::None) else { return "–".into() };
    let of = |number| digits(judged.claim, &Finding { ours: Ours::Number(number), ..finding.clone() });
    match (&finding.ours, finding.spread) {
        (Ours::Text(text), _) if text.chars().count() > LONG => finding.outcome.name().into(),
        (Ours::Number(number), Some([least, most])) => {
            let bare = |end| of(end).split(' ').next().unwrap_or_default().to_owned();
            format!("{} ({} to {})", of(*number), bare(least), bare(most))
        }
        (Ours::Number(number), None) => of(*number),
        _ => ours(finding),
    }
}

/// A number in the claim's unit, with as many digits as the claim has, and three at least.
fn digits(claim: &Claim, finding: &Finding) -> String {
    let (Value::Number(printed), Some(number)) = (&claim.value, finding.in_unit_of(claim)) else {
        return ours(finding);
    };
    let mantissa = printed.split('e').next().unwrap_or_default();
    let shown = mantissa.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count().max(3) as i32;
    if number != 0.0 && !(1e-3..1e9).contains(&number.abs()) {
        return ours(finding);
    }
    let size = if number == 0.0 { 0 } else { number.abs().log10().floor() as i32 };
    let decimals = if number.fract() == 0.0 { 0 } else { (shown - 1 - size).max(0) as usize };
    match claim.unit.name {
        "count" => format!("{number:.decimals$}"),
        "log2" => format!("2^{number:.decimals$}"),
        unit => format!("{number:.decimals$} {unit}"),
    }
}

/// The table of a paper: claims of an item with one verdict and reason share a row. Absolute speeds of another machine, and what
/// no measurement can be compared with, are only counted.
fn rows<'a>(judged: impl Iterator<Item = &'a Judged<'a>>) -> String {
    let (speeds, judged): (Vec<_>, Vec<_>) = judged.partition(|judged| judged.why == MACHINE);
    let is_beside = |judged: &&Judged<'_>| {
        judged.verdict == Verdict::Undecided
            && judged.findings.iter().all(|finding| matches!(finding.outcome, Outcome::Beside(_) | Outcome::NoClaim))
    };
    let (beside, judged): (Vec<_>, Vec<_>) = judged.into_iter().partition(is_beside);
    // A statement that holds, and of which nothing more is to be shown.
    let is_plain = |judged: &&Judged<'_>| {
        let shown = [Form::AsBuilt, Form::Ours].map(|form| value(judged, form));
        let is_text = matches!(judged.claim.value, Value::Text(_));
        judged.verdict == Verdict::Right && is_text && shown.iter().all(|text| ["–", "agrees"].contains(&text.as_str()))
    };
    let (plain, mut judged): (Vec<_>, Vec<_>) = judged.into_iter().partition(is_plain);
    let key = |judged: &Judged<'a>| (&judged.claim.item, judged.verdict.name(), judged.why.clone());
    let order: Vec<_> = judged.iter().map(|judged| judged.claim.item.clone()).collect();
    let place = |item: &String| order.iter().position(|known| known == item);
    judged.sort_by_cached_key(|judged| (place(&judged.claim.item), judged.verdict.name(), judged.why.clone()));
    let rows = judged.chunk_by(|a, b| key(a) == key(b)).map(|all| {
        let printed = |judged: &Judged<'_>| match (&judged.claim.value, value(judged, Form::Printed)) {
            (Value::Number(_), figures) if figures != "–" => format!("{}, derived {figures}", judged.claim.shown()),
            _ => judged.claim.shown(),
        };
        let column = |cell: &dyn Fn(&Judged<'_>) -> String| {
            let cells: Vec<String> = all.iter().map(|judged| cell(judged)).collect();
            if cells.iter().all(|cell| *cell == cells[0]) { cells[0].clone() } else { cells.join("; ") }
        };
        let why = if all[0].why.is_empty() { String::new() } else { format!(": {}", all[0].why) };
        // What all names begin with is told once.
        let words = |judged: &Judged<'_>| judged.claim.quantity.split(' ').map(String::from).collect::<Vec<_>>();
        let shared =
            |judged: &Judged<'_>| words(judged).iter().zip(words(all[0])).take_while(|(a, b)| **a == *b).count();
        let common = all.iter().map(|judged| shared(judged).min(words(judged).len() - 1)).min().unwrap_or(0);
        let name = |judged: &Judged<'_>| match judged.claim.quantity == all[0].claim.quantity {
            true => judged.claim.quantity.clone(),
            false => words(judged)[common..].join(" "),
        };
        vec![
            format!("{} {}", all[0].claim.item, column(&name)),
            column(&printed),
            column(&|judged| value(judged, Form::AsBuilt)),
            column(&|judged| value(judged, Form::Ours)),
            format!("{}{why}", all[0].verdict.name()),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let table = table(&["claim", "printed", "as the paper built it", "here", "verdict"], &rows, false);
    let mut text = table + "\n";
    if !plain.is_empty() {
        let names: Vec<String> =
            plain.iter().map(|judged| format!("{} {}", judged.claim.item, judged.claim.quantity)).collect();
        text += &format!("Right statements, as [corrected](errata.md): {}. ", names.join(", "));
    }
    if !speeds.is_empty() {
        text += &format!("{} absolute speeds and times belong to other hardware. ", speeds.len());
    }
    if !beside.is_empty() {
        let mut items: Vec<&str> = beside.iter().map(|judged| judged.claim.item.as_str()).collect();
        items.dedup();
        text += &format!("Not comparable, and so undecided: {} claims of {}.", beside.len(), items.join(", "));
    }
    text.trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Class, Kind};
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
    fn numbers_have_the_claims_digits() {
        let claims = Claim::all().unwrap();
        let of = |item: &str, number, unit: &str| {
            let claim = claims.iter().find(|claim| claim.item == item && claim.number().is_some()).unwrap();
            digits(claim, &Finding { ours: Ours::Number(number), unit: unit.into(), ..Finding::default() })
        };
        assert_eq!(of("D4", 2.5567790, "bits"), "2.557 bits");
        assert_eq!(of("D13", 2.29744, "bits"), "2.2974 bits");
        assert_eq!(of("J16", 14_056.0, "bytes"), "13.73 KiB");
        assert_eq!(of("B4", 7.0, "count"), "7");
        let claim = claims.iter().find(|claim| claim.item == "B10" && claim.unit.name == "log2").unwrap();
        let distance = Finding { ours: Ours::Number(-104.25), unit: "log2".into(), ..Finding::default() };
        assert_eq!(digits(claim, &distance), "2^-104");
        assert_eq!(of("D2", 1.076e-31, "probability"), "1.08e-31 probability");
    }

    #[test]
    fn a_headline_has_its_claim() {
        assert!(sentences("item,quantity,sentence\nB1,nothing,x\n", &[]).is_err());
    }

    /// The first screen has 25 sentences and a chart with points of each paper; the whole document at most 5,000 words.
    #[test]
    fn the_document_is_short() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let run = Run::read(&root).unwrap();
        let of = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
        let made = text(&run, &Prose::parse(&of("docs/report/prose.md")).unwrap(), &of(HEADLINES)).unwrap();
        assert!(made.split_whitespace().count() <= 5000, "{}", made.split_whitespace().count());
        let (first, _) = made.split_once("\n## Verdicts\n").unwrap();
        assert_eq!(first.matches("\n- **").count(), 25);
        for name in FIRST {
            let charts = run.charts();
            let (.., chart) = charts.iter().find(|(_, known, _)| known == name).unwrap();
            let mut series = chart.plots.iter().flat_map(|plot| &plot.series);
            assert!(
                first.contains(name) && series.any(|series| series.of_paper && !series.points.is_empty()),
                "{name}"
            );
        }
    }
}
