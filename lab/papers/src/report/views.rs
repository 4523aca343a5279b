//! What is kept, as a line of JSON and of CSV for each finding, and a file for each figure.

use crate::data::{Claim, Item, csv};
use crate::error::LabError;
use crate::finding::{Finding, Ours};
use crate::kept::{Record, Records, write as write_file};
use serde_json::json;
use std::path::Path;

pub(super) const HEADER: &str = "row,item,quantity,place,claim,claim unit,here,unit,relation,verdict,why,terms,command,machine,date,commit,quick,by,load";

pub(super) fn write(folder: &Path, items: &[Item], claims: &[Claim], kept: &Records) -> Result<(), LabError> {
    let records: Vec<&Record> = items.iter().flat_map(|item| kept.of(&item.id)).collect();
    let findings = || records.iter().flat_map(|record| record.findings.iter().map(move |finding| (*record, finding)));
    let lines: String = findings().map(|(record, finding)| line(record, finding, claims) + "\n").collect();
    write_file(&folder.join("findings.jsonl"), &lines)?;
    let rows: String = findings().map(|(record, finding)| row(record, finding, claims) + "\n").collect();
    write_file(&folder.join("findings.csv"), &format!("{HEADER}\n{rows}"))?;
    let figures = folder.join("figures");
    std::fs::create_dir_all(&figures)
        .map_err(|error| LabError::System(format!("cannot make {}: {error}", figures.display())))?;
    for (record, chart) in records.iter().flat_map(|record| record.charts.iter().map(move |chart| (record, chart))) {
        let name = chart.file(&record.item);
        write_file(&figures.join(name.clone() + ".svg"), &chart.draw(true))?;
        write_file(&figures.join(name + ".csv"), &chart.csv())?;
    }
    Ok(())
}

fn line(record: &Record, finding: &Finding, claims: &[Claim]) -> String {
    let claim = finding.claim(claims);
    json!({
        "row": record.item,
        "finding": finding,
        "place": claim.map(|claim| &claim.place),
        "claim": claim.map(Claim::shown),
        "relation": finding.relation(claims),
        "command": record.command,
        "machine": record.place.machine,
        "date": record.date,
        "commit": record.place.commit,
        "quick": record.quick,
        "by": record.by,
        "load": record.load,
    })
    .to_string()
}

fn row(record: &Record, finding: &Finding, claims: &[Claim]) -> String {
    let claim = finding.claim(claims);
    let ours = match &finding.ours {
        Ours::Number(number) => number.to_string(),
        Ours::Text(text) => text.clone(),
        Ours::None => String::new(),
    };
    let fields = [
        record.item.clone(),
        finding.item.clone(),
        finding.quantity.clone(),
        claim.map_or(String::new(), |claim| claim.place.clone()),
        claim.map_or(String::new(), Claim::shown),
        claim.map_or(String::new(), |claim| claim.unit.name.into()),
        ours,
        finding.unit.clone(),
        finding.relation(claims),
        finding.verdict.name().into(),
        finding.verdict.why().into(),
        finding.terms.clone(),
        record.command.clone(),
        record.place.machine.clone(),
        record.date.clone(),
        record.place.commit.clone(),
        record.quick.to_string(),
        record.by.clone(),
        record.load.map_or(String::new(), |load| load.to_string()),
    ];
    fields.map(|field| csv::field(&field)).join(",")
}
