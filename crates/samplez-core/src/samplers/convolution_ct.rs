/// Convolution in constant time: a wide Gaussian as a sum of narrow ones, each drawn lazily in constant time.
///
/// Paper: \[MW17\], SampleI; \[JSDGS17\], Algorithm 2 (invCDF). Proof: docs/proofs/convolution.md.
///
/// | Law        | within the table's [`Bound`](crate::profile::Bound) of D_{Z,σ,c}: the loss of 2^L base samples and L convolutions |
/// | Bits       | 2^L times the bits of [`CdtLazyCt`] over the base table (σ = 215, B = 128: 2·19.3), more with probability at most 2^-(B+8) a batch |
/// | Memory     | the base table, about 13s⌈B/32⌉·4 bytes at B = 128, s its width, and its parts; 58 KB of stack in a fill |
/// | Timing     | Constant: no branch, index or address depends on a random bit, but on whether a batch overflows. Evidence: SECURITY.md. Exceptions: see below |
/// | Parameters | σ that the product of L = 1 … 4 norms z1² + z2² divides within `Rational`; integer c; the base as [`CdtLazyCt`]'s |
///
/// ```text
/// 1  if the level is 0, return a sample of the base D_{Z,s,0}
/// 2  Y1, Y2 ← two samples of the level below, independent
/// 3  return z1·Y1 + z2·Y2
/// ```
///
/// The stream of 2^(11-L) samples is a batch of 2048 base samples, as [`CdtLazyCt`] draws it. All samples' first ones
/// come first, then all their second ones, … Fewer samples have the stream that its `fill` draws for as many base
/// samples. So a fill in two pieces is that in one only if the first piece is of whole [`Sampler::BATCH`]es.
/// [`sample`](Sampler::sample) draws its base samples one after the other, as [`CdtCt`](super::cdt_ct::CdtCt) does.
///
/// Departures from the paper: the departures of [`Convolution`](super::convolution::Convolution) except its search, and the
/// departures of [`CdtLazyCt`]. The legs need no whole hypotenuse if the base's width can be stated as σ².
///
/// A batch of base samples may overflow, and then has further draws and may leak, as [`CdtLazyCt`] describes. Sums of such samples
/// still have exactly the law of sums of independent base samples.
/// If the support does not fit the output type of `fill`, the error reveals whether each sample fits.
///
/// A sum of base samples over a [`ConvolutionTable`], in constant time.
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, bits::BitReader};
/// use samplez_core::{Sampler, samplers::ConvolutionCt};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_core::table::{CdtTable, ConvolutionTable, LazyTable, Shape};
/// // A toy: 8 bits, σ = 1 widened to 5. `samplez_tables::build_convolution` and `parts` make real ones.
/// let bound = Bound::new(0.0, [(2, 1.0), (256, 1.0), (513, 1.0)], 1.0, -1.0);
/// let base = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24, 14 << 24, 1 << 24])?;
/// let parts = *LazyTable::with_parts_in(base.clone(), |_| [0; 192])?.parts();
/// let law = DiscreteGaussian::with_sigma(Rational::from(5))?;
/// let sampler = ConvolutionCt::from_table(ConvolutionTable::new(law, bound, base, &[(3, 4)])?, parts)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i8; 1000];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| x.abs() <= 21));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConvolutionCt<S, P> {
    sums: Sums,
    base: CdtLazyCt<S, P>,
}

use super::cdt_lazy_ct::{CdtLazyCt, Scratch};
use super::common::batches::Batches;
use super::common::sums::Sums;
use crate::arch::Backend;
use crate::bits::BitSource;
use crate::profile::{Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::table::{ConvolutionTable, LAZY_BATCH, LazyTable, TableError};
use zeroize::Zeroize;

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> ConvolutionCt<S, P> {
    /// Builds the sampler over this table and its base's parts, which are checked.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the base table has no parts, or others.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::{Sampler, samplers::ConvolutionCt};
    /// # use samplez_core::table::{CdtTable, ConvolutionTable, LazyTable, Shape};
    /// # let bound = Bound::new(0.0, [(2, 1.0), (256, 1.0), (513, 1.0)], 1.0, -1.0);
    /// # let base = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(5)).unwrap();
    /// let parts = *LazyTable::with_parts_in(base.clone(), |_| [0; 192]).unwrap().parts();
    /// let table = ConvolutionTable::new(law, bound, base, &[(3, 4)]).unwrap();
    /// assert!(ConvolutionCt::from_table(table.clone(), [0; 192]).is_err());
    /// // Two base samples; eight slots of one byte for 2048 of them.
    /// assert_eq!(ConvolutionCt::from_table(table, parts)?.profile().expected_bits, 2.0 * (16.0 + 64.0 / 2048.0));
    /// # Ok::<(), samplez_core::table::TableError>(())
    /// ```
    pub fn from_table(table: ConvolutionTable<S>, parts: P) -> Result<Self, TableError> {
        let sums = Sums::new(&table);
        Ok(ConvolutionCt { sums, base: CdtLazyCt::from_table(LazyTable::new(table.into_base(), parts)?) })
    }

    /// [`Sampler::fill`] by this backend. A backend that
    /// is not available is the portable one.
    ///
    /// # Errors
    ///
    /// As [`Sampler::fill`].
    pub(crate) fn fill_on<T: Int, B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        bits: &mut B,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        // Steps 1 to 3, as many samples at a time as have a batch of base samples.
        let mut scratch = const { Scratch::new() };
        let mut bases = [0_i16; LAZY_BATCH];
        let width = self.sums.width();
        let used = LAZY_BATCH.min(width.saturating_mul(out.len()));
        let mut sums = [0_i64; LAZY_BATCH / 2];
        let mut filled = Ok(());
        for out in out.chunks_mut(LAZY_BATCH / width) {
            let bases = &mut bases[..out.len() * width];
            // Base samples are within ±4095.
            filled = self.base.fill_in(&mut scratch, backend, bits, bases);
            if self.sums.fits::<T>() {
                self.sums.add_legs(backend, bases, out);
            } else {
                let sums = &mut sums[..out.len()];
                self.sums.add_legs(backend, bases, sums);
                filled = filled.and_then(|()| narrow(sums, out));
            }
            if filled.is_err() {
                break;
            }
        }
        bases[..used].zeroize();
        if !self.sums.fits::<T>() {
            sums.zeroize();
        }
        filled
    }
}

/// The sums in their type, or the first that does not fit.
fn narrow<T: Int>(sums: &[i64], out: &mut [T]) -> Result<(), RangeError> {
    for (slot, sum) in out.iter_mut().zip(sums) {
        *slot = T::narrow(*sum).ok_or(RangeError::of::<T>())?;
    }
    Ok(())
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> Sampler for ConvolutionCt<S, P> {
    const TIMING: Timing = Timing::Constant;
    const BATCH: usize = LAZY_BATCH / 2;

    fn profile(&self) -> Profile {
        self.sums.profile(&self.base.profile(), *self.sums.bound(), Self::TIMING)
    }

    /// The bits of the base's batches, which are whole.
    fn batch_bits(&self) -> Option<u64> {
        let batches = (Self::BATCH * self.sums.width() / LAZY_BATCH) as u64;
        self.base.batch_bits().map(|each| batches * each)
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        self.sums.sum(|| self.base.sample(bits))
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_on(Backend::current(), bits, out)
    }
}

#[cfg(test)]
mod tests;
