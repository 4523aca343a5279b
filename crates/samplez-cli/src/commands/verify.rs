//! `samplez verify`.

use crate::args::Verify;
use crate::failure::Failure;
use crate::input::Input;
use crate::numbers::grouped;
use crate::report::{columns, print_json, print_verdicts};
use samplez::DiscreteGaussian;
use samplez_check::stats::{ALPHA, Power, Report, Test, Verdict, Verifier};
use serde_json::{Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &Verify) -> Result<ExitCode, Failure> {
    let law = args.law.law()?;
    let mut verifier = Verifier::new(&law).map_err(|error| Failure::Input(error.to_string()))?;
    let input = Input::open(&args.file, &args.reading)?;
    let name = input.name().to_string();
    input.for_each_chunk(args.quiet, |samples| verifier.push(samples))?;
    let report = verifier.finish().map_err(|error| Failure::input(&name, error))?;
    match args.json {
        true => print_json(&as_json(&law, &report)),
        false => print_verdicts(&as_text(&name, &law, &report)),
    }?;
    Ok(ExitCode::from(if report.consistent { 0 } else { 1 }))
}

fn as_json(law: &DiscreteGaussian, report: &Report) -> Value {
    let test = |test: &Test| {
        let (verdict, reason) = match test.verdict {
            Verdict::Pass => ("pass", None),
            Verdict::Reject => ("reject", None),
            Verdict::NotApplicable(reason) => ("not applicable", Some(reason)),
        };
        json!({
            "name": test.name,
            "tests": test.members,
            "at": test.at,
            "statistic": test.statistic,
            "dof": test.dof,
            "p_value": test.p_value,
            "verdict": verdict,
            "reason": reason,
        })
    };
    let Power { sigma, mean, zero, sign, parity, correlation, magnitudes, place, wave, repeat, total_variation } =
        report.power;
    json!({
        "law": law.to_string(),
        "n": report.n,
        "consistent": report.consistent,
        "alpha": ALPHA,
        "tests": report.tests.iter().map(test).collect::<Vec<_>>(),
        "power": {
            "sigma": sigma,
            "mean": mean,
            "zero": zero,
            "sign": sign,
            "parity": parity,
            "correlation": correlation,
            "magnitudes": magnitudes,
            "place": place,
            "wave": wave,
            "repeat": repeat,
            "total_variation": total_variation,
        },
    })
}

fn as_text(name: &str, law: &DiscreteGaussian, report: &Report) -> String {
    let header = ["family", "tests", "most unlike at", "statistic", "dof", "p-value", "verdict"];
    let mut rows = vec![header.map(String::from).to_vec()];
    for test in &report.tests {
        let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_string());
        rows.push(vec![
            test.name.clone(),
            test.members.to_string(),
            test.at.clone().unwrap_or_default(),
            or_dash(test.statistic.map(|s| format!("{s:.3}"))),
            or_dash(test.dof.map(grouped)),
            or_dash(test.p_value.map(p_value)),
            test.verdict.to_string(),
        ]);
    }
    let verdict = if report.consistent {
        format!("consistent: {name} passes for samples of {law}")
    } else {
        format!("REJECTED: {name} does not hold samples of {law}")
    };
    format!(
        "{} integers of {name} against {law}\n\n{}\n{}\n{verdict} (ideal samples are rejected with probability about {ALPHA:e})\n",
        grouped(report.n),
        columns(&rows, &[1, 3, 4, 5]),
        power(&report.power)
    )
}

fn p_value(p: f64) -> String {
    if p >= 0.001 { format!("{p:.3}") } else { format!("{p:.1e}") }
}

/// What would have been seen, line by line.
fn power(power: &Power) -> String {
    let Power { sigma, mean, zero, sign, parity, correlation, magnitudes, place, wave, repeat, total_variation } =
        *power;
    let lines = [
        (sigma, "relative error of sigma"),
        (mean, "shift of the mean, in sigma"),
        (zero, "relative error of P(X = 0), or of the integer nearest to a centre far from 0"),
        (sign, "error of P(X > centre)"),
        (parity, "error of P(X odd)"),
        (correlation, "serial correlation at lags 1 to 16"),
        (magnitudes, "serial correlation of |x| at lags 1 to 64 and powers of two to 65536"),
        (place, "shift of the mean at one place modulo 1024, in sigma"),
        (wave, "amplitude of a wave in the mean, in sigma"),
        (repeat, "length of a sequence that comes again, in values"),
        (total_variation, "statistical distance"),
    ];
    let rows: Vec<Vec<String>> = lines
        .into_iter()
        .filter_map(|(size, what)| size.map(|size| vec![format!("  {size:.1e}"), what.to_string()]))
        .collect();
    if rows.is_empty() {
        return "Power: too few samples for any statement.\n".to_string();
    }
    format!(
        "Power: at this number of samples, each of these deviations is seen with probability 1/2:\n{}",
        columns(&rows, &[])
    )
}
