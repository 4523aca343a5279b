//! How the numbers of a text file lie, and what a file is that has none: both by its beginning.

use std::io::{self, BufRead};

/// The bytes at the beginning of a file that show its layout.
pub(crate) const HEAD: usize = 1 << 16;

/// How the numbers of a text lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// One after the other, between blanks and ends of lines.
    Stream,
    /// In columns, between these bytes.
    Columns(u8),
    /// In columns, between runs of blanks.
    Blanks,
}

/// Words for a missing or non-integral value. A line that begins with one is data, not a header.
const WORDS: [&str; 9] = ["nan", "inf", "infinity", "null", "none", "na", "n/a", "true", "false"];

/// Whether a text begins as a header's cell does, and not as a number's.
pub(crate) fn is_name(text: &str) -> bool {
    let begins = |first: char| !first.is_ascii_digit() && !"+-.".contains(first);
    text.chars().next().is_some_and(begins) && !is_word(text)
}

/// Whether a text is a word in the place of a number.
pub(super) fn is_word(text: &str) -> bool {
    WORDS.contains(&text.to_ascii_lowercase().as_str())
}

impl Layout {
    /// The layout of a text that begins so. A file of columns has two lines with the same number of cells, above one, among the first
    /// three. Numbers in a column of their own are a stream, unless a name is above them.
    pub(crate) fn of(start: &[u8]) -> Layout {
        let whole = if start.len() < HEAD { start.len() } else { start.iter().rposition(|b| *b == b'\n').unwrap_or(0) };
        let lines = start[..whole].split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
        let lines: Vec<&[u8]> =
            lines.filter(|line| !line.is_empty() && line[0] != b'#').map(uncommented).take(3).collect();
        for separator in *b"\t;," {
            if lines.iter().any(|line| has(line, separator)) {
                return Layout::Columns(separator);
            }
        }
        let cells = |line: &&[u8]| line.split(u8::is_ascii_whitespace).filter(|cell| !cell.is_empty()).count();
        let counts: Vec<usize> = lines.iter().map(cells).collect();
        if (1..counts.len()).any(|i| counts[i] > 1 && counts[..i].contains(&counts[i])) {
            return Layout::Blanks;
        }
        let first = lines.first().map_or("".into(), |line| String::from_utf8_lossy(line));
        if lines.len() > 1 && is_name(&first) { Layout::Columns(b',') } else { Layout::Stream }
    }
}

/// A line without the comment after its numbers.
fn uncommented(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| *byte == b'#').unwrap_or(line.len());
    let numbers = |byte: &u8| byte.is_ascii_digit() || b" \t+-.eE".contains(byte);
    if line[..end].iter().all(numbers) { line[..end].trim_ascii_end() } else { line }
}

/// Whether the second line of a text has a number, so that the first may have names of columns.
pub(crate) fn has_numbers(start: &[u8]) -> bool {
    let lines = start.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
    let second = lines.filter(|line| !line.is_empty() && line[0] != b'#').nth(1).unwrap_or_default();
    let mut cells = second.split(|b| b"\t;, \"".contains(b));
    cells.any(|cell| str::from_utf8(cell).is_ok_and(|cell| cell.parse::<f64>().is_ok()))
}

/// Whether a line has this byte outside of quotation marks.
fn has(line: &[u8], separator: u8) -> bool {
    let mut quoted = false;
    line.iter().any(|byte| {
        quoted ^= *byte == b'"';
        !quoted && *byte == separator
    })
}

/// A text with one tab in the place of each run of blanks, and none at the ends of its lines.
pub(crate) struct Tabbed<R> {
    reader: R,
    out: Vec<u8>,
    used: usize,
    /// Whether the line has begun, and whether blanks came after its last cell.
    begun: bool,
    blank: bool,
}

impl<R> Tabbed<R> {
    pub(crate) fn new(reader: R) -> Self {
        Tabbed { reader, out: Vec::new(), used: 0, begun: false, blank: false }
    }
}

