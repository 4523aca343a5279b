/// Convolution: a wide Gaussian as a sum of narrow ones.
///
/// Paper: \[MW17\], SampleI. Proof: docs/proofs/convolution.md.
///
/// | Law        | within the table's [`Bound`](crate::profile::Bound) of D_{Z,σ,c}: the loss of 2^L base samples and L convolutions |
/// | Bits       | 2^L times the bits of [`CdtGuided`] over the base table: at 128 bits 16 each, and more if the lead is the lead of a threshold |
/// | Memory     | the base table, about 13s⌈B/32⌉·4 bytes, s its width, and its index table |
/// | Timing     | Variable: the addresses read depend on the sample |
/// | Parameters | any form of σ that a product of L = 1 … 3 hypotenuses divides within `Rational`; integer c |
///
/// ```text
/// 1  if the level is 0, return a sample of the base D_{Z,s,0}
/// 2  Y1, Y2 ← two samples of the level below, independent
/// 3  return z1·Y1 + z2·Y2
/// ```
///
/// Departures from the paper:
/// - The paper takes neighbouring integers z1, z2 as large as smoothing allows, and the width that comes of it. Here
///   z1, z2 are coprime legs of a right triangle with a whole hypotenuse M: z1² + z2² = M². So s·M, and by it any form
///   of σ, is met exactly.
/// - The recursion is unrolled: the sample is c + Σ factor·X over the 2^L base samples X, each
///   factor a product of legs. `fill` draws many base samples at once, and then adds them up.
///
/// A sum of base samples over a [`ConvolutionTable`] and an index table to its base.
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, bits::BitReader};
/// use samplez_core::{Sampler, samplers::Convolution};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_core::table::{CdtTable, ConvolutionTable, Shape};
/// // A toy: 8 bits, σ = 1 widened to 5, and a guide of one bit. `samplez_tables::build_convolution` and
/// // `samplez_tables::guide` make real ones.
/// let bound = Bound::new(0.0, [(2, 1.0), (256, 1.0), (513, 1.0)], 1.0, -1.0);
/// let base = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// let law = DiscreteGaussian::with_sigma(Rational::from(5))?;
/// let sampler = Convolution::from_table(ConvolutionTable::new(law, bound, base, &[(3, 4)])?, [1, 1 << 31])?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..100).all(|_| sampler.sample(&mut bits).abs() <= 21));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Convolution<S, G> {
    sums: Sums,
    base: CdtGuided<S, G>,
}

use super::cdt_guided::CdtGuided;
use super::common::sums::Sums;
use crate::arch::Backend;
use crate::bits::BitSource;
use crate::profile::{Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler, narrowed};
use crate::table::{ConvolutionTable, GuidedTable, TableError};

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> Convolution<S, G> {
    /// Builds the sampler over this table, with an index table to its base table.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the index table is not one to the base table.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::{Sampler, samplers::Convolution};
    /// # use samplez_core::table::{CdtTable, ConvolutionTable, Shape};
    /// # let bound = Bound::new(-3.0, [(2, 1.0), (256, 1.0), (513, 1.0)], 1.0, -1.0);
    /// # let base = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(5)).unwrap();
    /// let table = ConvolutionTable::new(law, bound, base, &[(3, 4)]).unwrap();
    /// assert_eq!(Convolution::from_table(table, [1, 1 << 31])?.profile().expected_bits, 18.0);
    /// # Ok::<(), samplez_core::table::TableError>(())
    /// ```
    pub fn from_table(table: ConvolutionTable<S>, guide: G) -> Result<Self, TableError> {
        let sums = Sums::new(&table);
        Ok(Convolution { sums, base: CdtGuided::from_table(GuidedTable::new(table.into_base(), guide)?) })
    }
}

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> Sampler for Convolution<S, G> {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        self.sums.profile(&self.base.profile(), *self.sums.bound(), Self::TIMING)
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        self.sums.sum(|| self.base.sample(bits))
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        // The base is around 0, so its greatest value is the number of its thresholds.
        if !self.sums.fits::<T>() || self.base.table().table().len() > i16::MAX as usize {
            for slot in out {
                *slot = narrowed(self.sample(bits))?;
            }
            return Ok(());
        }
        // steps 1 to 3
        self.sums.fill(Backend::current(), out, |bases| self.base.fill(bits, bases))
    }
}

#[cfg(test)]
mod tests;
