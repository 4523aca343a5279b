//! Table rejection, against the same algorithm as anyone would first write it.

use crate::contest::{Clock, SAMPLES, contest, taken};
use crate::naive;
use samplez::{BitSource, DiscreteGaussian, Sampler};
use samplez_core::samplers::TableRejection;
use samplez_tables::{RejectionOptions, build_rejection};
use std::error::Error;

/// Algorithm 1 of \[JSDGS17\], corrected, with heights of 64 bits.
fn plain<B: BitSource>(heights: &[u64], bits: &mut B) -> i64 {
    let width = 64 - (heights.len() as u64).leading_zeros();
    loop {
        let s = bits.bits(width) as usize;
        if s > heights.len() {
            continue;
        }
        let negative = bits.bit();
        if s == 0 {
            if !negative {
                return 0;
            }
        } else if bits.bits(64) < heights[s - 1] {
            return if negative { -(s as i64) } else { s as i64 };
        }
    }
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for sigma in ["3.3311", "32", "215", "1000"] {
        let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
        let sampler = TableRejection::from_table(build_rejection(&law, &RejectionOptions::default())?)?;
        let short = build_rejection(&law, &RejectionOptions { precision: 64, ..RejectionOptions::default() })?;
        let (heads, tails) = short.digits().split_at(short.count());
        let heights: Vec<u64> =
            heads.iter().zip(tails).map(|(head, tail)| u64::from(*head) << 32 | u64::from(*tail)).collect();
        let (mut out, mut slow) = (vec![0_i32; SAMPLES], vec![0_i32; SAMPLES]);
        let profile = sampler.profile();
        let title = format!(
            "Table rejection, sigma = {sigma}, 128 bits, {} bytes, {:.2} trials per sample, to i32",
            profile.table_bytes, profile.expected_trials
        );
        contest(
            &title,
            SAMPLES,
            Clock::Processor,
            vec![
                (
                    "rejection-table, fill".into(),
                    Box::new(|bits| sampler.fill(bits, &mut out).map_or(0, |()| taken(&out))),
                ),
                (
                    "plain table rejection, 64 bits".into(),
                    Box::new(|bits| naive::fill(&mut slow, || plain(&heights, bits)).map_or(0, |()| taken(&slow))),
                ),
            ],
        );
    }
    Ok(())
}
