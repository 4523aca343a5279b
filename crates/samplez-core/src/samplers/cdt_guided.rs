//! CDT with a guide: inversion where a table, indexed by the leading bits, decides most draws.
//!
//! Paper: \[JSDGS17\], Algorithm 2 (invCDF). Proof: docs/proofs/cdt-guided.md.
//!
//! | Law        | the table's own, P(index >= j) = T_j/2^B; its distance from D_{Z,σ,c} is the table's [`Bound`](crate::profile::Bound). The same as [`Cdt`]'s over the same table |
//! | Bits       | 16, and more if u's cell holds a threshold; 32 instead of 16 if the guide is indexed by more than 15 bits (full tables: 16). [`profile`](crate::sampler::Sampler::profile) has the average |
//! | Memory     | 4n⌈B/32⌉ + 4·2^g bytes, n thresholds, guide of g bits |
//! | Timing     | Variable: the addresses read depend on the sample |
//! | Parameters | any σ and centre whose table fits; B from 1 to 256 |
//!
//! ```text
//! 1  u ← {0, …, 2^B - 1} uniform
//! 2  j ← #{i : u < T_i}                      (guide, then a search upwards)
//! 3  s ← ±1; return first + s·j              (folded; full: return first + j)
//! ```
//!
//! The stream of a sample: a draw of 16 or 32 bits, the least significant the sign (folded), the
//! others the leading bits of u (all of u, if B is smaller); if its cell is open, the bits of u
//! up to the 31st (full: 32nd); if these are the leading bits of a threshold, the rest of u. Each
//! piece most significant bit last.
//!
//! Departures from the paper: those of [`Cdt`], and
//! - Step 2 looks into the guide, at u's leading g bits. In a decided cell its entry is j; in an
//!   open one it is the number of thresholds above the cell, from where the search counts on.
//!   The result is the same function of u.
//! - `fill` looks at the next 64 bits, which hold two or four draws, and returns them together if
//!   all of them are decided. It reads ahead no more than the samples still wanted will use.

