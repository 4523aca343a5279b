//! The operating system's generator.
#![cfg(feature = "os")]

#[cfg(feature = "std")]
use super::file_error::FileError;
use super::health::{HealthAlarm, HealthTested, HealthTestedError, HealthTests};
use super::seed::Seed;
use core::fmt;
use rand_core::{TryCryptoRng, TryRng};

/// No entropy: the operating system, a device or a file did not give it, or gave what fails the health tests.
///
/// ```
/// fn seed() -> Result<samplez_sources::Seed, samplez_sources::EntropyError> {
///     samplez_sources::Seed::from_os()
/// }
/// assert!(seed().is_ok());
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum EntropyError {
    /// The operating system's generator failed.
    System(SystemError),
    /// A device or a file could not be read.
    #[cfg(feature = "std")]
    File(FileError),
    /// The bytes of a live source fail a [health test](HealthTests).
    Health(HealthAlarm),
    /// The bits of this mask are the same in every word of 64 bits of a generator, as if it made shorter words.
    Narrow(u64),
    /// A seeded generator was opened before this process was forked. It gives nothing here, where it would repeat its parent's bits.
    #[cfg(feature = "std")]
    Forked,
}

/// The operating system's error on a request for entropy.
///
/// ```
/// use samplez_sources::{EntropyError, Os};
/// use rand_core::TryRng;
/// if let Err(EntropyError::System(e)) = Os::new().try_next_u64() {
///     println!("{e}");
/// }
/// ```
#[derive(Debug)]
pub struct SystemError(getrandom::Error);

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the operating system gave no entropy: {}", self.0)
    }
}

impl core::error::Error for SystemError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.0.source()
    }
}

impl fmt::Display for EntropyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntropyError::System(e) => e.fmt(f),
            #[cfg(feature = "std")]
            EntropyError::File(e) => e.fmt(f),
            EntropyError::Health(e) => e.fmt(f),
            EntropyError::Narrow(mask) => {
                write!(f, "the generator is stuck: {} of the 64 bits of its words never change", mask.count_ones())
            }
            #[cfg(feature = "std")]
            EntropyError::Forked => f.write_str(
                "the stream was opened before this process was forked, and would repeat its parent's bits: open a new one here, \
                 with another seed",
            ),
        }
    }
}

impl core::error::Error for EntropyError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            EntropyError::System(e) => e.source(),
            #[cfg(feature = "std")]
            EntropyError::File(e) => e.source(),
            EntropyError::Health(e) => e.source(),
            #[cfg(feature = "std")]
            EntropyError::Forked => None,
            EntropyError::Narrow(_) => None,
        }
    }
}

impl From<getrandom::Error> for EntropyError {
    fn from(error: getrandom::Error) -> Self {
        EntropyError::System(SystemError(error))
    }
}

impl<E: Into<EntropyError>> From<HealthTestedError<E>> for EntropyError {
    fn from(error: HealthTestedError<E>) -> Self {
        match error {
            HealthTestedError::Source(error) => error.into(),
            HealthTestedError::Alarm(alarm) => EntropyError::Health(alarm),
        }
    }
}

/// The operating system's generator (getrandom(2) or its equal), which gives every byte. It is under the [health
/// tests](HealthTests::live): at its first request it draws 1,024 bytes for them. Fallible, so it is a [`TryRng`] and
/// no [`rand_core::Rng`]. Usually it seeds [`super::ChaCha20`].
///
/// ```
/// use rand_core::TryRng;
/// let mut key = [0; 32];
/// samplez_sources::Os::new().try_fill_bytes(&mut key)?;
/// assert_ne!(key, [0; 32]);
/// # Ok::<(), samplez_sources::EntropyError>(())
/// ```
#[derive(Debug)]
pub struct Os(HealthTested<getrandom::SysRng>);

impl Os {
    /// Builds the system's generator.
    ///
    /// ```
    /// let _os = samplez_sources::Os::new();
    /// ```
    #[allow(clippy::new_without_default)] // house rule: no source has a default
    pub const fn new() -> Self {
        Os(HealthTested::new(getrandom::SysRng, HealthTests::live("the operating system's generator")))
    }
}

impl TryRng for Os {
    type Error = EntropyError;
    fn try_next_u32(&mut self) -> Result<u32, EntropyError> {
        Ok(self.0.try_next_u32()?)
    }
    fn try_next_u64(&mut self) -> Result<u64, EntropyError> {
        Ok(self.0.try_next_u64()?)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), EntropyError> {
        Ok(self.0.try_fill_bytes(out)?)
    }
}

impl TryCryptoRng for Os {}

impl Seed {
    /// Reads a fresh seed from the operating system, behind 1,024 bytes for the start-up [health
    /// test](HealthTests::live).
    ///
    /// # Errors
    ///
    /// [`EntropyError`] if the system gives none, or bytes that fail a test; there is no fallback.
    ///
    /// ```
    /// use samplez_sources::Seed;
    /// assert_ne!(Seed::from_os()?.expose(), Seed::from_os()?.expose());
    /// # Ok::<(), samplez_sources::EntropyError>(())
    /// ```
    pub fn from_os() -> Result<Seed, EntropyError> {
        Seed::from_entropy(&mut Os::new())
    }
}
