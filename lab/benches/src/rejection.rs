//! Plain exact rejection, against Karney's algorithm, which proposes better.

use crate::contest::{Clock, SAMPLES, contest, taken};
use samplez::{DiscreteGaussian, Rational, Sampler};
use samplez_core::samplers::{Karney, Rejection};
use std::error::Error;

/// A sample takes ten trials.
const FEW: usize = SAMPLES / 16;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for sigma in ["3.2", "32", "215", "1.6e5"] {
        let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
        let (sampler, karney) = (Rejection::new(&law, Rational::from(13))?, Karney::new(&law)?);
        let (mut out, mut other) = (vec![0_i32; FEW], vec![0_i32; FEW]);
        let profile = sampler.profile();
        let title = format!(
            "Plain rejection, sigma = {sigma}, t = 13, {:.1} bits, {:.2} trials per sample, to i32",
            profile.expected_bits, profile.expected_trials
        );
        contest(
            &title,
            FEW,
            Clock::Processor,
            vec![
                ("rejection, fill".into(), Box::new(|bits| sampler.fill(bits, &mut out).map_or(0, |()| taken(&out)))),
                ("karney, fill".into(), Box::new(|bits| karney.fill(bits, &mut other).map_or(0, |()| taken(&other)))),
            ],
        );
    }
    Ok(())
}
