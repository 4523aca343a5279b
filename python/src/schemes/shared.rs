//! What every scheme needs: a generator, noise, and the errors.

use crate::errors::{invalid, refused};
use crate::sampler::Sampler;
use crate::seed::seed_of;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;
use samplez::schemes::noise;
use samplez::{Refused, Source};
use samplez_schemes::{Demand, Error};
use samplez_sources::CryptoGenerator;

create_exception!(
    samplez.schemes,
    InvalidSignature,
    PyException,
    "A signature that is none of this message under this key."
);

/// The generator of one operation.
///
/// # Errors
///
/// `ValueError` for a source that is not cryptographic or takes no seed.
pub(crate) fn generator(source: &str, seed: &[u8]) -> PyResult<CryptoGenerator> {
    let source: Source = source.parse().map_err(refused)?;
    source.crypto(&seed_of(seed)?).ok_or_else(|| {
        let allowed: Vec<_> =
            Source::ALL.into_iter().filter(|s| s.is_seeded() && s.is_cryptographic()).map(Source::name).collect();
        let why = if source.is_seeded() { "is not cryptographic" } else { "takes no seed" };
        refused(Refused::new("source", source, format!("{why}; expected one of {}", allowed.join(", "))))
    })
}

/// The noise that is demanded, as the recipe has it.
///
/// # Errors
///
/// `ValueError` as of [`noise`]; a recipe that is none is called by the argument's name.
pub(crate) fn noise_of(py: Python<'_>, demand: &Demand, recipe: &str) -> PyResult<Sampler> {
    py.detach(|| noise(demand, recipe))
        .and_then(Sampler::of)
        .map_err(|refused| invalid(refused.respelled(|name| if name == "recipe" { "noise" } else { name }.into())))
}

/// A scheme's error as Python's.
pub(crate) fn said(error: Error) -> PyErr {
    match error {
        Error::Invalid => InvalidSignature::new_err(error.to_string()),
        Error::Generator(fault) => PyOSError::new_err(fault.to_string()),
        other => invalid(other),
    }
}
