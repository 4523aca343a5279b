//! Continuous streams of bits: one of the library's sources, or a NumPy bit generator.

use crate::bitgen::Words;
use crate::errors::refused;
use crate::fill::of_stream;
use crate::seed::seed_of;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samplez::{Source, Stream as Bits};
use samplez_sources::Generator;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// A stream from which any samplers draw, one after the other.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Stream {
    bits: Mutex<Bits<Generator>>,
    /// What owns the memory that the generator reads.
    _owner: Option<Py<PyAny>>,
}

#[pymethods]
impl Stream {
    /// The stream of a source under a seed of 32 bytes; one that takes no seed ignores it.
    #[new]
    fn new(source: &str, seed: &[u8]) -> PyResult<Self> {
        let source: Source = source.parse().map_err(refused)?;
        let rng = source.open(&seed_of(seed)?).map_err(|e| PyOSError::new_err(e.to_string()))?;
        Ok(Stream { bits: Mutex::new(Bits::new(rng)), _owner: None })
    }

    /// The stream of the 64-bit words of a NumPy bit generator, whose lock the caller holds
    /// while anything is drawn.
    #[staticmethod]
    fn over(capsule: Bound<'_, PyAny>) -> PyResult<Self> {
        let words = Words::of(&capsule)?;
        Ok(Stream { bits: Mutex::new(Bits::new(Box::new(words))), _owner: Some(capsule.unbind()) })
    }

    /// A seed of the next 32 bytes.
    fn seed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let seed = self.lock().seed().map_err(of_stream)?;
        Ok(PyBytes::new(py, seed.expose()))
    }
}

impl Stream {
    /// The stream, for as long as nobody else draws from it.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Bits<Generator>> {
        self.bits.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The stream, unless somebody draws from it.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, Bits<Generator>>> {
        match self.bits.try_lock() {
            Ok(bits) => Some(bits),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}
