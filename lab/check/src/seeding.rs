//! What a source, well or badly seeded, does to a sampler: the experiment of \[BSOVOGR17\].
//!
//! The paper plots the running mean of the samples and judges by eye whether it returns to zero.
//! That is no test: the running mean of a perfect sampler has no change of sign between n and m
//! samples with probability (2/π)·asin √(n/m), one half for m = 2n. Here the mean is measured
//! against its own standard deviation σ/√N, and the samples go to the
//! [`Verifier`].

use samplez_core::{DiscreteGaussian, ParamError};
use samplez_stats::{Report, Verifier, VerifyError};
use samplez_tables::Law;

/// Samples that are kept one by one.
///
/// ```
/// assert_eq!(samplez_check::seeding::HEAD, 1000);
/// ```
pub const HEAD: usize = 1000;

/// Samples that are drawn at a time.
const CHUNK: usize = 8192;

/// The samples of one source under one seed, and what is to be said of them.
///
/// ```
/// use samplez_check::seeding::Run;
/// use samplez_core::{DiscreteGaussian, Sampler, bits::BitReader};
/// use samplez_core::samplers::Karney;
/// use samplez_sources::{Isaac64, Seed};
/// let law = DiscreteGaussian::with_sigma("215".parse()?)?;
/// let sampler = Karney::new(&law)?;
/// let mut bits = BitReader::new(Isaac64::new(&Seed::from_bytes([0; 32])));
/// let run = Run::new(&law, 100_000, |out| sampler.fill(&mut bits, out))?;
/// assert!(run.report.consistent && run.z.abs() < 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Run {
    /// The first samples, at most [`HEAD`].
    pub head: Vec<i64>,
    /// The running mean, at numbers of samples about 5 % apart; the last is all of them.
    pub track: Vec<Point>,
    /// How far the mean of all samples is from the law's, in units of σ/√N: standard normal for
    /// ideal samples.
    pub z: f64,
    /// The law's own mean.
    pub mean: f64,
    /// The law's own standard deviation.
    pub sigma: f64,
    /// All tests.
    pub report: Report,
}

/// The samples up to one of them.
///
/// ```
/// use samplez_check::seeding::Point;
/// assert_eq!(Point { n: 2, mean: 1.0, deviation: 0.5 }.n, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// How many.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, about the law's mean.
    pub deviation: f64,
}

/// No run.
///
/// ```
/// use samplez_check::seeding::{Run, RunError};
/// use samplez_core::DiscreteGaussian;
/// let law = DiscreteGaussian::with_sigma("215".parse()?)?;
/// let none = Run::new(&law, 1000, |_| Err("the source has died"));
/// assert!(matches!(none, Err(RunError::Draw("the source has died"))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum RunError<E> {
    /// The law is too wide to be judged.
    Law(ParamError),
    /// There are too few samples to be judged.
    Verify(VerifyError),
    /// The samples were not drawn.
    Draw(E),
}

impl<E: core::fmt::Display> core::fmt::Display for RunError<E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            RunError::Law(e) => e.fmt(f),
            RunError::Verify(e) => e.fmt(f),
            RunError::Draw(e) => e.fmt(f),
        }
    }
}

impl<E: core::fmt::Debug + core::fmt::Display> std::error::Error for RunError<E> {}

