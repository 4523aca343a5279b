//! \[DDLL13\], Algorithms 8 and 10 to 12, bit by bit: the law of [`Bernoulli`], exactly, from no more bits
//! than each decision needs.
//!
//! BIN stops at the first place that decides, and y takes the bits of a Fast Dice Roller. The one uniform for all coins
//! ends at the first place that parts it from their product, rarely at one behind it. The sign is drawn last.

use super::super::common::below::uniform_bits;
use super::super::common::half_line::{HalfLine, W};
use super::super::common::trials::first_accepted;
use super::Bernoulli;
use crate::bits::{BitSource, uniform_below};
use crate::profile::{Profile, Timing};
use crate::sampler::Sampler;
use crate::samplers::common::trials::Attempt;

/// A sampler of a [`Bernoulli`]'s law from about a third of its bits, in more time. [`Bernoulli::frugal`] returns it.
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, Sampler, Width};
/// use samplez_core::{samplers::Bernoulli, table::BernoulliTable};
/// let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(1)))?;
/// # let bound = Bound::TRIVIAL;
/// let wide = Bernoulli::from_table(BernoulliTable::new(law, bound, 128, [])?);
/// assert!(wide.profile().expected_bits > 60.0 && wide.clone().frugal().profile().expected_bits < 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FrugalBernoulli<S>(Bernoulli<S>);

impl<S: AsRef<[u32]>> Bernoulli<S> {
    /// Returns the sampler of the same law that draws bit by bit.
    pub const fn frugal(self) -> FrugalBernoulli<S> {
        FrugalBernoulli(self)
    }
}

impl<S: AsRef<[u32]>> Attempt for FrugalBernoulli<S> {
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        let table = &self.0.table;
        // step 1
        let x = HalfLine::bin(bits).filter(|x| *x <= table.last_x())?;
        // step 2
        let k = table.k();
        let y = uniform_below(k, bits);
        // steps 3 and 4
        if !self.0.products.is_below_lazily(y * (y + 2 * k * x), table, bits) {
            return None;
        }
        // steps 5 and 6
        let (value, negative) = ((k * x + y) as i64, bits.bit());
        if value == 0 && negative {
            return None;
        }
        Some(table.center() + if negative { -value } else { value })
    }
}

impl<S: AsRef<[u32]>> Sampler for FrugalBernoulli<S> {
    const TIMING: Timing = Timing::Variable;

    /// A trial is a proposal (x, y): without its sign, but as likely to be accepted.
    fn profile(&self) -> Profile {
        let (profile, k) = (self.0.profile(), self.0.table.k());
        // A comparison takes 2 bits, but none for z = 0; the sign is drawn for a sample and a zero rejected.
        let trial = HalfLine::Bin.bits() + uniform_bits(k) + 2.0 * (1.0 - 1.0 / k as f64) + 0.5 / (W * k as f64);
        Profile {
            expected_bits: profile.expected_trials * trial + 1.0,
            table_bytes: profile.table_bytes - super::PREFIXES,
            ..profile
        }
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        first_accepted(|| self.attempt(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{is_below, table};
    use super::*;
    use crate::fixtures::Tape;

    /// As [`is_below`], of a uniform of which nothing is drawn.
    #[test]
    fn attempts_take_their_steps() {
        for (k, center, precision) in
            [(1, 0, 128), (2, 4, 40), (3, -5, 33), (254, 0, 128), (600, 7, 8), (1 << 28, 0, 65)]
        {
            let table = table(k, center, precision);
            let frugal = Bernoulli::from_table(table.clone()).frugal();
            let model = |bits: &mut Tape| {
                let x = HalfLine::bin(bits).filter(|x| *x <= table.last_x())?;
                let y = uniform_below(k, bits);
                if !is_below(0, 0, y * y + 2 * k * x * y, &table, bits) {
                    return None;
                }
                let is_negative = bits.bits(1) == 1;
                let value = (k * x + y) as i64;
                match (value, is_negative) {
                    (0, true) => None,
                    (_, true) => Some(center - value),
                    (_, false) => Some(center + value),
                }
            };
            for seed in 0..100 {
                let (mut ours, mut theirs) = (Tape::words(&[], seed), Tape::words(&[], seed));
                let expected = model(&mut theirs);
                assert_eq!((frugal.attempt(&mut ours), &ours), (expected, &theirs), "{k}");
                let expected = (0..).find_map(|_| model(&mut theirs));
                assert_eq!((Some(frugal.sample(&mut ours)), ours), (expected, theirs), "{k}");
            }
        }
    }

    /// BIN's stages are through with 2x - 2 zeros and a one each: x = 6 after 1, 1, 001, 00001, …; 5 is the last x of 1 bit.
    #[test]
    fn an_x_beyond_the_last_is_rejected() {
        let table = table(1, 0, 1);
        let frugal = Bernoulli::from_table(table).frugal();
        for (x, expected) in [(4, Some(4)), (5, Some(5)), (6, None), (7, None)] {
            // A one, then stages of 2i - 2 zeros and a one for i < x, then 2x - 1 zeros; the sign is 0.
            let ones = (1..x).map(|i| 1_u64 << (i * i)).sum::<u64>() | 1;
            let mut bits = Tape::words(&[ones], 0);
            assert_eq!(frugal.attempt(&mut bits), expected, "{x}");
            assert_eq!(bits.read as u64, x * x + 1 + u64::from(expected.is_some()));
        }
    }
}
