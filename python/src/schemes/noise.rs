//! What the sets are, and the noise that each demands.

use super::shared::{noise_of, said};
use crate::errors::invalid;
use crate::sampler::Sampler;
use pyo3::prelude::*;
use samplez::schemes::bliss::Variant;
use samplez::schemes::{Demand, bliss, lp11, regev};

/// Names and numbers.
type Named<T> = Vec<(&'static str, T)>;

/// (scheme, set, parameters, law, problem, samples_log2, security, lifetime_log2, attempts, samples, (what fails, how often)).
type Row = (
    &'static str,
    &'static str,
    Named<u64>,
    String,
    String,
    u32,
    u32,
    Option<u32>,
    Named<f64>,
    Named<f64>,
    Option<(&'static str, f64)>,
);

/// Every set.
#[pyfunction]
pub(crate) fn scheme_sets(py: Python<'_>) -> Vec<Row> {
    py.detach(|| {
        let (signing, encrypting) =
            (bliss::Set::ALL.into_iter().map(of_bliss), lp11::Set::ALL.into_iter().map(of_lp11));
        signing.chain(encrypting).chain(regev::Set::ALL.into_iter().map(of_regev)).collect()
    })
}

fn row(scheme: &'static str, set: &'static str, demand: &Demand, security: u32) -> Row {
    let (law, problem) = (demand.law.to_string(), demand.problem.to_string());
    (scheme, set, vec![], law, problem, demand.samples_log2, security, None, vec![], vec![], None)
}

fn of_bliss(set: bliss::Set) -> Row {
    let both = |value: fn(bliss::Set, Variant) -> f64| Variant::ALL.map(|v| (v.name(), value(set, v))).into();
    let mut row = row("bliss", set.name(), &set.demand(), set.security());
    row.2 = vec![
        ("n", set.dimension() as u64),
        ("q", set.modulus().into()),
        ("kappa", set.challenge_weight() as u64),
        ("d", set.dropped_bits().into()),
    ];
    row.7 = Some(set.signatures_log2());
    (row.8, row.9) = (both(bliss::Set::attempts), both(bliss::Set::samples));
    row
}

fn of_lp11(set: lp11::Set) -> Row {
    let mut row = row("lp11", set.name(), &set.demand(), set.security());
    row.2 = vec![("n", set.dimension() as u64), ("q", set.modulus().into()), ("l", set.block_bits() as u64)];
    row.7 = Some(set.encryptions_log2());
    row.9 = vec![("key", set.key_samples() as f64), ("block", set.block_samples() as f64)];
    row.10 = Some(("bit", set.failure_rate()));
    row
}

fn of_regev(set: regev::Set) -> Row {
    let mut row = row("regev", set.name(), &set.demand(), set.security());
    let regev::Shape { n, l, m, q, r, t } = set.parameters().shape();
    row.2 = [("n", n), ("l", l), ("m", m), ("q", q), ("r", r), ("t", t)].map(|(name, x)| (name, x.into())).into();
    row.9 = vec![("key", set.parameters().key_samples() as f64)];
    row.10 = Some(("letter", set.letter_error()));
    row
}

/// The noise that a set demands, as the recipe has it.
#[pyfunction]
pub(crate) fn scheme_noise(py: Python<'_>, scheme: &str, set: &str, recipe: &str) -> PyResult<Sampler> {
    let demand = match scheme {
        "bliss" => set.parse::<bliss::Set>().map_err(said)?.demand(),
        "lp11" => set.parse::<lp11::Set>().map_err(said)?.demand(),
        "regev" => set.parse::<regev::Set>().map_err(said)?.demand(),
        _ => return Err(invalid(format!("scheme = {scheme}: must be bliss, lp11 or regev"))),
    };
    noise_of(py, &demand, recipe)
}
