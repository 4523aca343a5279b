//! CDT with a guide: inversion where a table, indexed by the leading bits, decides most draws.
//!
//! Paper: \[JSDGS17\], Algorithm 2 (invCDF). Proof: docs/proofs/cdt-guided.md.
//!
//! | Law        | the table's own, P(index >= j) = T_j/2^B; its distance from D_{Z,σ,c} is the table's [`Bound`](crate::profile::Bound). The same as [`Cdt`]'s over the same table |
//! | Bits       | 16, and more if u's lead is a threshold's; 32 instead of 16 if the guide is indexed by more than 15 bits (full tables: 16). [`profile`](crate::sampler::Sampler::profile) has the average |
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
//! others the leading bits of u, its *lead* (all of u, if B is smaller); if these are the leading
//! bits of a threshold, the bits of u up to the 31st (full: 32nd); if these still are a threshold's,
//! the rest of u. Each piece most significant bit last.
//!
//! Departures from the paper: those of [`Cdt`], and
//! - Step 2 looks into the guide, at u's leading g bits. Its entry decides j, or says where the
//!   search begins, which counts on. The result is the same function of u.
//! - `fill` looks up many draws of 16 bits at once, as if none of them used more bits. From the
//!   first that does it goes on behind the bits that it has used. With few thresholds and AVX-512
//!   the look-up is a binary search in a register, otherwise in the guide. All give the same.

use super::cdt::Cdt;
use super::common::feed::{Feed, WORDS};
use super::common::lanes::{LANES, LookUp};
use crate::arch::{Backend, Ladder};
use crate::bits::BitSource;
use crate::profile::{Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::table::{GuidedTable, Shape};
use zeroize::Zeroize;

/// Blocks of draws in a chunk.
const BLOCKS: usize = 4 * WORDS / LANES;
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
    /// The leads of the thresholds, if they are few.
    ladder: Option<Ladder>,
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
    pub fn from_table(table: GuidedTable<S, G>) -> Self {
        let leads = table.table().heads().iter().map(|head| (head >> (32 - table.lead_bits())) as u16);
        let folded = table.table().shape() == Shape::Folded;
        let ladder = table.is_narrow().then(|| Ladder::new(leads.take_while(|lead| *lead > 0), folded)).flatten();
        CdtGuided { table, ladder }
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

    /// Step 2 where the guide leaves it open: the search from `start` on, drawing more bits if the
    /// lead is a threshold's.
    #[inline(never)]
    fn search<B: BitSource + ?Sized>(&self, lead: u32, start: usize, bits: &mut B) -> usize {
        let cdt = Cdt::from_table(self.table.table().view());
        let (heads, lead_bits, head_bits) = (cdt.table().heads(), self.table.lead_bits(), cdt.table().head_bits());
        let mut u0 = lead << (32 - lead_bits);
        let unknown = ((1_u64 << (32 - lead_bits)) - 1) as u32;
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

    /// What [`sample`](Sampler::sample) does with an open draw of 16 bits at the head of `word`: the
    /// index, and the bits used; unless the table's first digits do not decide, or the guide does.
    #[inline(always)]
    fn search_ahead(&self, word: u64) -> Option<(usize, u32)> {
        let table = self.table.table();
        let (heads, lead_bits, head_bits) = (table.heads(), self.table.lead_bits(), table.head_bits());
        let lead = u32::from(word as u16 >> (16 - lead_bits));
        let mut index = self.table.look_up(lead).err()?;
        let head = |index: usize| heads.get(index).copied().unwrap_or(0);
        // The lead with all further bits set.
        let highest = lead << (32 - lead_bits) | u32::MAX >> lead_bits;
        while head(index) > highest {
            index += 1;
        }
        if heads.get(index).is_none_or(|head| (head ^ highest) >> (32 - lead_bits) != 0) {
            return Some((index, 16));
        }
        let unknown = ((1_u64 << (32 - head_bits)) - 1) as u32;
        let more = (word >> 16) as u32 & ((1 << (head_bits - lead_bits)) - 1);
        let u0 = lead << (32 - lead_bits) | more << (32 - head_bits) | unknown;
        index += usize::from(head(index) > u0);
        while head(index) > u0 {
            index += 1;
        }
        (heads.get(index).is_none_or(|head| head | unknown != u0)).then_some((index, 16 + head_bits - lead_bits))
    }

    /// Step 3: first + j or first - j.
    #[inline(always)]
    fn value(&self, index: usize, draw: u32) -> i64 {
        let negative = if self.folded() { i64::from(draw & 1) } else { 0 };
        self.table.table().first() + ((index as i64 ^ -negative) + negative)
    }

    /// `fill` for draws of 16 bits, and values that fit T. All words of a chunk are looked up as if
    /// each were a draw, then passed in order: a draw that is open is sampled from its bits on, and
    /// the words that this uses up are no draws.
    fn fill_narrow<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) {
        let first = self.table.table().first();
        let mut feed = Feed::new(bits);
        let (mut values, mut open) = ([[0; LANES]; BLOCKS + 1], [0; BLOCKS]);
        let mut dirty = 0;
        let mut rest = out;
        // A sample uses 16 bits or more.
        while rest.len() >= 4 {
            let words = (rest.len() / 4).min(WORDS);
            let (lanes, blocks) = (4 * words, words.div_ceil(LANES / 4));
            dirty = dirty.max(blocks);
            self.look_up(feed.load(words), &mut values[..blocks], &mut open);
            let mut at = 0;
            while at < lanes {
                let next = next_open(&open, at).min(lanes);
                copy(&values.as_flattened()[at..], next - at, &mut rest, first);
                feed.skip(16 * (next - at));
                at = next;
                if at < lanes {
                    let word = feed.peek();
                    match self.search_ahead(word) {
                        Some((index, used)) if used as usize <= feed.ahead() => {
                            put(self.value(index, word as u32), &mut rest);
                            feed.skip(used as usize);
                        }
                        _ => put(self.sample(&mut feed), &mut rest),
                    }
                    at = feed.position().div_ceil(16);
                }
                if !feed.position().is_multiple_of(16) {
                    // All bits of u were needed: what is left does not begin with a lane.
                    while feed.ahead() > 0 {
                        put(self.sample(&mut feed), &mut rest);
                    }
                    at = lanes;
                }
            }
        }
        values[..dirty].as_flattened_mut().zeroize();
        for slot in rest {
            *slot = T::wrapping(self.sample(&mut feed));
        }
    }

    /// Every draw of these words, by the fastest way that the machine has.
    #[inline]
    fn look_up(&self, words: &[u64], values: &mut [[i16; LANES]], open: &mut [u64]) {
        let (backend, (blocks, _)) = (Backend::current(), words.as_chunks());
        let blocks = &blocks[..values.len()];
        if self.ladder.as_ref().is_none_or(|ladder| !ladder.look_up(backend, blocks, values, open)) {
            let (guide, guide_bits, folded) = (self.table.guide(), self.table.guide_bits(), self.folded());
            backend.run(LookUp { guide, guide_bits, folded, blocks, values, open });
        }
    }

    /// `fill` for draws of 32 bits, two at a time, and values that fit T.
    fn fill_wide<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) {
        let sign = u32::from(self.folded());
        let mut feed = Feed::new(bits);
        let mut next = 0;
        while next < out.len() {
            // A sample uses 32 bits or more.
            let wanted = out.len() - next;
            if wanted >= 2 && feed.look_ahead(wanted * 32) {
                let word = feed.peek();
                let draws = [word as u32, (word >> 32) as u32];
                if let [Ok(a), Ok(b)] = draws.map(|draw| self.table.look_up(draw >> sign)) {
                    out[next] = T::wrapping(self.value(a, draws[0]));
                    out[next + 1] = T::wrapping(self.value(b, draws[1]));
                    feed.skip(64);
                    next += 2;
                    continue;
                }
            }
            for slot in out[next..].iter_mut().take(2) {
                *slot = T::wrapping(self.sample(&mut feed));
                next += 1;
            }
        }
    }
}

