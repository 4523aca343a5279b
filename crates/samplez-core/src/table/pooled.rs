//! A cumulative table split in four: a draw of a byte, another byte and 16 bits decide nearly all samples.

use super::split::{
    Fraction, Lead, Levels, Open, byte_of, check_len, check_parts, cumulative, is_node, levels, node, stride,
};
use super::{CdtTable, LAZY_ROW, Shape, Table, TableError};
use crate::params::DiscreteGaussian;
use crate::profile::Bound;

/// The most rows of a batch.
pub(crate) const MAX_POOLED_ROWS: usize = 128;
/// The most entries of the first pool, and of the third.
pub(crate) const MAX_POOL: [usize; 2] = [3840, 96];
/// How many rows a batch may have at most, and how many rows' open samples then share entries: the first that will do.
const BATCHES: [[usize; 2]; 9] =
    [[128, 16], [128, 8], [128, 4], [64, 16], [64, 8], [64, 4], [32, 16], [32, 8], [32, 4]];

/// A [`CdtTable`] and its levels, for a sampler that draws by bytes in constant time.
///
/// Let p_j = T_j - T_(j+1) be the probability of the index j in units of 2^-B (T_0 = 2^B, T_(n+1) = 0).
///
/// A *level* of L bits splits masses p_j that add up to 2^B, B >= L: p_j = d_j·2^(B-L) + f_j with integers
/// d_j, f_j >= 0. The sum of all d_j is 2^L - 2^m. Let D_j = d_j + … + d_n. A uniform v of L bits below D_0 = 2^L - 2^m
/// *decides*, for the index #{j >= 0 : v < D_j} - 1. Any other v, of probability 2^(m-L), leaves the draw *open*. Its
/// index has the masses f_j, which add up to 2^(B-L+m), and are those of the next level.
///
/// The levels have 7 bits (folded) or 8 (full), 8 and 16. An open draw of the third has the index #{j >= 1 : w < F_j} for a
/// uniform w of the remaining bits, with F_j = f_j + … + f_n. If fewer than L bits remain for a level, its masses are
/// multiplied by a power of two.
///
/// d_j is ⌊p_j/2^(B-L)⌋, except for the largest j. There it is less by as much as makes the rest a power of two, the
/// least that will do. So the levels follow from the table, and the law is the table's.
///
/// A batch has up to 8192 samples in rows of 64. If the pools would be too large, it has up to 4096 or 2048. It has a pool
/// of draws of the second level, one of the third and one of w. A longer batch has no smaller pools. All draws of a pool are
/// made before it is known which are needed. The first pool has a *section* for each 16, 8 or 4 rows. A pool or a section *overflows* if more draws are open than it has entries. The
/// probability of any overflow in a batch is at most 2^`log2_overflow` <= 2^-(B+8), an upper bound in integers. Draws without an entry
/// continue with draws of their own. So the certified bound of a batch's samples is that of the table.
///
/// Storage: four trees of the form that a [`LazyTable`](super::LazyTable) has. Each level has one of
/// D_0 >= D_(a+1) >= … >= D_b, where a and b are the first and the last index of d_j > 0. The fourth has those F_j that are
/// neither 0 nor all.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{Bound, DiscreteGaussian, Rational};
/// use samplez_core::table::{CdtTable, PooledTable, Shape};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// # let bound = Bound::TRIVIAL;
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// let pooled = PooledTable::with_parts_in(table, |len| vec![0; len])?;
/// assert_eq!(pooled.bytes(), 4 + 5 * 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PooledTable<S, P> {
    table: CdtTable<S>,
    parts: P,
    split: Split,
}

/// How many entries the pools of a batch have; multiples of 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pools {
    /// Of the first pool: in all, and in a section.
    pub(crate) second: usize,
    pub(crate) section: usize,
    pub(crate) third: usize,
    pub(crate) last: usize,
}

impl Pools {
    /// Bytes of the draws of all pools, if one of the last level has so many digits.
    pub(crate) const fn draws(self, digits: usize) -> usize {
        self.second + 2 * self.third + digits * self.last
    }
}

