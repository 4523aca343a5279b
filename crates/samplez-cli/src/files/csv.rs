//! Decimal integers separated by commas and line ends.

use super::decimal::Decimal;
use super::{Integers, ReadError, bad};
use std::io::BufRead;

/// Reads decimal integers separated by commas and line ends, row by row. Spaces around an
/// integer and blank lines are skipped, and so is the first line if it begins with a letter,
/// `_`, `#` or a quotation mark (a header).
///
/// ```
/// use samplez_cli::files::{Integers, csv};
/// let mut reader = csv::Reader::new("x, y\n3, -1\n2, 0\n".as_bytes());
/// let mut out = [0; 8];
/// assert_eq!(reader.read(&mut out)?, 4);
/// assert_eq!(out[..4], [3, -1, 2, 0]);
/// # Ok::<(), samplez_cli::files::ReadError>(())
/// ```
pub struct Reader<R> {
    reader: R,
    token: Decimal,
    line: u64,
    place: Place,
}

/// Where the next byte stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Before the first byte that is not blank.
    Start,
    /// In the header.
    Header,
    /// At the start of a row, or in its first cell.
    Row,
    /// After a comma: an integer must follow.
    AfterComma,
    /// In blanks after an integer: only a comma or a line end may follow.
    AfterInteger,
}

impl<R: BufRead> Reader<R> {
    /// A reader of CSV.
    ///
    /// ```
    /// use samplez_cli::files::{Integers, csv};
    /// let error = csv::Reader::new("1,,2".as_bytes()).read(&mut [0; 8]).unwrap_err();
    /// assert_eq!(error.to_string(), "line 1: a cell is empty; expected an integer");
    /// ```
    pub fn new(reader: R) -> Self {
        Reader { reader, token: Decimal::default(), line: 1, place: Place::Start }
    }

    /// Takes one byte in; returns the integer that it ends, if it ends one.
    fn step(&mut self, byte: u8) -> Result<Option<i64>, ReadError> {
        match (self.place, byte) {
            (Place::Header, b'\n') | (Place::Row | Place::AfterInteger | Place::AfterComma, b',' | b'\n') => {
                return self.end_cell(byte);
            }
            (Place::Header, _) => {}
            (Place::Start, b'\n') => self.line += 1,
            (_, b' ' | b'\t' | b'\r') => {
                if !self.token.is_empty() {
                    self.place = Place::AfterInteger;
                }
            }
            (Place::Start, b'_' | b'#' | b'"' | b'\'') => self.place = Place::Header,
            (Place::Start, _) if byte.is_ascii_alphabetic() => self.place = Place::Header,
            (Place::Start, b',') => return self.end_cell(byte),
            (Place::AfterInteger, _) => {
                return bad(format!("line {}: two values without a comma between them", self.line));
            }
            (Place::Start | Place::Row | Place::AfterComma, _) => {
                if self.place == Place::Start {
                    self.place = Place::Row;
                }
                self.token.push(byte);
            }
        }
        Ok(None)
    }

    /// A comma, a line end or the end of the file.
    fn end_cell(&mut self, byte: u8) -> Result<Option<i64>, ReadError> {
        let value = if !self.token.is_empty() {
            let line = self.line;
            Some(self.token.take().or_else(|text| bad(format!("line {line}: {text} is not an integer of i64")))?)
        } else if byte == b',' || self.place == Place::AfterComma {
            return bad(format!("line {}: a cell is empty; expected an integer", self.line));
        } else {
            None
        };
        self.place = if byte == b',' { Place::AfterComma } else { Place::Row };
        self.line += u64::from(byte == b'\n');
        Ok(value)
    }
}

impl<R: BufRead> Integers for Reader<R> {
    fn read(&mut self, out: &mut [i64]) -> Result<usize, ReadError> {
        let mut count = 0;
        while count < out.len() {
            let bytes = self.reader.fill_buf()?;
            let Some(&byte) = bytes.first() else {
                if let Some(value) = self.end_cell(b'\n')? {
                    out[count] = value;
                    count += 1;
                }
                break;
            };
            self.reader.consume(1);
            if let Some(value) = self.step(byte)? {
                out[count] = value;
                count += 1;
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn all(text: &str) -> Result<Vec<i64>, String> {
        let mut results = Vec::new();
        for capacity in 1..9 {
            let mut reader = Reader::new(BufReader::with_capacity(capacity, text.as_bytes()));
            let (mut values, mut out) = (Vec::new(), [0; 3]);
            results.push(loop {
                match reader.read(&mut out) {
                    Ok(0) => break Ok(values),
                    Ok(n) => values.extend_from_slice(&out[..n]),
                    Err(error) => break Err(error.to_string()),
                }
            });
        }
        results.dedup();
        assert_eq!(results.len(), 1, "the result depends on the cut of the stream");
        results.remove(0)
    }

    #[test]
    fn rows_headers_and_blanks() {
        for text in
            ["x\n1\n-2\n3", "1,-2\n3\n", "\n\n\"a b\",c\n 1 , -2\t\r\n\n 3 \r\n", "# by numpy\n1,-2,3", "1,-2,3\n\n"]
        {
            assert_eq!(all(text), Ok(vec![1, -2, 3]), "{text:?}");
        }
        assert_eq!(all(""), Ok(vec![]));
        assert_eq!(all("x\n"), Ok(vec![]));
        assert_eq!(all("x"), Ok(vec![]));
    }

    #[test]
    fn bad_cells_are_named_with_their_line() {
        let cases = [
            ("x\n1\n2.5\n", "line 3: \"2.5\" is not an integer of i64"),
            ("1\nx\n", "line 2: \"x\" is not an integer of i64"),
            ("1,,2", "line 1: a cell is empty; expected an integer"),
            (",1", "line 1: a cell is empty; expected an integer"),
            ("1,\n2", "line 1: a cell is empty; expected an integer"),
            ("1,2,", "line 1: a cell is empty; expected an integer"),
            ("1\n2 3\n", "line 2: two values without a comma between them"),
            ("2.5\n", "line 1: \"2.5\" is not an integer of i64"),
        ];
        for (text, message) in cases {
            assert_eq!(all(text), Err(message.to_string()), "{text:?}");
        }
    }
}
