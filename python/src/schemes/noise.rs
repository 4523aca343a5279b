//! What the sets are, and the noise that each demands.

use super::shared::{noise_of, said};
use crate::errors::invalid;
use crate::sampler::Sampler;
use pyo3::prelude::*;
use samplez_schemes::bliss::Variant;
use samplez_schemes::{Demand, bliss, lp11, regev};

/// Names and numbers.
type Named<T> = Vec<(&'static str, T)>;

/// (scheme, set, parameters, law, problem, samples_log2, security, lifetime_log2, attempts, samples, (what fails, how often)).
type Row = (
    &'static str,
    String,
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

fn row(scheme: &'static str, set: String, demand: &Demand, security: u32) -> Row {
    let (law, problem) = (demand.law.to_string(), demand.problem.to_string());
    (scheme, set, vec![], law, problem, demand.samples_log2, security, None, vec![], vec![], None)
}

fn of_bliss(set: bliss::Set) -> Row {
    let bliss::Parameters { n, q, weight, d, security, signatures_log2, classic_attempts, b_attempts, .. } =
        *set.parameters();
    let mut row = row("bliss", set.to_string(), &set.demand(), security);
    row.2 = vec![("n", n as u64), ("q", q.into()), ("kappa", weight as u64), ("d", d.into())];
    row.7 = Some(signatures_log2);
    let attempts = [(Variant::Classic, classic_attempts), (Variant::B, b_attempts)];
    row.8 = attempts.map(|(variant, attempts)| (variant.name(), attempts)).into();
    row.9 = attempts.map(|(variant, attempts)| (variant.name(), 2.0 * n as f64 * attempts)).into();
    row
}

fn of_lp11(set: lp11::Set) -> Row {
    let lp11::Parameters { n, q, l, key_samples, block_samples, encryptions_log2, security, .. } = *set.parameters();
    let mut row = row("lp11", set.to_string(), &set.demand(), security);
    row.2 = vec![("n", n as u64), ("q", q.get().into()), ("l", l as u64)];
    row.7 = Some(encryptions_log2);
    row.9 = vec![("key", key_samples as f64), ("block", block_samples as f64)];
    row.10 = Some(("bit", set.failure_rate()));
    row
}

fn of_regev(set: regev::Set) -> Row {
    let mut row = row("regev", set.to_string(), &set.parameters().demand(), set.security());
    let regev::Shape { n, l, m, q, r, t } = set.parameters().shape();
    row.2 = [("n", n), ("l", l), ("m", m), ("q", q), ("r", r), ("t", t)].map(|(name, x)| (name, x.into())).into();
    row.9 = vec![("key", f64::from(m) * f64::from(l))];
    row.10 = Some(("letter", set.parameters().letter_error()));
    row
}

/// The noise that a set demands, as the recipe has it.
#[pyfunction]
pub(crate) fn scheme_noise(py: Python<'_>, scheme: &str, set: &str, recipe: &str) -> PyResult<Sampler> {
    let demand = match scheme {
        "bliss" => set.parse::<bliss::Set>().map_err(said)?.demand(),
        "lp11" => set.parse::<lp11::Set>().map_err(said)?.demand(),
        "regev" => set.parse::<regev::Set>().map_err(said)?.parameters().demand(),
        _ => return Err(invalid(format!("scheme = {scheme}: expected bliss, lp11 or regev"))),
    };
    noise_of(py, &demand, recipe)
}
