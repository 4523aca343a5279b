//! Salsa20 (Bernstein, "The Salsa20 family of stream ciphers") with 20, 12 and 8 rounds.

use super::Seed;
use super::bytes::byte_stream;
use super::keystream::Keystream;
use super::seedable::seedable;
use ::salsa20::SalsaCore;
use ::salsa20::cipher::StreamCipherCoreWrapper;
use ::salsa20::cipher::consts::{U4, U6, U10};
use ::salsa20::cipher::typenum::Unsigned;
use rand_core::TryCryptoRng;
use zeroize::Zeroize;

type Stream<R> = Keystream<StreamCipherCoreWrapper<SalsaCore<R>>>;

/// The keystream under a key of 16 or 32 bytes.
fn stream<R: Unsigned>(key: &[u8], nonce: &[u8; 8], block: u64) -> Stream<R> {
    let (constants, low, high): (&[u8; 16], _, _) = match key.len() {
        16 => (b"expand 16-byte k", key, key),
        _ => (b"expand 32-byte k", &key[..16], &key[16..]),
    };
    let block = block.to_le_bytes();
    let parts: [&[u8]; 8] =
        [&constants[..4], low, &constants[4..8], nonce, &block, &constants[8..12], high, &constants[12..]];
    let mut state = [0; 16];
    for (word, bytes) in state.iter_mut().zip(parts.iter().flat_map(|part| part.as_chunks().0)) {
        *word = u32::from_le_bytes(*bytes);
    }
    let stream = Keystream::new(StreamCipherCoreWrapper::from_core(SalsaCore::from_raw_state(state)));
    state.zeroize();
    stream
}

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
pub struct Salsa20(Stream<U10>);

/// As [`Salsa20`], with 12 rounds: the eSTREAM portfolio's choice.
///
/// Cryptographic, with a smaller margin: the best attacks known reach 8 rounds. Zeroised on drop.
///
/// ```
/// use samplez_sources::{Salsa12, Seed};
/// let _rng = Salsa12::new(&Seed::from_bytes([7; 32]));
/// ```
pub struct Salsa12(Stream<U6>);

/// As [`Salsa20`], with 8 rounds.
///
/// Cryptographic, but without a margin: attacks on 8 rounds are known that are faster than
/// trying all 2^256 keys, though far beyond reach. Zeroised on drop.
///
/// ```
/// use samplez_sources::{Salsa8, Seed};
/// let _rng = Salsa8::new(&Seed::from_bytes([7; 32]));
/// ```
pub struct Salsa8(Stream<U4>);

macro_rules! salsa {
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
                Self::of_key(seed.expose(), &[0; 8], 0)
            }

            /// Under a key of 16 or 32 bytes.
            pub(crate) fn of_key(key: &[u8], nonce: &[u8; 8], block: u64) -> Self {
                $name(stream(key, nonce, block))
            }

            /// Returns the keystream under a key and a nonce, from this block on. A block has 64 bytes, and their
            /// counter 64 bits. The library's own streams have a zero nonce and take a [child seed](Seed::stream) for
            /// another stream. This is for published vectors. For tests: no part of the public interface.
            ///
            /// The same key under the same nonce gives the same stream.
            ///
            /// # Panics
            ///
            /// The generator, where it is read in the last four of the 2^64 blocks or past them.
            #[cfg(feature = "testing")]
            pub fn with_nonce(key: &Seed, nonce: &[u8; 8], block: u64) -> Self {
                Self::of_key(key.expose(), nonce, block)
            }

            /// As [`with_nonce`](Self::with_nonce), under a key of 128 bits, which is all the security that is left.
            /// It is zeroised with the generator, the caller's bytes are not.
            ///
            /// # Panics
            ///
            /// As there.
            #[cfg(feature = "testing")]
            pub fn with_short_key(key: &[u8; 16], nonce: &[u8; 8], block: u64) -> Self {
                Self::of_key(key, nonce, block)
            }
        }
        byte_stream!($name);
        seedable!($name, $name::new);
        impl TryCryptoRng for $name {}
    )*};
}
salsa! {
    Salsa20;
    Salsa12;
    Salsa8;
}
