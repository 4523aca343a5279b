//! A batch whose pools are too small, one sample after the other.

use crate::arch::knuth_yao_ct::COLUMNS;
use crate::arch::tree::Tree;
use crate::bits::BitSource;
use crate::table::Pools;
use core::slice::Iter;

/// The levels' trees and bases, for one draw at a time.
pub(super) struct Levels<'a> {
    pub(super) trees: [Tree<'a>; 4],
    pub(super) bases: [u8; 4],
    /// Of a draw of the last level.
    pub(super) digits: usize,
    pub(super) folded: bool,
}

impl Levels<'_> {
    /// The value that a draw of this level decides on, or `None` if it is open.
    fn decide(&self, level: usize, draw: impl Iterator<Item = u8> + Clone) -> Option<u8> {
        let above = self.trees[level].count_above(draw) as u8;
        let base = self.bases[level];
        match (level, above) {
            (3, _) => Some(base.wrapping_add(above)),
            (_, 0) => None,
            _ => Some(base.wrapping_add(above - 1)),
        }
    }

    /// A new draw of this level, for which no pool has an entry. If it is open, a draw of the next level follows.
    fn anew<B: BitSource + ?Sized>(&self, level: usize, bits: &mut B) -> u8 {
        let mut draw = [0; 32];
        let draw = &mut draw[..[1, 1, 2, self.digits][level]];
        draw.iter_mut().for_each(|digit| *digit = bits.bits(8) as u8);
        self.decide(level, draw.iter().copied()).unwrap_or_else(|| self.anew(level + 1, bits))
    }

    /// The value of a draw: decided, or the next one of a pool for the level, or a new one.
    fn settle<B: BitSource + ?Sized>(
        &self,
        level: usize,
        draw: impl Iterator<Item = u8> + Clone,
        pool: &mut Iter<'_, u8>,
        bits: &mut B,
    ) -> u8 {
        self.decide(level, draw).unwrap_or_else(|| pool.next().copied().unwrap_or_else(|| self.anew(level + 1, bits)))
    }

    /// The values of a batch of these draws. An open draw without an entry of a pool is drawn anew. The last level comes first.
    pub(super) fn batch<B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
        draws: &[u8],
        samples: &mut [u8],
        pools: Pools,
        section: usize,
        [second, third, last]: [&mut [u8]; 3],
    ) {
        let (sample_draws, rest) = draws.split_at(samples.len());
        let (seconds, rest) = rest.split_at(pools.second);
        let (highs, rest) = rest.split_at(pools.third);
        let (lows, lasts) = rest.split_at(pools.third);
        for (k, value) in last.iter_mut().enumerate() {
            let digits = (0..self.digits).map(|d| lasts[d * pools.last + k]);
            *value = self.settle(3, digits, &mut [].iter(), bits);
        }
        // Column by column of rows.
        let mut pool = last.iter();
        for column in 0..COLUMNS {
            for at in (column..pools.third).step_by(COLUMNS) {
                third[at] = self.settle(2, [highs[at], lows[at]].into_iter(), &mut pool, bits);
            }
        }
        let mut pool = third.iter();
        for (value, draw) in second.iter_mut().zip(seconds) {
            *value = self.settle(1, [*draw].into_iter(), &mut pool, bits);
        }
        let sections = samples.chunks_mut(section).zip(sample_draws.chunks(section));
        for ((samples, draws), pool) in sections.zip(second.chunks(pools.section)) {
            let mut pool = pool.iter();
            for (sample, draw) in samples.iter_mut().zip(draws) {
                let draw = *draw;
                let cell = if self.folded { draw & 0x7f } else { draw };
                let value = self.settle(0, [cell].into_iter(), &mut pool, bits);
                *sample = if self.folded && draw >= 0x80 { value.wrapping_neg() } else { value };
            }
        }
    }
}
