//! fhe-util's noise by samplez: the same words of the generator, the same integers.

use rand::{CryptoRng, RngCore};
use samplez::{CenteredBinomial, RandCore09, Stream};

/// `size` integers of the centred binomial law of this variance, 1 to 16, which the caller has checked.
pub(crate) fn centered_binomial<R: RngCore + CryptoRng>(size: usize, variance: usize, rng: &mut R) -> Vec<i64> {
    let law = CenteredBinomial::new(2 * variance as u32).expect("2 to 32 pairs of bits");
    let mut out = vec![0; size];
    Stream::new(RandCore09(rng)).fill(&law, &mut out).expect("the generator does not fail");
    out
}
