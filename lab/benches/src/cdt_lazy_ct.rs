//! Lazy inversion in constant time, and convolutions over it, on every backend: against the forms that draw and compare all
//! bits, the guided one in variable time, and the bare keystream.

use crate::contest::{Clock, Contestant, SAMPLES, contest, seed, taken};
use rand_core::Rng;
use samplez::bindings::Backend;
use samplez::{DiscreteGaussian, Int, Profile, Sampler};
use samplez_core::samplers::{CdtCt, CdtGuided, CdtLazyCt, ConvolutionCt, KnuthYaoCt};
use samplez_sources::ChaCha20;
use samplez_tables::{
    CdtGuidedOptions, CdtOptions, ConvolutionOptions, build_cdt, build_convolution, build_guided, build_lazy,
    build_pooled, parts,
};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    narrow::<i8>("3.2", "0", 72)?;
    narrow::<i8>("3.2", "0", 128)?;
    narrow::<i8>("3.2", "1/3", 128)?;
    narrow::<i8>("3.2", "0", 256)?;
    narrow::<i16>("19.5", "0", 128)?;
    narrow::<i16>("100", "1/3", 128)?;
    for precision in [72, 128] {
        wide::<i16>("215", precision)?;
        wide::<i16>("1000", precision)?;
        wide::<i32>("1.6e5", precision)?;
        wide::<i64>("1073741824", precision)?;
    }
    Ok(())
}

/// The last contestant.
fn keystream<'a>(profile: &Profile) -> Contestant<'a> {
    let mut bytes = vec![0_u8; (SAMPLES as f64 * profile.expected_bits / 8.0) as usize];
    let fill = move |_: &mut _| {
        ChaCha20::new(&seed(0)).fill_bytes(&mut bytes);
        bytes[0].into()
    };
    (format!("keystream alone, {:.1} bits", profile.expected_bits), Box::new(fill))
}

fn narrow<T: Int>(sigma: &str, center: &str, precision: u32) -> Result<(), Box<dyn Error>> {
    let law = DiscreteGaussian::new(center.parse()?, samplez::Width::Sigma(sigma.parse()?))?;
    let options = CdtOptions { precision, ..CdtOptions::default() };
    let sampler = CdtLazyCt::from_table(build_lazy(&law, &options)?);
    let constant = CdtCt::from_table(build_cdt(&law, &options)?)?;
    let guided = build_guided(&law, &CdtGuidedOptions { cdt: options, ..CdtGuidedOptions::default() })?;
    let guided = CdtGuided::from_table(guided);
    let pooled = build_pooled(&law, &options).map(KnuthYaoCt::from_table);
    let mut pooled_outs = [(); 3].map(|()| vec![T::ZERO; SAMPLES]);
    let mut outs = [(); 5].map(|()| vec![T::ZERO; SAMPLES]);
    let [a, b, c, d, e] = &mut outs;
    let mut contestants: Vec<Contestant<'_>> = Vec::new();
    for (backend, out) in Backend::available().zip([a, b, c]) {
        let sampler = &sampler;
        contestants.push((
            format!("cdt-lazy-ct, fill, {backend}"),
            Box::new(move |bits| sampler.fill_by(backend, bits, out).map_or(0, |()| taken(out))),
        ));
    }
    if let Ok(sampler) = &pooled {
        let title = format!("knuth-yao-ct, {:.1} bits", sampler.profile().expected_bits);
        for (backend, out) in Backend::available().zip(&mut pooled_outs) {
            contestants.push((
                format!("{title}, fill, {backend}"),
                Box::new(move |bits| sampler.fill_by(backend, bits, out).map_or(0, |()| taken(out))),
            ));
        }
    }
    if constant.table().len() < 1000 {
        let fill = Box::new(|bits: &mut _| constant.fill(bits, d).map_or(0, |()| taken(d)));
        contestants.push(("cdt-ct, fill".into(), fill));
    }
    let fill = Box::new(|bits: &mut _| guided.fill(bits, e).map_or(0, |()| taken(e)));
    contestants.push(("cdt-guided, fill (variable time)".into(), fill));
    contestants.push(keystream(&sampler.profile()));
    let title = format!(
        "Lazy CDT in constant time, sigma = {sigma}, center = {center}, {precision} bits, {} bytes, to {}",
        sampler.profile().table_bytes,
        T::NAME
    );
    contest(&title, SAMPLES, Clock::Processor, contestants);
    Ok(())
}

fn wide<T: Int>(sigma: &str, precision: u32) -> Result<(), Box<dyn Error>> {
    let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
    let options = ConvolutionOptions { precision, bound: precision, ..ConvolutionOptions::constant_time() };
    let table = build_convolution(&law, &options)?;
    let base = parts(table.base(), 1 << 20)?;
    let legs = table.levels().to_vec();
    let sampler = ConvolutionCt::from_table(table.clone(), base)?;
    let constant = CdtCt::from_table(table.base().clone())?;
    let mut outs = [(); 3].map(|()| vec![T::ZERO; SAMPLES]);
    let [a, b, c] = &mut outs;
    let mut contestants: Vec<Contestant<'_>> = Vec::new();
    for (backend, out) in Backend::available().zip([a, b, c]) {
        let sampler = &sampler;
        contestants.push((
            format!("convolution-ct, fill, {backend}"),
            Box::new(move |bits| sampler.fill_by(backend, bits, out).map_or(0, |()| taken(out))),
        ));
    }
    let mut bases = vec![0_i16; SAMPLES];
    let fill = move |bits: &mut _| {
        (0..1 << legs.len()).fold(0, |sum, _| sum ^ constant.fill(bits, &mut bases).map_or(0, |()| taken(&bases)))
    };
    contestants.push(("its base samples alone, by cdt-ct".into(), Box::new(fill)));
    contestants.push(keystream(&sampler.profile()));
    let title = format!(
        "Convolution in constant time, sigma = {sigma}, {precision} bits, {} bytes, to {}",
        sampler.profile().table_bytes,
        T::NAME
    );
    contest(&title, SAMPLES, Clock::Processor, contestants);
    Ok(())
}
