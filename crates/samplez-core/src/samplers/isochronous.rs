//! Isochronous rejection for one law: many trials at once, in vector registers.
//!
//! Paper: \[HPRR20\], Algorithm 1, with the low part of \[DDLL13\]. Proof: docs/proofs/isochronous.md.
//!
//! | Law        | within [`BOUND`] of D_{Z,σ,c}, for every σ and c: R_∞ - 1 <= 2^-46 |
//! | Bits       | a record of 128 to 160 bits per trial |
//! | Memory     | 304 bytes, the same for every σ and centre |
//! | Timing     | Isochronous: the number of trials tells σ, and nothing of the samples. Evidence: SECURITY.md. Exception: see below |
//! | Parameters | rational σ, 1 <= σ <= 2^26; rational c, \|c\| <= 2^62 |
//!
//! ```text
//! 1  z0 ← D_{N,2}                              (half Gaussian, a table of 72 bits)
//! 2  w ← {0, …, 2^n - 1}, K = ⌈σ/2⌉; u ← ⌊w·K/2^n⌋; x ← K·z0 + u
//!    reject if w·K mod 2^n < 2^n mod K         (so that u is uniform)
//! 3  b ← {0, 1}; z ← x + 1 if b, else -x       (every integer, once)
//! 4  accept with probability exp(-(z - f)²/2σ² + z0²/8), f = c - ⌊c⌋, else 1
//! 5  return ⌊c⌋ + z
//! ```
//!
//! The stream: records of 73 + n + m bits, one for each trial, least significant bit first. Bits
//! 0 … 63 are the leading bits of z0's v, 64 … 71 its others, then b, n bits w, and m that are
//! compared with the probability. n is the least for which w is rejected with probability 2^-7 at
//! most, m the least, from 48 on (σ <= 18: from 56 on), that makes whole bytes.
//!
//! Departures from the paper: those of [`IsochronousRounder`], and
//! - u is uniform by rejection, not by more bits.
//! - One comparison of m bits decides, always: no second word, nothing that waits for one.
//!
//! Whether a trial accepts is public, and nothing else is: [`BitSource::declassify`] marks the
//! place. If the support does not fit the output type of `fill`, whether each sample fits is
//! revealed too: by the error.

pub(super) mod rounder;
mod trial;

pub use rounder::{IsochronousRounder, ROUNDER_BOUND, Scale};

use crate::arch::Backend;
use crate::bits::BitSource;
use crate::params::{DiscreteGaussian, FixedPoint, ParamError, Rational};
use crate::profile::{Bound, Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler, narrowed};
use core::ops::RangeInclusive;
use trial::{BASE, Constants, Record, Trials, trial};
use zeroize::Zeroize;

/// The largest σ: K <= 2^25, and n <= 32.
const SIGMA_MAX: u64 = 1 << 26;
/// Trials at a time.
const CHUNK: usize = 256;
/// The bits of the longest record: the words of 64 of them.
const RECORD_MAX: usize = 160;
/// Σ_{x>=0} e^(-x²/8).
const BASE_SUM: f64 = 3.006_628_274_631_000_7;
/// sqrt(2π).
const SQRT_TAU: f64 = 2.506_628_274_631_000_2;

/// For every σ and centre; docs/proofs/isochronous.md has the sum.
pub const BOUND: Bound =
    Bound { log2_sd: -46.0, log2_renyi: [(2, -69.0), (256, -67.0), (513, -66.0)], log2_rinf: -46.0, log2_tail: -72.0 };

/// The sampler.
///
/// ```
/// use samplez_core::{bits::BitReader, params::{DiscreteGaussian, Width}, profile::Timing};
/// use samplez_core::{sampler::Sampler, samplers::isochronous::Isochronous};
/// use samplez_sources::{ChaCha20, Seed};
/// let law = DiscreteGaussian::new("1/3".parse()?, Width::Sigma("215".parse()?))?;
/// let sampler = Isochronous::new(&law)?;
/// const { assert!(matches!(Isochronous::TIMING, Timing::Isochronous)) };
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i16; 1000];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| x.abs() < 2000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Isochronous {
    target: DiscreteGaussian,
    floor: i64,
    sigma: f64,
    constants: Constants,
}

