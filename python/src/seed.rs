//! Seeds, which come as bytes.

use crate::errors::invalid;
use pyo3::PyResult;
use samplez::Seed;

/// A seed of exactly 32 bytes.
pub(crate) fn seed_of(bytes: &[u8]) -> PyResult<Seed> {
    let bytes = bytes.try_into().map_err(|_| invalid(format!("seed: has {} bytes, must have 32", bytes.len())))?;
    Ok(Seed::from_bytes(bytes))
}
