//! Files of integers: one module for each format, each a streaming reader.
//!
//! A reader never holds more of a file than a buffer, accepts nothing it does not understand,
//! and never panics, whatever the bytes.
//!
//! # Example
//!
//! ```
//! use samplez_cli::testing::files::{Integers, text};
//! let mut reader = text::Reader::new("3 -1\n2".as_bytes());
//! let mut out = [0; 8];
//! assert_eq!(reader.read(&mut out)?, 3);
//! assert_eq!(out[..3], [3, -1, 2]);
//! assert_eq!(reader.read(&mut out)?, 0);
//! # Ok::<(), samplez_cli::testing::files::ReadError>(())
//! ```

mod beyond;
mod binary;
pub mod csv;
mod decimal;
mod encode;
mod format;
pub(crate) mod layout;
pub mod npy;
pub mod raw;
pub mod text;

pub use beyond::Beyond;
pub use encode::Encode;
pub(crate) use format::NamedDtype;
pub use format::{Dtype, Format};

use std::{fmt, io};

/// A stream of integers, in the order in which a file stores them.
///
/// ```
/// use samplez_cli::testing::files::{Dtype, Integers, raw};
/// let mut reader = raw::Reader::new(&[1, 0, 255, 255][..], Dtype::I16);
/// let mut out = [0; 4];
/// assert_eq!(reader.read(&mut out)?, 2);
/// assert_eq!(out[..2], [1, -1]);
/// # Ok::<(), samplez_cli::testing::files::ReadError>(())
/// ```
pub trait Integers {
    /// Writes the next integers to the front of `out` and returns how many they are; 0 only at
    /// the end of a file that is whole and well formed (or if `out` is empty).
    ///
    /// # Errors
    ///
    /// [`ReadError`] at the first byte that does not fit the format; the integers before it may
    /// be lost.
    fn read(&mut self, out: &mut [i64]) -> Result<usize, ReadError>;
}

/// Why a file cannot be read as integers.
///
/// ```
/// use samplez_cli::testing::files::npy;
/// let e = npy::Reader::new(&b"3 -1 2"[..]).err().expect("not an npy file");
/// assert_eq!(e.to_string(), "not an npy file: it must begin with the bytes \\x93NUMPY");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system could not read.
    Io(io::Error),
    /// The content is not what the format requires: what was found, and what was expected.
    Content(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => write!(f, "cannot read: {error}"),
            ReadError::Content(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReadError::Io(error) => error.source(),
            ReadError::Content(_) => None,
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::Io(error)
    }
}

/// [`ReadError::Content`] with this text.
fn bad<T>(what: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError::Content(what.into()))
}

/// Reads until `buffer` is full or the stream ends; returns the number of bytes.
fn fill(reader: &mut impl io::Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
