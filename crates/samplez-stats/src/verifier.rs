//! [`Verifier`]: the streaming part.

use super::birthdays::Birthdays;
use super::coding::Coding;
use super::family::{self, Observed};
use super::halves::Halves;
use super::histogram::Histogram;
use super::identify::modulus_of;
use super::order::Order;
use super::report::{Report, VerifyError};
use super::summary::Summary;
use super::target::Target;
use super::{BLOCK, MIN_SAMPLES};
use samplez_core::{Int, ParamError};
use samplez_tables::TargetLaw;
use std::num::NonZeroUsize;

/// The number of first values that show whether all are residues.
const HEAD: usize = 1 << 12;

/// Judges whether a stream of integers consists of draws from one law.
///
/// Memory: at most 16 MiB, and as much again in [`Verifier::finish`], for any number of values.
///
/// ```
/// use samplez_stats::Verifier;
/// use samplez_core::DiscreteGaussian;
/// let mut verifier = Verifier::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?)?;
/// verifier.push(&[1_i8; 500]);
/// verifier.push(&[-1_i64; 500]);
/// assert_eq!(verifier.len(), 1000);
/// assert!(!verifier.finish()?.consistent);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Verifier {
    target: Target,
    histogram: Histogram,
    /// True if the histogram has a bin for each value, none of which exceeds 64 bits. Then `summary` holds only the
    /// values out of its range, otherwise all.
    direct: bool,
    summary: Summary,
    /// Values for `summary` whose block is not full, if it holds all.
    pending: Vec<i64>,
    /// Of all values, unless the histogram has a bin for each.
    birthdays: Birthdays,
    coding: Coding,
    halves: Halves,
    order: Order,
    /// Whether this is the first share: others need no moments.
    is_first: bool,
    len: u64,
    /// The first values, unless the law is one of residues.
    head: Vec<i64>,
}

impl Verifier {
    /// Builds a verifier of D_{Z,σ,c} or another [`TargetLaw`], without values.
    ///
    /// A verifier of a law modulo q reduces each value.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] if σ is so large that 64 bits do not hold the law's mass
    /// (from about 2^57). The same error if a range or a modulus cuts the law, and more than 65536 values remain.
    ///
    /// ```
    /// use samplez_stats::Verifier;
    /// use samplez_core::{DiscreteGaussian, Rational};
    /// assert!(Verifier::new(&DiscreteGaussian::with_sigma(Rational::from(1 << 40))?).is_ok());
    /// assert!(Verifier::new(&DiscreteGaussian::with_sigma(Rational::from(1 << 61))?).is_err());
    /// # Ok::<(), samplez_core::ParamError>(())
    /// ```
    pub fn new(law: impl Into<TargetLaw>) -> Result<Self, ParamError> {
        let target = Target::new(&law.into())?;
        let coding = Coding::of_law(&target);
        let (histogram, direct) = Histogram::direct_or_not(&target);
        Ok(Verifier {
            halves: Halves::new(histogram.counts().len()),
            histogram,
            direct,
            summary: Summary::new(&target),
            pending: Vec::new(),
            birthdays: Birthdays::new(&target),
            order: Order::new(&coding),
            coding,
            is_first: true,
            len: 0,
            head: Vec::new(),
            target,
        })
    }

