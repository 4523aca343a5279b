//! Samples of one sampler from a stream, made in batches and handed out as they are asked for.

use crate::bulk::copied;
use crate::narrow::NarrowType;
use crate::stream::{Stream, StreamError};
use rand_core::TryRng;
use samplez_core::{Int, Noise, RangeError};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use zeroize::{Zeroize, Zeroizing};

/// Samples that are made ahead, at most: 16 KiB.
const AHEAD: usize = 2048;

/// Samples made ahead, of one sampler and one [epoch](Stream::epoch) of the stream. Each is erased when it is handed out.
#[derive(Default)]
struct Ahead {
    samples: Zeroizing<Vec<i64>>,
    /// How many of them were handed out.
    used: usize,
    epoch: u64,
}

impl Ahead {
    /// Hands out as many samples as there are, or as `out` holds, and returns their number. Which of both, and whether
    /// all of them fit, are the only branches.
    fn take<T: Int>(&mut self, out: &mut [T]) -> Result<usize, RangeError> {
        let left = &mut self.samples[self.used..];
        let count = left.len().min(out.len());
        let taken = copied(&left[..count], out);
        left[..count].zeroize();
        self.used += count;
        taken.map(|()| count)
    }

    /// Makes `count` samples, after the last ones were handed out.
    fn make<R: TryRng>(
        &mut self,
        stream: &mut Stream<R>,
        sampler: &dyn Noise,
        count: usize,
    ) -> Result<(), StreamError<R::Error>> {
        if self.samples.capacity() == 0 {
            self.samples.reserve_exact(AHEAD);
        }
        self.samples.resize(count, 0);
        self.used = 0;
        let filled = stream.fill(sampler, &mut self.samples);
        self.epoch = stream.epoch();
        filled.inspect_err(|_| self.clear())
    }

    /// Erases the samples that nobody has got.
    fn clear(&mut self) {
        self.samples[self.used..].zeroize();
        self.used = self.samples.len();
    }
}

/// Erases `out` if its bits were not random.
fn wiped<T: Int, E>(filled: Result<(), StreamError<E>>, out: &mut [T]) -> Result<(), StreamError<E>> {
    if let Err(StreamError::Source(_)) = filled {
        out.fill(T::ZERO);
    }
    filled
}

/// Draws samples of one sampler from a [`Stream`], for short fills and single samples. [`Stream::samples`] returns it.
///
/// It makes a batch of up to 2048 samples, and hands them out until the next batch is needed. So a short fill costs
/// little more per sample than a long one, whereas each [`Stream::fill`] makes a batch of its own. Fills in pieces of any
/// lengths, and single samples, return the integers of one fill, which are other integers than [`Stream::fill`] draws. Whole
/// batches go straight to the output.
///
/// No branch and no address depends on a sample that is handed out, except on whether it fits the output type.
///
/// Each sample is erased here when you get it. The others are erased on drop, in a forked process, and when the generator
/// fails.
///
/// ```
/// use samplez::{Recipe, Seed, Source, Stream};
/// let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
/// let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([1; 32]))?);
/// let mut noise = stream.samples(&*sampler);
/// let (mut polynomial, one) = ([0_i8; 256], noise.sample()?);
/// noise.fill(&mut polynomial)?;
///
/// let mut again = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([1; 32]))?);
/// let mut all = [0_i64; 257];
/// again.samples(&*sampler).fill(&mut all)?;
/// assert_eq!((all[0], all[256]), (one, polynomial[255].into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Samples<'a, R: TryRng> {
    stream: &'a mut Stream<R>,
    sampler: &'a dyn Noise,
    /// Samples of a batch here, and of the sampler.
    batches: [usize; 2],
    ahead: Ahead,
}

impl<R: TryRng> fmt::Debug for Samples<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Samples").finish_non_exhaustive()
    }
}

impl<R: TryRng> Stream<R> {
    /// Returns the stream's samples of one sampler, made in batches. Use it for short fills and single samples.
    ///
    /// The samples that were made and not asked for are erased when [`Samples`] is dropped, and their bits are spent.
    ///
    /// ```
    /// use samplez::{Recipe, Seed, Source, Stream};
    /// let sampler = "sigma=215".parse::<Recipe>()?.build()?.into_sampler();
    /// let mut stream = Stream::new(Source::Os.open(&Seed::from_bytes([0; 32]))?);
    /// let mut noise = stream.samples(&*sampler);
    /// assert!(noise.sample()?.abs() < 3000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn samples<'a>(&'a mut self, sampler: &'a dyn Noise) -> Samples<'a, R> {
        let batch = sampler.batch();
        Samples { stream: self, sampler, batches: [batch.min(AHEAD), batch], ahead: Ahead::default() }
    }
}

