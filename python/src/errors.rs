//! The library's errors as Python's.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use std::fmt::Display;

/// The library's own text as a `ValueError`.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
