/// Knuth–Yao in constant time: levels of 7, 8 and 16 bits, whose draws are made before it is known who needs them.
///
/// Paper: \[JSDGS17\], Algorithm 5 (Knuth–Yao). Proof: docs/proofs/knuth-yao-ct.md.
///
/// | Law        | the table's own, P(index >= j) = T_j/2^B, conditioned on no overflow, of probability at least 1 - 2^-(B+8) for a batch; the bound of both: [`PooledTable::bound`](crate::table::Table::bound) |
/// | Bits       | 8 and the pools' (σ = 3.2, B = 128: 11.1 in batches of 2048, 21 of 256); B + 1 (folded) or B (full) in [`sample`](Sampler::sample) |
/// | Memory     | thresholds 4n⌈B/32⌉ bytes, trees of 64 bytes for each byte of the levels (σ = 3.2, B = 128: 672 + 1152); 60 KB of stack in a fill |
/// | Timing     | Constant: no branch, index or address depends on a random bit; whether a fill overflowed is revealed, by its failure. Evidence: SECURITY.md. Exception: see below |
/// | Parameters | any σ and centre whose table has at most 127 thresholds (folded) or 254 (full) and few enough open draws (σ up to about 8 at B = 128, 5 at 256); B from 1 to 256 |
///
/// ```text
/// 1  v_i ← {0, …, 2^L - 1} uniform, s_i ← ±1     (for each sample i; L = 7; full: L = 8, no sign)
/// 2  v'_k ← {0, …, 2^8 - 1} uniform              (for each entry k of the first pool)
/// 3  v''_k ← {0, …, 2^16 - 1} uniform            (for each entry k of the second pool)
/// 4  w_k uniform of the bits that are left       (for each entry k of the third pool)
/// 5  the third pool's entries are #{j >= 1 : w_k < F_j}
/// 6  for the second pool, the first and the samples, one after the other: a draw v is j = #{j >= 0 : v < D_j} - 1,
///    open unless v < D_0; the k-th open draw is the k-th entry of the pool before   (too many: the fill fails)
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
/// `fill` makes whole batches, and of 8 or more remaining samples a batch of as many rows of 64 as are needed, with
/// smaller pools. Fewer are drawn one by one. So a fill in two pieces equals one fill only if the first piece is whole
/// batches: [`Sampler::BATCH`].
///
/// Departures from the paper:
/// - The tree has levels of 2^7 or 2^8, 2^8 and 2^16 children instead of two, and ends by inversion. A level takes back a
///   few leaves, so that the number of its inner nodes is a power of two.
/// - All inner nodes of a level have the same law below them, the residual masses. So one draw serves whichever node is
///   reached. The draws of the next level are made for a pool, whether they are needed or not.
/// - Entries of a pool are handed out in the order in which draws are open, column by column of the rows of 64. The
///   samples have sections of 16, 8 or 4 rows with entries of their own. Entries that nobody needs are dropped.
/// - `sample`, and the samples that `fill` draws one by one, equal the samples of [`CdtCt`].
///
/// An *overflow*, more open draws than a pool has entries, has a probability of at most 2^-(B+8) in a batch. A broken
/// source makes it likely. There is no second attempt, which would be a branch on secrets. The output is set to zero, and
/// the source is condemned ([`BitSource::condemn`]). If the support does not fit the output type of `fill`, the error
/// reveals whether each sample fits.
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, Sampler, Timing, bits::BitReader, samplers::KnuthYaoCt};
/// use samplez_core::table::{CdtTable, PooledTable, Shape};
/// use samplez_sources::{ChaCha20, Seed};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// # let bound = Bound::TRIVIAL;
/// // 8 bits, σ = 1, values -1, 0, 1.
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// let sampler = KnuthYaoCt::from_table(PooledTable::with_parts_in(table, [0; 320])?);
/// const { assert!(matches!(KnuthYaoCt::<[u32; 1], [i8; 320]>::TIMING, Timing::Constant)) };
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i8; 5000];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| (-1..=1).contains(x)) && bits.fault().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct KnuthYaoCt<S, P> {
    table: PooledTable<S, P>,
}

