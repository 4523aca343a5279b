//! Integers in a column of a CSV file.

use super::decimal::Decimal;
use super::layout::is_name;
use super::{Beyond, Integers, ReadError, bad};
use csv_core::ReadFieldResult;
use std::io::BufRead;

/// Bytes of a cell, and columns, at most: a reader holds no more of a file.
const CELL: usize = 2048;
const COLUMNS: usize = 1 << 16;

/// Reads the integers of one column, row by row; a quotation mark holds a cell together, and blanks around an integer, blank lines and lines
/// that begin with `#` are skipped. The first row names the columns unless its first cell that is not empty begins as a number does.
///
/// If no column is asked for there must be one alone, beside which the column that pandas writes for its index, the first, without a
/// name, does not count.
///
/// ```
/// use samplez_cli::testing::files::{Integers, csv};
/// let mut out = [0; 8];
/// assert_eq!(csv::Reader::new(",x\n0,3\n1,-1\n".as_bytes()).read(&mut out)?, 2);
/// assert_eq!(out[..2], [3, -1]);
/// let error = csv::Reader::new("x,y\n3,-1\n".as_bytes()).read(&mut out).unwrap_err();
/// assert_eq!(error.to_string(), "it has 2 columns (x, y): choose one by --column, its name or number");
/// # Ok::<(), samplez_cli::testing::files::ReadError>(())
/// ```
pub struct Reader<R> {
    reader: R,
    parser: csv_core::Reader,
    /// A column's name, or its number from 1.
    wanted: Option<String>,
    layout: Option<Layout>,
    /// The line of the first row, if that is no header: its cell has been read.
    first: Option<u64>,
    /// The bytes of the cell that was read last.
    cell: [u8; CELL],
    len: usize,
    /// Lines that have begun.
    line: u64,
    beyond: Beyond,
    /// Whether the numbers could be one stream.
    may_stream: bool,
    /// Whether messages show the names of columns.
    shows_names: bool,
}

/// What all rows have in common.
#[derive(Clone, Copy)]
struct Layout {
    columns: usize,
    column: usize,
}

/// A cell has been read: the line that it ends in, and whether it is its row's last.
struct Cell {
    line: u64,
    last: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader of the only column.
    ///
    /// ```
    /// use samplez_cli::testing::files::{Integers, csv};
    /// let error = csv::Reader::new("1\n0.5".as_bytes()).read(&mut [0; 8]).unwrap_err();
    /// assert_eq!(error.to_string(), "line 2: \"0.5\" is not an integer of 64 bits");
    /// ```
    pub fn new(reader: R) -> Self {
        Reader::delimited(reader, b',')
    }

    /// A reader of the only column, with this byte between columns.
    ///
    /// ```
    /// use samplez_cli::testing::files::{Integers, csv};
    /// let error = csv::Reader::delimited("x;y\n3;-1\n".as_bytes(), b';').read(&mut [0; 8]).unwrap_err();
    /// assert_eq!(error.to_string(), "it has 2 columns (x, y): choose one by --column, its name or number");
    /// ```
    pub fn delimited(reader: R, delimiter: u8) -> Self {
        let mut parser = csv_core::ReaderBuilder::new().comment(Some(b'#')).delimiter(delimiter).build();
        // It takes a byte order mark away if all of it comes at once: what is read must not depend on the pieces.
        let _ = parser.read_field(b"\n", &mut [0]);
        Reader {
            reader,
            parser,
            wanted: None,
            layout: None,
            first: None,
            cell: [0; CELL],
            len: 0,
            line: 1,
            beyond: Beyond::None,
            may_stream: false,
            shows_names: true,
        }
    }

    /// A reader of the column of this name or, if none has it, this number, from 1.
    ///
    /// ```
    /// use samplez_cli::testing::files::{Integers, csv};
    /// let mut out = [0; 8];
    /// for column in ["y", "2"] {
    ///     assert_eq!(csv::Reader::of_column("x,y\n3,-1\n".as_bytes(), column).read(&mut out)?, 1);
    ///     assert_eq!(out[0], -1);
    /// }
    /// # Ok::<(), samplez_cli::testing::files::ReadError>(())
    /// ```
    pub fn of_column(reader: R, column: &str) -> Self {
        Reader { wanted: Some(column.into()), ..Self::new(reader) }
    }

