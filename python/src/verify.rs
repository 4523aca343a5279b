//! Tests of integers against a distribution.

use crate::errors::invalid;
use crate::target::TargetLaw;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use samplez_stats::{ALPHA, Power, Test, Verdict, Verifier as Judge};
use std::sync::{Mutex, MutexGuard};

/// Name, members, place, statistic, degrees of freedom, p-value, verdict, and the reason if the test does not apply.
type TestRow = (String, u64, Option<String>, Option<f64>, Option<u64>, Option<f64>, &'static str, Option<&'static str>);

/// The number of values, whether no test rejects, the tests, and the power.
type Judged = (u64, bool, Vec<TestRow>, Vec<(&'static str, Option<f64>)>);

/// Takes in integers, and judges them.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Verifier {
    judge: Mutex<Judge>,
}

#[pymethods]
impl Verifier {
    /// A verifier of this law that has seen nothing.
    #[new]
    fn new(law: &TargetLaw) -> PyResult<Self> {
        Ok(Verifier { judge: Mutex::new(Judge::new(law.law().clone()).map_err(invalid)?) })
    }

    /// Takes in values that follow those already taken in.
    fn push(&self, py: Python<'_>, samples: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let samples = samples.as_slice().map_err(invalid)?;
        py.detach(|| self.lock().push(samples));
        Ok(())
    }

    /// The verdict on the values so far.
    fn report(&self, py: Python<'_>) -> PyResult<Judged> {
        let report = py.detach(|| self.lock().finish()).map_err(invalid)?;
        Ok((report.n, report.consistent, report.tests.into_iter().map(row).collect(), power(report.power)))
    }

    /// The probability with which ideal samples are rejected, about.
    #[classattr]
    const ALPHA: f64 = ALPHA;
}

impl Verifier {
    fn lock(&self) -> MutexGuard<'_, Judge> {
        self.judge.lock().unwrap_or_else(|e| e.into_inner())
    }
}

fn row(test: Test) -> TestRow {
    let (verdict, reason) = match test.verdict {
        Verdict::Pass => ("pass", None),
        Verdict::Reject => ("reject", None),
        Verdict::NotApplicable(reason) => ("not applicable", Some(reason)),
    };
    (test.name, test.members, test.at, test.statistic, test.dof, test.p_value, verdict, reason)
}

fn power(power: Power) -> Vec<(&'static str, Option<f64>)> {
    let Power { sigma, mean, zero, sign, parity, correlation, magnitudes, place, wave, repeat, total_variation } =
        power;
    vec![
        ("sigma", sigma),
        ("mean", mean),
        ("zero", zero),
        ("sign", sign),
        ("parity", parity),
        ("correlation", correlation),
        ("magnitudes", magnitudes),
        ("place", place),
        ("wave", wave),
        ("repeat", repeat),
        ("total_variation", total_variation),
    ]
}
