//! A reference sampler for tests: inversion in doubles, with nothing of the library's samplers.

pub(crate) mod brackets;
pub(crate) mod cdt;
pub(crate) mod convolution;
pub(crate) mod lazy;
pub(crate) mod one_word;
pub(crate) mod ziggurat;

use rand_core::TryRng;
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::{DiscreteGaussian, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::{Report, Verdict, Verifier};
use samplez_tables::Law;
use std::convert::Infallible;

/// A generator that is stuck: all bits are ones.
pub(crate) struct Ones;

impl TryRng for Ones {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::MAX)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::MAX)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.fill(0xff);
        Ok(())
    }
}

/// Uniform doubles from ChaCha20 under the seed `number`.
pub(crate) struct Random(BitReader<ChaCha20>);

impl Random {
    pub(crate) fn new(number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Random(BitReader::new(ChaCha20::new(&Seed::from_bytes(bytes))))
    }

    /// Uniform on [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        self.0.bits(53) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn below(&mut self, m: u64) -> u64 {
        samplez_core::bits::uniform_below(m, &mut self.0)
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.0.bit()
    }

    /// Standard normal (Box–Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (core::f64::consts::TAU * self.unit()).cos()
    }
}

pub(crate) fn law(sigma: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
}

/// Draws from a law: by its cumulated probabilities up to σ = 10^4, and above as a rounded normal
/// variable, whose variance is larger by 1/(12σ²), below 1e-9 of it.
pub(crate) enum Reference {
    Table { first: i64, cumulated: Vec<f64> },
    Rounded { sigma: f64, whole: i64, rest: f64 },
}

impl Reference {
    pub(crate) fn new(target: &DiscreteGaussian) -> Self {
        let law = Law::new(target);
        if law.sigma() > 1e4 {
            let whole = target.center().floor();
            let rest = (target.center().num() as i128 - whole as i128 * target.center().den() as i128) as f64;
            return Reference::Rounded { sigma: law.sigma(), whole, rest: rest / target.center().den() as f64 };
        }
        let range = law.tail_range(-70.0).unwrap();
        let mut sum = 0.0;
        let first = *range.start();
        let cumulated = range.map(|x| {
            sum += law.pmf(x);
            sum
        });
        Reference::Table { first, cumulated: cumulated.collect() }
    }

    pub(crate) fn draw(&self, random: &mut Random) -> i64 {
        match self {
            Reference::Table { first, cumulated } => {
                let u = random.unit();
                first + cumulated.partition_point(|sum| *sum <= u).min(cumulated.len() - 1) as i64
            }
            Reference::Rounded { sigma, whole, rest } => whole + (rest + sigma * random.normal()).round() as i64,
        }
    }

    pub(crate) fn draws(&self, seed: u64, n: usize) -> Vec<i64> {
        let mut random = Random::new(seed);
        (0..n).map(|_| self.draw(&mut random)).collect()
    }
}

pub(crate) fn verify(target: &DiscreteGaussian, samples: &[i64]) -> Report {
    let mut verifier = Verifier::new(target).unwrap();
    verifier.push(samples);
    verifier.finish().unwrap()
}

/// The names of the tests that reject.
pub(crate) fn rejecting(report: &Report) -> Vec<&str> {
    let rejects = report.tests.iter().filter(|test| test.verdict == Verdict::Reject);
    let names: Vec<_> = rejects.map(|test| test.name.as_str()).collect();
    assert_eq!(names.is_empty(), report.consistent);
    names
}

/// The samples are rejected, and `seen_by` is among the tests that do so.
pub(crate) fn rejected(what: &str, target: &DiscreteGaussian, samples: &[i64], seen_by: &[&str]) {
    let report = verify(target, samples);
    let names = rejecting(&report);
    println!("{what}: {names:?}");
    for name in seen_by {
        assert!(names.contains(name), "{what}: {name} does not see it, only {names:?} do: {report:?}");
    }
}
