//! How operations are timed, and what of it is sampling.

use crate::failure::Failure;
use crate::measure::clock::Clock;
use samplez::{BitReader, Noise, Profile, RangeError, Timing, bindings::Slots};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Runs of an operation, at least and at most.
const RUNS: std::ops::RangeInclusive<usize> = 15..=1 << 16;
/// The share of the runs that counts where times are added: on a shared machine the slowest ones are not the operation's.
const KEPT: f64 = 0.9;

/// The times of an operation, in microseconds, in ascending order.
pub(super) struct Times(Vec<f64>);

impl Times {
    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.0[((self.0.len() - 1) as f64 * p).round() as usize]
    }

    pub(super) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    pub(super) fn runs(&self) -> usize {
        self.0.len()
    }
}

/// An operation, measured.
pub(super) struct Operation {
    pub(super) name: &'static str,
    pub(super) times: Times,
    pub(super) sampling: Option<Sampling>,
}

/// What sampling takes of an operation.
#[derive(Clone, Copy)]
pub(super) struct Sampling {
    /// Of the time, from 0 to 1.
    pub(super) share: f64,
    /// Samples of one operation, on average.
    pub(super) samples: f64,
    /// Microseconds for a sample.
    pub(super) per_sample: f64,
}

/// The processor time of each of many runs, which `check` looks at outside of it.
pub(super) fn times<T>(
    turn: Duration,
    mut run: impl FnMut() -> Result<T, Failure>,
    mut check: impl FnMut(T) -> Result<(), Failure>,
) -> Result<Times, Failure> {
    check(run()?)?; // warms up
    let (mut spent, mut all) = (Duration::ZERO, Vec::new());
    while all.len() < *RUNS.start() || spent < turn && all.len() < *RUNS.end() {
        let start = Clock::now();
        let made = run()?;
        let time = start.elapsed();
        check(made)?;
        spent += time;
        all.push(time.as_secs_f64() * 1e6);
    }
    all.sort_unstable_by(f64::total_cmp);
    Ok(Times(all))
}

/// What sampling takes of an operation that draws from this noise, by wall-clock time.
pub(super) fn sampling(
    turn: Duration,
    noise: &dyn Noise,
    mut run: impl FnMut(&dyn Noise) -> Result<(), Failure>,
) -> Result<Sampling, Failure> {
    let watched = TimedNoise { noise, nanoseconds: AtomicU64::new(0), samples: AtomicU64::new(0) };
    let (begun, mut all) = (Instant::now(), Vec::new());
    while all.len() < *RUNS.start() || begun.elapsed() < turn && all.len() < *RUNS.end() {
        let start = Instant::now();
        run(&watched)?;
        let time = start.elapsed().as_secs_f64() * 1e6;
        let within = watched.nanoseconds.swap(0, Ordering::Relaxed) as f64 / 1e3;
        all.push((time, within, watched.samples.swap(0, Ordering::Relaxed) as f64));
    }
    Ok(summed(all))
}

/// Sums runs, each with its time, the part of it spent in sampling, and the samples.
fn summed(mut all: Vec<(f64, f64, f64)>) -> Sampling {
    let samples = all.iter().map(|(_, _, samples)| samples).sum::<f64>() / all.len() as f64;
    // By the time for a sample, so that many attempts do not count as slow.
    all.sort_unstable_by(|a, b| (a.0 / a.2).total_cmp(&(b.0 / b.2)));
    let kept = &all[..(all.len() as f64 * KEPT).ceil() as usize];
    let sum = |part: fn(&(f64, f64, f64)) -> f64| kept.iter().map(part).sum::<f64>();
    let (time, within, drawn) = (sum(|run| run.0), sum(|run| run.1), sum(|run| run.2));
    Sampling { share: within / time, samples, per_sample: within / drawn }
}

/// A sampler whose fills are timed, the generator's time within them included.
struct TimedNoise<'a> {
    noise: &'a dyn Noise,
    nanoseconds: AtomicU64,
    samples: AtomicU64,
}

