//! The parameter sets: [`Set`].

use crate::chance::Chance;
use crate::ring::Ring;
use crate::series::power;
use crate::{Demand, Error, Problem};
use core::fmt;
use core::num::NonZeroU16;
use core::str::FromStr;
use samplez_core::{DiscreteGaussian, Rational, Width};

/// A parameter set: \[LP11\]'s, over matrices, and two over rings.
///
/// | set | n | q | s | σ = s/sqrt(2π) | bits a block | a bit fails with |
/// |---|---|---|---|---|---|---|
/// | `matrix-128` | 128 | 2053 | 6.77 | 2.7008 | 128 | 1.48e-5 |
/// | `matrix-192` | 192 | 4093 | 8.87 | 3.5386 | 128 | 3.59e-5 |
/// | `matrix-256` | 256 | 4093 | 8.35 | 3.3312 | 128 | 5.15e-5 |
/// | `matrix-320` | 320 | 4093 | 8.00 | 3.1915 | 128 | 7.77e-5 |
/// | `ring-256` | 256 | 7681 | 11.31 | 4.5120 | 256 | 3.47e-5 |
/// | `ring-512` | 512 | 12289 | 12.18 | 4.8591 | 512 | 5.06e-5 |
///
/// ```
/// use samplez_schemes::lp11::Set;
/// let set: Set = "matrix-256".parse()?;
/// assert_eq!(set.demand().law.to_string(), "D_Z(s = 167/20, center = 0)");
/// # Ok::<(), samplez_schemes::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Set {
    /// n = 128.
    Matrix128,
    /// n = 192.
    Matrix192,
    /// n = 256.
    Matrix256,
    /// n = 320.
    Matrix320,
    /// In Z_7681\[x\]/(x^256 + 1).
    Ring256,
    /// In Z_12289\[x\]/(x^512 + 1).
    Ring512,
}

/// The numbers of a [`Set`], from [`Set::parameters`].
///
/// ```
/// let of = samplez_schemes::lp11::Set::Matrix256.parameters();
/// assert_eq!((of.n, of.q.get(), of.l), (256, 4093, 128));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Parameters {
    /// n, the dimension of the secrets.
    pub n: usize,
    /// The modulus.
    pub q: NonZeroU16,
    /// l, the bits that one block of ciphertext carries.
    pub l: usize,
    /// Samples of noise for a pair of keys: 2nl, over a ring 2n.
    pub key_samples: u64,
    /// Samples of noise for one block: 2n + l.
    pub block_samples: u64,
    /// The blocks that may be encrypted in a lifetime of a key, as a power of two.
    pub encryptions_log2: u32,
    /// About how many bits of security today's estimates leave: the primal attack's, by the geometric series assumption and sieves in
    /// dimension β for 2^(0.296β + 20.4). The lattice estimator, which has more attacks and refines each, gives 93 for
    /// `matrix-256`.
    pub security: u32,
    name: &'static str,
    law: DiscreteGaussian,
    pub(super) ring: Option<Ring>,
}

impl Parameters {
    pub(super) const fn q(&self) -> i32 {
        self.q.get() as i32
    }
}

/// Evaluated when it is compiled: s is in hundredths.
const fn row(name: &'static str, n: usize, q: u16, s: i64, security: u32, ring: Option<Ring>) -> Parameters {
    let Some(q) = NonZeroU16::new(q) else { panic!("q > 0") };
    let Some(s) = Rational::new(s, 100) else { panic!("s is a rational") };
    let Ok(law) = DiscreteGaussian::new(Rational::ZERO, Width::S(s)) else { panic!("s > 0") };
    let l = if ring.is_some() { n } else { 128 };
    let key_samples = (2 * n * if ring.is_some() { 1 } else { l }) as u64;
    let block_samples = (2 * n + l) as u64;
    Parameters { n, q, l, key_samples, block_samples, encryptions_log2: 32, security, name, law, ring }
}

