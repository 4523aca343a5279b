//! Texts for the reader.

use crate::failure::Failure;
use crate::output::Output;

pub(crate) use samplez_lab::text::{columns, symbols};

/// Prints a finished text on standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut output = Output::stdout();
    output.write(text.as_bytes())?;
    output.finish()
}
