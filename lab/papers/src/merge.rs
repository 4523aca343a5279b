//! Findings that others made, in browsers or in Python: a line of JSON for each, judged as ours are.

use crate::data::{Claim, Item, Sense, Unit, Value};
use crate::error::LabError;
use crate::finding::{Finding, Form, Ours, Outcome};
use crate::kept::{Record, Records};
use crate::place::Place;
use serde::Deserialize;
use std::path::Path;

/// A finding, who made it and how.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Foreign {
    item: String,
    quantity: String,
    terms: String,
    ours: Ours,
    unit: String,
    /// Only where no rule can tell: a statement, a comparison that does not hold.
    #[serde(default)]
    outcome: Option<Outcome>,
    /// The least and the greatest result of the repetitions, where there are any.
    #[serde(default)]
    spread: Option<[f64; 2]>,
    /// By how much of the claim a number may be off.
    #[serde(default)]
    share: f64,
    /// The measured construction: this library by default.
    #[serde(default)]
    form: Form,
    by: String,
    date: String,
    /// How many wanted a processor when it began.
    #[serde(default)]
    load: Option<f64>,
    command: String,
}

/// Adds the findings of a file to what is kept, those of an item by one of theirs together.
pub(crate) fn merge(
    path: &Path,
    here: &Place,
    items: &[Item],
    claims: &[Claim],
    kept: &mut Records,
) -> Result<(), LabError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| LabError::System(format!("cannot read {}: {error}", path.display())))?;
    let mut records: Vec<Record> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let refused = |why: String| LabError::Input(format!("{}:{number}: {why}", path.display()));
        let foreign: Foreign = serde_json::from_str(line).map_err(|why| refused(why.to_string()))?;
        if !items.iter().any(|item| item.id == foreign.item) {
            return Err(refused(format!("{}: no such item", foreign.item)));
        }
        if foreign.by.is_empty() {
            return Err(refused("by: must name who measured".into()));
        }
        let at = records.iter().position(|record| record.item == foreign.item && record.by == foreign.by);
        let at = at.unwrap_or_else(|| {
            records.push(Record {
                item: foreign.item.clone(),
                by: foreign.by.clone(),
                place: here.clone(),
                date: foreign.date.clone(),
                quick: false,
                seconds: 0.0,
                load: foreign.load,
                yardstick: None,
                command: foreign.command.clone(),
                findings: Vec::new(),
                charts: Vec::new(),
            });
            records.len() - 1
        });
        records[at].findings.push(foreign.judged(claims).map_err(refused)?);
    }
    for record in records {
        if !kept.of(&record.item).any(|old| *old == record) {
            kept.add(record)?;
        }
    }
    Ok(())
}

impl Foreign {
    /// With its own verdict, or by the rule of its kind.
    fn judged(self, claims: &[Claim]) -> Result<Finding, String> {
        let Foreign { item, quantity, terms, ours, unit, outcome, spread, share, form, .. } = self;
        let known = Unit::of(&unit).ok_or_else(|| format!("{unit} is no unit"))?;
        let mut finding = Finding { item, quantity, terms, ours, spread, unit, form, ..Finding::default() };
        let Some(claim) = finding.claim(claims).filter(|claim| claim.is_judged()) else { return Ok(finding) };
        finding.outcome = match (outcome, &claim.value, &finding.ours) {
            (Some(outcome), ..) => outcome,
            _ if known.is_of_machines() => Outcome::Beside(crate::answer::MACHINE.into()),
            (None, Value::Number(_), Ours::Number(_)) => match finding.in_unit_of(claim) {
                None => return Err(format!("{} is no {}", finding.unit, claim.unit.name)),
                Some(ours) => {
                    let chance = share * claim.number().unwrap_or(0.0).abs();
                    let ends = spread.into_iter().flatten().filter_map(|end| known.to(claim.unit, end));
                    let holds: Vec<bool> =
                        [ours].into_iter().chain(ends).map(|value| claim.holds(value, chance)).collect();
                    match (holds.contains(&true), holds.contains(&false)) {
                        (_, false) => Outcome::Agrees,
                        (false, _) => Outcome::Differs(format!("it is {} here", sense(claim.sense))),
                        _ => Outcome::Straddles("the repetitions lie on both sides of the threshold".into()),
                    }
                }
            },
            _ => {
                return Err(format!("{}, {}: no rule judges it: must have an outcome", finding.item, finding.quantity));
            }
        };
        Ok(finding)
    }
}

