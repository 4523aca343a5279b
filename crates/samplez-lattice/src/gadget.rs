//! Gaussians over the cosets of the gadget lattice: [`Gadget`].

pub(crate) mod bounds;
mod general;
mod power;
pub(crate) mod root;
mod theta;
mod wipe;

use bounds::Departures;
use general::General;
use power::Power;
use samplez::Refused;
use samplez_core::bits::BitSource;
use samplez_core::{Exactness, Rational};
use std::fmt;
use wipe::wipe;

/// The largest modulus.
pub(crate) const MODULUS_MAX: u64 = 1 << 31;
/// The largest σ.
pub(crate) const SIGMA_MAX: i64 = 1 << 25;
/// The largest base: a table has an entry for each digit.
const BASE_MAX: u64 = 1 << 16;

/// Gaussians over the cosets of the gadget lattice: x in Z^k with Σ x_i·b^i = u (mod q), and P(x) proportional to exp(-‖x‖²/2σ²).
///
/// Papers: \[MP12\], section 4, \[GPV08\]. Proof: docs/proofs/trapdoor.md.
///
/// | Law        | exact for q = b^k; for other q within [`exactness`](Self::exactness) |
/// | Bits       | k calls of [`StripRounder`](samplez_core::samplers::StripRounder), and 64 more |
/// | Memory     | 16·b bytes for q = b^k, 24·k bytes for other q, and the rounders |
/// | Timing     | Variable. The calls are isochronous, but the first table is read at secret digits. Unless b is a power of 2, digits are remainders of secret numbers by b. For other q, digits and centres are quotients of secret numbers. Step 2 takes a time that depends on the sample, with probability at most k·2^-26 |
/// | Parameters | q from 2 to 2^31, b from 2 to min(q, 2^16), σ from [`min_sigma`](Self::min_sigma) to 2^25; k is the least with q <= b^k |
///
/// ```text
/// q = b^k   1  for i = 0, …, k - 1: x_i ← D_{bZ + u, σ}; u ← (u - x_i)/b
/// other q   1  Klein's algorithm over the basis of [MP12], whose Gram–Schmidt vectors have closed forms
///           2  accept with probability Π ρ(Z + c_i)/ρ(Z), for the centre and width of each call, else 1
/// ```
///
/// Without step 2, which follows both, a sample has the probability ρ(x)/Π ρ(Z + c_i): the normalizations depend on earlier
/// integers. A uniform word decides step 2, except with probability at most k·2^-26. Then intervals decide, over as
/// many further bits as they need.
///
/// The buffers of cosets, samples and centres are erased. The big integers that step 2 computes with are not.
///
/// The stream of a batch: each call of step 1 for all cosets, by
/// [`round_batch`](samplez_core::samplers::StripRounder::round_batch). Then a word for each coset, and after it the further bits of step 2.
/// Rejected cosets begin again, as a batch.
///
/// ```
/// use samplez::{BitReader, Seed};
/// use samplez_lattice::Gadget;
/// use samplez_sources::ChaCha20;
/// let gadget = Gadget::new(2, 1 << 14, "4".parse()?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut x = [0; 2 * 14];
/// gadget.sample(&[5, 16_000], &mut bits, &mut x)?;
/// let value = |x: &[i64]| x.iter().rev().fold(0, |value, x| 2 * value + x).rem_euclid(1 << 14);
/// assert_eq!((value(&x[..14]), value(&x[14..])), (5, 16_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Gadget {
    base: u64,
    digits: usize,
    q: u64,
    sigma: Rational,
    steps: Steps,
    /// A uniform word below this accepts.
    sure: u64,
}

#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "one for many samples")]
enum Steps {
    Power(Power),
    General(General),
}

impl fmt::Debug for Gadget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gadget { base, digits, q, sigma, .. } = self;
        f.debug_struct("Gadget")
            .field("base", base)
            .field("digits", digits)
            .field("q", q)
            .field("sigma", &sigma.to_string())
            .finish()
    }
}

/// The least k with q <= b^k, and whether they are equal.
fn digits_of(base: u64, q: u64) -> (usize, bool) {
    let (mut digits, mut power) = (1, base);
    while power < q {
        power *= base;
        digits += 1;
    }
    (digits, power == q)
}

