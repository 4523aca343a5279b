//! Cells of 16 bits that decide most draws by one look, and the others by a second look and a search.

use super::split::{Fraction, Lead, cumulative, leading};
use super::{CdtTable, Shape};

/// A table has direct cells if it has fewer thresholds.
const MAX: usize = 1 << 15;
/// The fewest bits of the second draw, and the most.
const SECOND_BITS: [u32; 2] = [14, 16];
/// Bits of a head.
const HEAD_BITS: u32 = 31;
/// Two cells are one word, the first in its low half. On machines of the other byte order they change places.
const FLIP: usize = if cfg!(target_endian = "big") { 1 } else { 0 };

/// The levels behind direct cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direct {
    leads: [Lead; 2],
    /// Bits of the last draw.
    left: u32,
}

/// A level's draws.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a> {
    cells: &'a [u16],
    bits: u32,
    decided: u32,
}

impl<'a> Cells<'a> {
    /// The index of a draw, if it is decided.
    #[inline(always)]
    pub(crate) fn index(self, draw: u32) -> Option<usize> {
        (draw < self.decided).then(|| self.cells.get(draw as usize ^ FLIP).copied().unwrap_or(0).into())
    }

    /// Bits of a draw.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u32 {
        self.bits
    }

    /// D_0.
    #[inline(always)]
    pub(crate) const fn decided(self) -> u32 {
        self.decided
    }

    /// The cells in an order in which that of draw v has the place v ^ [`FLIP`](Cells::FLIP).
    #[inline(always)]
    pub(crate) const fn cells(self) -> &'a [u16] {
        self.cells
    }

    pub(crate) const FLIP: usize = FLIP;

    /// D_j of j >= 1: how many decided draws have this index or a greater one.
    fn above(self, index: usize) -> u32 {
        let (mut from, mut to) = (0, self.decided);
        while from < to {
            let middle = from + (to - from) / 2;
            if self.index(middle).is_some_and(|at| at >= index) { from = middle + 1 } else { to = middle }
        }
        from
    }
}

/// Words of the two levels' cells of this table.
fn words<S: AsRef<[u32]>>(table: &CdtTable<S>) -> [usize; 2] {
    bits(table).map(|bits| 1 << (bits - 1))
}

/// Bits of the levels' draws: of the first, 16 with the sign; of the second so many that few of its draws are open.
fn bits<S: AsRef<[u32]>>(table: &CdtTable<S>) -> [u32; 2] {
    let [least, most] = SECOND_BITS;
    [16 - u32::from(table.shape() == Shape::Folded), (table.len().ilog2() + 3).clamp(least, most)]
}

/// Words of the cells and heads of this table. It is odd.
pub(super) fn len<S: AsRef<[u32]>>(table: &CdtTable<S>) -> Option<usize> {
    let [first, second] = words(table);
    (table.len() < MAX).then_some(first + second + (table.len() | 1))
}

impl Direct {
    /// The levels of this table, if its cells and heads have so many words.
    pub(super) fn new<S: AsRef<[u32]>>(table: &CdtTable<S>, words: usize) -> Option<Self> {
        if len(table) != Some(words) {
            return None;
        }
        let (leads, left) = Lead::of(table, bits(table));
        Some(Direct { leads, left })
    }

    /// Calls `visit(place, word)` with each word.
    pub(super) fn write<S: AsRef<[u32]>>(&self, table: &CdtTable<S>, mut visit: impl FnMut(usize, u32)) {
        let [first, second] = words(table);
        // Of each level the place of its first word, how many cells there are so far, and the last of them.
        let mut cells = [(0, 0, 0), (first, 0, 0)];
        let mut put = |k: usize, index: usize, count: u32, visit: &mut dyn FnMut(usize, u32)| {
            let (start, so_far, last) = &mut cells[k];
            for _ in 0..count {
                if *so_far % 2 == 1 {
                    visit(*start + *so_far / 2, (index as u32) << 16 | *last);
                }
                (*so_far, *last) = (*so_far + 1, index as u32);
            }
        };
        if table.len().is_multiple_of(2) {
            visit(first + second + table.len(), 0);
        }
        Lead::walk(&self.leads, table, &mut |step| {
            for (k, count) in step.cells.into_iter().enumerate().take(2) {
                put(k, step.index, count, &mut visit);
            }
            if step.index > 0 {
                visit(first + second + step.index - 1, leading(&step.rest(&self.leads), HEAD_BITS));
            }
        });
        for (k, lead) in self.leads.into_iter().enumerate() {
            put(k, 0, 1 << lead.spare_bits, &mut visit);
        }
    }

    /// The cells of both levels, and the heads, of this table's words.
    #[inline(always)]
    pub(crate) fn parts<'a>(&self, guide: &'a [u32], len: usize) -> ([Cells<'a>; 2], &'a [u32]) {
        let [a, b] = self.leads;
        let (first, rest) = guide.split_at(1 << (a.bits - 1));
        let (second, heads) = rest.split_at(1 << (b.bits - 1));
        let cells =
            |words, lead: Lead| Cells { cells: bytemuck::cast_slice(words), bits: lead.bits, decided: lead.decided() };
        ([cells(first, a), cells(second, b)], &heads[..len])
    }

    /// Bits of a level's draw.
    #[inline(always)]
    pub(crate) const fn bits(&self, k: usize) -> u32 {
        self.leads[k].bits
    }

    /// The probability of a third draw.
    #[cfg(feature = "testing")]
    pub(crate) fn third(&self) -> f64 {
        self.leads.iter().map(|lead| 1.0 / f64::from(1 << lead.open_bits())).product()
    }

    /// Bits of a sample, on average.
    pub(crate) fn expected_bits<S: AsRef<[u32]>>(&self, table: &CdtTable<S>, guide: &[u32]) -> f64 {
        let (_, heads) = self.parts(guide, table.len());
        let ties = heads.chunk_by(|a, b| a == b).filter(|heads| heads[0] >> HEAD_BITS == 0).count();
        let tie = ties as f64 / f64::from(1_u32 << HEAD_BITS);
        let [second, third] = self.leads.map(|lead| 1.0 / f64::from(1 << lead.open_bits()));
        16.0 + second * (16.0 + third * (32.0 + tie * f64::from(16 * self.more_pieces())))
    }

    /// Pieces of 16 bits that the last draw has beyond 32.
    pub(crate) const fn more_pieces(&self) -> u32 {
        self.left.saturating_sub(32).div_ceil(16)
    }

    /// The F_j, of 1 <= j <= n, by T_j and the cells, as a part of all.
    pub(crate) fn rest<S: AsRef<[u32]>>(&self, table: &CdtTable<S>, cells: [Cells<'_>; 2], index: usize) -> Fraction {
        let mass = cumulative(table, index);
        self.leads.iter().zip(cells).fold(mass, |mass, (lead, cells)| lead.below(mass, cells.above(index)))
    }
}

#[cfg(test)]
mod tests;