/// The numbers that describe the levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Split {
    leads: [Lead; 3],
    /// Of each level a, and b - a + 1.
    firsts: [usize; 3],
    numbers: [usize; 3],
    /// How many F_j, j >= 1, are all, and how many are neither this nor 0.
    certain: usize,
    fine: usize,
    digits: usize,
    /// Rows of the longest batch, and of a section.
    rows: usize,
    section_rows: usize,
    /// Entries of a section of up to 1, 2, 4, 8, 16 rows.
    sections: [u8; 5],
    /// Entries of the other pools for a batch of up to 1, 2, 4, …, 128 rows.
    pools: [[u8; 2]; 8],
    log2_overflow: i32,
}

/// log2 of the parts of a batch's bound, if it and a section have so many rows. Each section has one, the other pools two.
const fn shares(rows: usize, section_rows: usize) -> i32 {
    (rows / section_rows + 2).next_power_of_two().ilog2() as i32
}

/// The most indices of a table.
const MAX_INDICES: usize = 255;

/// The levels of a table, with their D_j, and its F_j: 13 KB.
struct Cut {
    indices: usize,
    leads: [Lead; 3],
    above: [[u32; MAX_INDICES]; 3],
    rest: [Fraction; MAX_INDICES],
    /// Bits of the F_j.
    left: u32,
}

impl Cut {
    fn new<S: AsRef<[u32]>>(table: &CdtTable<S>) -> Result<Self, TableError> {
        // A level has at most 255 numbers, so that a byte counts those above a draw.
        let (bits, most) = if table.shape() == Shape::Folded { (7, 127) } else { (8, 254) };
        let indices = table.len() + 1;
        if table.len() > most {
            return Err(TableError::PooledThresholds { thresholds: table.len(), most });
        }
        let (mut above, mut rest) = ([[0; MAX_INDICES]; 3], [[0; 5]; MAX_INDICES]);
        rest[..indices].iter_mut().enumerate().for_each(|(j, mass)| *mass = cumulative(table, j));
        let mut left = table.precision();
        let mut level = |bits, above: &mut [u32]| {
            let lead = Lead::cut(bits, &mut rest[..indices], &mut above[..indices]);
            left = left.max(bits) - lead.open_bits();
            lead
        };
        let [first, second, third] = &mut above;
        let leads = [level(bits, first), level(8, second), level(16, third)];
        match leads.iter().position(|lead| lead.open_bits() == 0) {
            Some(k) => Err(TableError::PooledOpen { level: k + 1 }),
            None => Ok(Cut { indices, leads, above, rest, left }),
        }
    }
}

impl Split {
    fn new(cut: &Cut, precision: u32) -> Result<Self, TableError> {
        let mut split = Split {
            leads: cut.leads,
            firsts: [0; 3],
            numbers: [1; 3],
            certain: 0,
            fine: 0,
            digits: cut.left.div_ceil(8).max(1) as usize,
            rows: 0,
            section_rows: 0,
            sections: [0; 5],
            pools: [[0; 2]; 8],
            log2_overflow: 0,
        };
        for (k, above) in cut.above.iter().enumerate() {
            // D_j = D_0 > 0 up to a, and 0 beyond b.
            split.firsts[k] = above.iter().take_while(|d| **d == above[0]).count() - 1;
            split.numbers[k] = above.iter().take_while(|d| **d > 0).count() - split.firsts[k];
        }
        for rest in &cut.rest[1..cut.indices] {
            split.certain += usize::from(rest[0] != 0);
            split.fine += usize::from(rest[0] == 0 && *rest != [0; 5]);
        }
        split.set_pools(-(precision as i32) - 8)?;
        Ok(split)
    }

    /// Chooses the pools so that one of them is too small with probability at most 2^`most`.
    fn set_pools(&mut self, most: i32) -> Result<(), TableError> {
        let (mut refused, open) = (Ok(()), self.leads.map(|lead| Open::new(lead.open_bits())));
        for [rows, section_rows] in BATCHES {
            (self.rows, self.section_rows) = (rows, section_rows);
            refused = self.set_entries(&open, most - shares(rows, section_rows));
            if refused.is_ok() {
                break;
            }
        }
        refused
    }

