//! The same sampler in little stack: batches of 32 instead of 512.

use super::{CdtCt, lanes};
use crate::arch::Backend;
use crate::bits::BitSource;
use crate::profile::{Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};

/// [`CdtCt`] for machines with little stack: the same integers from the same bits, and as constant in time.
///
/// [`fill`](Sampler::fill) takes less than 4 KiB of stack for any table, where `CdtCt`'s takes up to 64. A test
/// measures both, over a generator that takes little. The generator's own stack is not included: ChaCha20 by AVX-512
/// takes some KiB. benches/RESULTS.md states how much slower it is.
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, Sampler};
/// use samplez_core::{bits::BitReader, samplers::{CdtCt, CdtCtSmall}};
/// use samplez_core::table::{CdtTable, Shape};
/// use samplez_sources::{ChaCha20, Seed};
/// let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let bound = Bound::TRIVIAL;
/// let sampler = CdtCt::from_table(CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24])?)?;
/// let bits = || BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let (mut wide, mut small) = ([0_i8; 1000], [0_i8; 1000]);
/// sampler.fill(&mut bits(), &mut wide)?;
/// CdtCtSmall::from(sampler).fill(&mut bits(), &mut small)?;
/// assert_eq!(wide, small);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CdtCtSmall<S> {
    sampler: CdtCt<S>,
}

impl<S> From<CdtCt<S>> for CdtCtSmall<S> {
    fn from(sampler: CdtCt<S>) -> Self {
        CdtCtSmall { sampler }
    }
}

impl<S: AsRef<[u32]>> CdtCtSmall<S> {
    /// Returns the table.
    #[cfg(feature = "testing")]
    pub const fn table(&self) -> &crate::table::CdtTable<S> {
        &self.sampler.table
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
        self.sampler.fill_with(bits, out, |table, bits, out| lanes::fill(table, backend, bits, out))
    }
}

impl<S: AsRef<[u32]>> Sampler for CdtCtSmall<S> {
    const TIMING: Timing = Timing::Constant;

    fn profile(&self) -> Profile {
        self.sampler.profile()
    }

    fn batch_bits(&self) -> Option<u64> {
        self.sampler.batch_bits()
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        self.sampler.sample(bits)
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_on(Backend::current(), bits, out)
    }
}
