//! A signature by a trapdoor, \[GPV08\]: a preimage of the hash of a salt and a message. docs/book/trapdoors.md explains it.
//! `cargo run --example signature`, for teaching: its parameters are too small, and it lacks an encoding.

use samplez::{BitReader, Seed, rand_core::Rng};
use samplez_core::uniform::fill_below;
use samplez_lattice::{Parameters, PublicMatrix, Trapdoor, TrapdoorError};
use samplez_sources::ChaCha20;
use sha2::{Digest, Sha256};
use std::num::NonZeroU32;

const Q: NonZeroU32 = NonZeroU32::new(1 << 14).unwrap();

/// A hash of salt and message to Z_q^n.
fn target(a: &PublicMatrix, salt: &[u8; 32], message: &[u8]) -> Vec<u64> {
    let seed = Sha256::new().chain_update(salt).chain_update(message).finalize();
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes(seed.into())));
    let mut target = vec![0; a.rows()];
    fill_below(Q, &mut bits, &mut target);
    target.into_iter().map(u64::from).collect()
}

fn sign(key: &Trapdoor, message: &[u8], rng: &mut ChaCha20) -> Result<([u8; 32], Vec<i64>), TrapdoorError> {
    let mut salt = [0; 32];
    rng.fill_bytes(&mut salt);
    let x = key.preimage(&target(key.public(), &salt, message), rng)?;
    Ok((salt, x))
}

/// Whether x is a preimage of the hash with ‖x‖ at most 1.2·σ·sqrt(m). A preimage is longer with a probability below 2^-50 at this m.
fn verify(a: &PublicMatrix, sigma: f64, message: &[u8], (salt, x): &([u8; 32], Vec<i64>)) -> bool {
    let norm: f64 = x.iter().map(|x| (*x as f64).powi(2)).sum();
    norm <= (1.2 * sigma).powi(2) * x.len() as f64 && a.apply(x).is_ok_and(|u| u == target(a, salt, message))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = ChaCha20::new(&Seed::from_bytes([7; 32])); // Seed::from_os()? but in a test
    let key = Trapdoor::generate(&Parameters::new(64, Q.get().into()), &mut rng)?;
    let signature = sign(&key, b"a text", &mut rng)?;
    let sigma = key.sigma().to_f64();
    assert!(verify(key.public(), sigma, b"a text", &signature));
    assert!(!verify(key.public(), sigma, b"a test", &signature));
    Ok(())
}