/// What a number is that does not hold.
const fn sense(sense: Sense) -> &'static str {
    match sense {
        Sense::Exactly | Sense::About => "another number",
        Sense::AtLeast => "less",
        Sense::AtMost => "more",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(lines: &str) -> Result<Records, LabError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("browsers.jsonl");
        std::fs::write(&path, lines).unwrap();
        let here = Place { machine: "m".into(), commit: "c".into() };
        let mut kept = Records::open(folder.path())?;
        for _ in 0..2 {
            merge(&path, &here, &Item::all().unwrap(), &Claim::all().unwrap(), &mut kept)?;
        }
        assert_eq!(std::fs::read_to_string(folder.path().join("kept.jsonl")).unwrap().lines().count(), 2, "not twice");
        Ok(kept)
    }

    fn line(item: &str, quantity: &str, ours: &str, unit: &str, more: &str) -> String {
        format!(
            "{{\"item\":\"{item}\",\"quantity\":\"{quantity}\",\"terms\":\"t\",\"ours\":{ours},\"unit\":\"{unit}\",\
             \"by\":\"Chromium\",\"date\":\"2026-11-22\",\"command\":\"make bench BENCH=web\"{more}}}\n"
        )
    }

    #[test]
    fn others_are_judged_as_ours() {
        let kept = run(&[
            line("J13", "Knuth-Yao at 107", "20000", "samples/ms", ""),
            line("J13", "something more", "3", "times", ""),
            line("J11", "browsers", "4", "count", ",\"form\":\"as-built\""),
            line("J11", "browsers", "3", "count", ""),
            line("J11", "browsers", "3", "count", ",\"outcome\":\"not comparable: why\""),
        ]
        .concat())
        .unwrap();
        let outcomes = |item| -> Vec<String> {
            kept.of(item).flat_map(|record| &record.findings).map(|finding| finding.outcome.to_string()).collect()
        };
        let slower = "not comparable: another machine, of the paper's day; ratios and orders are compared";
        let forms: Vec<_> = kept.of("J11").flat_map(|record| &record.findings).map(|finding| finding.form).collect();
        assert_eq!(forms, [Form::AsBuilt, Form::Ours, Form::Ours]);
        assert_eq!(outcomes("J13"), [slower, "no claim"]);
        assert_eq!(outcomes("J11"), ["agrees", "differs: it is another number here", "not comparable: why"]);
    }

    /// A number with its repetitions holds if it holds at both ends, within the share that it may be off.
    #[test]
    fn repetitions_are_judged_at_both_ends() {
        for (ours, more, outcome) in [
            ("600", ",\"spread\":[560,690],\"share\":0.25", "agrees"),
            (
                "600",
                ",\"spread\":[560,700],\"share\":0.25",
                "straddles: the repetitions lie on both sides of the threshold",
            ),
            ("900", ",\"spread\":[800,990],\"share\":0.25", "differs: it is another number here"),
            ("600", "", "differs: it is another number here"),
        ] {
            let one = line("B15c", "inversion over plain rejection at 32", ours, "times", more);
            let kept = run(&(one + &line("J11", "browsers", "4", "count", ""))).unwrap();
            let outcomes: Vec<String> = kept
                .of("B15c")
                .flat_map(|record| &record.findings)
                .map(|finding| finding.outcome.to_string())
                .collect();
            assert_eq!(outcomes, [outcome], "{more}");
        }
    }

    #[test]
    fn bad_lines_are_refused_with_their_place() {
        let good = line("J11", "browsers", "4", "count", "");
        for (bad, why) in [
            ("{}\n".to_owned(), "missing field"),
            (line("Z1", "browsers", "4", "count", ""), "Z1: no such item"),
            (line("J11", "browsers", "4", "furlong", ""), "furlong is no unit"),
            (line("J11", "browsers", "4", "bits", ""), "bits is no count"),
            (line("J23", "more precision", "\"text\"", "statement", ""), "must have an outcome"),
            (line("J11", "browsers", "4", "count", ",\"outcome\":\"fine\""), "fine"),
            (line("J11", "browsers", "4", "count", ",\"form\":\"better\""), "better"),
            (line("J11", "browsers", "4", "count", ",\"more\":1"), "unknown field"),
            (good.replace("Chromium", ""), "must name who measured"),
        ] {
            match run(&format!("{good}{bad}")) {
                Err(LabError::Input(error)) => {
                    assert!(error.contains("browsers.jsonl:2: ") && error.contains(why), "{error}")
                }
                other => panic!("{bad}: {:?}", other.map(|_| ())),
            }
        }
    }
}
