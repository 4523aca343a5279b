/// CDT in constant time: every threshold is compared with every uniform, 512 at once in bit planes.
///
/// Paper: \[JSDGS17\], Algorithm 2 (invCDF). Proof: docs/proofs/cdt-ct.md.
///
/// | Law        | the table's own, P(index >= j) = T_j/2^B; its distance from D_{Z,σ,c} is the table's [`Bound`](crate::profile::Bound). The same as [`Cdt`](super::cdt::Cdt)'s over the same table |
/// | Bits       | exactly B + 1 (folded) or B (full) |
/// | Memory     | 4n⌈B/32⌉ bytes, n thresholds (about 10σ at B = 72, full 20σ); 64 KiB of stack in a fill |
/// | Timing     | Constant: no branch, index or address depends on a random bit. Evidence: SECURITY.md. Exception: see below |
/// | Parameters | any σ and centre whose table has at most 32,767 thresholds; B from 1 to 256 |
///
/// ```text
/// 1  u ← {0, …, 2^B - 1} uniform
/// 2  j ← #{i : u < T_i}                      (all comparisons, each over all bits)
/// 3  s ← ±1; return first + s·j              (folded; full: return first + j)
/// ```
///
/// The stream of a sample: u, least significant bit first, then with a folded table the sign.
///
/// Departures from the paper, beside the departures of [`Cdt`](super::cdt::Cdt) except the lazy draw:
/// - `fill` takes up to 512 records together, transposes them to bit planes and compares them there
///   ([`arch`](crate::arch)); fewer than 144 it takes by 32. A few, and `sample`, compare one u digit by digit with
///   borrows, from 65 to 128 bits with a threshold in each lane of the vector registers. All give the same integers from
///   the same bits, and a batch draws the bits of its samples alone.
/// - [`CdtCtSmall`] takes 32 records together always, in less than 4 KiB of stack.
///
/// The time depends on the table, which is public, and on the number of samples. If the support
/// does not fit the output type of `fill`, whether each sample fits is revealed too: by the error.
///
/// Inversion over a [`CdtTable`] in constant time.
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, Timing, bits::BitReader};
/// use samplez_core::{Sampler, samplers::CdtCt};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_core::table::{CdtTable, Shape};
/// // A table as it might lie in a static: 8 bits, σ = 1, values -1, 0, 1.
/// static DIGITS: [u32; 1] = [140 << 24];
/// let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let bound = Bound::TRIVIAL;
/// let sampler = CdtCt::from_table(CdtTable::new(law, bound, Shape::Folded, 0, 8, &DIGITS)?)?;
/// const { assert!(matches!(CdtCt::<&[u32]>::TIMING, Timing::Constant)) };
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i8; 1000];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| (-1..=1).contains(x)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CdtCt<S> {
    table: CdtTable<S>,
}

mod lanes;
mod rank;
mod small;

use crate::table::Table;
pub use small::CdtCtSmall;

use crate::arch::cdt_ct::{Inversion, MAX_THRESHOLDS, Scratch};
use crate::arch::planes::BATCH;
use crate::arch::{Backend, hidden};
use crate::bits::BitSource;
use crate::params::ParamError;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler, narrowed};
use crate::table::{CdtTable, MAX_PRECISION, Shape};
use rank::Rank;
use zeroize::Zeroize;

/// From how many samples on a batch of 512 takes less time than batches of 32: for a short table, and for others.
const WIDE: [usize; 2] = [144, 64];
/// Thresholds of a short table, at most.
const SHORT: usize = 128;
/// Fewer samples than this take less time one by one.
const FEW: usize = 10;

const DIGITS: usize = MAX_PRECISION.div_ceil(32) as usize;

impl<S: AsRef<[u32]>> CdtCt<S> {
    /// Builds the sampler over this table.
    ///
    /// # Errors
    ///
    /// [`ParamError::OutOfRange`] if the table has more than 32,767 thresholds.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::{Sampler, samplers::CdtCt, table::{CdtTable, Shape}};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// assert_eq!(CdtCt::from_table(table)?.profile().expected_bits, 9.0);
    /// let long = CdtTable::new(law, bound, Shape::Folded, 0, 8, vec![0; 40_000]).unwrap();
    /// assert_eq!(CdtCt::from_table(long).unwrap_err().to_string(), "thresholds = 40000: expected a number between 1 and 32767");
    /// # Ok::<(), samplez_core::ParamError>(())
    /// ```
    pub fn from_table(table: CdtTable<S>) -> Result<Self, ParamError> {
        if table.len() > MAX_THRESHOLDS {
            return Err(ParamError::OutOfRange {
                argument: "thresholds",
                value: table.len() as u64,
                min: 1,
                max: MAX_THRESHOLDS as u64,
            });
        }
        Ok(CdtCt { table })
    }

    /// The sampler over a table of at most 32,767 thresholds.
    pub(super) const fn over(table: CdtTable<S>) -> Self {
        CdtCt { table }
    }

