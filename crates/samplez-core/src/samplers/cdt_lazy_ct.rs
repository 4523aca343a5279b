/// Lazy CDT in constant time: 16 bits a sample, and a fixed number of long draws for whichever samples need one.
///
/// Paper: \[JSDGS17\], Algorithm 2 (invCDF). Proof: docs/proofs/cdt-lazy-ct.md.
///
/// | Law        | exactly the table's own, P(index >= j) = T_j/2^B, independently for all samples; its bound: [`LazyTable::bound`] |
/// | Bits       | 16 + 8Kd/N in batches of N, d = ⌈(B-L+m)/8⌉ (σ = 3.2, B = 128: 18.3 for N = 2048, 27.3 for 256), more with probability at most 2^-(B+8) a batch; B + 1 (folded) or B (full) in [`sample`](Sampler::sample) |
/// | Memory     | thresholds 4n⌈B/32⌉ bytes, trees 2^l + 2^l' d (σ = 3.2, B = 128: 672 + 1088; σ = 215: 45 + 63 KB); 46 KB of stack in a fill |
/// | Timing     | Constant: no branch, index or address depends on a random bit, but on whether a batch overflows. Evidence: SECURITY.md. Exceptions: see below |
/// | Parameters | any σ and centre whose table has at most 4,095 thresholds and needs at most 240 slots (σ up to some hundreds); B from 1 to 256 |
///
/// ```text
/// 1  v_i ← {0, …, 2^L - 1} uniform, s_i ← ±1           (for a batch of 2048 samples i; full: no sign)
/// 2  w_k ← {0, …, 2^(B-L+m) - 1} uniform               (for K slots k, the fewer the shorter the batch)
/// 3  j_i ← #{j >= 1 : v_i < D_j}, open unless v_i < D_0
/// 4  the k-th open i: j_i ← #{j >= 1 : w_k < F_j}      (k >= K: a further w_k, drawn as in step 2)
/// 5  return first + s_i·j_i                            (full: return first + j_i)
/// ```
///
/// [`LazyTable`] defines the symbols L, m, K, D and F used here. The stream of a batch has, for each 64 samples, the
/// higher bytes of their draws of 16 bits, then the lower bytes. A draw's highest bit is the sign of a folded table.
/// Then come the slots' first bytes (most significant), their second bytes, …
///
/// `fill` makes whole batches. If 32 samples or more are left over, it makes a batch of as many rows of 64 as are
/// needed, with fewer slots. Fewer samples are drawn one by one. So a fill in two pieces is that in one only if the
/// first piece is whole batches: [`Sampler::BATCH`].
///
/// Departures from the paper:
/// - u is not drawn: its law is split into what 16 bits decide and the rest, sample by sample the same law. So the
///   integers differ from the integers of [`Cdt`](super::cdt::Cdt) from the same bits.
/// - Long draws are made for the slots, whether they are needed or not. They are handed out in the order in which
///   samples are open: column by column of the rows of 64. The other slots are dropped.
/// - `sample`, and the samples that `fill` draws one by one, equal the samples of [`CdtCt`].
///
/// An *overflow*, more than K open samples in a batch, has a probability of at most 2^-(B+8). Then the batch's draws are kept, and each
/// open sample beyond the last slot draws a w of its own. These draws follow the batch in the stream, in the order in which slots
/// are handed out. So the law stays exact. Drawing the whole batch again would change it.
///
/// The running time reveals for each batch whether it overflowed ([`BitSource::declassify`]). Without an overflow it reveals nothing
/// else. Of a batch that overflows, running time and addresses may reveal the samples. If the support does
/// not fit the output type of `fill`, the error reveals whether each sample fits.
///
/// Inversion over a [`LazyTable`] in constant time.
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, Timing, bits::BitReader};
/// use samplez_core::{Sampler, samplers::CdtLazyCt};
/// use samplez_core::table::{CdtTable, LazyTable, Shape};
/// use samplez_sources::{ChaCha20, Seed};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// # let bound = Bound::TRIVIAL;
/// // 8 bits, σ = 1, values -1, 0, 1.
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// let sampler = CdtLazyCt::from_table(LazyTable::with_parts_in(table, |_| [0; 192])?);
/// const { assert!(matches!(CdtLazyCt::<[u32; 1], [i8; 192]>::TIMING, Timing::Constant)) };
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i8; 5000];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| (-1..=1).contains(x)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CdtLazyCt<S, P> {
    table: LazyTable<S, P>,
}

