//! `samplez certify --table`: the audit of a table, whoever made it.

use crate::failure::Failure;
use crate::input::open;
use crate::numbers::rounded_up;
use crate::report::{columns, print};
use samplez::tables::{Audit, Line, PlainError, PlainTable, TableForm, Whole, audit};
use samplez::{Bound, DiscreteGaussian};
use serde_json::{Map, Value, json};
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

/// The levels of security that an audit speaks of.
const SECURITY: [u32; 2] = [128, 256];
/// The largest file, in bytes.
const MAX_FILE: u64 = 1 << 27;

pub(crate) fn run(
    law: &DiscreteGaussian,
    path: &Path,
    form: Option<&TableForm>,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    let (name, table) = read(law, path, form)?;
    let found = audit(&table);
    print(&if as_json { format!("{:#}\n", json(&name, &table, &found)) } else { text(&name, &table, &found) })?;
    Ok(ExitCode::SUCCESS)
}

/// The table in a file, with the file's name for messages.
fn read(law: &DiscreteGaussian, path: &Path, form: Option<&TableForm>) -> Result<(String, PlainTable), Failure> {
    let opened = open(path)?;
    let mut bytes = Vec::new();
    let refuse = |what: String| Failure::input(&opened.name, what);
    opened
        .stream
        .take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| refuse(format!("cannot read: {error}")))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(refuse(format!("more than the {MAX_FILE} bytes that a table may have")));
    }
    let text = String::from_utf8(bytes).map_err(|_| refuse("is no text".into()))?;
    let (mut entries, mut lines, mut said) = (Vec::new(), Vec::new(), None);
    for (number, line) in (1..).zip(text.lines()) {
        let ends = [line.find('#'), line.find("//")].into_iter().flatten().min();
        let (numbers, comment) = line.split_at(ends.unwrap_or(line.len()));
        if let Some(form) = comment.trim_start_matches(['#', '/', ' ']).strip_prefix("form:") {
            let form = form.trim().parse::<TableForm>().map_err(|error| refuse(format!("line {number}: {error}")))?;
            if said.replace(form).is_some_and(|other| other != form) {
                return Err(refuse(format!("line {number}: a second form, {form}")));
            }
        }
        for word in numbers.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|word| !word.is_empty()) {
            let shown: String = word.chars().take(80).collect();
            let entry = word.parse::<Whole>().map_err(|error| refuse(format!("line {number}: `{shown}`: {error}")))?;
            entries.push(entry);
            lines.push(number);
        }
    }
    let form = form.copied().or(said).ok_or_else(|| {
        refuse(
            "says nowhere what its numbers are: give --form, such as folded,tail,78, or a comment `# form: …`".into(),
        )
    })?;
    if entries.is_empty() {
        return Err(refuse("holds no numbers".into()));
    }
    let table = PlainTable::new(law, &form, entries).map_err(|error| {
        refuse(match error {
            PlainError::Entry { index, .. } => format!("line {}: {error}", lines[index]),
            _ => error.to_string(),
        })
    })?;
    Ok((opened.name, table))
}

/// The law that the table is compared with.
fn target(table: &PlainTable) -> String {
    let law = table.target();
    if table.form().line == Line::Half { format!("{law}, given X >= {}", law.center()) } else { law.to_string() }
}

/// The names are those of a sampler's certificate.
fn json(name: &str, table: &PlainTable, found: &Audit) -> Value {
    let Bound { log2_sd, log2_renyi, log2_rinf, log2_tail } = found.bound;
    let finite = |log2: f64| if log2.is_finite() { json!(log2) } else { json!(log2.to_string()) };
    let mut renyi: Map<String, Value> =
        log2_renyi.into_iter().map(|(order, log2)| (order.to_string(), finite(log2))).collect();
    renyi.insert("inf".into(), finite(log2_rinf));
    let per_level = |value: &dyn Fn(u32) -> Option<f64>| -> Map<String, Value> {
        SECURITY.iter().map(|level| (level.to_string(), value(*level).map_or(Value::Null, finite))).collect()
    };
    let law = table.target();
    json!({
        "table": name,
        "form": table.form().to_string(),
        "entries": table.entries().len(),
        "law": target(table),
        "center": law.center().to_string(),
        "width": { "form": law.width().name(), "value": law.width().value().to_string() },
        "precision": table.form().precision,
        "exact": false,
        "log2_sd": finite(log2_sd),
        "log2_renyi": renyi,
        "log2_tail": finite(log2_tail),
        "support": { "min": found.support.start(), "max": found.support.end() },
        "samples_log2": per_level(&|level| found.bound.samples_log2(level)),
        "samples_log2_decision": per_level(&|level| Some(found.bound.samples_log2_decision(level))),
    })
}

fn text(name: &str, table: &PlainTable, found: &Audit) -> String {
    let Bound { log2_sd, log2_renyi, log2_rinf, log2_tail } = found.bound;
    let power = |log2: f64| match log2 {
        f64::INFINITY => "no bound: weight where the law has none".into(),
        f64::NEG_INFINITY => "0".into(),
        _ => format!("<= 2^{}", rounded_up(log2, 2)),
    };
    let mut rows = vec![
        ["law".into(), target(table)],
        ["table".into(), format!("{name}: {} entries", table.entries().len())],
        ["form".into(), table.form().to_string()],
        ["precision".into(), format!("{} bits", table.form().precision)],
    ];
    let one = 1_u32 + table.form().precision;
    if table.total().bits() != one {
        rows.push(["sum of the weights".into(), format!("{}, less than 2^{}", table.total(), one - 1)]);
    }
    rows.push(["support".into(), format!("{} to {}", found.support.start(), found.support.end())]);
    rows.push(["statistical distance".into(), power(log2_sd)]);
    rows.extend(log2_renyi.map(|(order, log2)| [format!("Rényi R_{order} - 1"), power(log2)]));
    rows.push(["Rényi R_inf - 1".into(), power(log2_rinf)]);
    rows.push(["tail cut off".into(), power(log2_tail)]);
    let samples = |log2: Option<f64>| match log2 {
        None => "no bound of a large enough order".into(),
        Some(log2) if log2 < 0.0 => "not even one sample".into(),
        Some(log2) => format!("2^{:.2} samples", (log2 * 100.0).floor() / 100.0),
    };
    for level in SECURITY {
        rows.push([format!("{level} bits, search problem"), samples(found.bound.samples_log2(level))]);
        rows.push([format!("{level} bits, decision problem"), samples(Some(found.bound.samples_log2_decision(level)))]);
    }
    columns(&rows.into_iter().map(Vec::from).collect::<Vec<_>>(), &[])
}
