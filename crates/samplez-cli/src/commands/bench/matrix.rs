//! `samplez bench matrix`.

use super::rounds::{ROUNDS, median, processor_time};
use crate::args::BenchMatrix;
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::output::Output;
use crate::report::{columns, print, symbols};
use rand_core::TryRng;
use samplez::sources::Generator;
use samplez::{
    DiscreteGaussian, EntropyError, Int, Method, Noise, Options, Rational, Recipe, Seed, Source, Stream, StreamError,
    Width,
};
use samplez_lab::plot::Bars;
use serde_json::{Value, json};
use std::cell::Cell;
use std::fmt::Write;
use std::hint::black_box;
use std::process::ExitCode;
use std::rc::Rc;

/// The width for methods that take any, as in \[BSOVOGR17\].
const SIGMA: i64 = 215;
/// The width for methods that take a whole k: 254·sqrt(1/(2 ln 2)) = 215.73, BLISS-I's, which the
/// papers write as 215.
const K: i64 = 254;
/// Samples made into the same memory.
const PART: usize = 1 << 13;

/// A sampler, and what it is called.
struct Column {
    name: String,
    law: DiscreteGaussian,
    sampler: Box<dyn Noise>,
}

/// One sampler over one source.
struct Figures {
    samples_per_second: f64,
    bytes_per_sample: f64,
}

pub(super) fn run(args: &BenchMatrix) -> Result<ExitCode, Failure> {
    let columns = samplers(args)?;
    let count = usize::try_from(args.count).unwrap_or(usize::MAX);
    let mut rows = Vec::new();
    for source in &args.sources.0 {
        let mut cells = Vec::new();
        for column in &columns {
            let support = column.sampler.profile().support;
            let narrow = i32::try_from(*support.start()).is_ok() && i32::try_from(*support.end()).is_ok();
            let measure = if narrow { cell::<i32> } else { cell::<i64> };
            cells.push(measure(&*column.sampler, *source, count)?);
        }
        rows.push((*source, cells));
    }
    let report = report(args, &columns, &rows);
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::System(format!("cannot make {}: {error}", folder.display())))?;
        for (name, text) in [
            ("matrix.csv", csv(&columns, &rows)),
            ("matrix.json", format!("{report:#}\n")),
            (
                "matrix-speed.svg",
                figure(args, &columns, &rows, "Samples per second", "million samples/s", |cell| {
                    cell.samples_per_second / 1e6
                }),
            ),
            (
                "matrix-bytes.svg",
                figure(args, &columns, &rows, "Random bytes per sample", "bytes", |cell| cell.bytes_per_sample),
            ),
        ] {
            let mut output = Output::file(&folder.join(name))?;
            output.write(text.as_bytes())?;
            output.finish()?;
        }
    }
    print(&if args.json { format!("{report:#}\n") } else { as_text(args, &columns, &rows) })?;
    Ok(ExitCode::SUCCESS)
}

/// The samplers asked for, each with its law; frugal Bernoulli beside the other one.
fn samplers(args: &BenchMatrix) -> Result<Vec<Column>, Failure> {
    let mut columns = Vec::new();
    for method in &args.methods.0 {
        let default = match method {
            Method::Bernoulli | Method::DuWei5 | Method::DuWei5Ky => Width::KSigma2(Rational::from(K)),
            _ => Width::Sigma(Rational::from(SIGMA)),
        };
        let law = args.law.recipe_or(default.name(), &default.value().to_string())?.law;
        let forms: &[bool] = if args.frugal && method.heeds().contains(&"frugal") { &[false, true] } else { &[false] };
        for frugal in forms {
            let (precision, frugal_form) = (Some(args.precision), frugal.then_some(true));
            let options = method.part_of(&Options { precision, frugal: frugal_form, ..Options::default() });
            let built = Recipe { law, method: Some(*method), options }.build();
            let sampler = built.map_err(|refused| Failure::refused(&refused))?.into_sampler();
            let name = if *frugal { format!("{method} --frugal") } else { method.to_string() };
            columns.push(Column { name, law, sampler });
        }
    }
    Ok(columns)
}

