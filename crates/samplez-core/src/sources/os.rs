//! The operating system's generator.
#![cfg(feature = "os")]

use super::Seed;
use core::fmt;
use rand_core::{TryCryptoRng, TryRng};

/// The operating system did not give entropy.
///
/// ```
/// fn seed() -> Result<samplez_core::sources::Seed, samplez_core::sources::EntropyError> {
///     samplez_core::sources::Seed::from_os()
/// }
/// assert!(seed().is_ok());
/// ```
#[derive(Debug)]
pub struct EntropyError(getrandom::Error);

impl fmt::Display for EntropyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the operating system gave no entropy: {}", self.0)
    }
}

impl core::error::Error for EntropyError {}

/// The operating system's generator (getrandom(2) or its equal), asked for every byte.
/// Fallible, so it is a [`TryRng`] and no [`rand_core::Rng`]; seeding [`super::ChaCha20`] from
/// it is the usual way.
///
/// ```
/// use rand_core::TryRng;
/// let mut key = [0; 32];
/// samplez_core::sources::Os::new().try_fill_bytes(&mut key)?;
/// assert_ne!(key, [0; 32]);
/// # Ok::<(), samplez_core::sources::EntropyError>(())
/// ```
#[derive(Debug)]
pub struct Os(());

impl Os {
    /// The system's generator.
    ///
    /// ```
    /// let _os = samplez_core::sources::Os::new();
    /// ```
    #[allow(clippy::new_without_default)] // house rule: no source has a default
    pub const fn new() -> Self {
        Os(())
    }
}

impl TryRng for Os {
    type Error = EntropyError;
    fn try_next_u32(&mut self) -> Result<u32, EntropyError> {
        getrandom::SysRng.try_next_u32().map_err(EntropyError)
    }
    fn try_next_u64(&mut self) -> Result<u64, EntropyError> {
        getrandom::SysRng.try_next_u64().map_err(EntropyError)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), EntropyError> {
        getrandom::SysRng.try_fill_bytes(out).map_err(EntropyError)
    }
}

impl TryCryptoRng for Os {}

impl Seed {
    /// A fresh seed from the operating system.
    ///
    /// # Errors
    ///
    /// [`EntropyError`] if the system gives none; there is no fallback.
    ///
    /// ```
    /// use samplez_core::sources::Seed;
    /// assert_ne!(Seed::from_os()?.expose(), Seed::from_os()?.expose());
    /// # Ok::<(), samplez_core::sources::EntropyError>(())
    /// ```
    pub fn from_os() -> Result<Seed, EntropyError> {
        let mut seed = Seed::from_bytes([0; 32]);
        Os::new().try_fill_bytes(seed.bytes_mut())?;
        Ok(seed)
    }
}
