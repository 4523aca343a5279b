//! What was measured, as text and as JSON.

use super::clock::{Operation, Sampling};
use super::papers;
use super::row::Row;
use crate::args::BenchSchemes;
use crate::numbers::{grouped, rate};
use crate::report::columns;
use samplez::bindings::Backend;
use serde_json::{Value, json};
use std::fmt::Write;

/// Quantiles that are reported beside the median.
const QUANTILES: [f64; 2] = [0.1, 0.9];

pub(super) fn as_json(args: &BenchSchemes, rows: &[Row], refused: &[String]) -> Value {
    let operation = |it: &Operation| {
        json!({
            "name": it.name,
            "runs": it.times.runs(),
            "median": it.times.median(),
            "quantile_10": it.times.quantile(QUANTILES[0]),
            "quantile_90": it.times.quantile(QUANTILES[1]),
            "sampling_share": it.sampling.map(|sampling| sampling.share),
            "samples": it.sampling.map(|sampling| sampling.samples),
            "nanoseconds_per_sample": it.sampling.map(|sampling| 1e3 * sampling.per_sample),
        })
    };
    let row = |row: &Row| {
        json!({
            "scheme": row.scheme,
            "set": row.set,
            "variant": row.variant,
            "signer": row.signer,
            "asked": row.asked,
            "recipe": row.recipe,
            "timing": row.timing,
            "source": row.source.name(),
            "operations": row.operations.iter().map(operation).collect::<Vec<_>>(),
            "attempts": row.attempts.map(|(measured, _)| measured),
            "expected_attempts": row.attempts.map(|(_, expected)| expected),
        })
    };
    json!({
        "unit": "microseconds",
        "clock": crate::measure::clock::NAME,
        "turn_milliseconds": args.turn,
        "backend": Backend::current().name(),
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
        "refused": refused,
        "papers": papers::as_json(rows),
    })
}

pub(super) fn as_text(args: &BenchSchemes, rows: &[Row], refused: &[String]) -> String {
    let mut text = format!(
        "Microseconds on one thread, backend {}: medians, and in brackets what a tenth of the runs is below and above, by\n\
         processor time; each operation for {} ms. Sampling: the share of the time in which noise is drawn, its random bits\n\
         included, by wall-clock time without the slowest tenth. A message has 44 bytes, a ciphertext one block.\n",
        Backend::current().name(),
        args.turn
    );
    for scheme in ["bliss", "lp11", "regev"] {
        let of: Vec<&Row> = rows.iter().filter(|row| row.scheme == scheme).collect();
        if !of.is_empty() {
            let _ = write!(text, "\n{}", table(&of));
        }
    }
    if !refused.is_empty() {
        let _ = write!(text, "\nNot built:\n{}\n", refused.join("\n"));
    }
    text.push_str(&papers::as_text(rows));
    text
}

/// The rows of one scheme.
fn table(rows: &[&Row]) -> String {
    let mut header = vec!["set".to_string(), "noise".into(), "timing".into(), "source".into()];
    for operation in &rows[0].operations {
        header.push(operation.name.into());
        if operation.sampling.is_some() {
            header.push("sampling".into());
        }
    }
    if rows[0].attempts.is_some() {
        header.push("attempts".into());
    }
    let right: Vec<usize> = (4..header.len()).collect();
    let mut lines = vec![header];
    for row in rows {
        let words = [Some(row.scheme), row.variant, Some(&row.set), row.signer.filter(|signer| *signer != "plain")];
        let set = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let mut line = vec![set, row.asked.into(), row.timing.clone(), row.source.to_string()];
        for Operation { times, sampling, .. } in &row.operations {
            let [low, high] = QUANTILES.map(|p| rate(times.quantile(p)));
            line.push(format!("{} ({low}-{high})", rate(times.median())));
            line.extend(sampling.map(|Sampling { share, samples, .. }| {
                format!("{:.0} % of it, {}", 100.0 * share, grouped(samples.round() as i128))
            }));
        }
        line.extend(row.attempts.map(|(measured, expected)| format!("{measured:.2} of {expected:.2}")));
        lines.push(line);
    }
    columns(&lines, &right)
}
