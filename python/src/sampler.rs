//! Samplers: built by name, filling arrays, and answering about their law.

use crate::errors::invalid;
use crate::fill::{of_bulk, of_stream, with_integers};
use crate::profile::Profile;
use crate::seed::seed_of;
use crate::stream::Stream;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use samplez::tables::Law;
use samplez::{Bulk, Noise, Recipe, Source};
use std::num::NonZeroUsize;

/// Names and values of options, as texts.
type Settings = Vec<(String, String)>;

/// A sampler and its law.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Sampler {
    sampler: Box<dyn Noise>,
    law: Law,
    /// The method's name, the planner's choice for "auto".
    #[pyo3(get)]
    method: &'static str,
}

fn recipe(form: &str, width: &str, center: &str, method: &str, settings: &Settings) -> PyResult<Recipe> {
    let law = [(form, width), ("center", center), ("method", method)];
    let settings = settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Recipe::from_pairs(law.into_iter().chain(settings)).map_err(invalid)
}

#[pymethods]
impl Sampler {
    /// Builds the sampler; all numbers are texts.
    #[new]
    fn new(py: Python<'_>, form: &str, width: &str, center: &str, method: &str, options: Settings) -> PyResult<Self> {
        let recipe = recipe(form, width, center, method, &options)?;
        let built = py.detach(|| recipe.build()).map_err(invalid)?;
        Ok(Sampler { law: Law::new(built.law()), method: built.method().name(), sampler: built.into_sampler() })
    }

    /// Samples `first`, `first + 1`, … of (source, seed) into `out`.
    fn fill(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        source: &str,
        seed: &[u8],
        first: u64,
        threads: NonZeroUsize,
    ) -> PyResult<()> {
        let bulk = Bulk::new(&*self.sampler, source.parse::<Source>().map_err(invalid)?, seed_of(seed)?);
        with_integers!(out, slice => py.detach(|| bulk.par_fill(first, slice, threads)).map_err(of_bulk))
    }

    /// The stream's next samples into `out`.
    fn fill_stream(&self, py: Python<'_>, out: &Bound<'_, PyAny>, stream: &Stream) -> PyResult<()> {
        with_integers!(out, slice => py.detach(|| {
            let mut bits = stream.bits.lock().unwrap_or_else(|e| e.into_inner());
            bits.fill(&*self.sampler, slice)
        }).map_err(of_stream))
    }

    /// What the sampler declares.
    fn profile(&self) -> Profile {
        self.sampler.profile().into()
    }

    /// P(X = x).
    fn pmf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, i64>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, x, Law::pmf)
    }

    /// P(X <= x).
    fn cdf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, i64>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, x, Law::cdf)
    }

    /// P(X > x).
    fn sf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, i64>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, x, Law::sf)
    }

    /// P(low <= X <= high).
    fn mass(&self, low: i64, high: i64) -> f64 {
        self.law.mass(low..=high)
    }

    /// The least x with P(X <= x) >= q; each q lies between 0 and 1, both excluded.
    fn ppf<'py>(&self, py: Python<'py>, q: PyReadonlyArray1<'py, f64>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let q: Vec<f64> = q.as_array().iter().copied().collect();
        let quantile = |q: &f64| self.law.quantile(*q).ok_or(*q);
        let x: Result<Vec<i64>, f64> = py.detach(|| q.iter().map(quantile).collect());
        x.map(|x| PyArray1::from_vec(py, x)).map_err(|q| {
            if q > 0.0 && q < 1.0 {
                PyOverflowError::new_err(format!("q = {q}: the quantile lies beyond 64 bits"))
            } else {
                invalid(format!("q = {q}: must lie between 0 and 1, both excluded"))
            }
        })
    }

    /// The entropy in bits.
    fn entropy(&self) -> f64 {
        self.law.entropy()
    }

    /// E[X].
    fn mean(&self) -> f64 {
        self.law.mean()
    }

    /// The variance.
    fn var(&self) -> f64 {
        self.law.variance()
    }

    /// The standard deviation.
    fn std(&self) -> f64 {
        self.law.std_dev()
    }

    /// Mean, variance, third and fourth central moment.
    fn moments(&self) -> (f64, f64, f64, f64) {
        let moments = self.law.moments();
        (moments.mean, moments.variance, moments.third, moments.fourth)
    }

    /// The parameter σ as a double.
    fn sigma(&self) -> f64 {
        self.law.sigma()
    }
}

impl Sampler {
    /// The values of a function of the law.
    fn each<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray1<'py, i64>,
        f: fn(&Law, i64) -> f64,
    ) -> Bound<'py, PyArray1<f64>> {
        let x: Vec<i64> = x.as_array().iter().copied().collect();
        let values = py.detach(|| x.iter().map(|x| f(&self.law, *x)).collect());
        PyArray1::from_vec(py, values)
    }
}

/// A plan: method, settings, reason, profile, seconds to set up, million samples a second, and
/// (method, reason) for each that was not taken.
type Planned = (&'static str, Settings, String, Profile, f64, f64, Vec<(&'static str, String)>);

/// What the planner chooses.
#[pyfunction]
pub(crate) fn plan(py: Python<'_>, form: &str, width: &str, center: &str, options: Settings) -> PyResult<Planned> {
    let recipe = recipe(form, width, center, "auto", &options)?;
    let built = py.detach(|| recipe.build()).map_err(invalid)?;
    let plan = built.plan().ok_or_else(|| invalid("the method was named"))?;
    Ok((
        built.method().name(),
        built.recipe().options.said().map(|(name, value)| (name.to_owned(), value)).collect(),
        plan.reason.clone(),
        built.profile().clone().into(),
        plan.setup.as_secs_f64(),
        plan.million_per_second,
        plan.refused.iter().map(|refusal| (refusal.method.name(), refusal.why())).collect(),
    ))
}
