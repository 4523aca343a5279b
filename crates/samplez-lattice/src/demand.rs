//! What a scheme asks of its noise before it takes it.

use crate::Error;
use alloc::format;
use samplez_core::noise::Noise;
use samplez_core::params::DiscreteGaussian;
use samplez_core::profile::{Bound, Exactness};

/// Bits of security up to which the noise's distance from its law may be relied on.
const SECURITY: u32 = 128;

/// What kind of problem the scheme's security is, which tells how far noise may be from its law.
pub(crate) enum Problem {
    /// To find something: a forgery, a key. The Rényi divergence counts.
    Search,
    /// To tell two things apart: which message a ciphertext has. The statistical distance counts.
    Decision,
}

/// That the noise has this very law, that its support fits 32 bits, and that its certificate allows
/// 2^`samples_log2` samples.
pub(crate) fn noise(
    noise: &dyn Noise,
    law: DiscreteGaussian,
    problem: Problem,
    samples_log2: u32,
) -> Result<(), Error> {
    let profile = noise.profile();
    if profile.target != law {
        return Err(Error::refused("noise", profile.target, format!("its law must be {law}")));
    }
    if !noise.fits::<i32>() {
        return Err(Error::refused("noise", profile.target, "its support must fit 32 bits"));
    }
    let allows = |bound: &Bound| match problem {
        Problem::Search => bound.samples_log2(SECURITY).unwrap_or(f64::NEG_INFINITY),
        Problem::Decision => bound.samples_log2_decision(SECURITY),
    };
    match profile.exactness {
        Exactness::Within(bound) if allows(&bound) < f64::from(samples_log2) => {
            let allowed = format!(
                "its certificate must allow 2^{samples_log2} samples at {SECURITY} bits, and allows 2^{:.1}: a higher precision, or an exact method",
                allows(&bound)
            );
            Err(Error::refused("noise", profile.target, allowed))
        }
        Exactness::Exact | Exactness::Within(_) => Ok(()),
    }
}
