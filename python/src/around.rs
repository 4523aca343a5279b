//! Single samples of one σ around any centre, without a table.

use crate::errors::refused;
use crate::fill::of_stream;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use samplez::bindings::rational;
use samplez::{EntropyError, Rational, RoundMethod, Rounding, Seed, Source, Stream};
use samplez_sources::Generator;
use std::sync::{Mutex, TryLockError};

/// Bits of the operating system's seed, and the process that they are for: a forked one would repeat them.
struct Bits {
    process: u32,
    stream: Stream<Generator>,
}

impl Bits {
    fn new() -> PyResult<Self> {
        let failed = |e: EntropyError| PyOSError::new_err(e.to_string());
        let seed = Seed::from_os().map_err(failed)?;
        let stream = Stream::new(Source::ChaCha20.open(&seed).map_err(failed)?);
        Ok(Bits { process: std::process::id(), stream })
    }
}

/// The rounder of a σ from 1 to 2^26, for calls that name no generator. It keeps no centre and no sample.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Around {
    rounding: Rounding,
    bits: Mutex<Option<Bits>>,
}

#[pymethods]
impl Around {
    /// Builds the rounder; `ValueError` where the method allows no such σ.
    #[new]
    fn new(sigma: &str) -> PyResult<Self> {
        let sigma = rational("sigma", sigma).map_err(refused)?;
        let rounding = Rounding::new(RoundMethod::Strips, sigma).map_err(refused)?;
        Ok(Around { rounding, bits: Mutex::new(None) })
    }

    /// One sample around a centre, which is a text; `None` if the rounder does not take the centre.
    fn one(&self, center: &str) -> PyResult<Option<i64>> {
        let exact = center.parse::<Rational>().ok().and_then(|center| self.rounding.center(center).ok());
        let Some(center) = exact else { return Ok(None) };
        let draw = |place: &mut Option<Bits>| {
            let bits = match place {
                Some(bits) if bits.process == std::process::id() => bits,
                _ => place.insert(Bits::new()?),
            };
            bits.stream.round(&self.rounding, center).map(Some).map_err(of_stream)
        };
        match self.bits.try_lock() {
            Ok(mut bits) => draw(&mut bits),
            Err(TryLockError::Poisoned(poisoned)) => draw(&mut poisoned.into_inner()),
            // Another thread is at it, or was when this process was forked.
            Err(TryLockError::WouldBlock) => draw(&mut None),
        }
    }
}