use super::cdt_ct::CdtCt;
use super::common::batches::Batches;
use super::common::finish::Finish;
use crate::arch::Backend;
use crate::arch::cdt_lazy_ct::{Batch, MAX_DIGITS, MAX_SLOTS};
use crate::arch::knuth_yao_ct::{COLUMNS, Level, POOL};
use crate::arch::planes::Aligned;
use crate::arch::tree::Tree;
use crate::bits::BitSource;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::table::{CdtTable, LAZY_BATCH, LAZY_ROW, Levels, PooledTable, Pools, Shape, Table};
use bytemuck::{cast_slice, cast_slice_mut};
use zeroize::Zeroize;

/// The most entries of the first pool: eight sections.
const MAX_SECOND: usize = 8 * MAX_SLOTS;
/// The second pool in rows.
const MAX_THIRD: usize = MAX_SLOTS.next_multiple_of(COLUMNS);
/// Bytes of a batch, and a row more, which the last draws are read with.
const BYTES: usize = LAZY_BATCH + MAX_SECOND + 2 * MAX_SLOTS + MAX_SLOTS * MAX_DIGITS + COLUMNS;

const _: () = assert!(LAZY_ROW == COLUMNS && MAX_THIRD == POOL && MAX_SECOND.is_multiple_of(COLUMNS));

/// The buffers of a fill, erased when it ends: bytes by words, which are erased eight at a time.
pub(crate) struct Scratch {
    draws: Aligned<[u64; BYTES / 8]>,
    /// The first pool's draws in whole rows, and their values with bytes that are read behind them.
    second: Aligned<[u64; MAX_SECOND / 8]>,
    seconds: Aligned<[u64; (MAX_SECOND + POOL) / 8]>,
    /// The second pool's.
    third: Aligned<[u64; 2 * MAX_THIRD / 8]>,
    thirds: Aligned<[u64; (MAX_THIRD + POOL) / 8]>,
    values: Aligned<[u64; LAZY_BATCH / 8]>,
    /// Words of draws, of the first pool's draws, of the second pool's draws and of values in use.
    dirty: [usize; 4],
}

