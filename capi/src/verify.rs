//! Tests of integers against a distribution. The WebAssembly modules omit them.

use crate::law::samplez_law;
use crate::status::{Failed, array, behind, create, free, guard, place, samplez_status};
use samplez_stats::{Report, Verdict, Verifier};
use std::ffi::{CString, c_char};
use std::ptr;

/// The outcome of the tests of integers: immutable, and safe to use from many threads at once.
pub struct samplez_verification {
    report: Report,
    /// Of each test its name, its place and why it does not apply.
    words: Vec<[Option<CString>; 3]>,
}

/// A family of tests, judged as one, with the fields of `samplez verify --json`. Texts live as long as the outcome.
#[repr(C)]
pub struct samplez_test {
    /// The family's name, such as "chi-squared".
    pub name: *const c_char,
    /// The test with the least p-value; NULL if there is only one, or none applies.
    pub at: *const c_char,
    /// Why none of its tests applies; NULL otherwise.
    pub reason: *const c_char,
    /// 0 if it passes, 1 if it rejects, 2 if it does not apply. The integers are consistent with the distribution if no family rejects;
    /// about one in a million arrays of correct samples is rejected.
    pub verdict: i32,
    /// The number of its tests that apply.
    pub members: u64,
    /// The statistic of the test with the least p-value; NaN if none applies.
    pub statistic: f64,
    /// That test's degrees of freedom; NaN if it has none.
    pub dof: f64,
    /// That test's p-value times `members`, at most 1; NaN if none applies.
    pub p_value: f64,
}

/// Tests whether 100 or more integers are independent samples of a distribution, as `samplez verify` does. The WebAssembly modules
/// omit this function and the next four.
///
/// On success `*out` is a handle for `samplez_verification_free`; on failure it is NULL.
///
/// # Safety
///
/// `law` is a live handle; `count` integers at `integers`; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_verify(
    law: *const samplez_law,
    integers: *const i64,
    count: usize,
    out: *mut *mut samplez_verification,
) -> samplez_status {
    let make = || {
        // SAFETY: by the function's condition.
        let (law, integers) = unsafe { (behind("law", law)?, array("integers", integers, count)?) };
        let mut verifier = Verifier::new(law.target.clone()).map_err(Failed::refused)?;
        verifier.push(integers);
        let report = verifier.finish().map_err(|e| Failed::argument(format_args!("integers: {e}")))?;
        let text = |text: &str| CString::new(text).ok();
        let words = report.tests.iter().map(|test| {
            let reason = if let Verdict::NotApplicable(reason) = test.verdict { text(reason) } else { None };
            [text(&test.name), test.at.as_deref().and_then(text), reason]
        });
        Ok(samplez_verification { words: words.collect(), report })
    };
    // SAFETY: a place for a pointer by the function's condition.
    unsafe { create(out, make) }
}

/// Returns the number of families of tests; 0 for NULL.
///
/// # Safety
///
/// `verification` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_verification_tests(verification: *const samplez_verification) -> usize {
    // SAFETY: the same condition.
    unsafe { behind("verification", verification) }.map_or(0, |verification| verification.words.len())
}

/// Writes the family number `index`, from 0, to `out`.
///
/// # Safety
///
/// `verification` is a live handle, `out` points to a samplez_test.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_verification_test(
    verification: *const samplez_verification,
    index: usize,
    out: *mut samplez_test,
) -> samplez_status {
    guard(|| {
        // SAFETY: by the function's condition.
        let verification = unsafe { behind("verification", verification) }?;
        let out = place("out", out)?;
        let (tests, words) = (&verification.report.tests, &verification.words);
        let (Some(test), Some(words)) = (tests.get(index), words.get(index)) else {
            return Err(Failed::range(format_args!("index = {index}: expected a number below {}", tests.len())));
        };
        let [name, at, reason] = words.each_ref().map(|text| text.as_ref().map_or(ptr::null(), |text| text.as_ptr()));
        let written = samplez_test {
            name,
            at,
            reason,
            verdict: match test.verdict {
                Verdict::Pass => 0,
                Verdict::Reject => 1,
                Verdict::NotApplicable(_) => 2,
            },
            members: test.members,
            statistic: test.statistic.unwrap_or(f64::NAN),
            dof: test.dof.map_or(f64::NAN, |dof| dof as f64),
            p_value: test.p_value.unwrap_or(f64::NAN),
        };
        // SAFETY: not null, aligned, and a place for a test by the function's condition.
        unsafe { out.write(written) };
        Ok(())
    })
}

/// Returns the q modulo which rejected integers look like residues, by the first of them: a power of two, or the greatest integer plus 1,
/// which may be below q. 0 if there is none, and for NULL. To judge residues, subtract q from those above q/2.
///
/// # Safety
///
/// `verification` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_verification_modulus(verification: *const samplez_verification) -> u64 {
    // SAFETY: the same condition.
    let verification = unsafe { behind("verification", verification) };
    // Integers of 64 bits show at most 2^63.
    verification.ok().and_then(|verification| verification.report.modulus).and_then(|q| q.try_into().ok()).unwrap_or(0)
}

/// Frees an outcome. NULL is allowed.
///
/// # Safety
///
/// `verification` is NULL or a handle of `samplez_verify` that nothing uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_verification_free(verification: *mut samplez_verification) {
    // SAFETY: the same condition.
    unsafe { free(verification) }
}