    /// Reads what blanks alone separate, and what could be one stream.
    #[must_use]
    pub(crate) fn or_stream(self) -> Self {
        Reader { may_stream: true, ..self }
    }

    /// Shows the names of columns, or their replacements, only if there are numbers below them.
    #[must_use]
    pub(crate) fn named(self, shows_names: bool) -> Self {
        Reader { shows_names, ..self }
    }

    /// Reads this column, if there is one, and integers beyond 64 bits as `beyond` has them.
    #[must_use]
    pub(crate) fn with(mut self, column: Option<&str>, beyond: Beyond) -> Self {
        (self.wanted, self.beyond) = (column.map(Into::into), beyond);
        self
    }

    /// Reads the next cell, if there is one.
    fn next_cell(&mut self) -> Result<Option<Cell>, ReadError> {
        self.len = 0;
        loop {
            let bytes = self.reader.fill_buf()?;
            let (result, used, written) = self.parser.read_field(bytes, &mut self.cell[self.len..]);
            let lines = bytes[..used].iter().filter(|byte| **byte == b'\n').count() as u64;
            let ended = used > 0 && bytes[used - 1] == b'\n';
            self.reader.consume(used);
            self.line += lines;
            self.len += written;
            match result {
                ReadFieldResult::InputEmpty => {}
                ReadFieldResult::OutputFull => {
                    return bad(format!("line {}: a cell has more than {CELL} bytes", self.line));
                }
                ReadFieldResult::Field { record_end } => {
                    let line = self.line - u64::from(record_end && ended);
                    return Ok(Some(Cell { line, last: record_end }));
                }
                ReadFieldResult::End => return Ok(None),
            }
        }
    }

    fn text(&self) -> &[u8] {
        self.cell[..self.len].trim_ascii()
    }

    /// The next cell of the column as it is written, without the blanks around it, and its line.
    ///
    /// # Errors
    ///
    /// [`ReadError`] for a row that is not as the first, and a column that is not there.
    ///
    /// ```
    /// use samplez_cli::testing::files::csv;
    /// let mut reader = csv::Reader::of_column("id,center\n7, 1/3\n".as_bytes(), "center");
    /// assert_eq!(reader.next_text()?, Some((2, "1/3".into())));
    /// assert_eq!(reader.next_text()?, None);
    /// # Ok::<(), samplez_cli::testing::files::ReadError>(())
    /// ```
    pub fn next_text(&mut self) -> Result<Option<(u64, String)>, ReadError> {
        self.row(|reader, line| Ok((line, String::from_utf8_lossy(reader.text()).into_owned())))
    }

    fn integer(&self, line: u64) -> Result<i64, ReadError> {
        if self.text().is_empty() {
            return bad(format!("line {line}: a cell is empty; expected an integer"));
        }
        let mut token = Decimal::default();
        self.text().iter().for_each(|byte| token.push(*byte));
        token.take(&self.beyond).or_else(|why| {
            let has_others = self.layout.is_some_and(|layout| layout.columns > 1) && why.starts_with("expected");
            let way = if has_others { "; --column chooses another column" } else { "" };
            bad(format!("line {line}: {why}{way}"))
        })
    }

