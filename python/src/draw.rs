//! Samples of any sampler, into arrays and one at a time.

use crate::ahead::{AHEAD, Lookahead};
use crate::errors::{invalid, refused};
use crate::fill::{self, narrow, of_bulk, with_integers};
use crate::seed::seed_of;
use crate::stream::Stream;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use samplez::{Bulk, NarrowType, Noise, Source, Stream as Bits};
use samplez_sources::Generator;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, TryLockError};
use zeroize::Zeroizing;

/// Samples between two looks at Ctrl-C and two calls of `progress`, for each thread.
const STEP: u64 = 1 << 20;

/// Refuses a dtype that is too narrow for the law; `argument` is what the user calls it.
pub(crate) fn check_dtype(noise: &dyn Noise, dtype: &str, argument: &str) -> PyResult<()> {
    let checked = match dtype {
        "int8" => NarrowType::check::<i8>(noise),
        "int16" => NarrowType::check::<i16>(noise),
        "int32" => NarrowType::check::<i32>(noise),
        _ => Ok(()),
    };
    checked.map_err(|e| narrow(argument, &e))
}

/// Samples `first`, `first + 1`, … of (source, seed) into `out`. From time to time it looks whether it is interrupted,
/// and calls `progress(done, total)`.
pub(crate) fn bulk(
    noise: &dyn Noise,
    py: Python<'_>,
    out: &Bound<'_, PyAny>,
    (source, seed, first): (&str, &[u8], u64),
    threads: NonZeroUsize,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let bulk = Bulk::new(noise, source.parse::<Source>().map_err(refused)?, seed_of(seed)?);
    with_integers!(out, slice => {
        let (total, step) = (slice.len() as u64, STEP * threads.get() as u64);
        let (mut next, mut raised) = (step.min(total), Ok(()));
        let go_on = |done: u64| {
            if done < next {
                return true;
            }
            next = if done < total { done.saturating_add(step).min(total) } else { u64::MAX };
            raised = Python::attach(|py| {
                py.check_signals()?;
                progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (done, total)).map(drop))
            });
            raised.is_ok()
        };
        let filled = py.detach(|| bulk.par_fill_while(first, slice, threads, go_on));
        raised.and_then(|()| filled.map_err(of_bulk))
    })
}

/// The stream's next samples into `out`.
pub(crate) fn of_stream(noise: &dyn Noise, py: Python<'_>, out: &Bound<'_, PyAny>, stream: &Stream) -> PyResult<()> {
    with_integers!(out, slice => py.detach(|| stream.lock().fill(noise, slice)).map_err(fill::of_stream))
}

/// Draws from bits of the operating system.
fn by<T>(ahead: &Mutex<Option<Lookahead>>, draw: impl FnOnce(&mut Option<Lookahead>) -> T) -> T {
    match ahead.try_lock() {
        Ok(mut ahead) => draw(&mut ahead),
        Err(TryLockError::Poisoned(poisoned)) => draw(&mut poisoned.into_inner()),
        // Another thread is at it, or was when this process was forked.
        Err(TryLockError::WouldBlock) => draw(&mut None),
    }
}

/// One sample, from bits of the operating system.
pub(crate) fn ahead(noise: &dyn Noise, ahead: &Mutex<Option<Lookahead>>) -> PyResult<i64> {
    by(ahead, |ahead| Lookahead::next(ahead, noise, 1, |samples| samples[0]))
}

/// A new array of `count` samples: the stream's next, or from bits of the operating system. The interpreter's lock is
/// held for a few only.
pub(crate) fn several<'py>(
    noise: &dyn Noise,
    py: Python<'py>,
    count: usize,
    stream: Option<&Stream>,
    ahead: &Mutex<Option<Lookahead>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    if stream.is_none() && count <= AHEAD {
        return by(ahead, |ahead| Lookahead::next(ahead, noise, count, |samples| PyArray1::from_slice(py, samples)));
    }
    let array = PyArray1::zeros(py, count, false);
    let mut exclusive = array.try_readwrite().map_err(invalid)?;
    let out = exclusive.as_slice_mut().map_err(invalid)?;
    match stream.map(|stream| (stream, stream.try_lock())) {
        None => py.detach(|| by(ahead, |ahead| Lookahead::fill(ahead, noise, out)))?,
        Some((_, Some(mut bits))) if count <= AHEAD => bits.fill(noise, out).map_err(fill::of_stream)?,
        Some((stream, held)) => {
            drop(held);
            py.detach(|| stream.lock().fill(noise, out)).map_err(fill::of_stream)?;
        }
    }
    drop(exclusive);
    Ok(array)
}

/// The stream's next sample.
pub(crate) fn one_of(noise: &dyn Noise, py: Python<'_>, stream: &Stream) -> PyResult<i64> {
    let mut sample = Zeroizing::new([0]);
    let mut fill = |mut bits: MutexGuard<'_, Bits<Generator>>| bits.fill(noise, &mut sample[..]);
    match stream.try_lock() {
        Some(bits) => fill(bits),
        None => py.detach(|| fill(stream.lock())),
    }
    .map_err(fill::of_stream)?;
    Ok(sample[0])
}
