//! `samplez sample`.

use crate::args::Sample;
use crate::failure::{Failure, complain};
use crate::files::{Dtype, Encode, Format, npy};
use crate::numbers::{grouped, metric};
use crate::output::Output;
use crate::progress::Progress;
use samplez::bulk::BLOCK;
use samplez::{Built, Bulk, FillError};
use std::io::{IsTerminal, stdout};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::mpsc::sync_channel;
use std::thread;

/// Samples that a thread makes and encodes at a time: whole blocks of the stream.
const CHUNK: u64 = 16 * BLOCK;

pub(crate) fn run(args: &Sample) -> Result<ExitCode, Failure> {
    let format = format(args)?;
    let seed = args.seed.seed(args.source)?;
    let built = args.recipe.build()?;
    let dtype = dtype(args.dtype, &built)?;
    let threads = args.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);

    let output = match &args.out {
        Some(path) => Output::file(path)?,
        None => Output::stdout(),
    };
    let bar_would_mix_with_data = args.out.is_none() && stdout().is_terminal();
    let progress = Progress::new(Some(args.count), "samples", args.quiet || bar_would_mix_with_data);
    let mut writing = Writing { format, count: args.count, output, progress };
    let bulk = Bulk::new(built.sampler(), args.source, seed);
    match dtype {
        Dtype::I8 => writing.all::<i8>(&bulk, threads, dtype)?,
        Dtype::I16 => writing.all::<i16>(&bulk, threads, dtype)?,
        Dtype::I32 => writing.all::<i32>(&bulk, threads, dtype)?,
        Dtype::I64 => writing.all::<i64>(&bulk, threads, dtype)?,
    }
    let Writing { output, progress, .. } = writing;
    output.finish()?;

    if !args.quiet {
        let seconds = progress.elapsed().as_secs_f64();
        drop(progress);
        let kind = if format.is_binary() { format!("{format}, {dtype}") } else { format.to_string() };
        let rate =
            if seconds > 0.01 { format!(", {} samples/s", metric(args.count as f64 / seconds)) } else { String::new() };
        let count = grouped(args.count);
        let (law, method, recipe) = (built.law(), built.method(), built.recipe());
        complain(format_args!("{law} by {method}: {count} samples ({kind}) in {seconds:.2} s{rate}"));
        complain(format_args!("recipe {recipe}; source {}; {}", args.source, args.seed.told(args.source)));
    }
    Ok(ExitCode::SUCCESS)
}

/// The format asked for, else that of the file's name, else text.
fn format(args: &Sample) -> Result<Format, Failure> {
    let format = match (args.format, &args.out) {
        (Some(format), _) => format,
        (None, None) => Format::Text,
        (None, Some(path)) => Format::of_path(path).ok_or_else(|| {
            let name = format!("--out {}", path.display());
            Failure::input(&name, "the name does not end in .txt, .csv, .npy, .raw or .bin: add --format")
        })?,
    };
    if format.is_binary() && args.out.is_none() && stdout().is_terminal() {
        return Err(Failure::Input(format!(
            "--format {format} is not for a terminal: add --out or redirect the output"
        )));
    }
    Ok(format)
}

/// The type asked for if it holds the samples, else the narrowest that does.
pub(super) fn dtype(asked: Option<Dtype>, built: &Built) -> Result<Dtype, Failure> {
    let range = built.typical_range();
    match asked {
        Some(dtype) if !dtype.holds(&range) => Err(Failure::Input(format!(
            "--dtype {dtype}: too narrow for {}, whose samples go from {} to {}; allowed from {} on",
            built.law(),
            range.start(),
            range.end(),
            Dtype::narrowest(range.clone())
        ))),
        Some(dtype) => Ok(dtype),
        None => Ok(Dtype::narrowest(range)),
    }
}

/// What is written, and where.
struct Writing {
    format: Format,
    count: u64,
    output: Output,
    progress: Progress,
}

impl Writing {
    /// Writes header and samples. Thread t makes the chunks t, t + threads, …; this thread writes
    /// them in order. Each thread is at most two chunks ahead, so the memory does not depend on
    /// the count.
    fn all<T: Encode>(&mut self, bulk: &Bulk<'_>, threads: NonZeroUsize, dtype: Dtype) -> Result<(), Failure> {
        match self.format {
            Format::Npy => self.output.write(&npy::header(dtype, self.count))?,
            Format::Csv => self.output.write(b"x\n")?,
            Format::Text | Format::Raw => {}
        }
        let (format, count) = (self.format, self.count);
        let chunks = count.div_ceil(CHUNK);
        let threads = (threads.get() as u64).min(chunks);
        thread::scope(|scope| {
            let mut channels = Vec::new();
            for thread in 0..threads {
                let (sender, receiver) = sync_channel(1);
                let work = move || {
                    for chunk in (thread..chunks).step_by(threads as usize) {
                        let result = make::<T>(bulk, chunk, count, format);
                        let failed = result.is_err();
                        if sender.send(result).is_err() || failed {
                            return; // nobody wants more
                        }
                    }
                };
                let spawned = thread::Builder::new().spawn_scoped(scope, work);
                spawned.map_err(|error| Failure::System(format!("cannot start a thread: {error}")))?;
                channels.push(receiver);
            }
            for chunk in 0..chunks {
                let received = channels[(chunk % threads) as usize].recv();
                let Ok(result) = received else {
                    return Err(Failure::System("a thread died".into()));
                };
                self.output.write(&result.map_err(describe)?)?;
                self.progress.at((chunk + 1).saturating_mul(CHUNK).min(count));
            }
            Ok(())
        })
    }
}

/// The encoded samples of one chunk.
fn make<T: Encode>(bulk: &Bulk<'_>, chunk: u64, count: u64, format: Format) -> Result<Vec<u8>, FillError> {
    let first = chunk * CHUNK;
    let mut samples = vec![T::ZERO; CHUNK.min(count - first) as usize];
    bulk.fill(first, &mut samples)?;
    let mut bytes = Vec::new();
    if format.is_binary() {
        T::to_bytes(&samples, &mut bytes);
    } else {
        T::to_lines(&samples, &mut bytes);
    }
    Ok(bytes)
}

pub(super) fn describe(error: FillError) -> Failure {
    match error {
        FillError::Entropy(error) => Failure::System(error.to_string()),
        error => Failure::Input(error.to_string()),
    }
}
