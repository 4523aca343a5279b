//! `samplez round`.

use super::sample::{format, header};
use crate::args::Round;
use crate::failure::Failure;
use crate::files::{Dtype, Encode, Format, NamedDtype, ReadError, csv, npy};
use crate::input::{self, InputFile, marked};
use crate::output::Output;
use samplez::{BigGaussian, Rational, RoundCenter, RoundMethod, Rounding, Stream, StreamError};
use samplez_sources::Generator;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::ExitCode;

/// The longest line that can be a number: more digits would be another number anyway.
const LINE: u64 = 400;
/// Integers of one centre of any size that are drawn at once.
const PART: u64 = 4096;
/// Bytes that are written at once.
const CHUNK: usize = 1 << 16;

pub(crate) fn run(args: &Round) -> Result<ExitCode, Failure> {
    let rounding = Rounding::new(args.method, args.sigma).map_err(|error| Failure::refused(&error.into()))?;
    let format = format(args.format, Output::named(args.out.as_ref()))?;
    let generator = args.source.open(&args.seed.seed(args.source)?);
    let mut stream = Stream::<Generator>::new(generator.map_err(|error| Failure::System(error.to_string()))?);
    let mut centers = Centers::open(&args.file, args.column.as_deref())?;
    let mut writing = Writing::begin(args, format)?;
    while let Some(center) = centers.next(&rounding, args)? {
        match center {
            Center::Usual(center) => {
                for _ in 0..args.count {
                    let x = stream.round(&rounding, center).map_err(|error| Failure::System(error.to_string()))?;
                    writing.push(x, &centers)?;
                }
            }
            Center::Big(law) => writing.push_big(&law, &mut stream, args.count, &centers)?,
        }
    }
    if writing.count == 0 {
        return Err(Failure::input(&centers.name, "holds no centers"));
    }
    writing.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// What is written, and where.
struct Writing {
    output: Output,
    format: Format,
    dtype: NamedDtype,
    bytes: Vec<u8>,
    count: u64,
}

impl Writing {
    fn begin(args: &Round, format: Format) -> Result<Writing, Failure> {
        if let Some(dtype) = args.dtype.as_ref().filter(|_| !format.is_binary()) {
            let why = "text has integers of any size; add --format npy or raw, or remove it";
            return Err(Failure::input(&format!("--dtype = {dtype}"), why));
        }
        let dtype = args.dtype.clone().unwrap_or(Dtype::I64.into());
        let output = Output::to(Output::named(args.out.as_ref()), false)?;
        if format == Format::Npy && !output.is_rewritable() {
            let why =
                "its header contains the number of integers, which is known at the end only: write to a file by --out";
            return Err(Failure::input("--format npy", why));
        }
        // Of npy, in place of the one that tells how many integers there are.
        let bytes = header(format, dtype.dtype, 0);
        Ok(Writing { output, format, dtype, bytes, count: 0 })
    }

    /// An integer of the last centre.
    fn push(&mut self, x: i64, centers: &Centers) -> Result<(), Failure> {
        let bytes = &mut self.bytes;
        match self.dtype.dtype {
            _ if !self.format.is_binary() => i64::to_lines(&[x], bytes),
            dtype if !dtype.range().contains(&x) => {
                // Which one it is stays untold: it may be a secret.
                let why = format_args!("--dtype {} is too narrow for an integer of this center", self.dtype);
                return Err(centers.bad(why));
            }
            Dtype::I8 => i8::to_bytes(&[x as i8], bytes),
            Dtype::I16 => i16::to_bytes(&[x as i16], bytes),
            Dtype::I32 => i32::to_bytes(&[x as i32], bytes),
            Dtype::I64 => i64::to_bytes(&[x], bytes),
        }
        self.wrote()
    }

    /// Counts an integer, and passes full pieces on.
    fn wrote(&mut self) -> Result<(), Failure> {
        self.count += 1;
        if self.bytes.len() >= CHUNK {
            self.output.write(&self.bytes)?;
            self.bytes.clear();
        }
        Ok(())
    }

    /// As many integers around a centre that no rounder takes.
    fn push_big(
        &mut self,
        law: &BigGaussian,
        stream: &mut Stream<Generator>,
        mut count: u64,
        centers: &Centers,
    ) -> Result<(), Failure> {
        while count > 0 {
            let some = PART.min(count);
            let drawn = law.draw(stream, some as usize).map_err(|error| match error {
                StreamError::Source(error) => Failure::System(error.to_string()),
                other => centers.bad(other),
            })?;
            for sample in drawn.chunks(law.limbs()) {
                let sign = (sample[0].cast_signed() >> 63).cast_unsigned();
                match sample {
                    [x, rest @ ..] if rest.iter().all(|word| *word == sign) => self.push(x.cast_signed(), centers)?,
                    _ if self.format.is_binary() => {
                        let why = "has integers beyond 64 bits, which --format text and csv take";
                        return Err(centers.bad(why));
                    }
                    _ => {
                        self.bytes.extend(law.decimal(sample).into_bytes());
                        self.bytes.push(b'\n');
                        self.wrote()?;
                    }
                }
            }
            count -= some;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), Failure> {
        self.output.write(&self.bytes)?;
        if self.format == Format::Npy {
            self.output.rewrite(&header(self.format, self.dtype.dtype, self.count))?;
        }
        self.output.finish()
    }
}

/// A number of the file.
enum Center {
    Usual(RoundCenter),
    /// One of more than 64 bits, or beyond 2^62: the law around it.
    Big(Box<BigGaussian>),
}

/// The numbers of a file.
struct Centers {
    name: String,
    rows: Rows,
    /// The number of the last line, or element, that was read; of lines from 1, of elements from 0.
    line: u64,
}

/// Their place.
enum Rows {
    /// One in each line.
    Lines(Box<dyn BufRead>),
    Column(Box<csv::Reader<Box<dyn BufRead>>>),
    /// An npy file of float64, and how many were read.
    Doubles(npy::Doubles<Box<dyn BufRead>>, u64),
}

impl Centers {
    /// Opens `path`, or standard input for `-`: a CSV file by its name, or if a column is asked for.
    fn open(path: &Path, column: Option<&str>) -> Result<Centers, Failure> {
        let InputFile { name, stream, .. } = input::open(path).map_err(|failure| number_or(path, failure))?;
        let mut stream = BufReader::with_capacity(CHUNK, stream);
        let cannot_read = |error: ReadError| Failure::input(&name, error);
        if stream.fill_buf().map_err(|error| cannot_read(error.into()))?.starts_with(b"\x93NUMPY") {
            if column.is_some() {
                return Err(Failure::input("--column", format_args!("{name} is an npy file, which has no columns")));
            }
            let stream: Box<dyn BufRead> = Box::new(stream);
            let doubles = npy::Doubles::new(stream).map_err(cannot_read)?;
            return Ok(Centers { name, rows: Rows::Doubles(doubles, 0), line: 0 });
        }
        let stream: Box<dyn BufRead> = Box::new(marked(stream, Vec::new()).map_err(cannot_read)?);
        let rows = match (column, Format::of_path(path)) {
            (Some(column), _) => Rows::Column(Box::new(csv::Reader::of_column(stream, column))),
            (None, Some(Format::Csv)) => Rows::Column(Box::new(csv::Reader::new(stream))),
            (None, _) => Rows::Lines(stream),
        };
        Ok(Centers { name, rows, line: 0 })
    }

    /// An error in the last line, or element.
    fn bad(&self, what: impl std::fmt::Display) -> Failure {
        let unit = if matches!(self.rows, Rows::Doubles(..)) { "element" } else { "line" };
        Failure::input(&self.name, format_args!("{unit} {}: {what}", self.line))
    }

    /// The next centre; `None` at the end. A double is the shortest decimal that reads back as it for `karney`, as in Python, and its
    /// exact value for the others.
    fn next(&mut self, rounding: &Rounding, args: &Round) -> Result<Option<Center>, Failure> {
        let Rows::Doubles(doubles, read) = &mut self.rows else {
            let Some(text) = self.next_text()? else { return Ok(None) };
            let parsed = text.parse::<Rational>();
            let taken = parsed.map_err(|error| self.bad(format_args!("center = {text:?}: {error}")));
            let taken = taken.and_then(|center| rounding.center(center).map_err(|error| self.bad(error)));
            return with_any(taken, args, text).map(Some);
        };
        let Some(double) = doubles.next().map_err(|error| Failure::input(&self.name, error))? else { return Ok(None) };
        (self.line, *read) = (*read, *read + 1);
        if args.method.at(args.sigma) == RoundMethod::Karney {
            let decimal = Rational::from_f64_shortest(double);
            let taken = decimal.map_err(|error| self.bad(format_args!("center = {double}: {error}")));
            let taken = taken.and_then(|center| rounding.center(center).map_err(|error| self.bad(error)));
            return with_any(taken, args, format!("{double:e}")).map(Some);
        }
        // The exact value: all that are refused here are integers.
        let taken = rounding.center_of_f64(double).map_err(|error| self.bad(error));
        with_any(taken, args, format!("{double:.0}")).map(Some)
    }

    /// The next number of a text; `None` at the end.
    fn next_text(&mut self) -> Result<Option<String>, Failure> {
        let text = match &mut self.rows {
            Rows::Doubles(..) => None,
            Rows::Lines(_) => self.next_line()?,
            Rows::Column(reader) => {
                let next = reader.next_text().map_err(|error| Failure::input(&self.name, error))?;
                next.map(|(line, text)| {
                    self.line = line;
                    text
                })
            }
        };
        Ok(text)
    }

    /// The next line that is no comment.
    fn next_line(&mut self) -> Result<Option<String>, Failure> {
        loop {
            let Rows::Lines(reader) = &mut self.rows else { return Ok(None) };
            let mut line = Vec::new();
            let read = reader.by_ref().take(LINE).read_until(b'\n', &mut line);
            if read.map_err(|error| Failure::input(&self.name, format!("cannot read: {error}")))? == 0 {
                return Ok(None);
            }
            self.line += 1;
            if line.len() as u64 == LINE && !line.ends_with(b"\n") {
                return Err(
                    self.bad(format_args!("longer than {LINE} bytes; a line has one center, such as 3.2 or 16/5"))
                );
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_ascii();
            if !text.starts_with('#') {
                return Ok(Some(text.to_string()));
            }
        }
    }
}

/// The failure to open a file, which for a number has the way out.
fn number_or(path: &Path, failure: Failure) -> Failure {
    match path.to_str().filter(|text| text.parse::<Rational>().is_ok()) {
        Some(number) => Failure::input(
            number,
            format_args!(
                "expected a file of centres; for this centre alone, run echo {number} | samplez round - with the same options"
            ),
        ),
        None => failure,
    }
}

/// The centre that the rounder takes, or for `auto` the law of any other number.
fn with_any(taken: Result<RoundCenter, Failure>, args: &Round, text: String) -> Result<Center, Failure> {
    taken.map(Center::Usual).or_else(|failure| {
        if args.method != RoundMethod::Auto {
            return Err(failure);
        }
        let pairs = [("sigma", &*args.sigma.to_string()), ("center", &*text)];
        BigGaussian::from_pairs(pairs).map(|law| Center::Big(Box::new(law))).map_err(|_| failure)
    })
}
