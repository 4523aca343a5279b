//! Samplers: built of recipes, filling arrays, and answering about their law.

use crate::ahead::Lookahead;
use crate::bitgen::Words;
use crate::draw;
use crate::errors::{invalid, refused};
use crate::setup::interruptible;
use crate::single;
use crate::stream::Stream;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use samplez::Law;
use samplez::{Built, Method, Noise, Recipe, Refused};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::sync::Mutex;

/// What the planner says: reason, seconds to set up, million samples a second with which instructions, and (method, reason) for each
/// method that was not taken.
type Planned = (String, f64, f64, &'static str, Vec<(&'static str, String)>);

/// The recipe of these names and values, as a text.
#[pyfunction]
pub(crate) fn recipe(pairs: Vec<(String, String)>) -> PyResult<String> {
    let pairs = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Ok(Recipe::from_pairs(pairs).map_err(refused)?.to_string())
}

/// A sampler and its law. Samplers are equal if what was said is: law, method and options.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Sampler {
    said: Recipe,
    built: Built,
    law: Law,
    /// Samples for single calls that name no generator.
    ahead: Mutex<Option<Lookahead>>,
}

#[pymethods]
impl Sampler {
    /// Builds the sampler of a recipe.
    #[new]
    fn new(py: Python<'_>, recipe: &str) -> PyResult<Self> {
        let said: Recipe = recipe.parse().map_err(refused)?;
        said.gaussian().map_err(refused)?;
        let built = interruptible(py, move || said.build())?.map_err(refused)?;
        Ok(Sampler { said, ..Sampler::of(built).map_err(refused)? })
    }

    /// The recipe that was given, in the library's form.
    #[getter]
    fn said(&self) -> String {
        self.said.to_string()
    }

    /// The recipe that leaves nothing open.
    #[getter]
    fn recipe(&self) -> String {
        self.built.recipe().to_string()
    }

    /// The method's name.
    #[getter]
    pub(crate) fn method(&self) -> &'static str {
        self.built.method().map_or("", Method::name)
    }

    /// The planner's account; `None` if the method was named.
    fn plan(&self) -> Option<Planned> {
        let plan = self.built.plan()?;
        let refused = plan.refused.iter().map(|refusal| (refusal.method.name(), refusal.why())).collect();
        Some((plan.reason.clone(), plan.setup.as_secs_f64(), plan.million_per_second, plan.instructions, refused))
    }

    /// The certificate: its text, and the same as JSON.
    fn certificate(&self, samples_per_time: u64) -> PyResult<(String, String)> {
        let certificate = self.built.certificate().with_samples_per_time(samples_per_time).map_err(invalid)?;
        Ok((certificate.to_string(), certificate.to_json()))
    }

    /// Refuses a dtype that is too narrow for the law; `argument` is what the user calls it.
    fn check_dtype(&self, dtype: &str, argument: &str) -> PyResult<()> {
        draw::check_dtype(self.noise(), dtype, argument)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.said == other.said
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.said.law, self.said.method).hash(&mut hasher);
        self.said.options.said().for_each(|said| said.hash(&mut hasher));
        hasher.finish()
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
        draw::bulk(self.noise(), py, out, (source, seed, first), threads, progress)
    }

    /// The stream's next samples into `out`.
    fn fill_stream(&self, py: Python<'_>, out: &Bound<'_, PyAny>, stream: &Stream) -> PyResult<()> {
        draw::of_stream(self.noise(), py, out, stream)
    }

    /// One sample, from bits of the operating system.
    fn one(&self) -> PyResult<i64> {
        draw::ahead(self.noise(), &self.ahead)
    }

    /// A new array of `count` samples: the stream's next, or from bits of the operating system.
    #[pyo3(signature = (count, stream=None))]
    fn several<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        stream: Option<&Stream>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        draw::several(self.noise(), py, count, stream, &self.ahead)
    }

    /// One sample from the words of a NumPy bit generator, whose lock the caller holds: that of a stream of its own.
    fn one_over(&self, capsule: &Bound<'_, PyAny>) -> PyResult<i64> {
        single::sample(Words::of(capsule)?, self.noise())
    }

    /// The stream's next sample.
    fn one_of(&self, py: Python<'_>, stream: &Stream) -> PyResult<i64> {
        draw::one_of(self.noise(), py, stream)
    }

    /// P(X = x).
    fn pmf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, i64>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, x, Law::pmf)
    }

    /// ln P(X = x).
    fn logpmf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, i64>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, x, Law::logpmf)
    }

    /// P(X <= x).
    fn cdf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, i64>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, x, Law::cdf)
    }

    /// ln P(X <= x).
    fn logcdf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, i64>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, x, Law::logcdf)
    }

    /// P(X > x).
    fn sf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, i64>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, x, Law::sf)
    }

    /// ln P(X > x).
    fn logsf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, i64>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, x, Law::logsf)
    }

    /// P(low <= X <= high).
    fn mass(&self, low: i64, high: i64) -> f64 {
        self.law.mass(low..=high)
    }

    /// The least x with P(X <= x) >= q; each q lies between 0 and 1, both excluded.
    fn ppf<'py>(&self, py: Python<'py>, q: PyReadonlyArray1<'py, f64>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.quantiles(py, q, Law::quantile)
    }

    /// The least x with P(X > x) <= q; each q lies between 0 and 1, both excluded.
    fn isf<'py>(&self, py: Python<'py>, q: PyReadonlyArray1<'py, f64>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.quantiles(py, q, Law::isf)
    }

    /// The entropy in nats.
    fn entropy(&self) -> f64 {
        self.law.entropy()
    }

    /// The entropy with logarithms to this base; `None` unless it is finite and above 1.
    fn entropy_in(&self, base: f64) -> Option<f64> {
        self.law.entropy_in(base)
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

    /// E[X^order]; `None` for an order that is not computed.
    fn moment(&self, order: u32) -> Option<f64> {
        self.law.moment(order)
    }

    /// E[(X - mean)³]/σ_X³, and E[(X - mean)⁴]/σ_X⁴ - 3.
    fn shape(&self) -> (f64, f64) {
        (self.law.skewness(), self.law.excess_kurtosis())
    }

    /// The parameter σ as a double.
    fn sigma(&self) -> f64 {
        self.law.sigma()
    }
}

impl Sampler {
    /// The sampler of what was built, as if all of it had been said.
    pub(crate) fn of(built: Built) -> Result<Self, Refused> {
        let (said, law) = (*built.recipe(), Law::new(&built.recipe().gaussian()?));
        Ok(Sampler { said, law, built, ahead: Mutex::new(None) })
    }

    /// What a scheme takes.
    pub(crate) fn noise(&self) -> &dyn Noise {
        self.built.sampler()
    }

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

    /// The quantiles of each q between 0 and 1.
    fn quantiles<'py>(
        &self,
        py: Python<'py>,
        q: PyReadonlyArray1<'py, f64>,
        f: fn(&Law, f64) -> Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let q: Vec<f64> = q.as_array().iter().copied().collect();
        let x: Result<Vec<i64>, f64> = py.detach(|| q.iter().map(|q| f(&self.law, *q).ok_or(*q)).collect());
        let beyond = |q| PyOverflowError::new_err(format!("q = {q:?}: the quantile lies beyond 64 bits"));
        x.map(|x| PyArray1::from_vec(py, x)).map_err(beyond)
    }
}
