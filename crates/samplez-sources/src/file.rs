//! Entropy from files and devices.
#![cfg(feature = "std")]

use super::file_error::{FileError, FileErrorKind};
use super::health::{HealthTested, HealthTests};
use super::os::EntropyError;
use core::fmt;
use rand_core::{TryCryptoRng, TryRng};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

/// The bytes of a file, each once. You vouch that they are random. So it is no [`TryCryptoRng`], and its bytes feed a
/// generator through a [`Seed`](super::Seed).
///
/// ```
/// use samplez_sources::{EntropyFile, Seed};
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("entropy");
/// std::fs::write(&path, [7; 40])?;
/// let mut file = EntropyFile::open(&path)?;
/// assert_eq!(Seed::from_entropy(&mut file)?.expose(), &[7; 32]);
/// let e = Seed::from_entropy(&mut file).unwrap_err(); // 8 bytes are left
/// assert!(e.to_string().ends_with("ended after 40 bytes, and more were asked for"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EntropyFile {
    file: File,
    path: PathBuf,
    repeat: bool,
    /// Bytes read, over all rounds.
    read: u64,
}

impl EntropyFile {
    /// Opens a file at its first byte. Its end is an error. Short and interrupted reads continue.
    ///
    /// # Errors
    ///
    /// [`FileError`] if it cannot be opened.
    ///
    /// ```
    /// assert!(samplez_sources::EntropyFile::open("/no/such/file").is_err());
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref().to_path_buf();
        match File::open(&path) {
            Ok(file) => Ok(EntropyFile { file, path, repeat: false, read: 0 }),
            Err(e) => Err(FileError { path, kind: FileErrorKind::Open(e) }),
        }
    }

    /// **For tests.** Repeats the file: its first byte follows its last. Each pass reads it again, so it must be a
    /// regular file. An empty file is still an error.
    ///
    /// ```
    /// use samplez_sources::{EntropyFile, Seed};
    /// let path = std::env::temp_dir().join("samplez-doc-repeated");
    /// std::fs::write(&path, [1, 2, 3])?;
    /// let seed = Seed::from_entropy(&mut EntropyFile::open(&path)?.repeating())?;
    /// assert_eq!(seed.expose()[..7], [1, 2, 3, 1, 2, 3, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn repeating(mut self) -> Self {
        self.repeat = true;
        self
    }

    fn fill(&mut self, mut out: &mut [u8]) -> Result<(), FileErrorKind> {
        let mut fresh = false; // nothing was read since the file began again
        while !out.is_empty() {
            match self.file.read(out) {
                Ok(0) if self.repeat && self.read > 0 && !fresh => {
                    self.file.rewind().map_err(FileErrorKind::Read)?;
                    fresh = true;
                }
                Ok(0) => return Err(FileErrorKind::End(self.read)),
                Ok(n) => {
                    out = &mut out[n..];
                    self.read += n as u64;
                    fresh = false;
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(FileErrorKind::Read(e)),
            }
        }
        Ok(())
    }
}

impl fmt::Debug for EntropyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntropyFile").field("path", &self.path).finish_non_exhaustive()
    }
}

/// `/dev/random` or `/dev/urandom`, asked for every byte. On Linux since 5.6 both give the bytes
/// of getrandom(2); `/dev/urandom` gives them even before the system's generator is seeded, early
/// at boot. Under the [health tests](HealthTests::live), as [`Os`](super::Os) is.
///
/// ```
/// use samplez_sources::{Device, Seed};
/// if let Ok(mut device) = Device::urandom() {
///     assert_ne!(Seed::from_entropy(&mut device)?.expose(), &[0; 32]);
/// }
/// # Ok::<(), samplez_sources::EntropyError>(())
/// ```
#[derive(Debug)]
pub struct Device(HealthTested<EntropyFile>);

impl Device {
    /// `/dev/random`: waits until the system's generator is seeded.
    ///
    /// # Errors
    ///
    /// [`FileError`], which names the device, if there is none.
    ///
    /// ```
    /// assert!(samplez_sources::Device::random().is_ok() || cfg!(not(unix)));
    /// ```
    pub fn random() -> Result<Self, FileError> {
        Self::open("/dev/random")
    }

    /// `/dev/urandom`: does not wait.
    ///
    /// # Errors
    ///
    /// [`FileError`], which names the device, if there is none.
    ///
    /// ```
    /// assert!(samplez_sources::Device::urandom().is_ok() || cfg!(not(unix)));
    /// ```
    pub fn urandom() -> Result<Self, FileError> {
        Self::open("/dev/urandom")
    }

    fn open(name: &'static str) -> Result<Self, FileError> {
        EntropyFile::open(name).map(|file| Device(HealthTested::new(file, HealthTests::live(name))))
    }
}

impl TryRng for EntropyFile {
    type Error = EntropyError;
    fn try_next_u32(&mut self) -> Result<u32, EntropyError> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, EntropyError> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), EntropyError> {
        self.fill(out).map_err(|kind| EntropyError::File(FileError { path: self.path.clone(), kind }))
    }
}

impl TryRng for Device {
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

impl TryCryptoRng for Device {}

impl From<FileError> for EntropyError {
    fn from(error: FileError) -> Self {
        EntropyError::File(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use std::string::ToString;

    fn file(content: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, content).unwrap();
        file
    }

    #[test]
    fn every_byte_once() {
        let content: [u8; 100] = core::array::from_fn(|i| i as u8);
        let file = file(&content);
        let mut reader = EntropyFile::open(file.path()).unwrap();
        let mut out = [0; 100];
        out.chunks_mut(7).for_each(|part| reader.try_fill_bytes(part).unwrap());
        assert_eq!(out, content);
        let error = reader.try_next_u32().unwrap_err();
        assert!(
            matches!(&error, EntropyError::File(e) if e.path == file.path() && matches!(e.kind, FileErrorKind::End(100)))
        );
    }

    #[test]
    fn repeating_repeats_the_whole_file() {
        let five = file(b"abcde");
        let mut reader = EntropyFile::open(five.path()).unwrap().repeating();
        let mut out = [0; 12];
        reader.try_fill_bytes(&mut out).unwrap();
        assert_eq!(&out, b"abcdeabcdeab");
        let empty = file(b"");
        let mut empty = EntropyFile::open(empty.path()).unwrap().repeating();
        let error = empty.try_fill_bytes(&mut out).unwrap_err().to_string();
        assert!(error.contains("is empty"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file() {
        let error = Seed::from_entropy(&mut EntropyFile::open("/").unwrap()).unwrap_err().to_string();
        assert!(error.starts_with("/: cannot be read: "), "{error}");
        // A device that has no beginning to return to, and one that never ends.
        let mut null = EntropyFile::open("/dev/null").unwrap().repeating();
        assert!(null.try_next_u64().is_err());
        let mut zero = EntropyFile::open("/dev/zero").unwrap();
        assert_eq!(zero.try_next_u64().unwrap(), 0);
    }

    /// What stands under a device's name and is dead seeds nothing.
    #[cfg(unix)]
    #[test]
    fn a_dead_device() {
        let error = Seed::from_entropy(&mut Device::open("/dev/zero").unwrap()).unwrap_err();
        let expected = "/dev/zero failed the repetition count test of SP 800-90B: 11 or more equal bytes in a row";
        assert!(matches!(error, EntropyError::Health(_)) && error.to_string() == expected, "{error}");
    }
}
