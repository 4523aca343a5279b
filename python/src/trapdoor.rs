//! Gadgets and trapdoors of lattices.

use crate::errors::{invalid, refused};
use crate::fill::{exclusive, of_stream};
use crate::seed::seed_of;
use crate::stream::Stream;
use numpy::{PyArray1, PyArrayDyn, PyReadonlyArray1};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samplez::bindings::rational;
use samplez::{Bound as Distance, Exactness, Rational, Refused};
use samplez_lattice::{Gadget as Cosets, Parameters, Trapdoor as Key, TrapdoorError};
use samplez_sources::ChaCha20;

/// log2 of SD, of each R_a - 1, of R_∞ - 1 and of the tail; and log2 of the samples that cost 2 of 128 and of 256 bits.
type Row = (f64, Vec<(u32, f64)>, f64, f64, [Option<f64>; 2]);

fn row(bound: &Distance) -> Row {
    let samples = [128, 256].map(|security| bound.samples_log2(security));
    (bound.log2_sd, bound.log2_renyi.to_vec(), bound.log2_rinf, bound.log2_tail, samples)
}

fn number(argument: &str, text: &str) -> PyResult<Rational> {
    rational(argument, text).map_err(refused)
}

fn refuse(error: TrapdoorError) -> PyErr {
    match error {
        TrapdoorError::Generator(fault) => PyOSError::new_err(fault.to_string()),
        other => invalid(other),
    }
}

/// The cosets of the gadget lattice.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Gadget(Cosets);

#[pymethods]
impl Gadget {
    #[new]
    fn new(base: u64, q: u64, sigma: &str) -> PyResult<Self> {
        let made = Cosets::new(base, q, number("sigma", sigma)?);
        made.map(Gadget).map_err(|error| refused(error.as_typed([("sigma", sigma)])))
    }

    /// The least σ.
    #[staticmethod]
    fn min_sigma(base: u64, q: u64) -> PyResult<String> {
        Ok(Cosets::min_sigma(base, q).map_err(refused)?.to_string())
    }

    #[getter]
    fn digits(&self) -> usize {
        self.0.digits()
    }

    /// The distance from the coset Gaussian; `None` where it is 0.
    fn bound(&self) -> Option<Row> {
        match self.0.exactness() {
            Exactness::Within(bound) => Some(row(&bound)),
            _ => None,
        }
    }

    /// A sample for each coset.
    fn sample(
        &self,
        py: Python<'_>,
        cosets: PyReadonlyArray1<'_, u64>,
        out: &Bound<'_, PyArrayDyn<i64>>,
        stream: &Stream,
    ) -> PyResult<()> {
        let cosets = cosets.as_slice().map_err(invalid)?;
        let mut out = exclusive(out)?;
        let out = out.as_slice_mut().map_err(invalid)?;
        let drawn = py.detach(|| stream.lock().draw(|bits| self.0.sample(cosets, bits, out)));
        drawn.map_err(of_stream)?.map_err(invalid)
    }
}

/// A matrix with a trapdoor, which is erased when it is dropped.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Trapdoor(Key);

#[pymethods]
impl Trapdoor {
    /// A key of these parameters, by ChaCha20 under this seed.
    #[staticmethod]
    #[pyo3(signature = (n, q, base, columns, key_sigma, sigma, seed))]
    #[allow(clippy::too_many_arguments)] // each is one of Python's
    fn generate(
        py: Python<'_>,
        n: usize,
        q: u64,
        base: u64,
        columns: Option<usize>,
        key_sigma: &str,
        sigma: Option<&str>,
        seed: &[u8],
    ) -> PyResult<Self> {
        let mut parameters = Parameters::new(n, q).base(base).key_sigma(number("key_sigma", key_sigma)?);
        if let Some(columns) = columns {
            parameters = parameters.columns(columns);
        }
        if let Some(sigma) = sigma {
            parameters = parameters.sigma(number("sigma", sigma)?);
        }
        let mut rng = ChaCha20::new(&seed_of(seed)?);
        py.detach(|| Key::generate(&parameters, &mut rng)).map(Trapdoor).map_err(refuse)
    }

    /// The key of these bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        let read = py.detach(|| Key::from_bytes(data)).map(Trapdoor);
        read.map_err(|error| match error {
            TrapdoorError::Refused(error) if error.argument() == "bytes" => {
                refused(Refused::new("data", error.value(), error.allowed()))
            }
            other => refuse(other),
        })
    }

    /// The key as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    #[getter]
    fn rows(&self) -> usize {
        self.0.public().rows()
    }

    #[getter]
    fn columns(&self) -> usize {
        self.0.public().columns()
    }

    #[getter]
    fn modulus(&self) -> u64 {
        self.0.public().modulus()
    }

    /// The parameter σ of preimages.
    #[getter]
    fn sigma(&self) -> String {
        self.0.sigma().to_string()
    }

    /// The distance of a preimage from the coset Gaussian.
    fn bound(&self) -> Row {
        row(&self.0.bound())
    }

    /// The entries of A, row by row.
    fn matrix<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let public = self.0.public();
        let entries = (0..public.rows()).filter_map(|i| public.row(i)).flatten();
        PyArray1::from_vec(py, entries.map(|a| a as i64).collect())
    }

    /// A·x for each x.
    fn apply(&self, py: Python<'_>, x: PyReadonlyArray1<'_, i64>, out: &Bound<'_, PyArrayDyn<i64>>) -> PyResult<()> {
        let x = x.as_slice().map_err(invalid)?;
        let mut out = exclusive(out)?;
        let out = out.as_slice_mut().map_err(invalid)?;
        let public = self.0.public();
        py.detach(|| {
            for (x, out) in x.chunks(public.columns()).zip(out.chunks_mut(public.rows())) {
                out.iter_mut().zip(public.apply(x)?).for_each(|(out, u)| *out = u as i64);
            }
            Ok(())
        })
        .map_err(refused::<Refused>)
    }

    /// A preimage of each target, by ChaCha20 under this seed.
    fn preimages(
        &self,
        py: Python<'_>,
        targets: PyReadonlyArray1<'_, u64>,
        out: &Bound<'_, PyArrayDyn<i64>>,
        seed: &[u8],
    ) -> PyResult<()> {
        let targets = targets.as_slice().map_err(invalid)?;
        let mut rng = ChaCha20::new(&seed_of(seed)?);
        let mut out = exclusive(out)?;
        let out = out.as_slice_mut().map_err(invalid)?;
        py.detach(|| self.0.preimages(targets, &mut rng, out)).map_err(refuse)
    }
}
