/// Bernoulli: BLISS's binary sampler, whose acceptance is a product of coins from a short table.
///
/// Paper: \[DDLL13\], Algorithms 8 and 10 to 12 (§6). Proof: docs/proofs/bernoulli.md.
///
/// | Law        | the table's own: P(c ± (kx + y)) ~ 2^(-x²)·Π c_i over the bits i of y² + 2kxy, for 0 <= x <= X and the entries c_i; its distance from D_{Z,σ,c} is the table's [`Bound`](crate::profile::Bound) |
/// | Bits       | 32 for each attempt up to k = 512, and 64 above: 60 and 120 for a sample; 19.5 as [`FrugalBernoulli`] at k = 254, in more time |
/// | Memory     | the table, 4⌈B/32⌉ bytes for each bit of (2X + 1)k² (336 at k = 254 and 128 bits), and 1 KiB for each 7 of them |
/// | Timing     | Variable: the number of attempts does not depend on the sample, but the addresses read do |
/// | Parameters | σ = k·sqrt(1/(2 ln 2)), integers k <= 2^28 and c; B from 1 to 256 |
///
/// ```text
/// 1  x ← Z+, P(x) ~ 2^(-x²)                                (Algorithm 10)
/// 2  y ← {0, …, k-1}; z ← y² + 2kxy                        (Algorithm 11)
/// 3  for each i with bit i of z set:
/// 4      with probability 1 - c_i, c_i = 2^(-2^i/k²), 1    (Algorithm 8: exp(-2^i/f), f = 2σ²)
/// 5  if kx + y = 0: with probability 1/2, 1                (Algorithm 12)
/// 6  return kx + y or -(kx + y), with probability 1/2 each
/// ```
///
/// Departures from the paper:
/// - Steps 3 and 4 are one comparison: a uniform is below the product of the entries, exactly. Its
///   first places nearly always decide against a product of 64 bits; else the product is computed
///   in full, and further places drawn.
/// - Step 1 is a table over 8 places of its uniform, and over the further places where these leave x open (1 in 256).
///   x > X is rejected. Its mass is below 2^-(B + 32), and part of the bound.
/// - The coin of step 5 is the sign of step 6: zero with a minus is rejected.
/// - One draw has the sign, x's places, y's and the uniform's. A rejection does not break off;
///   `fill` writes it over with the next attempt. c is added at the end.
///
/// The binary Bernoulli sampler over a [`BernoulliTable`].
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, Width, bits::BitReader};
/// use samplez_core::{Sampler, samplers::Bernoulli};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_core::table::BernoulliTable;
/// let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(2)))?;
/// # let bound = Bound::TRIVIAL;
/// let table = BernoulliTable::new(law, bound, 8, [215 << 24, 181 << 24, 128 << 24, 64 << 24, 16 << 24])?;
/// let sampler = Bernoulli::from_table(table);
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..100).all(|_| sampler.sample(&mut bits).abs() <= 13));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bernoulli<S> {
    table: BernoulliTable<S>,
    products: Products,
    /// 2^J mod k for the J bits that y is drawn from.
    excess: u64,
}

mod frugal;
mod products;

use crate::table::Table as _;
pub use frugal::FrugalBernoulli;

use super::common::below::below;
use super::common::half_line::{HalfLine, OPEN, REJECT, W};
use super::common::trials::Attempt;
use super::common::trials::{fill_accepted, first_accepted};
use crate::bits::BitSource;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::table::BernoulliTable;
use products::Products;

/// Prefixes of x.
const PREFIXES: usize = 256;
/// k up to this takes draws of 32 bits, larger k of 64.
const K_NARROW: u64 = 512;
/// Bits of a draw for y and for the uniform; with a sign and 8 for x they make 32, or 64.
const NARROW: (u32, u32) = (12, 11);
const WIDE: (u32, u32) = (36, 19);
/// Values of y that the expected cost is computed from.
const STRATA: u64 = 4096;

impl<S: AsRef<[u32]>> Bernoulli<S> {
    /// Builds the sampler over this table.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational, Sampler, Width};
    /// # use samplez_core::{samplers::Bernoulli, table::BernoulliTable};
    /// let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(1))).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// // With k = 1 only a negative zero is rejected: 1/(1 - 1/2w) trials.
    /// let sampler = Bernoulli::from_table(BernoulliTable::new(law, bound, 128, []).unwrap());
    /// assert!((sampler.profile().expected_trials - 1.46972).abs() < 1e-4);
    /// ```
    pub fn from_table(table: BernoulliTable<S>) -> Self {
        let k = table.k();
        let bits = if k <= K_NARROW { NARROW.0 } else { WIDE.0 };
        Bernoulli { products: Products::new(&table), excess: (1 << bits) % k, table }
    }

    /// Returns the table.
    #[cfg(feature = "testing")]
    pub const fn table(&self) -> &BernoulliTable<S> {
        &self.table
    }

