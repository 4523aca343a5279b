//! ChaCha (RFC 8439; Bernstein, "ChaCha, a variant of Salsa20") with 20, 12 and 8 rounds.

use super::Seed;
use super::bytes::byte_stream;
#[cfg(any(target_arch = "x86_64", target_arch = "wasm32", target_arch = "aarch64"))]
use super::chacha_wide::{Stream, stream};
use super::seedable::seedable;
use ::chacha20::{R8, R12, R20};
use rand_core::TryCryptoRng;
#[cfg(not(any(target_arch = "x86_64", target_arch = "wasm32", target_arch = "aarch64")))]
use stream::{Stream, stream};

/// The `chacha20` crate's cipher under a 64-bit block counter and a zero nonce.
#[cfg(not(any(target_arch = "x86_64", target_arch = "wasm32", target_arch = "aarch64")))]
mod stream {
    use crate::Seed;
    use crate::keystream::Keystream;
    use ::chacha20::cipher::StreamCipherCoreWrapper;
    use ::chacha20::variants::Legacy;
    use ::chacha20::{ChaChaCore, Rounds};
    use rand_core::SeedableRng;

    pub(super) type Stream<R> = Keystream<StreamCipherCoreWrapper<ChaChaCore<R, Legacy>>>;

    pub(super) fn stream<R: Rounds>(seed: &Seed) -> Stream<R> {
        Keystream::new(StreamCipherCoreWrapper::from_core(ChaChaCore::from_seed(*seed.expose())))
    }
}

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
                $name(stream(seed))
            }
        }
        byte_stream!($name);
        seedable!($name, $name::new);
        impl TryCryptoRng for $name {}
    )*};
}
chacha!(ChaCha20, ChaCha12, ChaCha8);