impl Gadget {
    /// Builds the sampler for this base b, this modulus q and this σ.
    ///
    /// # Errors
    ///
    /// [`Refused`] for a q, a base or a σ beyond the limits above.
    ///
    /// ```
    /// use samplez_lattice::Gadget;
    /// assert_eq!(Gadget::new(10, 12_289, "50".parse()?)?.digits(), 5);
    /// let e = Gadget::new(2, 12_289, "2".parse()?).unwrap_err();
    /// assert_eq!(e.to_string(), "sigma = 2: expected a number from 9/4 to 2^25 for base 2 and this q");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(base: u64, q: u64, sigma: Rational) -> Result<Self, Refused> {
        let least = Self::min_sigma(base, q)?;
        let allowed = || format!("expected a number from {least} to 2^25 for base {base} and this q");
        if sigma < least || sigma > Rational::from(SIGMA_MAX) {
            return Err(Refused::new("sigma", format_args!("{sigma:#}"), allowed()));
        }
        let wrong = |_| {
            Refused::new("sigma", format_args!("{sigma:#}"), format!("{}, as a fraction of smaller numbers", allowed()))
        };
        let (digits, is_power) = digits_of(base, q);
        let steps = if is_power {
            let scaled = sigma.den().checked_mul(base).and_then(|den| Rational::new(sigma.num(), den)).ok_or(());
            Steps::Power(Power::new(base, digits, scaled.map_err(wrong)?).map_err(|_| wrong(()))?)
        } else {
            let general = General::new(base, digits, q, sigma).map_err(|_| wrong(()))?;
            Steps::General(general.ok_or(()).map_err(wrong)?)
        };
        let mut gadget = Gadget { base, digits, q, sigma, steps, sure: 0 };
        // A multiple of the doubt, at least 2 units.
        gadget.sure = u64::MAX - 1 - (gadget.ripple() * 1.001 * (u64::MAX as f64)) as u64;
        Ok(gadget)
    }

    /// Returns the least σ for this base and modulus: b for q = b^k, else b + 1/2b. Every call then has a σ of at least 1.
    ///
    /// # Errors
    ///
    /// [`Refused`] for a base or a q beyond the limits.
    ///
    /// ```
    /// use samplez_lattice::Gadget;
    /// assert_eq!(Gadget::min_sigma(4, 256)?.to_string(), "4");
    /// assert_eq!(Gadget::min_sigma(4, 257)?.to_string(), "33/8");
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn min_sigma(base: u64, q: u64) -> Result<Rational, Refused> {
        if !(2..=MODULUS_MAX).contains(&q) {
            return Err(Refused::new("q", q, "expected an integer from 2 to 2^31"));
        }
        if !(2..=q.min(BASE_MAX)).contains(&base) {
            return Err(Refused::new("base", base, format!("expected an integer from 2 to {}", q.min(BASE_MAX))));
        }
        let (num, den) = if digits_of(base, q).1 { (base, 1) } else { (2 * base * base + 1, 2 * base) };
        Ok(Rational::new(num as i64, den).unwrap_or(Rational::from(num as i64)))
    }

    /// Returns the base b.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Returns the number of digits k.
    pub fn digits(&self) -> usize {
        self.digits
    }

    /// Returns the modulus q.
    pub fn modulus(&self) -> u64 {
        self.q
    }

    /// Returns the parameter σ.
    pub fn sigma(&self) -> Rational {
        self.sigma
    }

    /// The standard deviations of the calls whose normalizations vary.
    fn sigmas(&self) -> Vec<f64> {
        match &self.steps {
            Steps::Power(_) => vec![self.sigma.to_f64() / self.base as f64; self.digits],
            Steps::General(general) => general.sigmas(),
        }
    }

    /// ln of the greatest ratio of the normalizations of two samples.
    pub(crate) fn ripple(&self) -> f64 {
        self.sigmas().into_iter().map(bounds::ripple).sum()
    }

    /// The departures of step 1 from the ideal calls, without the normalizations.
    pub(crate) fn departures(&self) -> Departures {
        match self.steps {
            Steps::Power(_) => Departures::default(),
            Steps::General(_) => {
                let calls = self.digits as f64;
                // Widths are within 2^-60, centres within 2^-64, and every σ is at least 1.
                let (covariance, centers) = (calls * (-118_f64).exp2(), calls * (-128_f64).exp2());
                Departures { calls, centers, covariance, ..Departures::default() }
            }
        }
    }

    /// How far the distribution of a sample is from the coset Gaussian: exact for q = b^k.
    ///
    /// ```
    /// use samplez_lattice::Gadget;
    /// assert!(Gadget::new(2, 1 << 14, "4".parse()?)?.exactness().is_exact());
    /// let samplez::Exactness::Within(bound) = Gadget::new(2, 12_289, "4.5".parse()?)?.exactness() else { panic!() };
    /// assert!(bound.log2_sd < -50.0 && bound.renyi(256).unwrap() < -93.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exactness(&self) -> Exactness {
        match self.steps {
            Steps::Power(_) => Exactness::Exact,
            Steps::General(_) => {
                // What step 2 costs: e^(a·ripple) for each order a, of which 513 is the largest.
                let departures = self.departures();
                let scale = (520.0 * self.ripple()).exp();
                let Departures { calls, centers, covariance, .. } = departures;
                let scaled = Departures {
                    calls: calls * scale,
                    centers: centers * scale,
                    covariance: covariance * scale,
                    ..departures
                };
                Exactness::Within(scaled.bound())
            }
        }
    }

    /// Fills `out` with a sample for each coset u, k integers each.
    ///
    /// # Errors
    ///
    /// [`Refused`] if a coset is not below q, or if `out` does not have k integers for each coset.
    pub fn sample<B: BitSource + ?Sized>(&self, cosets: &[u64], bits: &mut B, out: &mut [i64]) -> Result<(), Refused> {
        if cosets.len().checked_mul(self.digits) != Some(out.len()) {
            let wanted = format!("expected {} integers for each of {} cosets", self.digits, cosets.len());
            return Err(Refused::new("length of out", out.len(), wanted));
        }
        if let Some((i, u)) = cosets.iter().enumerate().find(|(_, u)| **u >= self.q) {
            return Err(Refused::new("cosets", u, format!("expected an integer below q = {}", self.q)).at(i));
        }
        self.klein(cosets, bits, out);
        let mut rejected = self.rejected(cosets, 0..cosets.len(), bits, out);
        while !rejected.is_empty() {
            let mut again: Vec<u64> = rejected.iter().map(|i| cosets[*i]).collect();
            let mut fresh = vec![0; again.len() * self.digits];
            self.klein(&again, bits, &mut fresh);
            for (i, x) in rejected.iter().zip(fresh.chunks_exact(self.digits)) {
                out[i * self.digits..][..self.digits].copy_from_slice(x);
            }
            wipe(&mut again);
            wipe(&mut fresh);
            rejected = self.rejected(cosets, rejected.into_iter(), bits, out);
        }
        Ok(())
    }

    /// Step 1 alone.
    pub(crate) fn klein<B: BitSource + ?Sized>(&self, cosets: &[u64], bits: &mut B, out: &mut [i64]) {
        match &self.steps {
            Steps::Power(power) => power.sample(cosets, bits, out),
            Steps::General(general) => general.sample(cosets, bits, out),
        }
    }

    /// Step 2 for these places. Returns the rejected ones.
    fn rejected<B: BitSource + ?Sized>(
        &self,
        cosets: &[u64],
        places: impl Iterator<Item = usize>,
        bits: &mut B,
        out: &[i64],
    ) -> Vec<usize> {
        let mut is_accepted = |i: &usize| {
            let word = bits.bits(64);
            if word < self.sure {
                return true;
            }
            let sample = &out[i * self.digits..][..self.digits];
            let mut factors = match &self.steps {
                Steps::Power(power) => power.factors(cosets[*i], sample),
                Steps::General(general) => general.factors(cosets[*i], sample),
            };
            let is_accepted = theta::accepts(&factors, word, bits);
            factors.iter_mut().for_each(|factor| factor.center = (0, 1));
            zeroize::optimization_barrier(&factors);
            is_accepted
        };
        places.filter(|i| !is_accepted(i)).collect()
    }
}

#[cfg(test)]
mod tests;
