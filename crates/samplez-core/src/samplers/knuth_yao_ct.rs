/// Knuth–Yao in constant time: levels of 7, 8 and 16 bits, whose draws are made before it is known who needs them.
///
/// Paper: \[JSDGS17\], Algorithm 5 (Knuth–Yao). Proof: docs/proofs/knuth-yao-ct.md.
///
/// | Law        | exactly the table's own, P(index >= j) = T_j/2^B, independently for all samples; its bound: [`PooledTable::bound`](crate::table::Table::bound) |
/// | Bits       | 8 and the pools' (σ = 3.2, B = 128: 10.1 in batches of 8192, 11.1 of 2048, 21 of 256), more with probability at most 2^-(B+8) a batch; B + 1 (folded) or B (full) in [`sample`](Sampler::sample) |
/// | Memory     | thresholds 4n⌈B/32⌉ bytes, trees of 64 bytes for each byte of the levels (σ = 3.2, B = 128: 672 + 1152); 60 KB of stack in a fill |
/// | Timing     | Constant: no branch, index or address depends on a random bit, but on whether a batch overflows. Evidence: SECURITY.md. Exceptions: see below |
/// | Parameters | any σ and centre whose table has at most 127 thresholds (folded) or 254 (full) and few enough open draws (σ up to about 9 at B = 128, 5 at 256); B from 1 to 256 |
///
/// ```text
/// 1  v_i ← {0, …, 2^L - 1} uniform, s_i ← ±1     (for each sample i; L = 7; full: L = 8, no sign)
/// 2  v'_k ← {0, …, 2^8 - 1} uniform              (for each entry k of the first pool)
/// 3  v''_k ← {0, …, 2^16 - 1} uniform            (for each entry k of the second pool)
/// 4  w_k uniform of the bits that are left       (for each entry k of the third pool)
/// 5  the third pool's entries are #{j >= 1 : w_k < F_j}
/// 6  for the second pool, the first and the samples, one after the other: a draw v is j = #{j >= 0 : v < D_j} - 1,
///    open unless v < D_0; the k-th open draw is the k-th entry of the pool before   (no such entry: a further draw, by the same steps)
/// 7  return first + s_i·j_i                       (full: return first + j_i)
/// ```
///
/// [`PooledTable`] defines the levels' D, F and the pools.
///
/// The stream of a batch:
/// - a byte for each sample, in rows of 64, whose highest bit is the sign of a folded table
/// - a byte for each entry of the first pool
/// - the higher bytes of the second pool's draws, then their lower bytes
/// - the first bytes of the third pool's draws (most significant), their second bytes, …
///
/// `fill` makes whole batches of 8192 samples; or of 4096 or 2048, if [`PooledTable`] has no larger ones. Of 8 or more
/// remaining samples it makes a batch of as many rows of 64 as are needed, with smaller pools. Fewer are drawn one by one. So a fill in two pieces equals one fill only if the first piece is whole
/// batches: [`Sampler::BATCH`].
///
/// Departures from the paper:
/// - The tree has levels of 2^7 or 2^8, 2^8 and 2^16 children instead of two, and ends by inversion. A level takes back a
///   few leaves, so that the number of its inner nodes is a power of two.
/// - All inner nodes of a level have the same law below them, the residual masses. So one draw serves whichever node is
///   reached. The draws of the next level are made for a pool, whether they are needed or not.
/// - Entries of a pool are handed out in the order in which draws are open. Entries of the third pool go column by column to
///   the second pool's rows of 64. The samples have sections of 16, 8 or 4 rows with entries of their own. Entries that nobody
///   needs are dropped.
/// - `sample`, and the samples that `fill` draws one by one, equal the samples of [`CdtCt`].
///
/// An *overflow*, more open draws than a pool has entries, has a probability of at most 2^-(B+8) in a batch. Then the batch's draws are
/// kept, and each open draw beyond the last entry continues with a draw of the next level of its own. If that draw is open too, a draw
/// of the level after it follows. These draws follow the batch in the stream, in the order of handing out.
/// Draws for the second pool precede those for the first, and those for the samples are last. So the law stays exact. Drawing the whole batch again would change it.
///
/// The running time reveals for each batch whether it overflowed ([`BitSource::declassify`]). Without an overflow it reveals nothing
/// else. Of a batch that overflows, running time and addresses may reveal the samples. If the support does not fit the output type of
/// `fill`, the error reveals whether each sample fits.
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, Sampler, Timing, bits::BitReader, samplers::KnuthYaoCt};
/// use samplez_core::table::{CdtTable, PooledTable, Shape};
/// use samplez_sources::{ChaCha20, Seed};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// # let bound = Bound::TRIVIAL;
/// // 8 bits, σ = 1, values -1, 0, 1.
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// let sampler = KnuthYaoCt::from_table(PooledTable::with_parts_in(table, |_| [0; 320])?);
/// const { assert!(matches!(KnuthYaoCt::<[u32; 1], [i8; 320]>::TIMING, Timing::Constant)) };
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i8; 5000];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| (-1..=1).contains(x)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct KnuthYaoCt<S, P> {
    table: PooledTable<S, P>,
}

