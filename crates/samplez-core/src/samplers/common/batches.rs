//! Fills by batches.

use crate::arch::Backend;
use crate::arch::cdt_lazy_ct::COLUMNS;
use crate::bits::BitSource;
use crate::sampler::{Int, RangeError};
use crate::samplers::cdt_ct::CdtCt;
use crate::table::CdtTable;
use zeroize::Zeroize;

/// A sampler over a table's thresholds that makes whole batches, and a shorter one of the rest.
pub(crate) trait Batches {
    /// The buffers of a fill, erased when it ends.
    type Scratch: ?Sized;
    /// From how many samples on a batch is made of them; fewer are drawn one by one.
    const LEAST: usize;

    /// Samples of a whole batch.
    fn batch_len(&self) -> usize;

    /// Calls `fill` with buffers for fills of so many samples.
    fn with_scratch<R>(&self, samples: usize, fill: impl FnOnce(&mut Self::Scratch) -> R) -> R;

    fn thresholds(&self) -> CdtTable<&[u32]>;

    /// So many samples, up to a whole batch, by this backend.
    fn batch<B: BitSource + ?Sized>(&self, backend: Backend, bits: &mut B, scratch: &mut Self::Scratch, samples: usize);

    /// The samples of the batch in the buffers from the row at `start` on; `first` is the value of index 0.
    fn finish<T: Int>(&self, backend: Backend, first: i64, scratch: &Self::Scratch, start: usize, out: &mut [T]);

    /// [`Sampler::fill`](crate::sampler::Sampler::fill) by this backend. A backend that is not available is the portable
    /// one.
    ///
    /// # Errors
    ///
    /// As [`Sampler::fill`](crate::sampler::Sampler::fill).
    fn fill_on<T: Int, B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        bits: &mut B,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        if out.len() < Self::LEAST {
            self.one_by_one(bits, out)
        } else {
            self.with_scratch(out.len(), |scratch| self.fill_in(scratch, backend, bits, out))
        }
    }

    /// [`fill_on`](Self::fill_on) within these buffers.
    fn fill_in<T: Int, B: BitSource + ?Sized>(
        &self,
        scratch: &mut Self::Scratch,
        backend: Backend,
        bits: &mut B,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        let rest = out.len() % self.batch_len();
        let (batches, singles) = out.split_at_mut(out.len() - if rest < Self::LEAST { rest } else { 0 });
        self.fill_batches(backend, bits, scratch, batches)?;
        self.one_by_one(bits, singles)
    }

    fn one_by_one<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        CdtCt::over(self.thresholds()).one_by_one(bits, out, self.fits::<T>())
    }

    /// Whether the support fits the type.
    fn fits<T: Int>(&self) -> bool {
        let support = self.thresholds().support();
        *support.start() >= T::MIN && *support.end() <= T::MAX
    }

    /// Batches, the last of which may be cut short.
    fn fill_batches<T: Int, B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        bits: &mut B,
        scratch: &mut Self::Scratch,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        let (first, fits) = (self.thresholds().first(), self.fits::<T>());
        let mut indices = [0_i16; COLUMNS];
        let mut wrong = None;
        for out in out.chunks_mut(self.batch_len()) {
            self.batch(backend, bits, scratch, out.len());
            if fits {
                self.finish(backend, first, scratch, 0, out);
                continue;
            }
            for (row, out) in out.chunks_mut(COLUMNS).enumerate() {
                self.finish(backend, 0, scratch, COLUMNS * row, &mut indices[..out.len()]);
                for (slot, index) in out.iter_mut().zip(indices) {
                    match T::narrow(first + i64::from(index)) {
                        Some(value) => *slot = value,
                        None => wrong = wrong.or(Some(RangeError::of::<T>())),
                    }
                }
            }
            if wrong.is_some() {
                break;
            }
        }
        indices.zeroize();
        wrong.map_or(Ok(()), Err)
    }
}
