//! Seeds, which come as bytes, and are read from texts.

use crate::errors::{hidden, invalid};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samplez::Seed;
use samplez::bindings::ParseSeedError;

/// A seed of exactly 32 bytes.
pub(crate) fn seed_of(bytes: &[u8]) -> PyResult<Seed> {
    let bytes = bytes.try_into().map_err(|_| invalid(format!("seed: has {} bytes: expected 32", bytes.len())))?;
    let bytes: [u8; 32] = bytes;
    Seed::try_from(bytes).map_err(|e| hidden(e.into(), "seed", e))
}

/// The 32 bytes of a seed that is a text; `argument` is what the user calls it.
#[pyfunction]
pub(crate) fn seed<'py>(py: Python<'py>, argument: &str, text: &str) -> PyResult<Bound<'py, PyBytes>> {
    let seed: Seed = text.parse().map_err(|e: ParseSeedError| hidden(e.into(), argument, e))?;
    Ok(PyBytes::new(py, seed.expose()))
}

/// The 32 bytes of the block with this number in the stream with this name below a seed.
#[pyfunction]
pub(crate) fn descendant<'py>(py: Python<'py>, seed: &[u8], name: &str, number: u64) -> PyResult<Bound<'py, PyBytes>> {
    let seed = seed_of(seed)?.stream(name).block(number);
    Ok(PyBytes::new(py, seed.expose()))
}
