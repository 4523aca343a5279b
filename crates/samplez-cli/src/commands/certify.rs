//! `samplez certify`.

use super::audit;
use crate::args::Certify;
use crate::failure::{Failure, spelled, told};
use crate::progress::building;
use crate::report::print;
use samplez::{Certificate, DiscreteGaussian, Options, Recipe};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Certify) -> Result<ExitCode, Failure> {
    let certificate = match &args.audited.table {
        Some(path) => of_table(args, path)?,
        None if args.target.option().is_some() => {
            let option = args.target.option().unwrap_or_default();
            return Err(Failure::input(option, "applies to tables only: add --table, or remove it"));
        }
        None => match building(false, || args.recipe.build()) {
            Ok(built) => built.certificate(),
            // Of numbers beyond 64 bits: exact for any number of samples.
            Err(failure) => {
                let law = args.recipe.big().unwrap_or(Err(failure))?;
                return super::big::plan(args.json, &law).map(|()| ExitCode::SUCCESS);
            }
        },
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
    let table = audit::read(path, &args.audited, law)?;
    let Some(option) = args.target.option() else { return Ok(Certificate::of_table(&table)) };
    let target = args.target.of_law(table.target())?;
    Certificate::of_table_against(&table, &target).map_err(|error| Failure::input(option, error))
}
