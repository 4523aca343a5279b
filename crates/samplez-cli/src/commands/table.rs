//! `samplez table`.

use crate::args::Table;
use crate::failure::{Failure, spelled};
use crate::output::Output;
use samplez::tables::{Language, PlainError, TableForm, build_plain, emit};
use samplez::{Options, Recipe, Refused};
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
    let method = recipe.method.map(|method| ("method", method.to_string()));
    let option = || (Options { precision: None, ..recipe.options }).said().next();
    if let Some((name, value)) = method.or_else(option) {
        let why = format!(
            "does not shape the inversion table, which --emit {language} writes; use --emit json, or remove it"
        );
        return Err(args.recipe.refused(&Refused::new(name, value, why)));
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
