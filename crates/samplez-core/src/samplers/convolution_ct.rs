//! Convolution in constant time: a wide Gaussian as a sum of narrow ones, each inverted by
//! comparison with every threshold.
//!
//! Paper: \[MW17\], SampleI; \[JSDGS17\], Algorithm 2 (invCDF). Proof: docs/proofs/convolution.md.
//!
//! | Law        | within the table's [`Bound`](crate::profile::Bound) of D_{Z,σ,c}: what 2^L base samples and L convolutions lose. The same as [`Convolution`](super::convolution::Convolution)'s over the same table |
//! | Bits       | exactly 2^L (B + 1) |
//! | Memory     | the base table, about 10s⌈B/32⌉·4 bytes at B = 72, s its width |
//! | Timing     | Constant: no branch, index or address depends on a random bit. Evidence: SECURITY.md. Exception: see below |
//! | Parameters | as [`Convolution`](super::convolution::Convolution), with a base of at most 32,767 thresholds |
//!
//! ```text
//! 1  if the level is 0, return a sample of the base D_{Z,s,0}
//! 2  Y1, Y2 ← two samples of the level below, independent
//! 3  return z1·Y1 + z2·Y2
//! ```
//!
//! The stream of a sample: its 2^L base samples one after the other, as [`CdtCt`] draws them.
//!
//! Departures from the paper: those of [`Convolution`](super::convolution::Convolution) but for
//! the search, and those of [`CdtCt`]. If the support does not fit the output type of `fill`,
//! whether each sample fits is revealed: by the error.

use super::cdt_ct::CdtCt;
use super::common::sums::Sums;
use crate::arch::Backend;
use crate::bits::BitSource;
use crate::params::ParamError;
use crate::profile::{Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler, narrowed};
use crate::table::ConvolutionTable;

/// A sum of base samples over a [`ConvolutionTable`], in constant time.
///
/// ```
/// use samplez_core::{bits::BitReader, params::{DiscreteGaussian, Rational}, profile::Bound};
/// use samplez_core::{sampler::Sampler, samplers::convolution_ct::ConvolutionCt};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_core::table::{CdtTable, ConvolutionTable, Shape};
/// // A toy: 8 bits, σ = 1 widened to 5. `samplez_tables::build_convolution` makes real ones.
/// let bound = Bound { log2_sd: 0.0, log2_renyi: [(2, 1.0), (256, 1.0), (513, 1.0)], log2_rinf: 1.0, log2_tail: -1.0 };
/// let base = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24, 14 << 24, 1 << 24])?;
/// let law = DiscreteGaussian::with_sigma(Rational::from(5))?;
/// let sampler = ConvolutionCt::from_table(ConvolutionTable::new(law, bound, base, &[(3, 4)])?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i8; 1000];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| x.abs() <= 21));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConvolutionCt<S> {
    sums: Sums,
    base: CdtCt<S>,
}

impl<S: AsRef<[u32]>> ConvolutionCt<S> {
    /// The sampler over this table.
    ///
    /// # Errors
    ///
    /// [`ParamError::OutOfRange`] if the base table has more than 32,767 thresholds.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::{sampler::Sampler, samplers::convolution_ct::ConvolutionCt};
    /// # use samplez_core::table::{CdtTable, ConvolutionTable, Shape};
    /// # let bound = Bound { log2_sd: 0.0, log2_renyi: [(2, 1.0), (256, 1.0), (513, 1.0)], log2_rinf: 1.0, log2_tail: -1.0 };
    /// # let base = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let base = CdtTable::new(base, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(5)).unwrap();
    /// let table = ConvolutionTable::new(law, bound, base, &[(3, 4)]).unwrap();
    /// assert_eq!(ConvolutionCt::from_table(table)?.profile().expected_bits, 18.0);
    /// # Ok::<(), samplez_core::params::ParamError>(())
    /// ```
    pub fn from_table(table: ConvolutionTable<S>) -> Result<Self, ParamError> {
        Ok(ConvolutionCt { sums: Sums::new(&table), base: CdtCt::from_table(table.into_base())? })
    }

    /// [`Sampler::fill`] by this backend, for the tests that compare all of them. A backend that
    /// is not available is the portable one.
    ///
    /// # Errors
    ///
    /// As [`Sampler::fill`].
    #[doc(hidden)]
    pub fn fill_by<T: Int, B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        bits: &mut B,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        if !self.sums.fits::<T>() {
            for slot in out {
                *slot = narrowed(self.sample(bits))?;
            }
            return Ok(());
        }
        // steps 1 to 3
        self.sums.fill(backend, out, |bases| self.base.fill_by(backend, bits, bases))
    }
}

impl<S: AsRef<[u32]>> Sampler for ConvolutionCt<S> {
    const TIMING: Timing = Timing::Constant;

    fn profile(&self) -> Profile {
        self.sums.profile(&self.base.profile(), Self::TIMING)
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        self.sums.sum(|| self.base.sample(bits))
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_by(Backend::current(), bits, out)
    }
}
