//! Convolution against the sum of as many base samples drawn one by one, and against Karney's.

use crate::contest::{Clock, Contestant, SAMPLES, contest, taken};
use crate::naive;
use samplez::{DiscreteGaussian, Sampler};
use samplez_core::samplers::{Cdt, Convolution, Karney};
use samplez_tables::ConvolutionOptions;
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for (name, sigma) in [("1.6e5", "1.6e5"), ("2^30", "1073741824"), ("2^50", "1125899906842624")] {
        let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
        let table = samplez_tables::build_convolution(&law, &ConvolutionOptions::default())?;
        let base = Cdt::from_table(table.base().clone());
        let levels = table.levels().to_vec();
        let guide = samplez_tables::guide(table.base(), 1 << 20)?;
        let sampler = Convolution::from_table(table, guide)?;
        let karney = Karney::new(&DiscreteGaussian::with_sigma(sigma.parse()?)?).ok();
        let mut outs = [(); 3].map(|()| vec![0_i64; SAMPLES]);
        let [out, other, slow] = &mut outs;
        let mut contestants: Vec<Contestant<'_>> =
            vec![("convolution, fill".into(), Box::new(|bits| sampler.fill(bits, out).map_or(0, |()| taken(out))))];
        if let Some(karney) = &karney {
            let fill = Box::new(|bits: &mut _| karney.fill(bits, other).map_or(0, |()| taken(other)));
            contestants.push(("karney, fill".into(), fill));
        }
        contestants.push((
            "recursion over single draws".into(),
            Box::new(|bits| naive::fill(slow, || recursion(&base, &levels, bits)).map_or(0, |()| taken(slow))),
        ));
        let title = format!(
            "Convolution, sigma = {name}, 128 bits, {} base samples, {} bytes",
            1 << levels.len(),
            sampler.profile().table_bytes
        );
        contest(&title, SAMPLES, Clock::Processor, contestants);
    }
    Ok(())
}

/// The recursion as its steps say.
fn recursion<B: samplez::BitSource>(base: &Cdt<Vec<u32>>, levels: &[(u64, u64)], bits: &mut B) -> i64 {
    let Some(((z1, z2), below)) = levels.split_last() else { return base.sample(bits) };
    *z1 as i64 * recursion(base, below, bits) + *z2 as i64 * recursion(base, below, bits)
}
