//! A centre, and perhaps a width, for every sample.

use crate::errors::invalid;
use crate::fill::{exclusive, of_stream};
use crate::stream::Stream;
use numpy::{PyArrayDyn, PyReadonlyArray1};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use samplez::bindings::rounding_among;
use samplez::{EntropyError, Rational, RoundError, RoundMethod, Rounding, Sigmas};

/// One σ, a text, or one for each sample.
#[derive(FromPyObject)]
pub(crate) enum Widths<'py> {
    One(String),
    Each(PyReadonlyArray1<'py, f64>),
}

impl Widths<'_> {
    fn sigmas(&self) -> PyResult<Sigmas<'_>> {
        match self {
            Widths::One(text) => Ok(Sigmas::One(number("sigma", text).map_err(invalid)?)),
            Widths::Each(array) => Ok(Sigmas::Each(array.as_slice().map_err(invalid)?)),
        }
    }
}

fn number(argument: &str, text: &str) -> Result<Rational, String> {
    text.parse().map_err(|e| format!("{argument} = {text}: {e}"))
}

fn failed(error: RoundError<EntropyError>) -> PyErr {
    match error {
        RoundError::Source(e) => PyOSError::new_err(e.to_string()),
        refused => invalid(refused),
    }
}

/// The stream's next samples of these widths and centres, in batches.
#[pyfunction]
pub(crate) fn sample_each(
    py: Python<'_>,
    sigma: Widths<'_>,
    centers: PyReadonlyArray1<'_, f64>,
    stream: &Stream,
    out: &Bound<'_, PyArrayDyn<i64>>,
) -> PyResult<()> {
    let (sigmas, mut out) = (sigma.sigmas()?, exclusive(out)?);
    let (centers, out) = (centers.as_slice().map_err(invalid)?, out.as_slice_mut().map_err(invalid)?);
    py.detach(|| stream.lock().sample_each(sigmas, centers, out)).map_err(failed)
}

/// The stream's next samples of these widths and centres, one call of the method's rounder after the other.
#[pyfunction]
pub(crate) fn round(
    py: Python<'_>,
    method: &str,
    sigma: Widths<'_>,
    centers: PyReadonlyArray1<'_, f64>,
    stream: &Stream,
    out: &Bound<'_, PyArrayDyn<i64>>,
) -> PyResult<()> {
    let method: RoundMethod = method.parse().map_err(invalid)?;
    let (sigmas, mut out) = (sigma.sigmas()?, exclusive(out)?);
    let (centers, out) = (centers.as_slice().map_err(invalid)?, out.as_slice_mut().map_err(invalid)?);
    py.detach(|| stream.lock().round_all(method, sigmas, centers, out)).map_err(failed)
}

/// One σ, or one for each sample, as texts.
#[derive(FromPyObject)]
pub(crate) enum Texts {
    One(String),
    Each(Vec<String>),
}

/// The same for centres and σ that are texts. The place of the first that is refused, and why, if one is.
#[pyfunction]
pub(crate) fn round_texts(
    py: Python<'_>,
    method: &str,
    sigma: Texts,
    centers: Vec<String>,
    stream: &Stream,
    out: &Bound<'_, PyArrayDyn<i64>>,
) -> PyResult<Option<(usize, String)>> {
    let method: RoundMethod = method.parse().map_err(invalid)?;
    let mut out = exclusive(out)?;
    let out = out.as_slice_mut().map_err(invalid)?;
    let is_each = |widths: &[String]| widths.len() == out.len();
    if centers.len() != out.len() || matches!(&sigma, Texts::Each(widths) if !is_each(widths)) {
        return Err(invalid("sigma, center: must be as many as out has"));
    }
    py.detach(|| {
        let mut stream = stream.lock();
        let mut rounder: Option<(&str, Rounding)> = None;
        for (i, (slot, center)) in out.iter_mut().zip(&centers).enumerate() {
            let (text, make): (_, fn(_, _) -> _) = match &sigma {
                Texts::One(text) => (text, Rounding::new),
                Texts::Each(texts) => (&texts[i], rounding_among),
            };
            let rounding = match rounder {
                Some((same, rounding)) if same == text => Ok(rounding),
                _ => number("sigma", text)
                    .and_then(|sigma| make(method, sigma).map_err(|e| e.to_string()))
                    .map(|rounding| rounder.insert((text, rounding)).1),
            };
            let taken = rounding.and_then(|rounding| {
                let center = rounding.center(number("center", center)?).map_err(|e| e.to_string())?;
                Ok((rounding, center))
            });
            match taken {
                Ok((rounding, center)) => *slot = stream.round(&rounding, center).map_err(of_stream)?,
                Err(refused) => return Ok(Some((i, refused))),
            }
        }
        Ok(None)
    })
}
