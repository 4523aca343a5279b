//! The parameter sets: [`Set`].

use crate::ring::Ring;
use crate::series::exponential;
use crate::{Demand, Error, Problem};
use core::fmt;
use core::str::FromStr;
use samplez_core::{DiscreteGaussian, Rational, Width};

/// A parameter set of \[DDLL13\], Table 3, with the widths and acceptance constants that its σ really has.
///
/// | | 0 | I | II | III | IV |
/// |---|---|---|---|---|---|
/// | n, q | 256, 7681 | 512, 12289 | 512, 12289 | 512, 12289 | 512, 12289 |
/// | entries ±1, ±2 of f and g | 141, 39 | 154, 0 | 154, 0 | 216, 16 | 231, 31 |
/// | k of σ = k·sqrt(1/(2 ln 2)) | 118 | 254 | 126 | 295 | 320 |
/// | κ | 12 | 23 | 23 | 30 | 39 |
/// | d, p | 5, 480 | 10, 24 | 10, 24 | 9, 48 | 8, 96 |
/// | attempts a signature: classic, B | 7.389, 2.441 | 1.649, 1.211 | 7.389, 2.178 | 2.774, 1.400 | 5.222, 1.602 |
///
/// ```
/// use samplez_schemes::bliss::Set;
/// let set: Set = "IV".parse()?;
/// assert_eq!(set.demand().law.to_string(), "D_Z(sigma = 320 sqrt(1/(2 ln 2)), center = 0)");
/// assert_eq!(Set::ALL.len(), 5);
/// # Ok::<(), samplez_schemes::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Set {
    /// BLISS-0, a toy.
    Toy,
    /// BLISS-I, for speed.
    I,
    /// BLISS-II, for short signatures.
    II,
    /// BLISS-III.
    III,
    /// BLISS-IV.
    IV,
}

/// The numbers of a [`Set`], from [`Set::parameters`].
///
/// ```
/// let of = samplez_schemes::bliss::Set::IV.parameters();
/// assert_eq!((of.n, of.q, of.weight, of.d), (512, 12_289, 39, 8));
/// assert!((of.classic_attempts - 5.222).abs() < 1e-3 && (of.b_attempts - 1.602).abs() < 1e-3);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Parameters {
    /// n, the degree of the ring.
    pub n: usize,
    /// q; the scheme counts modulo 2q.
    pub q: u32,
    /// The entries ±1 of f, and of g. Their share of n is the papers' δ₁, which tables round.
    pub ones: usize,
    /// The entries ±2 of f, and of g: likewise δ₂.
    pub twos: usize,
    /// κ, the number of ones in a challenge.
    pub weight: usize,
    /// d, the bits of z₂ that a signature omits.
    pub d: u32,
    /// B₂: a signature with a larger Euclidean norm is rejected.
    pub norm: i64,
    /// B_∞: a signature with a larger maximum norm is rejected.
    pub max_norm: i32,
    /// The attempts that a signature takes on average under the classic signer: M = exp(e/2σ²) = 2^(e/k²), except for
    /// the few that fail by their norms. Each takes 2n samples of noise.
    pub classic_attempts: f64,
    /// The same of BLISS-B.
    pub b_attempts: f64,
    /// The signatures that a key may give in its life, as a power of two.
    pub signatures_log2: u32,
    /// About how many bits of security today's estimates leave. For I to IV the lattice estimator gives 104 to 112 by
    /// hybrid attacks on the sparse keys; this is the lower end of it. BLISS-0 is a toy.
    pub security: u32,
    pub(super) ring: Ring,
    pub(super) k: u32,
    /// p = ⌊2q/2^d⌋.
    pub(super) p: i32,
    /// The largest N_κ of a classic key: the lesser of C²·5(d₁ + 4d₂)κ and 2σ² ln M, cut to an integer.
    pub(super) classic_limit: i32,
    /// 2σ² ln M of the classic signer, cut: ⌊k²/(2α² ln 2)⌋.
    pub(super) classic_exponent: i32,
    /// P_max, which is 2σ² ln M of BLISS-B: (5d₁ + 5)κ if d₂ = 0, else (5d₁ + 20d₂ + 9)κ.
    pub(super) b_exponent: i32,
}