use super::cdt::Cdt;
use super::common::feed::{Feed, WORDS};
use crate::bits::BitSource;
use crate::profile::{Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::table::{GuidedTable, OPEN, Shape};
use zeroize::Zeroize;

/// Draws of 16 bits in a chunk.
const LANES: usize = 4 * WORDS;
/// Values copied at once.
const RUN: usize = 16;

/// Inversion over a [`GuidedTable`].
///
/// ```
/// use samplez_core::{bits::BitReader, params::{DiscreteGaussian, Rational}, profile::Bound};
/// use samplez_core::{sampler::Sampler, samplers::cdt_guided::CdtGuided, sources::{ChaCha20, Seed}};
/// use samplez_core::table::{CdtTable, GuidedTable, Shape};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
/// // 8 bits, σ = 1, values -1, 0, 1, and a guide of one bit.
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// let sampler = CdtGuided::from_table(GuidedTable::new(table, [1, 1 << 31])?);
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..100).all(|_| sampler.sample(&mut bits).abs() <= 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CdtGuided<S, G> {
    table: GuidedTable<S, G>,
}

/// A draw: the leading bits of u and, if the table is folded, the sign below them.
#[derive(Clone, Copy)]
struct Draw {
    bits: u32,
    entry: u32,
}

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> CdtGuided<S, G> {
    /// The sampler over this table.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::{sampler::Sampler, samplers::cdt_guided::CdtGuided, table::{CdtTable, GuidedTable, Shape}};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let sampler = CdtGuided::from_table(GuidedTable::new(table, [1, 1 << 31]).unwrap());
    /// assert_eq!(sampler.profile().expected_bits, 9.0);
    /// ```
    pub const fn from_table(table: GuidedTable<S, G>) -> Self {
        CdtGuided { table }
    }

    /// The table.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::{samplers::cdt_guided::CdtGuided, table::{CdtTable, GuidedTable, Shape}};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// # let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let sampler = CdtGuided::from_table(GuidedTable::new(table, [1, 1 << 31]).unwrap());
    /// assert_eq!(sampler.table().guide_bits(), 1);
    /// ```
    pub const fn table(&self) -> &GuidedTable<S, G> {
        &self.table
    }

    /// Bits of the first draw, the sign included.
    #[inline(always)]
    fn draw_bits(&self) -> u32 {
        self.table.lead_bits() + u32::from(self.folded())
    }

    #[inline(always)]
    fn folded(&self) -> bool {
        self.table.table().shape() == Shape::Folded
    }

    /// The draw of these bits, and the guide's entry for it; `width` is [`draw_bits`](Self::draw_bits).
    #[inline(always)]
    fn look_up(&self, bits: u32, width: u32) -> Draw {
        // The cell is the top g of the lead bits, which are the top bits of the draw.
        let cell = bits >> (width - self.table.guide_bits());
        Draw { bits, entry: self.table.guide()[cell as usize] }
    }

    /// Step 2 where the cell is open: the search from the guide's entry on.
    #[inline(never)]
    fn search<B: BitSource + ?Sized>(&self, draw: Draw, bits: &mut B) -> usize {
        let cdt = Cdt::from_table(self.table.table().view());
        let (heads, lead_bits, head_bits) = (cdt.table().heads(), self.table.lead_bits(), cdt.table().head_bits());
        let mut u0 = (draw.bits >> u32::from(self.folded())) << (32 - lead_bits);
        let unknown = ((1_u64 << (32 - lead_bits)) - 1) as u32;
        let start = (draw.entry & !OPEN) as usize;
        let start = start + heads[start..].iter().take_while(|head| **head > u0 | unknown).count();
        if heads.get(start).is_none_or(|head| head | unknown != u0 | unknown) {
            return start;
        }
        if head_bits > lead_bits {
            u0 |= (bits.bits(head_bits - lead_bits) as u32) << (32 - head_bits);
        }
        let count =
            |heads: &[u32], [key]: [u32; 1]| [start + heads[start..].iter().take_while(|head| **head > key).count()];
        let [index] = cdt.indices([u0], count, bits);
        index
    }

    /// Step 3: first + j or first - j.
    #[inline(always)]
    fn value(&self, index: usize, draw: Draw) -> i64 {
        let negative = if self.folded() { i64::from(draw.bits & 1) } else { 0 };
        self.table.table().first() + ((index as i64 ^ -negative) + negative)
    }

    /// `fill` for draws of 16 bits, and values that fit T: a chunk of words is mapped to indices with
    /// signs as if each were a draw, then the lanes are passed in order. Those that the map left
    /// open are sampled from their bits on, which may use up the lane that follows.
    #[inline(always)]
    fn fill_mapped<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) {
        let first = self.table.table().first();
        let mut feed = Feed::new(bits);
        let mut values = [0_i16; LANES + RUN];
        let mut dirty = 0;
        let mut rest = out;
        // A sample uses 16 bits or more.
        while rest.len() >= 4 {
            let words = (rest.len() / 4).min(WORDS);
            let lanes = 4 * words;
            let mut open = [0_u64; LANES / 64 + 1];
            self.map(feed.load(words), &mut values, &mut open);
            // A sentinel past the last lane.
            open[lanes / 64] |= 1 << (lanes % 64);
            dirty = dirty.max(lanes);
            let mut at = 0;
            while at < lanes {
                let next = next_open(&open, at);
                copy_run(&values[at..], &mut rest, next - at, first);
                feed.skip(16 * (next - at));
                at = next;
                if next < lanes {
                    put(&mut rest, self.sample(&mut feed));
                    at = feed.position().div_ceil(16);
                    if feed.position() % 16 != 0 {
                        // The full precision was needed: the words that are left begin within lanes.
                        while feed.ahead() > 0 {
                            put(&mut rest, self.sample(&mut feed));
                        }
                        at = lanes;
                    }
                }
            }
        }
        values[..dirty].zeroize();
        for slot in rest {
            *slot = T::wrapping(self.sample(&mut feed));
        }
    }

    /// For each lane of 16 bits of `words` the index that it decides, with its sign, or a bit in
    /// `open` if it may be undecided.
    #[inline(always)]
    fn map(&self, words: &[u64], values: &mut [i16; LANES + RUN], open: &mut [u64]) {
        let (guide, heads) = (self.table.guide(), self.table.table().heads());
        let shift = 16 - self.table.guide_bits();
        // The bits of a draw, left-aligned, that are no bits of u, and those not drawn yet.
        let unknown = if self.folded() { 0x1_ffff } else { 0xffff };
        let folded = i16::from(self.folded());
        let head = |i: usize| heads.get(i).copied().unwrap_or(0);
        let (values, _) = values.as_chunks_mut::<4>();
        for (i, (word, values)) in words.iter().zip(values).enumerate() {
            let mut flags = 0;
            for (k, value) in values.iter_mut().enumerate() {
                let draw = (word >> (16 * k)) as u16;
                let key = u32::from(draw) << 16 | unknown;
                let above = (guide[usize::from(draw >> shift)] & !OPEN) as usize;
                // One threshold of the cell at most is passed; a second one that is not below leaves it open.
                let index = above + usize::from(head(above) > key);
                flags |= u64::from(head(index) | unknown >= key) << k;
                let negative = draw as i16 & folded;
                *value = (index as i16 ^ -negative) + negative;
            }
            open[i / 16] |= flags << (4 * (i % 16));
        }
    }
}

