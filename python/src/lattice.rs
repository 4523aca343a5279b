//! Gaussians over lattices.

use crate::errors::{invalid, refused};
use crate::fill::{exclusive, of_stream};
use crate::seed::seed_of;
use crate::stream::Stream;
use numpy::{PyArray1, PyArrayDyn, PyReadonlyArray1};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samplez::bindings::rational;
use samplez::{RangeError, Rational, Refused, Source, StreamError};
use samplez_lattice::{Form as Lattice, Law, Matrix};
use samplez_stats::ALPHA;
use std::sync::OnceLock;
use zeroize::Zeroizing;

use crate::verify::{TestRow, row};

/// Vectors between two looks at Ctrl-C: a whole number of the library's blocks.
const STEP: usize = 1 << 10;

/// A form, and its law once it is asked for.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Form {
    form: Lattice,
    law: OnceLock<Result<Law, String>>,
}

impl From<Lattice> for Form {
    fn from(form: Lattice) -> Form {
        Form { form, law: OnceLock::new() }
    }
}

fn number(argument: &str, text: &str) -> PyResult<Rational> {
    rational(argument, text).map_err(refused)
}

fn matrix(argument: &str, text: &str) -> PyResult<Matrix> {
    text.parse().map_err(|error: Refused| match error.argument() {
        "matrix" => refused(Refused::new(argument, error.value(), error.allowed())),
        _ => invalid(format!("{argument}: {error}")),
    })
}

fn numbers(argument: &str, texts: &[String]) -> PyResult<Vec<Rational>> {
    texts.iter().map(|text| number(argument, text)).collect()
}

fn narrow(error: RangeError) -> PyErr {
    PyOverflowError::new_err(format!("{error}; use dtype=object"))
}

#[pymethods]
impl Form {
    /// The form of this kind: basis, ellipsoid, gram or qary, of these matrices.
    #[new]
    fn new(py: Python<'_>, kind: &str, first: &str, second: &str, q: u64, sigma: &str) -> PyResult<Self> {
        let names = match kind {
            "gram" => ["gram", ""],
            "qary" => ["a", ""],
            _ => ["basis", "covariance"],
        };
        let first = matrix(names[0], first)?;
        let made = if kind == "ellipsoid" {
            let second = matrix(names[1], second)?;
            py.detach(|| Lattice::ellipsoid(&first, &second))
        } else {
            let sigma = number("sigma", sigma)?;
            py.detach(|| match kind {
                "gram" => Lattice::gram(&first, sigma),
                "qary" => Lattice::qary(&first, q, sigma),
                _ => Lattice::basis(&first, sigma),
            })
        };
        Ok(made.map_err(|error| refused(error.as_typed([("sigma", sigma)])))?.into())
    }

    /// The same form around this centre.
    fn with_center(&self, py: Python<'_>, center: Vec<String>) -> PyResult<Self> {
        let center = numbers("center", &center)?;
        Ok(py.detach(|| self.form.with_center(&center)).map_err(refused)?.into())
    }

    /// The same form on this coset.
    fn coset(&self, py: Python<'_>, shift: Vec<i64>) -> PyResult<Self> {
        Ok(py.detach(|| self.form.coset(&shift)).map_err(refused)?.into())
    }

    #[getter]
    fn rank(&self) -> usize {
        self.form.rank()
    }

    #[getter]
    fn columns(&self) -> usize {
        self.form.columns()
    }

    #[getter]
    fn acceptance(&self) -> f64 {
        self.form.acceptance()
    }

    /// Whether 64 bits hold the samples.
    #[getter]
    fn fits(&self) -> bool {
        self.form.fits()
    }

    /// Words of 64 bits in an entry of [`fill_words`](Self::fill_words).
    #[getter]
    fn words(&self) -> usize {
        self.form.words()
    }

    /// Samples `first` and on of (source, seed), into `out`.
    fn fill(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyArrayDyn<i64>>,
        source: &str,
        seed: &[u8],
        first: u64,
    ) -> PyResult<()> {
        let (source, seed) = (source.parse::<Source>().map_err(refused)?, seed_of(seed)?);
        let mut out = exclusive(out)?;
        let out = out.as_slice_mut().map_err(invalid)?;
        let mut number = first;
        // The first part ends at a block.
        let mut len = STEP - (first % STEP as u64) as usize;
        let mut rest = out;
        while !rest.is_empty() {
            let (part, after) = rest.split_at_mut((len * self.form.columns()).min(rest.len()));
            py.detach(|| self.form.fill(source, &seed, number, part)).map_err(|error| match error {
                StreamError::Range(error) => narrow(error),
                other => of_stream(other),
            })?;
            py.check_signals()?;
            number = number.wrapping_add(len as u64);
            (rest, len) = (after, STEP);
        }
        Ok(())
    }