const TOY: Parameters = Parameters {
    n: 256,
    q: 7681,
    classic_attempts: 0.0,
    b_attempts: 0.0,
    signatures_log2: 48,
    security: 60,
    ring: Ring::N256Q7681,
    ones: 141,
    twos: 39,
    k: 118,
    weight: 12,
    d: 5,
    p: 480,
    norm: 2492,
    max_norm: 530,
    classic_limit: 40_095,
    classic_exponent: 40_176,
    b_exponent: 17_928,
}
.counted();
const I: Parameters = Parameters {
    n: 512,
    q: 12_289,
    classic_attempts: 0.0,
    b_attempts: 0.0,
    signatures_log2: 48,
    security: 104,
    ring: Ring::N512Q12289,
    ones: 154,
    twos: 0,
    k: 254,
    weight: 23,
    d: 10,
    p: 24,
    norm: 12_872,
    max_norm: 2100,
    classic_limit: 46_478,
    classic_exponent: 46_538,
    b_exponent: 17_825,
}
.counted();
const II: Parameters =
    Parameters { k: 126, norm: 11_074, max_norm: 1563, classic_limit: 45_808, classic_exponent: 45_808, ..I }.counted();
const III: Parameters = Parameters {
    ones: 216,
    twos: 16,
    k: 295,
    weight: 30,
    d: 9,
    p: 48,
    norm: 10_206,
    max_norm: 1760,
    classic_limit: 128_112,
    classic_exponent: 128_112,
    b_exponent: 42_270,
    ..I
}
.counted();
const IV: Parameters = Parameters {
    ones: 231,
    twos: 31,
    k: 320,
    weight: 39,
    d: 8,
    p: 96,
    norm: 9901,
    max_norm: 1613,
    classic_limit: 244_185,
    classic_exponent: 244_185,
    b_exponent: 69_576,
    ..I
}
.counted();

impl Parameters {
    /// With the attempts.
    const fn counted(mut self) -> Self {
        let square = (self.k * self.k) as f64;
        self.classic_attempts = 1.0 / exponential(self.classic_exponent as f64 / square * core::f64::consts::LN_2);
        self.b_attempts = 1.0 / exponential(self.b_exponent as f64 / square * core::f64::consts::LN_2);
        self
    }
    pub(super) const fn n(&self) -> usize {
        self.n
    }
    pub(super) const fn q(&self) -> i32 {
        self.q as i32
    }
    /// Bits of an index below n.
    pub(super) const fn index_bits(&self) -> u32 {
        self.n().ilog2()
    }
    /// Bits of a residue modulo q.
    pub(super) const fn residue_bits(&self) -> u32 {
        self.q().ilog2() + 1
    }
    /// Bits of an entry of f and g in two's complement.
    pub(super) const fn entry_bits(&self) -> u32 {
        if self.twos > 0 { 3 } else { 2 }
    }
}

impl Set {
    /// Every set.
    pub const ALL: [Set; 5] = [Set::Toy, Set::I, Set::II, Set::III, Set::IV];

