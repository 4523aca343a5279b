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
    /// If numbers that begin one in a row must go on so.
    rows: Option<Rows>,
}

/// Rows in which a number came.
#[derive(Default)]
struct Rows {
    /// The line of the last number.
    last: u64,
    /// The rows so far, with this one, counted up to [`FIRST`] + 1.
    count: u64,
}

/// Rows of one number, after which no row may have more.
const FIRST: u64 = 3;

impl<R: BufRead> Reader<R> {
    /// A reader of text.
    ///
    /// ```
    /// use samplez_cli::testing::files::{Integers, text};
    /// assert_eq!(text::Reader::new("".as_bytes()).read(&mut [0; 8])?, 0);
    /// # Ok::<(), samplez_cli::testing::files::ReadError>(())
    /// ```
    pub fn new(reader: R) -> Self {
        Reader { reader, token: Decimal::default(), line: 1, in_comment: false, beyond: Beyond::None, rows: None }
    }

    /// Refuses a second column that begins after the first rows, each of which has one number.
    #[must_use]
    pub(crate) fn in_rows(mut self) -> Self {
        self.rows = Some(Rows::default());
        self
    }

    /// Reads integers beyond 64 bits as `beyond` has them.
    #[must_use]
    pub(crate) fn with(mut self, beyond: Beyond) -> Self {
        self.beyond = beyond;
        self
    }

    fn end_token(&mut self) -> Result<i64, ReadError> {
        if let Some(rows) = &mut self.rows {
            match (rows.last == self.line, rows.count) {
                (false, _) => (rows.last, rows.count) = (self.line, (rows.count + 1).min(FIRST + 1)),
                (true, count) if count > FIRST => {
                    return bad(format!(
                        "line {}: 2 columns or more, where the first rows have 1: write the column to a file of its own, \
                         or add --format text to read all as one stream",
                        self.line
                    ));
                }
                // Rows of several numbers are a stream.
                (true, _) => self.rows = None,
            }
        }
        self.token.take(&self.beyond).or_else(|why| {
            let is_word = why.starts_with("expected");
            let way = if is_word { "; if the file has columns or a header, add --format csv" } else { "" };
            bad(format!("line {}: {why}{way}", self.line))
        })
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
    fn a_column_may_not_begin_late() {
        let read = |text: &str| {
            let mut reader = Reader::new(BufReader::with_capacity(3, text.as_bytes())).in_rows();
            let (mut values, mut out) = (Vec::new(), [0; 2]);
            loop {
                match reader.read(&mut out) {
                    Ok(0) => return Ok(values),
                    Ok(n) => values.extend_from_slice(&out[..n]),
                    Err(error) => return Err(error.to_string()),
                }
            }
        };
        for (text, line) in [("5\n6\n7\n1 8\n", 4), ("\t5\n\t6\n\t7\n\n1\t8\n", 5), ("5\t\n6\t\n7\t\n8\n9\t1\n", 5)] {
            let message = read(text).unwrap_err();
            assert!(message.starts_with(&format!("line {line}: 2 columns")), "{text:?}: {message}");
        }
        for text in ["1 2\n3\n4\n", "1\n2 3\n4 5 6\n7\n", "1\n2\n3\n4\n", "1\n2\n\n3 4", "1\n2\n3\n4 # 5 6\n"] {
            assert!(read(text).is_ok(), "{text:?}");
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
