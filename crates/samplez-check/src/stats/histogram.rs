//! Counts of y in intervals of equal, power-of-two width.

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

    /// Counts each value, and hands those out of range to `outlier`.
    #[inline]
    pub(super) fn push(&mut self, values: &[i64], mut outlier: impl FnMut(i64)) {
        for y in values {
            // A value below `low` wraps round to a huge index.
            let index = (y.wrapping_sub(self.low) as u64) >> self.log2_bin;
            match self.counts.get_mut(index as usize) {
                Some(count) => *count += 1,
                None => {
                    *(if *y < self.low { &mut self.below } else { &mut self.above }) += 1;
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
