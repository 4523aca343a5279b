//! `samplez sample`, `samplez plan` and `samplez certify` of laws beyond 64 bits.

use crate::args::Sample;
use crate::failure::{Failure, complain};
use crate::files::Format;
use crate::numbers::grouped;
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{columns, print};
use samplez::{BigGaussian, Stream, StreamError};
use serde_json::json;
use std::fmt::Write as _;

/// Samples that are written together.
const PART: u64 = 4096;

/// Writes samples as text, or as raw words in two's complement.
pub(super) fn sample(args: &Sample, law: &BigGaussian, format: Format) -> Result<(), Failure> {
    let refused = |argument: &str, why: &str| Err(Failure::Input(format!("{argument}: {why}")));
    let words = law.limbs();
    if format == Format::Npy {
        let why =
            format!("an array has integers of at most 64 bits, and these have {}; use txt, csv or raw", 64 * words);
        return refused("--format npy", &why);
    }
    if let Some(dtype) = &args.dtype {
        let why = format!("is too narrow for this distribution: its integers have {} bits; remove it", 64 * words);
        return refused(&format!("--dtype {dtype}"), &why);
    }
    if args.block.is_some() {
        return refused("--block", "samples beyond 64 bits are one stream; use another --seed for each block");
    }
    let seed = args.seed.seed(args.source)?;
    let opened = args.source.open(&seed).map_err(|error| Failure::System(error.to_string()))?;
    let mut stream = Stream::new(opened);
    let mut output = Output::to(Output::named(args.out.as_ref()), args.quiet)?;
    let mut progress =
        Progress::new(Some(args.count), "samples", args.quiet || Output::named(args.out.as_ref()).is_none());
    if format == Format::Csv {
        output.write(b"x\n")?;
    }
    let mut done = 0;
    while done < args.count {
        let some = PART.min(args.count - done);
        let drawn = law.draw(&mut stream, some as usize).map_err(|error| match error {
            StreamError::Source(error) => Failure::System(error.to_string()),
            other => Failure::Input(other.to_string()),
        })?;
        output.write(&encoded(law, &drawn, format))?;
        done += some;
        progress.at(done);
    }
    output.finish()?;
    if !args.quiet {
        drop(progress);
        let count = grouped(args.count);
        complain(format_args!("{count} integers of {words} words ({format}), exact"));
        complain(format_args!("recipe {law}; source {}; {}", args.source, args.seed.told(args.source)));
    }
    Ok(())
}

fn encoded(law: &BigGaussian, drawn: &[u64], format: Format) -> Vec<u8> {
    if format == Format::Raw {
        return drawn.iter().flat_map(|word| word.to_le_bytes()).collect();
    }
    let mut text = String::new();
    for sample in drawn.chunks(law.limbs()) {
        // A String takes everything.
        let _ = writeln!(text, "{}", law.decimal(sample));
    }
    text.into_bytes()
}

/// Prints what is known of the sampler.
pub(super) fn plan(json: bool, law: &BigGaussian) -> Result<(), Failure> {
    let (words, timing) = (law.limbs(), law.timing());
    let exactness = "exact, given ideal random bits";
    if json {
        let plan = json!({
            "law": law.to_string(), "exact": true, "exactness": exactness,
            "timing": timing.to_string(), "words": words, "recipe": law.to_string(),
        });
        return print(&format!("{plan:#}\n"));
    }
    let rows = [
        ["exactness", exactness],
        ["timing", &timing.to_string()],
        ["samples", &format!("integers of {words} words of 64 bits, as text or raw")],
        ["why", "the only method for numbers beyond 64 bits"],
        ["use", &format!("samplez sample --recipe {law} --count 1e6")],
    ];
    print(&columns(&rows.map(|row| row.map(String::from).to_vec()), &[]))
}
