//! `samplez identify`.

use super::verify::{Residues, p_value, tests_as_json, whole, words};
use crate::args::Identify;
use crate::failure::Failure;
use crate::files::Beyond;
use crate::input::Input;
use crate::numbers::grouped;
use crate::report::{columns, print_json, print_verdicts};
use samplez_stats::{ALPHA, Candidate, Estimate, Identification, Identifier, Verdict};
use serde_json::{Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &Identify) -> Result<ExitCode, Failure> {
    let q = args.how.modulus.q();
    let beyond = Beyond::of_modulus(q);
    let input = Input::open_with(&args.file, &args.how.reading, &beyond)?;
    let name = input.name().to_string();
    let mut identifier = Identifier::new().with_threads(args.how.threads);
    if let Some(q) = q {
        identifier = identifier.with_modulus(q);
    }
    let mut residues = Residues::of(&args.how.modulus);
    let count = input.for_each_chunk(args.how.quiet, |samples| {
        identifier.push(samples);
        residues.iter_mut().for_each(|residues| residues.push(samples));
    })?;
    residues.map_or(Ok(()), |residues| residues.check(&name))?;
    let found = identifier.finish().map_err(|error| Failure::input(&name, error))?;
    match args.how.json {
        true => print_json(&as_json(&found)),
        false => print_verdicts(&as_text(&name, count, &found)),
    }?;
    Ok(ExitCode::from(if found.consistent { 0 } else { 1 }))
}

/// The options of `samplez verify` for a law with its simplest parameters; `None` if there are none.
fn options(law: &Candidate, found: &Identification) -> Option<String> {
    let of = |i: usize| law.parameters.get(i).map_or("", |parameter| parameter.simplest.as_str());
    let gaussian = |family: &str| match of(1) {
        "0" => format!("{family}--sigma {}", of(0)),
        center => format!("{family}--sigma {} --center {center}", of(0)),
    };
    let mut options = match law.name {
        "discrete Gaussian" => gaussian(""),
        "rounded normal" => gaussian("--law rounded "),
        _ if law.shift != 0 => return None,
        "centred binomial" => format!("--centered-binomial {}", of(0)),
        "TUniform" => format!("--tuniform {}", of(0)),
        "ternary" => "--ternary".into(),
        "discrete Laplace" => format!("--laplace {}", of(0)),
        "rounded Laplace" => format!("--law rounded --laplace {}", of(0)),
        "Skellam" => format!("--skellam {}", of(0)),
        _ => return None,
    };
    if let Some((low, high)) = law.range {
        options += &format!(" --range {low}..{high}");
    }
    if let Some(q) = found.modulus {
        options += &format!(" --modulus {q}");
    }
    Some(options)
}

fn as_json(found: &Identification) -> Value {
    let parameter = |of: &Estimate| {
        (of.name.to_string(), json!({ "value": of.value, "interval": of.interval, "simplest": of.simplest }))
    };
    let law = |law: &Candidate| {
        let (verdict, reason) = words(law.verdict);
        json!({
            "name": law.name,
            "verdict": verdict,
            "reason": reason,
            "parameters": law.parameters.iter().map(parameter).collect::<serde_json::Map<_, _>>(),
            "range": law.range,
            "shift": law.shift,
            "floor": law.is_floor,
            "known": law.known,
            "verify": options(law, found),
            "tests": tests_as_json(&law.tests),
        })
    };
    json!({
        "n": found.n,
        "range": found.range,
        "mean": found.mean,
        "deviation": found.deviation,
        "modulus": found.modulus.map(whole),
        "modulus_seen": found.is_modulus_seen,
        "consistent": found.consistent,
        "alpha": ALPHA,
        "laws": found.laws.iter().map(law).collect::<Vec<_>>(),
        "order": tests_as_json(&found.order),
        "separation": found.separation,
    })
}

