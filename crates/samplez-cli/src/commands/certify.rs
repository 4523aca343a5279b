//! `samplez certify`.

use super::build::build;
use crate::args::Certify;
use crate::failure::Failure;
use crate::numbers::{grouped, rounded_down, rounded_up};
use crate::report::{columns, print};
use samplez::{Bound, Exactness, Method, Profile};
use serde_json::{Map, Value, json};
use std::process::ExitCode;

/// The levels of security that a certificate speaks of.
const SECURITY: [u32; 2] = [128, 256];

pub(crate) fn run(args: &Certify) -> Result<ExitCode, Failure> {
    let law = args.law.law()?;
    let (method, sampler) = build(&law, &args.build)?;
    let profile = sampler.profile();
    print(&if args.json {
        format!("{:#}\n", as_json(method, args.build.tables.precision, &profile))
    } else {
        as_text(method, args.build.tables.precision, &profile)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn bound(profile: &Profile) -> Option<&Bound> {
    match &profile.exactness {
        Exactness::Exact => None,
        Exactness::Within(bound) => Some(bound),
    }
}

/// Every bound is null where the law is exact; `precision` too, for there is no table.
fn as_json(method: Method, precision: u32, profile: &Profile) -> Value {
    let bound = bound(profile);
    let mut renyi: Map<String, Value> =
        ["2", "256", "513"].map(|order| (order.to_string(), Value::Null)).into_iter().collect();
    for (order, log2) in bound.iter().flat_map(|b| b.log2_renyi) {
        renyi.insert(order.to_string(), json!(log2));
    }
    renyi.insert("inf".to_string(), json!(bound.map(|b| b.log2_rinf)));
    let per_level = |value: &dyn Fn(&Bound, u32) -> Option<f64>| -> Map<String, Value> {
        SECURITY.iter().map(|level| (level.to_string(), json!(bound.and_then(|b| value(b, *level))))).collect()
    };
    json!({
        "method": method.name(),
        "law": profile.target.to_string(),
        "center": profile.target.center().to_string(),
        "width": { "form": profile.target.width().name(), "value": profile.target.width().value().to_string() },
        "precision": bound.map(|_| precision),
        "exact": bound.is_none(),
        "log2_sd": bound.map(|b| b.log2_sd),
        "log2_renyi": renyi,
        "log2_tail": bound.map(|b| b.log2_tail),
        "table_bytes": profile.table_bytes,
        "expected_bits": profile.expected_bits,
        "expected_trials": profile.expected_trials,
        "timing": profile.timing.to_string(),
        "samples_log2": per_level(&|b, level| b.samples_log2(level)),
        "samples_log2_decision": per_level(&|b, level| Some(b.samples_log2_decision(level))),
    })
}

fn as_text(method: Method, precision: u32, profile: &Profile) -> String {
    let mut rows =
        vec![["law".into(), profile.target.to_string()], ["method".into(), format!("{method}: {}", method.summary())]];
    match bound(profile) {
        None => rows.push(["distance".into(), "none: the law is exact, given ideal random bits".into()]),
        Some(bound) => {
            let power = |log2: f64| format!("<= 2^{}", rounded_up(log2, 2));
            rows.push(["precision".into(), format!("{precision} bits")]);
            rows.push(["statistical distance".into(), power(bound.log2_sd)]);
            for (order, log2) in bound.log2_renyi {
                rows.push([format!("Rényi R_{order} - 1"), power(log2)]);
            }
            rows.push(["Rényi R_inf - 1".into(), power(bound.log2_rinf)]);
            rows.push(["tail cut off".into(), power(bound.log2_tail)]);
        }
    }
    rows.push(["table".into(), format!("{} bytes", grouped(profile.table_bytes as i128))]);
    rows.push(["random bits per sample".into(), format!("{:.2} expected", profile.expected_bits)]);
    rows.push(["trials per sample".into(), format!("{:.4} expected", profile.expected_trials)]);
    rows.push(["timing".into(), profile.timing.to_string()]);
    for level in SECURITY {
        let (search, decision) = match bound(profile) {
            None => ("any number of samples".into(), "any number of samples".into()),
            Some(bound) => (samples(bound.samples_log2(level)), samples(Some(bound.samples_log2_decision(level)))),
        };
        rows.push([format!("{level} bits, search problem"), search]);
        rows.push([format!("{level} bits, decision problem"), decision]);
    }
    columns(&rows.into_iter().map(Vec::from).collect::<Vec<_>>(), &[])
}

/// 2^q samples, q rounded down.
fn samples(log2: Option<f64>) -> String {
    match log2 {
        None => "no bound of a large enough order".into(),
        Some(log2) if log2 < 0.0 => "not even one sample; raise --precision".into(),
        Some(log2) => format!("2^{} samples", rounded_down(log2)),
    }
}
