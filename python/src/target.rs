//! Laws beside D_Z: the rounded normal, cut laws, residues.

use crate::errors::{invalid, refused};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use samplez::bindings::rational;
use samplez::{Folding, Recipe, RefusedKind};
use samplez_tables::{TargetError, TargetLaw as Law};

/// A law beside D_Z, or D_Z itself.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct TargetLaw {
    law: Law,
    /// The law in words.
    shown: String,
}

#[pymethods]
impl TargetLaw {
    /// The law of a recipe: given that |X - c| <= clip or low <= X <= high, and then modulo q.
    #[new]
    fn new(
        recipe: &str,
        rounded: bool,
        clip: Option<&str>,
        range: Option<(i64, i64)>,
        modulus: Option<u128>,
    ) -> PyResult<Self> {
        let refuse = |error: TargetError| invalid(error);
        let is_whole = !rounded && clip.is_none() && range.is_none();
        let pairs = || Recipe::pairs(recipe).map_err(refused);
        let mut law = match (Recipe::sum(recipe).map_err(refused)?, rounded) {
            (Some(_), true) => return Err(invalid("law = rounded: a sum has no centre and width; leave it out")),
            (Some(sum), false) => sum,
            (None, true) => {
                let said = Recipe::to_judge(pairs()?).map_err(refused)?;
                Law::rounded(&said.gaussian().map_err(refused)?).map_err(refuse)?
            }
            (None, false) => match (Recipe::to_judge(pairs()?), modulus.filter(|_| is_whole)) {
                (Err(error), Some(q)) if error.kind() == RefusedKind::TooLong => {
                    let folding = Folding::from_pairs(pairs()?).ok().flatten().ok_or_else(|| refused(error))?;
                    let shown = format!("{folding}, modulo {q}");
                    return Ok(TargetLaw { law: folding.modulo(q).map_err(refuse)?, shown });
                }
                (said, _) => Law::finite(&said.map_err(refused)?.law).map_err(invalid)?,
            },
        };
        if let Some(text) = clip {
            let bound = rational("clip", text).map_err(refused)?;
            law = law.clipped(bound).map_err(refuse)?;
        }
        if let Some((low, high)) = range {
            law = law.within(low..=high).map_err(refuse)?;
        }
        if let Some(q) = modulus {
            law = law.modulo(q).map_err(refuse)?;
        }
        Ok(TargetLaw { shown: law.to_string(), law })
    }

    /// The law in words.
    fn __str__(&self) -> String {
        self.shown.clone()
    }

    /// Whether the law is a sum or has weights.
    fn is_sum(&self) -> bool {
        self.law.is_sum()
    }

    /// The least and the largest value.
    fn support(&self) -> (i64, i64) {
        self.law.support().into_inner()
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

    /// P(X > x).
    fn sf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, i64>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, x, Law::sf)
    }

    /// Mean and variance; `None` for a cut law of more than 2^16 values.
    fn mean_and_variance(&self, py: Python<'_>) -> Option<(f64, f64)> {
        py.detach(|| self.law.mean_and_variance())
    }

    /// Two values outside of which P is below 2^log2 on either side; `None` if they are beyond 64 bits.
    fn tail_range(&self, py: Python<'_>, log2: f64) -> Option<(i64, i64)> {
        py.detach(|| self.law.tail_range(log2)).map(|range| range.into_inner())
    }
}

/// For a recipe whose law is beyond 64 bits: the law in words, σ of the folded law, what is subtracted, and from which bit on an integer
/// counts beside its last four.
#[pyfunction]
pub(crate) fn folding(recipe: &str) -> PyResult<Option<(String, String, String, u32)>> {
    // The recipe itself refuses what is no law.
    let Ok(pairs) = Recipe::pairs(recipe) else { return Ok(None) };
    if pairs.iter().any(|(name, _)| *name == "clip") {
        return Ok(None);
    }
    let law = pairs.into_iter().filter(|(name, _)| Recipe::WIDTHS.contains(name) || *name == "center");
    let Ok(Some(folding)) = Folding::from_pairs(law) else { return Ok(None) };
    let sigma = folding.law().width().value().to_string();
    Ok(Some((folding.to_string(), sigma, folding.origin(), folding.shift())))
}

impl TargetLaw {
    /// The law itself.
    pub(crate) fn law(&self) -> &Law {
        &self.law
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
}
