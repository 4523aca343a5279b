//! Tests of integers against a distribution.

use crate::errors::invalid;
use crate::target::TargetLaw;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use samplez_stats::{
    ALPHA, Candidate, Comparer as Pair, Identifier as Finder, MIN_SAMPLES, Power, Test, Verdict, Verifier as Judge,
    VerifyError,
};
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard};

/// Name, members, place, statistic, degrees of freedom, p-value, verdict, and the reason if the test does not apply.
pub(crate) type TestRow =
    (String, u64, Option<String>, Option<f64>, Option<u64>, Option<f64>, &'static str, Option<&'static str>);

/// The number of values, whether no test rejects, the tests, the power, the law that the values pass for, and the
/// modulus that rejected values show.
type Judged = (u64, bool, Vec<TestRow>, Vec<(&'static str, Option<f64>)>, Option<String>, Option<u128>);

/// Takes in integers, and judges them.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Verifier {
    judge: Mutex<Judge>,
}

#[pymethods]
impl Verifier {
    /// A verifier of this law that has seen nothing, and works on so many threads.
    #[new]
    fn new(law: &TargetLaw, threads: NonZeroUsize) -> PyResult<Self> {
        let judge = Judge::new(law.law().clone()).map_err(invalid)?;
        Ok(Verifier { judge: Mutex::new(judge.with_threads(threads)) })
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
        let alternative = report.alternative.map(|law| law.to_string());
        let tests = report.tests.into_iter().map(row).collect();
        Ok((report.n, report.consistent, tests, power(report.power), alternative, report.modulus))
    }

    /// The probability with which ideal samples are rejected, about.
    #[classattr]
    const ALPHA: f64 = ALPHA;

    /// The least number of values for a verdict.
    #[classattr]
    const LEAST: u64 = MIN_SAMPLES;
}

impl Verifier {
    fn lock(&self) -> MutexGuard<'_, Judge> {
        self.judge.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// Both numbers of values, whether no test rejects, the shared sequences and of how many, the tests, and the power.
type Compared = ([u64; 2], bool, Option<(u64, u64)>, Vec<TestRow>, Vec<(&'static str, Option<f64>)>);

/// Takes in two samples, and judges them against each other.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Comparer {
    pair: Mutex<Pair>,
}

#[pymethods]
impl Comparer {
    /// A comparer that has seen nothing, of samples that begin with these values.
    #[new]
    fn new(
        first: PyReadonlyArray1<'_, i64>,
        second: PyReadonlyArray1<'_, i64>,
        threads: NonZeroUsize,
    ) -> PyResult<Self> {
        let pair = Pair::new(first.as_slice().map_err(invalid)?, second.as_slice().map_err(invalid)?);
        Ok(Comparer { pair: Mutex::new(pair.with_threads(threads)) })
    }

    /// Takes in values of the first sample.
    fn push_first(&self, py: Python<'_>, samples: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let samples = samples.as_slice().map_err(invalid)?;
        py.detach(|| self.lock().push_first(samples));
        Ok(())
    }

    /// Takes in values of the second sample.
    fn push_second(&self, py: Python<'_>, samples: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let samples = samples.as_slice().map_err(invalid)?;
        py.detach(|| self.lock().push_second(samples));
        Ok(())
    }

    /// The verdict on the values so far.
    fn report(&self, py: Python<'_>) -> PyResult<Compared> {
        let judged: Result<_, VerifyError> = py.detach(|| self.lock().finish());
        let judged = judged.map_err(invalid)?;
        let tests = judged.tests.into_iter().map(row).collect();
        Ok((judged.n, judged.consistent, judged.shared, tests, power(judged.power)))
    }
}

impl Comparer {
    fn lock(&self) -> MutexGuard<'_, Pair> {
        self.pair.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// Name, value, interval, and simplest number of a parameter.
type Parameter = (&'static str, f64, Option<(f64, f64)>, String);

/// Name, verdict, reason, parameters, range, shift, whether it is a floor, and tests of a law.
type LawRow = (
    &'static str,
    &'static str,
    Option<&'static str>,
    Vec<Parameter>,
    Option<(i64, i64)>,
    i64,
    bool,
    Vec<&'static str>,
    Vec<TestRow>,
);

/// The number of values, their range, mean and deviation, the modulus and whether it was seen, whether a law passes, the laws, the tests
/// of the order, and the separation.
type Found = (u64, (i64, i64), f64, f64, Option<u128>, bool, bool, Vec<LawRow>, Vec<TestRow>, Option<f64>);

/// Takes in integers, and finds their law.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Identifier {
    finder: Mutex<Finder>,
}

#[pymethods]
impl Identifier {
    /// An identifier that has seen nothing, of residues if there is a modulus.
    #[new]
    fn new(modulus: Option<u128>, threads: NonZeroUsize) -> Self {
        let finder = Finder::new().with_threads(threads);
        let finder = match modulus {
            Some(q) => finder.with_modulus(q),
            None => finder,
        };
        Identifier { finder: Mutex::new(finder) }
    }

    /// Takes in values that follow those already taken in.
    fn push(&self, py: Python<'_>, samples: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let samples = samples.as_slice().map_err(invalid)?;
        py.detach(|| self.lock().push(samples));
        Ok(())
    }

    /// The laws of the values so far.
    fn report(&self, py: Python<'_>) -> PyResult<Found> {
        let found: Result<_, VerifyError> = py.detach(|| self.lock().finish());
        let found = found.map_err(invalid)?;
        let laws = found.laws.into_iter().map(law_row).collect();
        let order = found.order.into_iter().map(row).collect();
        let (q, is_seen) = (found.modulus, found.is_modulus_seen);
        Ok((
            found.n,
            found.range,
            found.mean,
            found.deviation,
            q,
            is_seen,
            found.consistent,
            laws,
            order,
            found.separation,
        ))
    }
}

impl Identifier {
    fn lock(&self) -> MutexGuard<'_, Finder> {
        self.finder.lock().unwrap_or_else(|e| e.into_inner())
    }
}

fn law_row(law: Candidate) -> LawRow {
    let parameters = law.parameters.into_iter().map(|of| (of.name, of.value, of.interval, of.simplest)).collect();
    let (verdict, reason) = told(law.verdict);
    let tests = law.tests.into_iter().map(row).collect();
    (law.name, verdict, reason, parameters, law.range, law.shift, law.is_floor, law.known, tests)
}

fn told(verdict: Verdict) -> (&'static str, Option<&'static str>) {
    match verdict {
        Verdict::Pass => ("pass", None),
        Verdict::Reject => ("reject", None),
        Verdict::NotApplicable(reason) => ("not applicable", Some(reason)),
    }
}

pub(crate) fn row(test: Test) -> TestRow {
    let (verdict, reason) = told(test.verdict);
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
