//! `samplez sample`.

use super::big;
use crate::args::{Sample, alone};
use crate::failure::{Failure, complain};
use crate::files::{Dtype, Encode, Format, NamedDtype, npy};
use crate::numbers::{grouped, metric};
use crate::output::Output;
use crate::progress::{Progress, building};
use samplez::SparseTernary;
use samplez::bindings::block_address;
use samplez::{Built, Bulk, FillError, NarrowType, Noise, Seed, Stream};
use std::io::{IsTerminal, stdout};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

pub(crate) fn run(args: &Sample) -> Result<ExitCode, Failure> {
    let format = format(args.format, Output::named(args.out.as_ref()))?;
    let seed = args.seed.seed(args.source)?;
    let first = first(args)?;
    if let Some(weight) = args.sparse_ternary {
        return sparse(args, weight, format, &seed).map(|()| ExitCode::SUCCESS);
    }
    let law = args.finite.law(&args.recipe)?;
    let built = match building(args.quiet, || args.recipe.build_or(law)) {
        Ok(built) => built,
        Err(failure) => {
            let Some(law) = args.recipe.big() else { return Err(failure) };
            return big::sample(args, &law?, format).map(|()| ExitCode::SUCCESS);
        }
    };
    all(args, built, seed, format, first)
}

/// The values to expect where no type is written.
const ANY: RangeInclusive<i64> = i64::MIN..=i64::MAX;

/// Writes the samples of this sampler.
fn all(args: &Sample, built: Built, seed: Seed, format: Format, first: u64) -> Result<ExitCode, Failure> {
    let recipe = *built.recipe();
    let by = built.method().map_or_else(String::new, |method| format!(" by {method}"));
    // Its computation takes longer than a sample.
    let typical = if args.dtype.is_none() && format.is_binary() { built.typical_range() } else { ANY };
    let dtype = dtype(args.dtype.as_ref(), built.sampler(), typical)?;
    let threads = args.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);

    let output = Output::to(Output::named(args.out.as_ref()), args.quiet)?;
    output.expect(least_bytes(format, dtype, args.count))?;
    let bar_would_mix_with_data = Output::named(args.out.as_ref()).is_none() && stdout().is_terminal();
    let progress = Progress::new(Some(args.count), "samples", args.quiet || bar_would_mix_with_data);
    let mut writing = Writing { format, first, count: args.count, output, progress };
    let bulk = Bulk::new(built.into_sampler(), args.source, seed);
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
        let block = args.block.map_or_else(String::new, |index| format!(", block {index}"));
        complain(format_args!("{}{by}: {count} samples{block} ({kind}) in {seconds:.2} s{rate}", recipe.law));
        complain(format_args!("recipe {recipe}; source {}; {}", args.source, args.seed.told(args.source)));
    }
    Ok(ExitCode::SUCCESS)
}

/// The most entries of a sparse vector, which is held in memory.
const ENTRIES: u64 = 1 << 30;

/// Writes one vector of this weight.
fn sparse(args: &Sample, weight: u64, format: Format, seed: &Seed) -> Result<(), Failure> {
    let said = format!("--sparse-ternary {weight}");
    alone(&said, &args.recipe)?;
    if weight > args.count {
        let why = format!("expected at most {}, the entries of the vector (--count)", args.count);
        return Err(Failure::input(&said, why));
    }
    if args.count > ENTRIES {
        let why = format!("a vector of --sparse-ternary has at most 2^30 entries; expected at most {ENTRIES}");
        return Err(Failure::input(&format!("--count {}", args.count), why));
    }
    let law = SparseTernary::new(args.count as usize, weight as usize).map_err(|e| Failure::Input(e.to_string()))?;
    let bits = args.source.open(seed).map_err(|error| Failure::System(error.to_string()))?;
    let mut vector = vec![0_i8; law.length()];
    Stream::new(bits).fill_sparse(&law, &mut vector).map_err(|error| Failure::System(error.to_string()))?;

    let dtype = args.dtype.as_ref().map_or(Dtype::I8, |given| given.dtype);
    let mut output = Output::to(Output::named(args.out.as_ref()), args.quiet)?;
    output.write(&header(format, dtype, args.count))?;
    for part in vector.chunks(1 << 16) {
        output.write(&match dtype {
            Dtype::I8 => encoded(format, part),
            Dtype::I16 => encoded(format, &widened::<i16>(part)),
            Dtype::I32 => encoded(format, &widened::<i32>(part)),
            Dtype::I64 => encoded(format, &widened::<i64>(part)),
        })?;
    }
    output.finish()?;
    if !args.quiet {
        let count = grouped(args.count);
        complain(format_args!("one ternary vector of {count} entries, of which {} are not 0", grouped(weight)));
        complain(format_args!("source {}; {}", args.source, args.seed.told(args.source)));
    }
    Ok(())
}

