/// CDT with an index table: inversion where a table, indexed by the leading bits, decides most draws.
///
/// Paper: \[JSDGS17\], Algorithm 2 (invCDF). Proof: docs/proofs/cdt-guided.md.
///
/// | Law        | the table's own, P(index >= j) = T_j/2^B; its distance from D_{Z,σ,c} is the table's [`Bound`](crate::profile::Bound). The same as [`Cdt`]'s over the same table |
/// | Bits       | short tables: 8, or 16, or more; a direct index table: 16, 32 or 64, in few samples more; others: 16, and more if u's lead is a threshold's; 32 instead of 16 if the index table is indexed by more than 15 bits (full tables: 16); B + 1 (full: B) where that is fewer. [`profile`](crate::sampler::Sampler::profile) has the average |
/// | Memory     | 4n⌈B/32⌉ bytes for n thresholds, and the index table: 96 to 192 KiB and 4n bytes if it is direct (full tables: 64 KiB more), otherwise 4·2^g bytes for g bits; the sampler itself has 1.3 KB for short tables; 8 KB of stack in a fill |
/// | Timing     | Variable: the addresses read depend on the sample |
/// | Parameters | any σ and centre whose table fits; B from 1 to 256 |
///
/// ```text
/// 1  u ← {0, …, 2^B - 1} uniform
/// 2  j ← #{i : u < T_i}                      (index table, then a search)
/// 3  s ← ±1; return first + s·j              (folded; full: return first + j)
/// ```
///
/// The stream of a sample, if the index table is direct, is one of these:
/// - 16 bits, the least significant the sign (folded), the others the draw of the first level
/// - if that is open, 16 more, whose highest bits are the draw of the second level
/// - if that is open too, 32 more, the first of the draw w of the remaining bits; j = #{i >= 1 : w < F_i}
/// - if the highest 31 of these are the head of an F_i, the rest of w in pieces of 16 bits, the most significant first
///
/// With another index table it is a draw of 16 or 32 bits. The least significant is the sign (folded), and the others are the leading bits of u, its *lead*
/// (all of u, if B is smaller). If these are the leading bits of a threshold, the bits of u up to the 31st (full: 32nd) follow. If these
/// still are a threshold's, the rest of u follows, in pieces that end at its 32nd, 64th, … bit. Each piece has its most significant
/// bit last.
///
/// For *short* tables the draw of 16 bits is two of 8 bits, and the second is drawn only if it is needed. The first has the sign and
/// u's first 7 bits (full: 8 bits), and decides unless these are a threshold's. The second has the next 8. A short table has at most
/// 127 thresholds, and an index table of at most 15 bits (full: 16). Of the values of those first bits, at most one in eight is a
/// threshold's, and at most two are several thresholds'. Fewer than 64 thresholds are above each other value. At 128 bits this holds
/// up to σ = 6 or so.
///
/// Departures from the paper, beside the departures of [`Cdt`]:
/// - Step 2 looks into the index table, at u's leading g bits. Its entry decides j, or has the start of the
///   search, which counts on. The result is the same function of u.
/// - With a direct index table the uniform is not drawn as such. Two levels of a tree, with 2^15 (full: 2^16) and 2^14 to 2^16 leaves,
///   come before the inversion. [`GuidedTable`] defines them. The law is the same.
/// - With a direct index table `fill` looks up many draws of 16 bits at once, as if each were a first draw. Behind an open one it goes on with
///   the draw that follows the sample.
/// - Of a short table `fill` decodes the stream's bytes, 64 at once where the machine can.
///
/// Inversion over a [`GuidedTable`].
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, bits::BitReader};
/// use samplez_core::{Sampler, samplers::CdtGuided};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_core::table::{CdtTable, GuidedTable, Shape};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// # let bound = Bound::TRIVIAL;
/// // 8 bits, σ = 1, values -1, 0, 1, and an index table of one bit.
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// let sampler = CdtGuided::from_table(GuidedTable::new(table, [1, 1 << 31])?);
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..100).all(|_| sampler.sample(&mut bits).abs() <= 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CdtGuided<S, G> {
    table: GuidedTable<S, G>,
    codes: Option<Codes>,
}

mod decode;
mod direct;
mod output;
mod pairs;
mod short;

use super::cdt::Cdt;
use crate::arch::cdt_guided::Codes;
use crate::bits::BitSource;
use crate::profile::{Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler, narrowed};
use crate::table::Table;
use crate::table::{GuidedTable, Shape};

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> CdtGuided<S, G> {
    /// Builds the sampler over this table.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::{Sampler, samplers::CdtGuided, table::{CdtTable, GuidedTable, Shape}};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let sampler = CdtGuided::from_table(GuidedTable::new(table, [1, 1 << 31]).unwrap());
    /// assert_eq!(sampler.profile().expected_bits, 9.0);
    /// ```
    pub fn from_table(table: GuidedTable<S, G>) -> Self {
        let folded = table.table().shape() == Shape::Folded;
        let leads = table.table().heads().iter().map(|head| (head >> (32 - table.lead_bits())) as u16);
        let short = table.direct().is_none() && table.lead_bits() + u32::from(folded) == 16;
        CdtGuided { codes: if short { Codes::new(leads, folded) } else { None }, table }
    }

    for_tests! {
        /// The table.
        const fn table(&self) -> &GuidedTable<S, G> {
            &self.table
        }
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

    /// Step 2 where an index table of cells leaves it open: the search from `start` on, drawing more bits if the
    /// lead is a threshold's.
    #[inline(never)]
    fn search<B: BitSource + ?Sized>(&self, lead: u32, start: usize, bits: &mut B) -> usize {
        let table = self.table.table();
        let cdt = Cdt::from_table(table.view());
        let (heads, lead_bits, head_bits) = (table.heads(), self.table.lead_bits(), table.head_bits());
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

    /// Step 3: first + j or first - j.
    #[inline(always)]
    fn value(&self, index: usize, draw: u32) -> i64 {
        let negative = if self.folded() { i64::from(draw & 1) } else { 0 };
        self.table.table().first() + ((index as i64 ^ -negative) + negative)
    }
}

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> Sampler for CdtGuided<S, G> {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let table = self.table.table();
        let plain = Cdt::from_table(table.view()).profile();
        let expected_bits = if let Some(direct) = self.table.direct() {
            direct.expected_bits(table, self.table.guide())
        } else {
            // Cdt draws the sign and all head bits at once.
            let saved = f64::from(table.head_bits() - self.table.lead_bits());
            let decided = 1.0 - self.table.open_leads() as f64 / (1_u64 << self.table.lead_bits()) as f64;
            let short = self.codes.as_ref().map_or(0.0, |codes| 8.0 * (1.0 - codes.open_share()));
            plain.expected_bits - saved * decided - short
        };
        let codes = if self.codes.is_some() { size_of::<Codes>() } else { 0 };
        Profile { table_bytes: self.table.bytes() + codes, expected_bits, ..plain }
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        if let Some(direct) = self.table.direct() {
            return self.sample_direct(direct, bits);
        }
        // step 1: the leading bits of u, above the sign
        let draw = match &self.codes {
            Some(codes) => {
                let first = bits.bits(8) as u8;
                if let Some(value) = codes.first(first) {
                    return self.table.table().first() + i64::from(value);
                }
                u32::from(codes.join(first, bits.bits(8) as u8))
            }
            None => bits.bits(self.draw_bits()) as u32,
        };
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
            match (&self.codes, self.table.direct()) {
                (Some(codes), _) => self.fill_short(codes, bits, out),
                (None, Some(direct)) => self.fill_direct(direct, bits, out),
                (None, None) => self.fill_by_pairs(bits, out),
            }
            return Ok(());
        }
        for slot in out {
            *slot = narrowed(self.sample(bits))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
