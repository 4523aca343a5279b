//! Salsa20 (Bernstein, "The Salsa20 family of stream ciphers") with 20, 12 and 8 rounds.

use super::Seed;
use super::bytes::byte_stream;
use super::keystream::Keystream;
use super::seedable::seedable;
use ::salsa20::cipher::KeyIvInit;
use rand_core::TryCryptoRng;

/// The Salsa20 keystream under a seed as its key, with a 64-bit block counter from 0 and a zero
/// nonce. The period is 2^70 bytes.
///
/// Cryptographic; zeroised on drop. Its code is portable: slower than
/// [`ChaCha20`](super::ChaCha20), which has vector instructions, and no safer.
///
/// ```
/// use rand_core::Rng;
/// use samplez_sources::{Salsa20, Seed};
/// let mut key = [0; 32];
/// key[0] = 0x80;
/// let mut rng = Salsa20::new(&Seed::from_bytes(key));
/// assert_eq!(rng.next_u32().to_le_bytes(), [0xe3, 0xbe, 0x8f, 0xdd]); // ECRYPT, set 1, vector 0
/// ```
pub struct Salsa20(Keystream<::salsa20::Salsa20>);

/// As [`Salsa20`], with 12 rounds: the eSTREAM portfolio's choice.
///
/// Cryptographic, with a smaller margin: the best attacks known reach 8 rounds. Zeroised on drop.
///
/// ```
/// use samplez_sources::{Salsa12, Seed};
/// let _rng = Salsa12::new(&Seed::from_bytes([7; 32]));
/// ```
pub struct Salsa12(Keystream<::salsa20::Salsa12>);

/// As [`Salsa20`], with 8 rounds.
///
/// Cryptographic, but without a margin: attacks on 8 rounds are known that are faster than
/// trying all 2^256 keys, though far beyond reach. Zeroised on drop.
///
/// ```
/// use samplez_sources::{Salsa8, Seed};
/// let _rng = Salsa8::new(&Seed::from_bytes([7; 32]));
/// ```
pub struct Salsa8(Keystream<::salsa20::Salsa8>);

macro_rules! salsa {
    ($($name:ident),*) => {$(
        impl $name {
            /// The keystream under `seed`, from its start.
            ///
            /// ```
            #[doc = concat!("use samplez_sources::{", stringify!($name), ", Seed};")]
            #[doc = concat!("let rng = ", stringify!($name), "::new(&Seed::from_bytes([0; 32]));")]
            #[doc = concat!("assert_eq!(format!(\"{rng:?}\"), \"", stringify!($name), " { .. }\");")]
            /// ```
            pub fn new(seed: &Seed) -> Self {
                $name(Keystream::new(::salsa20::$name::new(seed.expose().into(), &[0; 8].into())))
            }
        }
        byte_stream!($name);
        seedable!($name, $name::new);
        impl TryCryptoRng for $name {}
    )*};
}
salsa!(Salsa20, Salsa12, Salsa8);
