//! A centre and a width for every sample.

use crate::status::{Failed, SAMPLEZ_ENTROPY, array, guard, place, samplez_status};
use crate::stream::{Generator, GeneratorError, samplez_stream, slice_of};
use samplez::{Rational, RefusedKind, RoundError, RoundMethod, Sigmas, Stream};

/// Draws a sample of exactly D_{Z,sigma,center}, with its own centre and width.
///
/// Both are exactly these doubles: sigma is from 1 to 2^26, and |center| < 2^62. Isochronous: the number of trials
/// may reveal sigma, and is independent of the sample and the centre. The time reveals whether sigma equals that of the
/// stream's last call, whose width is kept, so equal ones in succession are faster. Repeated calls draw the integers of
/// `samplez_round_each` with the same widths as an array.
///
/// # Safety
///
/// A live stream that no other thread uses; `out` has space for an integer, which is written only on success.
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
            RoundError::Refused(e) if e.argument() == "sigmas" => refused("sigma", sigma),
            RoundError::Refused(_) => refused("center", center),
        })?;
        // SAFETY: not null, aligned, and room for an integer by the function's condition.
        unsafe { out.write(sample[0]) };
        Ok(())
    })
}

/// Draws `count` samples of exactly D_{Z,sigma,center}, each with its own centre and width, one after the other. The
/// integers are the same as from Rust's `Stream::round_all`; with one sigma, `samplez round --method strips` prints them too.
///
/// `sigmas` has `sigma_count` doubles: `count`, or 1 for all samples. `centers` has `count` doubles. The limits of
/// `samplez_round` apply. For a value beyond a limit, the message has the value's index, and `out` becomes all zeros.
/// `samplez_sample_each` is faster; in general its integers are others.
///
/// # Safety
///
/// A live stream that no other thread uses; arrays of so many doubles; space for `count` values at `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_round_each(
    stream: *mut samplez_stream,
    sigmas: *const f64,
    sigma_count: usize,
    centers: *const f64,
    out: *mut i64,
    count: usize,
) -> samplez_status {
    let draw: Draw = |stream, sigmas, centers, out| stream.round_all(RoundMethod::Strips, sigmas, centers, out);
    // SAFETY: the same condition.
    unsafe { each(stream, (sigmas, sigma_count), centers, (out, count), draw) }
}

/// Draws `count` samples of exactly D_{Z,sigma,center}, each with its own centre and width, in batches: the integers of
/// Rust's `Stream::sample_each`. Arguments and errors are those of `samplez_round_each`.
///
/// # Safety
///
/// A live stream that no other thread uses; arrays of so many doubles; space for `count` values at `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_sample_each(
    stream: *mut samplez_stream,
    sigmas: *const f64,
    sigma_count: usize,
    centers: *const f64,
    out: *mut i64,
    count: usize,
) -> samplez_status {
    // SAFETY: the same condition.
    unsafe { each(stream, (sigmas, sigma_count), centers, (out, count), Stream::sample_each) }
}

/// Draws samples for these widths and centres.
type Draw = fn(&mut Stream<Generator>, Sigmas<'_>, &[f64], &mut [i64]) -> Result<(), RoundError<GeneratorError>>;

/// Draws by `draw` into an array.
///
/// # Safety
///
/// That of `samplez_round_each`.
unsafe fn each(
    stream: *mut samplez_stream,
    (sigmas, sigma_count): (*const f64, usize),
    centers: *const f64,
    (out, count): (*mut i64, usize),
    draw: Draw,
) -> samplez_status {
    guard(|| {
        let stream = place("stream", stream)?;
        if sigma_count != 1 && sigma_count != count {
            let message = format_args!("sigma_count = {sigma_count}: expected 1 or count, {count}");
            return Err(Failed::range(message));
        }
        // SAFETY: arrays of so many doubles by the function's condition.
        let (sigmas, centers) = unsafe { (array("sigmas", sigmas, sigma_count)?, array("centers", centers, count)?) };
        // SAFETY: room for `count` values by the function's condition.
        let out = unsafe { slice_of(out, count) }?;
        // SAFETY: a live stream of this thread by the function's condition.
        let stream = unsafe { &mut *stream };
        let bad_sigma = |at: usize| refused(&format!("sigmas[{at}]"), sigmas[at]);
        let drawn = match sigmas {
            [sigma] => {
                Rational::try_from(*sigma).map(Sigmas::One).map_err(|_| bad_sigma(0)).inspect_err(|_| out.fill(0))?
            }
            each => Sigmas::Each(each),
        };
        draw(&mut stream.0, drawn, centers, out).map_err(|error| match error {
            RoundError::Source(e) => Failed::new(SAMPLEZ_ENTROPY, e),
            RoundError::Refused(e) => match (e.argument(), e.place()) {
                ("centers", Some(at)) => refused(&format!("centers[{at}]"), centers[at]),
                (_, at) => bad_sigma(at.unwrap_or(0)),
            },
        })
    })
}

/// The refusal of a width or a centre, which shows the double in its shortest form.
fn refused(argument: &str, value: f64) -> Failed {
    let allowed = if argument.starts_with("sigma") { "from 1 to 2^26" } else { "between -2^62 and 2^62" };
    let shown = format!("{value:?}");
    let shown = shown.strip_suffix(".0").unwrap_or(&shown);
    let kind = if value.is_finite() { RefusedKind::OutOfRange } else { RefusedKind::NotANumber };
    Failed::of_kind(kind, format_args!("{argument} = {shown}: expected a number {allowed}"))
}
