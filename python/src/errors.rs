//! The library's errors as Python's.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use samplez::Refused;
use std::fmt::Display;

/// The library's own text as a `ValueError`.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The library's refusal as a `ValueError` with its `kind`, `argument`, `value` and `reason`.
pub(crate) fn refused(refused: Refused) -> PyErr {
    let error = invalid(&refused);
    let reason = refused.reason(str::to_string);
    let parts = [
        ("kind", refused.kind().name()),
        ("argument", refused.argument()),
        ("value", refused.value()),
        ("reason", &reason),
    ];
    let set = Python::attach(|py| parts.into_iter().try_for_each(|(name, part)| error.value(py).setattr(name, part)));
    set.map_or_else(|failed| failed, |()| error)
}
