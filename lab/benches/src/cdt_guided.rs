//! The guided CDT against the keystream that it is made of, the plain CDT, and a CDT as anyone would
//! first write it.

use crate::contest::{Clock, SAMPLES, contest, seed, taken};
use crate::naive;
use rand_core::Rng;
use samplez::{BitReader, DiscreteGaussian, Int, Sampler};
use samplez_core::samplers::{Cdt, CdtGuided};
use samplez_core::table::Table;
use samplez_sources::ChaCha20;
use samplez_tables::{CdtGuidedOptions, CdtOptions, build_cdt, build_guided};
use std::error::Error;
use std::hint::black_box;

/// Samples in a part: it stays in the nearest cache.
const PART: usize = 8192;

/// Fills one part after the other, and adds up what the last one holds.
fn parts<T: Int>(sampler: &impl Sampler, bits: &mut BitReader<ChaCha20>, part: &mut [T]) -> u64 {
    for _ in 0..SAMPLES / PART {
        if sampler.fill(bits, part).is_err() {
            return 0;
        }
        black_box(&mut *part);
    }
    taken(part)
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    one::<i8>("3.2")?;
    one::<i16>("3.2")?;
    one::<i16>("19.5")?;
    one::<i16>("215")?;
    one::<i16>("1000")?;
    one::<i32>("1.6e5")
}

fn one<T: Int>(sigma: &str) -> Result<(), Box<dyn Error>> {
    let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
    let sampler = CdtGuided::from_table(build_guided(&law, &CdtGuidedOptions::default())?);
    let cdt = Cdt::from_table(build_cdt(&law, &CdtOptions::default())?);
    let plain = naive::Cdt64::new(&law)?;
    let mut outs = [(); 2].map(|()| vec![T::ZERO; PART]);
    let [out, other] = &mut outs;
    let (mut slow, mut keystream) = (vec![T::ZERO; SAMPLES], vec![0_u8; 2 * PART]);
    let title = format!(
        "Guided CDT, sigma = {sigma}, 128 bits, {} bytes, {:.2} bits, {:.3} comparisons per sample, to {}",
        sampler.table().bytes(),
        sampler.profile().expected_bits,
        sampler.table().expected_comparisons(),
        T::NAME
    );
    contest(
        &title,
        SAMPLES,
        Clock::Processor,
        vec![
            (
                "keystream alone, 2 bytes".into(),
                Box::new(|_| {
                    let mut rng = ChaCha20::new(&seed(0));
                    for _ in 0..SAMPLES / PART {
                        rng.fill_bytes(&mut keystream);
                        black_box(&mut keystream);
                    }
                    keystream[0].into()
                }),
            ),
            ("cdt-guided, fill".into(), Box::new(|bits| parts(&sampler, bits, out))),
            (
                "cdt-guided, sample".into(),
                Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ sampler.sample(bits) as u64)),
            ),
            ("cdt, fill".into(), Box::new(|bits| parts(&cdt, bits, other))),
            (
                "plain CDT of 64 bits".into(),
                Box::new(|bits| naive::fill(&mut slow, || plain.sample(bits)).map_or(0, |()| taken(&slow))),
            ),
        ],
    );
    Ok(())
}
