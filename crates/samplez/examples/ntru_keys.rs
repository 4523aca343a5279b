//! The keys of an NTRU signature with Falcon-512's parameters, by noise that is checked against its requirements:
//! docs/book/tutorial-cryptographer.md explains it. `cargo run --example ntru_keys`, an exercise.

use rand_core::CryptoRng;
use samplez::schemes;
use samplez::{BitReader, DiscreteGaussian, Noise, Rational, Seed, Timing, Width};
use samplez_schemes::{Demand, Problem, Ring};
use samplez_sources::ChaCha20;
use std::error::Error;
use zeroize::Zeroizing;

const RING: Ring = Ring::N512Q12289; // Z_12289[x]/(x^512 + 1)

fn demand() -> Result<Demand, Box<dyn Error>> {
    let law = DiscreteGaussian::new(Rational::ZERO, Width::SigmaSq("168224121/10240000".parse()?))?;
    Ok(Demand { samples_log2: 31, ..Demand::new(law, Problem::Search) })
}

type Polynomial = Zeroizing<Vec<i16>>; // erased when it is dropped

/// f, g and h = g/f modulo q: f can be inverted, and (f, g) is no longer than 1.17·sqrt(q), the first half of Falcon's test.
fn generate(noise: &dyn Noise, rng: &mut impl CryptoRng) -> Result<(Polynomial, Polynomial, Vec<i16>), Box<dyn Error>> {
    demand()?.check(noise)?;
    let mut bits = BitReader::new(rng);
    loop {
        let (mut f, mut g) = (Zeroizing::new(vec![0_i16; 512]), Zeroizing::new(vec![0_i16; 512]));
        noise.fill(&mut bits, &mut f)?;
        noise.fill(&mut bits, &mut g)?;
        let length: i32 = f.iter().chain(g.iter()).map(|x| i32::from(*x).pow(2)).sum();
        let mut inverse = f.clone();
        RING.transform(&mut inverse);
        if length > 16_822 || !RING.invert(&mut inverse) {
            continue; // about every second candidate; it is thrown away whole, independently of the next
        }
        let mut h = g.to_vec();
        RING.transform(&mut h);
        RING.multiply(&mut h, &inverse);
        RING.untransform(&mut h);
        return Ok((f, g, h));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let noise = schemes::noise(&demand()?, "")?;
    assert_eq!(noise.profile().timing, Timing::Constant);
    let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32])); // Seed::from_os()? but in a test
    let (f, g, h) = generate(noise.sampler(), &mut rng)?;
    assert_eq!(RING.product(&f, &h), *g);

    // Noise that is not good enough is refused, with the reason: here a table of 24 bits.
    let coarse = "sigma_squared=168224121/10240000,method=cdt-ct,precision=24".parse::<samplez::Recipe>()?.build()?;
    assert!(generate(coarse.sampler(), &mut rng).is_err());
    Ok(())
}
