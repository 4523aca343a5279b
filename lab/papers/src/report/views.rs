//! What is kept, as a line of JSON and of CSV for each finding, and a file for each figure.

use crate::data::{Claim, Item, csv};
use crate::error::LabError;
use crate::finding::{Finding, Form, Ours};
use crate::kept::{Record, Records, write as write_file};
use crate::verdict::Judged;
use serde_json::json;
use std::path::Path;

const HEADER: &str = "row,item,quantity,place,claim,form,here,unit,least,greatest,relation,outcome,verdict,by,terms";

pub(super) fn write(
    folder: &Path,
    items: &[Item],
    claims: &[Claim],
    kept: &Records,
    judged: &[Judged<'_>],
) -> Result<(), LabError> {
    let records: Vec<&Record> = items.iter().flat_map(|item| kept.of(&item.id)).collect();
    let findings = || records.iter().flat_map(|record| record.findings.iter().map(move |finding| (*record, finding)));
    let lines: String = findings().map(|(record, finding)| line(record, finding, claims) + "\n").collect();
    write_file(&folder.join("findings.jsonl"), &lines)?;
    write_file(&folder.join("findings.csv"), findings_csv(items, claims, kept, judged))?;
    let figures = folder.join("figures");
    std::fs::create_dir_all(&figures)
        .map_err(|error| LabError::System(format!("cannot make {}: {error}", figures.display())))?;
    for (record, chart) in records.iter().flat_map(|record| record.charts.iter().map(move |chart| (record, chart))) {
        let name = chart.file(&record.item);
        write_file(&figures.join(name.clone() + ".svg"), chart.draw(true))?;
        let files = chart.files().map_err(|error| LabError::System(format!("cannot draw {name}: {error}")))?;
        for (end, file) in ["png", "pdf"].into_iter().zip(files) {
            write_file(&figures.join(format!("{name}.{end}")), file)?;
        }
        write_file(&figures.join(name + ".csv"), chart.csv())?;
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

/// Every finding as a line of CSV.
pub(crate) fn findings_csv(items: &[Item], claims: &[Claim], kept: &Records, judged: &[Judged<'_>]) -> String {
    let records = items.iter().flat_map(|item| kept.of(&item.id));
    let findings = records.flat_map(|record| record.findings.iter().map(move |finding| (record, finding)));
    let rows = findings.map(|(record, finding)| row(record, finding, claims, judged) + "\n");
    format!("{HEADER}\n{}", rows.collect::<String>())
}

fn row(record: &Record, finding: &Finding, claims: &[Claim], judged: &[Judged<'_>]) -> String {
    let claim = finding.claim(claims);
    let verdict = judged.iter().find(|judged| claim == Some(judged.claim)).map_or("", |judged| judged.verdict.name());
    let ours = match &finding.ours {
        Ours::Number(number) => short(*number),
        Ours::Text(text) => text.clone(),
        Ours::None => String::new(),
    };
    let end = |end: fn([f64; 2]) -> f64| finding.spread.map_or(String::new(), |spread| short(end(spread)));
    let form = match finding.form {
        Form::Ours => "ours",
        Form::AsBuilt => "as built",
        Form::Printed => "printed",
    };
    let fields = [
        record.item.clone(),
        finding.item.clone(),
        finding.quantity.clone(),
        claim.map_or(String::new(), |claim| claim.place.clone()),
        claim.map_or(String::new(), Claim::shown),
        form.into(),
        ours,
        finding.unit.clone(),
        end(|[least, _]| least),
        end(|[_, greatest]| greatest),
        finding.relation(claims),
        finding.outcome.to_string(),
        verdict.into(),
        record.by.clone(),
        finding.terms.clone(),
    ];
    fields.map(|field| csv::field(&field)).join(",")
}

/// A number in six digits.
fn short(number: f64) -> String {
    format!("{number:.5e}").parse::<f64>().unwrap_or(number).to_string()
}
