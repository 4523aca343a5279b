//! `samplez plot`.

use crate::args::{Modulus, Plot};
use crate::failure::Failure;
use crate::input::Input;
use crate::output::Output;
use crate::plot::layout::lay_out;
use crate::plot::{Caption, Counter, png, svg, terminal};
use crate::report::{print, symbols};
use std::path::Path;
use std::process::ExitCode;

/// Bins of a picture, at most.
const MAX_BINS: usize = 161;

/// A picture's file format.
enum Format {
    Svg,
    Png,
}

pub(crate) fn run(args: &Plot) -> Result<ExitCode, Failure> {
    if let Some(Ok(folding)) = args.law.folding() {
        let why = "plot draws integers of 64 bits, of sigma up to about 2^57; samplez verify judges larger ones";
        return Err(Failure::input(&folding.to_string(), why));
    }
    let law = args.target.law(&args.law, args.finite.law(&args.law)?, &Modulus::default())?;
    let target = args.out.as_deref().map(|path| format(path).map(|format| (path, format))).transpose()?;
    let input = Input::open(&args.file, &args.reading)?;
    let caption = Caption { law: symbols(&law), file: input.short_name().to_string() };
    let mut counter = Counter::new(law);
    input.for_each_chunk(args.quiet, |samples| counter.add(samples))?;
    let Some((path, format)) = target else {
        print(&terminal::draw(&counter.finish(terminal::MAX_LINES), &caption))?;
        return Ok(ExitCode::SUCCESS);
    };
    let picture = lay_out(&counter.finish(MAX_BINS), &caption);
    let bytes = match format {
        Format::Svg => svg::draw(&picture).into_bytes(),
        Format::Png => png::draw(&picture).map_err(|error| Failure::System(format!("cannot draw: {error}")))?,
    };
    let mut output = Output::file(path, args.quiet)?;
    output.write(&bytes)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn format(path: &Path) -> Result<Format, Failure> {
    match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ => Err(Failure::input(&format!("--out {}", path.display()), "the name must end in .svg or .png")),
    }
}
