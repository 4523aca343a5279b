//! `samplez lattice`.

use super::sample::format;
use super::verify::table;
use crate::args::{Lattice, Reading};
use crate::failure::{Failure, complain};
use crate::files::{Dtype, Encode, Format, npy};
use crate::input::{self, Input, InputFile};
use crate::numbers::grouped;
use crate::output::Output;
use crate::report::print_verdicts;
use samplez::{Rational, Refused, StreamError};
use samplez_lattice::{Form, Matrix};
use samplez_stats::ALPHA;
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
    if let Some(path) = &args.verify {
        return verify(args, path);
    }
    let count = args.count.ok_or_else(|| Failure::Input("--count: missing".into()))?;
    let format = format(args.format, Output::named(args.out.as_ref()))?;
    let seed = args.seed.seed(args.source)?;
    let form = form(args)?;
    let columns = form.columns();
    let mut output = Output::to(Output::named(args.out.as_ref()), args.quiet)?;
    output.write(&match format {
        Format::Npy => npy::matrix_header(count, columns),
        Format::Csv => (1..=columns).map(|k| format!("x{k}")).collect::<Vec<_>>().join(",").into_bytes(),
        Format::Text | Format::Raw => Vec::new(),
    })?;
    if format == Format::Csv {
        output.write(b"\n")?;
    }
    let part = (PART / columns as u64).next_multiple_of(BLOCK).max(BLOCK);
    let mut done = 0;
    while done < count {
        let len = part.min(count - done);
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
        let (count, rank) = (grouped(count), form.rank());
        complain(format_args!(
            "{count} vectors of {columns} integers ({format}), exact; rank {rank}, acceptance at least {:.6}",
            // Rounded down.
            (form.acceptance() * 1e6).floor() / 1e6
        ));
        complain(format_args!("source {}; {}", args.source, args.seed.told(args.source)));
    }
    Ok(ExitCode::SUCCESS)
}

/// Tests the vectors of a file.
fn verify(args: &Lattice, path: &Path) -> Result<ExitCode, Failure> {
    let form = form(args)?;
    let format = args.format.or_else(|| Format::of_path(path));
    if format == Some(Format::Csv) {
        return Err(Failure::Input(format!("--verify {}: expected text, npy or raw, not csv", path.display())));
    }
    let dtype = (format == Some(Format::Raw)).then(|| Dtype::I64.into());
    let input = Input::open(path, &Reading { format, dtype, column: None, is_stream: true })?;
    let name = input.name().to_string();
    let mut vectors = Vec::new();
    input.for_each_chunk(args.quiet, |part| vectors.extend_from_slice(part))?;
    let report = form.verify(&vectors, &[]).map_err(|error| Failure::input(&name, error))?;
    let verdict = if report.consistent {
        format!("consistent: {name} passes for samples of the form")
    } else {
        format!("REJECTED: {name} does not contain samples of the form")
    };
    print_verdicts(&format!(
        "{} vectors of {name}\n\n{}\n{verdict} (ideal samples are rejected with probability about {ALPHA:e})\n",
        grouped(report.n),
        table(&report.tests)
    ))?;
    Ok(ExitCode::from(u8::from(!report.consistent)))
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
