//! The library's errors as Python's.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use samplez::{Refused, RefusedKind};
use std::fmt::Display;

/// The library's own text as a `ValueError`.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An error whose value is not shown, such as a seed's, with the same parts.
pub(crate) fn hidden(kind: RefusedKind, argument: &str, reason: impl Display) -> PyErr {
    with_parts(format!("{argument}: {reason}"), kind, argument, "", &reason.to_string())
}

/// The library's refusal as a `ValueError` with its `kind`, `argument`, `value` and `reason`.
pub(crate) fn refused<E: Into<Refused>>(error: E) -> PyErr {
    let refused = error.into();
    let reason = refused.reason(str::to_string);
    with_parts(refused.to_string(), refused.kind(), refused.argument(), refused.value(), &reason)
}

/// A `ValueError` with the parts of a refusal.
fn with_parts(message: String, kind: RefusedKind, argument: &str, value: &str, reason: &str) -> PyErr {
    let error = invalid(message);
    let parts = [("kind", kind.name()), ("argument", argument), ("value", value), ("reason", reason)];
    let set = Python::attach(|py| parts.into_iter().try_for_each(|(name, part)| error.value(py).setattr(name, part)));
    set.map_or_else(|failed| failed, |()| error)
}
