//! `samplez round`.

use crate::args::{Round, Rounding};
use crate::failure::Failure;
use crate::input::{self, Opened};
use crate::output::Output;
use samplez::samplers::isochronous::{IsochronousRounder, Scale};
use samplez::samplers::karney::KarneyRounder;
use samplez::samplers::strip_rounder::StripRounder;
use samplez::sources::Generator;
use samplez::{FixedPoint, ParamError, Rational, Rounder, Stream};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::ExitCode;

/// The longest line that can be a number: more digits would be another number anyway.
const LINE: u64 = 400;
/// Bytes that are written at once.
const CHUNK: usize = 1 << 16;

pub(crate) fn run(args: &Round) -> Result<ExitCode, Failure> {
    match args.method {
        Rounding::Karney => {
            let rounder = KarneyRounder::new(args.sigma).map_err(refused)?;
            all(args, &rounder, |center| rounder.center(center))
        }
        Rounding::Isochronous => {
            let scale = Scale::new(args.sigma).map_err(refused)?;
            all(args, &IsochronousRounder, |center| Ok((FixedPoint::new(center)?, scale)))
        }
        Rounding::Strips => {
            let rounder = StripRounder::of_sigma(args.sigma).map_err(refused)?;
            let width = rounder.width(args.sigma).map_err(refused)?;
            all(args, &rounder, |center| Ok((FixedPoint::new(center)?, width)))
        }
    }
}

fn refused(error: ParamError) -> Failure {
    Failure::refused(&error.into())
}

/// Rounds the whole file.
fn all<T: Rounder>(
    args: &Round,
    rounder: &T,
    prepare: impl Fn(Rational) -> Result<T::Center, ParamError>,
) -> Result<ExitCode, Failure> {
    let generator = args.source.open(&args.seed.seed(args.source)?);
    let mut stream = Stream::<Generator>::new(generator.map_err(|error| Failure::System(error.to_string()))?);
    let mut centers = Centers::open(&args.file)?;
    let mut output = args.out.as_deref().map_or_else(|| Ok(Output::stdout()), Output::file)?;
    let (mut lines, mut digits) = (Vec::new(), itoa::Buffer::new());
    while let Some(center) = centers.next()? {
        let center = prepare(center).map_err(|error| centers.bad(error))?;
        for _ in 0..args.count {
            let x = stream.round(rounder, center).map_err(|error| Failure::System(error.to_string()))?;
            lines.extend_from_slice(digits.format(x).as_bytes());
            lines.push(b'\n');
            if lines.len() >= CHUNK {
                output.write(&lines)?;
                lines.clear();
            }
        }
    }
    if centers.line == 0 {
        return Err(Failure::input(&centers.name, "holds no centers"));
    }
    output.write(&lines)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// The numbers of a file, one in each line.
struct Centers {
    name: String,
    reader: BufReader<Box<dyn Read>>,
    /// The number of the last line that was read.
    line: u64,
}

impl Centers {
    /// Opens `path`, or standard input for `-`.
    fn open(path: &Path) -> Result<Centers, Failure> {
        let Opened { name, stream, .. } = input::open(path)?;
        Ok(Centers { name, reader: BufReader::with_capacity(CHUNK, stream), line: 0 })
    }

    /// An error in the last line.
    fn bad(&self, what: impl std::fmt::Display) -> Failure {
        Failure::input(&self.name, format_args!("line {}: {what}", self.line))
    }

    /// The next line's number; `None` at the end.
    fn next(&mut self) -> Result<Option<Rational>, Failure> {
        let mut line = Vec::new();
        let read = self.reader.by_ref().take(LINE).read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::input(&self.name, format!("cannot read: {error}")))? == 0 {
            return Ok(None);
        }
        self.line += 1;
        if line.len() as u64 == LINE && !line.ends_with(b"\n") {
            return Err(self.bad(format_args!("longer than {LINE} bytes; a line has one center, such as 3.2 or 16/5")));
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_ascii();
        text.parse().map(Some).map_err(|error| self.bad(format_args!("center = {text:?}: {error}")))
    }
}
