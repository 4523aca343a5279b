//! The samplers of discrete Laplace noise.

use crate::narrow::Ranged;
use crate::refused::Refused;
use samplez_core::bits::BitSource;
use samplez_core::{Int, Noise, NoiseLaw, Profile, RangeError, Rational, Sampler, Timing};
use samplez_tables::{TargetLaw, build_laplace};

/// Builds the exact sampler of discrete Laplace noise: P(X = x) is proportional to exp(-abs(x)/λ), λ = `scale`.
///
/// If λ = Δ/ε, the noise gives ε-differential privacy to counts of sensitivity Δ.
///
/// A sample is a row of coins, in constant time. With a probability below (n + 4)²·2^-65 a sample, n the number of digits, two coins
/// have equal leading bits, and more bits are drawn: 2^-57 for λ = 10, 2^-53 for 2^50. Only then the time depends on the sample. With a
/// probability below 2^-470 512 bits cannot decide a coin, and the fill fails as with a broken source. Proof:
/// docs/proofs/discrete-laplace.md.
pub(crate) fn discrete_laplace(scale: Rational) -> Result<Box<dyn Noise>, Refused> {
    let sampler = build_laplace(scale)?;
    let profile = sampler.profile();
    Ok(Box::new(Ranged::whole(Box::new(sampler), profile)))
}

/// Builds the exact sampler of discrete Laplace noise, given that its absolute value is at most `bound`.
///
/// If λ = Δ/ε, one count of sensitivity Δ with this noise is (ε, δ)-private, δ being the mass of the Δ largest values.
///
/// Samples beyond the bound are drawn again. Trials are independent of each other, so the time is independent of the sample.
pub(crate) fn truncated_laplace(scale: Rational, bound: u64) -> Result<Box<dyn Noise>, Refused> {
    let target = NoiseLaw::TruncatedLaplace { scale, bound };
    target.bound()?;
    let beyond = 2.0 * TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale })?.sf(bound as i64);
    let sampler = Truncated { sampler: build_laplace(scale)?, bound, target, trials: 1.0 / (1.0 - beyond) };
    let profile = sampler.profile();
    Ok(Box::new(Ranged::whole(Box::new(sampler), profile)))
}

/// A sampler's law, given that the absolute value is at most `bound`: by rejection.
struct Truncated<S> {
    sampler: S,
    bound: u64,
    target: NoiseLaw,
    /// E[trials] of a sample.
    trials: f64,
}

impl<S: Sampler> Sampler for Truncated<S> {
    const TIMING: Timing = Timing::Isochronous;

    fn profile(&self) -> Profile {
        let inner = self.sampler.profile();
        let bound = (*inner.support.end()).min(self.bound as i64);
        Profile {
            target: self.target,
            timing: Self::TIMING,
            support: -bound..=bound,
            expected_bits: self.trials * inner.expected_bits,
            expected_trials: self.trials * inner.expected_trials,
            ..inner
        }
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        loop {
            let sample = self.sampler.sample(bits);
            // Only whether a trial is accepted becomes public.
            if bits.declassify((sample.unsigned_abs() <= self.bound).into()) != 0 {
                return sample;
            }
        }
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        let fits = T::narrow(self.bound as i64).is_some();
        for slot in out {
            let sample = self.sample(bits);
            // Where the bound does not fit `T`, whether the samples do becomes public.
            if !fits && bits.declassify(T::narrow(sample).is_none().into()) != 0 {
                return Err(RangeError::of::<T>());
            }
            *slot = T::wrapping(sample);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::finite::Ternary;

    /// Uniform on -4 to 3, by three bits.
    struct Octal;

    impl Sampler for Octal {
        const TIMING: Timing = Timing::Constant;
        fn profile(&self) -> Profile {
            Ternary.profile()
        }
        fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
            bits.bits(3) as i64 - 4
        }
    }

    /// The digits of a number, of three bits each, and zeros after them.
    struct Digits(u64);

    impl BitSource for Digits {
        fn bits(&mut self, n: u32) -> u64 {
            let low = self.0 & ((1 << n) - 1);
            self.0 >>= n;
            low
        }
    }

    /// Over all strings of three digits, each value within the bound is as frequent as its law says: 1/5 of those with an accepted trial.
    #[test]
    fn every_string_of_bits() {
        let target = NoiseLaw::TruncatedLaplace { scale: 1.into(), bound: 2 };
        let sampler = Truncated { sampler: Octal, bound: 2, target, trials: 1.6 };
        let mut counts = [0; 5];
        // Three digits that are rejected, and an accepted one of 4 behind them: the sample 0.
        for string in 0..512 {
            counts[(sampler.sample(&mut Digits(string | 4 << 9)) + 2) as usize] += 1;
        }
        // 64 strings begin with the value, 3·8 have it second, and 9 third; 27 have none.
        assert_eq!(counts, [97, 97, 97 + 27, 97, 97]);
    }
}
