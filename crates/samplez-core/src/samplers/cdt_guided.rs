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
use super::common::feed::Feed;
use crate::bits::BitSource;
use crate::profile::{Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::table::{GuidedTable, OPEN, Shape};

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
        let (lead_bits, head_bits) = (self.table.lead_bits(), cdt.table().head_bits());
        let mut u0 = (draw.bits >> u32::from(self.folded())) << (32 - lead_bits);
        if head_bits > lead_bits {
            u0 |= (bits.bits(head_bits - lead_bits) as u32) << (32 - head_bits);
        }
        let start = (draw.entry & !OPEN) as usize;
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

    /// `fill` for draws of W bits, 64/W = N at a time, and values that fit T.
    #[inline(always)]
    fn fill_packed<const W: u32, const N: usize, T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) {
        let mut feed = Feed::new(bits);
        let mut next = 0;
        while next < out.len() {
            // A sample uses W bits or more.
            let wanted = out.len() - next;
            if wanted >= N && feed.look_ahead(wanted * W as usize) {
                let word = feed.peek();
                let draws: [Draw; N] =
                    core::array::from_fn(|i| self.look_up((word >> (W * i as u32)) as u32 & (u32::MAX >> (32 - W)), W));
                if draws.iter().fold(0, |all, draw| all | draw.entry) & OPEN == 0 {
                    for (slot, draw) in out[next..].iter_mut().zip(draws) {
                        *slot = T::wrapping(self.value(draw.entry as usize, draw));
                    }
                    feed.skip(64);
                    next += N;
                    continue;
                }
            }
            for slot in out[next..].iter_mut().take(N) {
                *slot = T::wrapping(self.sample(&mut feed));
                next += 1;
            }
        }
    }
}

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> Sampler for CdtGuided<S, G> {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let table = self.table.table();
        let plain = Cdt::from_table(table.view()).profile();
        // Cdt draws the sign and all head bits at once.
        let saved = f64::from(table.head_bits() - self.table.lead_bits());
        let decided = 1.0 - self.table.open_cells() as f64 / self.table.guide().len() as f64;
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
            match self.draw_bits() {
                16 => {
                    self.fill_packed::<16, 4, T, B>(bits, out);
                    return Ok(());
                }
                32 => {
                    self.fill_packed::<32, 2, T, B>(bits, out);
                    return Ok(());
                }
                _ => {}
            }
        }
        for slot in out {
            let value = self.sample(bits);
            *slot = T::narrow(value).ok_or(RangeError { value, dtype: T::NAME })?;
        }
        Ok(())
    }
}