    /// Sets the number of threads. The report is the same to the last bit for any number.
    ///
    /// Each push starts the threads when 2^18 values have gathered, so chunks may be of any size.
    ///
    /// ```
    /// # use samplez_stats::Verifier;
    /// # use samplez_core::{DiscreteGaussian, Rational};
    /// let verifier = Verifier::new(&DiscreteGaussian::with_sigma(Rational::from(2))?)?;
    /// let verifier = verifier.with_threads(std::thread::available_parallelism()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.order.set_threads(threads);
        self
    }

    /// Returns the same verifier, which works on one of so many shares of the tests of order, for threads without common memory. Every
    /// share takes in all values.
    ///
    /// The first share, number 0, reports by [`Verifier::finish_with`], from the [`Verifier::share`] of each other one. The report is the
    /// same to the last bit as without shares. More than [`MAX_SHARES`](super::MAX_SHARES) do not share further.
    ///
    /// ```
    /// # use samplez_stats::Verifier;
    /// # use samplez_core::{DiscreteGaussian, Rational};
    /// let whole = Verifier::new(&DiscreteGaussian::with_sigma(Rational::from(2))?)?;
    /// let mut shares = [0, 1].map(|i| whole.clone().with_share(i, 2));
    /// shares.iter_mut().for_each(|share| share.push(&[1_i8; 5000]));
    /// let report = shares[0].finish_with(&[shares[1].share()])?;
    /// assert_eq!(report.n, 5000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_share(mut self, share: usize, of: usize) -> Self {
        self.order.set_share(share, of);
        self.is_first = share == 0;
        self
    }

    /// Adds the next values of the stream.
    ///
    /// Chunks of some thousand values are fastest. How a stream is cut changes nothing.
    ///
    /// ```
    /// # use samplez_stats::Verifier;
    /// # use samplez_core::{DiscreteGaussian, Rational};
    /// let mut verifier = Verifier::new(&DiscreteGaussian::with_sigma(Rational::from(2))?)?;
    /// verifier.push(&[3_i16, -1, 0]);
    /// assert_eq!(verifier.len(), 3);
    /// # Ok::<(), samplez_core::ParamError>(())
    /// ```
    pub fn push<T: Int>(&mut self, samples: &[T]) {
        let shift = self.target.shift;
        if self.is_first && !self.target.is_reduced() {
            self.head.extend(samples.iter().take(HEAD - self.head.len()).map(|x| x.widen()));
        }
        let (mut block, mut codes) = ([0; BLOCK], [0; BLOCK]);
        let mut rest = samples;
        while !rest.is_empty() {
            // Blocks begin at their multiples, however the stream is cut.
            let room = BLOCK - (self.len % BLOCK as u64) as usize;
            let (chunk, later) = rest.split_at(room.min(rest.len()));
            rest = later;
            let codes = &mut codes[..chunk.len()];
            if self.target.is_reduced() {
                let values = &mut block[..chunk.len()];
                for (y, x) in values.iter_mut().zip(chunk) {
                    *y = self.target.place(x.widen());
                }
                if self.direct {
                    let summary = &mut self.summary;
                    self.histogram.push(values, 0, &self.coding, codes, |y| summary.add(y, 1));
                } else {
                    self.histogram.push(values, 0, &self.coding, codes, |_| ());
                    self.sum_up(values);
                }
            } else if self.direct {
                let summary = &mut self.summary;
                self.histogram.push(chunk, shift, &self.coding, codes, |y| summary.add(y, 1));
            } else {
                let values = &mut block[..chunk.len()];
                for (y, x) in values.iter_mut().zip(chunk) {
                    // Where this saturates, the value is absurdly far out of the law's range anyway.
                    *y = x.widen().saturating_sub(shift);
                }
                self.histogram.push(values, 0, &self.coding, codes, |_| ());
                self.sum_up(values);
            }
            self.order.push(codes);
            self.len += chunk.len() as u64;
            if self.is_first {
                self.halves.mark(self.len, || self.histogram.cells(self.coding.log2_cell()));
            }
        }
    }

    /// By whole blocks from the beginning of the stream on: sums are rounded.
    fn sum_up(&mut self, mut values: &[i64]) {
        if self.is_first {
            self.birthdays.push(values);
        }
        while self.is_first && !values.is_empty() {
            let (now, later) = values.split_at((BLOCK - self.pending.len()).min(values.len()));
            self.pending.extend_from_slice(now);
            if self.pending.len() == BLOCK {
                self.summary.push(&self.pending);
                self.pending.clear();
            }
            values = later;
        }
    }

    /// Adds the values that another verifier of the same law has seen. Its values count as a stream of their own: no
    /// pair or window spans the two. A sequence in both has come again.
    ///
    /// `trend and waves` and `halves` need one stream. `all lags` and `periods` then include whole windows of 2^18 values only.
    ///
    /// # Errors
    ///
    /// [`VerifyError::OtherLaw`] if the laws differ; nothing has changed then.
    ///
    /// ```
    /// # use samplez_stats::Verifier;
    /// # use samplez_core::{DiscreteGaussian, Rational};
    /// let empty = Verifier::new(&DiscreteGaussian::with_sigma(Rational::from(2))?)?;
    /// let (mut a, mut b) = (empty.clone(), empty);
    /// a.push(&[1_i64, 2]);
    /// b.push(&[3_i64]);
    /// a.merge(&b)?;
    /// assert_eq!(a.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(&mut self, other: &Verifier) -> Result<(), VerifyError> {
        if self.target.law != other.target.law {
            return Err(VerifyError::OtherLaw);
        }
        self.histogram.merge(&other.histogram);
        self.summary.merge(&other.summed());
        self.birthdays.merge(&other.birthdays);
        self.order.merge(&other.order);
        if other.len > 0 {
            self.halves.merge();
        }
        self.len += other.len;
        Ok(())
    }

    /// Returns the number of values so far.
    #[allow(clippy::len_without_is_empty)] // a count, of no collection
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Returns the verdict on the values so far; more may follow.
    ///
    /// # Errors
    ///
    /// [`VerifyError::TooFew`] below 100 values, and [`VerifyError::OtherShare`] for one share of several.
    pub fn finish(&self) -> Result<Report, VerifyError> {
        self.finish_with(&[])
    }

    /// Returns the report of the first share and of all others. `shares` has the state of each other one, in any order, after the same values.
    ///
    /// # Errors
    ///
    /// The errors of [`Verifier::finish`], and [`VerifyError::OtherShare`] if a share is missing, comes twice, or is of other values.
    pub fn finish_with(&self, shares: &[Vec<u64>]) -> Result<Report, VerifyError> {
        if self.len < MIN_SAMPLES {
            return Err(VerifyError::TooFew { n: self.len });
        }
        let order = self.order.joined(shares.iter().map(Vec::as_slice))?;
        let mut report = family::judge(Observed {
            n: self.len,
            target: &self.target,
            histogram: &self.histogram,
            birthdays: (!self.direct).then_some(&self.birthdays),
            halves: &self.halves,
            coding: &self.coding,
            order: &order,
            summary: self.summary(),
        });
        if !report.consistent {
            report.modulus = modulus_of(self.head.iter().map(|x| (*x, 1)));
        }
        Ok(report)
    }

    /// Returns the state of a share that is not the first, after the values so far. Only a verifier of the same version can read it.
    pub fn share(&self) -> Vec<u64> {
        let mut words = Vec::new();
        self.order.share(&mut words);
        words
    }

    /// `summary`, of values whose block is not full too.
    fn summed(&self) -> Summary {
        let mut summary = self.summary.clone();
        summary.push(&self.pending);
        summary
    }

    /// The summary of all values.
    fn summary(&self) -> Summary {
        let mut summary = self.summed();
        if self.direct {
            for (y, _, count) in self.histogram.bins() {
                summary.add(y, count);
            }
        }
        summary
    }
}
