//! Constant-time CDT on every backend, against the plain one and against the bare keystream.

use crate::contest::{Clock, Contestant, SAMPLES, contest, seed, taken};
use crate::naive;
use rand_core::Rng;
use samplez::bindings::Backend;
use samplez::{DiscreteGaussian, Sampler};
use samplez_core::samplers::{Cdt, CdtCt, CdtCtSmall};
use samplez_sources::ChaCha20;
use samplez_tables::{CdtOptions, build_cdt};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for (sigma, precision) in [("3.2", 72), ("3.2", 128), ("19.5", 72), ("215", 72)] {
        let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
        let table = build_cdt(&law, &CdtOptions { precision, ..CdtOptions::default() })?;
        let (sampler, cdt) = (CdtCt::from_table(table.view())?, Cdt::from_table(table.view()));
        let small = CdtCtSmall::from(CdtCt::from_table(table.view())?);
        let naive = naive::Cdt64::new(&law)?;
        let record = precision as usize + 1;
        let mut bytes = vec![0_u8; SAMPLES * record / 8];
        let mut outs = [(); 7].map(|()| vec![0_i16; SAMPLES]);
        let [a, b, c, little, plain, slow, _] = &mut outs;
        let mut contestants: Vec<Contestant<'_>> = Vec::new();
        for (backend, out) in Backend::available().zip([a, b, c]) {
            let sampler = &sampler;
            contestants.push((
                format!("cdt-ct, fill, {backend}"),
                Box::new(move |bits| sampler.fill_by(backend, bits, out).map_or(0, |()| taken(out))),
            ));
        }
        contestants.push((
            "cdt-ct in little stack (CdtCtSmall), fill".into(),
            Box::new(|bits| small.fill(bits, little).map_or(0, |()| taken(little))),
        ));
        contestants.push((
            "cdt-ct, sample".into(),
            Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ sampler.sample(bits) as u64)),
        ));
        contestants.push((
            "cdt, fill (variable time)".into(),
            Box::new(|bits| cdt.fill(bits, plain).map_or(0, |()| taken(plain))),
        ));
        contestants.push((
            "plain CDT of 64 bits (variable time)".into(),
            Box::new(|bits| naive::fill(slow, || naive.sample(bits)).map_or(0, |()| taken(slow))),
        ));
        contestants.push((
            format!("keystream alone, {record} bits"),
            Box::new(move |_| {
                ChaCha20::new(&seed(0)).fill_bytes(&mut bytes);
                bytes[0].into()
            }),
        ));
        let title = format!(
            "Constant-time CDT, sigma = {sigma}, {precision} bits, {} bytes, to i16",
            sampler.profile().table_bytes
        );
        contest(&title, SAMPLES, Clock::Processor, contestants);
    }
    Ok(())
}