/// Writes the first `len` values, `first` added, and moves on. Where there is room, whole runs are
/// written, whose ends are written again later.
#[inline(always)]
fn copy<T: Int>(values: &[i16], len: usize, out: &mut &mut [T], first: i64) {
    // Runs reach into lanes that are open, where any value may stand.
    let add = |value: i16| T::wrapping(first.wrapping_add(i64::from(value)));
    let all = core::mem::take(out);
    let whole = len.next_multiple_of(RUN);
    match (all.get_mut(..whole), values.get(..whole)) {
        // Short runs as arrays, long ones as slices: what the compiler makes the best of.
        (Some(slots), Some(values)) if len < LANES => {
            for (slots, values) in slots.as_chunks_mut::<RUN>().0.iter_mut().zip(values.as_chunks::<RUN>().0) {
                *slots = values.map(add);
            }
        }
        (Some(slots), Some(values)) => slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = add(*value)),
        _ => all.iter_mut().zip(values).take(len).for_each(|(slot, value)| *slot = add(*value)),
    }
    *out = &mut all[len..];
}

/// Writes one value and moves on.
#[inline(always)]
fn put<T: Int>(value: i64, out: &mut &mut [T]) {
    if let Some((slot, later)) = core::mem::take(out).split_first_mut() {
        *slot = T::wrapping(value);
        *out = later;
    }
}

/// The first lane from `at` on that is open, or one past the last.
#[inline(always)]
fn next_open(open: &[u64; BLOCKS], at: usize) -> usize {
    let mut block = at / LANES;
    let mut flags = open[block] >> (at % LANES) << (at % LANES);
    while flags == 0 {
        block += 1;
        match open.get(block) {
            Some(next) => flags = *next,
            None => return LANES * BLOCKS,
        }
    }
    LANES * block + flags.trailing_zeros() as usize
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
        // step 1: the leading bits of u, above the sign
        let draw = bits.bits(self.draw_bits()) as u32;
        let lead = draw >> u32::from(self.folded());
        // step 2
        let index = match self.table.look_up(lead) {
            Ok(index) => index,
            Err(start) => self.search(lead, start, bits),
        };
        // step 3
        self.value(index, draw)
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        let support = self.table.table().support();
        if *support.start() >= T::MIN && *support.end() <= T::MAX {
            if self.table.is_narrow() {
                self.fill_narrow(bits, out);
                return Ok(());
            }
            if self.draw_bits() == 32 {
                self.fill_wide(bits, out);
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