    /// Looks at the first row: which column is read, and its first cell, if that is in it. None at the file's end.
    fn begin(&mut self) -> Result<Option<Layout>, ReadError> {
        let mut cells: Vec<Vec<u8>> = Vec::new();
        let line = loop {
            let Some(Cell { line, last }) = self.next_cell()? else { return Ok(None) };
            cells.push(self.text().to_vec());
            if cells.len() > COLUMNS {
                return bad(format!("line {line}: more than {COLUMNS} columns"));
            }
            if last {
                // A line of blanks alone.
                if cells.len() == 1 && cells[0].is_empty() {
                    cells.clear();
                    continue;
                }
                break line;
            }
        };
        // What is not UTF-8 is longer as a text than the cell has room for.
        let names: Vec<String> = cells.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect();
        let has_header = names.iter().find(|name| !name.is_empty()).is_some_and(|name| is_name(name));
        let column = match chosen(&names, has_header, self.shows_names, self.wanted.as_deref()) {
            Err(ReadError::Content(what)) if self.may_stream && !has_header && self.wanted.is_none() => {
                return bad(format!("{what}; or add --format text to read all columns as one stream"));
            }
            chosen => chosen?,
        };
        if !has_header {
            self.len = cells[column].len();
            self.cell[..self.len].copy_from_slice(&cells[column]);
            self.first = Some(line);
        }
        self.layout = Some(Layout { columns: cells.len(), column });
        Ok(self.layout)
    }

    /// What `take` makes of the next row's cell.
    fn row<T>(&mut self, take: impl Fn(&Self, u64) -> Result<T, ReadError>) -> Result<Option<T>, ReadError> {
        let layout = match self.layout {
            Some(layout) => Some(layout),
            None => self.begin()?,
        };
        let Some(Layout { columns, column }) = layout else { return Ok(None) };
        if let Some(line) = self.first.take() {
            return take(self, line).map(Some);
        }
        let (mut value, mut cells) = (None, 0);
        loop {
            let Some(Cell { line, last }) = self.next_cell()? else { return Ok(None) };
            if last && cells == 0 && self.text().is_empty() && columns == 1 {
                continue; // a line of blanks alone
            }
            if cells == column {
                value = Some(take(self, line)?);
            }
            cells += 1;
            if last && cells != columns || cells > columns {
                let more = if last { "" } else { "or more " };
                return bad(format!("line {line}: a row of {cells} {more}cells, where the first has {columns}"));
            }
            if last {
                return Ok(value);
            }
        }
    }
}

/// The place of the column that is read.
fn chosen(cells: &[String], has_header: bool, shows_names: bool, wanted: Option<&str>) -> Result<usize, ReadError> {
    let names = || {
        // Enough to see what it is.
        let shown = |name: &String| match name.chars().count() {
            0 => "\"\"".into(),
            1..=24 => name.clone(),
            _ => name.chars().take(24).collect::<String>() + "…",
        };
        let some: Vec<String> = cells.iter().take(8).map(shown).collect();
        format!("({}{})", some.join(", "), if cells.len() > 8 { ", …" } else { "" })
    };
    let columns = match (cells.len(), has_header) {
        (1, _) => "1 column".to_string(),
        (n, true) if shows_names => format!("{n} columns {}", names()),
        (n, _) => format!("{n} columns"),
    };
    match wanted {
        None if cells.len() == 1 => Ok(0),
        None if cells.len() == 2 && has_header && cells[0].is_empty() => Ok(1),
        None => bad(format!("it has {columns}: choose one by --column, its name or number")),
        Some(wanted) => {
            let mut named = cells.iter().enumerate().filter(|(_, name)| has_header && *name == wanted);
            match (named.next(), named.next()) {
                (Some(_), Some(_)) => bad(format!("--column = {wanted}: two columns have this name; give its number")),
                (Some((place, _)), None) => Ok(place),
                _ => match wanted.parse::<usize>() {
                    Ok(number) if (1..=cells.len()).contains(&number) => Ok(number - 1),
                    _ => bad(format!("--column = {wanted}: it has {columns}, numbered from 1")),
                },
            }
        }
    }
}