    /// Returns the table.
    #[cfg(feature = "testing")]
    pub const fn table(&self) -> &CdtTable<S> {
        &self.table
    }

    fn signed(&self) -> bool {
        self.table.shape() == Shape::Folded
    }

    /// Bits of a sample.
    fn record(&self) -> usize {
        self.table.precision() as usize + usize::from(self.signed())
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
        self.fill_with(bits, out, |table, bits, out| {
            let rest = out.len() % BATCH;
            let is_short = rest < WIDE[usize::from(table.len() > SHORT)];
            let (wide, rest) = out.split_at_mut(out.len() - if is_short { rest } else { 0 });
            if !wide.is_empty() {
                fill_wide(table, backend, bits, wide);
            }
            if !rest.is_empty() {
                lanes::fill(table, backend, bits, rest);
            }
        })
    }

    /// Fills by batches, except a few samples at the end, and samples that may not fit the type.
    fn fill_with<T: Int, B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
        out: &mut [T],
        fill: impl FnOnce(&CdtTable<&[u32]>, &mut B, &mut [T]),
    ) -> Result<(), RangeError> {
        let support = self.table.support();
        let fits = *support.start() >= T::MIN && *support.end() <= T::MAX;
        let rest = if !fits {
            out.len()
        } else if out.len() % lanes::LANES < FEW {
            out.len() % lanes::LANES
        } else {
            0
        };
        let (batches, rest) = out.split_at_mut(out.len() - rest);
        if !batches.is_empty() {
            fill(&self.table.view(), bits, batches);
        }
        self.one_by_one(bits, rest, fits)
    }

    /// One sample after the other; `fits` if the support fits the type.
    pub(super) fn one_by_one<T: Int, B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
        rest: &mut [T],
        fits: bool,
    ) -> Result<(), RangeError> {
        for slot in rest {
            let value = self.sample(bits);
            *slot = if fits { T::wrapping(value) } else { narrowed(value)? };
        }
        Ok(())
    }
}

/// Fills `out` by batches of 512, the last of which may have fewer samples: it draws no more bits than they take.
#[inline(never)]
fn fill_wide<T: Int, B: BitSource + ?Sized>(table: &CdtTable<&[u32]>, backend: Backend, bits: &mut B, out: &mut [T]) {
    let (precision, signed) = (table.precision() as usize, table.shape() == Shape::Folded);
    let record = precision + usize::from(signed);
    let (heads, tails) = table.digits().split_at(table.len());
    // Not as a pair: it would be copied from there.
    let mut scratch = const { Scratch::new() };
    let mut indices = [0; BATCH];
    for slots in out.chunks_mut(BATCH) {
        // step 1
        let (whole, last) = (slots.len() * record / 64, (slots.len() * record % 64) as u32);
        let words = &mut scratch.words()[..8 * record];
        bits.words(&mut words[..whole]);
        if last > 0 {
            words[whole] = bits.bits(last);
        }
        words[whole + usize::from(last > 0)..].fill(0);
        // step 2
        backend.run_in_vectors(Inversion { scratch: &mut scratch, heads, tails, precision, signed, out: &mut indices });
        // step 3
        for (slot, index) in slots.iter_mut().zip(&indices) {
            *slot = T::wrapping(table.first() + i64::from(*index));
        }
    }
    indices.as_mut_slice().zeroize();
}

impl<S: AsRef<[u32]>> Sampler for CdtCt<S> {
    const TIMING: Timing = Timing::Constant;

    fn profile(&self) -> Profile {
        Profile {
            target: self.table.target().into(),
            exactness: Exactness::Within(self.table.bound()),
            timing: Self::TIMING,
            support: self.table.support(),
            table_bytes: self.table.bytes(),
            expected_bits: self.record() as f64,
            expected_trials: 1.0,
        }
    }

    /// The profile's expectation, which is exact for whole batches.
    fn batch_bits(&self) -> Option<u64> {
        Some((Self::BATCH as f64 * self.profile().expected_bits) as u64)
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        // step 1: the digits of u, the least significant one first, left-aligned like thresholds
        let digits = self.table.precision().div_ceil(32) as usize;
        let padding = 32 * digits as u32 - self.table.precision();
        let mut u = [0; DIGITS];
        let u = &mut u[..digits];
        for (d, digit) in u.iter_mut().rev().enumerate() {
            let padding = if d == 0 { padding } else { 0 };
            *digit = bits.bits(32 - padding) << padding;
        }
        let sign = if self.signed() { hidden(bits.bit().into()).cast_signed() } else { 0 };
        // step 2
        let (heads, tails) = self.table.digits().split_at(self.table.len());
        let index = Rank { u, heads, tails }.count(Backend::current());
        // step 3: first + j or first - j
        self.table.first() + ((index ^ -sign) + sign)
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_on(Backend::current(), bits, out)
    }
}

#[cfg(test)]
mod tests;
