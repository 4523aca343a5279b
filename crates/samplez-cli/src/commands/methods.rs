//! `samplez methods`.

use crate::args::Methods;
use crate::failure::Failure;
use crate::numbers::{grouped, rounded_up};
use crate::report::{columns, print};
use samplez::{Bulk, Exactness, FillError, Method, Noise, Profile, Recipe, Seed, Source};
use std::process::ExitCode;
use std::time::{Duration, Instant};

pub(crate) fn run(args: &Methods) -> Result<ExitCode, Failure> {
    // 3.2, the width in the homomorphic encryption standard.
    let Recipe { law, options, .. } = args.recipe.recipe_or("sigma", "3.2")?;
    let header = ["method", "law", "table bytes", "setup", "bits/sample", "trials/sample", "timing"];
    let mut rows = vec![header.map(String::from).to_vec()];
    if args.measure {
        rows[0].push("million/s".into());
    }
    let (mut refused, mut summaries) = (String::new(), Vec::new());
    for method in Method::ALL {
        summaries.push(vec![method.to_string(), method.summary().to_string()]);
        let start = Instant::now();
        match (Recipe { law, method: Some(method), options: method.part_of(&options) }).build() {
            Ok(built) => {
                let setup = start.elapsed();
                let mut row = row(method, built.profile(), setup);
                if args.measure {
                    row.push(format!("{:.1}", speed(built.sampler()).map_err(|e| Failure::Input(e.to_string()))?));
                }
                rows.push(row);
            }
            Err(why) => refused += &format!("{method} refuses: {}\n", args.recipe.refused(&why)),
        }
    }
    let auto = match (Recipe { law, method: None, options }).build() {
        Ok(built) => format!("auto takes {}: {}\nrecipe {}", built.method(), built.reason(), built.recipe()),
        Err(why) => format!("auto: {}", args.recipe.refused(&why)),
    };
    let table = if rows.len() > 1 { columns(&rows, &[2, 3, 4, 5, 7]) } else { String::new() };
    print(&format!(
        "{}\nFor {law}, tables at {} bits:\n\n{table}{refused}\n{auto}\n",
        columns(&summaries, &[]),
        options.precision(),
    ))?;
    Ok(ExitCode::SUCCESS)
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

fn row(method: Method, profile: &Profile, setup: Duration) -> Vec<String> {
    let law = match &profile.exactness {
        Exactness::Exact => "exact".to_string(),
        Exactness::Within(bound) => format!("SD <= 2^{}", rounded_up(bound.log2_sd, 2)),
    };
    vec![
        method.to_string(),
        law,
        grouped(profile.table_bytes as i128),
        format!("{:.2} ms", setup.as_secs_f64() * 1e3),
        format!("{:.2}", profile.expected_bits),
        format!("{:.4}", profile.expected_trials),
        profile.timing.to_string(),
    ]
}