use super::cdt_ct::CdtCt;
use super::common::batches::Batches;
use super::common::finish::Finish;
use crate::arch::Backend;
use crate::arch::cdt_lazy_ct::{Batch, COLUMNS, MAX_DIGITS, MAX_ROWS, MAX_SLOTS};
use crate::arch::planes::Aligned;
use crate::arch::tree::{MAX_LEVELS, Tree};
use crate::bits::BitSource;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::table::Table;
use crate::table::{
    CdtTable, LAZY_BATCH, LAZY_ROW, LazyTable, Levels, MAX_FINE_DIGITS, MAX_LAZY_SLOTS, MAX_LAZY_THRESHOLDS, Shape,
};
use bytemuck::{cast_slice, cast_slice_mut};
use zeroize::Zeroize;

const ROWS: usize = LAZY_BATCH / COLUMNS;
/// Words of a row of draws.
const ROW_WORDS: usize = COLUMNS / 4;
/// The words of a batch, and a row more, which the last slots are read with.
const WORDS: usize = ROWS * ROW_WORDS + MAX_SLOTS * MAX_DIGITS / 8 + COLUMNS / 8;

const _: () = assert!(MAX_FINE_DIGITS == MAX_DIGITS && MAX_LAZY_SLOTS == MAX_SLOTS && ROWS == MAX_ROWS);
const _: () =
    assert!(MAX_LAZY_THRESHOLDS < 1 << MAX_LEVELS && LAZY_BATCH.is_multiple_of(COLUMNS) && LAZY_ROW == COLUMNS);

/// The memory of a fill, erased when it ends.
pub(crate) struct Scratch {
    words: Aligned<[u64; WORDS]>,
    /// Bytes, by words: as such they are erased eight at a time.
    low: Aligned<[u64; LAZY_BATCH / 8]>,
    high: Aligned<[u64; LAZY_BATCH / 8]>,
    /// Words, and samples by eights, in use.
    dirty: (usize, usize),
}

impl Scratch {
    /// A constant where it is used: its parts made there one by one, it may take the stack twice.
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Scratch {
            words: Aligned([0; WORDS]),
            low: Aligned([0; LAZY_BATCH / 8]),
            high: Aligned([0; LAZY_BATCH / 8]),
            dirty: (0, 0),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.words.0[..self.dirty.0].zeroize();
        self.low.0[..self.dirty.1].zeroize();
        self.high.0[..self.dirty.1].zeroize();
    }
}

