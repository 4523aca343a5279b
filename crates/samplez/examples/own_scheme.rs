//! Encryption under a secret key in Z_q[x]/(x^512 + 1), by the library's noise, its check, uniform residues and rings:
//! docs/book/schemes.md explains it. `cargo run --example own_scheme`, for teaching.

use rand_core::{CryptoRng, Rng};
use samplez::schemes;
use samplez::{BitReader, DiscreteGaussian, Noise, Seed};
use samplez_core::uniform::fill_below;
use samplez_schemes::{Demand, Problem, Ring};
use samplez_sources::ChaCha20;
use std::{error::Error, num::NonZeroU16};
use zeroize::Zeroizing;

const RING: Ring = Ring::N512Q12289;
const N: usize = 512;
const Q: NonZeroU16 = NonZeroU16::new(12_289).unwrap();

/// 2^20 ciphertexts of 512 samples each, and the key: less than 2^30 samples. An adversary who distinguishes ciphertexts
/// wins, so the problem is one of decision.
fn demand() -> Result<Demand, Box<dyn Error>> {
    let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
    Ok(Demand { samples_log2: 30, ..Demand::new(law, Problem::Decision) })
}

/// s, transformed. It is erased when it is dropped.
struct Key<'a> {
    s: Zeroizing<Vec<i16>>,
    noise: &'a dyn Noise,
}

/// (a, b) with b = a·s + e + ⌊q/2⌋·m: a transformed, b not.
struct Ciphertext {
    a: Vec<i16>,
    b: Vec<i16>,
}

/// A polynomial of noise. Noise that does not fit 16 bits is an error.
fn draw(noise: &dyn Noise, bits: &mut BitReader<dyn Rng + '_>) -> Result<Zeroizing<Vec<i16>>, Box<dyn Error>> {
    let mut e = Zeroizing::new(vec![0_i16; N]);
    noise.fill(bits, &mut e)?;
    Ok(e)
}

fn reduced(x: i16) -> i16 {
    let (x, q) = (i32::from(x).rem_euclid(12_289), 12_289);
    (x - if x > q / 2 { q } else { 0 }) as i16
}

impl<'a> Key<'a> {
    /// The demand is checked once, here; the generator has to be a cryptographic one, or this does not compile.
    fn generate(noise: &'a dyn Noise, rng: &mut impl CryptoRng) -> Result<Self, Box<dyn Error>> {
        demand()?.check(noise)?;
        let mut s = draw(noise, &mut BitReader::new(rng))?;
        RING.transform(&mut s);
        Ok(Key { s, noise })
    }

    fn encrypt(&self, message: &[u8; N / 8], rng: &mut impl CryptoRng) -> Result<Ciphertext, Box<dyn Error>> {
        let mut bits = BitReader::new(rng);
        let mut uniform = vec![0_u16; N];
        fill_below(Q, &mut bits, &mut uniform); // uniform before the transform is uniform after it
        let a: Vec<i16> = uniform.iter().map(|a| reduced(*a as i16)).collect();
        let e = draw(self.noise, &mut bits)?;
        let mut b = a.clone();
        RING.multiply(&mut b, &self.s);
        RING.untransform(&mut b);
        for (i, (b, e)) in b.iter_mut().zip(e.iter()).enumerate() {
            let bit = i16::from(message[i / 8] >> (i % 8) & 1);
            *b = reduced(*b + e + 6144 * bit);
        }
        Ok(Ciphertext { a, b })
    }

    /// A bit is 1 where b - a·s is nearer to q/2 than to 0. One ciphertext is wrong where |e| >= 3072 = 960σ, which does not happen; of
    /// a sum of k the error grows as the root of k, and by 1 for each two bits that carry.
    fn decrypt(&self, ciphertext: &Ciphertext) -> [u8; N / 8] {
        let mut product = Zeroizing::new(ciphertext.a.clone());
        RING.multiply(&mut product, &self.s);
        RING.untransform(&mut product);
        let mut message = [0; N / 8];
        for (i, (b, product)) in ciphertext.b.iter().zip(product.iter()).enumerate() {
            message[i / 8] |= u8::from(reduced(b - product).abs() > 3072) << (i % 8);
        }
        message
    }
}

impl Ciphertext {
    fn plus(&self, other: &Self) -> Self {
        let sum = |x: &[i16], y: &[i16]| x.iter().zip(y).map(|(x, y)| reduced(x + y)).collect();
        Ciphertext { a: sum(&self.a, &other.a), b: sum(&self.b, &other.b) }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let noise = schemes::noise(&demand()?, "")?; // or by a recipe, from a user
    let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32])); // Seed::from_os()? but in a test
    let key = Key::generate(noise.sampler(), &mut rng)?;
    let (x, y) = (key.encrypt(&[0x0f; 64], &mut rng)?, key.encrypt(&[0x55; 64], &mut rng)?);
    assert_eq!(key.decrypt(&x), [0x0f; 64]);
    assert_eq!(key.decrypt(&x.plus(&y)), [0x0f ^ 0x55; 64]);

    let coarse = "sigma=3.2,method=cdt,precision=72".parse::<samplez::Recipe>()?.build()?;
    assert!(Key::generate(coarse.sampler(), &mut rng).is_err()); // its certificate allows too few samples
    Ok(())
}
