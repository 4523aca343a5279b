//! `samplez lattice`.

use super::sample::format;
use crate::args::Lattice;
use crate::failure::{Failure, complain};
use crate::files::{Encode, Format, npy};
use crate::input::{self, InputFile};
use crate::numbers::grouped;
use crate::output::Output;
use samplez::{Rational, Refused, StreamError};
use samplez_lattice::{Form, Matrix};
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use zeroize::Zeroizing;

/// The largest file that is read.
const LARGEST: u64 = 1 << 28;
/// Integers that are written at once, unless a block has more.
const PART: u64 = 1 << 14;
/// Vectors of a block of [`Form::fill`]. A fill that begins inside a block draws the block's first vectors again.
const BLOCK: u64 = 256;

pub(crate) fn run(args: &Lattice) -> Result<ExitCode, Failure> {
    let format = format(args.format, Output::named(args.out.as_ref()))?;
    let seed = args.seed.seed(args.source)?;
    let form = form(args)?;
    let columns = form.columns();
    let mut output = Output::to(Output::named(args.out.as_ref()), args.quiet)?;
    output.write(&match format {
        Format::Npy => npy::matrix_header(args.count, columns),
        Format::Csv => (1..=columns).map(|k| format!("x{k}")).collect::<Vec<_>>().join(",").into_bytes(),
        Format::Text | Format::Raw => Vec::new(),
    })?;
    if format == Format::Csv {
        output.write(b"\n")?;
    }
    let part = (PART / columns as u64).next_multiple_of(BLOCK).max(BLOCK);
    let mut done = 0;
    while done < args.count {
        let len = part.min(args.count - done);
        let mut vectors = Zeroizing::new(vec![0; len as usize * columns]);
        form.fill(args.source, &seed, done, &mut vectors).map_err(|error| match error {
            StreamError::Source(error) => Failure::System(error.to_string()),
            other => Failure::Input(other.to_string()),
        })?;
        let mut bytes = Zeroizing::new(Vec::new());
        for vector in vectors.chunks_exact(columns) {
            encode(vector, format, &mut bytes);
        }
        output.write(&bytes)?;
        done += len;
    }
    output.finish()?;
    if !args.quiet {
        let (count, rank) = (grouped(args.count), form.rank());
        complain(format_args!(
            "{count} vectors of {columns} integers ({format}), exact; rank {rank}, acceptance at least {:.6}",
            // Rounded down.
            (form.acceptance() * 1e6).floor() / 1e6
        ));
        complain(format_args!("source {}; {}", args.source, args.seed.told(args.source)));
    }
    Ok(ExitCode::SUCCESS)
}

fn form(args: &Lattice) -> Result<Form, Failure> {
    let sigma = args.sigma;
    let made = match (&args.basis, &args.gram, &args.kernel, args.modulus) {
        (Some(path), ..) => Form::basis(&matrix(path)?, sigma),
        (_, Some(path), ..) => Form::gram(&matrix(path)?, sigma),
        (_, _, Some(path), Some(q)) => Form::qary(&matrix(path)?, q, sigma),
        _ => return Err(Failure::Input("--basis: missing; name a file".into())),
    };
    let form = made.map_err(|refused| match refused.argument() {
        "a" => Failure::Input(Refused::new("kernel", refused.value(), "expected integers").respelled(spelled)),
        _ => Failure::Input(refused.respelled(spelled)),
    })?;
    let Some(center) = &args.center else { return Ok(form) };
    let numbers = center.split(',').map(|text| {
        text.trim().parse::<Rational>().map_err(|error| Failure::input(&format!("--center {text:?}"), error))
    });
    form.with_center(&numbers.collect::<Result<Vec<_>, _>>()?).map_err(|refused| match refused.argument() {
        // The form around 0 was accepted: this centre is the reason.
        "sigma" => Failure::Input(Refused::new("center", center, refused.allowed()).respelled(spelled)),
        _ => Failure::Input(refused.respelled(spelled)),
    })
}

fn spelled(name: &str) -> String {
    match name {
        "q" => "--modulus".to_string(),
        name => format!("--{name}"),
    }
}

fn matrix(path: &Path) -> Result<Matrix, Failure> {
    let InputFile { name, stream, .. } = input::open(path)?;
    let mut text = String::new();
    let read = stream.take(LARGEST).read_to_string(&mut text);
    let read = read.map_err(|error| Failure::input(&name, format!("cannot read: {error}")))?;
    if read as u64 == LARGEST {
        return Err(Failure::input(&name, format!("expected a file of less than {} bytes", grouped(LARGEST))));
    }
    text.trim_start_matches('\u{feff}').parse().map_err(|error| Failure::input(&name, error))
}

fn encode(vector: &[i64], format: Format, out: &mut Vec<u8>) {
    if format.is_binary() {
        return i64::to_bytes(vector, out);
    }
    let separator = if format == Format::Csv { b',' } else { b' ' };
    let from = out.len();
    i64::to_lines(vector, out);
    let end = out.len() - 1;
    out[from..end].iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = separator);
}