fn tree(levels: Levels<'_>) -> Tree<'_> {
    let Levels { rows, stride, levels, len } = levels;
    Tree { rows, stride, levels, len }
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> CdtLazyCt<S, P> {
    /// Builds the sampler over this table.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::{Sampler, samplers::CdtLazyCt};
    /// # use samplez_core::table::{CdtTable, LazyTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let sampler = CdtLazyCt::from_table(LazyTable::with_parts_in(table, |_| [0; 192]).unwrap());
    /// // Eight slots of one byte for 2048 samples.
    /// assert_eq!(sampler.profile().expected_bits, 16.0 + 64.0 / 2048.0);
    /// ```
    pub const fn from_table(table: LazyTable<S, P>) -> Self {
        CdtLazyCt { table }
    }

    /// Returns the table.
    #[cfg(feature = "testing")]
    pub const fn table(&self) -> &LazyTable<S, P> {
        &self.table
    }

    fn folded(&self) -> bool {
        self.table.table().shape() == Shape::Folded
    }

    /// Steps 3 and 4 with draws of its own for every open sample beyond the last slot.
    fn resolve<B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
        draws: &[u8],
        spare: &[u8],
        low: &mut [u8],
        high: &mut [u8],
    ) {
        let (coarse, fine, digits) = (tree(self.table.coarse()), tree(self.table.fine()), self.table.fine_digits());
        let ((least, certain), slots) = (self.table.offsets(), spare.len() / digits);
        let mut slot = 0;
        for column in 0..COLUMNS {
            for at in (column..low.len()).step_by(COLUMNS) {
                let place = 2 * (at - column) + column;
                let lead = if self.folded() { draws[place] & 0x7f } else { draws[place] };
                let index = match coarse.count_above([lead, draws[place + COLUMNS]].into_iter()) {
                    0 => {
                        let mut own = [0; MAX_DIGITS];
                        for (d, digit) in own[..digits].iter_mut().enumerate() {
                            *digit = if slot < slots { spare[d * slots + slot] } else { bits.bits(8) as u8 };
                        }
                        slot += 1;
                        certain.wrapping_sub(least).wrapping_add(fine.count_above(own[..digits].iter().copied()))
                    }
                    above => above - 1,
                };
                low[at] = index as u8;
                if let Some(high) = high.get_mut(at) {
                    *high = (index >> 8) as u8;
                }
            }
        }
    }

    /// Samples from the table's first value on are written as bytes.
    fn is_narrow(&self) -> bool {
        let (least, _) = self.table.offsets();
        least <= 128 && self.table.table().len() - least <= 127
    }
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> Batches for CdtLazyCt<S, P> {
    type Scratch = Scratch;
    const LEAST: usize = 32;

    fn batch_len(&self) -> usize {
        LAZY_BATCH
    }

    #[inline(always)]
    fn with_scratch<R>(&self, _: usize, fill: impl FnOnce(&mut Scratch) -> R) -> R {
        fill(&mut const { Scratch::new() })
    }

    fn thresholds(&self) -> CdtTable<&[u32]> {
        self.table.table().view()
    }

    /// Steps 1 to 4.
    fn batch<B: BitSource + ?Sized>(&self, backend: Backend, bits: &mut B, scratch: &mut Scratch, samples: usize) {
        let (rows, digits) = (samples.div_ceil(COLUMNS), self.table.fine_digits());
        let slots = self.table.slots(samples);
        let (samples, long) = (rows * COLUMNS, slots * digits);
        let used = rows * ROW_WORDS + long / 8;
        scratch.dirty = (scratch.dirty.0.max(used), scratch.dirty.1.max(samples / 8));
        // steps 1 and 2
        let words = &mut scratch.words.0[..used];
        bits.words(words);
        words.iter_mut().for_each(|word| *word = word.to_le());
        let (draws, spare) = cast_slice::<u64, u8>(&scratch.words.0).split_at(2 * samples);
        // steps 3 and 4
        let (least, certain) = self.table.offsets();
        let low: &mut [u8] = cast_slice_mut(&mut scratch.low.0[..samples / 8]);
        let high: &mut [u8] = cast_slice_mut(&mut scratch.high.0[..if self.is_narrow() { 0 } else { samples / 8 }]);
        let overflow = Batch {
            coarse: tree(self.table.coarse()),
            fine: tree(self.table.fine()),
            digits,
            slots,
            offset: (certain as u16).wrapping_sub(least as u16),
            folded: self.folded(),
            draws,
            spare: &spare[..long + COLUMNS],
            low: &mut *low,
            high: &mut *high,
        }
        .run(backend);
        if bits.declassify(overflow) != 0 {
            self.resolve(bits, draws, &spare[..long], low, high);
        }
    }

    /// Step 5.
    fn finish<T: Int>(&self, backend: Backend, first: i64, scratch: &Scratch, start: usize, out: &mut [T]) {
        let first = first + self.table.offsets().0 as i64;
        let high = if self.is_narrow() { &[] } else { &cast_slice(&scratch.high.0)[start..] };
        let [draws, low] = [&cast_slice(&scratch.words.0)[2 * start..], &cast_slice(&scratch.low.0)[start..]];
        backend.run(Finish { row: 2 * COLUMNS, folded: self.folded(), first, draws, low, high, out });
    }
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> Sampler for CdtLazyCt<S, P> {
    const TIMING: Timing = Timing::Constant;
    const BATCH: usize = LAZY_BATCH;

    fn profile(&self) -> Profile {
        let table = self.table.table();
        Profile {
            target: table.target().into(),
            exactness: Exactness::Within(self.table.bound()),
            timing: Self::TIMING,
            support: table.support(),
            table_bytes: self.table.bytes(),
            expected_bits: 16.0
                + (8 * self.table.slots(LAZY_BATCH) * self.table.fine_digits()) as f64 / LAZY_BATCH as f64,
            expected_trials: 1.0,
        }
    }

    /// The profile's expectation, which is exact for whole batches without overflow. At a low precision overflows are too likely.
    fn batch_bits(&self) -> Option<u64> {
        (self.table.log2_overflow() <= -72).then(|| (Self::BATCH as f64 * self.profile().expected_bits) as u64)
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        CdtCt::over(self.table.table().view()).sample(bits)
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_on(Backend::current(), bits, out)
    }
}

#[cfg(test)]
mod tests;
