//! `samplez table`.

use crate::args::Table;
use crate::failure::Failure;
use crate::output::Output;
use samplez::Options;
use samplez::tables::{PlainError, TableForm, build_plain, emit};
use std::process::ExitCode;

pub(crate) fn run(args: &Table) -> Result<ExitCode, Failure> {
    let law = args.law.law()?;
    let precision = args.precision.unwrap_or(Options::default().precision());
    let own = if law.center().is_integer() { TableForm::folded_cdt } else { TableForm::full_cdt };
    let form = args.form.unwrap_or_else(|| own(precision));
    let table = build_plain(&law, &form).map_err(refused)?;
    let text = emit(&table, args.emit.into(), &args.name);
    let mut output = Output::to(args.out.as_deref(), false)?;
    output.write(text.as_bytes())?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with an argument, or with the entries that came out.
fn refused(error: PlainError) -> Failure {
    match error {
        PlainError::Entry { .. } | PlainError::Empty => Failure::Input(error.to_string()),
        error => Failure::refused(&error.into()),
    }
}
