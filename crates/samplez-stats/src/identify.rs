//! [`Identifier`]: which law integers are from.

mod candidates;
mod counts;
mod estimates;
mod fit;
mod known;
mod model;
mod report;

pub use report::{Candidate, Estimate, Identification};

use super::dependence;
use super::family::{holm, together};
use super::halves::Halves;
use super::report::{Verdict, VerifyError};
use super::tally::Tally;
use super::{BLOCK, MIN_SAMPLES};
use candidates::Data;
use counts::Counts;
pub(crate) use counts::modulus_of;
use samplez_core::Int;
use std::num::NonZeroUsize;

/// The first values of the stream, which decide the cells of the tests.
const HEAD: usize = 1 << 16;

/// Finds the laws that a stream of integers is consistent with, and their parameters.
///
/// The candidates are the discrete Gaussian and the rounded normal with any centre (both also cut to the range of the values),
/// centred binomial, TUniform, ternary, discrete Laplace, rounded Laplace, Skellam laws, the sum (so the difference) of two discrete Laplace
/// variables, uniform and Poisson laws. All but the first two and the last two are about an integer, 0 or another.
///
/// Each law gets the parameters with the greatest likelihood of all values, and is then tested by the families of
/// [`Verifier`](super::Verifier) that look at the values alone. That the same values give the parameters only lowers the variance of each
/// statistic, to the first order. So the law that the values are from is excluded with a probability of at most about
/// [`ALPHA`](super::ALPHA). The one test of values that are too close to their expectations loses a degree of freedom for each
/// parameter, except for b and the ends of a range, whose error is far below that of a width. The order is tested apart, given the values, for any law.
///
/// Memory: at most 200 MiB. From 2^21 different values far from the first ones on, later ones are left out.
///
/// ```
/// use samplez_stats::{Identifier, Verdict};
/// use samplez_core::{DiscreteGaussian, Sampler, bits::BitReader};
/// use samplez_core::samplers::Karney;
/// use samplez_sources::{ChaCha20, Seed};
/// let law = DiscreteGaussian::with_sigma("1".parse()?)?;
/// let mut samples = vec![0_i8; 100_000];
/// Karney::new(&law)?.fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))), &mut samples)?;
///
/// let mut identifier = Identifier::new();
/// identifier.push(&samples);
/// let found = identifier.finish()?;
/// let law = |name| found.laws.iter().find(|law| law.name == name).ok_or("a row");
/// assert!(found.consistent && law("discrete Gaussian")?.verdict != Verdict::Reject);
/// assert_eq!(law("discrete Gaussian")?.parameters[0].simplest, "1");
/// assert_eq!(law("Skellam")?.verdict, Verdict::Reject);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Identifier {
    threads: NonZeroUsize,
    modulus: Option<u128>,
    /// The first values.
    head: Vec<i64>,
    /// All values, from the time on that the head is full.
    seen: Option<Seen>,
}

impl Default for Identifier {
    fn default() -> Self {
        Identifier { threads: NonZeroUsize::MIN, modulus: None, head: Vec::new(), seen: None }
    }
}

impl Identifier {
    /// Returns an identifier without values.
    pub fn new() -> Self {
        Identifier::default()
    }

