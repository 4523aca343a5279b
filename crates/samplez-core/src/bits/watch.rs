//! Whether a generator is stuck: [`Fault`].

use super::marks::alarm;
use super::splitmix::SplitMix64;
use bytemuck::cast_slice_mut;
use core::fmt;
use zeroize::Zeroize;

/// Words of a request.
pub(super) const WORDS: usize = 128;

/// A fault that a [`BitReader`](super::BitReader) found in its generator.
///
/// Each alarm is false with probability below 2^-120 for each 1024 bytes of a generator that is sound.
///
/// ```
/// use samplez_core::bits::Fault;
/// assert_eq!(Fault::Constant(0).to_string(), "the generator is stuck: it gave 1024 bytes, of which the last are all 0x00");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Of 1024 bytes the last 32 all have this value; from a sound generator with probability 2^-248.
    Constant(u8),
    /// 1024 bytes whose last 16 are those of an earlier request, or whose last 32 are the same 8 again and again. From a sound generator
    /// this has probability below 2^-126.
    Repeated,
    /// A sampler has [condemned](super::BitSource::condemn) these bits, because its arithmetic could not decide a sample of them.
    /// From a sound generator this has probability below 2^-300 for each sample.
    Undecided,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Constant(byte) => {
                write!(f, "the generator is stuck: it gave 1024 bytes, of which the last are all {byte:#04x}")
            }
            Fault::Repeated => f.write_str("the generator is stuck: it gave the same bytes again"),
            Fault::Undecided => f.write_str("a sample could not be decided from the generator's bits"),
        }
    }
}

impl core::error::Error for Fault {}

/// Looks at the last words of every request of a reader.
pub(super) struct Watch {
    /// The last two words of the last request.
    end: [u64; 2],
    /// Those of the request whose number is the last power of two: a generator of any period comes to them again (Brent's search).
    mark: [u64; 2],
    /// How many requests there were.
    requests: u64,
    fault: Option<Fault>,
    /// Whether somebody asks for the fault. If nobody does, a fault panics.
    is_latching: bool,
}

impl Watch {
    pub(super) const fn new(is_latching: bool) -> Self {
        Watch { end: [0; 2], mark: [0; 2], requests: 0, fault: None, is_latching }
    }

    pub(super) const fn is_latching(&self) -> bool {
        self.is_latching
    }

    pub(super) fn latch(&mut self) {
        self.is_latching = true;
    }

    pub(super) const fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// From now on the generator is not asked any more.
    #[cold]
    pub(super) fn condemn(&mut self) {
        self.accuse(Fault::Undecided);
    }

    /// The first fault counts.
    #[cold]
    #[inline(never)]
    fn accuse(&mut self, fault: Fault) {
        assert!(self.is_latching, "{fault}");
        self.fault.get_or_insert(fault);
    }

    /// Looks at the words of a request.
    #[inline(always)]
    pub(super) fn look(&mut self, words: &[u64; WORDS]) {
        let end = [words[WORDS - 2], words[WORDS - 1]];
        let differing = |other: [u64; 2]| (end[0] ^ other[0]) | (end[1] ^ other[1]);
        let is_again = self.requests > 0 && alarm((differing(self.end) == 0) | (differing(self.mark) == 0));
        let is_even = alarm(end[0] == end[1]);
        self.requests += 1;
        self.end = end;
        if self.requests.is_power_of_two() {
            self.mark = end;
        }
        if is_again | is_even {
            self.examine(words, is_again);
        }
    }

    #[cold]
    #[inline(never)]
    fn examine(&mut self, words: &[u64; WORDS], is_again: bool) {
        let last = words[WORDS - 1];
        let byte = last as u8;
        let is_even = words[WORDS - 4..].iter().all(|word| *word == last);
        if is_even && last == u64::from_ne_bytes([byte; 8]) {
            self.accuse(Fault::Constant(byte));
        } else if is_even || is_again {
            self.accuse(Fault::Repeated);
        }
    }

    /// Pseudorandom bits after a fault, which end every loop.
    #[cold]
    #[inline(never)]
    pub(super) fn mix(&mut self, words: &mut [u64; WORDS]) {
        // The end goes on as the mix's state: nothing else needs it any more.
        let mut mix = SplitMix64(self.end[0]);
        mix.fill(cast_slice_mut(words));
        self.end[0] = mix.0;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end.zeroize();
        self.mark.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(end: [u64; 4]) -> [u64; WORDS] {
        let mut words = core::array::from_fn(|i| i as u64);
        words[WORDS - 4..].copy_from_slice(&end);
        words
    }

    /// The fault after requests that end like these.
    fn after(ends: &[[u64; 4]]) -> Option<Fault> {
        let mut watch = Watch::new(true);
        ends.iter().for_each(|end| watch.look(&request(*end)));
        watch.fault()
    }

    #[test]
    fn what_differs_is_no_fault() {
        // The same difference in both words; either word alone; fewer than four words alike.
        assert_eq!(after(&[[1, 2, 6, 5], [1, 2, 5, 6], [1, 2, 5, 5], [1, 7, 7, 7], [1, 2, 6, 7], [1, 2, 8, 7]]), None);
        assert_eq!(after(&[[1, 2, 0, 0]]), None, "nothing came before the first request");
        assert_eq!(after(&[[0; 4]]), Some(Fault::Constant(0)));
        assert_eq!(after(&[[0x0101_0101_0101_0102; 4]]), Some(Fault::Repeated));
        assert_eq!(after(&[[1, 2, 3, 4], [5, 6, 3, 4]]), Some(Fault::Repeated));
    }

    /// Whatever the period, and whenever it begins: at the latest when it came three times behind as many requests again.
    #[test]
    fn every_period_is_found() {
        for period in 1..=40_u64 {
            for start in [0, 1, 5, 100] {
                let mut watch = Watch::new(true);
                let end = |i: u64| if i < start { [1, 2, 3, 1000 + i] } else { [1, 2, 3, 10_000 + i % period] };
                let found = (0..).find(|i| {
                    watch.look(&request(end(*i)));
                    watch.fault().is_some()
                });
                let found = found.unwrap();
                assert!((start + period..=3 * period.max(start) + 3).contains(&found), "{period}, {start}: {found}");
            }
        }
    }

    #[test]
    #[should_panic = "stuck: it gave 1024 bytes, of which the last are all 0x05"]
    fn a_fault_that_nobody_asks_for_panics() {
        Watch::new(false).look(&[0x0505_0505_0505_0505; WORDS]);
    }

    #[test]
    fn the_first_fault_stays_and_says_what_it_is() {
        use std::string::ToString;
        let mut watch = Watch::new(true);
        watch.condemn();
        watch.condemn();
        assert_eq!(watch.fault(), Some(Fault::Undecided));
        let mut stuck = Watch::new(true);
        stuck.look(&[0x0505_0505_0505_0505; WORDS]);
        stuck.condemn();
        assert_eq!(stuck.fault(), Some(Fault::Constant(5)));
        for (fault, words) in [(Fault::Constant(5), "0x05"), (Fault::Repeated, "again"), (Fault::Undecided, "decided")]
        {
            assert!(fault.to_string().contains(words), "{fault}");
        }
    }
}
