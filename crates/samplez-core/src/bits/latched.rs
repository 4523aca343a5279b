//! Generators that can fail under samplers that cannot: [`Latched`].

use super::reader::BitReader;
use super::splitmix::SplitMix64;
use super::watch::Fault;
use core::convert::Infallible;
use core::fmt;
use rand_core::TryRng;

/// A generator that may fail, under samplers that cannot: each [`draw`](Self::draw) is a `Result`.
///
/// It works without `std`, and where panics abort. After a failure inside a draw the samplers get pseudorandom bits, so that
/// they end. These are **not random**, and so it is never [`CryptoBits`](super::CryptoBits).
///
/// ```
/// use samplez_core::bits::{Failure, Latched};
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
/// let mut out = [0_i8; 100];
/// let drawn = Latched::new(Device).draw(|bits| sampler.fill(bits, &mut out)); // Device always says Err(Unplugged)
/// if drawn.is_err() {
///     out.fill(0);
/// }
/// assert_eq!(drawn, Err(Failure::Source(Unplugged)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Latched<R: TryRng>(BitReader<Latch<R>>);

impl<R: TryRng> Latched<R> {
    /// Wraps a generator that has not failed.
    ///
    /// ```
    /// use samplez_core::bits::Latched;
    /// use samplez_sources::{ChaCha20, Seed};
    /// let rng = Latched::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert_eq!(format!("{rng:?}"), "Latched { .. }");
    /// ```
    pub fn new(rng: R) -> Self {
        Latched(BitReader::new(Latch { rng, error: None, mix: SplitMix64(0) }).latching())
    }

    /// Runs sampling code on the generator's bits. They go on where the last draw ended.
    ///
    /// # Errors
    ///
    /// [`Failure`] if the bits of this draw are not random: wipe what it made. After a failure of the generator the next draw reads from
    /// it again. A stuck generator stays stuck, and every later draw reports it.
    ///
    /// ```
    /// use samplez_core::bits::{BitSource, Latched};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut rng = Latched::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert_eq!(rng.draw(|bits| bits.bits(8))?, 0x76);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw<T>(&mut self, sampler: impl FnOnce(&mut BitReader<Latch<R>>) -> T) -> Result<T, Failure<R::Error>> {
        let drawn = sampler(&mut self.0);
        self.take_failure().map_or(Ok(drawn), Err)
    }

    /// The bits. [`take_failure`](Self::take_failure) must follow.
    #[doc(hidden)]
    pub fn bits(&mut self) -> &mut BitReader<Latch<R>> {
        &mut self.0
    }

    /// Returns the reason why the bits since the last call are not random; `None` if they are.
    #[doc(hidden)]
    #[must_use]
    pub fn take_failure(&mut self) -> Option<Failure<R::Error>> {
        if let Some(error) = self.0.rng_mut().error.take() {
            self.0.discard();
            return Some(Failure::Source(error));
        }
        self.0.fault().map(Failure::Stuck)
    }
}

impl<R: TryRng> fmt::Debug for Latched<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Latched").finish_non_exhaustive()
    }
}

/// The generator of a [`Latched`]'s bits: it keeps the first error, and returns pseudorandom bits until the error is taken.
pub struct Latch<R: TryRng> {
    rng: R,
    error: Option<R::Error>,
    mix: SplitMix64,
}

impl<R: TryRng> Latch<R> {
    fn latch<T>(&mut self, ask: impl FnOnce(&mut R) -> Result<T, R::Error>) -> Option<T> {
        if self.error.is_some() {
            return None;
        }
        ask(&mut self.rng).map_err(|error| self.error = Some(error)).ok()
    }
}

impl<R: TryRng> TryRng for Latch<R> {
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

impl<R: TryRng> fmt::Debug for Latch<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Latch").finish_non_exhaustive()
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

    fn latch() -> Latch<Failing> {
        Latch { rng: Failing(0), error: None, mix: SplitMix64(0) }
    }

    #[test]
    fn the_first_error_is_kept_and_the_generator_left_alone() {
        let mut rng = latch();
        let words: [u64; 6] = core::array::from_fn(|_| rand_core::Rng::next_u64(&mut rng));
        assert_eq!(words[..3], [1, 2, 3]);
        assert_eq!((rng.rng.0, rng.error), (4, Some(Gone(4))), "it was not asked again");
        assert!(words[3] != words[4] && words[4] != words[5]);
    }

    #[test]
    fn a_failure_is_taken_once_and_takes_its_bits_along() {
        let mut bits = Latched::new(Failing(0));
        let mut words = [0; 3 * 128];
        assert_eq!(bits.draw(|bits| bits.words(&mut words[..10])), Ok(()));
        assert_eq!(bits.draw(|bits| bits.words(&mut words[10..])), Ok(()));
        assert_eq!(bits.draw(|bits| bits.bit()), Err(Failure::Source(Gone(4))));
        assert_eq!(bits.draw(|bits| bits.bits(64)), Ok(SplitMix64(5).next()), "the next request's first word");
    }

    #[test]
    fn short_words_fail_as_long_ones() {
        let mut rng = latch();
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
        let (latched, latch) = (Latched::new(Failing(0)), latch());
        assert_eq!(std::format!("{latched:?} {latch:?}"), "Latched { .. } Latch { .. }");
    }
}
