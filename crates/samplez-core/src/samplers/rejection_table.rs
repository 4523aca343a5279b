/// Table rejection: a uniform proposal, accepted by a stored height.
///
/// Paper: \[JSDGS17\], Algorithm 1 (rejSam). Proof: docs/proofs/rejection-table.md.
///
/// | Law        | the table's own, P(c) ~ 2^B, P(c ± s) ~ P_s for the integers P_s = 2^B ρ(s), rounded down; its distance from D_{Z,σ,c} is the table's [`Bound`](crate::profile::Bound) |
/// | Bits       | 32 + min(B, 32) for each trial, and B - 32 more with a probability of about 2^-32: computed by [`profile`](crate::sampler::Sampler::profile) |
/// | Memory     | 4n⌈B/32⌉ bytes, n = tσ at most (tail t) |
/// | Timing     | Variable: the number of trials does not depend on the sample, but the addresses read do |
/// | Parameters | any σ whose table fits, n < 2^31; integer centre; B from 1 to 256 |
///
/// ```text
/// 1  s ← {0, …, n} uniform; b ← {0, 1}
/// 2  if s = 0: if b = 0 return c, else 1
/// 3  u ← {0, …, 2^B - 1} uniform
/// 4  if u < P[s] return c + (-1)^b s, else 1
/// ```
///
/// Departures from the paper:
/// - `P[s]` = ρ(s) with `P[0]` = 1 (printed: probabilities), and b is looked at for s = 0 only
///   (docs/errata.md).
/// - u is drawn lazily: its leading 32 bits decide unless they equal the leading bits of `P[s]`.
/// - The sign, s and u's head are drawn together; a rejection does not break off, and `fill` writes
///   over it with the next trial.
///
/// Rejection from a [`RejectionTable`].
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, bits::BitReader};
/// use samplez_core::{Sampler, samplers::TableRejection};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_core::table::RejectionTable;
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// # let bound = Bound::TRIVIAL;
/// let sampler = TableRejection::from_table(RejectionTable::new(law, bound, 0, 8, [155 << 24, 34 << 24])?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..100).all(|_| sampler.sample(&mut bits).abs() <= 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TableRejection<S> {
    table: RejectionTable<S>,
    /// n + 1.
    proposals: u64,
    /// 2^31 mod (n + 1).
    excess: u64,
    /// Bits of u's head.
    head_bits: u32,
}

use super::common::below::below;
use super::common::trials::Attempt;
use super::common::trials::{fill_accepted, first_accepted};
use crate::bits::BitSource;
use crate::params::ParamError;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::table::Table as _;
use crate::table::{MAX_PRECISION, RejectionTable};

const DIGITS: usize = MAX_PRECISION.div_ceil(32) as usize;
/// Bits of the draw of s.
const S_BITS: u32 = 31;

impl<S: AsRef<[u32]>> TableRejection<S> {
    /// Builds the sampler over this table.
    ///
    /// # Errors
    ///
    /// [`ParamError::OutOfRange`] unless the table has fewer than 2^31 heights.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::{Sampler, samplers::TableRejection, table::RejectionTable};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let table = RejectionTable::new(law, bound, 0, 8, [155 << 24, 34 << 24]).unwrap();
    /// // 3 proposals, of which 1/2 + 155/256 + 34/256 are accepted.
    /// assert_eq!(TableRejection::from_table(table).unwrap().profile().expected_trials, 3.0 * 256.0 / 317.0);
    /// ```
    pub fn from_table(table: RejectionTable<S>) -> Result<Self, ParamError> {
        let (value, max) = (table.count() as u64, (1 << S_BITS) - 1);
        if value > max {
            return Err(ParamError::OutOfRange { argument: "heights", value, min: 1, max });
        }
        let head_bits = table.precision().min(32);
        Ok(TableRejection { table, proposals: value + 1, excess: (1 << S_BITS) % (value + 1), head_bits })
    }

    /// Returns the table.
    #[cfg(feature = "testing")]
    pub const fn table(&self) -> &RejectionTable<S> {
        &self.table
    }