    /// Makes one attempt, and returns whether it is accepted. It has P prefixes of x, J bits for y, of which `excess`,
    /// 2^J mod k, are too many, and C for the uniform. The law does not depend on them.
    #[inline(always)]
    fn attempt_with<const P: usize, const J: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        excess: u64,
        bits: &mut B,
    ) -> (bool, i64) {
        let p = const { P.ilog2() };
        let draw = bits.bits(1 + p + J + C);
        let negative = draw & 1;
        // step 1
        let entry = HalfLine::Bin.table::<P>()[(draw >> 1) as usize % P];
        let (mut x, mut accepted) = (u64::from(entry & !REJECT), entry != REJECT);
        if entry == OPEN {
            match HalfLine::Bin.settle(p, bits) {
                Some(far) if far <= self.table.last_x() => x = far,
                _ => return (false, 0),
            }
        }
        // step 2
        let k = self.table.k();
        let y = below::<J, B>(draw >> (1 + p) & ((1 << J) - 1), k, excess, bits);
        // steps 3 and 4
        let z = y * (y + 2 * k * x);
        accepted &= self.products.is_below::<C, _, B>(draw >> (1 + p + J), z, &self.table, bits);
        // steps 5 and 6
        let value = k * x + y;
        accepted &= negative == 0 || value != 0;
        let sign = negative as i64;
        (accepted, self.table.center() + ((value as i64 ^ -sign) + sign))
    }

    #[inline(always)]
    fn attempt_narrow_draw<B: BitSource + ?Sized>(&self, bits: &mut B) -> (bool, i64) {
        self.attempt_with::<PREFIXES, { NARROW.0 }, { NARROW.1 }, B>(self.excess, bits)
    }

    #[inline(always)]
    fn attempt_wide_draw<B: BitSource + ?Sized>(&self, bits: &mut B) -> (bool, i64) {
        self.attempt_with::<PREFIXES, { WIDE.0 }, { WIDE.1 }, B>(self.excess, bits)
    }

    /// Makes an attempt with draws as narrow as these widths, so that the exact law tests can walk every draw. The
    /// code and the law of [`Attempt::attempt`] are unchanged.
    #[cfg(feature = "testing")]
    pub fn attempt_narrow<const P: usize, const J: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
    ) -> Option<i64> {
        let (accepted, value) = self.attempt_with::<P, J, C, B>((1 << J) % self.table.k(), bits);
        accepted.then_some(value)
    }

    /// Returns the probability that a proposal (x, y, sign) is accepted, to 1e-6. This accuracy holds for k <= 4096,
    /// where every y is summed, and for precisions above 24 bits, whose products are smooth in y.
    fn acceptance(&self) -> f64 {
        let (k, strata) = (self.table.k(), self.table.k().min(STRATA));
        let mut sum = 0.0;
        for x in 0..=self.table.last_x() {
            let row: f64 = (0..strata)
                .map(|i| {
                    let y = (2 * i + 1) * k / (2 * strata);
                    self.products.estimate(y * (y + 2 * k * x))
                })
                .sum();
            sum += row / strata as f64 / (1_u64 << (x * x).min(63)) as f64;
        }
        // Half of the proposals of zero are rejected.
        (sum - 0.5 / k as f64) / W
    }
}

impl<S: AsRef<[u32]>> Attempt for Bernoulli<S> {
    #[inline]
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        let (accepted, value) =
            if self.table.k() <= K_NARROW { self.attempt_narrow_draw(bits) } else { self.attempt_wide_draw(bits) };
        accepted.then_some(value)
    }
}

impl<S: AsRef<[u32]>> Sampler for Bernoulli<S> {
    const TIMING: Timing = Timing::Variable;

    /// A trial is a proposal (x, y, sign); the restarts of step 1 are not counted as such.
    fn profile(&self) -> Profile {
        let (y_bits, u_bits) = if self.table.k() <= K_NARROW { NARROW } else { WIDE };
        let trials = 1.0 / self.acceptance();
        // x is left open by one prefix, and then takes a run of fair coins; a uniform is left open by
        // about one prefix, and then takes as many.
        let open = 2.0 / PREFIXES as f64 + 2.0 / (1_u64 << u_bits) as f64;
        let redraw = self.excess as f64 / (1_u64 << y_bits) as f64;
        let each = f64::from(1 + PREFIXES.ilog2() + y_bits + u_bits);
        Profile {
            target: self.table.target().into(),
            exactness: Exactness::Within(self.table.bound()),
            timing: Self::TIMING,
            support: self.table.support(),
            table_bytes: self.table.bytes() + self.products.bytes() + PREFIXES,
            expected_bits: trials / (W / 2.0) * (each + open + redraw * f64::from(self.table.k().ilog2() + 2)),
            expected_trials: trials,
        }
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        first_accepted(|| self.attempt(bits))
    }

    #[inline]
    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        if self.table.k() <= K_NARROW {
            fill_accepted(out, || self.attempt_narrow_draw(bits))
        } else {
            fill_accepted(out, || self.attempt_wide_draw(bits))
        }
    }
}

#[cfg(test)]
mod tests;
