//! Samplers that take turns.

use crate::error::LabError;
use samplez::{Bulk, Noise, Seed, Source};
use samplez_cli::testing::measure::rounds::{levelled_time, median};
use std::hint::black_box;

/// Samples of a bulk array's block.
const BLOCK: usize = 8192;
/// Samples made into the same memory: it stays in a near cache.
const PART: usize = 8 * BLOCK;

/// How samplers are timed.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// What they draw from.
    pub source: Source,
    /// Turns of each sampler; their median counts.
    pub rounds: u32,
    /// A turn's length in seconds, at least that of one block.
    pub turn: f64,
}

impl Race {
    /// Million samples a second of each, in bulk, to i32, on one thread, by its processor time, [levelled](levelled_time).
    ///
    /// # Errors
    ///
    /// If a sample does not fit, or the source fails.
    ///
    /// ```
    /// use samplez::{Recipe, Source};
    /// let sampler = "sigma=3.2,method=cdt".parse::<Recipe>()?.build()?.into_sampler();
    /// let race = samplez_lab::Race { source: Source::ChaCha20, rounds: 1, turn: 0.001 };
    /// assert!(race.run(&[&*sampler])?[0] > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(self, samplers: &[&dyn Noise]) -> Result<Vec<f64>, LabError> {
        let mut out = vec![0_i32; PART];
        let mut lanes = Vec::with_capacity(samplers.len());
        for sampler in samplers {
            let bulk = Bulk::new(*sampler, self.source, Seed::from_bytes([0; 32]));
            time(&bulk, &mut out, BLOCK)?; // warms up
            let blocks = (self.turn / time(&bulk, &mut out, BLOCK)?).ceil();
            lanes.push((bulk, BLOCK * (blocks as usize).clamp(1, 1 << 12), Vec::new()));
        }
        for _ in 0..self.rounds {
            for (bulk, count, turns) in &mut lanes {
                turns.push(time(bulk, &mut out, *count)? / *count as f64);
            }
        }
        Ok(lanes.into_iter().map(|(_, _, turns)| 1e-6 / median(turns)).collect())
    }
}

/// Seconds for the first `count` samples, part by part.
fn time(bulk: &Bulk<'_>, out: &mut [i32], count: usize) -> Result<f64, LabError> {
    levelled_time(|| {
        for first in (0..count).step_by(PART) {
            let part = &mut out[..PART.min(count - first)];
            bulk.fill(first as u64, part)?;
            black_box(part);
        }
        Ok(())
    })
}
