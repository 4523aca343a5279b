//! Knuth–Yao walks, packed and compact, with and without a first table.

use crate::contest::{Clock, Contestant, SAMPLES, checksum, contest};
use samplez::samplers::KnuthYao;
use samplez::tables::Columns;
use samplez::tables::Table;
use samplez::tables::{KnuthYaoOptions, build_knuth_yao};
use samplez::{DiscreteGaussian, Sampler};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for sigma in ["3.3311", "32", "107", "215", "1000"] {
        let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
        let variants = [
            ("knuth-yao", Columns::Packed, None),
            ("knuth-yao-compact", Columns::Compact, None),
            ("knuth-yao-compact, 8 levels", Columns::Compact, Some(8)),
            ("knuth-yao-compact, plain walk", Columns::Compact, Some(0)),
            ("knuth-yao, plain walk", Columns::Packed, Some(0)),
        ];
        let mut contestants: Vec<Contestant<'_>> = Vec::new();
        let mut bits_per_sample = 0.0;
        for (name, columns, first_levels) in variants {
            let options = KnuthYaoOptions { columns, first_levels, ..KnuthYaoOptions::default() };
            let sampler = KnuthYao::from_table(build_knuth_yao(&law, &options)?);
            bits_per_sample = sampler.profile().expected_bits;
            let mut out = vec![0_i32; SAMPLES];
            contestants.push((
                format!("{name}, fill, {} bytes", sampler.table().bytes()),
                Box::new(move |bits| sampler.fill(bits, &mut out).map_or(0, |()| checksum(&out))),
            ));
        }
        let title = format!("Knuth–Yao, sigma = {sigma}, 128 bits, {bits_per_sample:.2} bits per sample, to i32");
        contest(&title, SAMPLES, Clock::Processor, contestants);
    }
    Ok(())
}