    /// Chooses the entries for these rows, so that each part overflows with probability at most 2^`most`.
    fn set_entries(&mut self, open: &[Open; 3], most: i32) -> Result<(), TableError> {
        let mut worst = i32::MIN;
        let mut least = |n: usize, level: usize| {
            let open = &open[level - 1];
            let least = open.least(n as u64, open.none(n as u32), most);
            let (entries, log2) = least.ok_or(TableError::PooledOpen { level })?;
            worst = worst.max(log2);
            Ok::<u8, TableError>(entries)
        };
        for class in 0..=self.section_rows.ilog2() as usize {
            self.sections[class] = least(LAZY_ROW << class, 1)?;
        }
        for class in 0..=self.rows.ilog2() as usize {
            let entries = self.second(1 << class);
            let middle = least(entries, 2)?;
            let last = least(middle.into(), 3)?;
            if entries > MAX_POOL[0] || usize::from(last) > MAX_POOL[1] {
                return Err(TableError::PooledOpen { level: if entries > MAX_POOL[0] { 1 } else { 3 } });
            }
            self.pools[class] = [middle, last];
        }
        self.log2_overflow = worst + shares(self.rows, self.section_rows);
        Ok(())
    }

    /// The entries of the first pool of a batch of so many rows.
    fn second(&self, rows: usize) -> usize {
        let (whole, rest) = (rows / self.section_rows, rows % self.section_rows);
        let section = |rows: usize| usize::from(self.sections[rows.next_power_of_two().ilog2() as usize]);
        whole * section(self.section_rows) + if rest > 0 { section(rest) } else { 0 }
    }

    /// Bytes of each tree: of a digit's row, and in all.
    fn strides(&self) -> [[usize; 2]; 4] {
        let [a, b, c] = self.numbers.map(stride);
        let fine = stride(self.fine);
        [[a, a], [b, b], [c, 2 * c], [fine, self.digits * fine]]
    }

    fn len(&self) -> usize {
        self.strides().iter().map(|[_, len]| len).sum()
    }

    /// Whether this byte of the parts is a number's digit.
    fn is_digit(&self, mut place: usize) -> bool {
        let [a, b, c] = self.numbers;
        for ([_, len], numbers) in self.strides().into_iter().zip([a, b, c, self.fine]) {
            if place < len {
                return is_node(place, numbers);
            }
            place -= len;
        }
        false
    }

    /// Calls `put(place, byte)` with each byte of the parts that is a number's digit.
    fn write(&self, cut: &Cut, mut put: impl FnMut(usize, i8)) {
        let digit = |digit: u8| (digit ^ 0x80).cast_signed();
        let (strides, mut start) = (self.strides(), 0);
        for (k, above) in cut.above.iter().enumerate() {
            let [stride, len] = strides[k];
            for rank in 0..self.numbers[k] {
                let place = start + node(rank, levels(self.numbers[k]));
                let number = above[self.firsts[k] + rank];
                if k == 2 {
                    put(place, digit((number >> 8) as u8));
                    put(stride + place, digit(number as u8));
                } else {
                    put(place, digit(number as u8));
                }
            }
            start += len;
        }
        for rank in 0..self.fine {
            let (place, rest) = (node(rank, levels(self.fine)), cut.rest[self.certain + 1 + rank]);
            for d in 0..self.digits {
                put(start + place + d * strides[3][0], digit(byte_of(&rest, d)));
            }
        }
    }
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> PooledTable<S, P> {
    /// Combines a table and its parts, which are checked.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the table has no parts, or these are not the parts that the type's documentation defines.
    pub fn new(table: CdtTable<S>, parts: P) -> Result<Self, TableError> {
        let cut = Cut::new(&table)?;
        let split = Split::new(&cut, table.precision())?;
        check_len(parts.as_ref().len(), split.len())?;
        check_parts(parts.as_ref(), |place| split.is_digit(place), |put| split.write(&cut, put))?;
        Ok(PooledTable { table, parts, split })
    }

    /// Computes the parts of `table`, and writes them into the memory that `memory` returns for their number of bytes.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the table has no parts, or the memory has another number of bytes.
    pub fn with_parts_in(table: CdtTable<S>, memory: impl FnOnce(usize) -> P) -> Result<Self, TableError>
    where
        P: AsMut<[i8]>,
    {
        let cut = Cut::new(&table)?;
        let split = Split::new(&cut, table.precision())?;
        let mut parts = memory(split.len());
        let slots = parts.as_mut();
        check_len(slots.len(), split.len())?;
        slots.fill(-128);
        split.write(&cut, |place, byte| slots[place] = byte);
        Ok(PooledTable { table, parts, split })
    }

    /// The trees of the levels, and that of the F_j.
    pub(crate) fn trees(&self) -> [Levels<'_>; 4] {
        let strides = self.split.strides();
        let [a, b, c] = self.split.numbers;
        let [[_, two], [_, three], [_, four], _] = strides;
        let (first, rest) = self.parts.as_ref().split_at(two);
        let (second, rest) = rest.split_at(three);
        let (third, fine) = rest.split_at(four);
        let tree = |rows, numbers| Levels { rows, stride: stride(numbers), levels: levels(numbers), len: numbers };
        [tree(first, a), tree(second, b), tree(third, c), tree(fine, self.split.fine)]
    }
}

#[cfg(feature = "testing")]
impl<S: AsRef<[u32]>, P: AsRef<[i8]>> PooledTable<S, P> {
    /// Returns the digits of a number as it is stored, most significant first: of the level 0 to 2, or 3 for the F_j. `None` beyond the last.
    pub fn stored(&self, level: usize, rank: usize) -> Option<impl Iterator<Item = u8> + '_> {
        let tree = self.trees().into_iter().nth(level).filter(|tree| rank < tree.len)?;
        let digits = tree.rows.chunks(tree.stride).map(move |row| row[node(rank, tree.levels)]);
        Some(digits.map(|digit| digit.cast_unsigned() ^ 0x80))
    }
}

