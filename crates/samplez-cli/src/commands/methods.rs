//! `samplez methods`.

use super::{columns, print};
use crate::args::Methods;
use crate::failure::Failure;
use crate::numbers::{grouped, rounded_up};
use samplez::{Exactness, Method, Options, Profile, Rational, Width};
use std::process::ExitCode;

pub(crate) fn run(args: &Methods) -> Result<ExitCode, Failure> {
    // 3.2, the width in the homomorphic encryption standard.
    let law = args.law.law_or(Rational::new(16, 5).map(Width::Sigma))?;
    let options = Options { precision: args.precision, ..Options::default() };
    let header = ["method", "law", "table bytes", "bits/sample", "trials/sample", "timing"];
    let mut rows = vec![header.map(String::from).to_vec()];
    let (mut refused, mut summaries) = (String::new(), Vec::new());
    for method in Method::ALL {
        summaries.push(vec![method.to_string(), method.summary().to_string()]);
        match samplez::build(&law, Some(method), &options) {
            Ok(sampler) => rows.push(row(method, &sampler.dyn_profile())),
            Err(why) => refused += &format!("{method} refuses: {why}\n"),
        }
    }
    let plan = samplez::plan(&law, &options);
    let table = if rows.len() > 1 { columns(&rows, &[2, 3, 4]) } else { String::new() };
    print(&format!(
        "{}\nFor {law}, tables at {} bits:\n\n{table}{refused}\nauto takes {}: {}\n",
        columns(&summaries, &[]),
        args.precision,
        plan.method,
        plan.reason
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn row(method: Method, profile: &Profile) -> Vec<String> {
    let law = match &profile.exactness {
        Exactness::Exact => "exact".to_string(),
        Exactness::Within(bound) => format!("SD <= 2^{}", rounded_up(bound.log2_sd, 2)),
    };
    vec![
        method.to_string(),
        law,
        grouped(profile.table_bytes as i128),
        format!("{:.2}", profile.expected_bits),
        format!("{:.4}", profile.expected_trials),
        profile.timing.to_string(),
    ]
}
