//! What a sampler declares, as Python attributes.

use pyo3::pyclass;
use samplez::{Exactness, Profile as Declared};

/// A sampler's declaration. The `log2_…` are upper bounds, minus infinity for an exact sampler.
#[pyclass(frozen, get_all, module = "samplez._samplez")]
pub(crate) struct Profile {
    law: String,
    exact: bool,
    timing: String,
    log2_statistical_distance: f64,
    log2_renyi: Vec<(u32, f64)>,
    log2_renyi_infinity: f64,
    log2_tail: f64,
    minimum: i64,
    maximum: i64,
    table_bytes: usize,
    expected_bits: f64,
    expected_trials: f64,
}

impl From<Declared> for Profile {
    fn from(declared: Declared) -> Self {
        let bound = match declared.exactness {
            Exactness::Exact => None,
            Exactness::Within(bound) => Some(bound),
        };
        let log2 = |value: Option<f64>| value.unwrap_or(f64::NEG_INFINITY);
        Profile {
            law: declared.target.to_string(),
            exact: bound.is_none(),
            timing: declared.timing.to_string(),
            log2_statistical_distance: log2(bound.map(|b| b.log2_sd)),
            log2_renyi: bound.map_or(Vec::new(), |b| b.log2_renyi.into()),
            log2_renyi_infinity: log2(bound.map(|b| b.log2_rinf)),
            log2_tail: log2(bound.map(|b| b.log2_tail)),
            minimum: *declared.support.start(),
            maximum: *declared.support.end(),
            table_bytes: declared.table_bytes,
            expected_bits: declared.expected_bits,
            expected_trials: declared.expected_trials,
        }
    }
}
