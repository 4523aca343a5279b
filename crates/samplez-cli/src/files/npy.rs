//! NumPy's array file, versions 1 to 3.
//!
//! A file is the magic `\x93NUMPY`, a version (two bytes), the length of the header (2 bytes
//! in version 1, 4 bytes later; little-endian), the header, and the elements. The header is a
//! Python dictionary, `{'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), }`, padded
//! with spaces.

use super::binary::{Element, Elements};
use super::{Beyond, Dtype, Integers, ReadError, bad, fill};
use std::io::Read;

mod header;

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The longest header that is read; a header of integers is below 1 KiB.
const MAX_HEADER: usize = 1 << 16;

/// Whether a file that starts with these bytes is an npy file.
///
/// ```
/// assert!(samplez_cli::testing::files::npy::is_npy(b"\x93NUMPY\x01\x00v\x00{"));
/// ```
pub fn is_npy(start: &[u8]) -> bool {
    start.starts_with(MAGIC)
}

/// The header of a one-dimensional array: version 1.0, padded so that the elements start at a
/// multiple of 64 bytes.
///
/// ```
/// use samplez_cli::testing::files::{Dtype, Integers, npy};
/// let mut file = npy::header(Dtype::I16, 2);
/// assert_eq!(file.len() % 64, 0);
/// file.extend([1, 0, 254, 255]);
/// let mut out = [0; 4];
/// assert_eq!(npy::Reader::new(&file[..])?.read(&mut out)?, 2);
/// assert_eq!(out[..2], [1, -2]);
/// # Ok::<(), samplez_cli::testing::files::ReadError>(())
/// ```
pub fn header(dtype: Dtype, count: u64) -> Vec<u8> {
    shaped(dtype, &format!("({count},)"))
}

/// The header of a matrix of int64 with so many rows and columns.
pub(crate) fn matrix_header(rows: u64, columns: usize) -> Vec<u8> {
    shaped(Dtype::I64, &format!("({rows}, {columns})"))
}

fn shaped(dtype: Dtype, shape: &str) -> Vec<u8> {
    let order = if dtype.size() == 1 { '|' } else { '<' };
    let dictionary = format!("{{'descr': '{order}i{}', 'fortran_order': False, 'shape': {shape}, }}", dtype.size());
    let used = MAGIC.len() + 4 + dictionary.len() + 1;
    let padding = used.next_multiple_of(64) - used;
    let length = (dictionary.len() + padding + 1) as u16; // at most 128: the dictionary has less than 100 bytes
    let mut bytes = Vec::with_capacity(128);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&[1, 0]);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(dictionary.as_bytes());
    bytes.resize(bytes.len() + padding, b' ');
    bytes.push(b'\n');
    bytes
}

/// Reads an array of any integer type, byte order, shape and memory order; its elements come
/// in the order in which the file stores them. Floating-point numbers have to be integers.
///
/// ```
/// use samplez_cli::testing::files::{Dtype, Integers, npy};
/// let mut file = npy::header(Dtype::I8, 3);
/// file.extend([1, 2]);
/// let mut reader = npy::Reader::new(&file[..])?;
/// assert_eq!(reader.read(&mut [0; 8])?, 2);
/// let error = reader.read(&mut [0; 8]).unwrap_err();
/// assert_eq!(error.to_string(), "truncated: the header promises 3 integers of 1 byte, the file holds 2");
/// # Ok::<(), samplez_cli::testing::files::ReadError>(())
/// ```
pub struct Reader<R> {
    elements: Elements<R>,
    element: Element,
    promised: u64,
    seen: u64,
    table: Option<header::Table>,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the magic, the version or the header is wrong, or if the array does not
    /// hold integers.
    ///
    /// ```
    /// use samplez_cli::testing::files::npy;
    /// assert!(npy::Reader::new(&b""[..]).is_err());
    /// ```
    pub fn new(mut reader: R) -> Result<Self, ReadError> {
        let (element, promised, table) = header::parse(&header_of(&mut reader)?)?;
        Ok(Reader { elements: Elements::new(reader, element), element, promised, seen: 0, table })
    }

    /// Reads integers beyond 64 bits as `beyond` has them.
    #[must_use]
    pub(crate) fn with(mut self, beyond: Beyond) -> Self {
        self.elements.set(beyond);
        self
    }

    /// Refuses a table: an array (n, k) with more than one column.
    pub(crate) fn one_column(self) -> Result<Self, ReadError> {
        match self.table {
            None => Ok(self),
            Some([rows, columns]) => bad(format!(
                "an array of shape ({rows}, {columns}): save one column, by np.save(\"column.npy\", np.load(FILE)[:, 0]), \
                 or all as one stream, by np.save(\"all.npy\", np.load(FILE).ravel())"
            )),
        }
    }

