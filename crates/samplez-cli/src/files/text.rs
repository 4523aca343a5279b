//! Decimal integers separated by white space.

use super::decimal::Decimal;
use super::{Beyond, Integers, ReadError, bad};
use std::io::BufRead;

/// Reads decimal integers separated by spaces, tabs and line ends (`\n` or `\r\n`). What follows a `#` up to its line's end is skipped.
///
/// ```
/// use samplez_cli::testing::files::{Integers, text};
/// let mut reader = text::Reader::new("3\n-1 0.5".as_bytes());
/// let error = reader.read(&mut [0; 8]).unwrap_err();
/// assert_eq!(error.to_string(), "line 2: \"0.5\" is not an integer of 64 bits");
/// ```
pub struct Reader<R> {
    reader: R,
    token: Decimal,
    line: u64,
    in_comment: bool,
    beyond: Beyond,
}

impl<R: BufRead> Reader<R> {
    /// A reader of text.
    ///
    /// ```
    /// use samplez_cli::testing::files::{Integers, text};
    /// assert_eq!(text::Reader::new("".as_bytes()).read(&mut [0; 8])?, 0);
    /// # Ok::<(), samplez_cli::testing::files::ReadError>(())
    /// ```
    pub fn new(reader: R) -> Self {
        Reader { reader, token: Decimal::default(), line: 1, in_comment: false, beyond: Beyond::None }
    }

    /// Reads integers beyond 64 bits as `beyond` has them.
    #[must_use]
    pub(crate) fn with(mut self, beyond: Beyond) -> Self {
        self.beyond = beyond;
        self
    }

    fn end_token(&mut self) -> Result<i64, ReadError> {
        self.token.take(&self.beyond).or_else(|why| bad(format!("line {}: {why}", self.line)))
    }
}

impl<R: BufRead> Integers for Reader<R> {
    fn read(&mut self, out: &mut [i64]) -> Result<usize, ReadError> {
        let mut count = 0;
        while count < out.len() {
            let bytes = self.reader.fill_buf()?;
            if bytes.is_empty() {
                if !self.token.is_empty() {
                    out[count] = self.end_token()?;
                    count += 1;
                }
                break;
            }
            let mut used = 0;
            let mut ended = false;
            for byte in bytes {
                if self.in_comment && *byte != b'\n' {
                    used += 1;
                    continue;
                }
                if !self.token.is_empty() && (byte.is_ascii_whitespace() || *byte == b'#') {
                    ended = true;
                    break; // the separator stays for the next round, and with it the line number
                }
                if byte.is_ascii_whitespace() {
                    self.line += u64::from(*byte == b'\n');
                    self.in_comment = false;
                } else if *byte == b'#' {
                    self.in_comment = true;
                } else {
                    self.token.push(*byte);
                }
                used += 1;
            }
            self.reader.consume(used);
            if ended {
                out[count] = self.end_token()?;
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

    fn all(text: &str, capacity: usize, chunk: usize) -> Result<Vec<i64>, ReadError> {
        let mut reader = Reader::new(BufReader::with_capacity(capacity, text.as_bytes()));
        let mut values = Vec::new();
        let mut out = vec![0; chunk];
        loop {
            match reader.read(&mut out)? {
                0 => return Ok(values),
                n => values.extend_from_slice(&out[..n]),
            }
        }
    }

    #[test]
    fn tokens_survive_every_cut_of_the_stream() {
        let text = "# 5\n12 -345\r\n\n\t6789 # 7\n0#8\n-1 #";
        for capacity in 1..24 {
            for chunk in 1..6 {
                assert_eq!(all(text, capacity, chunk).unwrap(), [12, -345, 6789, 0, -1]);
            }
        }
    }

    #[test]
    fn a_bad_token_is_named_with_its_line() {
        let error = all("1\n2\n\n3,4\n", 7, 3).unwrap_err();
        assert_eq!(error.to_string(), "line 4: \"3,4\" is not an integer of 64 bits");
        let error = all("1\n2.5", 3, 3).unwrap_err();
        assert_eq!(error.to_string(), "line 2: \"2.5\" is not an integer of 64 bits");
    }
}
