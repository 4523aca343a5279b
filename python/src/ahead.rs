//! Samples made ahead, for calls that want few and name no generator.

use crate::fill::of_stream;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use samplez::{Noise, Seed, Source, Stream};
use samplez_sources::Generator;
use zeroize::{Zeroize, Zeroizing};

/// Samples made at a time: seeding and filling by one are far dearer than by many.
pub(crate) const AHEAD: usize = 256;

/// The next samples under a seed of the operating system. Each is erased when it is handed out, the rest when this goes.
pub(crate) struct Lookahead {
    /// The process that made them: one that was forked from it would hand out the same.
    process: u32,
    stream: Stream<Generator>,
    samples: Zeroizing<[i64; AHEAD]>,
    next: usize,
}

impl Lookahead {
    fn new() -> PyResult<Self> {
        let failed = |e: samplez::EntropyError| PyOSError::new_err(e.to_string());
        let seed = Seed::from_os().map_err(failed)?;
        let stream = Stream::new(Source::ChaCha20.open(&seed).map_err(failed)?);
        Ok(Lookahead { process: std::process::id(), stream, samples: Zeroizing::new([0; AHEAD]), next: AHEAD })
    }

    /// This process's buffer, made anew if there is none.
    fn of_process(place: &mut Option<Self>) -> PyResult<&mut Self> {
        if place.as_ref().is_none_or(|ahead| ahead.process != std::process::id()) {
            *place = None;
        }
        match place {
            Some(ahead) => Ok(ahead),
            None => Ok(place.insert(Lookahead::new()?)),
        }
    }

    /// Passes the next `count` samples to `take`, at most [`AHEAD`], and erases them.
    pub(crate) fn next<T>(
        place: &mut Option<Self>,
        noise: &dyn Noise,
        count: usize,
        take: impl FnOnce(&[i64]) -> T,
    ) -> PyResult<T> {
        let ahead = Self::of_process(place)?;
        if AHEAD - ahead.next < count {
            ahead.samples.copy_within(ahead.next.., 0);
            let kept = AHEAD - ahead.next;
            ahead.next = AHEAD; // until the fill succeeds, there are none
            ahead.stream.fill(noise, &mut ahead.samples[kept..]).map_err(of_stream)?;
            ahead.next = 0;
        }
        let samples = &mut ahead.samples[ahead.next..][..count];
        let taken = take(samples);
        samples.zeroize();
        ahead.next += count;
        Ok(taken)
    }

    /// Fills `out` with samples of the same stream.
    pub(crate) fn fill(place: &mut Option<Self>, noise: &dyn Noise, out: &mut [i64]) -> PyResult<()> {
        Self::of_process(place)?.stream.fill(noise, out).map_err(of_stream)
    }
}
