//! Knuth–Yao walks with and without a first table, in single calls and in bulk.

use crate::contest::{Clock, Contestant, SAMPLES, contest, taken};
use samplez::{DiscreteGaussian, Sampler};
use samplez_core::samplers::KnuthYao;
use samplez_core::table::Table;
use samplez_tables::{KnuthYaoOptions, build_knuth_yao};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for sigma in ["3.3311", "32", "107", "215", "1000", "1.6e5"] {
        let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
        let variants = [("knuth-yao-compact", None), ("knuth-yao-compact, 8 levels", Some(8)), ("knuth-yao", Some(0))];
        let mut contestants: Vec<Contestant<'_>> = Vec::new();
        let mut bits_per_sample = 0.0;
        for (name, first_levels) in variants {
            let options = KnuthYaoOptions { first_levels, ..KnuthYaoOptions::default() };
            let sampler = KnuthYao::from_table(build_knuth_yao(&law, &options)?);
            bits_per_sample = sampler.profile().expected_bits;
            let (mut out, mut singles) = (vec![0_i32; SAMPLES], vec![0_i32; SAMPLES]);
            let (bytes, single) = (sampler.table().bytes(), sampler.clone());
            contestants.push((
                format!("{name}, fill, {bytes} bytes"),
                Box::new(move |bits| sampler.fill(bits, &mut out).map_or(0, |()| taken(&out))),
            ));
            contestants.push((
                format!("{name}, sample"),
                Box::new(move |bits| {
                    singles.iter_mut().for_each(|slot| *slot = single.sample(bits) as i32);
                    taken(&singles)
                }),
            ));
        }
        let title = format!("Knuth–Yao, sigma = {sigma}, 128 bits, {bits_per_sample:.2} bits per sample, to i32");
        contest(&title, SAMPLES, Clock::Processor, contestants);
    }
    Ok(())
}
