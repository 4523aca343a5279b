//! Samplers as distributions of `rand`: the law is the sampler's, because the bits are.
#![cfg(feature = "rand")]

use rand::distr::Distribution;
use rand::{RngExt, SeedableRng};
use rand_core::{Rng, TryRng};
use samplez::samplers::Karney;
use samplez::sources::ChaCha20;
use samplez::{
    BitReader, Built, DiscreteGaussian, Method, Noise, Profile, RandDistribution, RangeError, Recipe, Sampler, Timing,
    bindings::{Counted, Slots},
};
use std::convert::Infallible;

/// Words from a place on, and how many were taken.
#[derive(Clone)]
struct Tape<'a> {
    words: &'a [u64],
    taken: usize,
}

impl TryRng for Tape<'_> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("whole words are asked for, or bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.taken += 1;
        Ok(self.words[self.taken - 1])
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for bytes in out.chunks_mut(8) {
            bytes.copy_from_slice(&self.try_next_u64()?.to_le_bytes());
        }
        Ok(())
    }
}

fn words(count: usize) -> Vec<u64> {
    let mut rng = ChaCha20::seed_from_u64(7);
    (0..count).map(|_| rng.next_u64()).collect()
}

fn built(text: &str) -> Built {
    text.parse::<Recipe>().unwrap().build().unwrap()
}

/// Each sample is that of a reader which starts at a word that no other sample has seen.
#[test]
fn every_method_samples_from_words_of_its_own() {
    let words = words(200_000);
    for method in Method::ALL {
        let laws = ["sigma=100", "k_sigma2=254", "sigma=3", "sigma=1e9"]
            .map(|law| format!("{law},method={method}").parse::<Recipe>().unwrap());
        let sampler = laws.iter().find_map(|recipe| recipe.build().ok()).unwrap().into_sampler();
        let d = RandDistribution::new(&*sampler);
        let mut tape = Tape { words: &words, taken: 0 };
        for _ in 0..300 {
            let here = Tape { words: &words[tape.taken..], taken: 0 };
            let expected = sampler.sample(&mut BitReader::new(here));
            let before = tape.taken;
            assert_eq!(tape.sample(d), expected, "{method}");
            assert!(tape.taken > before, "{method}");
        }
    }
}

/// Every method's iterator gives the samples of fills of 2048, across the ends of its buffers.
#[test]
fn an_iterator_s_samples_are_those_of_a_fill() {
    for method in Method::ALL {
        let laws = ["sigma=100", "k_sigma2=254", "sigma=3", "sigma=1e9"]
            .map(|law| format!("{law},method={method}").parse::<Recipe>().unwrap());
        let sampler = laws.iter().find_map(|recipe| recipe.build().ok()).unwrap().into_sampler();
        let mut filled = vec![0_i64; 2 * 2048];
        let mut bits = BitReader::new(ChaCha20::seed_from_u64(3));
        filled.chunks_mut(2048).for_each(|part| sampler.fill(&mut bits, part).unwrap());
        let iterator = RandDistribution::new(&*sampler).fill_iter(ChaCha20::seed_from_u64(3));
        assert!(iterator.take(4096).eq(filled), "{method}");
    }
    let narrow = built("sigma=3.2,method=cdt-lazy-ct");
    let mut filled = vec![0_i8; 5 * 2048];
    narrow.sampler().fill(&mut BitReader::new(ChaCha20::seed_from_u64(3)), &mut filled).unwrap();
    let d = RandDistribution::new(narrow.sampler()).narrow::<i8>().unwrap();
    assert!(d.fill_iter(ChaCha20::seed_from_u64(3)).take(filled.len()).eq(filled));
}

/// Zeros alone.
struct Stuck;

impl TryRng for Stuck {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("bytes are asked for")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("bytes are asked for")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.fill(0);
        Ok(())
    }
}

#[test]
fn an_iterator_over_a_stuck_generator_ends() {
    for method in ["karney", "cdt-lazy-ct"] {
        let built = built(&format!("sigma=3.2,method={method}"));
        let mut iterator = RandDistribution::new(built.sampler()).fill_iter(Stuck);
        assert_eq!([iterator.next(), iterator.next()], [None, None], "{method}");
    }
}

/// As many words as hold the sample's bits, and none more.
#[test]
fn words_are_not_wasted() {
    let words = words(10_000);
    let sampler = Karney::new(&DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap()).unwrap();
    let mut tape = Tape { words: &words, taken: 0 };
    let mut bits = 0;
    for _ in 0..1000 {
        let mut reader = Counted::new(BitReader::new(Tape { words: &words[tape.taken..], taken: 0 }));
        let expected = sampler.sample(&mut reader);
        let before = tape.taken;
        assert_eq!(RandDistribution::new(&sampler).sample(&mut tape), expected);
        assert_eq!((tape.taken - before) as u64, reader.count().div_ceil(64));
        bits += reader.count();
    }
    assert!(bits < 64 * tape.taken as u64);
}

#[test]
fn a_type_that_does_not_hold_the_support_is_refused() {
    let narrow = built("sigma=3.2,method=cdt,precision=72");
    let d = RandDistribution::new(narrow.sampler());
    let noise: Vec<i8> = ChaCha20::seed_from_u64(1).sample_iter(d.narrow().unwrap()).take(1000).collect();
    let wide: Vec<i64> = ChaCha20::seed_from_u64(1).sample_iter(d).take(1000).collect();
    assert!(noise.iter().map(|x| i64::from(*x)).eq(wide));

    let wide = built("sigma=100,method=cdt,precision=72");
    let refused = RandDistribution::new(wide.sampler()).narrow::<i8>().unwrap_err();
    assert_eq!((refused.support.clone(), refused.dtype), (wide.profile().support.clone(), "i8"));
    let exact = built("sigma=3.2,method=karney");
    let d = RandDistribution::new(exact.sampler());
    assert!(d.narrow::<i8>().is_err() && d.narrow::<i32>().is_err() && d.narrow::<i64>().is_ok());
}

/// A `Noise` that is none of our samplers.
struct Foreign(Karney);

impl Noise for Foreign {
    fn noise_profile(&self) -> Profile {
        self.0.profile()
    }
    fn noise_timing(&self) -> Timing {
        Karney::TIMING
    }
    fn noise_sample(&self, bits: &mut BitReader<dyn Rng + '_>) -> i64 {
        self.0.sample(bits)
    }
    fn noise_batch(&self) -> usize {
        self.0.noise_batch()
    }
    fn noise_fill(&self, bits: &mut BitReader<dyn Rng + '_>, out: Slots<'_>) -> Result<(), RangeError> {
        self.0.noise_fill(bits, out)
    }
}

/// It samples all the same, from a reader's 1024 bytes.
#[test]
fn another_noise_is_a_distribution_too() {
    let words = words(1000);
    let noise = Foreign(Karney::new(&DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap()).unwrap());
    let mut tape = Tape { words: &words, taken: 0 };
    let expected = noise.0.sample(&mut BitReader::new(tape.clone()));
    assert_eq!(RandDistribution::new(&noise).sample(&mut tape), expected);
    assert_eq!(tape.taken, 128);
}
