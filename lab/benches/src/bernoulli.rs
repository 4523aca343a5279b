//! BLISS's binary Bernoulli sampler, against itself with a word for each coin.

use crate::contest::{Clock, SAMPLES, contest, seed, taken};
use crate::naive;
use samplez::{BitReader, BitSource, DiscreteGaussian, Rational, Sampler, Width, bindings::Counted};
use samplez_core::samplers::{Bernoulli, DuWei5};
use samplez_sources::ChaCha20;
use samplez_tables::{BernoulliOptions, build_bernoulli};
use std::error::Error;

/// Algorithms 8 and 10 to 12 of \[DDLL13\] over entries of 64 bits, each coin and y a word of its
/// own, as the implementations do that \[BSOVOGR17\] count.
struct WordByWord {
    k: u64,
    entries: Vec<u64>,
}

impl WordByWord {
    fn half<B: BitSource>(bits: &mut B) -> u64 {
        'restart: loop {
            if bits.bits(64) & 1 == 0 {
                return 0;
            }
            for x in 1.. {
                for _ in 0..2 * x - 2 {
                    if bits.bits(64) & 1 != 0 {
                        continue 'restart;
                    }
                }
                if bits.bits(64) & 1 == 0 {
                    return x;
                }
            }
        }
    }

    fn sample<B: BitSource>(&self, bits: &mut B) -> i64 {
        loop {
            let x = Self::half(bits);
            let y = bits.bits(64) % self.k;
            let z = y * (y + 2 * self.k * x);
            if (0..64 - z.leading_zeros()).any(|i| z >> i & 1 != 0 && bits.bits(64) >= self.entries[i as usize]) {
                continue;
            }
            let value = (self.k * x + y) as i64;
            if value == 0 && bits.bits(64) & 1 == 0 {
                continue;
            }
            return if bits.bits(64) & 1 == 0 { value } else { -value };
        }
    }
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for k in [4, 127, 254, 188_388] {
        let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(k)))?;
        let sampler = Bernoulli::from_table(build_bernoulli(&law, &BernoulliOptions::default())?);
        let frugal = sampler.clone().frugal();
        let du_wei = DuWei5::new(&law)?;
        let short = build_bernoulli(&law, &BernoulliOptions { precision: 64, ..BernoulliOptions::default() })?;
        let entries = short.digits().chunks_exact(2).map(|entry| u64::from(entry[0]) << 32 | u64::from(entry[1]));
        let plain = WordByWord { k: k.unsigned_abs(), entries: entries.collect() };
        let (mut a, mut b, mut c) = (vec![0_i32; SAMPLES], vec![0_i32; SAMPLES], vec![0_i32; SAMPLES]);
        let profile = sampler.profile();
        let title = format!(
            "Bernoulli, k = {k}, 128 bits, {} bytes, {:.1} random bits per sample ({:.0} bytes word by word), to i32",
            profile.table_bytes,
            profile.expected_bits,
            bytes_drawn(&plain)
        );
        contest(
            &title,
            SAMPLES,
            Clock::Processor,
            vec![
                ("bernoulli, fill".into(), Box::new(|bits| sampler.fill(bits, &mut a).map_or(0, |()| taken(&a)))),
                (
                    "bernoulli, sample".into(),
                    Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ sampler.sample(bits) as u64)),
                ),
                (
                    format!("bernoulli --frugal, {:.1} bits", frugal.profile().expected_bits),
                    Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ frugal.sample(bits) as u64)),
                ),
                ("du-wei-5, fill".into(), Box::new(|bits| du_wei.fill(bits, &mut b).map_or(0, |()| taken(&b)))),
                (
                    "a 64-bit word for each coin".into(),
                    Box::new(|bits| naive::fill(&mut c, || plain.sample(bits)).map_or(0, |()| taken(&c))),
                ),
            ],
        );
    }
    Ok(())
}

/// Bytes per sample, over as many samples as a round has.
fn bytes_drawn(plain: &WordByWord) -> f64 {
    let mut bits = Counted::new(BitReader::new(ChaCha20::new(&seed(0))));
    naive::fill(&mut vec![0_i32; SAMPLES], || plain.sample(&mut bits))
        .map_or(f64::NAN, |()| bits.count() as f64 / 8.0 / SAMPLES as f64)
}