impl Isochronous {
    /// The sampler of this law.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless σ is rational (`Width::Sigma`, or `SigmaSq` of a
    /// square), from 1 to 2^26, and the centre's floor between -2^62 and 2^62.
    ///
    /// ```
    /// use samplez_core::{params::{DiscreteGaussian, Rational}, samplers::isochronous::Isochronous};
    /// let narrow = DiscreteGaussian::with_sigma("0.99".parse()?)?;
    /// let e = Isochronous::new(&narrow).unwrap_err();
    /// assert_eq!(e.to_string(), "sigma = 99/100: method isochronous allows rational sigma, 1 <= sigma <= 2^26");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(law: &DiscreteGaussian) -> Result<Self, ParamError> {
        let width = law.width();
        let refuse =
            |argument, value, allowed| ParamError::Unsupported { method: "isochronous", argument, value, allowed };
        let fits = |sigma: &Rational| {
            let (num, den) = (i128::from(sigma.num()), i128::from(sigma.den()));
            num >= den && num <= i128::from(SIGMA_MAX) * den
        };
        let sigma = width.rational_sigma().filter(fits).ok_or(refuse(
            width.name(),
            width.value(),
            "rational sigma, 1 <= sigma <= 2^26",
        ))?;
        let center = FixedPoint::new(law.center()).map_err(|_| refuse("center", law.center(), "|center| <= 2^62"))?;
        let constants = constants(sigma, center.fraction());
        Ok(Isochronous { target: *law, floor: center.floor(), sigma: sigma.to_f64(), constants })
    }

    fn support(&self) -> RangeInclusive<i64> {
        // x < K·(z0 + 1) <= 20K.
        let reach = (self.constants.multiplier * (BASE.len() as u64 + 1)) as i64;
        self.floor + 1 - reach..=self.floor + reach
    }

    /// Expected trials: a trial is accepted with probability (1 - (2^n mod K)/2^n)·ρ_σ(Z - f)/(2K·ρ_2(N)).
    fn trials(&self) -> f64 {
        let range = (1_u64 << self.constants.uniform_bits) as f64;
        2.0 * self.constants.multiplier as f64 * BASE_SUM / (self.sigma * SQRT_TAU)
            * (range / (range - self.constants.reject as f64))
    }

    /// [`Sampler::fill`] by this backend, for the tests that compare all of them. A backend that
    /// is not available is the portable one.
    ///
    /// # Errors
    ///
    /// As [`Sampler::fill`].
    #[doc(hidden)]
    pub fn fill_by<T: Int, B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        bits: &mut B,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        let support = self.support();
        if *support.start() < T::MIN || *support.end() > T::MAX {
            for slot in out {
                *slot = narrowed(self.sample(bits))?;
            }
            return Ok(());
        }
        let record = self.constants.record_bits();
        let mut words = [0; CHUNK / 64 * RECORD_MAX];
        let mut bytes = [[0; 8]; CHUNK / 64 * RECORD_MAX];
        let (mut values, mut accepted) = ([0; CHUNK], [0; CHUNK]);
        let mut done = 0;
        while done < out.len() {
            // No more trials than samples to come: each gives one at most.
            let count = (out.len() - done).min(CHUNK);
            let (whole, rest) = (count * record / 64, (count * record % 64) as u32);
            bits.words(&mut words[..whole]);
            if rest > 0 {
                words[whole] = bits.bits(rest);
            }
            for (bytes, word) in bytes.iter_mut().zip(&words[..(count * record).div_ceil(64)]) {
                *bytes = word.to_le_bytes();
            }
            // steps 1 to 4
            backend.run(Trials {
                constants: &self.constants,
                bytes: &bytes.as_flattened()[..count * record / 8],
                count,
                values: &mut values,
                accepted: &mut accepted,
            });
            // step 5
            for (value, accepted) in values[..count].iter().zip(&accepted) {
                out[done] = T::wrapping(self.floor + i64::from(*value));
                done += bits.declassify(*accepted) as usize;
            }
        }
        words.zeroize();
        bytes.zeroize();
        values.zeroize();
        Ok(())
    }

    /// Step 1's weights ⌊2^72·pmf⌋, z0 = 0 first, for the exact law tests.
    #[doc(hidden)]
    pub fn base_weight(z0: usize) -> u128 {
        let threshold = |j: usize| BASE.get(j).map_or(0, |(high, low)| u128::from(*high) << 8 | u128::from(*low));
        let upper = if z0 == 0 { 1 << 72 } else { threshold(z0 - 1) };
        upper - threshold(z0)
    }

    /// Step 4's probability for these z0, u and b, in units of 2^-m, and m; for the exact law tests.
    #[doc(hidden)]
    pub fn acceptance(&self, z0: u64, u: u64, upper: bool) -> (u64, u32) {
        let constants = &self.constants;
        let exponent = trial::exponent(constants, z0, u, constants.offsets[usize::from(upper)]);
        (trial::exp_neg(exponent, constants.draw_bits), constants.draw_bits)
    }

    /// K, n and 2^n mod K, for the exact law tests.
    #[doc(hidden)]
    pub fn uniform(&self) -> (u64, u32, u64) {
        (self.constants.multiplier, self.constants.uniform_bits, self.constants.reject)
    }
}