    /// Returns the set's numbers.
    pub const fn parameters(self) -> &'static Parameters {
        match self {
            Set::Toy => &TOY,
            Set::I => &I,
            Set::II => &II,
            Set::III => &III,
            Set::IV => &IV,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Set::Toy => "0",
            Set::I => "I",
            Set::II => "II",
            Set::III => "III",
            Set::IV => "IV",
        }
    }

    /// D_{Z,σ} with σ = k·sqrt(1/(2 ln 2)), in this very form.
    pub(super) const fn noise_law(self) -> DiscreteGaussian {
        match self {
            Set::Toy => const { law(TOY.k) },
            Set::I => const { law(I.k) },
            Set::II => const { law(II.k) },
            Set::III => const { law(III.k) },
            Set::IV => const { law(IV.k) },
        }
    }

    /// Returns the requirement on the signer's noise. It is the law D_{Z,σ} with σ = k·sqrt(1/(2 ln 2)), in this very
    /// form. Its certificate must keep 126 of 128 bits in a search problem, for the samples of 2^48 signatures or for
    /// any number. The acceptance is computed for this σ, which is not the table's round number (215.7277 for 215).
    ///
    /// A signature takes fewer than 2n·2^⌈e/k²⌉, rejected attempts counted, by the classic signer, which takes
    /// more than BLISS-B's.
    ///
    /// ```
    /// use samplez_schemes::{Problem, bliss::Set};
    /// let demand = Set::II.demand();
    /// assert_eq!((demand.problem, demand.samples_log2), (Problem::Search, 48 + 13)); // 1024·7.39 < 2^13
    /// ```
    pub const fn demand(self) -> Demand {
        let of = self.parameters();
        let two_n = 2 * of.n();
        // ⌈log2(2n) + e/k²⌉: 2n is a power of two.
        let samples = two_n.ilog2() + of.classic_exponent.unsigned_abs().div_ceil(of.k * of.k);
        let samples_log2 = of.signatures_log2 + samples;
        // A signature publishes more than n numbers.
        let samples_per_time = (1 << samples) / of.n() as u64;
        Demand { samples_log2, samples_per_time, ..Demand::new(self.noise_law(), Problem::Search) }
    }
}

/// Evaluated when it is compiled.
const fn law(k: u32) -> DiscreteGaussian {
    let Some(k) = Rational::new(k as i64, 1) else { panic!("k is a rational") };
    let Ok(law) = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(k)) else { panic!("k is positive") };
    law
}

/// `0`, `I`, `II`, `III` or `IV`.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The names that `Display` writes.
impl FromStr for Set {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Set::ALL.into_iter().find(|set| set.name() == text);
        found.ok_or_else(|| Error::refused("set", text, "expected 0, I, II, III or IV"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_follow_from_their_formulas() {
        let rows = [(Set::Toy, 0.55, 0.15, 1.5, 0.5), (Set::I, 0.3, 0.0, 1.62, 1.0), (Set::II, 0.3, 0.0, 1.62, 0.5)];
        let more = [(Set::III, 0.42, 0.03, 1.75, 0.7), (Set::IV, 0.45, 0.06, 1.88, 0.55)];
        for (set, delta1, delta2, c, alpha) in rows.into_iter().chain(more) {
            let s = set.parameters();
            assert_eq!((s.n, s.q as i32), (s.ring.degree(), s.ring.modulus()));
            let count = |delta: f64| {
                let exact = delta * s.n() as f64;
                exact as usize + usize::from(exact as usize as f64 + 1e-9 < exact)
            };
            assert_eq!((s.ones, s.twos), (count(delta1), count(delta2)), "{set}");
            assert_eq!(s.p, (2 * s.q()) >> s.d);
            assert_eq!(2 * s.q() - (s.p << s.d), 2);
            let (ones, twos, weight) = (s.ones as i32, s.twos as i32, s.weight as i32);
            let per_one = if twos == 0 { 5 * ones + 5 } else { 5 * ones + 20 * twos + 9 };
            assert_eq!(s.b_exponent, per_one * weight);
            let exponent = f64::from(s.k * s.k) / (2.0 * alpha * alpha * core::f64::consts::LN_2);
            assert_eq!(s.classic_exponent, exponent as i32);
            let bound = c * c * f64::from(5 * (ones + 4 * twos) * weight) + 1e-6;
            assert_eq!(s.classic_limit, (bound as i32).min(s.classic_exponent), "{set}");
        }
    }
}
