//! `samplez-lab rand-state`.

use super::args::RandOutputs;
use samplez_cli::testing::{Failure, print, print_json};
use samplez_lab::RandState;
use serde_json::json;
use std::process::ExitCode;

pub(crate) fn run(args: &RandOutputs) -> Result<ExitCode, Failure> {
    let named = |why| Failure::Input(format!("OUTPUT = {}: {why}", list(&args.outputs)));
    let mut state = RandState::after(&args.outputs).map_err(named)?;
    let number = state.number();
    let next: Vec<u16> = (0..args.next).map(|_| state.next_output()).collect();
    if args.json {
        print_json(&json!({ "state": number, "next": next }))?;
    } else {
        print(&format!("state {number}, of which 31 bits count\nnext  {}\n", list(&next)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn list(outputs: &[u16]) -> String {
    outputs.iter().map(u16::to_string).collect::<Vec<_>>().join(" ")
}
