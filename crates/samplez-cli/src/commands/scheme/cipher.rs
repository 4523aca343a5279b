//! An encryption scheme, as the command sees it: [`Cipher`]. A file for each implements it.

use samplez::Noise;
use samplez_schemes::{Demand, Error};
use samplez_sources::CryptoGenerator;
use std::fmt::Display;
use std::str::FromStr;
use zeroize::Zeroizing;

/// Encryption of bytes, with fallible decryption.
pub(crate) trait Cipher {
    /// As the command has it.
    const NAME: &'static str;
    /// A parameter set.
    type Set: Copy + Display + FromStr<Err = Error> + 'static;
    type Public;
    type Secret;

    fn sets() -> &'static [Self::Set];
    /// Whether nobody has stated it, and it fits what somebody measured.
    fn is_inferred(set: Self::Set) -> bool;
    /// By the names that papers have for them.
    fn parameters(set: Self::Set) -> Vec<(&'static str, u64)>;
    /// A key's requirements on its noise.
    fn demand(set: Self::Set) -> Demand;
    /// What a ciphertext does, if it takes any.
    fn ciphertext_demand(key: &Self::Public) -> Option<Demand>;
    fn security(set: Self::Set) -> u32;
    /// log2 of the blocks of a key's life; none where blocks take no noise.
    fn blocks_log2(set: Self::Set) -> Option<u32>;
    fn key_samples(set: Self::Set) -> u64;
    fn block_samples(set: Self::Set) -> u64;
    /// Whole bytes of a block.
    fn block_bytes(set: Self::Set) -> usize;
    /// What fails, and its probability.
    fn failure(set: Self::Set) -> (&'static str, f64);

    fn generate(
        set: Self::Set,
        noise: &dyn Noise,
        rng: &mut CryptoGenerator,
    ) -> Result<(Self::Public, Self::Secret), Error>;
    fn encrypt(
        key: &Self::Public,
        noise: Option<&dyn Noise>,
        message: &[u8],
        rng: &mut CryptoGenerator,
    ) -> Result<Vec<u8>, Error>;
    fn decrypt(key: &Self::Secret, ciphertext: &[u8]) -> Result<Vec<u8>, Error>;

    /// A key's parameters, in words.
    fn described(key: &Self::Public) -> String;
    fn public_bytes(key: &Self::Public) -> Vec<u8>;
    fn secret_bytes(key: &Self::Secret) -> Zeroizing<Vec<u8>>;
    fn read_public(bytes: &[u8]) -> Result<Self::Public, Error>;
    fn read_secret(bytes: &[u8]) -> Result<Self::Secret, Error>;
}
