//! The distribution with parameters beyond 64 bits, whose samples are words.

use crate::errors::refused;
use crate::fill::of_stream;
use crate::stream::Stream;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samplez::BigGaussian as Big;
use zeroize::Zeroizing;

/// A sampler of D_{Z,σ,c} for σ and c of any size.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct BigGaussian {
    sampler: Big,
}

#[pymethods]
impl BigGaussian {
    /// Builds the sampler of these names and values.
    #[new]
    fn new(py: Python<'_>, pairs: Vec<(String, String)>) -> PyResult<Self> {
        let pairs = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let sampler = py.detach(|| Big::from_pairs(pairs)).map_err(refused)?;
        Ok(BigGaussian { sampler })
    }

    /// Builds the sampler of a recipe.
    #[staticmethod]
    fn of(py: Python<'_>, recipe: &str) -> PyResult<Self> {
        let sampler = py.detach(|| recipe.parse()).map_err(refused)?;
        Ok(BigGaussian { sampler })
    }

    /// Width and centre as a recipe, in lowest terms.
    fn __str__(&self) -> String {
        self.sampler.to_string()
    }

    /// Words of 64 bits in a sample.
    #[getter]
    fn limbs(&self) -> usize {
        self.sampler.limbs()
    }

    /// The class of the running time.
    #[getter]
    fn timing(&self) -> String {
        self.sampler.timing().to_string()
    }

    /// The stream's next samples: the bytes of each one's words, in two's complement, the lowest first.
    fn draw<'py>(&self, py: Python<'py>, stream: &Stream, count: usize) -> PyResult<Bound<'py, PyBytes>> {
        let words = py.detach(|| self.sampler.draw(&mut stream.lock(), count)).map_err(of_stream)?;
        let words = Zeroizing::new(words);
        PyBytes::new_with(py, 8 * words.len(), |bytes| {
            bytes
                .chunks_exact_mut(8)
                .zip(words.iter())
                .for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
            Ok(())
        })
    }
}
