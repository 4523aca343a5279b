//! `samplez methods`.

use crate::args::Methods;
use crate::failure::Failure;
use crate::numbers::{grouped, rounded_up};
use crate::report::{columns, print, print_json};
use samplez::{Built, Bulk, Exactness, FillError, Method, Noise, Profile, Recipe, Refused, Seed, Source};
use serde_json::{Value, json};
use std::process::ExitCode;
use std::time::{Duration, Instant};

pub(crate) fn run(args: &Methods) -> Result<ExitCode, Failure> {
    // 3.2, the width in the homomorphic encryption standard.
    let asked = args.recipe.recipe_or("sigma", "3.2")?;
    asked.gaussian().map_err(|refused| args.recipe.refused(&refused))?;
    let Recipe { law, options, .. } = asked;
    let mut tried = Vec::new();
    for method in Method::ALL {
        let start = Instant::now();
        let built = (Recipe { law, method: Some(method), options: method.part_of(&options) }).build();
        let setup = start.elapsed();
        let speed = match &built {
            Ok(built) if args.measure => Some(speed(built.sampler()).map_err(|e| Failure::Input(e.to_string()))?),
            _ => None,
        };
        let outcome = built.map(|built| Fit { profile: built.profile().clone(), setup, speed });
        tried.push(Entry { method, outcome });
    }
    let auto = (Recipe { law, method: None, options }).build();
    match args.json {
        true => print_json(&as_json(args, &asked, &tried, &auto)),
        false => print(&as_text(args, &asked, &tried, &auto)),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// What came of a method.
struct Entry {
    method: Method,
    outcome: Result<Fit, Refused>,
}

/// A method that takes the law.
struct Fit {
    profile: Profile,
    setup: Duration,
    /// Million samples a second, if measured.
    speed: Option<f64>,
}

fn as_json(args: &Methods, asked: &Recipe, tried: &[Entry], auto: &Result<Built, Refused>) -> Value {
    let method = |Entry { method, outcome }: &Entry| match outcome {
        Ok(Fit { profile, setup, speed }) => json!({
            "method": method.name(),
            "summary": method.row().summary,
            "exact": profile.exactness.is_exact(),
            "log2_sd": match &profile.exactness {
                Exactness::Exact => None,
                Exactness::Within(bound) => Some(bound.log2_sd),
            },
            "table_bytes": profile.table_bytes,
            "setup_seconds": setup.as_secs_f64(),
            "expected_bits": profile.expected_bits,
            "expected_trials": profile.expected_trials,
            "timing": profile.timing.to_string(),
            "million_per_second": speed,
        }),
        Err(why) => json!({
            "method": method.name(),
            "summary": method.row().summary,
            "refused": args.recipe.refused(why).to_string(),
        }),
    };
    let auto = match auto {
        Ok(built) => json!({
            "method": built.method().map(Method::name), "reason": built.reason(), "recipe": built.recipe().to_string(),
        }),
        Err(why) => json!({ "refused": args.recipe.refused(why).to_string() }),
    };
    json!({
        "law": asked.law.to_string(),
        "precision": asked.options.precision(),
        "methods": tried.iter().map(method).collect::<Vec<_>>(),
        "auto": auto,
    })
}

fn as_text(args: &Methods, asked: &Recipe, tried: &[Entry], auto: &Result<Built, Refused>) -> String {
    let header = ["method", "law", "table bytes", "setup", "bits/sample", "trials/sample", "timing"];
    let mut rows = vec![header.map(String::from).to_vec()];
    if args.measure {
        rows[0].push("million/s".into());
    }
    let (mut refused, mut summaries) = (String::new(), Vec::new());
    for Entry { method, outcome } in tried {
        summaries.push(vec![method.to_string(), method.row().summary.to_string()]);
        match outcome {
            Ok(fit) => rows.push(row(*method, fit)),
            Err(why) => refused += &format!("{method} refuses: {}\n", args.recipe.refused(why)),
        }
    }
    let auto = match auto {
        Ok(built) => format!(
            "auto chooses {}: {}\nrecipe {}",
            built.method().map_or("none", Method::name),
            built.reason(),
            built.recipe()
        ),
        Err(why) => format!("auto: {}", args.recipe.refused(why)),
    };
    let table = if rows.len() > 1 { columns(&rows, &[2, 3, 4, 5, 7]) } else { String::new() };
    format!(
        "{}\nFor {}, tables at {} bits:\n\n{table}{refused}\n{auto}\n",
        columns(&summaries, &[]),
        asked.law,
        asked.options.precision(),
    )
}

/// Millions of samples a second: the median of a few fills of 2^18, after one to warm up.
fn speed(sampler: &dyn Noise) -> Result<f64, FillError> {
    let bulk = Bulk::new(sampler, Source::ChaCha20, Seed::from_bytes([0; 32]));
    let mut out = vec![0_i64; 1 << 18];
    bulk.fill(0, &mut out)?;
    let mut seconds = [0.0; 7];
    for slot in &mut seconds {
        let start = Instant::now();
        bulk.fill(0, &mut out)?;
        *slot = start.elapsed().as_secs_f64();
    }
    seconds.sort_by(f64::total_cmp);
    Ok(out.len() as f64 / seconds[3] / 1e6)
}

fn row(method: Method, Fit { profile, setup, speed }: &Fit) -> Vec<String> {
    let law = match &profile.exactness {
        Exactness::Exact => "exact".to_string(),
        Exactness::Within(bound) => format!("SD <= 2^{}", rounded_up(bound.log2_sd, 2)),
    };
    let mut row = vec![
        method.to_string(),
        law,
        grouped(profile.table_bytes as i128),
        format!("{:.2} ms", setup.as_secs_f64() * 1e3),
        format!("{:.2}", profile.expected_bits),
        format!("{:.4}", profile.expected_trials),
        profile.timing.to_string(),
    ];
    row.extend(speed.map(|speed| format!("{speed:.1}")));
    row
}
