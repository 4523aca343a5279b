//! The seed that no scheme may have: the time.
#![cfg(feature = "std")]

use super::Seed;
use core::fmt;
use rand_core::TryRng;
use std::time::{SystemTime, UNIX_EPOCH};

/// A seed that an attacker can guess, for experiments with bad seeding. It is no [`Seed`], and its
/// [`generator`](Self::generator)s are not cryptographic, so that no scheme takes either:
///
/// ```compile_fail,E0277
/// use samplez_core::bits::{BitReader, CryptoBits};
/// use samplez_sources::{ChaCha20, insecure_time_seed};
/// fn keygen(_: &mut impl CryptoBits) {}
/// keygen(&mut BitReader::new(insecure_time_seed().generator(ChaCha20::new)));
/// ```
///
/// ```
/// use samplez_core::bits::{BitReader, BitSource};
/// use samplez_sources::{ChaCha20, insecure_time_seed};
/// let mut bits = BitReader::new(insecure_time_seed().generator(ChaCha20::new));
/// bits.bits(64);
/// ```
pub struct InsecureSeed(Seed);

/// Returns the scrambled time of SEI CERT's rule MSC32-C. It is the nanoseconds exclusive-or the seconds of the clock,
/// as 32 bits in the first 4 bytes, least significant first, and zeros behind them.
///
/// **At most 30 bits of entropy**, and fewer where the clock is coarse. If an attacker has the second of the call, a
/// thousand million seeds remain, which takes minutes. The function complies with the rule (the seed differs from run
/// to run), but is not secure.
///
/// ```
/// use samplez_sources::insecure_time_seed;
/// let seed = insecure_time_seed().into_seed_insecurely();
/// assert_eq!(seed.expose()[4..], [0; 28]);
/// ```
pub fn insecure_time_seed() -> InsecureSeed {
    // Before 1970 the clock is wrong anyway, and zero no worse a seed.
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let scrambled = time.subsec_nanos() ^ time.as_secs() as u32;
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&scrambled.to_le_bytes());
    InsecureSeed(Seed::from_bytes(bytes))
}

impl InsecureSeed {
    /// Makes a generator of the seed by `make`, and marks it as not cryptographic.
    ///
    /// ```
    /// use rand_core::Rng;
    /// use samplez_sources::{ChaCha8, insecure_time_seed};
    /// insecure_time_seed().generator(ChaCha8::new).next_u64();
    /// ```
    pub fn generator<R: TryRng>(&self, make: impl FnOnce(&Seed) -> R) -> Insecure<R> {
        Insecure(make(&self.0))
    }

    /// Returns the seed without its mark. By calling this you state that nothing secret depends on it.
    ///
    /// ```
    /// let _seed = samplez_sources::insecure_time_seed().into_seed_insecurely();
    /// ```
    pub fn into_seed_insecurely(self) -> Seed {
        self.0
    }
}

impl fmt::Debug for InsecureSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InsecureSeed").finish_non_exhaustive()
    }
}

/// A generator with an insecure seed. It gives the same bytes, and is never a [`CryptoRng`](rand_core::CryptoRng), even
/// if the generator is one.
///
/// ```
/// use samplez_sources::{ChaCha20, insecure_time_seed};
/// let rng = insecure_time_seed().generator(ChaCha20::new);
/// assert_eq!(format!("{rng:?}"), "Insecure { .. }");
/// ```
pub struct Insecure<R>(R);

impl<R: TryRng> TryRng for Insecure<R> {
    type Error = R::Error;
    fn try_next_u32(&mut self) -> Result<u32, R::Error> {
        self.0.try_next_u32()
    }
    fn try_next_u64(&mut self) -> Result<u64, R::Error> {
        self.0.try_next_u64()
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), R::Error> {
        self.0.try_fill_bytes(out)
    }
}

impl<R> fmt::Debug for Insecure<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Insecure").finish_non_exhaustive()
    }
}