    /// As [`fill`](Self::fill): the bytes of each entry's words, in two's complement, the lowest first.
    fn fill_words<'py>(
        &self,
        py: Python<'py>,
        source: &str,
        seed: &[u8],
        first: u64,
        count: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (source, seed) = (source.parse::<Source>().map_err(refused)?, seed_of(seed)?);
        let mut words = Zeroizing::new(vec![0; count * self.form.columns() * self.form.words()]);
        py.detach(|| self.form.fill_words(source, &seed, first, &mut words)).map_err(of_stream)?;
        bytes(py, &words)
    }

    /// The stream's next samples into `out`.
    fn fill_stream(&self, py: Python<'_>, out: &Bound<'_, PyArrayDyn<i64>>, stream: &Stream) -> PyResult<()> {
        let mut out = exclusive(out)?;
        let out = out.as_slice_mut().map_err(invalid)?;
        let drawn = py.detach(|| {
            stream
                .lock()
                .draw(|bits| out.chunks_exact_mut(self.form.columns()).try_for_each(|v| self.form.sample(bits, v)))
        });
        drawn.map_err(of_stream)?.map_err(narrow)
    }

    /// The stream's next samples, as [`fill_words`](Self::fill_words) gives them.
    fn stream_words<'py>(&self, py: Python<'py>, stream: &Stream, count: usize) -> PyResult<Bound<'py, PyBytes>> {
        let width = self.form.columns() * self.form.words();
        let mut words = Zeroizing::new(vec![0; count * width]);
        let drawn = py.detach(|| {
            stream.lock().draw(|bits| words.chunks_exact_mut(width).try_for_each(|v| self.form.sample_words(bits, v)))
        });
        drawn.map_err(of_stream)?.map_err(narrow)?;
        bytes(py, &words)
    }

    /// A sample around each of these centres, whose numbers come one after the other, by one stream.
    fn fill_each(
        &self,
        py: Python<'_>,
        centers: Vec<String>,
        out: &Bound<'_, PyArrayDyn<i64>>,
        stream: &Stream,
    ) -> PyResult<()> {
        let centers = numbers("centers", &centers)?;
        let mut out = exclusive(out)?;
        let out = out.as_slice_mut().map_err(invalid)?;
        let drawn = py.detach(|| {
            let forms = centers.chunks(self.form.columns()).map(|center| self.form.with_center(center));
            let forms: Vec<Lattice> = forms.collect::<Result<_, _>>()?;
            Ok::<_, Refused>(stream.lock().draw(|bits| Lattice::sample_each(&forms, bits, out)))
        });
        drawn.map_err(invalid)?.map_err(of_stream)?.map_err(narrow)
    }

    /// P(v) of each vector, or its logarithm.
    fn masses<'py>(
        &self,
        py: Python<'py>,
        vectors: PyReadonlyArray1<'py, i64>,
        is_log: bool,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let vectors = vectors.as_slice().map_err(invalid)?;
        let values: PyResult<Vec<f64>> = py.detach(|| {
            let law = self.law()?;
            let one = |v: &[i64]| if is_log { law.ln_mass(v) } else { law.mass(v) };
            Ok(vectors.chunks_exact(self.form.columns()).map(one).collect())
        });
        Ok(PyArray1::from_vec(py, values?))
    }

    /// Distance, number and probability of every shell.
    fn shells(&self, py: Python<'_>) -> PyResult<Vec<(String, u64, f64)>> {
        let shells = py.detach(|| self.law()?.shells().map_err(invalid))?;
        Ok(shells.into_iter().map(|shell| (shell.distance.to_string(), shell.vectors, shell.mass)).collect())
    }

    /// The number of vectors, whether no test rejects, the tests, and the probability with which ideal samples are rejected.
    fn verify(
        &self,
        py: Python<'_>,
        vectors: PyReadonlyArray1<'_, i64>,
        theta: Vec<(String, f64)>,
    ) -> PyResult<(u64, bool, Vec<TestRow>, f64)> {
        let theta = theta.iter().map(|(distance, count)| Ok((number("theta", distance)?, *count)));
        let theta = theta.collect::<PyResult<Vec<_>>>()?;
        let vectors = vectors.as_slice().map_err(invalid)?;
        let report = py.detach(|| self.form.verify(vectors, &theta)).map_err(invalid)?;
        Ok((report.n, report.consistent, report.tests.into_iter().map(row).collect(), ALPHA))
    }
}

impl Form {
    fn law(&self) -> PyResult<&Law> {
        let law = self.law.get_or_init(|| self.form.law().map_err(|error| error.to_string()));
        law.as_ref().map_err(invalid)
    }
}

fn bytes<'py>(py: Python<'py>, words: &[u64]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, 8 * words.len(), |bytes| {
        let to = bytes.chunks_exact_mut(8).zip(words);
        to.for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
        Ok(())
    })
}