/// Speed, and the bytes that the source gave for it.
fn cell<T: Int>(sampler: &dyn Noise, source: Source, count: usize) -> Result<Figures, Failure> {
    let taken = Rc::new(Cell::new(0));
    let generator = source.open(&Seed::from_bytes([0; 32])).map_err(|error| Failure::System(error.to_string()))?;
    let mut stream = Stream::new(Counting { generator, taken: Rc::clone(&taken) });
    let mut out = vec![T::ZERO; PART.min(count)];
    let mut speeds = Vec::new();
    // The first round warms up.
    for round in 0..=ROUNDS {
        let seconds = processor_time(|| {
            let mut left = count;
            while left > 0 {
                let part = left.min(out.len());
                stream.fill(sampler, &mut out[..part])?;
                black_box(&mut out);
                left -= part;
            }
            Ok(())
        });
        let seconds = seconds.map_err(|error: StreamError<EntropyError>| match error {
            StreamError::Range(error) => Failure::Input(error.to_string()),
            StreamError::Source(error) => Failure::System(error.to_string()),
        })?;
        if round > 0 {
            speeds.push(count as f64 / seconds);
        }
    }
    let samples = (ROUNDS + 1) as f64 * count as f64;
    Ok(Figures { samples_per_second: median(speeds), bytes_per_sample: taken.get() as f64 / samples })
}

/// A generator that counts the bytes it gives.
struct Counting {
    generator: Generator,
    taken: Rc<Cell<u64>>,
}

impl Counting {
    fn count(&self, bytes: usize) {
        self.taken.set(self.taken.get() + bytes as u64);
    }
}

impl TryRng for Counting {
    type Error = EntropyError;

    fn try_next_u32(&mut self) -> Result<u32, EntropyError> {
        self.count(4);
        self.generator.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, EntropyError> {
        self.count(8);
        self.generator.try_next_u64()
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), EntropyError> {
        self.count(out.len());
        self.generator.try_fill_bytes(out)
    }
}

type Rows = [(Source, Vec<Figures>)];

fn report(args: &BenchMatrix, columns: &[Column], rows: &Rows) -> Value {
    let cells = rows.iter().flat_map(|(source, cells)| {
        columns.iter().zip(cells).map(|(column, cell)| {
            json!({
                "source": source.name(),
                "method": column.name,
                "law": column.law.to_string(),
                "samples_per_second": cell.samples_per_second.round(),
                "bytes_per_sample": cell.bytes_per_sample,
            })
        })
    });
    json!({
        "precision": args.precision,
        "samples_per_round": args.count,
        "rounds": ROUNDS,
        "clock": "thread",
        "cells": cells.collect::<Vec<_>>(),
    })
}

fn csv(columns: &[Column], rows: &Rows) -> String {
    let mut text = "source,method,samples_per_second,bytes_per_sample\n".to_string();
    for (source, cells) in rows {
        for (column, cell) in columns.iter().zip(cells) {
            let (speed, bytes) = (cell.samples_per_second.round(), cell.bytes_per_sample);
            let _ = writeln!(text, "{source},{},{speed},{bytes:.4}", column.name);
        }
    }
    text
}

fn figure(
    args: &BenchMatrix,
    columns: &[Column],
    rows: &Rows,
    title: &str,
    axis: &str,
    value: impl Fn(&Figures) -> f64,
) -> String {
    let laws: Vec<String> = columns.iter().map(|column| format!("{}: {}", column.name, symbols(&column.law))).collect();
    Bars {
        title: format!("{title}: samplers over sources, tables of {} bits", args.precision),
        subtitle: laws.join("   ·   "),
        axis: axis.into(),
        series: columns.iter().map(|column| column.name.clone()).collect(),
        groups: rows.iter().map(|(source, cells)| (source.to_string(), cells.iter().map(&value).collect())).collect(),
    }
    .draw()
}

fn as_text(args: &BenchMatrix, samplers: &[Column], rows: &Rows) -> String {
    let mut table = vec![vec!["million samples/s".to_string()]];
    table[0].extend(samplers.iter().map(|column| column.name.clone()));
    for (source, cells) in rows {
        let mut row = vec![source.to_string()];
        row.extend(cells.iter().map(|cell| format!("{:.2}", cell.samples_per_second / 1e6)));
        table.push(row);
    }
    let mut bytes = vec!["random bytes a sample".to_string()];
    // The samplers are the same over every source: so are the bytes, but for chance.
    bytes.extend((0..samplers.len()).map(|i| {
        let mean = rows.iter().map(|(_, cells)| cells[i].bytes_per_sample).sum::<f64>() / rows.len() as f64;
        format!("{mean:.2}")
    }));
    table.push(bytes);
    let right: Vec<usize> = (1..=samplers.len()).collect();
    let mut text = columns(&table, &right);
    text.push('\n');
    for column in samplers {
        let _ = writeln!(text, "{}: {}", column.name, column.law);
    }
    let _ = writeln!(
        text,
        "Tables of {} bits. Medians of {ROUNDS} rounds of {} samples; processor time of one thread.",
        args.precision,
        grouped(i128::from(args.count))
    );
    text
}
