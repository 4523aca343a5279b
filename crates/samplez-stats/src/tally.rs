//! The data kept of a sample of an unknown law.

use super::coding::Coding;
use super::histogram::Histogram;
use super::order::{Kind, Order};
use super::report::VerifyError;
use super::target::{RESIDUES, log2_width};
use super::{BLOCK, MAX_BINS};
use samplez_core::Int;
use std::num::NonZeroUsize;

/// The tests of order see at most so many cells and two. So all cells have codes of their own, wherever the mean is.
const CELLS: u64 = 512;

/// Counts, and the data of the tests of order.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    coding: Coding,
    histogram: Histogram,
    pub(super) residues: [u64; RESIDUES],
    order: Order,
    /// The codes of the first values.
    head: Vec<i16>,
    pub(super) len: u64,
}

/// The number of values of two samples that are judged place by place.
const HEAD: usize = 1 << 20;

impl Tally {
    /// One that has seen nothing. Its cells are for samples that begin with these values.
    ///
    /// Where they are cut is of no consequence for the error of a test, as long as both samples share them.
    pub(super) fn new<T: Int>(first: &[T], second: &[T]) -> Self {
        let values = || first.iter().chain(second).map(|x| x.widen());
        let (least, greatest) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        // Half as much again on each side.
        let more = i64::try_from(greatest.abs_diff(least) / 2).unwrap_or(i64::MAX).saturating_add(1);
        let range = least.saturating_sub(more)..=greatest.saturating_add(more);
        let (log2_bin, log2_cell) = (log2_width(&range, MAX_BINS), log2_width(&range, CELLS));
        // Cells begin at multiples of their width, so that -x lies in the mirror image of the cell of x.
        let (low, high) = (range.start() >> log2_cell << log2_cell, *range.end());
        let empty = Histogram::over(low, high, log2_bin);
        let mut histogram = empty.clone();
        values().for_each(|x| histogram.add(x, 1));
        let coding = Coding::of_values(low, log2_cell, &histogram.cells(log2_cell));
        Tally {
            order: Order::new(&coding),
            coding,
            histogram: empty,
            residues: [0; RESIDUES],
            head: Vec::new(),
            len: 0,
        }
    }

    pub(super) fn set_threads(&mut self, threads: NonZeroUsize) {
        self.order.set_threads(threads);
    }

    pub(super) fn set_share(&mut self, share: usize, of: usize) {
        self.order.set_share(share, of);
    }

    /// Adds the state of a share that is not the first.
    pub(super) fn share(&self, words: &mut Vec<u64>) {
        self.order.share(words);
    }

    pub(super) fn push<T: Int>(&mut self, samples: &[T]) {
        let mut codes = [0; BLOCK];
        for chunk in samples.chunks(BLOCK) {
            let codes = &mut codes[..chunk.len()];
            self.histogram.push(chunk, 0, &self.coding, codes, |_| ());
            for x in chunk {
                self.residues[(x.widen() & (RESIDUES as i64 - 1)) as usize] += 1;
            }
            self.head.extend_from_slice(&codes[..codes.len().min(HEAD - self.head.len())]);
            self.order.push(codes);
        }
        self.len += samples.len() as u64;
    }

    /// How many values lie in each interval, from the lowest up; the first and the last are for those outside.
    pub(super) fn counts(&self) -> Vec<u64> {
        let (below, above) = self.histogram.outside();
        [&[below], self.histogram.counts(), &[above]].concat()
    }

    /// The cells, with the shares that were seen of them.
    pub(super) fn coding(&self) -> Coding {
        self.coding.seen(&self.histogram.cells(self.coding.log2_cell()))
    }

    /// The codes of the first values.
    pub(super) fn head(&self) -> &[i16] {
        &self.head
    }

    /// With the last window done.
    pub(super) fn joined<'a>(&self, others: impl Iterator<Item = &'a [u64]>) -> Result<Order, VerifyError> {
        self.order.joined(others)
    }
}

/// How many sequences of one sample that were kept come in the other, of how many; in order, then mirrored. `None` if
/// the samples' entropy is too small for sequences that never come again.
pub(super) fn shared(first: &Order, second: &Order) -> [Option<(u64, u64)>; 2] {
    let (ours, theirs) = (first.repeats.kinds(), second.repeats.kinds());
    core::array::from_fn(|i| ours[i].length.map(|_| Kind::shared(ours[i], theirs[i])))
}
