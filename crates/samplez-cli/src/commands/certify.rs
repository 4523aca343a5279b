//! `samplez certify`.

use super::audit;
use crate::args::Certify;
use crate::failure::{Failure, spelled};
use crate::report::print;
use samplez::Options;
use std::process::ExitCode;

pub(crate) fn run(args: &Certify) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.audited.table {
        let recipe = args.recipe.recipe()?;
        if recipe.method.is_some() || recipe.options != Options::default() {
            let what =
                "the table is audited as it is; leave out the method and its options, and say its bits in --form";
            return Err(Failure::input("--table", what));
        }
        return audit::run(&recipe.law, path, args.audited.form.as_ref(), args.json);
    }
    let certificate = args.recipe.build()?.certificate();
    let text = if args.json { certificate.to_json() + "\n" } else { certificate.respelled(spelled) };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
