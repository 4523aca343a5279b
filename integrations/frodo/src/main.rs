//! FrodoKEM by frodo-kem with its own noise and with samplez's: the same keys, ciphertexts and shared secrets, byte for byte.

mod glue;

use frodo_kem::hazmat::{
    Expanded, Frodo640, Frodo976, Frodo1344, FrodoCdfSample, FrodoKem, FrodoShake, Kem, Params, Sample,
};
use rand_core::{Infallible, TryCryptoRng, TryRng};
use std::time::{Duration, Instant};

/// SplitMix64: what is compared needs no secrets.
struct Mixed(u64);

impl TryRng for Mixed {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.try_next_u64()? as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(z ^ z >> 31)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&self.try_next_u64()?.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Mixed {}

/// A key, a ciphertext and its secret of this seed, and the time of both steps. The secret must be decapsulated again.
fn run<K: Kem>(seed: u64) -> ([Vec<u8>; 4], [Duration; 2]) {
    let (kem, mut rng) = (K::default(), Mixed(seed));
    let start = Instant::now();
    let (public, secret) = kem.generate_keypair(&mut rng);
    let generated = start.elapsed();
    let start = Instant::now();
    let (ciphertext, shared) = kem.encapsulate_with_rng(&public, &mut rng);
    let encapsulated = start.elapsed();
    let (decapsulated, _) = kem.decapsulate(&secret, &ciphertext);
    assert!(decapsulated.as_ref() == shared.as_ref(), "seed {seed}: another secret is decapsulated");
    let bytes =
        [public.as_ref().to_vec(), secret.as_ref().to_vec(), ciphertext.as_ref().to_vec(), shared.as_ref().to_vec()];
    (bytes, [generated, encapsulated])
}

/// The two noises over every word, over lengths that are no whole batches, and over the same random words; the least times of each.
fn noise<P: Params>(seed: u64) -> [Duration; 2] {
    let (before, after) = (FrodoCdfSample::<P>::default(), glue::Noise::<P>::default());
    let compared = |words: Vec<u16>| {
        let (mut theirs, mut ours) = (words.clone(), words);
        let start = Instant::now();
        before.sample(&mut theirs);
        let first = start.elapsed();
        let start = Instant::now();
        after.sample(&mut ours);
        let second = start.elapsed();
        assert!(theirs == ours, "the noises differ");
        [first, second]
    };
    compared((0..=u16::MAX).collect());
    for length in [0, 1, 2, 7, 31, 33, 100, 143, 145, 511, 513, 1000] {
        compared((0..length).map(|i| i * 257).collect());
    }
    let mut rng = Mixed(seed);
    let mut least = [Duration::MAX; 2];
    for _ in 0..300 {
        let words = (0..2 * P::N * P::N_BAR).map(|_| rng.try_next_u32().map(|x| x as u16).unwrap_or(0)).collect();
        let times = compared(words);
        least = [least[0].min(times[0]), least[1].min(times[1])];
    }
    least
}

fn compare<P: Params>(name: &str, count: u64)
where
    FrodoShake<P>: Expanded,
{
    let mut least = [Duration::MAX; 4];
    for seed in 0..count {
        let (wanted, [a, b]) = run::<FrodoKem<P, FrodoShake<P>, FrodoCdfSample<P>>>(seed << 32);
        let (found, [c, d]) = run::<FrodoKem<P, FrodoShake<P>, glue::Noise<P>>>(seed << 32);
        assert!(wanted == found, "{name}, seed {seed}: the bytes differ");
        least = [least[0].min(a), least[1].min(b), least[2].min(c), least[3].min(d)];
    }
    let [before, after] = noise::<P>(7).map(|time| time.as_secs_f64() * 1e9 / (2 * P::N * P::N_BAR) as f64);
    let [a, b, c, d] = least.map(|time| time.as_secs_f64() * 1e3);
    println!(
        "  {name}: {count} keys and ciphertexts alike; noise at least {before:.2} ns an integer before, {after:.2} ns after"
    );
    println!("    a key {a:.2} ms before, {c:.2} ms after; a ciphertext {b:.2} ms before, {d:.2} ms after");
}

fn main() {
    compare::<Frodo640>("FrodoKEM-640", 20);
    compare::<Frodo976>("FrodoKEM-976", 10);
    compare::<Frodo1344>("FrodoKEM-1344", 5);
}
