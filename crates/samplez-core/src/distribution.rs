//! Samplers as distributions of the crate `rand`: [`RandDistribution`]. Feature `rand`.

use crate::bits::BitReader;
use crate::noise::Noise;
use crate::sampler::Int;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::RangeInclusive;
use rand::Rng;
use rand::distr::Distribution;
use zeroize::Zeroize;

/// Samples that an iterator makes at a time: whole batches of every sampler.
const TOGETHER: usize = 2048;

/// Any sampler as a [`Distribution`] of `rand`, for `rng.sample(d)` and `rng.sample_iter(d)`.
///
/// A `Distribution` cannot keep bits between samples. So each sample takes words of 64 bits from the generator
/// (`next_u64`, each from its least significant bit up), two at least, and drops the bits left: a sample of about 32
/// bits costs 128. The law is the sampler's, and samples are independent, given ideal words. The integers **differ
/// from the integers of a fill** under the same seed. [`fill_iter`](Self::fill_iter) iterates over the samples of
/// fills, and drops nothing. For many samples it is several times as fast.
///
/// Nor can it fail. [`narrow`](Self::narrow) rules out beforehand a sample that does not fit the type.
///
/// # Panics
///
/// A sample panics if the generator gives the same word 16 times, or if 2^20 words do not end the sample. A generator whose words repeat in
/// any other way is not noticed.
///
/// ```
/// use rand::RngExt;
/// use samplez_core::{DiscreteGaussian, RandDistribution, samplers::Isochronous};
/// use samplez_sources::{ChaCha20, Seed};
/// let sampler = Isochronous::new(&DiscreteGaussian::with_sigma("16/5".parse()?)?)?;
/// let d = RandDistribution::new(&sampler);
/// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
/// let x = rng.sample(d);
/// assert!(x.abs() < 60);
/// let noise: Vec<i16> = d.narrow()?.fill_iter(rng).take(10_000).collect();
/// assert!(noise.iter().any(|x| *x != 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct RandDistribution<'a, T = i64> {
    noise: &'a dyn Noise,
    output: PhantomData<T>,
}

impl<'a> RandDistribution<'a> {
    /// Wraps a sampler as a distribution of `i64`, which every sample fits.
    ///
    /// ```
    /// use rand::distr::Distribution;
    /// use samplez_core::{DiscreteGaussian, RandDistribution, samplers::Karney};
    /// # use samplez_sources::{ChaCha20, Seed};
    /// let sampler = Karney::new(&DiscreteGaussian::with_sigma("16/5".parse()?)?)?;
    /// let x: i64 = RandDistribution::new(&sampler).sample(&mut ChaCha20::new(&Seed::from_bytes([1; 32])));
    /// # assert!(x.abs() < 60);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn new(noise: &'a dyn Noise) -> Self {
        RandDistribution { noise, output: PhantomData }
    }

    /// Returns the same distribution with the output type `T`.
    ///
    /// # Errors
    ///
    /// [`SupportError`] unless `T` holds every possible value. An exact sampler of a Gaussian may return any
    /// `i64`, however narrow its law.
    pub fn narrow<T: Int>(self) -> Result<RandDistribution<'a, T>, SupportError> {
        let profile = self.noise.profile();
        let any = profile.exactness.is_exact() && profile.target.gaussian().is_some();
        let support = if any { i64::MIN..=i64::MAX } else { profile.support };
        if *support.start() >= T::MIN && *support.end() <= T::MAX {
            Ok(RandDistribution { noise: self.noise, output: PhantomData })
        } else {
            Err(SupportError { support, dtype: T::NAME })
        }
    }
}

impl<'a, T: Int> RandDistribution<'a, T> {
    /// Returns an iterator over the samples of [fills](crate::sampler::Sampler::fill) of 2048 each, from one [`BitReader`] over this
    /// generator.
    ///
    /// It holds the 2048 samples in itself, with the generator: 2 KiB for `i8`, 16 KiB for `i64`.
    /// The buffer is erased on drop. The iterator never ends.
    ///
    /// # Panics
    ///
    /// The iterator panics if the generator is [stuck](crate::bits::Fault).
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, RandDistribution, Sampler, bits::BitReader, samplers::Isochronous};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let sampler = Isochronous::new(&DiscreteGaussian::with_sigma("16/5".parse()?)?)?;
    /// let rng = || ChaCha20::new(&Seed::from_bytes([1; 32]));
    /// let noise: Vec<i64> = RandDistribution::new(&sampler).fill_iter(rng()).take(4096).collect();
    /// let (mut filled, mut bits) = ([0_i64; 4096], BitReader::new(rng()));
    /// filled.chunks_mut(2048).try_for_each(|part| sampler.fill(&mut bits, part))?;
    /// assert_eq!(noise, filled);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill_iter<R: Rng>(self, rng: R) -> FillIter<'a, R, T> {
        FillIter { noise: self.noise, bits: BitReader::new(rng), buffer: [T::ZERO; TOGETHER], next: TOGETHER }
    }
}

impl<T: Int> Distribution<T> for RandDistribution<'_, T> {
    fn sample<R: Rng + ?Sized>(&self, mut rng: &mut R) -> T {
        T::wrapping(self.noise.noise_draw(&mut rng)) // which fits
    }
}

impl<T> fmt::Debug for RandDistribution<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RandDistribution").finish_non_exhaustive()
    }
}

/// An iterator over the samples of fills. [`RandDistribution::fill_iter`] returns it.
///
/// ```
/// use samplez_core::{DiscreteGaussian, FillIter, RandDistribution, samplers::Karney};
/// use samplez_sources::{ChaCha20, Seed};
/// let sampler = Karney::new(&DiscreteGaussian::with_sigma("16/5".parse()?)?)?;
/// let mut noise: FillIter<'_, ChaCha20> =
///     RandDistribution::new(&sampler).fill_iter(ChaCha20::new(&Seed::from_bytes([1; 32])));
/// assert!(noise.next().is_some_and(|x| x.abs() < 60));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FillIter<'a, R: Rng, T: Int = i64> {
    noise: &'a dyn Noise,
    bits: BitReader<R>,
    buffer: [T; TOGETHER],
    /// The next sample of `buffer`; its length when all are used up.
    next: usize,
}

impl<R: Rng, T: Int> FillIter<'_, R, T> {
    /// Makes the next samples.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        if let Err(error) = self.noise.fill(&mut self.bits, &mut self.buffer) {
            panic!("{error}"); // from a sampler whose support is not what its profile says
        }
        self.next = 0;
    }
}

impl<R: Rng, T: Int> Iterator for FillIter<'_, R, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.next == TOGETHER {
            self.refill();
        }
        let sample = self.buffer.get(self.next).copied();
        self.next += 1;
        sample
    }
}

impl<R: Rng, T: Int> FusedIterator for FillIter<'_, R, T> {}

impl<R: Rng, T: Int> Drop for FillIter<'_, R, T> {
    fn drop(&mut self) {
        self.buffer.zeroize();
    }
}

impl<R: Rng, T: Int> fmt::Debug for FillIter<'_, R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FillIter").finish_non_exhaustive()
    }
}

/// The error if an output type does not hold every possible sample.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SupportError {
    /// The range of possible values.
    pub support: RangeInclusive<i64>,
    /// The name of the type.
    pub dtype: &'static str,
}

impl fmt::Display for SupportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = (self.support.start(), self.support.end());
        write!(f, "samples from {start} to {end} do not all fit the output type {}: choose a wider type", self.dtype)
    }
}

impl core::error::Error for SupportError {}