impl TimedNoise<'_> {
    fn watch<T>(&self, samples: usize, draw: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let drawn = draw();
        self.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        self.samples.fetch_add(samples as u64, Ordering::Relaxed);
        drawn
    }
}

impl Noise for TimedNoise<'_> {
    fn noise_profile(&self) -> Profile {
        self.noise.noise_profile()
    }
    fn noise_timing(&self) -> Timing {
        self.noise.noise_timing()
    }
    fn noise_batch(&self) -> usize {
        self.noise.noise_batch()
    }
    fn noise_sample(&self, bits: &mut BitReader<dyn rand_core::Rng + '_>) -> i64 {
        self.watch(1, || self.noise.noise_sample(bits))
    }
    fn noise_fill(&self, bits: &mut BitReader<dyn rand_core::Rng + '_>, out: Slots<'_>) -> Result<(), RangeError> {
        let samples = match &out {
            Slots::I8(out) => out.len(),
            Slots::I16(out) => out.len(),
            Slots::I32(out) => out.len(),
            Slots::I64(out) => out.len(),
        };
        self.watch(samples, || self.noise.noise_fill(bits, out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        let times = Times((0..=10).map(f64::from).collect());
        assert_eq!((times.quantile(0.1), times.median(), times.quantile(0.9), times.runs()), (1.0, 5.0, 9.0, 11));
    }

    /// The slowest tenth of the runs counts for the samples alone.
    #[test]
    fn shares() {
        let mut runs = vec![(10.0, 4.0, 2.0); 9];
        runs.push((1e6, 0.0, 12.0));
        let sampling = summed(runs);
        assert_eq!((sampling.share, sampling.samples, sampling.per_sample), (0.4, 3.0, 2.0));
    }

    /// Waits in each fill.
    struct Waiting<'a>(&'a dyn Noise);

    const WAIT: Duration = Duration::from_millis(5);

    impl Noise for Waiting<'_> {
        fn noise_profile(&self) -> Profile {
            self.0.noise_profile()
        }
        fn noise_timing(&self) -> Timing {
            self.0.noise_timing()
        }
        fn noise_batch(&self) -> usize {
            self.0.noise_batch()
        }
        fn noise_sample(&self, bits: &mut BitReader<dyn rand_core::Rng + '_>) -> i64 {
            self.0.noise_sample(bits)
        }
        fn noise_fill(&self, bits: &mut BitReader<dyn rand_core::Rng + '_>, out: Slots<'_>) -> Result<(), RangeError> {
            std::thread::sleep(WAIT);
            self.0.noise_fill(bits, out)
        }
    }

    /// What a fill waits is sampling, what passes outside of fills is not; samples are counted. A sleep takes its time at least, whatever
    /// else the machine does.
    #[test]
    fn fills_are_timed() {
        use samplez::{Recipe, Seed};
        use samplez_sources::ChaCha20;
        let built = "sigma=3.2".parse::<Recipe>().unwrap().build().unwrap();
        let wait = WAIT.as_secs_f64() * 1e6;
        let measure = |noise: &dyn Noise, wait: Duration| {
            let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
            let mut out = vec![0_i16; 1 << 14];
            let sampling = sampling(Duration::ZERO, noise, |noise| {
                let mut reader = BitReader::new(&mut rng);
                let bits: &mut BitReader<dyn rand_core::Rng + '_> = &mut reader;
                noise.noise_fill(bits, Slots::I16(&mut out)).unwrap();
                std::thread::sleep(wait);
                Ok(())
            });
            let sampling = sampling.unwrap();
            assert_eq!(sampling.samples, 16_384.0);
            let within = sampling.per_sample * sampling.samples;
            (within, within / sampling.share - within)
        };
        let (within, _) = measure(&Waiting(built.sampler()), Duration::ZERO);
        assert!(within >= 0.999 * wait, "{within}");
        let (_, outside) = measure(built.sampler(), WAIT);
        assert!(outside >= 0.999 * wait, "{outside}");
    }
}
