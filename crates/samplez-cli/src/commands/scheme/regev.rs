//! Regev's encryption.

use super::cipher::Cipher;
use samplez::Noise;
use samplez_schemes::regev::{PublicKey, SecretKey, Set, Shape, generate};
use samplez_schemes::{Demand, Error};
use samplez_sources::CryptoGenerator;
use zeroize::Zeroizing;

pub(crate) struct Regev;

impl Cipher for Regev {
    const NAME: &'static str = "regev";
    type Set = Set;
    type Public = PublicKey;
    type Secret = SecretKey;

    fn sets() -> &'static [Set] {
        &Set::ALL
    }
    fn is_inferred(set: Set) -> bool {
        set == Set::Jsdgs17N256
    }
    fn parameters(set: Set) -> Vec<(&'static str, u64)> {
        let Shape { n, l, m, q, r, t } = set.parameters().shape();
        [("n", n), ("l", l), ("m", m), ("q", q), ("r", r), ("t", t)].map(|(name, value)| (name, value.into())).to_vec()
    }
    fn demand(set: Set) -> Demand {
        set.parameters().demand()
    }
    fn ciphertext_demand(_: &PublicKey) -> Option<Demand> {
        None
    }
    fn security(set: Set) -> u32 {
        set.security()
    }
    fn blocks_log2(_: Set) -> Option<u32> {
        None
    }
    fn key_samples(set: Set) -> u64 {
        let Shape { m, l, .. } = set.parameters().shape();
        u64::from(m) * u64::from(l)
    }
    fn block_samples(_: Set) -> u64 {
        0
    }
    fn block_bytes(set: Set) -> usize {
        let Shape { l, t, .. } = set.parameters().shape();
        (l * t.ilog2() / 8) as usize
    }
    fn failure(set: Set) -> (&'static str, f64) {
        ("letter", set.parameters().letter_error())
    }

    fn generate(set: Set, noise: &dyn Noise, rng: &mut CryptoGenerator) -> Result<(PublicKey, SecretKey), Error> {
        generate(set, noise, rng)
    }
    fn encrypt(
        key: &PublicKey,
        _: Option<&dyn Noise>,
        message: &[u8],
        rng: &mut CryptoGenerator,
    ) -> Result<Vec<u8>, Error> {
        key.encrypt(message, rng)
    }
    fn decrypt(key: &SecretKey, ciphertext: &[u8]) -> Result<Vec<u8>, Error> {
        key.decrypt(ciphertext)
    }

    fn described(key: &PublicKey) -> String {
        let parameters = key.parameters();
        let set = Set::ALL.into_iter().find(|set| set.parameters() == parameters);
        set.map_or_else(|| format!("{:?}, {}", parameters.shape(), parameters.demand().law), |set| set.to_string())
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