/// Writes `len` values, `first` added, and moves on.
#[inline(always)]
fn copy_run<T: Int>(values: &[i16], out: &mut &mut [T], len: usize, first: i64) {
    let (now, later) = core::mem::take(out).split_at_mut(len);
    for (slot, value) in now.iter_mut().zip(values) {
        *slot = T::wrapping(first + i64::from(*value));
    }
    *out = later;
}

/// Writes one value and moves on.
#[inline(always)]
fn put<T: Int>(out: &mut &mut [T], value: i64) {
    if let Some((slot, later)) = core::mem::take(out).split_first_mut() {
        *slot = T::wrapping(value);
        *out = later;
    }
}

/// The first lane from `at` on whose bit is set; there is one.
#[inline(always)]
fn next_open(open: &[u64], at: usize) -> usize {
    let mut word = at / 64;
    let mut flags = open[word] >> (at % 64) << (at % 64);
    while flags == 0 {
        word += 1;
        flags = open[word];
    }
    64 * word + flags.trailing_zeros() as usize
}

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> Sampler for CdtGuided<S, G> {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let table = self.table.table();
        let plain = Cdt::from_table(table.view()).profile();
        // Cdt draws the sign and all head bits at once.
        let saved = f64::from(table.head_bits() - self.table.lead_bits());
        let decided = 1.0 - self.table.open_leads() as f64 / (1_u64 << self.table.lead_bits()) as f64;
        Profile { table_bytes: self.table.bytes(), expected_bits: plain.expected_bits - saved * decided, ..plain }
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        let width = self.draw_bits();
        // steps 1 and 2
        let draw = self.look_up(bits.bits(width) as u32, width);
        let index = if draw.entry & OPEN == 0 { draw.entry as usize } else { self.search(draw, bits) };
        // step 3
        self.value(index, draw)
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        let support = self.table.table().support();
        if *support.start() >= T::MIN && *support.end() <= T::MAX {
            // The indices of a map are i16.
            if self.draw_bits() == 16 && self.table.table().len() <= i16::MAX as usize {
                self.fill_mapped(bits, out);
                return Ok(());
            }
        }
        for slot in out {
            let value = self.sample(bits);
            *slot = T::narrow(value).ok_or(RangeError { value, dtype: T::NAME })?;
        }
        Ok(())
    }
}
