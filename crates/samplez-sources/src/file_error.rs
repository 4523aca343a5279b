//! Errors of files and devices.
#![cfg(feature = "std")]

use core::fmt;
use std::io;
use std::path::PathBuf;

/// A file or a device did not give the bytes that were asked for.
///
/// ```
/// use samplez_sources::EntropyFile;
/// let e = EntropyFile::open("/no/such/file").unwrap_err();
/// assert!(e.to_string().starts_with("/no/such/file: cannot be opened: "));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct FileError {
    /// The file or the device.
    pub path: PathBuf,
    /// The reason of the failure.
    pub kind: FileErrorKind,
}

/// The reason that a file gives no entropy.
///
/// ```
/// use samplez_sources::{EntropyFile, FileErrorKind};
/// let e = EntropyFile::open("/no/such/file").unwrap_err();
/// assert!(matches!(e.kind, FileErrorKind::Open(_)));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// It cannot be opened.
    Open(io::Error),
    /// It cannot be read, or not from its start again.
    Read(io::Error),
    /// It ended after so many bytes in all.
    End(u64),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.kind {
            FileErrorKind::Open(e) => write!(f, "cannot be opened: {e}"),
            FileErrorKind::Read(e) => write!(f, "cannot be read: {e}"),
            FileErrorKind::End(0) => f.write_str("is empty, and entropy was asked for"),
            FileErrorKind::End(n) => write!(f, "ended after {n} bytes, and more were asked for"),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            FileErrorKind::Open(e) | FileErrorKind::Read(e) => e.source(),
            FileErrorKind::End(_) => None,
        }
    }
}