    /// The number of integers that the header promises.
    ///
    /// ```
    /// use samplez_cli::testing::files::{Dtype, npy};
    /// let file = npy::header(Dtype::I8, 3);
    /// assert_eq!(npy::Reader::new(&file[..])?.promised(), 3);
    /// # Ok::<(), samplez_cli::testing::files::ReadError>(())
    /// ```
    pub fn promised(&self) -> u64 {
        self.promised
    }
}

/// The dictionary at the beginning.
fn header_of(mut reader: impl Read) -> Result<Vec<u8>, ReadError> {
    let mut start = [0; 8];
    let filled = fill(&mut reader, &mut start)?;
    if !is_npy(&start[..filled]) {
        return bad("not an npy file: it must begin with the bytes \\x93NUMPY");
    }
    let length_size = match (filled, start[6], start[7]) {
        (8, 1, 0) => 2,
        (8, 2 | 3, 0) => 4,
        (8, major, minor) => {
            return bad(format!("npy version {major}.{minor}; expected version 1.0, 2.0 or 3.0"));
        }
        _ => return bad("truncated in the npy header"),
    };
    let mut length = [0; 4];
    if fill(&mut reader, &mut length[..length_size])? < length_size {
        return bad("truncated in the npy header");
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_HEADER {
        return bad(format!("an npy header of {length} bytes; expected at most {MAX_HEADER}"));
    }
    let mut text = vec![0; length];
    let filled = fill(&mut reader, &mut text)?;
    if filled < length {
        return bad(format!("truncated in the npy header: it has {filled} bytes; expected {length}"));
    }
    Ok(text)
}

/// Reads an array of float64, of any byte order, shape and memory order, in the order in which the file stores it.
///
/// ```
/// use samplez_cli::testing::files::npy;
/// let mut file = b"\x93NUMPY\x01\x00\x46\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}".to_vec();
/// file.resize(80, b' ');
/// file.extend(2.5_f64.to_le_bytes());
/// let mut reader = npy::Doubles::new(&file[..])?;
/// assert_eq!((reader.next()?, reader.next()?), (Some(2.5), None));
/// # Ok::<(), samplez_cli::testing::files::ReadError>(())
/// ```
pub struct Doubles<R> {
    reader: R,
    big_endian: bool,
    promised: u64,
    seen: u64,
}

impl<R: Read> Doubles<R> {
    /// Reads the header; the reader should be buffered.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the magic, the version or the header is wrong, or if the array does not hold float64.
    ///
    /// ```
    /// use samplez_cli::testing::files::{Dtype, npy};
    /// let error = npy::Doubles::new(&npy::header(Dtype::I8, 3)[..]).err().unwrap();
    /// assert_eq!(error.to_string(), "holds elements of descr '|i1'; expected float64, '<f8'; save x.astype('float64') by np.save");
    /// ```
    pub fn new(mut reader: R) -> Result<Self, ReadError> {
        let (big_endian, promised) = header::parse_doubles(&header_of(&mut reader)?)?;
        Ok(Doubles { reader, big_endian, promised, seen: 0 })
    }

    /// The next number; `None` at the end.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if there are fewer or more than the header promises.
    #[expect(clippy::should_implement_trait, reason = "an iterator has no errors")]
    pub fn next(&mut self) -> Result<Option<f64>, ReadError> {
        let mut bytes = [0; 8];
        let wanted = if self.seen < self.promised { 8 } else { 1 };
        let filled = fill(&mut self.reader, &mut bytes[..wanted])?;
        if wanted == 1 {
            return if filled == 0 {
                Ok(None)
            } else {
                bad(format!("trailing bytes after the {} numbers that the header promises", self.promised))
            };
        }
        if filled < 8 {
            let (promised, seen) = (self.promised, self.seen);
            return bad(format!("truncated: the header promises {promised} numbers of 8 bytes, the file holds {seen}"));
        }
        self.seen += 1;
        Ok(Some(if self.big_endian { f64::from_be_bytes(bytes) } else { f64::from_le_bytes(bytes) }))
    }
}

impl<R: Read> Integers for Reader<R> {
    fn read(&mut self, out: &mut [i64]) -> Result<usize, ReadError> {
        let left = self.promised - self.seen;
        let wanted = usize::try_from(left).map_or(out.len(), |left| left.min(out.len()));
        let (count, rest) = self.elements.read(&mut out[..wanted])?;
        self.seen += count as u64;
        if rest > 0 || (count == 0 && wanted > 0) {
            let size = self.element.size;
            let bytes = if size == 1 { "1 byte".to_string() } else { format!("{size} bytes") };
            return bad(format!(
                "truncated: the header promises {} integers of {bytes}, the file holds {}",
                self.promised, self.seen
            ));
        }
        if left == 0 && self.elements.has_more()? {
            return bad(format!("trailing bytes after the {} integers that the header promises", self.promised));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, dictionary: &str, payload: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([version, 0]);
        let length = dictionary.len() as u32;
        bytes.extend(&length.to_le_bytes()[..if version == 1 { 2 } else { 4 }]);
        bytes.extend(dictionary.as_bytes());
        bytes.extend(payload);
        bytes
    }

    fn all(bytes: &[u8]) -> Result<Vec<i64>, String> {
        let mut reader = Reader::new(bytes).map_err(|e| e.to_string())?;
        let (mut values, mut out) = (Vec::new(), [0; 5]);
        loop {
            match reader.read(&mut out).map_err(|e| e.to_string())? {
                0 => return Ok(values),
                n => values.extend_from_slice(&out[..n]),
            }
        }
    }

    #[test]
    fn own_headers_are_aligned_and_read_back() {
        for dtype in Dtype::ALL {
            for count in [0, 1, 13, 999_999, u64::from(u32::MAX)] {
                let bytes = header(dtype, count);
                assert_eq!(bytes.len() % 64, 0);
                assert_eq!(bytes.last(), Some(&b'\n'));
                assert_eq!(Reader::new(&bytes[..]).unwrap().promised(), count);
            }
        }
    }

    #[test]
    fn versions_shapes_and_orders() {
        for version in 1..=3 {
            let bytes = file(
                version,
                "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }\n",
                &[0, 1, 255, 255, 0, 2, 0, 3, 1, 0, 0, 5],
            );
            assert_eq!(all(&bytes), Ok(vec![1, -1, 2, 3, 256, 5]));
        }
        let scalar = file(1, "{'descr': '|u1', 'fortran_order': False, 'shape': ()}", &[200]);
        assert_eq!(all(&scalar), Ok(vec![200]));
        let empty = file(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 0)}", &[]);
        assert_eq!(all(&empty), Ok(vec![]));
    }

    #[test]
    fn tables_need_one_column() {
        let of = |shape: &str, size: usize| {
            let dictionary = format!("{{'descr': '|i1', 'fortran_order': False, 'shape': {shape}}}");
            let bytes = file(1, &dictionary, &vec![1; size]);
            Reader::new(&bytes[..]).unwrap().one_column().map(|_| ()).map_err(|e| e.to_string())
        };
        for (shape, size) in
            [("(6, 1)", 6), ("(1, 6)", 6), ("(2, 3)", 6), ("(20, 17)", 340), ("(3, 2, 2)", 12), ("(6,)", 6)]
        {
            assert_eq!(of(shape, size), Ok(()), "{shape}");
        }
        for shape in ["(3, 2)", "(17, 16)", "(100, 3)"] {
            let size: Vec<usize> = shape.trim_matches(['(', ')']).split(", ").map(|d| d.parse().unwrap()).collect();
            let message = of(shape, size[0] * size[1]).unwrap_err();
            assert!(message.starts_with(&format!("an array of shape {shape}: save one column")), "{message}");
        }
    }

    #[test]
    fn wrong_lengths_are_refused() {
        let dictionary = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
        let whole = file(1, dictionary, &[0; 8]);
        assert_eq!(all(&whole), Ok(vec![0, 0]));
        for end in 0..whole.len() {
            let message = all(&whole[..end]).expect_err("a truncated file");
            assert!(message.contains("truncated") || message.contains("must begin"), "{end}: {message}");
        }
        let longer = file(1, dictionary, &[0; 9]);
        assert_eq!(all(&longer), Err("trailing bytes after the 2 integers that the header promises".to_string()));
    }

    #[test]
    fn wrong_starts_are_refused() {
        assert!(all(b"").unwrap_err().contains("must begin"));
        assert!(all(b"\x93NUMPZ\x01\x00\x00\x00").unwrap_err().contains("must begin"));
        assert!(all(b"\x93NUMPY\x04\x00\x00\x00\x00\x00").unwrap_err().contains("version 4.0"));
        assert!(all(b"\x93NUMPY\x02\x00\xff\xff\xff\xff").unwrap_err().contains("expected at most 65536"));
    }

    #[test]
    fn unsigned_integers_above_i64_are_refused() {
        let bytes = file(1, "{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }", &[255; 8]);
        assert!(all(&bytes).unwrap_err().contains("element 0: 18446744073709551615 is not an integer of 64 bits"));
    }
}
