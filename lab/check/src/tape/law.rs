//! The result of a walk: [`ExactLaw`], and the [`Tally`] that becomes it.

use core::ops::RangeInclusive;
use std::collections::{BTreeMap, HashMap};

/// The law that a walk found, with what it left undecided.
///
/// One attempt returns x with probability p_x and is rejected with probability r. The walk knows
/// a_x <= p_x, r_0 <= r and the mass u that it left undecided, with Σ a_x + r_0 + u = 1.
///
/// # Theorem
///
/// The sampler that repeats the attempt until it succeeds returns x with probability
/// P(x) = p_x/(1-r), and
///
/// ```text
/// a_x/(1-r_0)  <=  P(x)  <=  (a_x+u)/(1-r_0).
/// ```
///
/// Proof. The undecided mass splits into α that returns x, γ that is rejected, and the rest
/// (other values, or no end at all): P(x) = (a_x+α)/(1-r_0-γ) with α, γ >= 0, α+γ <= u. The least
/// value has α = γ = 0. For a given α the greatest has γ = u-α, so that it is (a_x+α)/(A+α) with
/// A = 1-r_0-u = Σ a_y >= a_x; that does not fall as α grows, and α = u gives the bound. ∎
///
/// Without rejection r_0 = 0 and the bracket is \[a_x, a_x+u\]; with u = 0 it is one point.
///
/// ```
/// use samplez_check::tape::{Budget, enumerate};
/// use samplez_core::bits::BitSource;
/// // A uniform on {0, 1, 2} by rejection of 3.
/// let law = enumerate(Budget::depth(2), |bits| Some(bits.bits(2) as i64).filter(|x| *x < 3))?;
/// assert!(law.bracket(1).contains(&(1.0 / 3.0)));
/// assert_eq!((law.numerator(1), law.log2_denominator(), law.rejected()), (1, 2, 0.25));
/// assert_eq!(law.undecided(), 0.0);
/// # Ok::<(), samplez_check::tape::TapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ExactLaw {
    depth: u32,
    masses: BTreeMap<i64, u128>,
    rejected: u128,
    undecided: u128,
    bits: u128,
    runs: u64,
}

/// A correctly rounded quotient of correctly rounded terms is within this factor of the truth.
const SLACK: f64 = 4.0 * f64::EPSILON;

impl ExactLaw {
    /// a_x in units of 2^-[`log2_denominator`](Self::log2_denominator), exactly.
    ///
    /// ```
    /// # use samplez_check::tape::{Budget, enumerate};
    /// # use samplez_core::bits::BitSource;
    /// let law = enumerate(Budget::depth(8), |bits| Some((bits.bits(3) / 3) as i64))?;
    /// assert_eq!((0..=2).map(|x| law.numerator(x) >> 5).collect::<Vec<_>>(), [3, 3, 2]);
    /// # Ok::<(), samplez_check::tape::TapeError>(())
    /// ```
    pub fn numerator(&self, x: i64) -> u128 {
        self.masses.get(&x).copied().unwrap_or(0)
    }

    /// The depth of the walk: masses are multiples of 2^-depth.
    ///
    /// ```
    /// # use samplez_check::tape::{Budget, enumerate};
    /// assert_eq!(enumerate(Budget::depth(8), |_| Some(0))?.log2_denominator(), 8);
    /// # Ok::<(), samplez_check::tape::TapeError>(())
    /// ```
    pub const fn log2_denominator(&self) -> u32 {
        self.depth
    }