    /// Sets the number of threads. The result is the same to the last bit for any number.
    ///
    /// ```
    /// # use samplez_stats::Identifier;
    /// let identifier = Identifier::new().with_threads(std::thread::available_parallelism()?);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_threads(self, threads: NonZeroUsize) -> Self {
        Identifier { threads, ..self }
    }

    /// Takes the values as residues modulo q, from 0 to q - 1 or from -q/2 to q/2, or above 2^63 as those about 0. Otherwise the values
    /// are residues if they lie from 0 to q - 1, and each outer quarter has over twice as many as the half between.
    ///
    /// ```
    /// # use samplez_stats::Identifier;
    /// let mut identifier = Identifier::new().with_modulus(17);
    /// (0..100).for_each(|_| identifier.push(&[0_i8, 1, 16]));
    /// let found = identifier.finish()?;
    /// assert_eq!((found.modulus, found.range), (Some(17), (-1, 1)));
    /// assert!(found.laws.iter().any(|law| law.name == "ternary" && law.verdict == samplez_stats::Verdict::Pass));
    /// # Ok::<(), samplez_stats::VerifyError>(())
    /// ```
    #[must_use]
    pub fn with_modulus(self, q: u128) -> Self {
        Identifier { modulus: Some(q), ..self }
    }

    /// Adds the next values of the stream. How a stream is cut changes nothing.
    ///
    /// ```
    /// # use samplez_stats::Identifier;
    /// let mut identifier = Identifier::new();
    /// identifier.push(&[3_i16, -1, 0]);
    /// assert_eq!(identifier.finish().unwrap_err().to_string(), "n = 3 values: a verdict needs at least 100");
    /// ```
    pub fn push<T: Int>(&mut self, samples: &[T]) {
        let (first, later) = samples.split_at(samples.len().min(HEAD - self.head.len()));
        self.head.extend(first.iter().map(|x| x.widen()));
        if later.is_empty() {
            return;
        }
        let seen = self.seen.get_or_insert_with(|| Seen::new(&self.head, self.threads));
        seen.push(later);
    }

    /// Returns the fitted laws, the consistent ones first.
    ///
    /// # Errors
    ///
    /// [`VerifyError::TooFew`] below 100 values, and [`VerifyError::Constant`] if all are equal.
    pub fn finish(&self) -> Result<Identification, VerifyError> {
        if (self.head.len() as u64) < MIN_SAMPLES {
            return Err(VerifyError::TooFew { n: self.head.len() as u64 });
        }
        let new;
        let seen = match &self.seen {
            Some(seen) => seen,
            None => {
                new = Seen::new(&self.head, self.threads);
                &new
            }
        };
        let n = seen.tally.len;
        let pairs = seen.counts.pairs();
        if let [(value, n)] = pairs[..] {
            return Err(VerifyError::Constant { n, value });
        }
        let order = seen.tally.joined(core::iter::empty())?;
        let mut families = dependence::families(&seen.tally.coding(), &order);
        families.push(seen.halves.family(n, &seen.tally.counts()));
        let order = holm(families.iter().map(together).collect());
        let data = Data::new(&pairs, &self.head, self.modulus);
        let laws = data.candidates();
        let is_ordered = order.iter().all(|test| test.verdict != Verdict::Reject);
        Ok(Identification {
            n,
            range: data.range(),
            mean: data.mean,
            deviation: data.deviation,
            modulus: data.modulus,
            is_modulus_seen: data.modulus.is_some() && self.modulus.is_none(),
            consistent: is_ordered && laws.iter().any(|(law, _)| law.verdict == Verdict::Pass),
            separation: data.separation(&laws),
            laws: laws.into_iter().map(|(law, _)| law).collect(),
            order,
        })
    }
}

/// The data kept of all values.
#[derive(Clone, Debug)]
struct Seen {
    counts: Counts,
    tally: Tally,
    halves: Halves,
    is_full: bool,
}

impl Seen {
    /// After these first values.
    fn new(head: &[i64], threads: NonZeroUsize) -> Self {
        let mut tally = Tally::new(head, &[]);
        tally.set_threads(threads);
        let halves = Halves::new(tally.counts().len());
        let mut seen = Seen { counts: Counts::new(head), tally, halves, is_full: false };
        seen.push(head);
        seen
    }

    fn push<T: Int>(&mut self, samples: &[T]) {
        let mut rest = samples;
        while !rest.is_empty() && !self.is_full {
            // Blocks begin at their multiples, however the stream is cut.
            let (chunk, later) = rest.split_at((BLOCK - (self.tally.len % BLOCK as u64) as usize).min(rest.len()));
            let counted = self.counts.push(chunk);
            self.is_full = counted < chunk.len();
            self.tally.push(&chunk[..counted]);
            self.halves.mark(self.tally.len, || self.tally.counts());
            rest = later;
        }
    }
}
