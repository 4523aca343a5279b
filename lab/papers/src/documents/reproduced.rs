//! docs/papers-reproduced.md.

use super::markdown::table;
use super::prose::Prose;
use super::run::Run;
use crate::counted;
use crate::data::Item;
use crate::error::LabError;
use crate::grid::Grid;
use crate::kept::Record;
use crate::papers::{PAPERS, VERDICTS, bare, ours, stated};

/// Repetitions of what is counted, under a fixed seed.
const REPETITIONS: u32 = 200_000;

pub(super) fn text(run: &Run, prose: &Prose) -> Result<String, LabError> {
    let mut text = String::from(
        "# What the papers report, again\n\n<!-- Written by cargo tools gen-report from docs/report/run.jsonl and docs/report/prose.md. -->\n\n",
    );
    text += &prose.of("top");
    text += &sums(run);
    text += "## Random bits, trials, bytes\n\n";
    text += &prose.of("counts").replace("REPETITIONS", &REPETITIONS.to_string());
    text += &format!("```text\n{}```\n", counted::counts(REPETITIONS).map_err(LabError::Input)?);
    text += &format!("\n{}", prose.of("counted"));
    for (letter, title, machine) in PAPERS {
        text += &format!("\n## {title}\n\n*{machine}*\n\n");
        text += &prose.of(&letter.to_string());
        let (here, there): (Vec<&Item>, Vec<&Item>) = run
            .items
            .iter()
            .filter(|item| item.id.starts_with(letter))
            .partition(|item| run.kept.of(&item.id).next().is_some() || item.about.is_none() || letter == 'E');
        for item in here {
            text += &section(run, prose, item);
        }
        if !there.is_empty() {
            let rows: Vec<Vec<String>> = there
                .iter()
                .map(|item| {
                    vec![item.id.clone(), item.title.clone(), item.asks.clone(), item.about.clone().unwrap_or_default()]
                })
                .collect();
            text += &table(&["figure", "", "what was to be put right", "stands at"], &rows, false);
        }
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// How many claims have which verdict, and what was measured where.
fn sums(run: &Run) -> String {
    let mut rows = Vec::new();
    for (letter, title, _) in PAPERS {
        let of = run.items.iter().filter(|item| item.id.starts_with(letter));
        let records: Vec<&Record> = of.flat_map(|item| run.kept.of(&item.id)).collect();
        let with_claim =
            || records.iter().flat_map(|record| &record.findings).filter(|f| f.claim(&run.claims).is_some());
        let mut row = vec![title.to_owned()];
        row.extend(VERDICTS.iter().map(|name| with_claim().filter(|f| f.verdict.name() == *name).count().to_string()));
        if !records.is_empty() {
            rows.push(row);
        }
    }
    let head: Vec<&str> = [""].into_iter().chain(VERDICTS).collect();
    let mut places: Vec<(String, Vec<&str>)> = Vec::new();
    for record in run.items.iter().flat_map(|item| run.kept.of(&item.id)) {
        let place = record.told() + if record.quick { ", in a hurry" } else { "" };
        match places.iter_mut().find(|(known, _)| *known == place) {
            Some((_, items)) if items.last() == Some(&record.item.as_str()) => {}
            Some((_, items)) => items.push(&record.item),
            None => places.push((place, vec![&record.item])),
        }
    }
    places.sort_by_key(|(_, items)| std::cmp::Reverse(items.len()));
    let mut text = format!("Findings that answer a claim, by their verdicts:\n\n{}\n", table(&head, &rows, true));
    for ((place, items), number) in places.iter().zip(0..) {
        let which = if number == 0 { "all but what follows".to_owned() } else { items.join(", ") };
        text += &format!("- Measured on {place}: {which}.\n");
    }
    text + "\n"
}

fn section(run: &Run, prose: &Prose, item: &Item) -> String {
    let mut text = format!("### {}: {}\n\n", item.id, item.title);
    let mut measured = false;
    for record in run.kept.of(&item.id) {
        measured = true;
        text += &findings(run, record);
    }
    if let (false, Some(lacking)) = (measured, &item.lacking) {
        text += &format!("Not measured: {lacking}.\n\n");
    }
    for (name, chart) in run.shown(&item.id) {
        text += &format!("![{}](images/report/{name})\n\n{}\n\n", chart.title, chart.caption);
    }
    text + &prose.of(&item.id)
}

fn findings(run: &Run, record: &Record) -> String {
    let (single, grids) = Grid::split(&record.findings);
    let mut text =
        if record.by.is_empty() { String::new() } else { format!("By {}, `{}`:\n\n", record.by, record.command) };
    let rows: Vec<Vec<String>> = single
        .iter()
        .map(|finding| {
            let claim = finding.claim(&run.claims);
            let (stated, place) = stated(claim);
            let place = if place.is_empty() { String::new() } else { format!(", {place}") };
            let terms = if finding.terms.is_empty() { String::new() } else { format!(" ({})", finding.terms) };
            vec![
                finding.quantity.clone() + &terms,
                stated + &place,
                ours(finding),
                finding.relation(&run.claims),
                finding.verdict.to_string(),
            ]
        })
        .collect();
    if !rows.is_empty() {
        text += &(table(&["what", "the paper", "here", "here to paper", "verdict"], &rows, false) + "\n");
    }
    for grid in grids {
        let head: Vec<&str> = [grid.unit].into_iter().chain(grid.columns.iter().copied()).collect();
        let rows: Vec<Vec<String>> = grid
            .rows
            .iter()
            .map(|row| {
                let cells = grid.columns.iter().map(|column| grid.cell(row, column).map_or("–".into(), bare));
                [(*row).to_owned()].into_iter().chain(cells).collect()
            })
            .collect();
        text += &format!("{}\n{}.\n\n", table(&head, &rows, true), grid.terms);
    }
    text
}
