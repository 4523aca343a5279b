//! The sampler of Skellam noise.

use crate::exact::Exact;
use crate::narrow::Ranged;
use crate::refused::Refused;
use samplez_core::samplers::CdtCt;
use samplez_core::{Noise, NoiseLaw, Profile, Rational, Sampler};
use samplez_tables::build_skellam;

/// Builds the exact sampler of Skellam noise, the difference of two Poisson variables of mean `variance`/2 each.
///
/// P(X = x) = e^-V·I_|x|(V), V = `variance`. A sum of independent Skellam variables is one too, and their variances
/// add. So for a variance beyond 2^20, add samples.
///
/// A sample is a scan of a table of 128 bits, in constant time. With probability 2^-t, for t from 100 to 127, a
/// sample of a remainder replaces it, which makes the law exact. Only then the time depends on the sample. With a
/// probability below 2^-440 the remainder cannot decide a sample, and the fill fails as with a broken source. Proof:
/// docs/proofs/skellam.md. Setup takes time in proportion to sqrt(`variance`), about 0.1 s at 2^20.
pub(crate) fn skellam(variance: Rational) -> Result<Box<dyn Noise>, Refused> {
    let (table, remainder) = build_skellam(variance)?;
    let sampler = CdtCt::from_table(table)?;
    let support = sampler.profile().support;
    let exact = Exact::new(Box::new(sampler), remainder);
    let profile = Profile { target: NoiseLaw::Skellam { variance }, support, ..exact.noise_profile() };
    Ok(Box::new(Ranged::whole(Box::new(exact), profile)))
}
