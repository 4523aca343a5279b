//! `samplez certify`.

use super::audit;
use crate::args::Certify;
use crate::failure::{Failure, spelled, told};
use crate::report::print;
use samplez::{Certificate, DiscreteGaussian, Options, Recipe};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Certify) -> Result<ExitCode, Failure> {
    let certificate = match &args.audited.table {
        Some(path) => of_table(args, path)?,
        None => args.recipe.build()?.certificate(),
    };
    let certificate = certificate
        .with_samples_per_time(args.samples_per_time)
        .map_err(|refused| Failure::Input(told(&refused, spelled)))?;
    print(&if args.json { certificate.to_json() + "\n" } else { certificate.respelled(spelled) })?;
    Ok(ExitCode::SUCCESS)
}

fn of_table(args: &Certify, path: &Path) -> Result<Certificate, Failure> {
    // The distribution that the file states, if the user gives none.
    let law = |stated: Option<DiscreteGaussian>| {
        let Recipe { law, method, options } = match stated {
            Some(law) if args.recipe.is_empty() => args.recipe.recipe_of(&law)?,
            _ => args.recipe.recipe()?,
        };
        if method.is_some() || options != Options::default() {
            let what = "method and options do not apply to a table; remove them, and give the precision in --form";
            return Err(Failure::input("--table", what));
        }
        Ok(law)
    };
    Ok(Certificate::of_table(&audit::read(path, &args.audited, law)?))
}
