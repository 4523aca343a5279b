//! `samplez table`.

use crate::args::Table;
use crate::failure::{Failure, spelled};
use crate::output::Output;
use samplez::tables::{Language, PlainError, TableForm, build_plain, emit};
use samplez::{Options, Recipe};
use std::process::ExitCode;

pub(crate) fn run(args: &Table) -> Result<ExitCode, Failure> {
    let recipe = args.recipe.recipe()?;
    let text = match args.emit.language() {
        Some(language) => plain(args, &recipe, language)?,
        None => json(args, &recipe)?,
    };
    let mut output = Output::to(args.out.as_deref(), false)?;
    output.write(text.as_bytes())?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// The inversion table.
fn plain(args: &Table, recipe: &Recipe, language: Language) -> Result<String, Failure> {
    let unused = |name: &str, value: &dyn std::fmt::Display| {
        let argument = format!("{} {value}", args.recipe.spelled(name));
        Failure::input(
            &argument,
            format!("--emit {language} writes the inversion table without it; use --emit json, or remove it"),
        )
    };
    if let Some(method) = recipe.method {
        return Err(unused("method", &method));
    }
    if let Some((name, value)) = (Options { precision: None, ..recipe.options }).said().next() {
        return Err(unused(name, &value));
    }
    let (law, precision) = (recipe.law, recipe.options.precision());
    let own = if law.center().is_integer() { TableForm::folded_cdt } else { TableForm::full_cdt };
    let form = args.form.unwrap_or_else(|| own(precision));
    let table = build_plain(&law, &form).map_err(refused)?;
    Ok(emit(&table, language, args.name.as_deref().unwrap_or("TABLE")))
}

/// The method's table.
fn json(args: &Table, recipe: &Recipe) -> Result<String, Failure> {
    let given = [("form", args.form.map(|form| form.to_string())), ("name", args.name.clone())];
    if let Some((name, value)) = given.into_iter().find_map(|(name, value)| Some((name, value?))) {
        let argument = format!("{} {value}", spelled(name));
        return Err(Failure::input(&argument, "--emit json writes the form of the method, without a name; remove it"));
    }
    recipe.table_json().map_err(|why| args.recipe.refused(&why))
}

/// What is wrong with an argument, or with the entries that came out.
fn refused(error: PlainError) -> Failure {
    match error {
        PlainError::Entry { .. } | PlainError::Empty => Failure::Input(error.to_string()),
        error => Failure::refused(&error.into()),
    }
}