    /// One trial, and whether it is accepted; s by a draw of J bits, of which `excess`, 2^J mod
    /// (n + 1), are too many.
    #[inline(always)]
    fn trial<const J: u32, B: BitSource + ?Sized>(&self, excess: u64, bits: &mut B) -> (bool, i64) {
        let draw = bits.bits(1 + J + self.head_bits);
        let negative = draw & 1;
        // step 1
        let s = below::<J, B>(draw >> 1 & ((1 << J) - 1), self.proposals, excess, bits) as usize;
        // steps 3 and 4
        let unknown = ((1_u64 << (32 - self.head_bits)) - 1) as u32;
        let u0 = ((draw >> (1 + J)) << (32 - self.head_bits)) as u32;
        let head = self.table.heads()[s.max(1) - 1];
        let mut accepted = u0 | unknown < head;
        if (head | unknown == u0 | unknown) & (s > 0) {
            accepted = self.resolve(u0, s, bits);
        }
        // step 2
        let accepted = if s == 0 { negative == 0 } else { accepted };
        let sign = negative as i64;
        (accepted, self.table.center() + ((s as i64 ^ -sign) + sign))
    }

    /// Step 4 where u's head is that of P[s]: draws the rest of u.
    #[cold]
    fn resolve<B: BitSource + ?Sized>(&self, u0: u32, s: usize, bits: &mut B) -> bool {
        let mut u = [0_u32; DIGITS];
        u[0] = u0;
        let mut known = self.head_bits;
        while known < self.table.precision() {
            let (digit, at) = ((known / 32) as usize, known % 32);
            let n = (32 - at).min(self.table.precision() - known);
            u[digit] |= (bits.bits(n) as u32) << (32 - at - n);
            known += n;
        }
        u.iter().copied().lt(self.table.height(s).chain(core::iter::repeat(0)).take(DIGITS))
    }

    /// Makes a trial with draws as narrow as this, so that the exact law tests can walk every draw. The code
    /// and the law of [`Attempt::attempt`] are unchanged.
    #[cfg(feature = "testing")]
    pub fn attempt_narrow<const J: u32, B: BitSource + ?Sized>(&self, head_bits: u32, bits: &mut B) -> Option<i64>
    where
        S: Clone,
    {
        assert!((1..=self.head_bits).contains(&head_bits));
        let narrow = TableRejection { head_bits, ..self.clone() };
        let (accepted, value) = narrow.trial::<J, B>((1 << J) % self.proposals, bits);
        accepted.then_some(value)
    }
}

impl<S: AsRef<[u32]>> Attempt for TableRejection<S> {
    #[inline(always)]
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        let (accepted, value) = self.trial::<S_BITS, B>(self.excess, bits);
        accepted.then_some(value)
    }
}

impl<S: AsRef<[u32]>> Sampler for TableRejection<S> {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let table = &self.table;
        let (proposals, len) = (self.proposals as f64, table.count());
        let unit = |digits: &mut dyn Iterator<Item = u32>| {
            let mut scale = 1.0;
            digits.fold(0.0, |sum, digit| {
                scale /= 4_294_967_296.0;
                sum + f64::from(digit) * scale
            })
        };
        let heights: f64 = (1..=len).map(|s| unit(&mut table.height(s))).sum();
        let trials = proposals / (0.5 + heights);
        // u is drawn to its end if its head is that of P[s].
        let rest =
            f64::from(table.precision() - self.head_bits) * (len as f64 / proposals) / (1_u64 << self.head_bits) as f64;
        let redraw = self.excess as f64 / (1_u64 << S_BITS) as f64;
        let uniform_bits = f64::from(64 - self.proposals.leading_zeros());
        let draw = f64::from(1 + S_BITS + self.head_bits);
        Profile {
            target: table.target().into(),
            exactness: Exactness::Within(table.bound()),
            timing: Self::TIMING,
            support: table.support(),
            table_bytes: table.bytes(),
            expected_bits: trials * (draw + rest + redraw * uniform_bits),
            expected_trials: trials,
        }
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        first_accepted(|| self.attempt(bits))
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        fill_accepted(out, || self.trial::<S_BITS, B>(self.excess, bits))
    }
}

#[cfg(test)]
mod tests;
