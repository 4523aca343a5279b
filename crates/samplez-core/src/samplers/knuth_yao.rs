/// Knuth–Yao: a walk down the tree of the probabilities' binary digits.
///
/// Paper: \[JSDGS17\], Algorithms 4 and 5; \[DW18\], Algorithms 8 and 9 (§5.2). Proof: docs/proofs/knuth-yao.md.
///
/// | Law        | the table's own, P(row) = 0.b_0 b_1 … in binary; its distance from D_{Z,σ,c} is the table's [`Bound`](crate::profile::Bound). With the weights of an inversion table it is [`Cdt`](super::cdt::Cdt)'s law |
/// | Bits       | less than the entropy of the law + 2; computed from the table by [`profile`](crate::sampler::Sampler::profile) |
/// | Memory     | packed 4B⌈rows/32⌉ bytes; compact two thirds of that for wide laws at B = 128, and 4(B + 1) (full tables 8B + 4); first table 4·2^g; 132 for the ends of 31 columns |
/// | Timing     | Variable: the length of the walk depends on the sample |
/// | Parameters | any σ and centre whose table has from 2 to 2^26 - 1 rows; B from 1 to 256 |
///
/// ```text
/// 1  d ← 0; c ← 0
/// 2  d ← 2d + a random bit
/// 3  d ← d - 1 for each row r, in their order, with bit c of P(r) set; once d < 0, go to 5
/// 4  c ← c + 1; go to 2
/// 5  s ← ±1 unless r = 0; return first + s·r             (folded; full: return first + r)
/// ```
///
/// Departures from the paper:
/// - Rows are ρ(x)/ρ(Z) for x = 0 and twice that for x > 0, so that they add up to 1, zero comes
///   once, and no walk restarts; printed are D_Z(x) for x >= 0, where 44 % of the walks leave the table
///   (docs/errata.md). They are rounded so that they still add up to 1 in the last column, which
///   makes the tree complete.
/// - Column 0 has the bits of weight 1/2.
/// - Which strings of 31 bits end in which column follows from how many ones the columns have, which is
///   known beforehand: steps 2 and 3 compare, and one column is looked at, for its row, 64 rows at a time.
///   `fill` compares all 31 columns at once. The compact form leaves out the
///   zeros at a column's ends and stores where it begins, for any order of the lengths (the
///   paper's increments need lengths that do not fall).
/// - The first bits, as many as no walk can do without, are drawn together. After that `sample`
///   looks up its first levels bit by bit in the first table, where the table has one, and `fill` all g at
///   once, as \[DW18\] does with 3 and 8; the stream is that of the plain walk.
///
/// The walk over a [`KnuthYaoTable`].
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, bits::BitReader};
/// use samplez_core::{Sampler, samplers::KnuthYao};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_core::table::{KnuthYaoParts, KnuthYaoTable, Shape};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// # let bound = Bound::TRIVIAL;
/// let digits = [0, 2, 4, 0b1110, 0, 0, 0x180c_0603, 0x00c0_6030, 3, 0, 0];
/// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, first_levels: 0, digits };
/// let sampler = KnuthYao::from_table(KnuthYaoTable::new(law, bound, parts)?);
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..100).all(|_| sampler.sample(&mut bits).abs() <= 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct KnuthYao<S> {
    table: KnuthYaoTable<S>,
}

use super::common::feed::Feed;
use crate::bits::BitSource;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler, narrowed};
use crate::table::Table;
use crate::table::{Entry, KNOWN_LEVELS, KnuthYaoTable, Shape, Step};

impl<S: AsRef<[u32]>> KnuthYao<S> {
    /// The sampler over this table.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::{Sampler, samplers::KnuthYao, table::{KnuthYaoParts, KnuthYaoTable, Shape}};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let digits = [0, 2, 4, 0b1110, 0, 0, 0x180c_0603, 0x00c0_6030, 3, 0, 0];
    /// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, first_levels: 0, digits };
    /// let sampler = KnuthYao::from_table(KnuthYaoTable::new(law, bound, parts).unwrap());
    /// // 3/2 for the walk, and a sign with probability 3/4.
    /// assert_eq!(sampler.profile().expected_bits, 2.25);
    /// ```
    pub const fn from_table(table: KnuthYaoTable<S>) -> Self {
        KnuthYao { table }
    }

