//! Counts of y in intervals of equal, power-of-two width.

use super::coding::Coding;
use super::target::Target;
use super::{BLOCK, MAX_DIRECT};
use samplez_core::Int;

/// A law has few values if there are at most so many.
const NARROW: usize = 256;

/// Tables of counts.
const LANES: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Histogram {
    low: i64,
    log2_bin: u32,
    counts: Vec<u64>,
    below: u64,
    above: u64,
}

/// The index of a place. Where an index has 32 bits, one beyond them is of no place, instead of that of its low bits.
pub(super) fn place(index: u64) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

impl Histogram {
    /// No counts yet, over the target's range in intervals of 2^`log2_bin`.
    pub(super) fn new(target: &Target, log2_bin: u32) -> Self {
        Histogram::over(*target.range.start(), *target.range.end(), log2_bin)
    }

    /// No counts yet, and whether the target's range has an interval for each value, none of which exceeds 64 bits.
    pub(super) fn direct_or_not(target: &Target) -> (Self, bool) {
        let (low, high) = (*target.range.start(), *target.range.end());
        let moved = low.checked_add(target.shift).and(high.checked_add(target.shift));
        let direct = high.abs_diff(low) < MAX_DIRECT && moved.is_some();
        (Histogram::new(target, if direct { 0 } else { target.log2_bin() }), direct)
    }

    /// No counts yet, from `low` to at least `high` in intervals of 2^`log2_bin`.
    pub(super) fn over(low: i64, high: i64, log2_bin: u32) -> Self {
        let len = (high.abs_diff(low) >> log2_bin) + 1;
        Histogram { low, log2_bin, counts: vec![0; len as usize], below: 0, above: 0 }
    }

    /// Counts each value, writes its cell's code, and hands those out of range to `outlier`.
    ///
    /// `x` counts as x - `shift`. Both ends of the range, so moved back, have to fit in 64 bits.
    #[inline]
    pub(super) fn push<T: Int>(
        &mut self,
        samples: &[T],
        shift: i64,
        coding: &Coding,
        codes: &mut [i16],
        mut outlier: impl FnMut(i64),
    ) {
        if self.narrow(samples, shift, coding, codes, &mut outlier) {
            return;
        }
        // What is known to be 0 is not shifted.
        match (self.log2_bin, coding.log2_cell()) {
            (0, 0) => self.count(samples, shift, coding, codes, outlier, |offset| offset, |index| index),
            (0, cell) => self.count(samples, shift, coding, codes, outlier, |offset| offset, |index| index >> cell),
            (bin, cell) => {
                let within = cell - bin;
                self.count(samples, shift, coding, codes, outlier, |offset| offset >> bin, |index| index >> within);
            }
        }
    }

    /// Counts a block of values of a law with few, if all lie near it. Several tables count, so that equal neighbours do not wait
    /// for each other.
    #[inline]
    fn narrow<T: Int>(
        &mut self,
        samples: &[T],
        shift: i64,
        coding: &Coding,
        codes: &mut [i16],
        mut outlier: impl FnMut(i64),
    ) -> bool {
        let (len, start) = (self.counts.len(), self.low.wrapping_add(shift));
        let single = (self.log2_bin, coding.log2_cell()) == (0, 0);
        if !single || len > NARROW || samples.len() > BLOCK || samples.len() != codes.len() {
            return false;
        }
        // A value below the range wraps round to a huge offset.
        let offset = |x: T| x.widen().wrapping_sub(start) as u64;
        if samples.iter().fold(0, |all, x| all | offset(*x)) >= NARROW as u64 {
            return false;
        }
        let table: &[i16] = coding.codes();
        let mut padded = [table[table.len() - 1]; NARROW];
        padded[..table.len()].copy_from_slice(table);
        let mut lanes = [[0_u16; NARROW]; LANES];
        let ((fours, rest), (outs, out_rest)) = (samples.as_chunks::<LANES>(), codes.as_chunks_mut::<LANES>());
        for (four, out) in fours.iter().zip(outs) {
            for lane in 0..LANES {
                let index = usize::from(offset(four[lane]) as u8);
                lanes[lane][index] += 1;
                out[lane] = padded[index];
            }
        }
        for (x, out) in rest.iter().zip(out_rest) {
            let index = usize::from(offset(*x) as u8);
            lanes[0][index] += 1;
            *out = padded[index];
        }
        for index in 0..NARROW {
            let count: u64 = lanes.iter().map(|lane| u64::from(lane[index])).sum();
            match self.counts.get_mut(index) {
                Some(total) => *total += count,
                None => {
                    self.above += count;
                    (0..count).for_each(|_| outlier(self.low + index as i64));
                }
            }
        }
        true
    }

    #[inline]
    #[expect(clippy::too_many_arguments, reason = "one loop, in three versions")]
    fn count<T: Int>(
        &mut self,
        samples: &[T],
        shift: i64,
        coding: &Coding,
        codes: &mut [i16],
        mut outlier: impl FnMut(i64),
        bin: impl Fn(u64) -> u64,
        cell: impl Fn(u64) -> u64,
    ) {
        let (table, counts) = (coding.codes(), self.counts.as_mut_slice());
        let (first, last) = (table[0], table[table.len() - 1]);
        let start = self.low.wrapping_add(shift);
        for (x, code) in samples.iter().zip(codes) {
            // A value below the range wraps round to a huge index.
            let x = x.widen();
            let index = bin(x.wrapping_sub(start) as u64);
            match counts.get_mut(place(index)) {
                Some(count) => {
                    *count += 1;
                    *code = table.get(cell(index) as usize).copied().unwrap_or(last);
                }
                None => {
                    let below = x < start;
                    *(if below { &mut self.below } else { &mut self.above }) += 1;
                    *code = if below { first } else { last };
                    outlier(x.saturating_sub(shift));
                }
            }
        }
    }

    /// Counts one value so many times.
    pub(super) fn add(&mut self, y: i64, times: u64) {
        match self.counts.get_mut(place(y.wrapping_sub(self.low) as u64 >> self.log2_bin)) {
            Some(count) => *count += times,
            None => *(if y < self.low { &mut self.below } else { &mut self.above }) += times,
        }
    }

    /// Returns the counts in wider intervals of 2^`log2_cell`, with the values outside added to the ends.
    pub(super) fn cells(&self, log2_cell: u32) -> Vec<u64> {
        let groups = self.counts.chunks(1 << (log2_cell - self.log2_bin));
        let mut cells: Vec<u64> = groups.map(|group| group.iter().sum()).collect();
        cells[0] += self.below;
        cells.last_mut().into_iter().for_each(|last| *last += self.above);
        cells
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

    /// The counts of all intervals, ascending.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    pub(super) const fn log2_bin(&self) -> u32 {
        self.log2_bin
    }

    /// The intervals as (first value, last value, count), ascending.
    pub(super) fn bins(&self) -> impl Iterator<Item = (i64, i64, u64)> + '_ {
        let width = 1_i64 << self.log2_bin;
        self.counts.iter().enumerate().map(move |(i, count)| {
            // The distance from `low` may be 2^63, and their sum is within 64 bits.
            let first = self.low.wrapping_add((i as i64).wrapping_mul(width));
            (first, first + (width - 1), *count)
        })
    }
}
