//! Values as the indices of counters, with upper bounds of their probabilities.

use crate::histogram::place;
use crate::target::{RESIDUES, Target};

/// Probabilities below this one are replaced by it: a bound that every law's doubles keep.
const LEAST: f64 = f64::from_bits((1023 - 900) << 52); // 2^-900

/// The relative error of a residue's probability, a sum of at most 2^16 doubles, is below this number.
const RESIDUE_ERROR: f64 = f64::from_bits((1023 - 36) << 52); // 2^-36

/// Bits of the kind of a value, for bets on order.
pub(super) const KIND_BITS: usize = 4;

/// The names of these bits.
pub(super) const KINDS: [&str; KIND_BITS] = ["side", "size", "parity", "bit 1"];

/// The cells of a law: its range in intervals of one power of two, then all integers above, then all below.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    low: i64,
    log2: u32,
    inner: usize,
    /// Upper bounds of the cells' probabilities.
    pub(super) above: Vec<f64>,
    /// Upper bounds of the probabilities of y mod 16.
    pub(super) residues: [f64; RESIDUES],
    /// (middle - mean)/deviation.
    pub(super) places: Vec<f64>,
    /// Side and size.
    kinds: Vec<u8>,
    /// The relative error of a probability of a sum.
    pub(super) error: Option<f64>,
}

/// The maximum absolute error of a probability of a sum, beside its relative error.
const LACKING: f64 = f64::from_bits((1023 - 160) << 52); // 2^-160

/// An upper bound of a probability of a law with this error, of a sum if any: other doubles err by at most 2^-52 of it from 2^-900 on.
fn upper(p: f64, error: Option<f64>) -> f64 {
    match error {
        Some(error) => p * (1.0 + 4.0 * (f64::EPSILON + error)) + LACKING,
        None => (p * (1.0 + 4.0 * f64::EPSILON)).max(LEAST),
    }
}

impl Cells {
    pub(super) fn new(target: &Target) -> Self {
        let (low, log2) = (*target.range.start(), target.log2_cell());
        let inner = (target.range.end().abs_diff(low) >> log2) as usize + 1;
        let width = 1_i64 << log2;
        // The distance from `low` may be 2^63, and their sum is within 64 bits.
        let first = |i: usize| low.wrapping_add((i as i64) << log2);
        let last = |i: usize| first(i).saturating_add(width - 1);
        let error = target.law.is_sum().then(|| target.law.error());
        let mut above: Vec<f64> = (0..inner).map(|i| upper(target.mass(first(i)..=last(i)), error)).collect();
        let beyond = last(inner - 1).checked_add(1).map_or(0.0, |next| target.mass(next..=i64::MAX));
        let before = low.checked_sub(1).map_or(0.0, |end| target.mass(i64::MIN..=end));
        above.extend([upper(beyond, error), upper(before, error)]);
        let deviation = target.deviation().unwrap_or(1.0);
        let middle = |i: f64| (low as f64 + i * width as f64 + (width - 1) as f64 / 2.0 - target.mean) / deviation;
        let mut places: Vec<f64> = (0..inner).map(|i| middle(i as f64)).collect();
        places.extend([middle(inner as f64), middle(-1.0)]);
        // The median of |t| of a normal variable is 0.6745.
        let kind = |t: &f64| u8::from(*t > 0.0) | u8::from(t.abs() > 0.6745) << 1;
        let kinds = places.iter().map(kind).collect();
        let residues = target.residues().map(|p| upper(p * (1.0 + RESIDUE_ERROR), error));
        Cells { low, log2, inner, above, residues, places, kinds, error }
    }

    /// The number of cells.
    pub(super) fn len(&self) -> usize {
        self.above.len()
    }

    /// The cells in the range, without the two outside.
    pub(super) const fn inner(&self) -> usize {
        self.inner
    }

    /// Whether each cell in the range is one integer.
    pub(super) const fn is_single(&self) -> bool {
        self.log2 == 0
    }

    /// The first integer of a cell; of those outside, the one next to the range.
    pub(super) fn first(&self, index: usize) -> i64 {
        match index {
            i if i > self.inner => self.low.wrapping_sub(1),
            i => self.low.wrapping_add((i as i64) << self.log2),
        }
    }

    #[inline]
    pub(super) fn index(&self, y: i64) -> usize {
        let index = place(y.wrapping_sub(self.low) as u64 >> self.log2);
        if y >= self.low && index < self.inner {
            index
        } else if y < self.low {
            self.inner + 1
        } else {
            self.inner
        }
    }

    /// The kind of a value in this cell.
    #[inline]
    pub(super) fn kind(&self, index: usize, y: i64) -> u8 {
        self.kinds[index] | ((y & 3) as u8) << 2
    }

    /// Upper bounds of the probabilities that a bit of the kind is 0, and that it is 1.
    pub(super) fn kind_above(&self, bit: usize) -> [f64; 2] {
        let mut sums = [0.0; 2];
        if bit < 2 || self.is_single() {
            for (i, p) in self.above.iter().enumerate() {
                // What lies outside may have either low bit.
                let is_outside = i >= self.inner && bit >= 2;
                let kind = self.kind(i, self.first(i));
                for (value, sum) in sums.iter_mut().enumerate() {
                    *sum += if is_outside || usize::from(kind >> bit & 1) == value { *p } else { 0.0 };
                }
            }
        } else {
            for (residue, p) in self.residues.iter().enumerate() {
                sums[residue >> (bit - 2) & 1] += p;
            }
        }
        // The sum of at most 2^11 doubles.
        sums.map(|sum| sum * (1.0 + RESIDUE_ERROR / 32.0))
    }
}
