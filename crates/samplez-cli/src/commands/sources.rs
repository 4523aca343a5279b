//! `samplez sources`.

use crate::failure::Failure;
use crate::numbers::grouped;
use crate::report::{columns, print};
use samplez::Source;
use std::process::ExitCode;

pub(crate) fn run() -> Result<ExitCode, Failure> {
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
