//! Samples made ahead, for calls that want one and name no generator.

use crate::fill::of_stream;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use samplez::{Noise, Seed, Source, Stream};
use samplez_sources::Generator;
use zeroize::{Zeroize, Zeroizing};

/// Samples made at a time: seeding and filling by one are far dearer than by many.
const AHEAD: usize = 128;

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

    /// The next sample; what there is not yet, or is another process's, is made anew.
    pub(crate) fn next(place: &mut Option<Self>, noise: &dyn Noise) -> PyResult<i64> {
        let ahead = match place {
            Some(ahead) if ahead.process == std::process::id() => ahead,
            _ => place.insert(Lookahead::new()?),
        };
        if ahead.next >= AHEAD {
            ahead.stream.fill(noise, &mut ahead.samples[..]).map_err(of_stream)?;
            ahead.next = 0;
        }
        let slot = &mut ahead.samples[ahead.next];
        let sample = *slot;
        slot.zeroize();
        ahead.next += 1;
        Ok(sample)
    }
}
