//! The samplers of \[DW18\].

use crate::naive;
use crate::{Clock, SAMPLES, checksum, contest};
use samplez::samplers::du_wei::DuWei5;
use samplez::{DiscreteGaussian, Rational, Sampler, Width};
use std::error::Error;

/// Algorithm 5 with both ways to x, beside the same steps as one would first write them.
pub(crate) fn du_wei_5() -> Result<(), Box<dyn Error>> {
    for k in [4, 127, 254, 188_388] {
        let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(k)))?;
        let (walk, bin) = (DuWei5::with_table_walk(&law)?, DuWei5::new(&law)?);
        let naive = naive::DuWei5 { k: k.unsigned_abs() };
        let (mut a, mut b, mut c) = (vec![0_i32; SAMPLES], vec![0_i32; SAMPLES], vec![0_i32; SAMPLES]);
        contest(
            &format!("[DW18] Algorithm 5, k = {k}, to i32"),
            SAMPLES,
            Clock::Processor,
            vec![
                ("du-wei-5-ky, fill".into(), Box::new(|bits| walk.fill(bits, &mut a).map_or(0, |()| checksum(&a)))),
                ("du-wei-5, fill".into(), Box::new(|bits| bin.fill(bits, &mut b).map_or(0, |()| checksum(&b)))),
                (
                    "du-wei-5-ky, sample".into(),
                    Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ walk.sample(bits) as u64)),
                ),
                (
                    "bit by bit, corrected".into(),
                    Box::new(|bits| naive::fill(&mut c, || naive.sample(bits)).map_or(0, |()| checksum(&c))),
                ),
            ],
        );
    }
    Ok(())
}
