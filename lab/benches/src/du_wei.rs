//! The samplers of \[DW18\].

use crate::contest::{Clock, SAMPLES, contest, taken};
use crate::naive;
use samplez::{DiscreteGaussian, Rational, Sampler, Width};
use samplez_core::samplers::{DuWei4, DuWei5, Karney};
use std::error::Error;

/// Algorithm 5 with both ways to x, beside the same steps as one would first write them.
fn du_wei_5() -> Result<(), Box<dyn Error>> {
    for k in [4, 127, 254, 188_388] {
        let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(k)))?;
        let (walk, bin) = (DuWei5::with_table_walk(&law)?, DuWei5::new(&law)?);
        let (frugal, mut d) = (walk.frugal(), vec![0_i32; SAMPLES]);
        let naive = naive::DuWei5 { k: k.unsigned_abs() };
        let (mut a, mut b, mut c) = (vec![0_i32; SAMPLES], vec![0_i32; SAMPLES], vec![0_i32; SAMPLES]);
        contest(
            &format!("[DW18] Algorithm 5, k = {k}, to i32"),
            SAMPLES,
            Clock::Processor,
            vec![
                ("du-wei-5-ky, fill".into(), Box::new(|bits| walk.fill(bits, &mut a).map_or(0, |()| taken(&a)))),
                ("du-wei-5, fill".into(), Box::new(|bits| bin.fill(bits, &mut b).map_or(0, |()| taken(&b)))),
                (
                    "du-wei-5-ky, sample".into(),
                    Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ walk.sample(bits) as u64)),
                ),
                ("du-wei-5-ky, frugal".into(), Box::new(|bits| frugal.fill(bits, &mut d).map_or(0, |()| taken(&d)))),
                (
                    "bit by bit, corrected".into(),
                    Box::new(|bits| naive::fill(&mut c, || naive.sample(bits)).map_or(0, |()| taken(&c))),
                ),
            ],
        );
    }
    Ok(())
}

/// Algorithm 4 beside Karney's sampler and his algorithm as printed.
fn du_wei_4() -> Result<(), Box<dyn Error>> {
    for sigma in [10, 215, 160_000] {
        let law = DiscreteGaussian::with_sigma(Rational::from(sigma))?;
        let (sampler, karney) = (DuWei4::new(&law)?, Karney::new(&law)?);
        let (frugal, mut d) = (sampler.frugal(), vec![0_i32; SAMPLES]);
        let naive = naive::Karney { sigma: (sigma.unsigned_abs(), 1), center: (0, 1) };
        let (mut a, mut b, mut c) = (vec![0_i32; SAMPLES], vec![0_i32; SAMPLES], vec![0_i32; SAMPLES]);
        contest(
            &format!("[DW18] Algorithm 4, sigma = {sigma}, to i32"),
            SAMPLES,
            Clock::Processor,
            vec![
                ("du-wei-4, fill".into(), Box::new(|bits| sampler.fill(bits, &mut a).map_or(0, |()| taken(&a)))),
                (
                    "du-wei-4, sample".into(),
                    Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ sampler.sample(bits) as u64)),
                ),
                ("du-wei-4, frugal".into(), Box::new(|bits| frugal.fill(bits, &mut d).map_or(0, |()| taken(&d)))),
                ("karney, fill".into(), Box::new(|bits| karney.fill(bits, &mut b).map_or(0, |()| taken(&b)))),
                (
                    "[Kar16] Algorithm D as printed, 32-bit digits".into(),
                    Box::new(|bits| naive::fill(&mut c, || naive.sample(bits)).map_or(0, |()| taken(&c))),
                ),
            ],
        );
    }
    Ok(())
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    du_wei_4()?;
    du_wei_5()
}
