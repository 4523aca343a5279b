//! Whether a generator is stuck: [`Fault`].

use super::marks::alarm;
use super::splitmix::SplitMix64;
use bytemuck::{cast_slice, cast_slice_mut};
use core::fmt;
use zeroize::Zeroize;

/// Words of a request.
pub(super) const WORDS: usize = 128;

/// A fault that a [`BitReader`](super::BitReader) found in its generator.
///
/// Each of the first two alarms is false with probability below 2^-8000 for each 1024 bytes of a generator that
/// is sound.
///
/// ```
/// use samplez_core::bits::Fault;
/// assert_eq!(Fault::Constant(0).to_string(), "the generator is stuck: it gave 1024 bytes that are all 0x00");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// 1024 bytes that all have this value; from a sound generator with probability 2^-8184.
    Constant(u8),
    /// The same 1024 bytes twice, one after the other; from a sound generator with probability
    /// 2^-8192.
    Repeated,
    /// A sampler has [condemned](super::BitSource::condemn) these bits, because its arithmetic could not decide a sample of them.
    /// From a sound generator this has probability below 2^-300 for each sample.
    Undecided,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Constant(byte) => {
                write!(f, "the generator is stuck: it gave 1024 bytes that are all {byte:#04x}")
            }
            Fault::Repeated => f.write_str("the generator is stuck: it gave the same 1024 bytes again"),
            Fault::Undecided => f.write_str("a sample could not be decided from the generator's bits"),
        }
    }
}

impl core::error::Error for Fault {}

/// Looks at every request of a reader: at two words of it. It looks at the whole only if these are words of a generator
/// that is stuck. A sound one has such words with probability below 2^-63.
pub(super) struct Watch {
    /// The first and the last word of the last request.
    edge: [u64; 2],
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Sound,
    /// The last request had the edge of the one before. Its bytes are in the reader's buffer: the
    /// next is compared with them.
    Suspect,
    Faulty(Fault),
}

impl Watch {
    pub(super) const fn new() -> Self {
        Watch { edge: [0; 2], state: State::Sound }
    }

    pub(super) fn fault(&self) -> Option<Fault> {
        match self.state {
            State::Faulty(fault) => Some(fault),
            _ => None,
        }
    }

    /// From now on the generator is not asked any more.
    #[cold]
    pub(super) fn condemn(&mut self) {
        if self.fault().is_none() {
            self.state = State::Faulty(Fault::Undecided);
        }
    }

    /// Whether the next request must go through [`request`](Self::request).
    #[inline(always)]
    pub(super) fn is_alert(&self) -> bool {
        self.state != State::Sound
    }

    /// Whether the bytes that came, of which these are the first and the last word, must be
    /// [examined](Self::examine).
    #[inline(always)]
    pub(super) fn is_odd(&mut self, edge: [u64; 2]) -> bool {
        let differing = (edge[0] ^ self.edge[0]) | (edge[1] ^ self.edge[1]);
        self.edge = edge;
        alarm((differing == 0) | (edge[0] == edge[1]))
    }

    /// The whole of odd bytes, which are in the reader's buffer.
    #[cold]
    #[inline(never)]
    pub(super) fn examine(&mut self, buffer: &[u64; WORDS]) {
        let bytes: &[u8] = cast_slice(buffer);
        let constant = bytes.iter().all(|byte| *byte == bytes[0]);
        self.state = if constant { State::Faulty(Fault::Constant(bytes[0])) } else { State::Suspect };
    }

    /// Makes a request when alert, by `fill`, and looks at the result. If the generator is certainly stuck, it returns
    /// pseudorandom bits that end every loop.
    #[cold]
    #[inline(never)]
    pub(super) fn request(&mut self, buffer: &mut [u64; WORDS], fill: impl FnOnce(&mut [u8])) {
        if self.fault().is_some() {
            // The edge goes on as the mix's state: nothing else needs it any more.
            let mut mix = SplitMix64(self.edge[0]);
            mix.fill(cast_slice_mut(buffer));
            self.edge[0] = mix.0;
            return;
        }
        let mut before = *buffer;
        fill(cast_slice_mut(buffer));
        if before == *buffer {
            self.state = State::Faulty(Fault::Repeated);
        } else {
            self.state = State::Sound;
            if self.is_odd([buffer[0], buffer[WORDS - 1]]) {
                self.examine(buffer);
            }
        }
        before.zeroize();
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.edge.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_not_odd() {
        let mut watch = Watch::new();
        // The same difference in both words.
        assert!(!watch.is_odd([6, 5]) && !watch.is_odd([5, 6]));
        assert!(watch.is_odd([5, 6]) && watch.is_odd([7, 7]) && watch.is_odd([7, 7]) && !watch.is_odd([7, 8]));
    }

    #[test]
    fn the_first_fault_stays_and_says_what_it_is() {
        use std::string::ToString;
        let mut watch = Watch::new();
        watch.condemn();
        watch.condemn();
        assert_eq!((watch.fault(), watch.is_alert()), (Some(Fault::Undecided), true));
        let mut stuck = Watch::new();
        stuck.examine(&[0x0505_0505_0505_0505; WORDS]);
        stuck.condemn();
        assert_eq!(stuck.fault(), Some(Fault::Constant(5)));
        for (fault, words) in [(Fault::Constant(5), "0x05"), (Fault::Repeated, "again"), (Fault::Undecided, "decided")]
        {
            assert!(fault.to_string().contains(words), "{fault}");
        }
    }
}
