//! A centre and a width for every sample.

use crate::status::{Failed, SAMPLEZ_ENTROPY, guard, null, place, samplez_status};
use crate::stream::{samplez_stream, slice_of};
use samplez::{Rational, RoundError, RoundMethod, Sigmas};
use std::fmt::Display;
use std::slice;

/// The doubles or integers behind a pointer; null is allowed for none.
///
/// # Safety
///
/// Null, or `count` of them that nothing writes to.
pub(crate) unsafe fn array<'a, T>(name: &str, values: *const T, count: usize) -> Result<&'a [T], Failed> {
    if count == 0 {
        return Ok(&[]);
    }
    if values.is_null() {
        return Err(null(name));
    }
    if !values.is_aligned() {
        return Err(Failed::argument(format_args!("{name}: must be aligned as its type is")));
    }
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(Failed::argument(format_args!("count = {count}: more than memory can hold")));
    }
    // SAFETY: not null, aligned, and `count` values by this function's own condition.
    Ok(unsafe { slice::from_raw_parts(values, count) })
}

/// A sample of D_{Z,sigma,center}, exactly, with a centre and a width of its own.
///
/// Both are the doubles themselves: sigma >= 1, and |center| < 2^62. The running time is independent of the sample and of
/// the centre, as far as SECURITY.md has it of `StripRounder`.
///
/// # Safety
///
/// A live stream that no other thread uses; `out` is room for an integer, which is written only on success.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_round(
    stream: *mut samplez_stream,
    sigma: f64,
    center: f64,
    out: *mut i64,
) -> samplez_status {
    guard(|| {
        let (stream, out) = (place("stream", stream)?, place("out", out)?);
        let mut sample = [0];
        // SAFETY: a live stream of this thread by the function's condition.
        let stream = unsafe { &mut *stream };
        let rounded = stream.0.round_all(RoundMethod::Strips, Sigmas::Each(&[sigma]), &[center], &mut sample);
        rounded.map_err(|error| match error {
            RoundError::Source(e) => Failed::new(SAMPLEZ_ENTROPY, e),
            refused => {
                Failed::argument(refused.to_string().replace("sigmas[0]", "sigma").replace("centers[0]", "center"))
            }
        })?;
        // SAFETY: not null, aligned, and room for an integer by the function's condition.
        unsafe { out.write(sample[0]) };
        Ok(())
    })
}

/// `count` samples of D_{Z,sigma,center}, exactly, each with a centre and a width of its own: several at once, and faster than
/// `samplez_round`.
///
/// `sigma_count` is `count`, or 1 for one sigma that all samples share. `sigmas` are so many doubles, and `centers` are `count`
/// doubles, within the limits of `samplez_round`. A value that is refused is named by its index, and `out` is all zeros then.
///
/// # Safety
///
/// A live stream that no other thread uses; arrays of so many doubles; room for `count` values at `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_round_each(
    stream: *mut samplez_stream,
    sigmas: *const f64,
    sigma_count: usize,
    centers: *const f64,
    out: *mut i64,
    count: usize,
) -> samplez_status {
    guard(|| {
        let stream = place("stream", stream)?;
        if sigma_count != 1 && sigma_count != count {
            let message = format_args!("sigma_count = {sigma_count}: must be 1 or count, {count}");
            return Err(Failed::argument(message));
        }
        // SAFETY: arrays of so many doubles by the function's condition.
        let (sigmas, centers) = unsafe { (array("sigmas", sigmas, sigma_count)?, array("centers", centers, count)?) };
        // SAFETY: room for `count` values by the function's condition.
        let out = unsafe { slice_of(out, count) }?;
        // SAFETY: a live stream of this thread by the function's condition.
        let stream = unsafe { &mut *stream };
        let sigmas = match sigmas {
            [sigma] => Sigmas::One(shared(*sigma)?),
            each => Sigmas::Each(each),
        };
        stream.0.sample_each(sigmas, centers, out).map_err(failed)
    })
}

fn shared(sigma: f64) -> Result<Rational, Failed> {
    let refused = |_| Failed::argument(format_args!("sigmas[0] = {sigma}: must be from 1 to 2^26"));
    Rational::try_from(sigma).map_err(refused)
}

fn failed<E: Display>(error: RoundError<E>) -> Failed {
    match error {
        RoundError::Source(e) => Failed::new(SAMPLEZ_ENTROPY, e),
        refused => Failed::argument(refused),
    }
}