    /// The values found, ascending.
    ///
    /// ```
    /// # use samplez_check::tape::{Budget, enumerate};
    /// # use samplez_core::bits::BitSource;
    /// let law = enumerate(Budget::depth(1), |bits| Some(7 - 9 * bits.bits(1) as i64))?;
    /// assert_eq!(law.values().collect::<Vec<_>>(), [-2, 7]);
    /// # Ok::<(), samplez_check::tape::TapeError>(())
    /// ```
    pub fn values(&self) -> impl Iterator<Item = i64> + '_ {
        self.masses.keys().copied()
    }

    /// r_0, the mass of the bit strings on which the attempt is rejected.
    ///
    /// ```
    /// # use samplez_check::tape::{Budget, enumerate};
    /// # use samplez_core::bits::BitSource;
    /// let law = enumerate(Budget::depth(2), |bits| (bits.bits(2) > 0).then_some(0))?;
    /// assert_eq!(law.rejected(), 0.25);
    /// # Ok::<(), samplez_check::tape::TapeError>(())
    /// ```
    pub fn rejected(&self) -> f64 {
        self.scale(self.rejected)
    }

    /// u, the mass that the walk left undecided; 0 exactly if it saw everything.
    ///
    /// ```
    /// # use samplez_check::tape::{Budget, enumerate};
    /// # use samplez_core::bits::BitSource;
    /// let geometric = |bits: &mut samplez_check::tape::Tape| (0..).find(|_| bits.bit());
    /// assert_eq!(enumerate(Budget::depth(10), geometric)?.undecided(), 0.5_f64.powi(10));
    /// # Ok::<(), samplez_check::tape::TapeError>(())
    /// ```
    pub fn undecided(&self) -> f64 {
        self.scale(self.undecided)
    }

    /// How often the walk ran the sampler.
    ///
    /// ```
    /// # use samplez_check::tape::{Budget, enumerate};
    /// # use samplez_core::bits::BitSource;
    /// assert_eq!(enumerate(Budget::depth(3), |bits| Some(bits.bits(3) as i64))?.runs(), 8);
    /// # Ok::<(), samplez_check::tape::TapeError>(())
    /// ```
    pub const fn runs(&self) -> u64 {
        self.runs
    }

    /// The bracket of P(x) by the theorem above, rounded outwards.
    ///
    /// If no visited string succeeded and none is undecided, there is no law: the bracket is
    /// \[0, 1\].
    ///
    /// ```
    /// # use samplez_check::tape::{Budget, enumerate};
    /// let law = enumerate(Budget::depth(1), |_| Some(3))?;
    /// assert!(law.bracket(3).contains(&1.0) && law.bracket(4).contains(&0.0));
    /// # Ok::<(), samplez_check::tape::TapeError>(())
    /// ```
    pub fn bracket(&self, x: i64) -> RangeInclusive<f64> {
        let denominator = self.possible();
        if denominator == 0 {
            return 0.0..=1.0;
        }
        let (mass, denominator) = (self.numerator(x), denominator as f64);
        let (low, high) = (mass as f64 / denominator, (mass + self.undecided) as f64 / denominator);
        low * (1.0 - SLACK)..=high * (1.0 + SLACK)
    }

    /// Brackets of the statistical distance between P and the law with these probabilities.
    ///
    /// # Theorem
    ///
    /// With b_x = a_x/(1-r_0), w = u/(1-r_0) and d = Σ max(0, b_x - q_x) over the values found:
    /// d <= SD(P, Q) <= d + w. For SD = Σ max(0, P(x)-q_x), and P is b plus terms that are not
    /// negative and add up to w at most. Up to the rounding of doubles, about 1e-16 for each value.
    ///
    /// ```
    /// # use samplez_check::tape::{Budget, enumerate};
    /// # use samplez_core::bits::BitSource;
    /// let law = enumerate(Budget::depth(1), |bits| Some(bits.bits(1) as i64))?;
    /// assert_eq!(law.distance(|x| if x == 0 { 0.75 } else { 0.25 }), 0.25..=0.25);
    /// # Ok::<(), samplez_check::tape::TapeError>(())
    /// ```
    pub fn distance(&self, pmf: impl Fn(i64) -> f64) -> RangeInclusive<f64> {
        let possible = self.possible();
        if possible == 0 {
            return 0.0..=1.0;
        }
        let possible = possible as f64;
        let excess = |(x, mass): (&i64, &u128)| (*mass as f64 / possible - pmf(*x)).max(0.0);
        let low: f64 = self.masses.iter().map(excess).sum();
        low..=low + self.undecided as f64 / possible
    }

    /// Brackets of the expected number of bits for one sample, all attempts included.
    ///
    /// `beyond` bounds the expected number of bits, past its known part, that an attempt draws
    /// which the walk left undecided. It is not used where nothing is undecided; without a bound
    /// pass infinity, and read the lower end only.
    ///
    /// # Theorem
    ///
    /// With b the expected bits of an attempt, a sample costs b/(1-r) (Wald). b lies between the
    /// mean length b_0 of the known strings (an undecided one counts as far as its next draw) and
    /// b_0 + u·beyond; 1-r lies between Σ a_x and 1-r_0.
    ///
    /// ```
    /// # use samplez_check::tape::{Budget, enumerate};
    /// # use samplez_core::bits::BitSource;
    /// let law = enumerate(Budget::depth(2), |bits| Some(bits.bits(2) as i64).filter(|x| *x < 3))?;
    /// assert_eq!(law.expected_bits(f64::INFINITY), 8.0 / 3.0..=8.0 / 3.0);
    /// # Ok::<(), samplez_check::tape::TapeError>(())
    /// ```
    pub fn expected_bits(&self, beyond: f64) -> RangeInclusive<f64> {
        let possible = self.possible();
        let known = (possible - self.undecided) as f64;
        let low = self.bits as f64 / possible as f64;
        if self.undecided == 0 {
            return low..=low;
        }
        low..=(self.bits as f64 + self.undecided as f64 * beyond) / known
    }

    /// 1 - r_0 in units.
    const fn possible(&self) -> u128 {
        (1 << self.depth) - self.rejected
    }

    fn scale(&self, mass: u128) -> f64 {
        mass as f64 / (1_u128 << self.depth) as f64
    }
}