impl<R: BufRead> Integers for Reader<R> {
    fn read(&mut self, out: &mut [i64]) -> Result<usize, ReadError> {
        let mut count = 0;
        while count < out.len() {
            let Some(value) = self.row(Self::integer)? else { break };
            out[count] = value;
            count += 1;
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
        assert_eq!(results.len(), 1, "the result depends on the cut of the stream: {text:?} {results:?}");
        results.remove(0)
    }

    #[test]
    fn rows_headers_and_blanks() {
        for text in [
            "x\n1\n-2\n3",
            "\n\n\"a, b\"\n 1 \r\n -2\t\r\n\n  \n 3 \r\n",
            "# by numpy\n1\n-2\n3",
            "x\n1\n-2\n3\n\n",
            ",x\n0,1\n1,-2\n2,3\n",
            "\u{feff}x\n1\n-2\n3",
            "1.000000000000000000e+00\n-2.000000000000000000e+00\n3.0\n",
        ] {
            assert_eq!(all(text), Ok(vec![1, -2, 3]), "{text:?}");
        }
        assert_eq!(all(""), Ok(vec![]));
        assert_eq!(all("x\n"), Ok(vec![]));
        assert_eq!(all("x"), Ok(vec![]));
    }

    #[test]
    fn bad_cells_are_named_with_their_line() {
        let cases = [
            ("x\n1\n2.5\n", "line 3: \"2.5\" is not an integer of 64 bits"),
            ("1\nx\n", "line 2: expected an integer of 64 bits"),
            ("1\r\n\r\n0x1\r\n", "line 3: \"0x1\" is not an integer of 64 bits"),
            ("1,2\n", "it has 2 columns: choose one by --column, its name or number"),
            ("a,b,c\n1,2,3\n", "it has 3 columns (a, b, c): choose one by --column, its name or number"),
            ("x\n1\n2,3\n", "line 3: a row of 2 cells, where the first has 1"),
            (",x\n0,1\n1\n", "line 3: a row of 1 cells, where the first has 2"),
            (",x\n0,1\n1,y\n", "line 3: expected an integer of 64 bits; --column chooses another column"),
            (",x\n0,1\n1,\n", "line 3: a cell is empty; expected an integer"),
            ("1\n2 3\n", "line 2: \"2 3\" is not an integer of 64 bits"),
            ("2.5\n", "line 1: \"2.5\" is not an integer of 64 bits"),
            ("nan\n1\n", "line 1: \"nan\" is not an integer of 64 bits"),
        ];
        for (text, message) in cases {
            assert_eq!(all(text), Err(message.to_string()), "{text:?}");
        }
    }

    #[test]
    fn a_column_is_chosen_by_name_or_number() {
        let of = |text: &str, column: &str| {
            let mut out = [0; 8];
            let read = Reader::of_column(text.as_bytes(), column).read(&mut out);
            read.map(|n| out[..n].to_vec()).map_err(|e| e.to_string())
        };
        let text = ",x,2,x y\n0,10,20,30\n1,11,21,31\n";
        assert_eq!(of(text, "x"), Ok(vec![10, 11]));
        assert_eq!(of(text, "x y"), Ok(vec![30, 31]));
        assert_eq!(of(text, "2"), Ok(vec![20, 21]), "a name comes before a number");
        assert_eq!(of(text, "4"), Ok(vec![30, 31]));
        assert_eq!(of("5,6\n7,8\n", "2"), Ok(vec![6, 8]));
        for (text, column, message) in [
            (text, "y", "--column = y: it has 4 columns (\"\", x, 2, x y), numbered from 1"),
            (text, "0", "--column = 0: it has 4 columns (\"\", x, 2, x y), numbered from 1"),
            ("5,6\n", "3", "--column = 3: it has 2 columns, numbered from 1"),
            ("x,x\n1,2\n", "x", "--column = x: two columns have this name; give its number"),
        ] {
            assert_eq!(of(text, column), Err(message.to_string()));
        }
    }

    #[test]
    fn what_a_reader_holds_is_bounded() {
        let cell = "1".repeat(CELL + 1);
        assert_eq!(all(&cell), Err(format!("line 1: a cell has more than {CELL} bytes")));
        let row = ",".repeat(COLUMNS);
        assert_eq!(all(&row), Err(format!("line 1: more than {COLUMNS} columns")));
    }
}
