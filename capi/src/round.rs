//! Rounding to integers: a sample around each of many centres.

use crate::status::{Failed, SAMPLEZ_ENTROPY, guard, null, samplez_status, text};
use crate::stream::{samplez_stream, slice_of};
use samplez::{Rational, RoundError, RoundMethod, Sigmas};
use std::ffi::c_char;
use std::slice;

/// # Safety
///
/// `stream` is null or a live handle; room for `count` values at `centers` and `out` unless they are null.
unsafe fn round(
    stream: *mut samplez_stream,
    method: RoundMethod,
    sigmas: Sigmas<'_>,
    centers: *const f64,
    out: *mut i64,
    count: usize,
) -> Result<(), Failed> {
    // SAFETY: by this function's own condition.
    let (stream, centers, out) = unsafe {
        (stream.as_mut().ok_or_else(|| null("stream"))?, floats("centers", centers, count)?, slice_of(out, count)?)
    };
    stream.bits().round_all(method, sigmas, centers, out).map_err(|e| match e {
        RoundError::Refused(e) => Failed::argument(e),
        RoundError::Source(e) => Failed::new(SAMPLEZ_ENTROPY, e),
    })
}

/// The doubles behind a pointer.
///
/// # Safety
///
/// Null, or `count` doubles.
unsafe fn floats<'a>(argument: &str, pointer: *const f64, count: usize) -> Result<&'a [f64], Failed> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(null(argument));
    }
    if !pointer.is_aligned() {
        return Err(Failed::argument(format_args!("{argument}: its address must be a multiple of 8")));
    }
    // SAFETY: not null, aligned, and `count` doubles by this function's own condition.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}

/// Writes a sample of D_{Z,sigma,c} for each of `count` centers c, the exact values of the doubles.
///
/// `method` is "karney" (exact; `sigma` and the center must be fractions small enough), "isochronous" or "strips" (within 2^-51
/// and 2^-53 of the law, sigma from 1 to 2^26, in a time that tells nothing of the integers). `sigma` is a text, "3.2" or
/// "16/5", and taken exactly. The same method, sigma and stream give the same integers in every language, and as
/// `samplez round`. What is refused is named with its place, centers[3]; `out` is then all zeros.
///
/// # Safety
///
/// `stream` is a live handle; `method` and `sigma` end with a zero byte; `count` doubles at `centers`, room for `count` values at
/// `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_round(
    stream: *mut samplez_stream,
    method: *const c_char,
    sigma: *const c_char,
    centers: *const f64,
    out: *mut i64,
    count: usize,
) -> samplez_status {
    guard(|| {
        // SAFETY: texts by the function's condition.
        let (method, sigma) = unsafe { (text("method", method)?, text("sigma", sigma)?) };
        let method = method.parse().map_err(Failed::argument)?;
        let sigma: Rational = sigma.parse().map_err(|e| Failed::argument(format_args!("sigma = {sigma}: {e}")))?;
        // SAFETY: the same conditions.
        unsafe { round(stream, method, Sigmas::One(sigma), centers, out, count) }
    })
}

/// The same with a sigma for each center, the exact values of the doubles; not by "strips".
///
/// # Safety
///
/// `stream` is a live handle; `method` ends with a zero byte; `count` doubles at `sigmas` and at `centers`, room for `count` values
/// at `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_round_each(
    stream: *mut samplez_stream,
    method: *const c_char,
    sigmas: *const f64,
    centers: *const f64,
    out: *mut i64,
    count: usize,
) -> samplez_status {
    guard(|| {
        // SAFETY: by the function's condition.
        let (method, sigmas) = unsafe { (text("method", method)?, floats("sigmas", sigmas, count)?) };
        let method = method.parse().map_err(Failed::argument)?;
        // SAFETY: the same conditions.
        unsafe { round(stream, method, Sigmas::Each(sigmas), centers, out, count) }
    })
}
