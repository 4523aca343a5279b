//! Karney's sampler, against Algorithm D as anyone would first write it.

use crate::contest::{Clock, SAMPLES, contest, taken};
use crate::naive;
use samplez::{DiscreteGaussian, Rational, Sampler, Width};
use samplez_core::samplers::Karney;
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for (sigma, center) in
        [("3.2", "0"), ("10", "0"), ("3.2", "1/3"), ("215", "0"), ("1.6e5", "0"), ("1099511627776", "0")]
    {
        let (s, c): (Rational, Rational) = (sigma.parse()?, center.parse()?);
        let sampler = Karney::new(&DiscreteGaussian::new(c, Width::Sigma(s))?)?;
        let naive = naive::Karney { sigma: (s.num().unsigned_abs(), s.den()), center: (c.num(), c.den()) };
        let (mut out, mut slow) = (vec![0_i64; SAMPLES], vec![0_i64; SAMPLES]);
        contest(
            &format!("Karney, sigma = {sigma}, center = {center}"),
            SAMPLES,
            Clock::Processor,
            vec![
                ("karney, fill".into(), Box::new(|bits| sampler.fill(bits, &mut out).map_or(0, |()| taken(&out)))),
                (
                    "karney, sample".into(),
                    Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ sampler.sample(bits) as u64)),
                ),
                (
                    "Algorithm D as printed, 32-bit digits".into(),
                    Box::new(|bits| naive::fill(&mut slow, || naive.sample(bits)).map_or(0, |()| taken(&slow))),
                ),
            ],
        );
    }
    Ok(())
}
