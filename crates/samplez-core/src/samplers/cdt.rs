//! CDT: inversion of the cumulative distribution, with a lazily drawn uniform.
//!
//! Paper: \[JSDGS17\], Algorithm 2 (invCDF). Proof: docs/proofs/cdt.md.
//!
//! | Law        | the table's own, P(index >= j) = T_j/2^B; its distance from D_{Z,σ,c} is the table's [`Bound`](crate::profile::Bound) |
//! | Bits       | folded 32, and B - 31 more with probability n/2^31 at most (B + 1 if B < 31); full 32, and B - 32 more with probability n/2^32 at most (B if B < 32) |
//! | Memory     | 4n⌈B/32⌉ bytes, n thresholds (about 13σ at B = 128, full 26σ) |
//! | Timing     | Variable: the addresses read depend on the sample |
//! | Parameters | any σ and centre whose table fits; B from 1 to 256 |
//!
//! ```text
//! 1  u ← {0, …, 2^B - 1} uniform
//! 2  j ← #{i : u < T_i}                      (binary search: T falls)
//! 3  s ← ±1; return first + s·j              (folded; full: return first + j)
//! ```
//!
//! Departures from the paper:
//! - The printed search reads Φ[-1], compares the wrong index and returns an index for a
//!   sample (docs/errata.md); steps 2 and 3 are the intended law.
//! - u is drawn lazily: first its leading h bits (with the sign in the same 32-bit draw), which
//!   decide all comparisons unless they equal the leading h bits of a threshold; only then
//!   the other B - h. The result is the same function of u.
//! - Thresholds fall (they are upper tails), so that a short leading digit keeps its meaning
//!   where the law is thin, and the rounding is by the rules of `samplez-tables`.

use crate::bits::BitSource;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::Sampler;
use crate::table::{CdtTable, MAX_PRECISION, Shape};
use core::hint::select_unpredictable;

const DIGITS: usize = MAX_PRECISION.div_ceil(32) as usize;

/// Inversion over a [`CdtTable`].
///
/// ```
/// use samplez_core::{bits::BitReader, params::{DiscreteGaussian, Rational}, profile::Bound};
/// use samplez_core::{sampler::Sampler, samplers::cdt::Cdt};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_core::table::{CdtTable, Shape};
/// // A table as it might lie in a static: 8 bits, σ = 1, values -1, 0, 1.
/// static DIGITS: [u32; 1] = [140 << 24];
/// let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
/// let sampler = Cdt::from_table(CdtTable::new(law, bound, Shape::Folded, 0, 8, &DIGITS)?);
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..100).all(|_| sampler.sample(&mut bits).abs() <= 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cdt<S> {
    table: CdtTable<S>,
}

impl<S: AsRef<[u32]>> Cdt<S> {
    /// The sampler over this table.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::{sampler::Sampler, samplers::cdt::Cdt, table::{CdtTable, Shape}};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// assert_eq!(Cdt::from_table(table).profile().expected_bits, 9.0);
    /// ```
    pub const fn from_table(table: CdtTable<S>) -> Self {
        Cdt { table }
    }

    /// The table.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::{samplers::cdt::Cdt, table::{CdtTable, Shape}};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// # let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// assert_eq!(Cdt::from_table(table).table().len(), 1);
    /// ```
    pub const fn table(&self) -> &CdtTable<S> {
        &self.table
    }

    /// Step 2 for N uniforms at once, of which the leading bits are drawn (left-aligned, the
    /// others zero); `count_above` is [`count_above`] or the same by another way.
    #[inline(always)]
    pub(super) fn indices<const N: usize, B: BitSource + ?Sized>(
        &self,
        u0: [u32; N],
        count_above: impl FnOnce(&[u32], [u32; N]) -> [usize; N],
        bits: &mut B,
    ) -> [usize; N] {
        let heads = self.table.heads();
        let unknown = ((1_u64 << (32 - self.table.head_bits())) - 1) as u32;
        // Thresholds whose leading digit is above all that u can be.
        let mut indices = count_above(heads, u0.map(|u0| u0 | unknown));
        for (index, u0) in indices.iter_mut().zip(u0) {
            if heads.get(*index).is_some_and(|head| head | unknown == u0 | unknown) {
                *index = self.resolve(u0, *index, bits);
            }
        }
        indices
    }

    /// Steps 1 and 2 once the leading bits `u0` of u (left-aligned, the others zero) have
    /// turned out to be those of T_(index+1): draws the rest of u and counts on from `index`.
    #[cold]
    fn resolve<B: BitSource + ?Sized>(&self, u0: u32, mut index: usize, bits: &mut B) -> usize {
        let table = &self.table;
        let mut u = [0_u32; DIGITS];
        u[0] = u0;
        let mut known = table.head_bits();
        while known < table.precision() {
            let (digit, at) = ((known / 32) as usize, known % 32);
            let n = (32 - at).min(table.precision() - known);
            u[digit] |= (bits.bits(n) as u32) << (32 - at - n);
            known += n;
        }
        while index < table.len()
            && u.iter().copied().lt(table.threshold(index).chain(core::iter::repeat(0)).take(DIGITS))
        {
            index += 1;
        }
        index
    }
}

/// How many of the falling `heads` are above each key, by binary searches without branches: the
/// outcome of a comparison is a coin, and a misjudged branch costs more than all of the steps.
#[inline(always)]
pub(super) fn count_above<const N: usize>(heads: &[u32], keys: [u32; N]) -> [usize; N] {
    let (mut indices, mut len) = ([0; N], heads.len());
    while len > 1 {
        let half = len / 2;
        for (index, key) in indices.iter_mut().zip(keys) {
            *index = select_unpredictable(heads[*index + half - 1] > key, *index + half, *index);
        }
        len -= half;
    }
    for (index, key) in indices.iter_mut().zip(keys) {
        *index += usize::from(heads[*index] > key);
    }
    indices
}

impl<S: AsRef<[u32]>> Sampler for Cdt<S> {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let table = &self.table;
        let head_bits = table.head_bits();
        // A draw is undecided iff its h bits are the leading ones of a threshold.
        let prefix = |head: &u32| head >> (32 - head_bits);
        let mut undecided = 0;
        let mut last = None;
        for head in table.heads() {
            undecided += usize::from(last.replace(prefix(head)) != Some(prefix(head)));
        }
        let sign = if table.shape() == Shape::Folded { 1.0 } else { 0.0 };
        let rest = f64::from(table.precision() - head_bits) * undecided as f64 / (1_u64 << head_bits) as f64;
        Profile {
            target: *table.target(),
            exactness: Exactness::Within(*table.bound()),
            timing: Self::TIMING,
            support: table.support(),
            table_bytes: table.bytes(),
            expected_bits: f64::from(head_bits) + sign + rest,
            expected_trials: 1.0,
        }
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        let table = &self.table;
        let folded = table.shape() == Shape::Folded;
        let head_bits = table.head_bits();
        let draw = bits.bits(head_bits + u32::from(folded)) as u32;
        // step 1: the leading bits of u
        let (u0, negative) = if folded {
            // The draw's lowest bit is the sign, the others lead u.
            ((draw >> 1) << (32 - head_bits), i64::from(draw & 1))
        } else {
            (draw << (32 - head_bits), 0)
        };
        let [index] = self.indices([u0], count_above, bits);
        // step 3: first + j or first - j
        table.first() + ((index as i64 ^ -negative) + negative)
    }
}
