//! What the project's checks share with the laboratory's tools: walking the tree, and the parts of documents that programs write.

pub mod csv;
pub mod files;
pub mod kat;
pub mod markers;

use files::Findings;
use std::process::ExitCode;

/// Prints every finding: exit code 0 without one, 1 with one, 2 if the check could not run.
pub fn report(program: &str, findings: Findings) -> ExitCode {
    match findings {
        Ok(findings) if findings.is_empty() => ExitCode::SUCCESS,
        Ok(findings) => {
            findings.iter().for_each(|finding| eprintln!("{finding}"));
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("{program}: {error}");
            ExitCode::from(2)
        }
    }
}
