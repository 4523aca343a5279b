//! The guided CDT against the plain one and against a CDT as anyone would first write it.

use crate::{Clock, SAMPLES, checksum, contest, naive, thresholds64};
use samplez::samplers::{cdt::Cdt, cdt_guided::CdtGuided};
use samplez::tables::{CdtGuidedOptions, CdtOptions, build, build_guided};
use samplez::{DiscreteGaussian, Sampler};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for sigma in ["3.2", "19.5", "215", "1000"] {
        let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
        let sampler = CdtGuided::from_table(build_guided(&law, &CdtGuidedOptions::default())?);
        let cdt = Cdt::from_table(build(&law, &CdtOptions::default())?);
        let plain = naive::Cdt64(thresholds64(&law)?);
        let mut outs = [(); 3].map(|()| vec![0_i32; SAMPLES]);
        let [out, other, slow] = &mut outs;
        let title = format!(
            "Guided CDT, sigma = {sigma}, 128 bits, {} bytes, {:.2} bits, {:.3} comparisons per sample, to i32",
            sampler.table().bytes(),
            sampler.profile().expected_bits,
            sampler.table().expected_comparisons()
        );
        contest(
            &title,
            SAMPLES,
            Clock::Processor,
            vec![
                ("cdt-guided, fill".into(), Box::new(|bits| sampler.fill(bits, out).map_or(0, |()| checksum(out)))),
                (
                    "cdt-guided, sample".into(),
                    Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ sampler.sample(bits) as u64)),
                ),
                ("cdt, fill".into(), Box::new(|bits| cdt.fill(bits, other).map_or(0, |()| checksum(other)))),
                (
                    "plain CDT of 64 bits".into(),
                    Box::new(|bits| naive::fill(slow, || plain.sample(bits)).map_or(0, |()| checksum(slow))),
                ),
            ],
        );
    }
    Ok(())
}