fn widened<T: From<i8>>(part: &[i8]) -> Vec<T> {
    part.iter().map(|x| T::from(*x)).collect()
}

fn encoded<T: Encode>(format: Format, part: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    if format.is_binary() {
        T::to_bytes(part, &mut bytes)
    } else {
        T::to_lines(part, &mut bytes)
    }
    bytes
}

/// The number of the first sample.
fn first(args: &Sample) -> Result<u64, Failure> {
    let Some(index) = args.block else { return Ok(0) };
    if !args.source.is_seeded() {
        let why =
            format!("the source {} takes no seed, and all blocks need the same one; use another --source", args.source);
        return Err(Failure::Input(format!("--block {index}: {why}")));
    }
    if !args.seed.is_repeatable() {
        let needed = "all blocks need the same seed: add --seed, or --seed-from file:PATH";
        return Err(Failure::Input(format!("--block {index}: {needed}")));
    }
    block_address(index, args.count).map_err(|_| {
        let allowed = format!("with blocks of {} samples the last must end below 2^64", args.count);
        Failure::Input(format!("--block {index}: {allowed}"))
    })
}

/// The format asked for, else that of the file's name, else text.
pub(super) fn format(asked: Option<Format>, out: Option<&Path>) -> Result<Format, Failure> {
    let format = match (asked, out) {
        (Some(format), _) => format,
        (None, None) => Format::Text,
        (None, Some(path)) => Format::of_path(path).ok_or_else(|| {
            let name = format!("--out {}", path.display());
            Failure::input(&name, "the name does not end in .txt, .csv, .npy, .raw or .bin: add --format")
        })?,
    };
    if format.is_binary() && out.is_none() && stdout().is_terminal() {
        return Err(Failure::Input(format!(
            "--format {format} is not for a terminal: add --out or redirect the output"
        )));
    }
    Ok(format)
}

/// The type asked for if it is wide enough, else the narrowest that holds the values to expect.
pub(super) fn dtype(
    asked: Option<&NamedDtype>,
    sampler: &dyn Noise,
    typical: RangeInclusive<i64>,
) -> Result<Dtype, Failure> {
    let Some(given) = asked else { return Ok(Dtype::narrowest(typical)) };
    let checked = match given.dtype {
        Dtype::I8 => NarrowType::check::<i8>(sampler),
        Dtype::I16 => NarrowType::check::<i16>(sampler),
        Dtype::I32 => NarrowType::check::<i32>(sampler),
        Dtype::I64 => NarrowType::check::<i64>(sampler),
    };
    let typed = |narrow: &NarrowType, name: &str| if name == narrow.dtype { given.to_string() } else { name.into() };
    checked.map_err(|narrow| Failure::Input(narrow.respelled("--dtype", |name| typed(&narrow, name))))?;
    Ok(given.dtype)
}

/// Returns the least number of bytes that `count` integers take.
fn least_bytes(format: Format, dtype: Dtype, count: u64) -> u128 {
    let each = match format {
        Format::Npy | Format::Raw => dtype.size(),
        // A digit and the line's end.
        Format::Text | Format::Csv => 2,
    };
    header(format, dtype, count).len() as u128 + u128::from(count) * each as u128
}

/// The text before so many integers.
pub(super) fn header(format: Format, dtype: Dtype, count: u64) -> Vec<u8> {
    match format {
        Format::Npy => npy::header(dtype, count),
        Format::Csv => b"x\n".to_vec(),
        Format::Text | Format::Raw => Vec::new(),
    }
}

/// What is written, and where.
struct Writing {
    format: Format,
    /// The number of the first sample.
    first: u64,
    count: u64,
    output: Output,
    progress: Progress,
}

impl Writing {
    /// Writes header and samples: the threads sample and encode, this one writes.
    fn all<T: Encode>(&mut self, bulk: &Bulk<'static>, threads: NonZeroUsize, dtype: Dtype) -> Result<(), Failure> {
        self.output.write(&header(self.format, dtype, self.count))?;
        let encode = if self.format.is_binary() { T::to_bytes } else { T::to_lines };
        let parts = bulk.blocks_as(self.first, self.count, threads, move |_, samples: &[T], out| encode(samples, out));
        for part in parts.map_err(describe)? {
            let part = part.map_err(describe)?;
            self.output.write(&part)?;
            self.progress.at(part.first - self.first + part.samples);
        }
        Ok(())
    }
}

pub(super) fn describe(error: FillError) -> Failure {
    match error {
        FillError::Entropy(error) => Failure::System(error.to_string()),
        error => Failure::Input(error.to_string()),
    }
}
