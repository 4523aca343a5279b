//! Convolution: a wide Gaussian as a sum of narrow ones.
//!
//! Paper: \[MW17\], SampleI. Proof: docs/proofs/convolution.md.
//!
//! | Law        | within the table's [`Bound`] of D_{Z,σ,c}: what 2^L base samples and L convolutions lose |
//! | Bits       | 2^L times those of the base table: 32 each, more with probability n/2^31 |
//! | Memory     | the base table, about 13s⌈B/32⌉·4 bytes, s its width, and 2 KiB |
//! | Timing     | Variable: the addresses read depend on the sample |
//! | Parameters | any form of σ that a product of L = 1 … 3 hypotenuses divides within `Rational`; integer c |
//!
//! ```text
//! 1  if the level is 0, return a sample of the base D_{Z,s,0}
//! 2  Y1, Y2 ← two samples of the level below, independent
//! 3  return z1·Y1 + z2·Y2
//! ```
//!
//! Departures from the paper:
//! - The paper takes neighbouring integers z1, z2 as large as smoothing allows, and the width
//!   that comes of it. Here z1, z2 are coprime legs of a right triangle with a whole hypotenuse M: z1² + z2² = M²,
//!   so that s·M, and by it any form of σ, is met exactly.
//! - The recursion is unrolled: the sample is c + Σ factor·X over the 2^L base samples X, each
//!   factor a product of legs. All of them are searched for in step, each within the 16 places
//!   to which the leading 9 bits of its uniform lead (the whole table where they are not enough).

use super::cdt::Cdt;
use super::common::guide::Guide;
use crate::bits::BitSource;
use crate::params::DiscreteGaussian;
use crate::profile::{Bound, Exactness, Profile, Timing};
use crate::sampler::Sampler;
use crate::table::{ConvolutionTable, MAX_LEVELS};
use core::ops::RangeInclusive;

/// A sum of base samples over a [`ConvolutionTable`].
///
/// ```
/// use samplez_core::{bits::BitReader, params::{DiscreteGaussian, Rational}, profile::Bound};
/// use samplez_core::{sampler::Sampler, samplers::convolution::Convolution, sources::{ChaCha20, Seed}};
/// use samplez_core::table::{CdtTable, ConvolutionTable, Shape};
/// // A toy: 8 bits, σ = 1 widened to 5. `samplez_tables::build_convolution` makes real ones.
/// let bound = Bound { log2_sd: 0.0, log2_renyi: [(2, 1.0), (256, 1.0), (513, 1.0)], log2_rinf: 1.0, log2_tail: -1.0 };
/// let base = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24, 14 << 24, 1 << 24])?;
/// let law = DiscreteGaussian::with_sigma(Rational::from(5))?;
/// let sampler = Convolution::from_table(ConvolutionTable::new(law, bound, base, &[(3, 4)])?);
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..100).all(|_| sampler.sample(&mut bits).abs() <= 21));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Convolution<S> {
    target: DiscreteGaussian,
    bound: Bound,
    support: RangeInclusive<i64>,
    base: Cdt<S>,
    guide: Guide,
    levels: usize,
    factors: [i64; 1 << MAX_LEVELS],
    center: i64,
}

impl<S: AsRef<[u32]>> Convolution<S> {
    /// The sampler over this table.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::{sampler::Sampler, samplers::convolution::Convolution};
    /// # use samplez_core::table::{CdtTable, ConvolutionTable, Shape};
    /// # let bound = Bound { log2_sd: 0.0, log2_renyi: [(2, 1.0), (256, 1.0), (513, 1.0)], log2_rinf: 1.0, log2_tail: -1.0 };
    /// # let base = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(5)).unwrap();
    /// let table = ConvolutionTable::new(law, bound, base, &[(3, 4)]).unwrap();
    /// assert_eq!(Convolution::from_table(table).profile().expected_bits, 18.0);
    /// ```
    pub fn from_table(table: ConvolutionTable<S>) -> Self {
        let guide = Guide::new(table.base().heads());
        Convolution {
            target: *table.target(),
            bound: *table.bound(),
            support: table.support(),
            levels: table.levels().len(),
            factors: table.factors(),
            center: table.target().center().num(),
            base: Cdt::from_table(table.into_base()),
            guide,
        }
    }

    /// c + Σ factor·X over N base samples. The table's constructor has seen that it fits.
    #[inline(always)]
    fn sum<const N: usize, B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        let head_bits = self.base.table().head_bits();
        // step 1: the sign is the lowest bit of a draw, the others lead its uniform
        let mut draws = [0_u32; N];
        for pair in draws.chunks_exact_mut(2) {
            let both = bits.bits(2 * (head_bits + 1));
            pair[0] = (both & (u64::MAX >> (63 - head_bits))) as u32;
            pair[1] = (both >> (head_bits + 1)) as u32;
        }
        let u0 = draws.map(|draw| (draw >> 1) << (32 - head_bits));
        let indices = self.base.indices(u0, |heads, keys| self.guide.count_above(heads, keys), bits);
        // step 3
        let mut value = self.center;
        for ((index, draw), factor) in indices.into_iter().zip(draws).zip(self.factors) {
            let negative = i64::from(draw & 1);
            value += factor * ((index as i64 ^ -negative) + negative);
        }
        value
    }
}

impl<S: AsRef<[u32]>> Sampler for Convolution<S> {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let base = self.base.profile();
        Profile {
            target: self.target,
            exactness: Exactness::Within(self.bound),
            timing: Self::TIMING,
            support: self.support.clone(),
            table_bytes: base.table_bytes + Guide::BYTES,
            expected_bits: base.expected_bits * f64::from(1_u32 << self.levels),
            expected_trials: 1.0,
        }
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        match self.levels {
            1 => self.sum::<2, B>(bits),
            2 => self.sum::<4, B>(bits),
            _ => self.sum::<8, B>(bits),
        }
    }
}
