//! What this library set itself with the instructions of this machine, and where it stands: all rows in turn, in one table.

use crate::contest::{Clock, Contestant, SAMPLES, medians, seed, taken};
use crate::rounder::{centers, falcons_strips, falcons_widths, rounds, stored, strip_calls, strips_batch};
use crate::sources::{BYTES, baselines, bulk, key};
use samplez::bindings::Backend;
use samplez::{Bulk, Exactness, FixedPoint, Int, Method, Noise, Recipe, Source};
use samplez_sources::{Aes256Ctr, ChaCha20};
use std::error::Error;

/// With AVX2 and with AVX-512.
type Goals = [f64; 2];

/// What the sources are to make of what OpenSSL makes of the same cipher.
const SOURCES: [(&str, Goals); 2] = [("chacha20", [1.0, 1.0]), ("aes256-ctr", [1.4, 1.2])];

/// Recipes in bulk, of what the planner takes and of `cdt-guided`, which has variable time and a certified law; the output's bits, and
/// the million samples a second to reach, set on a Zen 4 core.
type Regime = (&'static str, u32, Source, Goals);

const NONE: Goals = [f64::NAN; 2];

#[rustfmt::skip]
const REGIMES: [Regime; 18] = [
    ("sigma=3.2", 8, Source::ChaCha20, [1150.0, 2400.0]),
    ("sigma=3.2", 8, Source::Aes256Ctr, NONE),
    ("sigma=3.2,method=cdt-guided", 8, Source::ChaCha20, [1700.0, 3200.0]),
    ("sigma=3.2,center=1/3", 8, Source::ChaCha20, NONE),
    ("sigma=19.5", 16, Source::ChaCha20, NONE),
    ("sigma=19.5,method=cdt-guided", 16, Source::ChaCha20, NONE),
    ("sigma=215", 16, Source::ChaCha20, NONE),
    ("sigma=215,center=1/3", 16, Source::ChaCha20, [400.0, 640.0]),
    ("sigma=215,center=1/3", 16, Source::Aes256Ctr, NONE),
    ("sigma=215,method=cdt-guided", 16, Source::ChaCha20, NONE),
    ("sigma=1000", 16, Source::ChaCha20, NONE),
    ("sigma=1000,method=cdt-guided", 16, Source::ChaCha20, NONE),
    ("sigma=1.6e5", 32, Source::ChaCha20, NONE),
    ("sigma=1.6e5,method=convolution-ct", 32, Source::ChaCha20, NONE),
    ("sigma=1073741824", 64, Source::ChaCha20, NONE),
    ("sigma=1073741824,method=convolution-ct", 64, Source::ChaCha20, NONE),
    ("sigma=3.2,method=karney", 8, Source::ChaCha20, NONE),
    ("sigma=3.2,method=cks", 8, Source::ChaCha20, NONE),
];

/// A row: what is measured, whose round makes `SAMPLES`; how many random bits one takes, if that is known; the source.
struct Row<'a> {
    work: Contestant<'a>,
    bits: Option<f64>,
    source: Source,
    goals: Goals,
}

fn fill<'a, T: Int + 'a>(sampler: Box<dyn Noise>, source: Source) -> Box<dyn FnMut() -> u64 + 'a> {
    let mut out = vec![T::ZERO; 1 << 14];
    let bulk = Bulk::new(sampler, source, seed(0));
    Box::new(move || {
        let done = (0..SAMPLES).step_by(out.len()).try_for_each(|start| bulk.fill(start as u64, &mut out));
        done.map_or(0, |()| taken(&out))
    })
}

