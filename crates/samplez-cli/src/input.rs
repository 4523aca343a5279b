//! Opening files.

use crate::args::Reading;
use crate::failure::Failure;
use crate::files::layout::{HEAD, Layout, Tabbed, archive, foreign, has_numbers, is_zip};
use crate::files::{Beyond, Format, Integers, ReadError, csv, npy, raw, text};
use crate::progress::Progress;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::rc::Rc;

/// A file of integers that is being read.
pub(crate) struct Input {
    name: String,
    integers: Box<dyn Integers>,
    /// The integers that were read before their turn.
    head: Vec<i64>,
    bytes_read: Rc<Cell<u64>>,
    bytes: Option<u64>,
}

/// Integers handed on at once.
const CHUNK: usize = 1 << 16;

impl Input {
    /// Opens `path`, or standard input for `-`.
    pub(crate) fn open(path: &Path, reading: &Reading) -> Result<Input, Failure> {
        Input::open_with(path, reading, &Beyond::None)
    }

    /// The same with integers beyond 64 bits.
    pub(crate) fn open_with(path: &Path, reading: &Reading, beyond: &Beyond) -> Result<Input, Failure> {
        let InputFile { name, stream, bytes } = open(path)?;
        let bytes_read = Rc::new(Cell::new(0));
        let stream = BufReader::with_capacity(1 << 18, Counting { stream, bytes_read: Rc::clone(&bytes_read) });
        let format = reading.format.or_else(|| Format::of_path(path));
        let integers = decode(stream, format, reading, beyond.clone()).map_err(|error| Failure::input(&name, error))?;
        Ok(Input { name, integers, head: Vec::new(), bytes_read, bytes })
    }

    /// The file's name for messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The file's name without its folder.
    pub(crate) fn short_name(&self) -> &str {
        Path::new(&self.name).file_name().and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    /// The first 2^16 integers in every format, or all if the input has fewer.
    pub(crate) fn head(&mut self) -> Result<&[i64], Failure> {
        if self.head.is_empty() {
            let (mut head, mut count) = (vec![0; CHUNK], 0);
            while count < CHUNK {
                match self.integers.read(&mut head[count..]).map_err(|error| Failure::input(&self.name, error))? {
                    0 => break,
                    n => count += n,
                }
            }
            head.truncate(count);
            self.head = head;
        }
        Ok(&self.head)
    }

    /// Hands all integers to `take`, a chunk at a time; returns how many they were, at least 1.
    pub(crate) fn for_each_chunk(self, quiet: bool, mut take: impl FnMut(&[i64])) -> Result<u64, Failure> {
        self.while_chunks(quiet, |chunk| {
            take(chunk);
            Ok(true)
        })
    }

    /// The same as long as `take` returns true.
    pub(crate) fn while_chunks(
        mut self,
        quiet: bool,
        mut take: impl FnMut(&[i64]) -> Result<bool, Failure>,
    ) -> Result<u64, Failure> {
        let mut progress = Progress::new(self.bytes, "bytes", quiet);
        let (mut chunk, mut count) = (vec![0; CHUNK], self.head.len() as u64);
        if !self.head.is_empty() && !take(&self.head)? {
            return Ok(count);
        }
        loop {
            match self.integers.read(&mut chunk).map_err(|error| Failure::input(&self.name, error))? {
                0 if count == 0 => return Err(Failure::input(&self.name, "holds no integers")),
                0 => return Ok(count),
                n => {
                    count += n as u64;
                    if !take(&chunk[..n])? {
                        return Ok(count);
                    }
                }
            }
            progress.at(self.bytes_read.get());
        }
    }
}

/// An open file.
pub(crate) struct InputFile {
    /// Its name for messages.
    pub(crate) name: String,
    pub(crate) stream: Box<dyn Read>,
    /// How many bytes it has, if that is known.
    bytes: Option<u64>,
}

/// Opens `path`, or standard input for `-`.
pub(crate) fn open(path: &Path) -> Result<InputFile, Failure> {
    if path == Path::new("-") {
        return Ok(InputFile {
            name: "standard input".to_string(),
            stream: Box::new(Retrying(io::stdin().lock())),
            bytes: None,
        });
    }
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Failure::input(&name, format!("cannot open: {error}")))?;
    let bytes = file.metadata().ok().filter(|found| found.is_file()).map(|found| found.len());
    Ok(InputFile { name, stream: Box::new(Retrying(file)), bytes })
}

