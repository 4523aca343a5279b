//! Counts of y in intervals of equal, power-of-two width.

use super::coding::Coding;
use super::target::Target;

#[derive(Clone, Debug)]
pub(super) struct Histogram {
    low: i64,
    log2_bin: u32,
    counts: Vec<u64>,
    below: u64,
    above: u64,
}

impl Histogram {
    /// No counts yet, over the target's range in intervals of 2^`log2_bin`.
    pub(super) fn new(target: &Target, log2_bin: u32) -> Self {
        let (low, high) = (*target.range.start(), *target.range.end());
        let len = (high.abs_diff(low) >> log2_bin) + 1;
        Histogram { low, log2_bin, counts: vec![0; len as usize], below: 0, above: 0 }
    }

    /// Counts each value, writes its cell's code, and hands those out of range to `outlier`.
    #[inline]
    pub(super) fn push(&mut self, values: &[i64], coding: &Coding, codes: &mut [i16], mut outlier: impl FnMut(i64)) {
        let (shift, table) = (coding.log2_cell() - self.log2_bin, coding.codes());
        let (first, last) = (table[0], table[table.len() - 1]);
        for (y, code) in values.iter().zip(codes) {
            // A value below `low` wraps round to a huge index.
            let index = (y.wrapping_sub(self.low) as u64) >> self.log2_bin;
            match self.counts.get_mut(index as usize) {
                Some(count) => {
                    *count += 1;
                    *code = table.get((index >> shift) as usize).copied().unwrap_or(last);
                }
                None => {
                    let below = *y < self.low;
                    *(if below { &mut self.below } else { &mut self.above }) += 1;
                    *code = if below { first } else { last };
                    outlier(*y);
                }
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Histogram) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.below += other.below;
        self.above += other.above;
    }

    /// Values below the first interval, and above the last.
    pub(super) const fn outside(&self) -> (u64, u64) {
        (self.below, self.above)
    }

    pub(super) const fn log2_bin(&self) -> u32 {
        self.log2_bin
    }

    /// The intervals as (first value, last value, count), ascending.
    pub(super) fn bins(&self) -> impl Iterator<Item = (i64, i64, u64)> + '_ {
        let width = 1_i64 << self.log2_bin;
        self.counts.iter().enumerate().map(move |(i, count)| {
            let first = self.low + i as i64 * width;
            (first, first + (width - 1), *count)
        })
    }
}
