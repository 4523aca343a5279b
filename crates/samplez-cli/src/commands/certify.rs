//! `samplez certify`.

use crate::args::Certify;
use crate::failure::{Failure, spelled};
use crate::report::print;
use std::process::ExitCode;

pub(crate) fn run(args: &Certify) -> Result<ExitCode, Failure> {
    let certificate = args.recipe.build()?.certificate();
    let text = if args.json { certificate.to_json() + "\n" } else { certificate.respelled(spelled) };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
