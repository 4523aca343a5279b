//! `samplez bench sample`.

use crate::args::BenchSample;
use crate::commands::sample::{describe, dtype};
use crate::failure::Failure;
use crate::files::Dtype;
use crate::measure::clock::{self, Clock};
use crate::measure::rounds::ROUNDS;
use crate::numbers::{grouped, metric};
use crate::report::print;
use samplez::bindings::Backend;
use samplez::{Built, Bulk, Int, Method, Noise, Options, Recipe, Seed, Source};
use serde_json::{Value, json};
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Instant;

/// Samples that one thread makes into the same memory: they stay in a near cache.
const PART: usize = 1 << 17;
/// The same for each of several threads, which every part starts anew: its samples take far longer.
const THREADS_PART: usize = 1 << 22;
/// Bytes of keystream asked for at a time.
const KEYSTREAM: usize = 1 << 14;

pub(super) fn run(args: &BenchSample) -> Result<ExitCode, Failure> {
    let (asked, built) = (args.recipe.recipe()?, args.recipe.build()?);
    let (method, sampler, profile) = (built.method(), built.sampler(), built.profile());
    let dtype = dtype(args.dtype.as_ref(), sampler, built.typical_range())?;
    let plain = Options { precision: asked.options.precision, memory: asked.options.memory, ..Options::default() };
    let plain = Recipe { law: asked.law, method: Some(Method::Cdt), options: plain };
    let plain = plain.build().ok().map(Built::into_sampler);
    let seed = Seed::from_bytes([0; 32]);
    let count = usize::try_from(args.count).unwrap_or(usize::MAX);
    let contest = Contest { source: args.source, seed, count, threads: args.threads };
    let figures = match dtype {
        Dtype::I8 => contest.run::<i8>(sampler, plain.as_deref()),
        Dtype::I16 => contest.run::<i16>(sampler, plain.as_deref()),
        Dtype::I32 => contest.run::<i32>(sampler, plain.as_deref()),
        Dtype::I64 => contest.run::<i64>(sampler, plain.as_deref()),
    }?;
    let report = json!({
        "law": asked.law.to_string(),
        "method": method.map(Method::name),
        "dtype": dtype.to_string(),
        "source": args.source.name(),
        "threads": contest.threads,
        "samples_per_round": count,
        "rounds": ROUNDS,
        "clock": if contest.is_one_thread() { clock::NAME } else { "wall" },
        "samples_per_second": figures.samples.round(),
        "keystream_bytes_per_second": figures.keystream.round(),
        "plain_cdt_samples_per_second": figures.plain.map(f64::round),
        "table_bytes": profile.table_bytes,
        "bits_per_sample": profile.expected_bits,
        "timing": profile.timing.to_string(),
        "backend": Backend::current().name(),
    });
    print(&if args.json { format!("{report:#}\n") } else { as_text(&report, &figures) })?;
    Ok(ExitCode::SUCCESS)
}

/// The fields of the report as lines, and what the figures show together.
fn as_text(report: &Value, figures: &Figures) -> String {
    let text = |name: &str| report[name].as_str().map_or_else(|| report[name].to_string(), String::from);
    let bits = report["bits_per_sample"].as_f64().unwrap_or(f64::NAN);
    let mut lines = vec![
        format!(
            "{} by {}, to {}, over {}",
            text("law"),
            report["method"].as_str().unwrap_or("its one sampler"),
            text("dtype"),
            text("source")
        ),
        format!(
            "{} samples/s, {} thread{}, {} timing",
            metric(figures.samples),
            text("threads"),
            if report["threads"] == 1 { "" } else { "s" },
            text("timing")
        ),
        format!("{} bytes/s from the source alone, one thread", metric(figures.keystream)),
        format!(
            "{bits:.2} bits a sample: the source alone takes {:.0} % of this time on one thread",
            100.0 * figures.samples * bits / (8.0 * figures.keystream)
        ),
        format!(
            "{} bytes of tables, backend {}",
            grouped(report["table_bytes"].as_i64().unwrap_or(0)),
            text("backend")
        ),
    ];
    if let Some(plain) = figures.plain {
        lines.push(format!("{} samples/s by cdt in the same run: {:.2} times", metric(plain), figures.samples / plain));
    }
    let clock = if text("clock") == "thread" { "processor time" } else { "wall-clock time" };
    lines.push(format!("medians of {ROUNDS} rounds of {} samples, {clock}", text("samples_per_round")));
    lines.join("\n") + "\n"
}

/// Operations a second.
struct Figures {
    samples: f64,
    plain: Option<f64>,
    /// Bytes, on one thread.
    keystream: f64,
}

/// What all contestants have in common.
struct Contest {
    source: Source,
    seed: Seed,
    count: usize,
    threads: NonZeroUsize,
}

impl Contest {
    /// The sampler, plain CDT and the source alone take turns.
    fn run<T: Int>(&self, sampler: &dyn Noise, plain: Option<&dyn Noise>) -> Result<Figures, Failure> {
        let part = match self.threads.get() {
            1 => PART.min(self.count),
            threads => THREADS_PART.saturating_mul(threads).min(self.count),
        };
        let mut out = vec![T::ZERO; part];
        let mut bytes = vec![0; KEYSTREAM];
        let mut times = [const { Vec::new() }; 3];
        // The first round warms up.
        for round in 0..=ROUNDS {
            let seconds = [
                self.time(|| self.fill(sampler, &mut out))?,
                plain.map_or(Ok(f64::NAN), |plain| self.time(|| self.fill(plain, &mut out)))?,
                self.time(|| self.keystream(&mut bytes))?,
            ];
            if round > 0 {
                times.iter_mut().zip(seconds).for_each(|(times, seconds)| times.push(seconds));
            }
        }
        let [samples, plain_samples, keystream] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            self.count as f64 / times[ROUNDS / 2]
        });
        let keystream = keystream * self.keystream_len() as f64 / self.count as f64;
        Ok(Figures { samples, plain: plain.map(|_| plain_samples), keystream })
    }

    /// By the laboratory's clock; on several threads wall-clock time.
    fn time(&self, work: impl FnOnce() -> Result<(), Failure>) -> Result<f64, Failure> {
        let (wall, processor) = (Instant::now(), Clock::now());
        work()?;
        let elapsed = if self.is_one_thread() { processor.elapsed() } else { wall.elapsed() };
        Ok(elapsed.as_secs_f64())
    }

    fn is_one_thread(&self) -> bool {
        self.threads == NonZeroUsize::MIN
    }

    /// All samples, part by part into the same memory.
    fn fill<T: Int>(&self, sampler: &dyn Noise, out: &mut [T]) -> Result<(), Failure> {
        let bulk = Bulk::new(sampler, self.source, self.seed.clone());
        let mut first = 0;
        while first < self.count {
            let part = out.len().min(self.count - first);
            bulk.par_fill(first as u64, &mut out[..part], self.threads).map_err(describe)?;
            black_box(&mut *out);
            first += part;
        }
        Ok(())
    }

    /// As many bytes as there are samples, rounded up.
    fn keystream_len(&self) -> usize {
        self.count.next_multiple_of(KEYSTREAM)
    }

    fn keystream(&self, bytes: &mut [u8]) -> Result<(), Failure> {
        let mut generator = self.source.open(&self.seed).map_err(|error| Failure::System(error.to_string()))?;
        for _ in 0..self.keystream_len() / KEYSTREAM {
            generator.try_fill_bytes(bytes).map_err(|error| Failure::System(error.to_string()))?;
            black_box(&mut *bytes);
        }
        Ok(())
    }
}
