/// Knuth–Yao: a walk down the tree of the probabilities' binary digits.
///
/// Paper: \[JSDGS17\], Algorithms 4 and 5; \[DW18\], Algorithms 8 and 9 (§5.2). Proof: docs/proofs/knuth-yao.md.
///
/// | Law        | the table's own, P(row) = 0.b_0 b_1 … in binary; its distance from D_{Z,σ,c} is the table's [`Bound`](crate::profile::Bound). With the weights of an inversion table it is [`Cdt`](super::cdt::Cdt)'s law |
/// | Bits       | less than the entropy of the law + 2; computed from the table by [`profile`](crate::sampler::Sampler::profile) |
/// | Memory     | a bit for each row of each column, up to the column's last one (two thirds of B·rows/8 bytes for wide laws at B = 128); a third of that for ranks and hints; 4(B + 1) (full tables 8B + 4); first table 4·2^g; 600 for the ends of 31 columns |
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
/// - Rows are ρ(x)/ρ(Z) for x = 0 and twice that for x > 0, so that they add up to 1. Zero then comes once, and no walk
///   restarts. The paper prints D_Z(x) for x >= 0, where 44 % of the walks leave the table (docs/errata.md). Rows are
///   rounded so that they still add up to 1 in the last column, which makes the tree complete.
/// - Column 0 has the bits of weight 1/2.
/// - Which strings of 31 bits end in which column follows from the number of ones in each column, which is
///   known beforehand. So steps 2 and 3 compare the bits drawn with one number for each column. `fill` guesses the column
///   from the first 6 bits, and compares from there on.
/// - The row is found by one search, without a loop over rows. All columns are one string of bits. The leaf's one has a
///   known rank among all ones, and the table stores ranks and hints for this search. `fill` finds the columns of 64
///   samples, then their rows. With AVX-512 an instruction of BMI2 finds a one in its word.
/// - A column ends with its last one, and in a full table begins with its first one. The table stores where it
///   begins, for any order of the lengths (the paper's increments need lengths that do not fall).
/// - The first bits, as many as every walk needs, are drawn together. A first table has the rows of walks that end in
///   the first g levels, as \[DW18\] has for 3 and 8. The stream is that of the plain walk.
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
/// let mut digits = [0; 25];
/// digits[..7].copy_from_slice(&[0, 2, 4, 0, 0x180c_0603, 0x00c0_6030, 0b1110]);
/// digits[22..].copy_from_slice(&[3, 2, 0]);
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

use super::common::feed::TopFeed;
use crate::arch::ranked::{Place, Search, run};
use crate::bits::BitSource;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler, narrowed};
use crate::table::Table;
use crate::table::{Entry, KNOWN_LEVELS, KnuthYaoTable, Leaf, Shape, Step};
use zeroize::Zeroize;

/// Samples whose levels are found before their rows are.
const CHUNK: usize = 64;

/// The samples of a chunk whose rows are yet to be found: no search waits for the one before.
struct Pending {
    leaves: [Leaf; CHUNK],
    /// Of each twice its place in the chunk, and 1 if it is negative.
    slots: [u16; CHUNK],
    count: usize,
}

impl Pending {
    const fn new() -> Self {
        Pending { leaves: [Leaf { rank: 0, shift: 0 }; _], slots: [0; _], count: 0 }
    }

    #[inline(always)]
    fn push(&mut self, leaf: Leaf, slot: usize, negative: bool) {
        let next = self.count % CHUNK;
        (self.leaves[next], self.slots[next]) = (leaf, 2 * slot as u16 + u16::from(negative));
        self.count += 1;
    }

    fn erase(&mut self) {
        self.leaves.zeroize();
        self.slots.zeroize();
    }
}

/// The search for the rows of leaves, which take the place of their ranks.
struct Rows<'a, S> {
    table: &'a KnuthYaoTable<S>,
    leaves: &'a mut [Leaf],
}

impl<S: AsRef<[u32]>> Search for Rows<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<P: Place>(self) {
        for leaf in self.leaves {
            let (row, word, rank) = self.table.word_of(*leaf);
            leaf.rank = row.wrapping_add(P::place(word, rank) as u32);
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.erase();
    }
}

