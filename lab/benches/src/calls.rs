//! Single calls and small fills, which most programs make, beside long fills and batches of the same law.

use crate::contest::{Clock, Contestant, contest, medians, seed, taken};
use crate::rounder::{centers, falcons_widths, stored};
use samplez::bindings::{SamplerNumber, ShortFills};
use samplez::{BitReader, FixedPoint, Rational, Recipe, RoundMethod, Rounding, Sigmas, Source, Stream};
use samplez_core::samplers::{ProposalStore, StripRounder};
use samplez_sources::{ChaCha20, Generator};
use std::error::Error;

/// Samples of a round, if a fill does not make more.
const COUNT: usize = 1 << 12;
/// Samples of a fill, with the neighbours of the lengths at which a method changes its way.
const FILLS: [usize; 22] =
    [1, 2, 4, 7, 8, 15, 16, 17, 32, 64, 65, 128, 256, 1024, 2048, 2049, 4096, 8192, 8193, 10_000, 100_000, 1_000_000];

/// Lengths of the fills by other ways than `Stream::fill`. The longest come first, because they empty the caches.
const HANDED: [usize; 9] = [1_000_000, 8192, 1024, 512, 256, 64, 16, 8, 1];

/// Draws by a stream that lasts.
fn streamed<'a>(
    name: &str,
    mut work: impl FnMut(&mut Stream<Generator>) -> u64 + 'a,
) -> Result<Contestant<'a>, Box<dyn Error>> {
    let mut stream = Stream::new(Source::ChaCha20.open(&seed(0))?);
    let work = move |_: &mut BitReader<ChaCha20>| work(&mut stream);
    Ok((name.into(), Box::new(work)))
}

/// How many fills of so many samples a round has.
fn turns(length: usize) -> usize {
    COUNT.div_ceil(length)
}

/// Prints the time of a sample by `Stream::sample` and by fills of growing length.
fn growth(recipe: &str) -> Result<(), Box<dyn Error>> {
    let built = recipe.parse::<Recipe>()?.build()?;
    let sampler = built.sampler();
    let single = |stream: &mut Stream<Generator>| {
        (0..COUNT).fold(0, |sum, _| sum ^ stream.sample(sampler).map_or(0, i64::cast_unsigned))
    };
    let mut contestants = vec![streamed("`sample`", single)?];
    for length in FILLS {
        let mut out = vec![0_i32; length];
        contestants.push(streamed(&format!("`fill` of {length}"), move |stream| {
            (0..turns(length)).fold(0, |sum, _| sum + stream.fill(sampler, &mut out).map_or(0, |()| taken(&out)))
        })?);
    }
    // Streams that live as long as the program.
    let lasting = || Ok::<_, Box<dyn Error>>(Box::leak(Box::new(Stream::new(Source::ChaCha20.open(&seed(0))?))));
    let mut samples = lasting()?.samples(sampler);
    let single = move |_: &mut BitReader<ChaCha20>| {
        (0..COUNT).fold(0, |sum, _| sum ^ samples.sample().map_or(0, i64::cast_unsigned))
    };
    contestants.push(("`Samples::sample`".into(), Box::new(single)));
    for length in HANDED {
        let (mut out, mut samples) = (vec![0_i32; length], lasting()?.samples(sampler));
        let work = move |_: &mut BitReader<ChaCha20>| {
            (0..turns(length)).fold(0, |sum, _| sum + samples.fill(&mut out).map_or(0, |()| taken(&out)))
        };
        contestants.push((format!("`Samples::fill` of {length}"), Box::new(work)));
    }
    for length in HANDED {
        let (mut out, mut fills, number) = (vec![0_i32; length], ShortFills::default(), SamplerNumber::unique());
        contestants.push(streamed(&format!("C's `samplez_fill_i32` of {length}"), move |stream| {
            let mut fill = || fills.fill(stream, &number, sampler, &mut out).map_or(0, |()| taken(&out));
            (0..turns(length)).fold(0, |sum, _| sum + fill())
        })?);
    }
    // Two samplers in turns, of which each gets a first fill each time.
    let (mut out, mut fills) = ([0_i32; 16], ShortFills::default());
    let numbers = [SamplerNumber::unique(), SamplerNumber::unique()];
    contestants.push(streamed("C's `samplez_fill_i32` of 16, of two samplers in turns", move |stream| {
        let mut fill = |i: usize| fills.fill(stream, &numbers[i % 2], sampler, &mut out).map_or(0, |()| taken(&out));
        (0..turns(16)).fold(0, |sum, i| sum + fill(i))
    })?);
    let times = medians(Clock::Processor, &mut contestants);
    let of = |lengths: &[usize]| Vec::from_iter(lengths.iter().map(|length| length * turns(*length)));
    let counts = [vec![COUNT], of(&FILLS), vec![COUNT], of(&HANDED), of(&HANDED), vec![COUNT]].concat();
    let times: Vec<f64> = times.iter().zip(counts).map(|(time, count)| time / count as f64).collect();
    println!(
        "\nCalls of a `Stream`, {recipe}, by `{}`, into i32\n",
        built.method().map_or("one", samplez::Method::name)
    );
    println!("| call | ns a sample | times the row above | times a long fill |\n|---|---|---|---|");
    let mut above = f64::NAN;
    for ((name, _), time) in contestants.iter().zip(&times) {
        let last = times.get(FILLS.len()).copied().unwrap_or(f64::NAN);
        println!("| {name} | {time:.2} | {:.2} | {:.1} |", time / above, time / last);
        above = *time;
    }
    Ok(())
}