impl<S, P> PooledTable<S, P> {
    /// Returns the thresholds.
    pub const fn table(&self) -> &CdtTable<S> {
        &self.table
    }

    /// The index that the sampler counts from: all others are at most 127 away.
    pub(crate) const fn middle(&self) -> usize {
        self.table.len().saturating_sub(127)
    }

    /// The numbers that are added to a level's count less one, and to that of w, for the index less the [middle](Self::middle), modulo 2^8.
    pub(crate) fn bases(&self) -> [u8; 4] {
        let [a, b, c] = self.split.firsts;
        [a, b, c, self.split.certain].map(|first| first.wrapping_sub(self.middle()) as u8)
    }

    /// The bytes of a draw of w.
    pub(crate) const fn fine_digits(&self) -> usize {
        self.split.digits
    }

    /// Samples of the longest batch.
    pub(crate) const fn batch(&self) -> usize {
        LAZY_ROW * self.split.rows
    }

    /// Rows that share a section.
    pub(crate) const fn section_rows(&self) -> usize {
        self.split.section_rows
    }

    /// The pools of a batch of 1 to [`batch`](Self::batch) samples.
    pub(crate) fn pools(&self, samples: usize) -> Pools {
        let rows = samples.div_ceil(LAZY_ROW);
        let [third, last] = self.split.pools[rows.next_power_of_two().ilog2() as usize].map(usize::from);
        let section = self.split.second(self.split.section_rows);
        Pools { second: self.split.second(rows), section, third, last }
    }

    /// Returns the least index of each level, and for w the number of F_j, j >= 1, that are all.
    #[cfg(feature = "testing")]
    pub fn firsts(&self) -> [usize; 4] {
        let [a, b, c] = self.split.firsts;
        [a, b, c, self.split.certain]
    }

    /// Returns an upper bound of log2 of the probability that a pool of a batch, of whatever length, has too few entries.
    #[cfg(feature = "testing")]
    pub const fn log2_overflow(&self) -> i32 {
        self.split.log2_overflow
    }
}

impl<S, P> Table for PooledTable<S, P> {
    fn target(&self) -> &DiscreteGaussian {
        self.table.target()
    }

    fn bound(&self) -> Bound {
        self.table.bound()
    }

    fn support(&self) -> core::ops::RangeInclusive<i64> {
        self.table.support()
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.split.len()
    }
}

#[cfg(test)]
mod tests;
