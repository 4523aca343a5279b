//! `samplez table`.

use crate::args::{Table, Text};
use crate::code::{Dialect, Request, digits, sampler};
use crate::failure::{Failure, spelled};
use crate::output::Output;
use samplez::{Options, Recipe, Refused};
use samplez_tables::Language;
use std::process::ExitCode;

pub(crate) fn run(args: &Table) -> Result<ExitCode, Failure> {
    let recipe = args.recipe.recipe()?;
    let text = match args.emit.text() {
        Text::Table(language) => plain(args, &recipe, language)?,
        Text::Json => json(args, &recipe)?,
        Text::Sampler(dialect) => code(args, &recipe, dialect)?,
    };
    let mut output = Output::to(Output::named(args.out.as_ref()), false)?;
    output.write(text.as_bytes())?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses arguments that do not shape an inversion table.
fn check_inversion(args: &Table, recipe: &Recipe, emit: &str) -> Result<(), Failure> {
    let method = recipe.method.map(|method| ("method", method.to_string()));
    let option = || (Options { precision: None, ..recipe.options }).said().next();
    match method.or_else(option) {
        None => Ok(()),
        Some((name, value)) => {
            let why = format!(
                "does not shape the inversion table, which --emit {emit} writes; use --emit json, or remove it"
            );
            Err(args.recipe.refused(&Refused::new(name, value, why)))
        }
    }
}

/// Refuses arguments of samplers.
fn check_no_sampler(args: &Table) -> Result<(), Failure> {
    let limbs = args.limbs.map(|limbs| ("limbs", limbs.to_string()));
    match limbs.or(args.dtype.as_ref().map(|dtype| ("dtype", dtype.to_string()))) {
        None => Ok(()),
        Some((name, value)) => {
            let why = "shapes a sampler, such as --emit c-sampler writes; choose one of these, or remove it";
            Err(Failure::input(&format!("{} = {value}", spelled(name)), why))
        }
    }
}

/// Code over the inversion table.
fn code(args: &Table, recipe: &Recipe, dialect: Dialect) -> Result<String, Failure> {
    check_inversion(args, recipe, &dialect.to_string())?;
    let request = Request {
        dialect,
        law: args.recipe.law()?,
        form: args.form,
        precision: recipe.options.precision(),
        name: args.name.as_deref(),
        limbs: args.limbs,
        dtype: args.dtype.as_ref(),
    };
    sampler(&request, |why| args.recipe.refused(why))
}

/// The inversion table.
fn plain(args: &Table, recipe: &Recipe, language: Language) -> Result<String, Failure> {
    check_inversion(args, recipe, &language.to_string())?;
    check_no_sampler(args)?;
    let (precision, name) = (recipe.options.precision(), args.name.as_deref().unwrap_or("TABLE"));
    digits(&args.recipe.law()?, args.form, precision, language, name, |why| args.recipe.refused(why))
}

/// The method's table.
fn json(args: &Table, recipe: &Recipe) -> Result<String, Failure> {
    check_no_sampler(args)?;
    let given = [("form", args.form.map(|form| form.to_string())), ("name", args.name.clone())];
    if let Some((name, value)) = given.into_iter().find_map(|(name, value)| Some((name, value?))) {
        let argument = format!("{} {value}", spelled(name));
        return Err(Failure::input(&argument, "--emit json writes the form of the method, without a name; remove it"));
    }
    recipe.table_json().map_err(|why| args.recipe.refused(&why))
}