fn regime<'a>((recipe, width, source, goals): Regime) -> Result<Row<'a>, Box<dyn Error>> {
    let built = recipe.parse::<Recipe>()?.build()?;
    let profile = built.profile();
    let law = if profile.exactness == Exactness::Exact { "exact" } else { "certified" };
    let said = recipe.split(",method=").next().unwrap_or(recipe);
    let name = format!(
        "{said}, i{width} | {} | {law}, {} | {source}",
        built.method().map_or("one", Method::name),
        profile.timing
    );
    let bits = Some(profile.expected_bits);
    let sampler = built.into_sampler();
    let mut work = match width {
        8 => fill::<i8>(sampler, source),
        16 => fill::<i16>(sampler, source),
        32 => fill::<i32>(sampler, source),
        _ => fill::<i64>(sampler, source),
    };
    Ok(Row { work: (name, Box::new(move |_| work())), bits, source, goals })
}

/// Falcon's widths by one word a trial: single calls, calls from a store, and batches.
fn calls<'a>() -> Result<[Row<'a>; 3], Box<dyn Error>> {
    let strips = falcons_strips()?;
    let fixed = || centers().into_iter().filter_map(FixedPoint::from_f64);
    let calls = || strip_calls(&strips, fixed(), &falcons_widths());
    let row = |what, (_, work): Contestant<'a>, goals| {
        let name = format!(
            "a centre and a σ from 1.28 to 1.82 per call, {what} | `StripRounder` | certified, isochronous | chacha20"
        );
        Row { work: (name, work), bits: None, source: Source::ChaCha20, goals }
    };
    Ok([
        row("calls", rounds("", strips, calls()), NONE),
        row("calls from a store", stored(strips, calls(), |store, c, w| store.round(c, w)), [36.0, 36.0]),
        row("batch", strips_batch(Backend::current(), strips, calls()), NONE),
    ])
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let backend = Backend::current().to_string();
    let mut rows = REGIMES.into_iter().map(regime).collect::<Result<Vec<_>, _>>()?;
    rows.extend(calls()?);
    let mut contestants: Vec<Contestant<'_>> =
        rows.iter_mut().map(|row| (row.work.0.clone(), std::mem::replace(&mut row.work.1, Box::new(|_| 0)))).collect();
    contestants.push(bulk("", 1 << 16, ChaCha20::new(&key())));
    contestants.push(bulk("", 1 << 16, Aes256Ctr::new(&key())));
    contestants.extend(baselines()?);
    let times = medians(Clock::Processor, &mut contestants);
    let (samples, bytes) = times.split_at(rows.len());
    let speeds: Vec<f64> = bytes.iter().map(|time| BYTES as f64 / time).collect();
    let (ours, openssl) = speeds.split_at(SOURCES.len());

    // Which of the goals are this machine's.
    let class = ["avx2", "avx512"].iter().position(|name| *name == backend);
    let goal = |goals: Goals| class.map(|class| goals[class]).filter(|goal| goal.is_finite());
    let shown = |goal: Option<f64>| goal.map_or("–".into(), |goal| goal.to_string());
    println!("\nGoals, backend {backend}; 128 bits where a law is certified\n");
    println!("| source | GB/s | OpenSSL's, same rounds | ratio | goal |\n|---|---|---|---|---|");
    for (i, (name, goals)) in SOURCES.into_iter().enumerate() {
        let theirs = openssl.get(i).copied().unwrap_or(f64::NAN);
        println!("| {name} | {:.2} | {theirs:.2} | {:.2} | {} |", ours[i], ours[i] / theirs, shown(goal(goals)));
    }
    println!(
        "\n| law and type | method | exactness, time | source | ns | million/s | goal | bits a sample | the source's share |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (Row { work: (name, _), bits, source, goals }, time) in rows.iter().zip(samples) {
        let nanoseconds = time / SAMPLES as f64;
        let millions = 1e3 / nanoseconds;
        let gb = ours[usize::from(*source != Source::ChaCha20)];
        let drawn = bits.map_or("– | –".into(), |bits| format!("{bits:.1} | {:.2}", bits / 8e3 * millions / gb));
        println!("| {name} | {nanoseconds:.2} | {millions:.0} | {} | {drawn} |", shown(goal(*goals)));
    }
    Ok(())
}