impl<R: TryRng> Samples<'_, R> {
    /// Fills `out` with the next samples.
    ///
    /// # Errors
    ///
    /// As [`Stream::fill`]. If the generator fails, the samples made ahead are erased too.
    ///
    /// ```
    /// # use samplez::{Recipe, Seed, Source, Stream};
    /// # let sampler = "sigma=1000".parse::<Recipe>()?.build()?.into_sampler();
    /// # let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([0; 32]))?);
    /// let mut noise = stream.samples(&*sampler);
    /// assert!(noise.fill(&mut [0_i8; 16]).is_err());
    /// assert!(noise.fill(&mut [0_i32; 16]).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill<T: Int>(&mut self, out: &mut [T]) -> Result<(), StreamError<R::Error>> {
        NarrowType::check::<T>(self.sampler).map_err(StreamError::Narrow)?;
        let filled = self.draw(out);
        wiped(filled, out)
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
    /// # let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([0; 32]))?);
    /// let mut noise = stream.samples(&*sampler);
    /// let sum = (0..100).try_fold(0, |sum, _| noise.sample().map(|x| sum + x))?;
    /// assert!(sum.abs() < 200_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample(&mut self) -> Result<i64, StreamError<R::Error>> {
        if self.batches[1] == 1 {
            return self.stream.sample(self.sampler);
        }
        let mut one = Zeroizing::new([0]);
        self.draw(&mut one[..])?;
        Ok(one[0])
    }

    fn draw<T: Int>(&mut self, out: &mut [T]) -> Result<(), StreamError<R::Error>> {
        if self.ahead.epoch != self.stream.epoch() {
            self.ahead.clear();
        }
        let had = self.ahead.take(out)?;
        if had == out.len() {
            return Ok(());
        }
        let [batch, own] = self.batches;
        let rest = &mut out[had..];
        let (whole, tail) = rest.split_at_mut(rest.len() - rest.len() % batch);
        // A fill makes several of the sampler's batches at once.
        let step = if batch == own { whole.len().max(1) } else { batch };
        whole.chunks_mut(step).try_for_each(|part| self.stream.fill(self.sampler, part))?;
        if !tail.is_empty() {
            self.ahead.make(self.stream, self.sampler, batch)?;
            self.ahead.take(tail)?;
        }
        Ok(())
    }
}

/// The number of a sampler, which no other one of the process has. The address of a sampler is used again.
#[derive(Debug, PartialEq, Eq)]
pub struct SamplerNumber(u64);

impl SamplerNumber {
    /// Returns a number that was never returned before.
    pub fn unique() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        SamplerNumber(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Short fills of a stream from samplers that may change: those after the first of a sampler are handed from samples made ahead.
///
/// The first fill of a sampler, and a fill that needs more than 512 new samples, are [`Stream::fill`]. Other fills make
/// four times as many samples as the last time, from 64 up to 2048, so that samplers in turns waste few.
#[derive(Default)]
pub struct ShortFills {
    /// The last sampler; 0 before the first.
    sampler: u64,
    /// How many samples were made ahead the last time.
    made: usize,
    ahead: Ahead,
}

impl fmt::Debug for ShortFills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShortFills").finish_non_exhaustive()
    }
}

impl ShortFills {
    /// The most new samples of a short fill.
    const LONG: usize = 512;

    /// The number of samples made ahead for the sampler that has this number. The next fill hands them out first, so a fill that is cut
    /// into pieces draws as a whole one if the first piece has so many.
    pub fn ahead<R: TryRng>(&self, stream: &mut Stream<R>, number: &SamplerNumber) -> usize {
        let is_kept = self.sampler == number.0 && self.ahead.epoch == stream.epoch();
        if is_kept { self.ahead.samples.len() - self.ahead.used } else { 0 }
    }

    /// Fills `out` with the stream's next samples of the sampler that has this number.
    ///
    /// # Errors
    ///
    /// As [`Stream::fill`]. If the generator fails, the samples made ahead are erased too.
    pub fn fill<R: TryRng, T: Int>(
        &mut self,
        stream: &mut Stream<R>,
        number: &SamplerNumber,
        sampler: &dyn Noise,
        out: &mut [T],
    ) -> Result<(), StreamError<R::Error>> {
        NarrowType::check::<T>(sampler).map_err(StreamError::Narrow)?;
        let filled = self.draw(stream, number, sampler, out);
        wiped(filled, out)
    }

    fn draw<R: TryRng, T: Int>(
        &mut self,
        stream: &mut Stream<R>,
        number: &SamplerNumber,
        sampler: &dyn Noise,
        out: &mut [T],
    ) -> Result<(), StreamError<R::Error>> {
        let epoch = stream.epoch();
        if self.sampler != number.0 || self.ahead.epoch != epoch {
            self.ahead.clear();
            (self.sampler, self.made, self.ahead.epoch) = (number.0, 0, epoch);
            return stream.fill(sampler, out);
        }
        let had = self.ahead.take(out)?;
        let rest = &mut out[had..];
        if rest.is_empty() {
            return Ok(());
        }
        if rest.len() > Self::LONG || sampler.batch() == 1 {
            return stream.fill(sampler, rest);
        }
        self.made = (4 * self.made.max(rest.len())).clamp(64, AHEAD);
        self.ahead.make(stream, sampler, self.made)?;
        self.ahead.take(rest)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