impl Scratch {
    #[inline(always)]
    const fn new() -> Self {
        Scratch {
            draws: Aligned([0; BYTES / 8]),
            second: Aligned([0; MAX_SECOND / 8]),
            seconds: Aligned([0; (MAX_SECOND + POOL) / 8]),
            third: Aligned([0; 2 * MAX_THIRD / 8]),
            thirds: Aligned([0; (MAX_THIRD + POOL) / 8]),
            values: Aligned([0; LAZY_BATCH / 8]),
            dirty: [0; 4],
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let [draws, second, third, values] = self.dirty;
        self.draws.0[..draws].zeroize();
        self.second.0[..second].zeroize();
        self.seconds.0[..second].zeroize();
        self.third.0[..2 * third].zeroize();
        self.thirds.0[..third].zeroize();
        self.values.0[..values].zeroize();
    }
}

fn tree(levels: Levels<'_>) -> Tree<'_> {
    let Levels { rows, stride, levels, len } = levels;
    Tree { rows, stride, levels, len }
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> KnuthYaoCt<S, P> {
    /// The sampler over this table.
    pub const fn from_table(table: PooledTable<S, P>) -> Self {
        KnuthYaoCt { table }
    }

    /// The table.
    #[cfg(feature = "testing")]
    pub const fn table(&self) -> &PooledTable<S, P> {
        &self.table
    }

    fn folded(&self) -> bool {
        self.table.table().shape() == Shape::Folded
    }

    /// Bytes of a batch of so many rows with these pools.
    fn bytes(&self, rows: usize, pools: Pools) -> usize {
        rows * COLUMNS + pools.second + 2 * pools.third + self.table.fine_digits() * pools.last
    }

    /// Steps 5 and 6, from the draws to the values. 1 if there was an overflow, or else 0.
    fn levels(&self, backend: Backend, rows: usize, pools: Pools, scratch: &mut Scratch) -> u32 {
        let (samples, [second, third]) = (rows * COLUMNS, whole_rows(pools));
        let (draws, rest) = cast_slice::<u64, u8>(&scratch.draws.0).split_at(samples);
        // Rows that a pool does not fill are decided: draws of 0.
        let padded: &mut [u8] = &mut cast_slice_mut(&mut scratch.second.0)[..second];
        let (second_draws, rest) = rest.split_at(pools.second);
        padded[..pools.second].copy_from_slice(second_draws);
        padded[pools.second..].fill(0);
        let (second_draws, padded) = (&*padded, &mut cast_slice_mut(&mut scratch.third.0)[..2 * third]);
        let (highs, rest) = rest.split_at(pools.third);
        let (lows, spare) = rest.split_at(pools.third);
        padded.fill(0);
        for (row, (high, low)) in
            padded.chunks_exact_mut(2 * COLUMNS).zip(highs.chunks(COLUMNS).zip(lows.chunks(COLUMNS)))
        {
            row[..high.len()].copy_from_slice(high);
            row[COLUMNS..][..low.len()].copy_from_slice(low);
        }
        let third_draws: &[u8] = padded;
        let [of_samples, of_second, of_third, fine] = self.table.trees().map(tree);
        let [base, second_base, third_base, certain] = self.table.bases();
        let thirds: &mut [u8] = cast_slice_mut(&mut scratch.thirds.0);
        let mut overflow = Batch {
            coarse: of_third,
            fine,
            digits: self.table.fine_digits(),
            slots: pools.last,
            offset: certain.wrapping_sub(third_base).into(),
            folded: false,
            draws: third_draws,
            spare: &spare[..self.table.fine_digits() * pools.last + COLUMNS],
            low: &mut thirds[..third],
            high: &mut [],
        }
        .run(backend);
        thirds[..third].iter_mut().for_each(|value| *value = value.wrapping_add(third_base));
        let seconds: &mut [u8] = cast_slice_mut(&mut scratch.seconds.0);
        overflow |= Level {
            tree: of_second,
            folded: false,
            base: second_base,
            draws: second_draws,
            pool: &thirds[..pools.third + POOL],
            section: [second / COLUMNS, pools.third],
            values: &mut seconds[..second],
        }
        .run(backend);
        let values: &mut [u8] = &mut cast_slice_mut(&mut scratch.values.0)[..samples];
        overflow |= Level {
            tree: of_samples,
            folded: self.folded(),
            base,
            draws,
            pool: &seconds[..pools.second + POOL],
            section: [self.table.section_rows(), pools.section],
            values,
        }
        .run(backend);
        overflow
    }
}

/// The entries of the first two pools in whole rows.
fn whole_rows(pools: Pools) -> [usize; 2] {
    [pools.second, pools.third].map(|entries| entries.next_multiple_of(COLUMNS))
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> Batches for KnuthYaoCt<S, P> {
    type Scratch = Scratch;
    const LEAST: usize = 8;

    #[inline(always)]
    fn scratch() -> Scratch {
        Scratch::new()
    }

    fn thresholds(&self) -> CdtTable<&[u32]> {
        self.table.table().view()
    }

    /// Steps 1 to 7.
    fn batch<T: Int, B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        first: i64,
        bits: &mut B,
        scratch: &mut Scratch,
        out: &mut [T],
    ) -> u32 {
        let (rows, pools) = (out.len().div_ceil(COLUMNS), self.table.pools(out.len()));
        let samples = rows * COLUMNS;
        let ([second, third], used) = (whole_rows(pools), self.bytes(rows, pools) / 8);
        for (dirty, words) in scratch.dirty.iter_mut().zip([used, second / 8, third / 8, samples / 8]) {
            *dirty = words.max(*dirty);
        }
        // steps 1 to 4
        let words = &mut scratch.draws.0[..used];
        bits.words(words);
        words.iter_mut().for_each(|word| *word = word.to_le());
        let overflow = self.levels(backend, rows, pools, scratch);
        // step 7
        let first = first + self.table.middle() as i64;
        let (draws, values) = (&cast_slice(&scratch.draws.0)[..samples], &cast_slice(&scratch.values.0)[..samples]);
        backend.run(Finish { row: COLUMNS, folded: self.folded(), first, draws, low: values, high: &[], out });
        overflow
    }
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> Sampler for KnuthYaoCt<S, P> {
    const TIMING: Timing = Timing::Constant;
    const BATCH: usize = LAZY_BATCH;

    fn profile(&self) -> Profile {
        let table = self.table.table();
        let bytes = self.bytes(LAZY_BATCH / COLUMNS, self.table.pools(LAZY_BATCH));
        Profile {
            target: *table.target(),
            exactness: Exactness::Within(self.table.bound()),
            timing: Self::TIMING,
            support: table.support(),
            table_bytes: self.table.bytes(),
            expected_bits: (8 * bytes) as f64 / LAZY_BATCH as f64,
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
