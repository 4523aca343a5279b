//! Bare little-endian integers, without any header.

use super::binary::{Element, Elements, Kind};
use super::{Beyond, Dtype, Integers, ReadError, bad};
use std::io::Read;

/// Reads bare integers of one type.
///
/// ```
/// use samplez_cli::testing::files::{Dtype, Integers, raw};
/// let mut reader = raw::Reader::new(&[5, 251][..], Dtype::I8);
/// let mut out = [0; 4];
/// assert_eq!(reader.read(&mut out)?, 2);
/// assert_eq!(out[..2], [5, -5]);
/// assert_eq!(reader.read(&mut out)?, 0);
/// # Ok::<(), samplez_cli::testing::files::ReadError>(())
/// ```
pub struct Reader<R> {
    elements: Elements<R>,
    dtype: Dtype,
}

impl<R: Read> Reader<R> {
    /// A reader of integers of this type.
    ///
    /// ```
    /// use samplez_cli::testing::files::{Dtype, Integers, raw};
    /// let mut reader = raw::Reader::new(&[5][..], Dtype::I16);
    /// assert!(reader.read(&mut [0; 4]).is_err());
    /// ```
    pub fn new(reader: R, dtype: Dtype) -> Self {
        let element = Element { size: dtype.size(), kind: Kind::Signed, big_endian: false };
        Reader { elements: Elements::new(reader, element), dtype }
    }

    /// Reads integers beyond 64 bits as `beyond` has them.
    #[must_use]
    pub(crate) fn with(mut self, beyond: Beyond) -> Self {
        self.elements.set(beyond);
        self
    }
}

impl<R: Read> Integers for Reader<R> {
    fn read(&mut self, out: &mut [i64]) -> Result<usize, ReadError> {
        match self.elements.read(out)? {
            (count, 0) => Ok(count),
            (_, rest) => bad(format!(
                "truncated: the last integer has {rest} bytes; expected a multiple of the {} bytes of {}",
                self.dtype.size(),
                self.dtype
            )),
        }
    }
}