fn decode(
    mut stream: impl BufRead + 'static,
    format: Option<Format>,
    reading: &Reading,
    beyond: Beyond,
) -> Result<Box<dyn Integers>, ReadError> {
    let refuse = |what: &str| Err(ReadError::Content(what.to_string()));
    let column = reading.column.as_deref();
    match (format, reading.dtype.as_ref()) {
        (Some(Format::Raw), _) if column.is_some() => {
            return refuse("--column is for text in columns, and a raw file has none; remove it");
        }
        (Some(Format::Raw), None) => return refuse("a raw file does not contain its integer type: add --dtype"),
        (Some(Format::Raw), Some(dtype)) => return Ok(Box::new(raw::Reader::new(stream, dtype.dtype).with(beyond))),
        (_, Some(dtype)) => {
            return refuse(&format!(
                "--dtype = {dtype}: is for raw files only; add --format raw if this is one, or remove it"
            ));
        }
        _ => {}
    }
    let mut start = Vec::new();
    stream.by_ref().take(HEAD as u64).read_to_end(&mut start)?;
    if npy::is_npy(&start) && matches!(format, None | Some(Format::Npy)) {
        if column.is_some() {
            return refuse(
                "--column is for text in columns only, and this is an array of NumPy; save one column by itself",
            );
        }
        let reader = npy::Reader::new(Cursor::new(start).chain(stream))?.with(beyond);
        return Ok(Box::new(if reading.is_stream { reader } else { reader.one_column()? }));
    }
    if is_zip(&start) {
        return Err(ReadError::Content(archive(&last(start, stream)?)));
    }
    if let Some(what) = foreign(&start) {
        return Err(ReadError::Content(what));
    }
    if format == Some(Format::Npy) {
        return Ok(Box::new(npy::Reader::new(Cursor::new(start).chain(stream))?));
    }
    let layout = Layout::of(start.strip_prefix(MARK).unwrap_or(&start));
    let named = has_numbers(&start);
    let stream = marked(stream, start)?;
    let is_stream = reading.is_stream || reading.format == Some(Format::Text);
    match layout {
        _ if is_stream && column.is_some() => {
            refuse("--column: --format text reads all numbers as one stream; remove one of them")
        }
        _ if is_stream => Ok(Box::new(text::Reader::new(stream).with(beyond))),
        Layout::Stream if column.is_none() && format != Some(Format::Csv) => {
            Ok(Box::new(text::Reader::new(stream).with(beyond).in_rows()))
        }
        Layout::Stream => Ok(Box::new(csv::Reader::new(stream).with(column, beyond).named(named))),
        Layout::Columns(separator) => {
            Ok(Box::new(csv::Reader::delimited(stream, separator).with(column, beyond).named(named)))
        }
        Layout::Blanks => Ok(Box::new(
            csv::Reader::delimited(Tabbed::new(stream), b'\t').with(column, beyond).named(named).or_stream(),
        )),
    }
}

/// The last bytes of a file.
fn last(mut start: Vec<u8>, mut stream: impl Read) -> io::Result<Vec<u8>> {
    loop {
        let read = stream.by_ref().take(HEAD as u64).read_to_end(&mut start)?;
        if read == 0 {
            return Ok(start);
        }
        start.drain(..start.len().saturating_sub(HEAD));
    }
}

/// The mark that some programs put before UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// A text of which this much has been read, without the mark that some programs put before UTF-8.
pub(crate) fn marked<R: BufRead>(mut stream: R, mut start: Vec<u8>) -> Result<impl BufRead + use<R>, ReadError> {
    let missing = MARK.len().saturating_sub(start.len());
    stream.by_ref().take(missing as u64).read_to_end(&mut start)?;
    if start.starts_with(MARK) {
        start.drain(..MARK.len());
    }
    Ok(Cursor::new(start).chain(stream))
}

/// Reads again where a signal interrupted.
struct Retrying<R>(R);

impl<R: Read> Read for Retrying<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                done => return done,
            }
        }
    }
}

/// Counts the bytes that pass.
struct Counting<R> {
    stream: R,
    bytes_read: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.stream.read(buffer)?;
        self.bytes_read.set(self.bytes_read.get() + n as u64);
        Ok(n)
    }
}
