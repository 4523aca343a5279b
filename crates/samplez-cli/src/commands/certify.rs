//! `samplez certify`.

use super::audit;
use crate::args::Certify;
use crate::failure::{Failure, complain, spelled, told};
use crate::progress::building;
use crate::report::print;
use samplez::{Certificate, DiscreteGaussian};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Certify) -> Result<ExitCode, Failure> {
    let certificate = match &args.audited.table {
        Some(path) => of_table(args, path)?,
        None if args.target.option().is_some() => {
            let option = args.target.option().unwrap_or_default();
            return Err(Failure::input(&option, "applies to tables only: add --table, or remove it"));
        }
        None => match building(false, || args.recipe.build_or(args.finite.law(&args.recipe)?)) {
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
    if let Some(refused) = args.recipe.beyond_law() {
        return Err(args.recipe.refused(&refused));
    }
    if let Some(argument) = args.finite.argument() {
        return Err(Failure::input(argument, "a table is certified against a Gaussian; leave it out"));
    }
    // The distribution that the file states, if the user gives none.
    let law = |stated: Option<DiscreteGaussian>| match stated {
        Some(law) if args.recipe.is_empty() => Ok(law),
        stated => {
            let law = args.recipe.law()?;
            if let Some(stated) = stated.filter(|stated| *stated != law) {
                let name = path.display();
                complain(format_args!("warning: {name} states {stated:#}; the certificate compares it with {law:#}"));
            }
            Ok(law)
        }
    };
    let table = audit::read(path, &args.audited, law)?;
    let Some(option) = args.target.option() else { return Ok(Certificate::of_table(&table)) };
    let target = args.target.of_law(table.target())?;
    Certificate::of_table_against(&table, &target).map_err(|error| Failure::input(&option, error))
}
