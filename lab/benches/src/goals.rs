//! What this library set itself with the instructions of this machine, and where it stands: all rows in turn, in one table.

use crate::contest::{Clock, Contestant, SAMPLES, checksum, medians, seed};
use crate::rounder::{centers, falcons_strips, falcons_widths, rounds, strip_calls, strips_batch};
use crate::sources::{BYTES, baselines, bulk, key};
use samplez::bindings::Backend;
use samplez::sources::{Aes256Ctr, ChaCha20};
use samplez::{Bulk, FixedPoint, Int, Noise, Recipe, Source};
use std::error::Error;

/// With AVX2 and with AVX-512.
type Goals = [f64; 2];

/// OpenSSL's ChaCha20, in GB/s, on the machines that the goals were set on, a Zen 3 core and a Xeon: a goal divided by it does not
/// depend on a machine's clock.
const YARDSTICK: Goals = [3.4, 6.7];

/// What the sources are to make of what OpenSSL makes of the same cipher.
const SOURCES: [(&str, Goals); 2] = [("chacha20", [1.0, 1.0]), ("aes256-ctr", [1.4, 1.2])];

/// A recipe in bulk, and the million samples a second to reach; 128 bits, where the method has a precision, are the default.
type Regime = (&'static str, &'static str, &'static str, &'static str, Source, Goals);

#[rustfmt::skip]
const REGIMES: [Regime; 11] = [
    ("constant time, i8", "3.2", "0", "cdt-lazy-ct", Source::ChaCha20, [480.0, 1500.0]),
    ("constant time, i8", "3.2", "0", "cdt-lazy-ct", Source::Aes256Ctr, [600.0, 1800.0]),
    ("constant time, i16", "19.5", "0", "cdt-lazy-ct", Source::ChaCha20, [180.0, 600.0]),
    ("constant time, i16", "215", "0", "convolution-ct", Source::ChaCha20, [90.0, 300.0]),
    ("constant time, i32", "1.6e5", "0", "convolution-ct", Source::ChaCha20, [45.0, 150.0]),
    ("constant time, i64", "1073741824", "0", "convolution-ct", Source::ChaCha20, [25.0, 80.0]),
    ("isochronous, i16", "215", "1/3", "isochronous", Source::ChaCha20, [140.0, 300.0]),
    ("isochronous, i16", "215", "1/3", "isochronous", Source::Aes256Ctr, [200.0, 350.0]),
    ("variable time, i8", "3.2", "0", "cdt-guided", Source::ChaCha20, [1200.0, 3500.0]),
    ("variable time, i16", "215", "0", "cdt-guided", Source::ChaCha20, [550.0, 1000.0]),
    ("variable time, i16", "1000", "0", "cdt-guided", Source::ChaCha20, [400.0, 600.0]),
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
        done.map_or(0, |()| checksum(&out))
    })
}

fn regime<'a>((what, sigma, center, method, source, goals): Regime) -> Result<Row<'a>, Box<dyn Error>> {
    let recipe = Recipe::from_pairs([("sigma", sigma), ("center", center), ("method", method)])?;
    let built = recipe.build()?;
    let name = format!("{what} | {sigma}, c = {center} | {method} | {source}");
    let bits = Some(built.profile().expected_bits);
    let sampler = built.into_sampler();
    let mut work = match what.rsplit(' ').next() {
        Some("i8") => fill::<i8>(sampler, source),
        Some("i16") => fill::<i16>(sampler, source),
        Some("i32") => fill::<i32>(sampler, source),
        _ => fill::<i64>(sampler, source),
    };
    Ok(Row { work: (name, Box::new(move |_| work())), bits, source, goals })
}

/// Falcon's widths by one word a trial: single calls and batches.
fn calls<'a>() -> Result<[Row<'a>; 2], Box<dyn Error>> {
    let strips = falcons_strips()?;
    let fixed = || centers().into_iter().filter_map(FixedPoint::from_f64);
    let calls = || strip_calls(&strips, fixed(), &falcons_widths());
    let row = |what, (_, work): Contestant<'a>, goals| {
        let name = format!("a centre and width per call, {what} | 1.28 to 1.82 | StripRounder | chacha20");
        Row { work: (name, work), bits: None, source: Source::ChaCha20, goals }
    };
    Ok([
        row("calls", rounds("", strips, calls()), [18.0, 22.0]),
        row("batch", strips_batch(Backend::current(), strips, calls()), [60.0, 120.0]),
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
    let goal = |goals: Goals| class.map_or(f64::NAN, |class| goals[class]);
    println!("\nGoals, backend {backend}; 128 bits where a method has a precision\n");
    println!("| source | GB/s | OpenSSL's, same rounds | ratio | goal |\n|---|---|---|---|---|");
    for (i, (name, goals)) in SOURCES.into_iter().enumerate() {
        let theirs = openssl.get(i).copied().unwrap_or(f64::NAN);
        println!("| {name} | {:.2} | {theirs:.2} | {:.2} | {} |", ours[i], ours[i] / theirs, goal(goals));
    }
    println!(
        "\n| what | σ, c | method | source | million/s | goal | for each GB/s of OpenSSL's ChaCha20 | goal | bits a sample | the source's share |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (Row { work: (name, _), bits, source, goals }, time) in rows.iter().zip(samples) {
        let millions = SAMPLES as f64 * 1e3 / time;
        let per_gb = millions / openssl.first().copied().unwrap_or(f64::NAN);
        let gb = ours[usize::from(*source != Source::ChaCha20)];
        let drawn = bits.map_or("".into(), |bits| format!("{bits:.1} | {:.2}", bits / 8e3 * millions / gb));
        let (goal, of_gb) = (goal(*goals), goal(*goals) / goal(YARDSTICK));
        println!("| {name} | {millions:.0} | {goal} | {per_gb:.0} | {of_gb:.0} | {drawn} |");
    }
    Ok(())
}