    /// The table.
    #[cfg(feature = "testing")]
    pub const fn table(&self) -> &KnuthYaoTable<S> {
        &self.table
    }

    /// Steps 2 to 4 from node d of level 31 on: the row.
    #[inline(never)]
    fn walk<B: BitSource + ?Sized>(&self, mut d: u64, bits: &mut B) -> usize {
        let mut column = KNOWN_LEVELS;
        loop {
            // steps 2 and 3
            match self.table.descend(2 * d + u64::from(bits.bit()), column) {
                Step::Leaf(row) => return row,
                Step::Node(node) => d = node,
            }
            // step 4: a complete tree has no inner node at level B
            column += 1;
        }
    }

    /// Steps 1 to 4.
    #[inline(always)]
    fn row<B: BitSource + ?Sized>(&self, bits: &mut B) -> usize {
        // No row ends in the quiet columns.
        let mut column = self.table.quiet();
        // The bits drawn on top, zeros below: all that are drawn later end no sooner.
        let mut string = (bits.bits(column + 1).reverse_bits() >> (64 - KNOWN_LEVELS)) as u32;
        while !self.table.has_ended(string, column) {
            column += 1;
            if column == KNOWN_LEVELS {
                return self.walk(self.table.node(string), bits);
            }
            string |= u32::from(bits.bit()) << (KNOWN_LEVELS - 1 - column);
        }
        if column < self.table.parts().first_levels
            && let Entry::Leaf { row, .. } = self.table.entry((string << 1).reverse_bits() as usize)
        {
            return row;
        }
        self.table.leaf(string, column)
    }

    #[inline(always)]
    fn folded(&self) -> bool {
        self.table.parts().shape == Shape::Folded
    }

    /// Step 5 for a row and its sign.
    #[inline(always)]
    fn value(&self, row: usize, negative: bool) -> i64 {
        let negative = i64::from(negative);
        self.table.parts().first + ((row as i64 ^ -negative) + negative)
    }

    /// The walk by the bits of `word`, the least significant first, of which there are enough.
    #[inline(always)]
    fn look(&self, word: u64) -> Entry {
        let levels = self.table.parts().first_levels;
        if levels > 0
            && let leaf @ Entry::Leaf { .. } = self.table.entry((word & ((1 << levels) - 1)) as usize)
        {
            return leaf;
        }
        self.table.look(word)
    }

    /// `fill` for values that fit T.
    #[inline(always)]
    fn fill_ahead<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) {
        let folded = self.folded();
        // No sample takes fewer bits.
        let least = self.table.quiet() as usize + 1;
        let mut feed = Feed::new(bits);
        let mut wanted = out.len();
        for slot in out {
            let value = if feed.look_ahead(wanted * least) {
                let word = feed.peek();
                match self.look(word) {
                    Entry::Leaf { row, zero, depth } => {
                        let signed = folded & !zero;
                        feed.skip(depth as usize + usize::from(signed));
                        self.value(row, signed & (word >> depth & 1 != 0))
                    }
                    Entry::Node(d) => {
                        feed.skip(KNOWN_LEVELS as usize);
                        let row = self.walk(d, &mut feed);
                        self.value(row, folded && row != 0 && feed.bit())
                    }
                }
            } else {
                self.sample(&mut feed)
            };
            *slot = T::wrapping(value);
            wanted -= 1;
        }
    }
}

impl<S: AsRef<[u32]>> Sampler for KnuthYao<S> {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let table = &self.table;
        let zero: f64 = (0..table.parts().precision).rev().fold(0.0, |sum, c| (sum + f64::from(table.bit(0, c))) / 2.0);
        let sign = if self.folded() { 1.0 - zero } else { 0.0 };
        Profile {
            target: *table.target(),
            exactness: Exactness::Within(table.bound()),
            timing: Self::TIMING,
            support: table.support(),
            table_bytes: table.bytes(),
            expected_bits: table.expected_depth() + sign,
            expected_trials: 1.0,
        }
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        let row = self.row(bits);
        // step 5
        self.value(row, self.folded() && row != 0 && bits.bit())
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        let support = self.table.support();
        if *support.start() >= T::MIN && *support.end() <= T::MAX {
            self.fill_ahead(bits, out);
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
