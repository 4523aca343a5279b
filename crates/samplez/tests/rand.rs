//! Samplers as distributions of `rand`: the law is the sampler's, because the bits are.
#![cfg(feature = "rand")]

use rand::distr::Distribution;
use rand::{RngExt, SeedableRng};
use rand_core::{Rng, TryRng};
use samplez::{
    BitReader, Built, DiscreteGaussian, Method, Noise, Profile, RandDistribution, RangeError, Recipe, Sampler, Timing,
    bindings::{Counted, Slots},
};
use samplez_core::samplers::Karney;
use samplez_sources::ChaCha20;
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
            assert!(tape.taken >= before + 2, "{method}");
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

/// The words of a function of their number, and the same as bytes.
#[derive(Clone)]
struct Broken(fn(u64) -> u64, u64);

impl TryRng for Broken {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.try_next_u64()? as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.1 += 1;
        Ok(self.0(self.1))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for bytes in out.chunks_mut(8) {
            bytes.copy_from_slice(&self.try_next_u64()?.to_le_bytes());
        }
        Ok(())
    }
}

/// The message of the panic of a call.
fn panic_of<T>(call: impl FnOnce() -> T) -> Option<String> {
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).err()?;
    payload.downcast_ref::<String>().cloned().or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_string()))
}

/// Neither trait has an error: a stuck generator panics in each method, and no integer comes out.
#[test]
fn a_stuck_generator_panics() {
    for method in Method::ALL {
        let laws = ["sigma=100", "k_sigma2=254", "sigma=3", "sigma=1e9"]
            .map(|law| format!("{law},method={method}").parse::<Recipe>().unwrap());
        let sampler = laws.iter().find_map(|recipe| recipe.build().ok()).unwrap().into_sampler();
        let d = RandDistribution::new(&*sampler);
        let stuck: [fn(u64) -> u64; 4] = [|_| 0, |_| u64::MAX, |_| 0x5555_5555_5555_5555, |_| 0x0123_4567_89ab_cdef];
        for words in stuck {
            let single = panic_of(|| Broken(words, 0).sample(d)).unwrap_or_else(|| panic!("{method}"));
            assert!(single.starts_with("the generator is stuck: it gave"), "{method}: {single}");
            let filled = panic_of(|| d.fill_iter(Broken(words, 0)).next()).unwrap_or_else(|| panic!("{method}"));
            assert!(filled.starts_with("the generator is stuck: it gave"), "{method}: {filled}");
            let read = panic_of(|| sampler.fill(&mut BitReader::new(Broken(words, 0)), &mut [0_i64; 300]));
            assert_eq!(read, Some(filled), "{method}");
            let read = panic_of(|| sampler.sample(&mut BitReader::new(Broken(words, 0))))
                .unwrap_or_else(|| panic!("{method}"));
            assert!(read.starts_with("the generator is stuck: it gave"), "{method}: {read}");
        }
        // Words in turn end a sample, or panic.
        let turns = panic_of(|| Broken(|i| (i % 2).wrapping_neg(), 0).sample(d));
        assert!(turns.is_none_or(|text| text.contains("could not be decided")), "{method}");
    }
}

/// The samples that were made before are the last ones: `zip` cannot go on with fewer.
#[test]
fn an_iterator_over_a_generator_that_dies_panics() {
    let built = built("sigma=3.2,method=karney");
    let dies: fn(u64) -> u64 = |i| if i < 1000 { i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i << 7 } else { 0 };
    let mut secrets = [0_i64; 10_000];
    let iterator = RandDistribution::new(built.sampler()).fill_iter(Broken(dies, 0));
    let text = panic_of(|| secrets.iter_mut().zip(iterator).for_each(|(secret, noise)| *secret += noise)).unwrap();
    assert!(text.contains("stuck"), "{text}");
}

/// As many words as hold the sample's bits, two at least, and none more.
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
        assert_eq!((tape.taken - before) as u64, reader.count().div_ceil(64).max(2));
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
