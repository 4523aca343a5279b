//! Samplers over sources.

use crate::error::LabError;
use crate::plot::Bars;
use rand_core::TryRng;
use samplez::{DiscreteGaussian, EntropyError, Int, Noise, Recipe, Seed, Source, Stream, StreamError};
use samplez_cli::testing::measure::rounds::{ROUNDS, levelled_time, median};
use samplez_cli::testing::text::{columns, grouped, symbols};
use samplez_sources::Generator;
use serde_json::{Value, json};
use std::cell::Cell;
use std::fmt::Write;
use std::hint::black_box;
use std::rc::Rc;

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

/// Samplers over sources: samples a second, and the random bytes of a sample.
pub struct Matrix {
    columns: Vec<Column>,
    rows: Vec<(Source, Vec<Figures>)>,
    precision: u32,
    count: u64,
}

impl Matrix {
    /// Each sampler, by its name, over each source: medians of rounds of so many samples. The precision is told, not set.
    ///
    /// # Errors
    ///
    /// If a recipe makes no sampler, or a source fails.
    ///
    /// ```
    /// let recipe = "sigma=215,method=cdt,precision=64".parse()?;
    /// let matrix = samplez_lab::Matrix::measure(vec![("cdt".into(), recipe)], &[samplez::Source::ChaCha20], 64, 1000)?;
    /// assert!(matrix.csv().starts_with("source,method,") && matrix.text().contains("chacha20"));
    /// assert_eq!(matrix.json()["cells"][0]["method"], "cdt");
    /// assert!(matrix.draw_speeds().contains("cdt") && matrix.draw_bytes().contains("Random bytes"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn measure(
        samplers: Vec<(String, Recipe)>,
        sources: &[Source],
        precision: u32,
        count: u64,
    ) -> Result<Matrix, LabError> {
        let mut columns = Vec::new();
        for (name, recipe) in samplers {
            columns.push(Column { name, law: recipe.gaussian()?, sampler: recipe.build()?.into_sampler() });
        }
        let in_a_round = usize::try_from(count).unwrap_or(usize::MAX);
        let mut rows = Vec::new();
        for source in sources {
            let mut cells = Vec::new();
            for column in &columns {
                let support = column.sampler.profile().support;
                let narrow = i32::try_from(*support.start()).is_ok() && i32::try_from(*support.end()).is_ok();
                let measure = if narrow { cell::<i32> } else { cell::<i64> };
                cells.push(measure(&*column.sampler, *source, in_a_round)?);
            }
            rows.push((*source, cells));
        }
        Ok(Matrix { columns, rows, precision, count })
    }

    /// The speeds as bars, SVG; see [`Matrix::measure`] for an example.
    ///
    /// ```
    /// # let recipe = "sigma=215,method=cdt,precision=64".parse()?;
    /// # let matrix = samplez_lab::Matrix::measure(vec![("cdt".into(), recipe)], &[samplez::Source::ChaCha20], 64, 1000)?;
    /// assert!(matrix.draw_speeds().contains("million samples/s"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw_speeds(&self) -> String {
        self.figure("Samples per second", "million samples/s", |cell| cell.samples_per_second / 1e6)
    }

    /// The random bytes as bars, SVG.
    ///
    /// ```
    /// # let recipe = "sigma=215,method=cdt,precision=64".parse()?;
    /// # let matrix = samplez_lab::Matrix::measure(vec![("cdt".into(), recipe)], &[samplez::Source::ChaCha20], 64, 1000)?;
    /// assert!(matrix.draw_bytes().contains("bytes"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw_bytes(&self) -> String {
        self.figure("Random bytes per sample", "bytes", |cell| cell.bytes_per_sample)
    }

    /// As JSON.
    ///
    /// ```
    /// # let recipe = "sigma=215,method=cdt,precision=64".parse()?;
    /// # let matrix = samplez_lab::Matrix::measure(vec![("cdt".into(), recipe)], &[samplez::Source::ChaCha20], 64, 1000)?;
    /// assert!(matrix.json()["precision"] == 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn json(&self) -> Value {
        let Matrix { columns, rows, precision, count } = self;
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
            "precision": precision,
            "samples_per_round": count,
            "rounds": ROUNDS,
            "clock": samplez_cli::testing::measure::clock::NAME,
            "cells": cells.collect::<Vec<_>>(),
        })
    }

    /// Comma-separated values.
    ///
    /// ```
    /// # let recipe = "sigma=215,method=cdt,precision=64".parse()?;
    /// # let matrix = samplez_lab::Matrix::measure(vec![("cdt".into(), recipe)], &[samplez::Source::ChaCha20], 64, 1000)?;
    /// assert!(matrix.csv().contains("chacha20,cdt,"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn csv(&self) -> String {
        let Matrix { columns, rows, .. } = self;
        let mut text = "source,method,samples_per_second,bytes_per_sample\n".to_string();
        for (source, cells) in rows {
            for (column, cell) in columns.iter().zip(cells) {
                let (speed, bytes) = (cell.samples_per_second.round(), cell.bytes_per_sample);
                let _ = writeln!(text, "{source},{},{speed},{bytes:.4}", column.name);
            }
        }
        text
    }

    fn figure(&self, title: &str, axis: &str, value: impl Fn(&Figures) -> f64) -> String {
        let Matrix { columns, rows, precision, .. } = self;
        let laws: Vec<String> =
            columns.iter().map(|column| format!("{}: {}", column.name, symbols(&column.law))).collect();
        Bars {
            title: format!("{title}: samplers over sources, tables of {precision} bits"),
            subtitle: laws.join("   ·   "),
            axis: axis.into(),
            series: columns.iter().map(|column| column.name.clone()).collect(),
            groups: rows
                .iter()
                .map(|(source, cells)| (source.to_string(), cells.iter().map(&value).collect()))
                .collect(),
        }
        .draw()
    }

    /// As a table.
    ///
    /// ```
    /// # let recipe = "sigma=215,method=cdt,precision=64".parse()?;
    /// # let matrix = samplez_lab::Matrix::measure(vec![("cdt".into(), recipe)], &[samplez::Source::ChaCha20], 64, 1000)?;
    /// assert!(matrix.text().contains("random bytes a sample"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn text(&self) -> String {
        let Matrix { columns: samplers, rows, precision, count } = self;
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
            "Tables of {precision} bits. Medians of {ROUNDS} rounds of {} samples; processor time of one thread.",
            grouped(i128::from(*count))
        );
        text
    }
}

/// Speed, and the bytes that the source gave for it.
fn cell<T: Int>(sampler: &dyn Noise, source: Source, count: usize) -> Result<Figures, LabError> {
    let taken = Rc::new(Cell::new(0));
    let generator = source.open(&Seed::from_bytes([0; 32])).map_err(|error| LabError::System(error.to_string()))?;
    let mut stream = Stream::new(Counting { generator, taken: Rc::clone(&taken) });
    let mut out = vec![T::ZERO; PART.min(count)];
    let mut speeds = Vec::new();
    // The first round warms up.
    for round in 0..=ROUNDS {
        let seconds = levelled_time(|| {
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
            StreamError::Narrow(error) => LabError::Input(error.to_string()),
            StreamError::Range(error) => LabError::Input(error.to_string()),
            StreamError::Source(error) => LabError::System(error.to_string()),
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
