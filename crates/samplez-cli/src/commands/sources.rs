//! `samplez sources`.

use crate::args::ListSources;
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::report::{columns, print, print_json};
use samplez::Source;
use serde_json::json;
use std::process::ExitCode;

pub(crate) fn run(args: &ListSources) -> Result<ExitCode, Failure> {
    if args.self_test {
        return self_test(args.json);
    }
    if args.json {
        let source = |source: Source| {
            json!({
                "source": source.name(),
                "cryptographic": source.is_cryptographic(),
                "seeded": source.is_seeded(),
                "state_bytes": source.state_bytes(),
                "summary": source.summary(),
            })
        };
        print_json(&json!({ "sources": Source::ALL.map(source) }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut rows = vec![["source", "kind", "seed", "state", "what it is"].map(String::from).to_vec()];
    for source in Source::ALL {
        let kind = if source.is_cryptographic() { "cryptographic" } else { "NOT CRYPTOGRAPHIC" };
        let seed = if source.is_seeded() { "--seed" } else { "none" };
        let state = format!("{} bytes", grouped(source.state_bytes() as u64));
        rows.push([source.name(), kind, seed, &state, source.summary()].map(String::from).to_vec());
    }
    print(&columns(&rows, &[3]))?;
    Ok(ExitCode::SUCCESS)
}

fn self_test(as_json: bool) -> Result<ExitCode, Failure> {
    let passed = samplez_sources::self_test().map_err(|error| Failure::System(error.to_string()))?;
    if as_json {
        print_json(&json!({ "self_tests_passed": passed }))?;
    } else {
        print(&format!("{passed} self-tests, all passed\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