impl<S: AsRef<[u32]>> KnuthYao<S> {
    /// Builds the sampler over this table.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::{Sampler, samplers::KnuthYao, table::{KnuthYaoParts, KnuthYaoTable, Shape}};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let mut digits = [0; 25];
    /// digits[..7].copy_from_slice(&[0, 2, 4, 0, 0x180c_0603, 0x00c0_6030, 0b1110]);
    /// digits[22..].copy_from_slice(&[3, 2, 0]);
    /// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 2, first_levels: 0, digits };
    /// let sampler = KnuthYao::from_table(KnuthYaoTable::new(law, bound, parts).unwrap());
    /// // 3/2 for the walk, and a sign with probability 3/4.
    /// assert_eq!(sampler.profile().expected_bits, 2.25);
    /// ```
    pub const fn from_table(table: KnuthYaoTable<S>) -> Self {
        KnuthYao { table }
    }

    /// Returns the table.
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

    /// Steps 1 to 5.
    #[inline(always)]
    fn draw<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        let (table, folded) = (&self.table, self.folded());
        // steps 2 to 4: no row ends in the quiet columns
        let mut column = table.quiet();
        // The bits drawn on top, zeros below: all that are drawn later end no sooner.
        let mut string = (bits.bits(column + 1) as u32).reverse_bits() >> (32 - KNOWN_LEVELS);
        while !table.has_ended(string, column) {
            column += 1;
            if column == KNOWN_LEVELS {
                let row = self.walk(table.node(string), bits);
                return self.value(row, folded && row != 0 && bits.bit());
            }
            string |= u32::from(bits.bit()) << (KNOWN_LEVELS - 1 - column);
        }
        // step 5
        let negative = folded && !table.is_zero(string, column) && bits.bit();
        if column < table.parts().first_levels
            && let Entry::Leaf { row, .. } = table.entry(u64::from(string) << (64 - KNOWN_LEVELS))
        {
            return self.value(row, negative);
        }
        let mut leaf = [table.leaf(string, column)];
        run(Rows { table, leaves: &mut leaf });
        self.value(leaf[0].rank as usize, negative)
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

    /// `fill` for values that fit T.
    #[inline(always)]
    fn fill_ahead<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) {
        // No sample takes fewer bits.
        let least = self.table.quiet() as usize + 1;
        let mut feed = TopFeed::new(bits);
        let mut wanted = out.len();
        let mut pending = Pending::new();
        for out in out.chunks_mut(CHUNK) {
            pending.count = 0;
            for (i, slot) in out.iter_mut().enumerate() {
                if !feed.look_ahead(wanted * least) {
                    *slot = T::wrapping(self.sample(&mut feed));
                } else if let Some(value) = self.look(&mut feed, &mut pending, i) {
                    *slot = T::wrapping(value);
                }
                wanted -= 1;
            }
            let leaves = &mut pending.leaves[..pending.count];
            run(Rows { table: &self.table, leaves });
            for (leaf, slot) in leaves.iter().zip(pending.slots) {
                out[usize::from(slot / 2)] = T::wrapping(self.value(leaf.rank as usize, slot % 2 != 0));
            }
        }
    }

    /// A sample from 64 bits that are there; `None` if its row is yet to be found.
    #[inline(always)]
    fn look<B: BitSource + ?Sized>(
        &self,
        feed: &mut TopFeed<'_, B>,
        pending: &mut Pending,
        slot: usize,
    ) -> Option<i64> {
        let (word, folded) = (feed.peek(), self.folded());
        if self.table.parts().first_levels > 0
            && let Entry::Leaf { row, depth } = self.table.entry(word)
        {
            let signed = folded & (row != 0);
            feed.skip(depth as usize + usize::from(signed));
            return Some(self.value(row, signed & ((word << depth) >> 63 != 0)));
        }
        let string = (word >> (64 - KNOWN_LEVELS)) as u32;
        let column = self.table.column(string);
        if column == KNOWN_LEVELS {
            feed.skip(KNOWN_LEVELS as usize);
            let row = self.walk(self.table.node(string), feed);
            return Some(self.value(row, folded && row != 0 && feed.bit()));
        }
        let signed = folded & !self.table.is_zero(string, column);
        feed.skip(column as usize + 1 + usize::from(signed));
        let negative = signed & ((word << 1 << column) >> 63 != 0);
        pending.push(self.table.leaf(string, column), slot, negative);
        None
    }
}

impl<S: AsRef<[u32]>> Sampler for KnuthYao<S> {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let table = &self.table;
        let zero: f64 = (0..table.parts().precision).rev().fold(0.0, |sum, c| (sum + f64::from(table.bit(0, c))) / 2.0);
        let sign = if self.folded() { 1.0 - zero } else { 0.0 };
        Profile {
            target: table.target().into(),
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
        self.draw(bits)
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
