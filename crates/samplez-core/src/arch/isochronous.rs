//! Rejection by strips: one word is a trial, which chooses a strip, a place in it, and whether that is accepted.
//!
//! The leading 16 bits of a word are inverted by a table of weights. The distance of the word from its strip's lower
//! end is the uniform number that is compared with the height of the law there.

#[cfg(target_arch = "x86_64")]
mod call_lanes;
mod calls;
#[cfg(any(
    target_arch = "x86_64",
    samplez_backend = "simd128",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
))]
mod lanes;
mod look;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
#[cfg(samplez_backend = "simd128")]
mod simd128;
mod trial;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use calls::{Call, CallTrials, Compaction, ROUND, Round, Search};
pub(crate) use look::{Accepted, Look, Looks, OPEN_CELLS, ROW, Slots};
pub(crate) use trial::{BLOCK, Envelope, KEYS, MAX_SHIFT, Strips, Trial, Trials};

use super::{Backend, Kernel};
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use neon as machine;
#[cfg(samplez_backend = "simd128")]
use simd128 as machine;
#[cfg(target_arch = "x86_64")]
use x86_64 as machine;

impl Trials<'_> {
    /// Fills `values`, `below` and `close`, by the fastest way that the backend has.
    #[inline]
    pub(crate) fn run(self, backend: Backend) {
        #[cfg(any(
            target_arch = "x86_64",
            samplez_backend = "simd128",
            all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
        ))]
        if machine::has(backend) {
            return machine::run(self, backend);
        }
        backend.run(OneByOne(self));
    }
}

/// [`Trials`] by its definition: this is the specification.
struct OneByOne<'a>(Trials<'a>);

impl Kernel for OneByOne<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let OneByOne(Trials { strips, words, lows, values, below, close }) = self;
        let strips = *strips;
        let masks = below.iter_mut().zip(close);
        for (b, ((words, values), (below, close))) in words.iter().zip(values).zip(masks).enumerate() {
            let lows = lows.get(b).unwrap_or(words);
            let (mut is_below, mut is_close) = ([0_u32; BLOCK], [0_u32; BLOCK]);
            for i in 0..BLOCK {
                let trial = strips.trial(words[i], lows[i]);
                values[i] = trial.value;
                let (below, close) = trial.verdict();
                (is_below[i], is_close[i]) = (u32::from(below & !close), close.into());
            }
            let mask = |bits: [u32; BLOCK]| bits.iter().rev().fold(0, |mask, bit| mask << 1 | bit);
            (*below, *close) = (mask(is_below), mask(is_close));
        }
    }
}

impl CallTrials<'_> {
    /// Fills `values`, `below` and `close`, by the fastest way that the backend has.
    #[inline]
    pub(crate) fn run(self, backend: Backend) {
        #[cfg(target_arch = "x86_64")]
        if machine::has(backend) {
            return machine::run_calls(self, backend);
        }
        backend.run(CallsOneByOne(self));
    }
}

/// [`CallTrials`] by their definition: this is the specification.
struct CallsOneByOne<'a>(CallTrials<'a>);

impl Kernel for CallsOneByOne<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.one_by_one();
    }
}

impl Round<'_> {
    /// Fills in the values of all trials, if the backend has registers for them. On other backends one trial after the other
    /// is faster. Returns two masks: the first trial that is accepted or close, or none, and the same trial if it is close.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "one way, in portable code"))]
    pub(crate) fn run(self, backend: Backend, values: &mut [u64; ROUND]) -> Option<(u32, u32)> {
        #[cfg(target_arch = "x86_64")]
        return machine::first(self, backend, values);
        #[cfg(not(target_arch = "x86_64"))]
        None
    }
}

impl Compaction<'_> {
    /// Moves them; how many there are.
    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "one way, in portable code"))]
    pub(crate) fn run(self, backend: Backend) -> usize {
        #[cfg(target_arch = "x86_64")]
        if machine::has(backend) {
            return machine::kept(self, backend);
        }
        self.one_by_one()
    }
}