/// The sums of a walk in progress.
pub(super) struct Tally {
    depth: u32,
    masses: HashMap<i64, u128>,
    rejected: u128,
    undecided: u128,
    bits: u128,
    runs: u64,
}

impl Tally {
    pub(super) fn new(depth: u32) -> Self {
        Tally { depth, masses: HashMap::new(), rejected: 0, undecided: 1 << depth, bits: 0, runs: 0 }
    }

    /// The mass of a bit string.
    pub(super) const fn weight(&self, len: u32) -> u128 {
        1 << (self.depth - len)
    }

    pub(super) const fn runs(&self) -> u64 {
        self.runs
    }

    pub(super) fn undecided(&self) -> f64 {
        self.undecided as f64 / (1_u128 << self.depth) as f64
    }

    /// A run that ended after `len` bits.
    pub(super) fn leaf(&mut self, outcome: Option<i64>, len: u32) {
        let weight = self.weight(len);
        match outcome {
            Some(x) => *self.masses.entry(x).or_insert(0) += weight,
            None => self.rejected += weight,
        }
        self.undecided -= weight;
        self.bits += weight * u128::from(len);
        self.runs += 1;
    }

    /// A run that did not end.
    pub(super) const fn visit(&mut self) {
        self.runs += 1;
    }

    /// A mass that stays undecided, of strings known to have at least `len` bits.
    pub(super) fn abandon(&mut self, weight: u128, len: u32) {
        self.bits += weight * u128::from(len);
    }

    /// The law, given the undecided strings: the length of each, and that up to its next draw.
    pub(super) fn close(mut self, open: impl Iterator<Item = (u32, u32)>) -> ExactLaw {
        for (len, drawn) in open {
            self.abandon(self.weight(len), drawn);
        }
        ExactLaw {
            depth: self.depth,
            masses: self.masses.into_iter().collect(),
            rejected: self.rejected,
            undecided: self.undecided,
            bits: self.bits,
            runs: self.runs,
        }
    }
}
