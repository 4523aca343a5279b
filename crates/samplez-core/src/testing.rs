//! Single steps of the samplers, for tests and the laboratory. The feature `testing` enables this module, which is not part of the
//! public interface.
//!
//! Methods that read private fields are beside their types, behind the same feature.

pub use crate::bits::counted::Counted;
pub use crate::bits::draws::LazyUniform;
pub use crate::bits::marks::{Mark, mark_public};
pub use crate::samplers::common::trials::Attempt;

/// Samples of a batch of [`CdtLazyCt`].
pub const LAZY_BATCH: usize = crate::table::LAZY_BATCH;

use crate::arch::Backend;
use crate::bits::BitSource;
use crate::params::FixedPoint;
use crate::sampler::{Int, RangeError};
use crate::samplers::common::batches::Batches;
use crate::samplers::{
    CdtCt, CdtCtSmall, CdtLazyCt, ConvolutionCt, DiscreteLaplace, FilteredIsochronous, Isochronous, KnuthYaoCt, Refine,
    SamplerZ, SmallWidth, StripRounder, StripWidth,
};

/// [`Sampler::fill`](crate::sampler::Sampler::fill) by one backend.
macro_rules! fill_by {
    ($([$($generics:tt)*] $sampler:ty),*) => {$(
        impl<$($generics)*> $sampler {
            /// [`Sampler::fill`](crate::sampler::Sampler::fill) by this backend: tests compare all of them. A backend that is not
            /// available is the portable one.
            ///
            /// # Errors
            ///
            /// As [`Sampler::fill`](crate::sampler::Sampler::fill).
            pub fn fill_by<T: Int, B: BitSource + ?Sized>(
                &self,
                backend: Backend,
                bits: &mut B,
                out: &mut [T],
            ) -> Result<(), RangeError> {
                self.fill_on(backend, bits, out)
            }
        }
    )*};
}

fill_by! {
    [S: AsRef<[u32]>] CdtCt<S>,
    [S: AsRef<[u32]>] CdtCtSmall<S>,
    [S: AsRef<[u32]>, P: AsRef<[i8]>] CdtLazyCt<S, P>,
    [S: AsRef<[u32]>, P: AsRef<[i8]>] ConvolutionCt<S, P>,
    [S: AsRef<[u32]>, P: AsRef<[i8]>] KnuthYaoCt<S, P>,
    [R: Refine] FilteredIsochronous<R>,
    [] Isochronous
}

impl StripRounder {
    /// [`round_batch`](Self::round_batch) by this backend: tests compare all of them. A backend that is not available is the
    /// portable one.
    ///
    /// # Panics
    ///
    /// As [`round_batch`](Self::round_batch).
    pub fn round_batch_by<B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        centers: &[(FixedPoint, StripWidth)],
        bits: &mut B,
        out: &mut [i64],
    ) {
        self.round_batch_on(backend, centers, bits, out);
    }
}

impl SamplerZ {
    /// Makes a trial from the nine bytes of Algorithm 12 and the byte of b, and its probability in units of 2^-64.
    #[inline(always)]
    pub fn trial(width: SmallWidth, fraction: u64, words: [u64; 2]) -> (i64, u64) {
        Self::trial_of(width, fraction, words)
    }

    /// Algorithm 14's probability in units of 2^-64.
    #[inline(always)]
    pub fn acceptance(width: SmallWidth, z0: u64, distance: u128) -> u64 {
        Self::acceptance_of(width, z0, distance)
    }
}

impl DiscreteLaplace {
    /// One attempt; `None` if it is rejected.
    pub fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        self.trial(bits)
    }
}
