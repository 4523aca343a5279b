//! A centre, and perhaps a width, for every sample.

use crate::errors::{invalid, refused};
use crate::fill::{exclusive, of_stream};
use crate::stream::Stream;
use numpy::{PyArrayDyn, PyReadonlyArray1};
use pyo3::exceptions::{PyOSError, PyOverflowError};
use pyo3::prelude::*;
use samplez::bindings::{rational, rounding_among};
use samplez::{BigGaussian, Built, EntropyError, Rational, Recipe, Refused, RoundError, RoundMethod, Rounding, Sigmas};
use samplez_sources::Generator;
use std::collections::HashMap;
use zeroize::Zeroizing;

/// One σ, a text, or one for each sample.
#[derive(FromPyObject)]
pub(crate) enum Widths<'py> {
    One(String),
    Each(PyReadonlyArray1<'py, f64>),
}

impl Widths<'_> {
    fn sigmas(&self) -> PyResult<Sigmas<'_>> {
        match self {
            Widths::One(text) => Ok(Sigmas::One(rational("sigma", text).map_err(refused)?)),
            Widths::Each(array) => Ok(Sigmas::Each(array.as_slice().map_err(invalid)?)),
        }
    }
}

fn failed(error: RoundError<EntropyError>) -> PyErr {
    match error {
        RoundError::Source(e) => PyOSError::new_err(e.to_string()),
        RoundError::Refused(e) => refused(e),
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
    let method: RoundMethod = method.parse().map_err(refused)?;
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

impl Texts {
    fn at(&self, i: usize) -> &str {
        match self {
            Texts::One(text) => text,
            Texts::Each(texts) => &texts[i],
        }
    }
}

/// A refusal in parts: the element, the kind, the argument, its value, and the reason.
type Parts = (usize, &'static str, String, String, String);

fn parts(element: usize, refused: &Refused) -> Parts {
    let reason = refused.reason(str::to_string);
    (element, refused.kind().name(), refused.argument().to_string(), refused.value().to_string(), reason)
}

/// The same for centres and σ that are texts. Returns the first refusal, if there is one.
#[pyfunction]
pub(crate) fn round_texts(
    py: Python<'_>,
    method: &str,
    sigma: Texts,
    centers: Vec<String>,
    stream: &Stream,
    out: &Bound<'_, PyArrayDyn<i64>>,
) -> PyResult<Option<Parts>> {
    let method: RoundMethod = method.parse().map_err(refused)?;
    let mut out = exclusive(out)?;
    let out = out.as_slice_mut().map_err(invalid)?;
    let is_each = |widths: &[String]| widths.len() == out.len();
    if centers.len() != out.len() || matches!(&sigma, Texts::Each(widths) if !is_each(widths)) {
        return Err(invalid("sigma, center: expected as many as out has"));
    }
    py.detach(|| {
        let mut stream = stream.lock();
        let mut rounder: Option<(&str, Rounding)> = None;
        for (i, (slot, center)) in out.iter_mut().zip(&centers).enumerate() {
            let (text, make): (&str, fn(_, _) -> _) = match &sigma {
                Texts::One(text) => (text, Rounding::new),
                Texts::Each(texts) => (&texts[i], rounding_among),
            };
            let rounding = match rounder {
                Some((same, rounding)) if same == text => Ok(rounding),
                _ => rational("sigma", text)
                    .and_then(|sigma| make(method, sigma).map_err(Refused::from))
                    .map(|rounding| rounder.insert((text, rounding)).1),
            };
            let taken = rounding.and_then(|rounding| -> Result<_, Refused> {
                let center = rounding.center(rational("center", center)?)?;
                Ok((rounding, center))
            });
            match taken {
                Ok((rounding, center)) => *slot = stream.round(&rounding, center).map_err(of_stream)?,
                Err(refused) => {
                    let typed = refused.as_typed([("sigma", text), ("center", center.as_str())]);
                    return Ok(Some(parts(i, &typed)));
                }
            }
        }
        Ok(None)
    })
}

/// Laws that are kept during a call.
const KEPT: usize = 256;

/// A law of its own for a sample.
enum Law {
    Big(BigGaussian),
    Quick(Box<Built>),
}

impl Law {
    /// `quick` has no tables, and a time that depends on the samples. It is for numbers of 64 bits.
    fn new(name: &str, width: &str, center: &str, quick: bool) -> Result<Self, Refused> {
        let pairs = [(name, width), ("center", center)];
        // The sampler of the same name as the rounder that takes every rational σ.
        let every = RoundMethod::Auto.at(Rational::ZERO).name();
        let built = || Recipe::from_pairs(pairs.into_iter().chain([("method", every)])).ok()?.build().ok();
        match quick.then(built).flatten() {
            Some(built) => Ok(Law::Quick(Box::new(built))),
            None => BigGaussian::from_pairs(pairs).map(Law::Big),
        }
    }

    fn draw(&self, stream: &mut samplez::Stream<Generator>) -> PyResult<i64> {
        match self {
            Law::Quick(built) => stream.sample(built.sampler()).map_err(of_stream),
            Law::Big(law) => {
                let words = Zeroizing::new(law.draw(stream, 1).map_err(of_stream)?);
                let sign = (words[0].cast_signed() >> 63).cast_unsigned();
                let fits = words[1..].iter().all(|word| *word == sign);
                fits.then_some(words[0].cast_signed())
                    .ok_or_else(|| PyOverflowError::new_err("a sample does not fit int64"))
            }
        }
    }
}

/// The stream's next samples, each of its own law, one after the other; `name` is that of the widths' form. Returns the first
/// refusal, if there is one.
#[pyfunction]
pub(crate) fn sample_laws(
    py: Python<'_>,
    name: &str,
    widths: Texts,
    centers: Texts,
    quick: bool,
    stream: &Stream,
    out: &Bound<'_, PyArrayDyn<i64>>,
) -> PyResult<Option<Parts>> {
    let mut out = exclusive(out)?;
    let out = out.as_slice_mut().map_err(invalid)?;
    for (name, texts) in [(name, &widths), ("center", &centers)] {
        if matches!(texts, Texts::Each(texts) if texts.len() != out.len()) {
            return Err(invalid(format!("{name}: expected as many as out has")));
        }
    }
    py.detach(|| {
        let mut stream = stream.lock();
        let mut laws: HashMap<(&str, &str), Law> = HashMap::new();
        for (i, slot) in out.iter_mut().enumerate() {
            let key = (widths.at(i), centers.at(i));
            if !laws.contains_key(&key) {
                if laws.len() == KEPT {
                    laws.clear();
                }
                match Law::new(name, key.0, key.1, quick) {
                    Ok(law) => laws.insert(key, law),
                    Err(refused) => return Ok(Some(parts(i, &refused))),
                };
            }
            *slot = laws[&key].draw(&mut stream)?;
        }
        Ok(None)
    })
}