mod resolve;

use super::cdt_ct::CdtCt;
use super::common::batches::Batches;
use crate::arch::cdt_lazy_ct::{Batch, MAX_DIGITS, MAX_SLOTS};
use crate::arch::knuth_yao_ct::{COLUMNS, Level, POOL};
use crate::arch::tree::Tree;
use crate::arch::{Backend, Kernel};
use crate::bits::BitSource;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::table::{CdtTable, LAZY_ROW, Levels, MAX_POOL, MAX_POOLED_ROWS, PooledTable, Pools, Shape, Table};
use bytemuck::{cast_slice, cast_slice_mut};
use zeroize::Zeroize;

const _: () = assert!(LAZY_ROW == COLUMNS && MAX_SLOTS <= POOL && MAX_POOL[0].is_multiple_of(COLUMNS));

/// Words of the buffers of a batch of so many rows with pools of the most entries.
const WORDS: usize = Parts {
    draws: MAX_POOLED_ROWS * COLUMNS + MAX_POOL[0] + 2 * MAX_SLOTS + MAX_POOL[1] * MAX_DIGITS,
    second: MAX_POOL[0],
    third: POOL,
    samples: MAX_POOLED_ROWS * COLUMNS,
}
.words();
/// Words of the buffers of shorter batches: to clear and erase them is much of a short fill. With these, fills of 512 and
/// 2048 samples, and of a whole batch, have buffers of their own at σ = 3.2.
const FEW: [usize; 3] = [336, 880, 2944];

/// Bytes of the parts of a batch's buffers.
#[derive(Clone, Copy)]
struct Parts {
    /// Of the stream.
    draws: usize,
    /// The first two pools in whole rows.
    second: usize,
    third: usize,
    /// The samples.
    samples: usize,
}

impl Parts {
    const fn words(self) -> usize {
        let draws = self.draws.next_multiple_of(COLUMNS);
        (self.samples + draws + COLUMNS + 2 * self.second + POOL + 3 * self.third + POOL) / 8
    }

    /// The samples' values and the stream's draws, then the draws and values of the first pool, then the draws and values of the second pool. Behind the
    /// stream's draws there is a row that is read with them, and behind both pools' values there are [`POOL`] bytes.
    fn split(self, words: &mut [u64]) -> [&mut [u8]; 6] {
        let (values, rest) = cast_slice_mut(words).split_at_mut(self.samples);
        let (draws, rest) = rest.split_at_mut(self.draws.next_multiple_of(COLUMNS) + COLUMNS);
        let (second, rest) = rest.split_at_mut(self.second);
        let (seconds, rest) = rest.split_at_mut(self.second + POOL);
        let (third, rest) = rest.split_at_mut(2 * self.third);
        [values, draws, second, seconds, third, &mut rest[..self.third + POOL]]
    }
}