impl Run {
    /// Draws `count` samples through `fill`, and judges them.
    ///
    /// # Errors
    ///
    /// [`RunError`].
    ///
    /// ```
    /// use samplez_check::seeding::Run;
    /// use samplez_core::DiscreteGaussian;
    /// let law = DiscreteGaussian::with_sigma("215".parse()?)?;
    /// let stuck = Run::new(&law, 1000, |out| Ok::<(), String>(out.fill(7)))?;
    /// assert!(!stuck.report.consistent);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<E>(
        law: &DiscreteGaussian,
        count: u64,
        mut fill: impl FnMut(&mut [i64]) -> Result<(), E>,
    ) -> Result<Run, RunError<E>> {
        let mut verifier = Verifier::new(law).map_err(RunError::Law)?;
        let moments = Law::new(law).moments();
        let (center, sigma) = (moments.mean, moments.variance.sqrt());
        let (mut head, mut track) = (Vec::new(), Vec::new());
        let (mut n, mut next) = (0, 1);
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut buffer = vec![0; CHUNK];
        while n < count {
            let chunk = &mut buffer[..CHUNK.min(usize::try_from(count - n).unwrap_or(CHUNK))];
            fill(chunk).map_err(RunError::Draw)?;
            verifier.push(chunk);
            head.extend(chunk.iter().take(HEAD - head.len()));
            for x in &*chunk {
                let distance = *x as f64 - center;
                sum += distance;
                squares += distance * distance;
                n += 1;
                if n == next || n == count {
                    let size = n as f64;
                    track.push(Point { n, mean: center + sum / size, deviation: (squares / size).sqrt() });
                    next = n + n / 20 + 1;
                }
            }
        }
        let report = verifier.finish().map_err(RunError::Verify)?;
        Ok(Run { head, track, z: sum / sigma / (count as f64).sqrt(), mean: center, sigma, report })
    }
}

/// How many of the 64 bit positions of these words repeat with a period that is a power of two
/// and at most an eighth of their number n. For random words some do with probability below
/// 64·log2(n)·2^(-7n/8). A congruential generator's bit i
/// has period 2^(i+1): that is how KISS-64 with a zero state is found out.
///
/// ```
/// use samplez_check::seeding::repeating_bits;
/// let counter: Vec<u64> = (0..1024).collect();
/// assert_eq!(repeating_bits(&counter), 7 + 54); // bits 0 … 6, and the zeros from bit 10 on
/// ```
pub fn repeating_bits(words: &[u64]) -> u32 {
    let mut repeating = 0;
    let mut period = 1;
    while period <= words.len() / 8 {
        let differing = words.iter().zip(&words[period..]).fold(0, |seen, (a, b)| seen | (a ^ b));
        repeating |= !differing;
        period *= 2;
    }
    repeating.count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng;
    use samplez_sources::{ChaCha20, Kiss64, Seed};

    #[test]
    fn the_track_is_the_running_mean() {
        let law = DiscreteGaussian::with_sigma("10".parse().unwrap()).unwrap();
        let mut next = 0;
        let run = Run::new(&law, 20_001, |out| {
            out.iter_mut().for_each(|x| {
                *x = next % 7 - 3;
                next += 1;
            });
            Ok::<(), ()>(())
        });
        let run = run.unwrap();
        assert_eq!(run.head[..8], [-3, -2, -1, 0, 1, 2, 3, -3]);
        for point in &run.track {
            let seen: Vec<f64> = (0..point.n).map(|i| (i % 7) as f64 - 3.0).collect();
            let size = point.n as f64;
            assert!((point.mean - seen.iter().sum::<f64>() / size).abs() < 1e-9);
            assert!((point.deviation - (seen.iter().map(|x| x * x).sum::<f64>() / size).sqrt()).abs() < 1e-9);
        }
        assert_eq!(run.track.last().unwrap().n, 20_001);
        assert!(run.track.len() < 200 && run.track.windows(2).all(|pair| pair[0].n < pair[1].n));
        // 2857 whole rounds sum to 0, and the last two samples are -3 and -2.
        assert!((run.z + 5.0 / 10.0 / 20_001_f64.sqrt()).abs() < 1e-6, "{}", run.z);
    }

    #[test]
    fn bits_that_repeat() {
        let words = |mut rng: Box<dyn Rng>| (0..4096).map(|_| rng.next_u64()).collect::<Vec<u64>>();
        assert_eq!(repeating_bits(&words(Box::new(ChaCha20::new(&Seed::from_bytes([0; 32]))))), 0);
        assert_eq!(repeating_bits(&words(Box::new(Kiss64::new(&Seed::from_bytes([1; 32]))))), 0);
        // Bits 0 to 8, whose periods are 2 to 512.
        assert_eq!(repeating_bits(&words(Box::new(Kiss64::new(&Seed::from_bytes([0; 32]))))), 9);
    }
}
