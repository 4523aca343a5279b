//! ChaCha20 (RFC 8439), 20 rounds, as a generator.

use super::Seed;
use ::chacha20::ChaCha20Legacy;
use ::chacha20::cipher::{KeyIvInit, StreamCipher};
use core::convert::Infallible;
use core::fmt;
use rand_core::{TryCryptoRng, TryRng};

/// The ChaCha20 keystream under a seed as its key, with a 64-bit block counter from 0 and a
/// zero nonce. The first 2^32 blocks are RFC 8439's; the period is 2^70 bytes.
///
/// The cipher is the `chacha20` crate's. Cryptographic; zeroised on drop.
///
/// ```
/// use rand_core::Rng;
/// use samplez_core::sources::{ChaCha20, Seed};
/// let mut rng = ChaCha20::new(&Seed::from_bytes([0; 32]));
/// assert_eq!(rng.next_u32().to_le_bytes(), [0x76, 0xb8, 0xe0, 0xad]); // RFC 8439, A.1, vector 1
/// ```
pub struct ChaCha20(ChaCha20Legacy);

impl ChaCha20 {
    /// The keystream under `seed`, from its start.
    ///
    /// ```
    /// use samplez_core::sources::{ChaCha20, Seed};
    /// assert_eq!(format!("{:?}", ChaCha20::new(&Seed::from_bytes([0; 32]))), "ChaCha20 { .. }");
    /// ```
    pub fn new(seed: &Seed) -> Self {
        ChaCha20(ChaCha20Legacy::new(seed.expose().into(), &[0; 8].into()))
    }
}

/// The keystream's bytes in order, whatever mix of requests reads them; words are little-endian.
impl TryRng for ChaCha20 {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
    #[inline]
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.0.write_keystream(out);
        Ok(())
    }
}

impl TryCryptoRng for ChaCha20 {}

impl fmt::Debug for ChaCha20 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaCha20").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng;

    #[test]
    fn rfc_8439_keystream() {
        // RFC 8439, A.1: test vectors 1 and 2 (key 0, nonce 0, counters 0 and 1).
        let mut out = [0; 128];
        ChaCha20::new(&Seed::from_bytes([0; 32])).fill_bytes(&mut out);
        let first = "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586";
        let second = "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f";
        let hex: std::string::String = out.iter().map(|b| std::format!("{b:02x}")).collect();
        assert_eq!(hex, [first, second].concat());
    }
}