impl<R: BufRead> io::Read for Tabbed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let n = bytes.len().min(buffer.len());
        buffer[..n].copy_from_slice(&bytes[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for Tabbed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.used == self.out.len() {
            (self.used, self.out) = (0, Vec::new());
            let bytes = self.reader.fill_buf()?;
            let n = bytes.len();
            if n == 0 {
                break;
            }
            for byte in bytes {
                match byte {
                    b' ' | b'\t' => self.blank = self.begun,
                    b'\n' | b'\r' => {
                        self.out.push(*byte);
                        (self.begun, self.blank) = (false, false);
                    }
                    _ => {
                        if self.blank {
                            self.out.push(b'\t');
                        }
                        self.out.push(*byte);
                        (self.begun, self.blank) = (true, false);
                    }
                }
            }
            self.reader.consume(n);
        }
        Ok(&self.out[self.used..])
    }

    fn consume(&mut self, n: usize) {
        self.used += n;
    }
}

/// Beginnings of files that hold no text, what they are, and a way to integers.
const KINDS: [(&[u8], &str, &str); 16] = [
    (b"SQLite format 3\0", "an SQLite database", "export one column as text"),
    (b"PAR1", "a Parquet file", "export one column as .npy or text"),
    (b"ARROW1", "an Arrow file", "export one column as .npy or text"),
    (b"FEA1", "a Feather file", "export one column as .npy or text"),
    (b"\x89HDF", "an HDF5 file", "export one data set as .npy or text"),
    (b"MATLAB 5.0", "a MATLAB file", "export one array as text"),
    (b"\x1f\x8b", "compressed by gzip", "decompress it first"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd", "decompress it first"),
    (b"BZh", "compressed by bzip2", "decompress it first"),
    (b"\xfd7zXZ", "compressed by xz", "decompress it first"),
    (b"\x80\x03", "a pickle of Python", "save the array by np.save"),
    (b"\x80\x04", "a pickle of Python", "save the array by np.save"),
    (b"\x80\x05", "a pickle of Python", "save the array by np.save"),
    (b"\xff\xfe", "text in UTF-16", "write it in UTF-8"),
    (b"\xfe\xff", "text in UTF-16", "write it in UTF-8"),
    (b"<", "XML or HTML", "write one integer in each line"),
];

/// What a file is that begins so, with a way to integers; `None` for text that may hold them.
pub(crate) fn foreign(start: &[u8]) -> Option<String> {
    if let Some((_, what, way)) = KINDS.into_iter().find(|(magic, ..)| start.starts_with(magic)) {
        return Some(format!("is {what}: {way}"));
    }
    let is_control = |byte: &u8| *byte < b' ' && !byte.is_ascii_whitespace() && *byte != 0x0b;
    if start.iter().any(|byte| is_control(byte) || *byte == 0x7f) {
        return Some("is binary: for bare integers add --format raw and --dtype".into());
    }
    let text = start.trim_ascii_start();
    // A cell in brackets may begin a text, too.
    let json = match text.strip_prefix(b"[").map(<[u8]>::trim_ascii_start) {
        Some(list) => list.first().is_none_or(|first| b"-[{]0123456789".contains(first)),
        None => text.starts_with(b"{"),
    };
    json.then(|| "is JSON: write one integer in each line, such as by jq '.[]' or jq '.NAME[]'".into())
}

/// Whether a file that begins so is a zip archive, such as NumPy's .npz.
pub(crate) fn is_zip(start: &[u8]) -> bool {
    start.starts_with(b"PK\x03\x04")
}

/// What a zip archive is that ends so: its arrays by name.
pub(crate) fn archive(end: &[u8]) -> String {
    // A record of the directory at the end has the length of its name at 28, and its name at 46.
    let name = |at: usize| {
        let length = end.get(at + 28..at + 30)?;
        let name = end.get(at + 46..at + 46 + usize::from(length[0]) + 256 * usize::from(length[1]))?;
        Some(String::from_utf8_lossy(name).strip_suffix(".npy")?.escape_debug().to_string())
    };
    let records = end.windows(4).enumerate().filter(|(_, bytes)| *bytes == b"PK\x01\x02");
    let names: Vec<String> = records.filter_map(|(at, _)| name(at)).collect();
    match &names[..] {
        [] => "is a zip archive: unpack it first".into(),
        [first, ..] => format!(
            "is an archive of NumPy (.npz) with {}: {}; save one by np.save(\"{first}.npy\", np.load(FILE)[\"{first}\"])",
            if names.len() == 1 { "1 array".into() } else { format!("{} arrays", names.len()) },
            names.iter().take(8).map(String::as_str).collect::<Vec<_>>().join(", "),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    #[test]
    fn layouts() {
        for (text, layout) in [
            ("1\n2\n3\n", Layout::Stream),
            ("  1\t\n 2 \n", Layout::Stream),
            ("3 -1 2 5\n", Layout::Stream),
            ("3 -1 2\n5 6 7 8\n9\n", Layout::Stream),
            ("# a b\n-1\n", Layout::Stream),
            ("1 # a\n-2 # b, c\n3# d;\n", Layout::Stream),
            ("0 1 # a\n1 -5 # b\n", Layout::Blanks),
            ("0;1#\n1;5 # b\n", Layout::Columns(b';')),
            ("nan\n1\n2\n", Layout::Stream),
            ("0 1\n1 -5\n", Layout::Blanks),
            ("# id x\n\n0   1\r\n1\t-5\r\n", Layout::Columns(b'\t')),
            ("id noise\n0 1\n", Layout::Blanks),
            ("0 1\n1\n2 3\n", Layout::Blanks),
            ("x\n0 1\n2 3\n", Layout::Blanks),
            ("0\t1\n1\t-5\n", Layout::Columns(b'\t')),
            ("id;noise\n0;1\n", Layout::Columns(b';')),
            ("\"a;b\",c\n0,1\n", Layout::Columns(b',')),
            ("1,0;2,0\n3,0;4,0\n", Layout::Columns(b';')),
            ("x\n1\n2\n", Layout::Columns(b',')),
            ("word", Layout::Stream),
            ("", Layout::Stream),
        ] {
            assert_eq!(Layout::of(text.as_bytes()), layout, "{text:?}");
        }
        // A line that is cut decides nothing.
        let mut long = b"1\n".to_vec();
        long.resize(HEAD, b'7');
        assert_eq!(Layout::of(&long), Layout::Stream);
    }

    #[test]
    fn numbers_below_names() {
        for (text, has) in
            [("a,b\n1,2\n", true), ("a;b\n\n\"1.5\";x\n", true), ("a b\nc d\n1 2\n", false), ("1,2\n", false)]
        {
            assert_eq!(has_numbers(text.as_bytes()), has, "{text:?}");
        }
    }

    #[test]
    fn blanks_become_tabs() {
        for capacity in 1..9 {
            let mut text = String::new();
            let source = BufReader::with_capacity(capacity, "  a   b \r\n0 \t 1\n\n \n2  3".as_bytes());
            Tabbed::new(source).read_to_string(&mut text).unwrap();
            assert_eq!(text, "a\tb\r\n0\t1\n\n\n2\t3");
        }
    }

    #[test]
    fn foreign_files_are_named() {
        for (start, words) in [
            (&b"SQLite format 3\0\x10"[..], "SQLite"),
            (b"PAR1\x15", "Parquet"),
            (b"\x1f\x8b\x08", "gzip"),
            (b"\x80\x04\x95", "pickle"),
            (b"\xff\xfe1\x00", "UTF-16"),
            (b"1\x002\x00", "--format raw"),
            (b" [1, 2]", "JSON"),
            (b"{\"x\": [1]}", "jq"),
            (b"<table>", "HTML"),
        ] {
            assert!(foreign(start).is_some_and(|what| what.contains(words)), "{start:?}");
        }
        for text in ["1\n2\n", "", "\u{feff}x\n1", "größe\n1\n", "[\"x\"]\n1", "[x]\n1"] {
            assert_eq!(foreign(text.as_bytes()), None, "{text:?}");
        }
        let record =
            |name: &str| [&b"PK\x01\x02"[..], &[0; 24], &[name.len() as u8, 0], &[0; 16], name.as_bytes()].concat();
        let both = archive(&[record("noise.npy"), record("ü.npy")].concat());
        assert!(both.contains("2 arrays: noise, ü;") && both.contains("np.load(FILE)[\"noise\"]"), "{both}");
        assert!(archive(b"PK\x01\x02").contains("unpack") && archive(&record("a.txt")).contains("unpack"));
    }
}
