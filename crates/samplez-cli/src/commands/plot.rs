//! `samplez plot`.

use super::verify::Residues;
use crate::args::Plot;
use crate::failure::Failure;
use crate::files::Beyond;
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
    if let Some(Ok(_)) = args.law.folding() {
        let why = "plot draws integers of 64 bits, of sigma up to about 2^57; samplez verify judges larger ones";
        return Err(Failure::input(&args.law.typed_law(), why));
    }
    let law = args.target.law(&args.law, args.finite.law(&args.law)?, &args.modulus)?;
    let target = args.out.as_deref().map(|path| format(path).map(|format| (path, format))).transpose()?;
    let input = Input::open_with(&args.file, &args.reading, &Beyond::of_modulus(args.modulus.q()))?;
    let name = input.name().to_string();
    let caption = Caption { law: symbols(&law), file: input.short_name().to_string() };
    let (mut residues, support) = (Residues::of(&args.modulus), law.support());
    // Modulo 2^64, as additions wrap.
    let q = law.modulus().unwrap_or(0) as u64 as i64;
    let mut counter = Counter::new(law);
    let mut centred = Vec::new();
    input.for_each_chunk(args.quiet, |samples| {
        residues.iter_mut().for_each(|residues| residues.push(samples));
        centred.clear();
        centred.extend(samples.iter().map(|x| match x {
            x if x < support.start() => x.wrapping_add(q),
            x if x > support.end() => x.wrapping_sub(q),
            x => *x,
        }));
        counter.add(&centred);
    })?;
    residues.map_or(Ok(()), |residues| residues.check(&name))?;
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
