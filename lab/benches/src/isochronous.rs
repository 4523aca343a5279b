//! Isochronous rejection for one law on every backend, against the constant-time methods, the
//! plain ones and the bare keystream.

use crate::contest::{Clock, Contestant, SAMPLES, contest, seed, taken};
use rand_core::Rng;
use samplez::bindings::Backend;
use samplez::{DiscreteGaussian, Sampler};
use samplez_core::samplers::{Cdt, CdtCt, ConvolutionCt, Isochronous};
use samplez_sources::ChaCha20;
use samplez_tables::{CdtOptions, ConvolutionOptions, build_cdt, build_convolution, parts};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for sigma in ["19.5", "215", "1000"] {
        let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
        let sampler = Isochronous::new(&law)?;
        let table = build_cdt(&law, &CdtOptions { precision: 72, ..CdtOptions::default() })?;
        let (constant, plain) = (CdtCt::from_table(table.view())?, Cdt::from_table(table.view()));
        let options = ConvolutionOptions { precision: 72, bound: 72, ..ConvolutionOptions::constant_time() };
        let table = build_convolution(&law, &options)?;
        let base = parts(table.base(), 1 << 20)?;
        let sums = ConvolutionCt::from_table(table, base)?;
        let profile = sampler.profile();
        let mut bytes = vec![0_u8; (SAMPLES as f64 * profile.expected_bits / 8.0) as usize];
        let mut outs = [(); 6].map(|()| vec![0_i16; SAMPLES]);
        let [a, b, c, d, e, f] = &mut outs;
        let mut contestants: Vec<Contestant<'_>> = Vec::new();
        for (backend, out) in Backend::available().zip([a, b, c]) {
            let sampler = &sampler;
            contestants.push((
                format!("isochronous, fill, {backend}"),
                Box::new(move |bits| sampler.fill_by(backend, bits, out).map_or(0, |()| taken(out))),
            ));
        }
        contestants.push((
            "isochronous, sample".into(),
            Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ sampler.sample(bits) as u64)),
        ));
        if constant.profile().table_bytes < 1 << 15 {
            let fill = Box::new(|bits: &mut _| constant.fill(bits, d).map_or(0, |()| taken(d)));
            contestants.push(("cdt-ct, fill, 72 bits".into(), fill));
        }
        let fill = Box::new(|bits: &mut _| sums.fill(bits, e).map_or(0, |()| taken(e)));
        contestants.push(("convolution-ct, fill, 72 bits".into(), fill));
        contestants.push((
            "cdt, fill, 72 bits (variable time)".into(),
            Box::new(|bits| plain.fill(bits, f).map_or(0, |()| taken(f))),
        ));
        contestants.push((
            format!("keystream alone, {:.1} bits", profile.expected_bits),
            Box::new(move |_| {
                ChaCha20::new(&seed(0)).fill_bytes(&mut bytes);
                bytes[0].into()
            }),
        ));
        let title = format!(
            "Isochronous, sigma = {sigma}, {:.3} trials, {} bytes, to i16",
            profile.expected_trials, profile.table_bytes
        );
        contest(&title, SAMPLES, Clock::Processor, contestants);
    }
    Ok(())
}
