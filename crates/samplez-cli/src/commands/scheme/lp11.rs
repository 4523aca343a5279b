//! LP11.

use super::cipher::Cipher;
use samplez::Noise;
use samplez_schemes::lp11::{PublicKey, SecretKey, Set, generate};
use samplez_schemes::{Demand, Error};
use samplez_sources::CryptoGenerator;
use zeroize::Zeroizing;

pub(crate) struct Lp11;

impl Cipher for Lp11 {
    const NAME: &'static str = "lp11";
    type Set = Set;
    type Public = PublicKey;
    type Secret = SecretKey;

    fn sets() -> &'static [Set] {
        &Set::ALL
    }
    fn is_inferred(_: Set) -> bool {
        false
    }
    fn parameters(set: Set) -> Vec<(&'static str, u64)> {
        let of = set.parameters();
        vec![("n", of.n as u64), ("q", of.q.get().into()), ("l", of.l as u64)]
    }
    fn demand(set: Set) -> Demand {
        set.demand()
    }
    fn ciphertext_demand(key: &PublicKey) -> Option<Demand> {
        Some(key.set().demand())
    }
    fn security(set: Set) -> u32 {
        set.parameters().security
    }
    fn blocks_log2(set: Set) -> Option<u32> {
        Some(set.parameters().encryptions_log2)
    }
    fn key_samples(set: Set) -> u64 {
        set.parameters().key_samples
    }
    fn block_samples(set: Set) -> u64 {
        set.parameters().block_samples
    }
    fn block_bytes(set: Set) -> usize {
        set.parameters().l / 8
    }
    fn failure(set: Set) -> (&'static str, f64) {
        ("bit", set.failure_rate())
    }

    fn generate(set: Set, noise: &dyn Noise, rng: &mut CryptoGenerator) -> Result<(PublicKey, SecretKey), Error> {
        generate(set, noise, rng)
    }
    fn encrypt(
        key: &PublicKey,
        noise: Option<&dyn Noise>,
        message: &[u8],
        rng: &mut CryptoGenerator,
    ) -> Result<Vec<u8>, Error> {
        let none = || Error::Refused {
            argument: "noise",
            value: "none".into(),
            allowed: format!("its law must be {}", key.set().demand().law),
        };
        key.encrypt(noise.ok_or_else(none)?, message, rng)
    }
    fn decrypt(key: &SecretKey, ciphertext: &[u8]) -> Result<Vec<u8>, Error> {
        key.decrypt(ciphertext)
    }

    fn described(key: &PublicKey) -> String {
        key.set().to_string()
    }
    fn public_bytes(key: &PublicKey) -> Vec<u8> {
        key.to_bytes()
    }
    fn secret_bytes(key: &SecretKey) -> Zeroizing<Vec<u8>> {
        key.to_bytes()
    }
    fn read_public(bytes: &[u8]) -> Result<PublicKey, Error> {
        PublicKey::from_bytes(bytes)
    }
    fn read_secret(bytes: &[u8]) -> Result<SecretKey, Error> {
        SecretKey::from_bytes(bytes)
    }
}