fn as_text(name: &str, count: u64, found: &Identification) -> String {
    let (low, high) = found.range;
    let mut text = format!("{} integers of {name}", grouped(found.n));
    if count > found.n {
        text += &format!(" (the first of {})", grouped(count));
    }
    text += &format!(
        ", from {low} to {high}, mean {}, standard deviation {}\n",
        digits(found.mean),
        digits(found.deviation)
    );
    text += &match (found.modulus, found.is_modulus_seen) {
        (Some(q), true) => {
            format!("They fill 0 to {} with most at both ends: residues modulo {q}, as integers about 0\n", q - 1)
        }
        (Some(q), false) => format!("Residues modulo {q}\n"),
        _ => String::new(),
    };
    let header = ["law", "parameters (99 % interval)", "p-value", "by", "verdict"];
    let mut rows = vec![header.map(String::from).to_vec()];
    for law in &found.laws {
        let least = law.least();
        let verdict = match law.verdict {
            Verdict::Pass => "consistent".to_string(),
            Verdict::Reject => "REJECTED".to_string(),
            not => not.to_string(),
        };
        rows.push(vec![
            law.name.to_string(),
            parameters(law),
            least.and_then(|test| test.p_value).map_or("-".into(), p_value),
            least.map_or(String::new(), |test| test.name.clone()),
            verdict,
        ]);
    }
    text += &format!("\n{}\n", columns(&rows, &[2]));
    let broken: Vec<&str> =
        found.order.iter().filter(|test| test.verdict == Verdict::Reject).map(|test| test.name.as_str()).collect();
    if !broken.is_empty() {
        let least: Vec<&str> = broken.iter().copied().take(3).collect();
        text += &format!(
            "REJECTED: the values of {name} are not independent, whichever their law, by {} of {} tests of their order, such as {}\n",
            broken.len(),
            found.order.len(),
            least.join(", ")
        );
    }
    let passing: Vec<&Candidate> = found.laws.iter().filter(|law| law.verdict == Verdict::Pass).collect();
    let laws = match passing.len() {
        0 => {
            return text
                + &format!(
                    "REJECTED: {name} does not contain samples of any of these laws (the true law is rejected with probability about {ALPHA:e})\n"
                );
        }
        1 => "this law".to_string(),
        n => format!("{n} laws"),
    };
    if broken.is_empty() {
        text += &format!(
            "consistent: {name} passes for samples of {laws} (the true law is rejected with probability about {ALPHA:e})\n"
        );
    }
    if let Some(n) = found.separation {
        text += &format!("About {n:.1e} samples would separate the first two.\n");
    } else if passing.len() > 1 {
        text += "No practical number of samples would separate the first two.\n";
    }
    for law in passing.iter().filter(|law| !law.known.is_empty()) {
        let [first, more @ ..] = &law.known[..] else { continue };
        text += &format!("{} with such parameters, in the census of other libraries: {first}", law.name);
        text += &match more {
            [] => "\n".to_string(),
            [second] => format!("; {second}\n"),
            [second, more @ ..] => format!("; {second}; and {} more, which --json lists\n", more.len()),
        };
    }
    let hints: Vec<String> = passing.iter().filter_map(|law| options(law, found)).take(3).collect();
    if !hints.is_empty() {
        text += "To test them with the shortest numbers of the intervals:\n";
        hints.iter().for_each(|options| text += &format!("  samplez verify {name} {options}\n"));
    }
    text
}

fn parameters(law: &Candidate) -> String {
    let each = |of: &Estimate| match of.interval {
        Some((low, high)) if low < high => {
            // Two digits of half the interval.
            let places = (1.0 - ((high - low) / 2.0).log10().floor()).clamp(0.0, 15.0) as usize;
            format!("{} {:.places$} ({low:.places$} to {high:.places$})", of.name, of.value)
        }
        _ => format!("{} {}", of.name, of.simplest),
    };
    let mut parts: Vec<String> = law.parameters.iter().map(each).collect();
    if let Some((low, high)) = law.range {
        parts.push(format!("cut to {low}..{high}"));
    }
    if law.shift != 0 {
        parts.push(format!("plus {}", law.shift));
    }
    if law.is_floor {
        parts.push("floor of a normal about 0".into());
    }
    parts.join(", ")
}

/// A number with four decimals, or without if it is large.
fn digits(x: f64) -> String {
    if x.abs() < 1e4 { format!("{x:.4}") } else { format!("{x:.0}") }
}
