//! The bits that samplers draw from: [`BitSource`], and the mark [`CryptoBits`].

/// A stream of independent fair bits.
///
/// # Example
///
/// ```
/// use samplez_core::bits::{BitReader, BitSource};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// // The first bytes of the keystream are 76 b8 e0 ad (RFC 8439, A.1): bits come LSB first.
/// assert_eq!(bits.bits(8), 0x76);
/// assert_eq!(bits.bits(4), 0x8);
/// ```
pub trait BitSource {
    /// Returns the next `n` bits, 1 <= n <= 64. The first bit of the stream is the least significant.
    fn bits(&mut self, n: u32) -> u64;

    /// Fills `out` with the results of `out.len()` calls of [`bits(64)`](Self::bits).
    fn words(&mut self, out: &mut [u64]) {
        for word in out {
            *word = self.bits(64);
        }
    }

    /// Returns the next bit.
    ///
    /// ```
    /// use samplez_core::bits::{BitReader, BitSource};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert!(!bits.bit() && bits.bit()); // 0x76 = …0110
    /// ```
    #[inline(always)]
    fn bit(&mut self) -> bool {
        self.bits(1) != 0
    }

    /// Declares `outcome` as public, and returns it. A sampler that claims [`Timing::Isochronous`] calls this for
    /// whether a trial was accepted, and branches on nothing else. A source for tests, whose bits are marked as
    /// secret, removes the mark.
    ///
    /// ```
    /// use samplez_core::bits::{BitReader, BitSource};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert_eq!(bits.declassify(1), 1);
    /// ```
    ///
    /// [`Timing::Isochronous`]: crate::profile::Timing::Isochronous
    #[inline(always)]
    #[cfg_attr(feature = "testing", track_caller)]
    fn declassify(&mut self, outcome: u32) -> u32 {
        outcome
    }

    /// Reports that a sample could not be decided from these bits, as if the source had failed. An exact method calls this when its
    /// arithmetic ends first, with probability below 2^-300 for each sample. A [`BitReader`](super::BitReader) then panics, or its
    /// [`Latched`](super::Latched) returns [`Fault::Undecided`](super::Fault::Undecided). Other sources may ignore the call.
    ///
    /// ```
    /// use samplez_core::bits::{BitSource, Failure, Fault, Latched};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut rng = Latched::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert_eq!(rng.draw(|bits| bits.condemn()), Err(Failure::Stuck(Fault::Undecided)));
    /// ```
    fn condemn(&mut self) {}
}

impl<B: BitSource + ?Sized> BitSource for &mut B {
    #[inline(always)]
    fn bits(&mut self, n: u32) -> u64 {
        (**self).bits(n)
    }
    #[inline]
    fn words(&mut self, out: &mut [u64]) {
        (**self).words(out);
    }
    #[inline(always)]
    fn declassify(&mut self, outcome: u32) -> u32 {
        (**self).declassify(outcome)
    }
    fn condemn(&mut self) {
        (**self).condemn();
    }
}

/// A mark for bits from a cryptographic generator, which schemes require. A reader has it if its generator is a
/// [`CryptoRng`](rand_core::CryptoRng).
///
/// ```
/// use samplez_core::bits::{BitReader, CryptoBits};
/// use samplez_sources::{ChaCha20, Seed};
/// fn keygen(bits: &mut impl CryptoBits) -> u64 { bits.bits(64) }
/// keygen(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))));
/// ```
pub trait CryptoBits: BitSource {}

impl<B: CryptoBits + ?Sized> CryptoBits for &mut B {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that has no more than it must: the words 1, 2, ….
    struct Plain(u64);

    impl BitSource for Plain {
        fn bits(&mut self, _: u32) -> u64 {
            self.0 += 1;
            self.0
        }
    }

    #[test]
    fn what_a_source_need_not_have() {
        let (mut words, mut plain) = ([0; 3], Plain(0));
        plain.words(&mut words);
        assert_eq!((words, plain.declassify(7), plain.bit()), ([1, 2, 3], 7, true));
    }

    /// What a source was told, and by which of its functions it was asked.
    #[derive(Default)]
    struct Told {
        asked: [u32; 2],
        outcome: u32,
        condemned: bool,
    }

    impl BitSource for Told {
        fn bits(&mut self, n: u32) -> u64 {
            self.asked[0] += n;
            5
        }
        fn words(&mut self, out: &mut [u64]) {
            self.asked[1] += out.len() as u32;
            out.fill(6);
        }
        fn declassify(&mut self, outcome: u32) -> u32 {
            self.outcome = outcome;
            outcome + 1
        }
        fn condemn(&mut self) {
            self.condemned = true;
        }
    }

    #[test]
    fn a_borrowed_source_is_the_source() {
        fn ask(mut bits: impl BitSource) -> (u64, [u64; 2], u32) {
            let mut words = [0; 2];
            bits.words(&mut words);
            bits.condemn();
            (bits.bits(9), words, bits.declassify(3))
        }
        let mut told = Told::default();
        assert_eq!(ask(&mut told), (5, [6, 6], 4));
        assert_eq!((told.asked, told.outcome, told.condemned), ([9, 2], 3, true));
    }
}
