//! One continuous stream of samples, from any generator, one that may fail included.

use crate::kept::Kept;
use crate::narrow::NarrowType;
use crate::rounding::{self, RoundError, RoundMethod, Sigmas};
use rand_core::TryRng;
use samplez_core::bits::{BitReader, BitSource, Failure, Latch, Latched};
use samplez_core::finite::SparseTernary;
use samplez_core::{Int, Noise, RangeError, Rounder};
use samplez_sources::{Seed, forks};
use std::fmt;
use zeroize::Zeroizing;

/// The error of a stream that returned no samples.
///
/// ```
/// use samplez::{EntropyError, RangeError, StreamError};
/// let e: StreamError<EntropyError> = RangeError::of::<i8>().into();
/// assert!(e.to_string().contains("does not fit"));
/// ```
#[derive(Debug)]
pub enum StreamError<E> {
    /// The output type is too narrow for the distribution. Nothing was drawn, and the output is as it was.
    Narrow(Box<NarrowType>),
    /// A sample does not fit the output type.
    Range(RangeError),
    /// The generator failed, or is stuck.
    Source(Failure<E>),
}

impl<E: fmt::Display> fmt::Display for StreamError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Narrow(e) => e.fmt(f),
            StreamError::Range(e) => e.fmt(f),
            StreamError::Source(e) => e.fmt(f),
        }
    }
}

impl<E: std::error::Error> std::error::Error for StreamError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StreamError::Narrow(e) => e.source(),
            StreamError::Range(e) => e.source(),
            StreamError::Source(e) => e.source(),
        }
    }
}

impl<E> From<RangeError> for StreamError<E> {
    fn from(e: RangeError) -> Self {
        StreamError::Range(e)
    }
}

/// Draws samples of any samplers, one after the other, from one generator. The generator may fail.
///
/// Unlike a [`Bulk`](crate::Bulk) array, a stream has no addresses: each sample depends on the ones before. It reads
/// 1024 bytes at a time from the generator.
///
/// In a forked process the stream drops the bytes that its parent read, and reads new ones. A seeded generator of
/// [`Source::open`](crate::Source::open) then [fails](crate::EntropyError::Forked). Your own generator may repeat its
/// parent's bytes.
///
/// ```
/// use samplez::{Recipe, Seed, Source, Stream};
/// let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
/// let mut stream = Stream::new(Source::Os.open(&Seed::from_bytes([0; 32]))?);
/// let mut noise = [0_i8; 100];
/// stream.fill(&*sampler, &mut noise)?;
/// let one: i64 = stream.sample(&*sampler)?;
/// assert!(one.abs() < 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Stream<R: TryRng> {
    reader: Latched<R>,
    /// Of the process that the bits in the reader belong to.
    forks: u64,
    epoch: u64,
    kept: Kept,
}

impl<R: TryRng> fmt::Debug for Stream<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}

impl<R: TryRng> Stream<R> {
    /// Builds a stream over this generator.
    ///
    /// ```
    /// use samplez::{Seed, Source, Stream};
    /// let stream = Stream::new(Source::Isaac64.open(&Seed::from_bytes([1; 32]))?);
    /// # Ok::<(), samplez::EntropyError>(())
    /// ```
    pub fn new(rng: R) -> Self {
        Stream { reader: Latched::new(rng), forks: forks(), epoch: 0, kept: Kept::default() }
    }