/// The buffers of a fill, erased when it ends: bytes by words, which are erased eight at a time.
#[repr(align(64))]
pub(crate) struct Scratch<W: AsMut<[u64]> + ?Sized = [u64]> {
    /// Words in use.
    dirty: usize,
    words: W,
}

impl<W: AsMut<[u64]> + ?Sized> Drop for Scratch<W> {
    fn drop(&mut self) {
        self.words.as_mut()[..self.dirty].zeroize();
    }
}

/// From values to samples of any output type.
struct Widen<'a, T> {
    first: i64,
    values: &'a [u8],
    out: &'a mut [T],
}

impl<T: Int> Kernel for Widen<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (slot, value) in self.out.iter_mut().zip(self.values) {
            *slot = T::wrapping(self.first.wrapping_add(value.cast_signed().into()));
        }
    }
}

/// Not inlined: the caller would have buffers of every length on its stack.
#[inline(never)]
fn in_buffers<const N: usize, R>(fill: impl FnOnce(&mut Scratch) -> R) -> R {
    fill(&mut Scratch { dirty: 0, words: [0; N] })
}

fn tree(levels: Levels<'_>) -> Tree<'_> {
    let Levels { rows, stride, levels, len } = levels;
    Tree { rows, stride, levels, len }
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> KnuthYaoCt<S, P> {
    /// Builds the sampler over this table.
    pub const fn from_table(table: PooledTable<S, P>) -> Self {
        KnuthYaoCt { table }
    }

    /// Returns the table.
    #[cfg(feature = "testing")]
    pub const fn table(&self) -> &PooledTable<S, P> {
        &self.table
    }

    fn folded(&self) -> bool {
        self.table.table().shape() == Shape::Folded
    }

    /// The parts of a batch of so many rows with these pools.
    fn parts(&self, rows: usize, pools: Pools) -> Parts {
        let samples = rows * COLUMNS;
        Parts {
            draws: samples + pools.draws(self.table.fine_digits()),
            second: pools.second.next_multiple_of(COLUMNS),
            third: pools.third.next_multiple_of(COLUMNS),
            samples,
        }
    }

    /// Steps 5 and 6, from the draws to the values. 1 if there was an overflow, or else 0.
    fn levels(
        &self,
        backend: Backend,
        rows: usize,
        pools: Pools,
        [samples, draws, second, seconds, third, thirds]: [&mut [u8]; 6],
    ) -> u32 {
        let [of_samples, of_second, of_third, fine] = self.table.trees().map(tree);
        let [base, second_base, third_base, certain] = self.table.bases();
        let (sample_draws, rest) = draws.split_at(rows * COLUMNS);
        // Rows that a pool does not fill are decided: draws of 0.
        let (second_draws, rest) = rest.split_at(pools.second);
        second[..pools.second].copy_from_slice(second_draws);
        second[pools.second..].fill(0);
        let (highs, rest) = rest.split_at(pools.third);
        let (lows, spare) = rest.split_at(pools.third);
        third.fill(0);
        for (row, (high, low)) in
            third.chunks_exact_mut(2 * COLUMNS).zip(highs.chunks(COLUMNS).zip(lows.chunks(COLUMNS)))
        {
            row[..high.len()].copy_from_slice(high);
            row[COLUMNS..][..low.len()].copy_from_slice(low);
        }
        let (values, _) = thirds.split_at_mut(third.len() / 2);
        let mut overflow = Batch {
            coarse: of_third,
            fine,
            digits: self.table.fine_digits(),
            slots: pools.last,
            offset: certain.wrapping_sub(third_base).into(),
            folded: false,
            draws: third,
            spare: &spare[..self.table.fine_digits() * pools.last + COLUMNS],
            low: &mut *values,
            high: &mut [],
        }
        .run(backend);
        values.iter_mut().for_each(|value| *value = value.wrapping_add(third_base));
        overflow |= Level {
            tree: of_second,
            folded: false,
            base: second_base,
            draws: second,
            values: &mut seconds[..second.len()],
            pool: &thirds[..pools.third + POOL],
            section: [second.len() / COLUMNS, pools.third],
        }
        .run(backend);
        overflow |= Level {
            tree: of_samples,
            folded: self.folded(),
            base,
            draws: sample_draws,
            values: samples,
            pool: &seconds[..pools.second + POOL],
            section: [self.table.section_rows(), pools.section],
        }
        .run(backend);
        overflow
    }
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> Batches for KnuthYaoCt<S, P> {
    type Scratch = Scratch;
    const LEAST: usize = 8;

    fn batch_len(&self) -> usize {
        self.table.batch()
    }

    #[inline(always)]
    fn with_scratch<R>(&self, samples: usize, fill: impl FnOnce(&mut Scratch) -> R) -> R {
        let rows = samples.min(self.table.batch()).div_ceil(COLUMNS);
        match self.parts(rows, self.table.pools(rows * COLUMNS)).words() {
            words if words <= FEW[0] => in_buffers::<{ FEW[0] }, R>(fill),
            words if words <= FEW[1] => in_buffers::<{ FEW[1] }, R>(fill),
            words if words <= FEW[2] => in_buffers::<{ FEW[2] }, R>(fill),
            _ => in_buffers::<WORDS, R>(fill),
        }
    }

    fn thresholds(&self) -> CdtTable<&[u32]> {
        self.table.table().view()
    }

    /// Steps 1 to 6, and the signs.
    fn batch<B: BitSource + ?Sized>(&self, backend: Backend, bits: &mut B, scratch: &mut Scratch, samples: usize) {
        let (rows, pools) = (samples.div_ceil(COLUMNS), self.table.pools(samples));
        let parts = self.parts(rows, pools);
        scratch.dirty = scratch.dirty.max(parts.words());
        // steps 1 to 4
        let words = &mut scratch.words[parts.samples / 8..][..parts.draws / 8];
        bits.words(words);
        words.iter_mut().for_each(|word| *word = word.to_le());
        let overflow = self.levels(backend, rows, pools, parts.split(&mut scratch.words));
        if bits.declassify(overflow) != 0 {
            let [values, draws, second, _, third, thirds] = parts.split(&mut scratch.words);
            let pool_values = [&mut second[..pools.second], &mut thirds[..pools.third], &mut third[..pools.last]];
            let section = self.table.section_rows() * COLUMNS;
            let (trees, bases) = (self.table.trees().map(tree), self.table.bases());
            let levels = resolve::Levels { trees, bases, digits: self.table.fine_digits(), folded: self.folded() };
            levels.batch(bits, &draws[..parts.draws], values, pools, section, pool_values);
        }
    }

    /// Step 7.
    fn finish<T: Int>(&self, backend: Backend, first: i64, scratch: &Scratch, start: usize, out: &mut [T]) {
        let (first, values) = (first + self.table.middle() as i64, &cast_slice(&scratch.words)[start..]);
        backend.run(Widen { first, values, out });
    }
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> Sampler for KnuthYaoCt<S, P> {
    const TIMING: Timing = Timing::Constant;
    const BATCH: usize = MAX_POOLED_ROWS * COLUMNS;

    fn profile(&self) -> Profile {
        let table = self.table.table();
        let batch = self.table.batch();
        let bytes = self.parts(batch / COLUMNS, self.table.pools(batch)).draws;
        Profile {
            target: table.target().into(),
            exactness: Exactness::Within(self.table.bound()),
            timing: Self::TIMING,
            support: table.support(),
            table_bytes: self.table.bytes(),
            expected_bits: (8 * bytes) as f64 / batch as f64,
            expected_trials: 1.0,
        }
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
