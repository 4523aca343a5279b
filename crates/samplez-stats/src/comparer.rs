//! [`Comparer`]: two samples against each other, as they stream.

use super::MIN_SAMPLES;
use super::comparison::judge;
use super::report::{Comparison, VerifyError};
use super::tally::Tally;
use samplez_core::Int;
use std::num::NonZeroUsize;

/// Judges whether two samples consist of independent draws from one law, which is not known.
///
/// The samples may differ in length. Memory: at most 32 MiB, and as much again in [`Comparer::finish`], for any number
/// of values.
///
/// ```
/// use samplez_stats::Comparer;
/// use samplez_core::{DiscreteGaussian, Sampler, bits::BitReader};
/// use samplez_core::samplers::Karney;
/// use samplez_sources::{ChaCha20, Seed};
/// let sampler = Karney::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let (mut first, mut second) = (vec![0_i8; 100_000], vec![0_i16; 50_000]);
/// sampler.fill(&mut bits, &mut first)?;
/// sampler.fill(&mut bits, &mut second)?;
///
/// let empty = Comparer::new(&first[..10_000], &first[..10_000]);
/// let mut comparer = empty.clone();
/// comparer.push_first(&first);
/// comparer.push_second(&second);
/// assert!(comparer.finish()?.consistent);
///
/// let mut copied = empty;
/// copied.push_first(&first);
/// copied.push_second(&first[30_000..]);
/// let comparison = copied.finish()?;
/// assert!(!comparison.consistent && comparison.shared.is_some_and(|(again, of)| again > 10 && 2 * again > of));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Comparer {
    first: Tally,
    second: Tally,
}

impl Comparer {
    /// Builds a comparer without values. It uses these first values of both samples only to choose the cells in which
    /// values are counted. Some ten thousand of each are enough.
    ///
    /// ```
    /// use samplez_stats::Comparer;
    /// let comparer = Comparer::new::<i64>(&[3, -1, 4], &[1, -5, 9]);
    /// assert_eq!(comparer.finish().unwrap_err().to_string(), "n = 0 values: a verdict needs at least 100");
    /// ```
    pub fn new<T: Int>(first: &[T], second: &[T]) -> Self {
        let empty = Tally::new(first, second);
        Comparer { first: empty.clone(), second: empty }
    }

    /// Sets the number of threads. The comparison is the same to the last bit for any number.
    ///
    /// ```
    /// # use samplez_stats::Comparer;
    /// let comparer = Comparer::new(&[0_i8, 1], &[0, 1]).with_threads(std::thread::available_parallelism()?);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.first.set_threads(threads);
        self.second.set_threads(threads);
        self
    }

    /// Returns the same comparer, which works on one of so many shares of the tests of order, as [`Verifier::with_share`](super::Verifier::with_share)
    /// does.
    #[must_use]
    pub fn with_share(mut self, share: usize, of: usize) -> Self {
        self.first.set_share(share, of);
        self.second.set_share(share, of);
        self
    }

    /// Adds values of the first sample, including the values that [`Comparer::new`] saw.
    ///
    /// ```
    /// # use samplez_stats::Comparer;
    /// let mut comparer = Comparer::new(&[0_i8, 1], &[0, 1]);
    /// comparer.push_first(&[0_i8, 1]);
    /// comparer.push_first(&[1_i64 << 40]);
    /// ```
    pub fn push_first<T: Int>(&mut self, samples: &[T]) {
        self.first.push(samples);
    }

    /// Adds values of the second sample.
    ///
    /// ```
    /// # use samplez_stats::Comparer;
    /// let mut comparer = Comparer::new(&[0_i8, 1], &[0, 1]);
    /// comparer.push_second(&[0_i8; 1000]);
    /// ```
    pub fn push_second<T: Int>(&mut self, samples: &[T]) {
        self.second.push(samples);
    }

    /// Returns the verdict on the values so far; more may follow.
    ///
    /// # Errors
    ///
    /// [`VerifyError::TooFew`] below 100 values of either sample, and [`VerifyError::OtherShare`] for one share of several.
    pub fn finish(&self) -> Result<Comparison, VerifyError> {
        self.finish_with(&[])
    }

    /// Returns the report of the first share and of all others. `shares` has the state of each other one, in any order, after the same values.
    ///
    /// # Errors
    ///
    /// The errors of [`Comparer::finish`], and [`VerifyError::OtherShare`] if a share is missing, comes twice, or is of other values.
    pub fn finish_with(&self, shares: &[Vec<u64>]) -> Result<Comparison, VerifyError> {
        let n = self.first.len.min(self.second.len);
        if n < MIN_SAMPLES {
            return Err(VerifyError::TooFew { n });
        }
        let halves = || shares.iter().map(|share| share.split_at(share.len() / 2));
        let orders = [
            self.first.joined(halves().map(|(ours, _)| ours))?,
            self.second.joined(halves().map(|(_, theirs)| theirs))?,
        ];
        Ok(judge(&self.first, &self.second, &orders))
    }

    /// Returns the state of a share that is not the first, as [`Verifier::share`](super::Verifier::share) does.
    pub fn share(&self) -> Vec<u64> {
        let mut words = Vec::new();
        self.first.share(&mut words);
        self.second.share(&mut words);
        words
    }
}
