//! A cumulative table with an index table, whose entries decide most uniforms by their leading bits.

use super::direct::{self, Direct};
use super::{CdtTable, Shape, Table, TableError};
use crate::params::DiscreteGaussian;
use crate::profile::Bound;

/// The most leading bits that an index table can be indexed by.
pub const MAX_GUIDE_BITS: u32 = 26;

/// A [`CdtTable`] and an index table to it, of one of two forms.
///
/// An index table of 2^g entries has one for each *cell*. A cell is the uniforms u whose leading g bits are its number,
/// first bit most significant. Let a_c be the number of thresholds whose leading g bits are above c. If no threshold's
/// leading bits equal c, the entry of cell c is a_c. Then all of the cell's uniforms have index a_c: the cell is
/// *decided*. Otherwise the entry is a_c + 2^31.
///
/// A *direct* index table has [`direct_len`](Self::direct_len) words. It splits the table into two levels, as [`PooledTable`](super::PooledTable) defines
/// them, and the rest. The first level has 15 bits (folded) or 16 (full). The second has ⌊log2 n⌋ + 3 bits for n thresholds, at least 14 and
/// at most 16. First come the first level's cells: for each v below D_0 its index, for other v 0. A cell has 16 bits. Two are one word, the
/// first in the low half. Then the second level's cells come, then for each j >= 1 the *head* ⌊2^31·F_j/F_0⌋, and a zero if n is even.
///
/// So the index table follows from the table; the law is the table's.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{Bound, DiscreteGaussian, Rational};
/// use samplez_core::table::{CdtTable, GuidedTable, Shape};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// # let bound = Bound::TRIVIAL;
/// // T_1 = 10001100, T_2 = 00000101: with two leading bits the cells 10 and 00 are open.
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24, 5 << 24])?;
/// let guided = GuidedTable::new(table, [1 << 31 | 1, 1, 1 << 31, 0])?;
/// assert_eq!((guided.guide_bits(), guided.bytes()), (2, 24));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GuidedTable<S, G> {
    table: CdtTable<S>,
    guide: G,
    /// 0 if the index table is direct.
    guide_bits: u32,
    lead_bits: u32,
    direct: Option<Direct>,
}

/// The flag of an entry whose cell is open.
const OPEN: u32 = 1 << 31;
/// Tables with at most so many thresholds have a direct index table only if their first bits decide few draws.
const FEW: usize = 127;

/// Bits of u in the first draw, which has 16 bits, the sign included, or 32.
fn lead_bits<S: AsRef<[u32]>>(table: &CdtTable<S>, guide_bits: u32) -> u32 {
    let sign = u32::from(table.shape() == Shape::Folded);
    (if guide_bits + sign <= 16 { 16 - sign } else { 32 - sign }).min(table.head_bits())
}

/// Calls `visit(cell, entry)` with each entry of the index table of g bits of these falling heads.
fn entries(heads: &[u32], guide_bits: u32, mut visit: impl FnMut(usize, u32)) {
    // Cells from the last to the first meet the heads in their order.
    let mut above = 0;
    for cell in (0..1_usize << guide_bits).rev() {
        let held = heads[above..].iter().take_while(|head| (**head >> (32 - guide_bits)) as usize == cell).count();
        visit(cell, above as u32 | if held > 0 { OPEN } else { 0 });
        above += held;
    }
}

