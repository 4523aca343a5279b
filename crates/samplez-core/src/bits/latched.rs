//! Generators that can fail under samplers that cannot: [`Latched`].

use super::reader::BitReader;
use super::splitmix::SplitMix64;
use super::watch::Fault;
use core::convert::Infallible;
use core::fmt;
use rand_core::TryRng;

/// Turns a generator that may fail into one that cannot. It keeps the first error, and returns pseudorandom bits
/// until [`BitReader::take_failure`] takes the error. They are **not random**, and only let a sampler end: wipe the
/// samples made of them. So it is not a [`CryptoRng`](rand_core::CryptoRng), even if the generator is.
///
/// It works without `std`, and where panics abort.
///
/// ```
/// use samplez_core::bits::{BitReader, Failure, Latched};
/// use samplez_core::{DiscreteGaussian, Sampler, samplers::Karney};
/// # use rand_core::TryRng;
/// # #[derive(Debug, PartialEq)]
/// # struct Unplugged;
/// # impl std::fmt::Display for Unplugged {
/// #     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("unplugged") }
/// # }
/// # impl std::error::Error for Unplugged {}
/// # struct Device;
/// # impl TryRng for Device {
/// #     type Error = Unplugged;
/// #     fn try_next_u32(&mut self) -> Result<u32, Unplugged> { Err(Unplugged) }
/// #     fn try_next_u64(&mut self) -> Result<u64, Unplugged> { Err(Unplugged) }
/// #     fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Unplugged> { Err(Unplugged) }
/// # }
/// let sampler = Karney::new(&DiscreteGaussian::with_sigma("16/5".parse()?)?)?;
/// let mut bits = BitReader::new(Latched::new(Device)); // which always says Err(Unplugged)
/// let mut out = [0_i8; 100];
/// sampler.fill(&mut bits, &mut out)?;
/// let failure = bits.take_failure();
/// if failure.is_some() {
///     out.fill(0);
/// }
/// assert_eq!(failure, Some(Failure::Source(Unplugged)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Latched<R: TryRng> {
    rng: R,
    error: Option<R::Error>,
    mix: SplitMix64,
}

impl<R: TryRng> Latched<R> {
    /// Wraps a generator that has not failed.
    ///
    /// ```
    /// use samplez_core::bits::Latched;
    /// use samplez_sources::{ChaCha20, Seed};
    /// let rng = Latched::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert_eq!(format!("{rng:?}"), "Latched { .. }");
    /// ```
    pub const fn new(rng: R) -> Self {
        Latched { rng, error: None, mix: SplitMix64(0) }
    }

    fn latch<T>(&mut self, ask: impl FnOnce(&mut R) -> Result<T, R::Error>) -> Option<T> {
        if self.error.is_some() {
            return None;
        }
        ask(&mut self.rng).map_err(|error| self.error = Some(error)).ok()
    }
}

impl<R: TryRng> TryRng for Latched<R> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let word = self.latch(R::try_next_u32);
        Ok(word.unwrap_or_else(|| self.mix.next() as u32))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let word = self.latch(R::try_next_u64);
        Ok(word.unwrap_or_else(|| self.mix.next()))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        if self.latch(|rng| rng.try_fill_bytes(out)).is_none() {
            self.mix.fill(out);
        }
        Ok(())
    }
}

impl<R: TryRng> fmt::Debug for Latched<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Latched").finish_non_exhaustive()
    }
}

/// The reason why the bits of a reader are not random.
///
/// ```
/// use samplez_core::bits::{Failure, Fault};
/// let failure: Failure<std::io::Error> = Failure::Stuck(Fault::Constant(0xff));
/// assert!(failure.to_string().ends_with("all 0xff"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// The generator failed.
    Source(E),
    /// The generator is stuck.
    Stuck(Fault),
}

impl<E: fmt::Display> fmt::Display for Failure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Source(e) => e.fmt(f),
            Failure::Stuck(fault) => fault.fmt(f),
        }
    }
}

