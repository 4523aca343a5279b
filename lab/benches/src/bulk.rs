//! A bulk array on two threads, beside one.

use crate::contest::{Clock, Contestant, SAMPLES, contest, seed, taken};
use samplez::{Bulk, DiscreteGaussian, Noise, Source};
use samplez_core::samplers::Cdt;
use samplez_core::samplers::Karney;
use samplez_tables::CdtOptions;
use std::error::Error;
use std::num::NonZeroUsize;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
    let cdt = Cdt::from_table(samplez_tables::build_cdt(&law, &CdtOptions::default())?);
    let karney = Karney::new(&law)?;
    let samplers: [(&str, &dyn Noise); 2] = [("cdt", &cdt), ("karney", &karney)];
    for (name, sampler) in samplers {
        let bulk = Bulk::new(sampler, Source::ChaCha20, seed(0));
        let count = 16 * SAMPLES;
        let contestants = [2, 1].into_iter().filter_map(NonZeroUsize::new).map(|threads| -> Contestant<'_> {
            let (bulk, mut out) = (&bulk, vec![0_i8; count]);
            (
                format!("{threads} threads"),
                Box::new(move |_| bulk.par_fill(0, &mut out, threads).map_or(0, |()| taken(&out))),
            )
        });
        contest(&format!("Bulk, {name}, sigma = 3.2, to i8"), count, Clock::Wall, contestants.collect());
    }
    Ok(())
}
