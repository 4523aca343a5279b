//! Samplers of laws other than Gaussians, and of tables of the caller's.

use crate::ahead::Lookahead;
use crate::bitgen::Words;
use crate::draw;
use crate::errors::{invalid, refused};
use crate::fill::{of_stream, with_integers};
use crate::setup::interruptible;
use crate::single;
use crate::stream::Stream;
use numpy::PyArray1;
use pyo3::prelude::*;
use samplez::SparseTernary;
use samplez::table_sampler;
use samplez::{Certificate, Recipe, Refused};
use samplez_tables::{PlainTable, TableForm, Whole};
use std::num::NonZeroUsize;
use std::sync::Mutex;

/// The 64-bit words of a table's entry, the least significant first.
const WORDS: usize = 5;

/// A sampler of a law other than a Gaussian, or of a table.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Noise {
    text: String,
    noise: Box<dyn samplez::Noise>,
    certificate: Certificate,
    /// Samples for single calls that name no generator.
    ahead: Mutex<Option<Lookahead>>,
}

#[pymethods]
impl Noise {
    /// The sampler of a recipe.
    #[staticmethod]
    fn recipe(py: Python<'_>, recipe: &str) -> PyResult<Self> {
        let said: Recipe = recipe.parse().map_err(refused)?;
        if said.law.gaussian().is_some() {
            let allowed =
                "expected a distribution other than a Gaussian; samplez.DiscreteGaussian.from_recipe takes this one";
            return Err(refused(Refused::new("recipe", said, allowed)));
        }
        let built = interruptible(py, move || said.build())?.map_err(refused)?;
        let (text, certificate) = (built.recipe().to_string(), built.certificate());
        Ok(Noise { text, noise: built.into_sampler(), certificate, ahead: Mutex::new(None) })
    }

    /// The recipe; empty for a table.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The constant-time sampler over a table of this form, of which each entry has 40 bytes, little-endian. `law` is a recipe.
    #[staticmethod]
    fn table(law: &str, form: &str, entries: &[u8]) -> PyResult<Self> {
        let law = law.parse::<Recipe>().and_then(|recipe| recipe.gaussian()).map_err(refused)?;
        let form = form.parse::<TableForm>().map_err(refused)?;
        let words = entries.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect::<Vec<_>>();
        let entries = words.as_chunks::<WORDS>().0.iter().map(|entry| Whole::new(*entry)).collect();
        let table = PlainTable::new(&law, &form, entries).map_err(refused)?;
        let noise = table_sampler(&table).map_err(refused)?;
        let certificate = Certificate::of_table(&table);
        Ok(Noise { text: String::new(), noise, certificate, ahead: Mutex::new(None) })
    }

    /// The certificate of a table: its text, and the same as JSON.
    fn certificate(&self, samples_per_time: u64) -> PyResult<(String, String)> {
        let certificate = self.certificate.clone();
        let certificate = certificate.with_samples_per_time(samples_per_time).map_err(invalid)?;
        Ok((certificate.to_string(), certificate.to_json()))
    }

    /// The class of the running time.
    fn timing(&self) -> String {
        self.noise.timing().to_string()
    }

    /// The least and the largest value.
    fn support(&self) -> (i64, i64) {
        self.noise.profile().support.into_inner()
    }

    /// The variance of a finite law.
    fn variance(&self) -> Option<f64> {
        self.noise.profile().target.variance()
    }

    /// Refuses a dtype that is too narrow for the law; `argument` is what the user calls it.
    fn check_dtype(&self, dtype: &str, argument: &str) -> PyResult<()> {
        draw::check_dtype(&*self.noise, dtype, argument)
    }

    /// Samples `first`, `first + 1`, … of (source, seed) into `out`. From time to time it looks whether it is interrupted,
    /// and calls `progress(done, total)`.
    #[expect(clippy::too_many_arguments, reason = "Python's call, as it is")]
    fn fill(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        source: &str,
        seed: &[u8],
        first: u64,
        threads: NonZeroUsize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        draw::bulk(&*self.noise, py, out, (source, seed, first), threads, progress)
    }

    /// The stream's next samples into `out`.
    fn fill_stream(&self, py: Python<'_>, out: &Bound<'_, PyAny>, stream: &Stream) -> PyResult<()> {
        draw::of_stream(&*self.noise, py, out, stream)
    }

    /// One sample, from bits of the operating system.
    fn one(&self) -> PyResult<i64> {
        draw::ahead(&*self.noise, &self.ahead)
    }

    /// A new array of `count` samples: the stream's next, or from bits of the operating system.
    #[pyo3(signature = (count, stream=None))]
    fn several<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        stream: Option<&Stream>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        draw::several(&*self.noise, py, count, stream, &self.ahead)
    }

    /// One sample from the words of a NumPy bit generator, whose lock the caller holds: that of a stream of its own.
    fn one_over(&self, capsule: &Bound<'_, PyAny>) -> PyResult<i64> {
        single::sample(Words::of(capsule)?, &*self.noise)
    }

    /// The stream's next sample.
    fn one_of(&self, py: Python<'_>, stream: &Stream) -> PyResult<i64> {
        draw::one_of(&*self.noise, py, stream)
    }
}

/// One ternary vector with so many entries that are not 0, into `out`.
#[pyfunction]
pub(crate) fn fill_sparse(py: Python<'_>, out: &Bound<'_, PyAny>, weight: usize, stream: &Stream) -> PyResult<()> {
    with_integers!(out, slice => {
        let law = SparseTernary::new(slice.len(), weight).map_err(invalid)?;
        py.detach(|| stream.lock().fill_sparse(&law, slice)).map_err(of_stream)
    })
}