/// How many different values the first `count` bits of the thresholds have.
fn distinct<S: AsRef<[u32]>>(table: &CdtTable<S>, count: u32) -> usize {
    table.heads().chunk_by(|a, b| (a ^ b) >> (32 - count) == 0).count()
}

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> GuidedTable<S, G> {
    /// Combines a table and an index table to it, which is checked.
    ///
    /// # Errors
    ///
    /// [`TableError`] unless the index table has [`direct_len`](Self::direct_len) words, or 2^g entries, 1 <= g <=
    /// min(26, head bits of the table). Each entry must be as the type's documentation states.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{CdtTable, GuidedTable, Shape, TableError};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let wrong = GuidedTable::new(table, [1, 0]);
    /// assert_eq!(wrong.unwrap_err(), TableError::Entry { entry: "guide: the entry of cell", index: 1 });
    /// ```
    pub fn new(table: CdtTable<S>, guide: G) -> Result<Self, TableError> {
        let mut wrong: Option<usize> = None;
        let guided = GuidedTable::unchecked(table, guide)?;
        guided.write(|place, entry| {
            if guided.guide()[place] != entry {
                wrong = Some(wrong.map_or(place, |first| first.min(place)));
            }
        });
        let entry = if guided.direct.is_some() { "guide: word" } else { "guide: the entry of cell" };
        wrong.map_or(Ok(guided), |index| Err(TableError::Entry { entry, index }))
    }

    fn unchecked(table: CdtTable<S>, guide: G) -> Result<Self, TableError> {
        let (len, max) = (guide.as_ref().len(), table.head_bits().min(MAX_GUIDE_BITS));
        if table.len() >= OPEN as usize {
            return Err(TableError::GuideThresholds { thresholds: table.len() });
        }
        if let Some(direct) = Direct::new(&table, len) {
            let lead_bits = direct.bits(0);
            return Ok(GuidedTable { table, guide, guide_bits: 0, lead_bits, direct: Some(direct) });
        }
        if !len.is_power_of_two() || !(1..=max).contains(&len.ilog2()) {
            return Err(TableError::GuideLength { entries: len, max });
        }
        let guide_bits = len.ilog2();
        Ok(GuidedTable { lead_bits: lead_bits(&table, guide_bits), table, guide, guide_bits, direct: None })
    }

    /// Calls `visit(place, word)` with each word of the index table, but not always in order.
    fn write(&self, visit: impl FnMut(usize, u32)) {
        match &self.direct {
            Some(direct) => direct.write(&self.table, visit),
            None => entries(self.table.heads(), self.guide_bits, visit),
        }
    }

    /// Returns the length of the table's direct index table in words, if it has one. It has fewer than 2^15 thresholds. Besides, it has more
    /// than 127, or they have more than one in eight of the values of the first 7 bits (full: 8).
    pub fn direct_len(table: &CdtTable<S>) -> Option<usize> {
        let bits = if table.shape() == Shape::Folded { 7 } else { 8 };
        let short = table.len() <= FEW && bits <= table.head_bits() && distinct(table, bits) << 3 <= 1 << bits;
        direct::len(table).filter(|_| !short)
    }

    /// Writes the index table of `table` to `guide`, which has 2^g entries or [`direct_len`](Self::direct_len) words.
    ///
    /// # Errors
    ///
    /// [`TableError`] as for [`GuidedTable::new`].
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{CdtTable, GuidedTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let guided = GuidedTable::with_guide_in(table, [0; 2]).unwrap();
    /// assert_eq!(guided.guide(), [1, 1 << 31]);
    /// ```
    pub fn with_guide_in(table: CdtTable<S>, mut guide: G) -> Result<Self, TableError>
    where
        G: AsMut<[u32]>,
    {
        guide.as_mut().fill(0);
        let mut guided = GuidedTable::unchecked(table, guide)?;
        let GuidedTable { table, guide, guide_bits, direct, .. } = &mut guided;
        let guide = guide.as_mut();
        match direct {
            Some(direct) => direct.write(table, |place, word| guide[place] = word),
            None => entries(table.heads(), *guide_bits, |cell, entry| guide[cell] = entry),
        }
        Ok(guided)
    }

    /// Returns the index table's words.
    #[inline(always)]
    pub fn guide(&self) -> &[u32] {
        self.guide.as_ref()
    }

    /// Comparisons with a threshold for one sample, on average, until the table's first digits (a direct index table: the heads)
    /// have decided. If the index table is not direct: none in a decided cell; in an open one, those above u and one more. Below 2
    /// if the index table has at least as many cells as there are thresholds.
    #[cfg(feature = "testing")]
    pub fn expected_comparisons(&self) -> f64 {
        if let Some(direct) = &self.direct {
            return direct.third() * f64::from(usize::BITS - self.table.len().leading_zeros());
        }
        let cell_bits = 32 - self.guide_bits;
        let within = |head: &u32| f64::from(head & ((1 << cell_bits) - 1)) / f64::from(1_u32 << cell_bits);
        let above: f64 = self.table.heads().iter().map(within).sum();
        (self.open_cells() as f64 + above) / self.guide().len() as f64
    }

    /// Returns the index of all uniforms with these [`lead_bits`](Self::lead_bits) leading bits. If the index table
    /// leaves it open, `Err` has an index that is not above any of theirs.
    #[inline(always)]
    pub(crate) fn look_up(&self, lead: u32) -> Result<usize, usize> {
        let entry = self.guide()[(lead >> (self.lead_bits - self.guide_bits)) as usize];
        if entry & OPEN == 0 { Ok(entry as usize) } else { Err((entry & !OPEN) as usize) }
    }

    /// The number of open cells.
    #[cfg(feature = "testing")]
    fn open_cells(&self) -> usize {
        distinct(&self.table, self.guide_bits)
    }

    /// How many of the 2^lead_bits leads are those of a threshold.
    pub(crate) fn open_leads(&self) -> usize {
        distinct(&self.table, self.lead_bits)
    }
}

impl<S, G> GuidedTable<S, G> {
    /// Returns the thresholds.
    pub const fn table(&self) -> &CdtTable<S> {
        &self.table
    }
    /// Returns the number g of leading bits that choose a cell. 0 if the index table is direct.
    #[cfg(any(test, feature = "testing"))]
    pub const fn guide_bits(&self) -> u32 {
        self.guide_bits
    }

    /// The levels, if the index table is direct.
    #[inline(always)]
    pub(crate) const fn direct(&self) -> Option<&Direct> {
        self.direct.as_ref()
    }

    /// Returns the number of bits of u that a sampler draws first. With the sign of a folded table they make 16 bits,
    /// or 32 if the index table needs more than that. They are never more than the precision.
    pub(crate) const fn lead_bits(&self) -> u32 {
        self.lead_bits
    }

    /// Returns the same table, read with another first draw: same law, other stream. It exists for the
    /// exact law tests, which walk every first draw.
    #[cfg(feature = "testing")]
    pub fn with_lead_bits(self, lead_bits: u32) -> Self {
        assert!(self.direct.is_none() && (self.guide_bits..=self.table.head_bits()).contains(&lead_bits));
        GuidedTable { lead_bits, ..self }
    }
}

impl<S, G: AsRef<[u32]>> Table for GuidedTable<S, G> {
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
        self.table.bytes() + 4 * self.guide.as_ref().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{falling, table};
    use std::string::ToString;
    use std::vec;
    use std::vec::Vec;

    /// How many thresholds are above u.
    fn index(thresholds: &[u128], u: u128) -> usize {
        thresholds.iter().filter(|t| **t > u).count()
    }

    /// Tables, each with the bits of its index tables.
    const CASES: [(Shape, usize, u32, u32); 9] = [
        (Shape::Folded, 1, 8, 1),
        (Shape::Folded, 9, 8, 8),
        (Shape::Folded, 20, 40, 5),
        (Shape::Folded, 20, 40, 15),
        (Shape::Folded, 20, 40, 16),
        (Shape::Full, 7, 16, 4),
        (Shape::Full, 30, 64, 9),
        (Shape::Full, 30, 100, 16),
        (Shape::Full, 30, 100, 17),
    ];

    #[test]
    fn entries_are_what_the_type_says() {
        for (i, (shape, count, precision, bits)) in CASES.into_iter().enumerate() {
            let thresholds = falling(count, precision, i as u8);
            let sign = u32::from(shape == Shape::Folded);
            let made = GuidedTable::with_guide_in(table(shape, 0, precision, &thresholds).unwrap(), vec![0; 1 << bits]);
            let guided = made.unwrap();
            // A first draw of 16 bits, or of 32, of what the precision has.
            let lead_bits = (if bits + sign <= 16 { 16 } else { 32 } - sign).min(precision);
            assert_eq!(guided.lead_bits(), lead_bits, "{shape:?}, {precision}, {bits}");
            assert_eq!((guided.guide_bits(), guided.bytes()), (bits, guided.table().bytes() + (4 << bits)));
            for (cell, entry) in guided.guide().iter().enumerate() {
                let of = |t: &u128| (t >> (precision - bits)) as usize;
                let above = thresholds.iter().filter(|t| of(t) > cell).count() as u32;
                let flag = if thresholds.iter().any(|t| of(t) == cell) { 1 << 31 } else { 0 };
                assert_eq!(*entry, above + flag, "{shape:?}, {precision} bits, cell {cell} of 2^{bits}");
            }
            let open =
                (0..1 << bits).filter(|cell| thresholds.iter().any(|t| t >> (precision - bits) == *cell)).count();
            // Of each cell's uniforms: those that a threshold in it is above, for each, and one more comparison.
            let part = |t: &u128| (*t as f64 / 2_f64.powi((precision - bits) as i32)).fract();
            let more: f64 = thresholds.iter().map(part).sum();
            let compared = (open as f64 + more) / f64::from(1 << bits);
            assert!((guided.expected_comparisons() - compared).abs() < 1e-6, "{compared}");
            let mut leads: Vec<u128> = thresholds.iter().map(|t| t >> (precision - lead_bits)).collect();
            leads.dedup();
            assert_eq!(guided.open_leads(), leads.len());
        }
    }

    #[test]
    fn what_is_looked_up_is_the_index() {
        for (i, (shape, count, precision, bits)) in CASES.into_iter().enumerate() {
            let thresholds = falling(count, precision, i as u8);
            let guided = table(shape, 0, precision, &thresholds).unwrap();
            let guided = GuidedTable::with_guide_in(guided, vec![0; 1 << bits]).unwrap();
            let below = precision - guided.lead_bits();
            let step = (1_u128 << guided.lead_bits() >> 16).max(1);
            let near = thresholds.iter().flat_map(|t| [t >> below, (t >> below).wrapping_add(1)]);
            for lead in (0..1 << guided.lead_bits()).step_by(step as usize).chain(near) {
                if lead >> guided.lead_bits() != 0 {
                    continue;
                }
                let (most, least) =
                    (index(&thresholds, lead << below), index(&thresholds, (lead << below) + (1 << below) - 1));
                let cell = lead >> (guided.lead_bits() - bits);
                let held = thresholds.iter().filter(|t| **t >> (precision - bits) == cell).count();
                match guided.look_up(lead as u32) {
                    Ok(index) => assert_eq!((index, index), (most, least)),
                    Err(index) => {
                        assert_eq!(index, thresholds.iter().filter(|t| **t >> (precision - bits) > cell).count());
                        assert!(held > 0, "{precision}, {bits}: {lead}");
                    }
                }
            }
        }
    }

    #[test]
    fn guides_that_do_not_belong_are_refused() {
        let thresholds = falling(9, 20, 1);
        let new = |guide: Vec<u32>| GuidedTable::new(table(Shape::Full, 0, 20, &thresholds).unwrap(), guide);
        let filled = |len| GuidedTable::with_guide_in(table(Shape::Full, 0, 20, &thresholds).unwrap(), vec![0; len]);
        for len in [0, 1, 3, 6, 1 << 21] {
            let wrong = TableError::GuideLength { entries: len, max: 20 };
            assert_eq!((new(vec![0; len]).unwrap_err(), filled(len).unwrap_err()), (wrong, wrong));
        }
        assert!(filled(2).is_ok() && filled(1 << 20).is_ok());
        let guide = filled(64).unwrap().guide().to_vec();
        for cell in 0..64 {
            let mut wrong = guide.clone();
            wrong[cell] ^= 1;
            assert_eq!(new(wrong).unwrap_err(), TableError::Entry { entry: "guide: the entry of cell", index: cell });
        }
        let error = TableError::GuideLength { entries: 3, max: 20 };
        assert_eq!(error.to_string(), "guide: got 3 entries, expected a power of two from 2 to 2^20");
        let other = filled(1 << 17).unwrap().with_lead_bits(18);
        assert_eq!(other.lead_bits(), 18);
    }
}
