//! `samplez plan`.

use crate::args;
use crate::failure::{Failure, spelled};
use crate::numbers::{grouped, rounded_up};
use crate::report::{columns, print};
use samplez::{Built, Exactness, Kind, Options, Plan, Recipe};
use serde_json::{Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &args::Plan) -> Result<ExitCode, Failure> {
    let recipe = Recipe { law: args.law.law()?, method: None, options: args.tables.options() };
    let built = recipe.build().map_err(|refused| Failure::refused(&refused))?;
    let Some(plan) = built.plan() else { return Err(Failure::Input("no method was left open".into())) };
    print(&if args.json { format!("{:#}\n", as_json(&built, plan)) } else { as_text(&built, plan) })?;
    Ok(ExitCode::SUCCESS)
}

/// The arguments that name the plan to the other commands.
fn arguments(built: &Built) -> String {
    let recipe = built.recipe();
    let (width, center) = (recipe.law.width(), recipe.law.center());
    let mut text = format!("{} {}", spelled(width.name()), width.value());
    if center.num() != 0 {
        text += &format!(" --center {center}");
    }
    text += &format!(" --method {}", built.method());
    for (name, value) in recipe.options.said() {
        match Options::info(name).map(|info| info.kind) {
            Ok(Kind::Flag { default }) if value == default.to_string() => {}
            Ok(Kind::Whole { default: Some(default), .. }) if value == default.to_string() => {}
            Ok(Kind::Rational { default }) if value == default.to_string() => {}
            Ok(Kind::Flag { default: true }) => text += &format!(" --no-{name}"),
            Ok(Kind::Flag { default: false }) => text += &format!(" {}", spelled(name)),
            _ => text += &format!(" {} {value}", spelled(name)),
        }
    }
    text
}

fn as_json(built: &Built, plan: &Plan) -> Value {
    let (profile, options) = (built.profile(), built.options());
    let log2_sd = match &profile.exactness {
        Exactness::Exact => None,
        Exactness::Within(bound) => Some(bound.log2_sd),
    };
    let refused: Vec<Value> = plan
        .refused
        .iter()
        .map(|other| json!({ "method": other.method.name(), "why": other.respelled(spelled) }))
        .collect();
    json!({
        "law": profile.target.to_string(),
        "method": built.method().name(),
        "arguments": arguments(built),
        "reason": plan.reason,
        "options": {
            "precision": options.precision,
            "rectangles": options.rectangles,
            "tail": options.tail.map(|tail| tail.to_string()),
            "chord": options.chord,
            "pdf_table": options.pdf_table,
            "frugal": options.frugal,
        },
        "exact": log2_sd.is_none(),
        "log2_sd": log2_sd,
        "table_bytes": profile.table_bytes,
        "expected_bits": profile.expected_bits,
        "expected_trials": profile.expected_trials,
        "timing": profile.timing.to_string(),
        "estimates": { "setup_seconds": plan.setup.as_secs_f64(), "million_per_second": plan.million_per_second },
        "refused": refused,
    })
}

fn as_text(built: &Built, plan: &Plan) -> String {
    let profile = built.profile();
    let law = match &profile.exactness {
        Exactness::Exact => "exact".to_string(),
        Exactness::Within(bound) => format!("certified, statistical distance <= 2^{}", rounded_up(bound.log2_sd, 2)),
    };
    let rows = [
        ["law", &profile.target.to_string()],
        ["method", &format!("{}: {}", built.method(), built.method().summary())],
        ["why", &plan.reason],
        ["use", &format!("samplez sample {} --count 1e6", arguments(built))],
        ["exactness", &law],
        ["table", &format!("{} bytes", grouped(profile.table_bytes as i128))],
        ["random bits per sample", &format!("{:.2} expected", profile.expected_bits)],
        ["trials per sample", &format!("{:.4} expected", profile.expected_trials)],
        ["timing", &profile.timing.to_string()],
        ["setup", &format!("about {:.1} ms, estimated", plan.setup.as_secs_f64() * 1e3)],
        ["speed", &format!("about {:.1} million/s, estimated", plan.million_per_second)],
    ];
    let refused: Vec<Vec<String>> =
        plan.refused.iter().map(|other| vec![other.method.to_string(), other.respelled(spelled)]).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(String::from).to_vec()).collect();
    format!("{}\nNot taken:\n\n{}", columns(&rows, &[]), columns(&refused, &[]))
}