/// ⌊ab/2^128⌋, short by 2 at most.
const fn mul_high(a: u128, b: u128) -> u128 {
    let (a1, a0, b1, b0) = (a >> 64, a & u64::MAX as u128, b >> 64, b & u64::MAX as u128);
    a1 * b1 + ((a1 * b0) >> 64) + ((a0 * b1) >> 64)
}

/// The constants, for 1 <= σ <= 2^26 and the centre's fraction in units of 2^-64. Each is rounded
/// down, short by at most 2 of its units.
fn constants(sigma: Rational, fraction: u64) -> Constants {
    let (num, den) = (u128::from(sigma.num().unsigned_abs()), u128::from(sigma.den()));
    let multiplier = num.div_ceil(2 * den) as u64;
    let k = u128::from(multiplier);
    // ⌊2^128/σ⌋ by two digits; K/σ <= 1 and κ in units of 2^-128, at most 2^128 - 1.
    let (digit, rest) = ((den << 64) / num, (den << 64) % num);
    let inverse = digit.checked_mul(1 << 64).map_or(u128::MAX, |high| high + (rest << 64) / num);
    let ratio = inverse.saturating_mul(k);
    let kappa = mul_high(ratio, ratio);

    let mut uniform_bits = u64::BITS - (multiplier - 1).leading_zeros();
    while ((1 << uniform_bits) % multiplier) << 7 > 1 << uniform_bits {
        uniform_bits += 1;
    }
    let least = if multiplier < 10 { 56 } else { 48 };
    let draw_bits = (73 + uniform_bits + least).next_multiple_of(8) - 73 - uniform_bits;
    let shift = multiplier.ilog2();
    // κ·o/K and o/2K, o in units of 2^-64: κ/K in units of 2^-62, 1/2K in units of 2^-58.
    let offset = |o: u128| (((((kappa / k) >> 66) * o) >> 64) as u64, (((o << 57) / k) >> 64) as u64);
    Constants {
        multiplier,
        uniform_bits,
        reject: (1 << uniform_bits) % multiplier,
        draw_bits,
        shift,
        slope: ((kappa / k) >> (66 - shift)) as u64,
        half: ((1 << (57 + shift)) / k) as u64,
        square: ((kappa >> 1).saturating_sub(1 << 125) >> 64) as u64,
        offsets: [offset(fraction.into()), offset((1 << 64) - u128::from(fraction))],
    }
}

impl Sampler for Isochronous {
    const TIMING: Timing = Timing::Isochronous;

    fn profile(&self) -> Profile {
        let trials = self.trials();
        Profile {
            target: self.target,
            exactness: Exactness::Within(BOUND),
            timing: Self::TIMING,
            support: self.support(),
            table_bytes: size_of_val(&BASE),
            expected_bits: trials * self.constants.record_bits() as f64,
            expected_trials: trials,
        }
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        let Constants { uniform_bits, draw_bits, .. } = self.constants;
        loop {
            let record = Record {
                first: bits.bits(64),
                second: bits.bits(9 + uniform_bits),
                last: bits.bits(draw_bits) << (64 - draw_bits),
            };
            let (value, accepted) = trial(&self.constants, record);
            if bits.declassify(accepted) != 0 {
                return self.floor + i64::from(value);
            }
        }
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_by(Backend::current(), bits, out)
    }
}

#[cfg(test)]
mod tests;
