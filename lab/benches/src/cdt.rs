//! Inversion over a table, against a plain table of 64 bits.

use crate::contest::{Clock, SAMPLES, contest, taken};
use crate::naive;
use samplez::{DiscreteGaussian, Sampler, Width};
use samplez_core::samplers::Cdt;
use samplez_tables::CdtOptions;
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for (sigma, center) in [("3.2", "0"), ("3.2", "1/3"), ("19.5", "0"), ("215", "0"), ("1000", "0")] {
        let law = DiscreteGaussian::new(center.parse()?, Width::Sigma(sigma.parse()?))?;
        let sampler = Cdt::from_table(samplez_tables::build_cdt(&law, &CdtOptions::default())?);
        let naive = naive::Cdt64::new(&DiscreteGaussian::with_sigma(sigma.parse()?)?)?;
        let (mut out, mut slow) = (vec![0_i16; SAMPLES], vec![0_i16; SAMPLES]);
        contest(
            &format!(
                "CDT, sigma = {sigma}, center = {center}, 128 bits, {} bytes, to i16",
                sampler.profile().table_bytes
            ),
            SAMPLES,
            Clock::Processor,
            vec![
                ("cdt, fill".into(), Box::new(|bits| sampler.fill(bits, &mut out).map_or(0, |()| taken(&out)))),
                (
                    "cdt, sample".into(),
                    Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ sampler.sample(bits) as u64)),
                ),
                (
                    "plain CDT of 64 bits, center 0".into(),
                    Box::new(|bits| naive::fill(&mut slow, || naive.sample(bits)).map_or(0, |()| taken(&slow))),
                ),
            ],
        );
    }
    Ok(())
}