static ROWS: [Parameters; 6] = [
    row("matrix-128", 128, 2053, 677, 53, None),
    row("matrix-192", 192, 4093, 887, 72, None),
    row("matrix-256", 256, 4093, 835, 91, None),
    row("matrix-320", 320, 4093, 800, 111, None),
    row("ring-256", 256, 7681, 1131, 90, Some(Ring::N256Q7681)),
    row("ring-512", 512, 12_289, 1218, 167, Some(Ring::N512Q12289)),
];

impl Set {
    /// Every set.
    pub const ALL: [Set; 6] =
        [Set::Matrix128, Set::Matrix192, Set::Matrix256, Set::Matrix320, Set::Ring256, Set::Ring512];

    /// Returns the set's numbers.
    pub const fn parameters(self) -> &'static Parameters {
        &ROWS[self as usize]
    }

    /// Returns the requirements on the noise of keys and ciphertexts. Its distribution must be stated in this form of the width. Its certificate
    /// must keep 126 of 128 bits in a decision problem. Key and blocks take at most two samples for each coefficient that they
    /// publish. A lifetime is a key and 2^32 blocks.
    ///
    /// ```
    /// use samplez_schemes::{Problem, lp11::Set};
    /// let demand = Set::Ring512.demand();
    /// assert_eq!((demand.problem, demand.target, demand.samples_per_time), (Problem::Decision, 126, 2));
    /// assert_eq!(demand.samples_log2, 32 + 11); // 3·512 <= 2^11
    /// ```
    pub const fn demand(self) -> Demand {
        let of = self.parameters();
        let samples = of.key_samples + (of.block_samples << of.encryptions_log2);
        let samples_log2 = samples.next_power_of_two().ilog2();
        Demand { samples_log2, samples_per_time: 2, ..Demand::new(of.law, Problem::Decision) }
    }

    /// Returns the probability that a fair bit is decrypted wrongly, from the exact law of the error, to about 1e-13. A
    /// bit fails when e₂ᵗR₂ + e₁ᵗR₁ + e₃, 2n products of noise and one noise more, reaches ⌊q/4⌋. Takes milliseconds.
    ///
    /// ```
    /// use samplez_schemes::lp11::Set;
    /// let rate = Set::Matrix256.failure_rate();
    /// assert!((rate - 5.15e-5).abs() < 1e-7);
    /// ```
    pub fn failure_rate(self) -> f64 {
        let Parameters { n, law, .. } = self.parameters();
        let q = self.parameters().q();
        let s = law.width().value().to_f64();
        let chance = Chance::new(q as u32, s * s);
        let phi = |k| power(chance.product(k), 2 * *n as u32) * chance.noise(k);
        // 0 is read as 0 where |e| < ⌊q/4⌋; 1 where ⌊q/2⌋ + e is not within that, modulo q.
        let (half, quarter) = (i64::from(q / 2), i64::from(q / 4));
        let zero = chance.within(1 - quarter, quarter - 1, phi);
        // For e >= 0, ⌊q/2⌋ + e - q >= 1 - ⌊q/4⌋ from e = q - ⌊q/2⌋ - ⌊q/4⌋ + 1 on; for e < 0 ⌊q/2⌋ + e <= ⌊q/4⌋ - 1.
        let one = chance.within(quarter - half, i64::from(q) - half - quarter, phi);
        1.0 - (zero + one) / 2.0
    }
}

/// `matrix-128` and so on, as in the table.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.parameters().name)
    }
}

/// The names that `Display` writes.
impl FromStr for Set {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Set::ALL.into_iter().find(|set| set.parameters().name == text);
        found.ok_or_else(|| {
            Error::refused("set", text, "expected matrix-128, matrix-192, matrix-256, matrix-320, ring-256 or ring-512")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_rates_are_the_known_ones() {
        let known = [1.48e-5, 3.59e-5, 5.15e-5, 7.77e-5, 3.47e-5, 5.06e-5];
        for (set, known) in Set::ALL.into_iter().zip(known) {
            let rate = set.failure_rate();
            std::println!("{set}: {rate:e}");
            assert!((rate / known - 1.0).abs() < 0.004, "{set}: {rate:e}");
        }
    }
}