    /// Fills `out` with the next samples. Nothing is allocated. A fill of fewer than some 500 samples is slower per sample,
    /// because it makes a batch of its own: for many of them use [`samples`](Self::samples).
    ///
    /// # Errors
    ///
    /// [`StreamError`]. The bits of the samples are then spent, except for [`Narrow`](StreamError::Narrow). If the
    /// generator failed, `out` is all zeros. Otherwise its contents are unspecified. After a failure the next call
    /// reads from the generator again. A stuck generator stays stuck.
    ///
    /// ```
    /// # use samplez::{Recipe, Seed, Source, Stream};
    /// # let sampler = "sigma=1000".parse::<Recipe>()?.build()?.into_sampler();
    /// let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([0; 32]))?);
    /// assert!(stream.fill(&*sampler, &mut [0_i8; 100]).is_err());
    /// assert!(stream.fill(&*sampler, &mut [0_i32; 100]).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill<T: Int>(&mut self, sampler: &dyn Noise, out: &mut [T]) -> Result<(), StreamError<R::Error>> {
        NarrowType::check::<T>(sampler).map_err(StreamError::Narrow)?;
        let filled = sampler.fill(self.bits(), out);
        self.verdict().inspect_err(|_| out.fill(T::ZERO)).map_err(StreamError::Source)?;
        Ok(filled?)
    }

    /// Returns the stream's bits, none of which were drawn in another process. After they were drawn,
    /// [`verdict`](Self::verdict) reports whether they were random.
    pub(crate) fn bits(&mut self) -> &mut BitReader<Latch<R>> {
        self.parts().0
    }

    /// Returns the [`bits`](Self::bits), and what is kept for the next array.
    pub(crate) fn parts(&mut self) -> (&mut BitReader<Latch<R>>, &mut Kept) {
        self.epoch();
        (self.reader.bits(), &mut self.kept)
    }

    /// Returns a number that is another one after a fork, in which the bits that were read are dropped, and after each
    /// failure of the generator. Samples that were made ahead under another number must not be returned.
    pub(crate) fn epoch(&mut self) -> u64 {
        let forks = forks();
        if self.forks != forks {
            self.reader.bits().discard();
            self.forks = forks;
            self.epoch += 1;
        }
        self.epoch
    }

    /// Returns an error if the bits of the last samples were not random.
    pub(crate) fn verdict(&mut self) -> Result<(), Failure<R::Error>> {
        let failure = self.reader.take_failure();
        self.epoch += u64::from(failure.is_some());
        failure.map_or(Ok(()), Err)
    }

    /// Draws the next sample.
    ///
    /// # Errors
    ///
    /// [`StreamError::Source`] if the generator fails or is stuck.
    ///
    /// ```
    /// # use samplez::{Recipe, Seed, Source, Stream};
    /// # let sampler = "sigma=1000".parse::<Recipe>()?.build()?.into_sampler();
    /// let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([0; 32]))?);
    /// assert!(stream.sample(&*sampler)?.abs() < 20_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample(&mut self, sampler: &dyn Noise) -> Result<i64, StreamError<R::Error>> {
        let sample = sampler.sample(self.bits());
        self.verdict().map(|()| sample).map_err(StreamError::Source)
    }

    /// Fills `out` with a ternary vector of a fixed number of non-zero entries.
    ///
    /// # Errors
    ///
    /// [`StreamError::Source`] if the generator fails or is stuck. `out` is then all zeros.
    ///
    /// # Panics
    ///
    /// If `out` does not have the law's length.
    ///
    /// ```
    /// use samplez::{Seed, Source, SparseTernary, Stream};
    /// let mut stream = Stream::new(Source::Os.open(&Seed::from_bytes([0; 32]))?);
    /// let mut secret = [0_i8; 1024];
    /// stream.fill_sparse(&SparseTernary::new(1024, 64)?, &mut secret)?;
    /// assert_eq!(secret.iter().filter(|x| **x != 0).count(), 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill_sparse<T: Int>(&mut self, law: &SparseTernary, out: &mut [T]) -> Result<(), StreamError<R::Error>> {
        law.fill(self.bits(), out);
        self.verdict().inspect_err(|_| out.fill(T::ZERO)).map_err(StreamError::Source)
    }

    /// Runs your own sampling code on the stream's bits.
    ///
    /// # Errors
    ///
    /// [`StreamError::Source`] if the generator fails or is stuck. Erase the samples then.
    ///
    /// ```
    /// use samplez::{Seed, Source, Stream};
    /// let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([1; 32]))?);
    /// let octal = stream.draw(|bits| bits.bits(3))?;
    /// assert!(octal < 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw<T>(&mut self, sampler: impl FnOnce(&mut dyn BitSource) -> T) -> Result<T, StreamError<R::Error>> {
        let drawn = sampler(self.bits());
        self.verdict().map(|()| drawn).map_err(StreamError::Source)
    }

    /// Draws the next sample around this centre.
    ///
    /// # Errors
    ///
    /// [`StreamError::Source`] if the generator fails or is stuck.
    ///
    /// ```
    /// use samplez::{Seed, Source, Stream};
    /// use samplez_core::samplers::KarneyRounder;
    /// let rounder = KarneyRounder::new("3.2".parse()?)?;
    /// let mut stream = Stream::new(Source::Os.open(&Seed::from_bytes([0; 32]))?);
    /// let x = stream.round(&rounder, rounder.center("1000/7".parse()?)?)?;
    /// assert!((90..200).contains(&x));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn round<T: Rounder>(&mut self, rounder: &T, center: T::Center) -> Result<i64, StreamError<R::Error>> {
        let sample = rounder.round(center, self.bits());
        self.verdict().map(|()| sample).map_err(StreamError::Source)
    }

    /// Draws one sample around each of the centres, which are the floats' exact values. The integers are the ones that
    /// a [`Rounding`](crate::Rounding) of this method and σ draws with [`round`](Self::round), one after the other.
    /// With [`Sigmas::Each`] and [`RoundMethod::Strips`] the rounder is instead the one of σ's octave, as in
    /// [`sample_each`](Self::sample_each). The stream keeps the rounder of a shared σ and the width of the last σ of
    /// several for the next array, so the time reveals whether σ equals the one before.
    ///
    /// # Errors
    ///
    /// [`RoundError`]: for a σ or a centre that the method does not allow and for lengths that differ, before any bit is drawn, and
    /// if the generator fails or is stuck. `out` is then all zeros.
    ///
    /// ```
    /// use samplez::{RoundMethod, Seed, Sigmas, Source, Stream};
    /// let mut stream = Stream::new(Source::Os.open(&Seed::from_bytes([0; 32]))?);
    /// let mut out = [0; 3];
    /// stream.round_all(RoundMethod::Strips, Sigmas::One("3.2".parse()?), &[0.25, -17.5, 1e6], &mut out)?;
    /// assert!((out[2] - 1_000_000).abs() < 50);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn round_all(
        &mut self,
        method: RoundMethod,
        sigmas: Sigmas<'_>,
        centers: &[f64],
        out: &mut [i64],
    ) -> Result<(), RoundError<R::Error>> {
        let (bits, kept) = self.parts();
        let rounded = rounding::round_all(method, sigmas, centers, kept, bits, out);
        let rounded = rounded.map_err(RoundError::Refused);
        let failed = self.verdict().map_err(RoundError::Source);
        failed.and(rounded).inspect_err(|_| out.fill(0))
    }

    /// Returns a seed of the stream's next 32 bytes. Use it to run a scheme, which cannot report a failure, on a
    /// generator that may fail.
    ///
    /// # Errors
    ///
    /// [`StreamError::Source`] if the generator fails or is stuck.
    ///
    /// ```
    /// use samplez::{Seed, Source, Stream};
    /// let mut stream = Stream::new(Source::Os.open(&Seed::from_bytes([0; 32]))?);
    /// let rng = Source::HashDrbgSha512.crypto(&stream.seed()?).ok_or("cryptographic")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn seed(&mut self) -> Result<Seed, StreamError<R::Error>> {
        let (mut words, mut bytes) = (Zeroizing::new([0; 4]), Zeroizing::new([0; 32]));
        self.bits().words(&mut *words);
        self.verdict().map_err(StreamError::Source)?;
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(*words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Ok(Seed::from_bytes(*bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DiscreteGaussian, Method, Recipe};

    /// ChaCha20 that fails at its second request.
    struct Flaky(samplez_sources::ChaCha20, u32);

    #[derive(Debug, PartialEq)]
    struct Pulled;
    impl fmt::Display for Pulled {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the plug was pulled")
        }
    }
    impl std::error::Error for Pulled {}

    impl TryRng for Flaky {
        type Error = Pulled;
        fn try_next_u32(&mut self) -> Result<u32, Pulled> {
            unreachable!("the reader asks for bytes")
        }
        fn try_next_u64(&mut self) -> Result<u64, Pulled> {
            unreachable!("the reader asks for bytes")
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Pulled> {
            self.1 += 1;
            if self.1 == 2 {
                return Err(Pulled);
            }
            rand_core::Rng::fill_bytes(&mut self.0, out);
            Ok(())
        }
    }

    #[test]
    fn a_failure_is_an_error_and_not_the_end() {
        let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
        let sampler = Recipe::new(law).method(Method::Karney).build().unwrap().into_sampler();
        let seed = Seed::from_bytes([6; 32]);
        let mut stream = Stream::new(Flaky(samplez_sources::ChaCha20::new(&seed), 0));
        let mut out = [0_i8; 1000];
        let error = stream.fill(&*sampler, &mut out).unwrap_err();
        assert!(matches!(error, StreamError::Source(Failure::Source(Pulled))));
        assert_eq!(error.to_string(), "the plug was pulled");
        assert!(out.iter().all(|x| *x == 0), "it is wiped");
        stream.fill(&*sampler, &mut out).unwrap();
        assert!(out.iter().any(|x| *x != 0));
        assert!(stream.sample(&*sampler).unwrap().abs() < 60);

        let rounder = samplez_core::samplers::KarneyRounder::new("3.2".parse().unwrap()).unwrap();
        let center = rounder.center("5".parse().unwrap()).unwrap();
        let mut stream = Stream::new(Flaky(samplez_sources::ChaCha20::new(&seed), 1));
        assert!(matches!(stream.round(&rounder, center), Err(StreamError::Source(Failure::Source(Pulled)))));
        assert!((stream.round(&rounder, center).unwrap() - 5).abs() < 60);
    }

    #[test]
    fn it_is_the_reader_s_stream() {
        let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
        let sampler = Recipe::new(law).build().unwrap().into_sampler();
        let seed = Seed::from_bytes([6; 32]);
        let mut reader = BitReader::new(samplez_sources::ChaCha20::new(&seed));
        let mut stream = Stream::new(crate::Source::ChaCha20.open(&seed).unwrap());
        let (mut a, mut b) = ([0_i8; 700], [0_i8; 700]);
        sampler.fill(&mut reader, &mut a).unwrap();
        stream.fill(&*sampler, &mut b).unwrap();
        assert_eq!(a, b);
        assert_eq!(sampler.sample(&mut reader), stream.sample(&*sampler).unwrap());
    }

    #[test]
    fn seeds_are_its_bytes() {
        let seed = Seed::from_bytes([6; 32]);
        let mut bytes = [0; 64];
        rand_core::Rng::fill_bytes(&mut samplez_sources::ChaCha20::new(&seed), &mut bytes);
        let mut stream = Stream::new(crate::Source::ChaCha20.open(&seed).unwrap());
        assert_eq!(stream.seed().unwrap().expose(), &bytes[..32]);
        assert_eq!(stream.seed().unwrap().expose(), &bytes[32..]);

        let mut stream = Stream::new(Flaky(samplez_sources::ChaCha20::new(&seed), 1));
        assert!(matches!(stream.seed(), Err(StreamError::Source(Failure::Source(Pulled)))));
        assert!(stream.seed().is_ok());
    }
}