/// A call of `sample_each` or of `round_all` for each piece of so many centres.
fn arrays<'a>(
    name: &str,
    (sigmas, length): (Sigmas<'a>, usize),
    centers: &'a [f64],
    is_batch: bool,
) -> Result<Contestant<'a>, Box<dyn Error>> {
    let mut out = vec![0; centers.len()];
    streamed(&format!("{name}, {length} a call"), move |stream| {
        let mut drawn = Ok(());
        for (i, (centers, out)) in centers.chunks(length).zip(out.chunks_mut(length)).enumerate() {
            let sigmas = match sigmas {
                Sigmas::Each(each) => Sigmas::Each(&each[i * length..][..out.len()]),
                one => one,
            };
            drawn = drawn.and(match is_batch {
                true => stream.sample_each(sigmas, centers, out),
                false => stream.round_all(RoundMethod::Strips, sigmas, centers, out),
            });
        }
        drawn.map_or(0, |()| taken(&out))
    })
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for recipe in ["sigma=3.2", "sigma=215"] {
        growth(recipe)?;
    }

    let (centers, sigmas) = (&centers()[..COUNT], &falcons_widths()[..COUNT]);
    let (each, one) = (Sigmas::Each(sigmas), Sigmas::One("1.7".parse()?));
    let strips = StripRounder::new(Rational::from(1), Rational::from(2))?;
    let width = |sigma: &f64| strips.width(Rational::try_from(*sigma).ok()?).ok();
    let prepared: Vec<_> = sigmas.iter().filter_map(width).collect();
    let fixed = || centers.iter().filter_map(|center| FixedPoint::from_f64(*center));
    let with_width = |bits: &mut BitReader<ChaCha20>| {
        let mut store = ProposalStore::new(strips, bits);
        let mut draw = |(center, sigma)| width(sigma).map_or(0, |width| store.round(center, width));
        fixed().zip(sigmas).fold(0, |sum, call| sum ^ draw(call).cast_unsigned())
    };
    let widths = |_: &mut BitReader<ChaCha20>| sigmas.iter().map(|sigma| taken(&[width(sigma)])).sum();
    let (_, from_store) = stored(strips, fixed().zip(prepared).collect(), |store, c, w| store.round(c, w));
    contest(
        "A centre and a width from 1.28 to 1.82 per call",
        COUNT,
        Clock::Processor,
        vec![
            arrays("`sample_each`, a width each", (each, COUNT), centers, true)?,
            arrays("`sample_each`, a width each", (each, 16), centers, true)?,
            arrays("`sample_each`, a width each", (each, 1), centers, true)?,
            arrays("`sample_each`, one width", (one, COUNT), centers, true)?,
            arrays("`sample_each`, one width", (one, 16), centers, true)?,
            arrays("`sample_each`, one width", (one, 1), centers, true)?,
            arrays("`round_all`, a width each", (each, COUNT), centers, false)?,
            arrays("`round_all`, a width each (C's `samplez_round`)", (each, 1), centers, false)?,
            arrays("`round_all`, one width", (one, COUNT), centers, false)?,
            arrays("`round_all`, one width", (one, 1), centers, false)?,
            streamed("a rounder of one width built for each call", |stream| {
                let rounding = || Rounding::new(RoundMethod::Strips, "1.7".parse().ok()?).ok();
                let mut draw = |center| {
                    let rounding = rounding()?;
                    stream.round(&rounding, rounding.center_of_f64(center).ok()?).ok()
                };
                centers.iter().fold(0, |sum, center| sum ^ draw(*center).map_or(0, i64::cast_unsigned))
            })?,
            ("the width of a double alone".into(), Box::new(widths)),
            ("calls from a store, with their widths".into(), Box::new(with_width)),
            ("calls from a store, widths prepared".into(), from_store),
        ],
    );
    Ok(())
}
