//! `samplez plan`.

use crate::args;
use crate::failure::Failure;
use crate::numbers::{grouped, rounded_up};
use crate::report::{columns, print};
use samplez::{Exactness, Options, Plan};
use serde_json::{Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &args::Plan) -> Result<ExitCode, Failure> {
    let law = args.law.law()?;
    let plan = samplez::plan(&law, &args.tables.options()).map_err(|error| Failure::Input(error.to_string()))?;
    print(&if args.json { format!("{:#}\n", as_json(&plan)) } else { as_text(&plan) })?;
    Ok(ExitCode::SUCCESS)
}

/// The arguments that name the plan to the other commands.
fn arguments(plan: &Plan) -> String {
    let (options, default) = (&plan.options, Options::default());
    let target = &plan.profile.target;
    let mut text = format!("--{} {}", target.width().name(), target.width().value());
    if target.center().num() != 0 {
        text += &format!(" --center {}", target.center());
    }
    text += &format!(" --method {}", plan.method);
    if options.precision != default.precision {
        text += &format!(" --precision {}", options.precision);
    }
    if options.max_table_bytes != default.max_table_bytes {
        text += &format!(" --memory {}", options.max_table_bytes);
    }
    if let Some(rectangles) = options.rectangles {
        text += &format!(" --rectangles {rectangles}");
    }
    if options.tail != default.tail {
        text += &format!(" --tail {}", options.tail);
    }
    if options.chord != default.chord {
        text += " --no-chord";
    }
    if options.pdf_table != default.pdf_table {
        text += " --pdf-table";
    }
    if options.frugal != default.frugal {
        text += " --frugal";
    }
    text
}

fn as_json(plan: &Plan) -> Value {
    let profile = &plan.profile;
    let log2_sd = match &profile.exactness {
        Exactness::Exact => None,
        Exactness::Within(bound) => Some(bound.log2_sd),
    };
    let refused: Vec<Value> =
        plan.refused.iter().map(|other| json!({ "method": other.method.name(), "why": other.why })).collect();
    json!({
        "law": profile.target.to_string(),
        "method": plan.method.name(),
        "arguments": arguments(plan),
        "reason": plan.reason,
        "options": {
            "precision": plan.options.precision,
            "rectangles": plan.options.rectangles,
            "tail": plan.options.tail.to_string(),
            "chord": plan.options.chord,
            "pdf_table": plan.options.pdf_table,
            "frugal": plan.options.frugal,
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

fn as_text(plan: &Plan) -> String {
    let profile = &plan.profile;
    let law = match &profile.exactness {
        Exactness::Exact => "exact".to_string(),
        Exactness::Within(bound) => format!("certified, statistical distance <= 2^{}", rounded_up(bound.log2_sd, 2)),
    };
    let rows = [
        ["law", &profile.target.to_string()],
        ["method", &format!("{}: {}", plan.method, plan.method.summary())],
        ["why", &plan.reason],
        ["use", &format!("samplez sample {} --count 1e6", arguments(plan))],
        ["exactness", &law],
        ["table", &format!("{} bytes", grouped(profile.table_bytes as i128))],
        ["random bits per sample", &format!("{:.2} expected", profile.expected_bits)],
        ["trials per sample", &format!("{:.4} expected", profile.expected_trials)],
        ["timing", &profile.timing.to_string()],
        ["setup", &format!("about {:.1} ms, estimated", plan.setup.as_secs_f64() * 1e3)],
        ["speed", &format!("about {:.1} million/s, estimated", plan.million_per_second)],
    ];
    let refused: Vec<Vec<String>> =
        plan.refused.iter().map(|other| vec![other.method.to_string(), other.why.clone()]).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(String::from).to_vec()).collect();
    format!("{}\nNot taken:\n\n{}", columns(&rows, &[]), columns(&refused, &[]))
}