impl<E: core::error::Error> core::error::Error for Failure<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Failure::Source(e) => e.source(),
            Failure::Stuck(fault) => fault.source(),
        }
    }
}

impl<R: TryRng> BitReader<Latched<R>> {
    /// Returns the reason why the bits since the last call are not random; `None` if they are.
    ///
    /// After a failure the reader drops the bits that it read ahead, and reads from the generator again. A stuck
    /// generator stays stuck, and every later call reports it.
    ///
    /// ```
    /// use samplez_core::bits::{BitReader, BitSource, Latched};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut bits = BitReader::new(Latched::new(ChaCha20::new(&Seed::from_bytes([0; 32]))));
    /// bits.bits(64);
    /// assert!(bits.take_failure().is_none());
    /// ```
    pub fn take_failure(&mut self) -> Option<Failure<R::Error>> {
        if let Some(error) = self.rng_mut().error.take() {
            self.discard();
            return Some(Failure::Source(error));
        }
        self.fault().map(Failure::Stuck)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitSource;

    /// Gives 3 requests, fails once, and gives again.
    struct Failing(u32);

    #[derive(Debug, PartialEq)]
    struct Gone(u32);
    impl fmt::Display for Gone {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "gone at {}", self.0)
        }
    }
    impl core::error::Error for Gone {
        fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
            Some(&fmt::Error)
        }
    }

    impl TryRng for Failing {
        type Error = Gone;
        fn try_next_u32(&mut self) -> Result<u32, Gone> {
            self.0 += 1;
            if self.0 == 4 { Err(Gone(self.0)) } else { Ok(self.0) }
        }
        fn try_next_u64(&mut self) -> Result<u64, Gone> {
            self.try_next_u32().map(u64::from)
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Gone> {
            SplitMix64(self.try_next_u64()?).fill(out);
            Ok(())
        }
    }

    #[test]
    fn the_first_error_is_kept_and_the_generator_left_alone() {
        let mut rng = Latched::new(Failing(0));
        let words: [u64; 6] = core::array::from_fn(|_| rand_core::Rng::next_u64(&mut rng));
        assert_eq!(words[..3], [1, 2, 3]);
        assert_eq!((rng.rng.0, rng.error), (4, Some(Gone(4))), "it was not asked again");
        assert!(words[3] != words[4] && words[4] != words[5]);
    }

    #[test]
    fn a_failure_is_taken_once_and_takes_its_bits_along() {
        let mut bits = BitReader::new(Latched::new(Failing(0)));
        let mut words = [0; 3 * 128];
        bits.words(&mut words[..10]);
        bits.words(&mut words[10..]);
        assert_eq!(bits.take_failure(), None);
        bits.bit();
        assert_eq!(bits.take_failure(), Some(Failure::Source(Gone(4))));
        assert_eq!(bits.take_failure(), None);
        assert_eq!(bits.bits(64), SplitMix64(5).next(), "the next request's first word");
    }

    #[test]
    fn short_words_fail_as_long_ones() {
        let mut rng = Latched::new(Failing(0));
        let words: [u32; 5] = core::array::from_fn(|_| rand_core::Rng::next_u32(&mut rng));
        assert_eq!((&words[..3], rng.error), (&[1, 2, 3][..], Some(Gone(4))));
        let mut mix = SplitMix64(0);
        assert_eq!(words[3..], [mix.next() as u32, mix.next() as u32]);
    }

    #[test]
    fn a_failure_says_what_its_cause_says() {
        use core::error::Error;
        use std::string::ToString;
        let (gone, stuck) = (Failure::Source(Gone(4)), Failure::<Gone>::Stuck(Fault::Constant(0)));
        assert_eq!((gone.to_string(), stuck.to_string()), (Gone(4).to_string(), Fault::Constant(0).to_string()));
        assert!(gone.source().is_some() && stuck.source().is_none());
    }

    #[test]
    fn debug_shows_names() {
        let latched = Latched::new(Failing(0));
        assert_eq!(std::format!("{latched:?}"), "Latched { .. }");
    }
}
