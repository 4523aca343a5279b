//! ChaCha (RFC 8439; Bernstein, "ChaCha, a variant of Salsa20") with 20, 12 and 8 rounds.

use super::Seed;
use super::bytes::byte_stream;
use super::chacha_wide::{Start, Stream, stream};
use super::seedable::seedable;
use ::chacha20::{R8, R12, R20};
use rand_core::TryCryptoRng;

/// The ChaCha20 keystream under a seed as its key, with a 64-bit block counter from 0 and a
/// zero nonce. The first 2^32 blocks are RFC 8439's; the period is 2^70 bytes.
///
/// Cryptographic; zeroised on drop.
///
/// ```
/// use rand_core::Rng;
/// use samplez_sources::{ChaCha20, Seed};
/// let mut rng = ChaCha20::new(&Seed::from_bytes([0; 32]));
/// assert_eq!(rng.next_u32().to_le_bytes(), [0x76, 0xb8, 0xe0, 0xad]); // RFC 8439, A.1, vector 1
/// ```
pub struct ChaCha20(Stream<R20>);

/// As [`ChaCha20`], with 12 rounds.
///
/// Cryptographic, with a smaller margin: the best attacks known reach 7 rounds. Zeroised on drop.
///
/// ```
/// use rand_core::Rng;
/// use samplez_sources::{ChaCha12, Seed};
/// let mut rng = ChaCha12::new(&Seed::from_bytes([0; 32]));
/// assert_eq!(rng.next_u32().to_le_bytes(), [0x9b, 0xf4, 0x9a, 0x6a]);
/// ```
pub struct ChaCha12(Stream<R12>);

/// As [`ChaCha20`], with 8 rounds.
///
/// Cryptographic, with a small margin: the best attacks known reach 7 rounds. Zeroised on drop.
///
/// ```
/// use rand_core::Rng;
/// use samplez_sources::{ChaCha8, Seed};
/// let mut rng = ChaCha8::new(&Seed::from_bytes([0; 32]));
/// assert_eq!(rng.next_u32().to_le_bytes(), [0x3e, 0x00, 0xef, 0x2f]);
/// ```
pub struct ChaCha8(Stream<R8>);

macro_rules! chacha {
    ($($name:ident;)*) => {$(
        impl $name {
            /// Builds the keystream under `seed`, from its start.
            ///
            /// ```
            #[doc = concat!("use samplez_sources::{", stringify!($name), ", Seed};")]
            #[doc = concat!("let rng = ", stringify!($name), "::new(&Seed::from_bytes([0; 32]));")]
            #[doc = concat!("assert_eq!(format!(\"{rng:?}\"), \"", stringify!($name), " { .. }\");")]
            /// ```
            pub fn new(seed: &Seed) -> Self {
                $name(stream(&Start { key: seed.expose(), nonce: [0; 8], block: 0 }))
            }

            /// Bernstein's form: the keystream under a key and a nonce of 64 bits, from this block on. A block has 64
            /// bytes, and their counter 64 bits. The library's own streams have a zero nonce and take a [child
            /// seed](Seed::stream) for another stream. This is for published vectors. For tests: no part of the public
            /// interface.
            ///
            /// The same key under the same nonce gives the same stream.
            #[cfg(feature = "testing")]
            pub fn with_nonce(key: &Seed, nonce: &[u8; 8], block: u64) -> Self {
                $name(stream(&Start { key: key.expose(), nonce: *nonce, block }))
            }

            /// As [`with_nonce`](Self::with_nonce), under a key of 128 bits, which is all the security that is left.
            /// It is zeroised with the generator, the caller's bytes are not.
            #[cfg(feature = "testing")]
            pub fn with_short_key(key: &[u8; 16], nonce: &[u8; 8], block: u64) -> Self {
                $name(stream(&Start { key, nonce: *nonce, block }))
            }
        }
        byte_stream!($name);
        seedable!($name, $name::new);
        impl TryCryptoRng for $name {}
    )*};
}
chacha! {
    ChaCha20;
    ChaCha12;
    ChaCha8;
}

#[cfg(feature = "testing")]
impl ChaCha20 {
    /// RFC 8439's form: the keystream under a key and a nonce of 96 bits, from this block on.
    ///
    /// That stream ends with block 2^32 - 1, after 2^38 bytes from its first block. There the RFC has a user stop. This
    /// generator goes on with the blocks of the nonce whose first word is one more. For tests: no part of the public
    /// interface.
    pub fn ietf(key: &Seed, nonce: &[u8; 12], block: u32) -> Self {
        let (first, rest) = nonce.split_first_chunk().expect("12 bytes have a first 4");
        let high = u64::from(u32::from_le_bytes(*first)) << 32;
        let nonce = rest.try_into().expect("12 - 4 = 8");
        Self::with_nonce(key, nonce, high | u64::from(block))
    }
}
