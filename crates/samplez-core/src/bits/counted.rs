//! A source that counts: [`Counted`].

use super::source::{BitSource, CryptoBits};

/// A bit source that counts the bits drawn from another one.
///
/// ```
/// use samplez_core::{bits::{BitReader, BitSource}, testing::Counted};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = Counted::new(BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))));
/// bits.bits(13);
/// bits.words(&mut [0; 2]);
/// assert_eq!(bits.count(), 141);
/// ```
#[derive(Debug)]
pub struct Counted<B> {
    inner: B,
    count: u64,
}

impl<B> Counted<B> {
    /// Wraps a source, and counts from zero.
    ///
    /// ```
    /// # use samplez_core::{bits::BitReader, testing::Counted};
    /// # use samplez_sources::{ChaCha20, Seed};
    /// # let inner = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert_eq!(Counted::new(inner).count(), 0);
    /// ```
    pub const fn new(inner: B) -> Self {
        Counted { inner, count: 0 }
    }

    /// Returns the number of bits drawn so far.
    pub const fn count(&self) -> u64 {
        self.count
    }
}

impl<B: BitSource> BitSource for Counted<B> {
    #[inline(always)]
    fn bits(&mut self, n: u32) -> u64 {
        self.count += u64::from(n);
        self.inner.bits(n)
    }
    #[inline]
    fn words(&mut self, out: &mut [u64]) {
        self.count += 64 * out.len() as u64;
        self.inner.words(out);
    }
    #[inline(always)]
    fn declassify(&mut self, outcome: u32) -> u32 {
        self.inner.declassify(outcome)
    }
    fn condemn(&mut self) {
        self.inner.condemn();
    }
}

impl<B: CryptoBits> CryptoBits for Counted<B> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps what it is told.
    #[derive(Default)]
    struct Told {
        outcomes: u32,
        is_condemned: bool,
    }

    impl BitSource for Told {
        fn bits(&mut self, _: u32) -> u64 {
            0
        }
        fn declassify(&mut self, outcome: u32) -> u32 {
            self.outcomes += outcome;
            outcome + 10
        }
        fn condemn(&mut self) {
            self.is_condemned = true;
        }
    }

    #[test]
    fn what_is_said_of_bits_is_passed_on() {
        let mut told = Told::default();
        // Through a reference too.
        let mut counted = Counted::new(&mut told);
        assert_eq!([counted.declassify(3), counted.declassify(4)], [13, 14]);
        counted.condemn();
        assert_eq!(counted.count(), 0);
        assert!(told.outcomes == 7 && told.is_condemned);
    }
}
