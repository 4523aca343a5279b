//! Tests of integers against a distribution. WebAssembly modules include them with the feature `verify`.

use crate::law::law_of;
use crate::status::{Failed, array, create, free, samplez_status, text};
use samplez_stats::{Report, Verdict, Verifier, VerifyError};
use std::ffi::{CString, c_char};
use std::ptr;

/// The outcome of the tests of integers.
#[repr(C)]
pub struct samplez_verification {
    /// The families of tests.
    pub tests: *const samplez_test,
    /// How many families there are.
    pub count: usize,
    /// How many of them reject. The integers are consistent with the distribution if none does; about one in a million arrays of correct
    /// samples is rejected.
    pub rejected: usize,
    /// The q modulo which rejected integers look like residues, by the first of them: a power of two, or the greatest integer plus 1, which may
    /// be below q; 0 if there is none. To judge residues, subtract q from those above q/2.
    pub modulus: u64,
}

/// A family of tests, judged as one, with fields of `samplez verify --json`. Its texts live as long as the outcome.
#[repr(C)]
pub struct samplez_test {
    /// The family's name, such as "chi-squared".
    pub name: *const c_char,
    /// The test with the least p-value, NULL if there is only one; or why none of its tests applies.
    pub detail: *const c_char,
    /// 0 if it passes, 1 if it rejects, 2 if it does not apply.
    pub verdict: i32,
    /// The statistic of the test with the least p-value; NaN if none applies.
    pub statistic: f64,
    /// That test's degrees of freedom; NaN if it has none.
    pub dof: f64,
    /// That test's p-value times the number of the family's tests that apply, at most 1; NaN if none does.
    pub p_value: f64,
}

/// An outcome and what it points to.
#[repr(C)]
struct Owned {
    outcome: samplez_verification,
    _kept: (Vec<samplez_test>, Vec<CString>),
}

impl Owned {
    fn new(report: Report) -> Self {
        let mut texts = Vec::new();
        let mut kept = |text: Option<&str>| {
            let text = text.and_then(|text| CString::new(text).ok());
            // The heap's bytes stay in place when the CString moves.
            text.map_or(ptr::null(), |text| {
                texts.push(text);
                texts[texts.len() - 1].as_ptr()
            })
        };
        let tests: Vec<_> = report
            .tests
            .iter()
            .map(|test| {
                let (verdict, detail) = match test.verdict {
                    Verdict::Pass => (0, test.at.as_deref()),
                    Verdict::Reject => (1, test.at.as_deref()),
                    Verdict::NotApplicable(reason) => (2, Some(reason)),
                };
                samplez_test {
                    name: kept(Some(&test.name)),
                    detail: kept(detail),
                    verdict,
                    statistic: test.statistic.unwrap_or(f64::NAN),
                    dof: test.dof.map_or(f64::NAN, |dof| dof as f64),
                    p_value: test.p_value.unwrap_or(f64::NAN),
                }
            })
            .collect();
        let outcome = samplez_verification {
            tests: tests.as_ptr(),
            count: tests.len(),
            rejected: tests.iter().filter(|test| test.verdict == 1).count(),
            // Integers of 64 bits show at most 2^63.
            modulus: report.modulus.and_then(|q| q.try_into().ok()).unwrap_or(0),
        };
        Owned { outcome, _kept: (tests, texts) }
    }
}

/// Tests whether 100 or more integers are independent samples of a distribution, as `samplez verify` does. `law` is a text of
/// `samplez_law_values`. Go's WebAssembly module omits this function and the next.
///
/// On success `*out` is an outcome for `samplez_verification_free`; on failure it is NULL.
///
/// # Safety
///
/// `law` ends with a zero byte; `count` integers at `integers`; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_verify(
    law: *const c_char,
    integers: *const i64,
    count: usize,
    out: *mut *mut samplez_verification,
) -> samplez_status {
    let make = || {
        // SAFETY: by the function's condition.
        let (law, integers) = unsafe { (text("law", law)?, array("integers", integers, count)?) };
        let mut verifier = Verifier::new(law_of(law)?).map_err(Failed::refused)?;
        verifier.push(integers);
        let report = verifier.finish().map_err(|e| match e {
            VerifyError::TooFew { .. } => Failed::range(format_args!("integers: {e}")),
            e => Failed::argument(format_args!("integers: {e}")),
        })?;
        Ok(Owned::new(report))
    };
    // SAFETY: a place for a pointer by the function's condition. The outcome is the first field, so it has the address of all.
    unsafe { create(out.cast::<*mut Owned>(), make) }
}

/// Frees an outcome. NULL is allowed.
///
/// # Safety
///
/// `verification` is NULL or an outcome of `samplez_verify` that nothing uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_verification_free(verification: *mut samplez_verification) {
    // SAFETY: the same condition, and the outcome is the first field of what `samplez_verify` made.
    unsafe { free(verification.cast::<Owned>()) }
}
