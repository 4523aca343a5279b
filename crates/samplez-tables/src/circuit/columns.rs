//! Walker's alias method in integers: masses as columns of equal size, each of few values.

use crate::plain::Whole;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::fmt;

/// The most values of a circuit.
pub(super) const MAX_VALUES: usize = 4096;
/// The most bits that choose a column.
const MAX_CHOICE: u32 = 12;

/// The goal for the depth, which is the number of AND gates on the longest path from an input to an output.
///
/// ```
/// use samplez_tables::circuit::Depth;
/// assert_eq!(Depth::Logarithmic.to_string(), "log");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// About as many as the table's bits B, with the fewest AND gates.
    Linear,
    /// About 2·log2 B + 6, with about 1.3 to 1.8 times the AND gates: for protocols in which each level is a round.
    Logarithmic,
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Depth::Linear => "linear",
            Depth::Logarithmic => "log",
        })
    }
}

/// 2^`choice` columns with mass 2^(bits − `choice`) each. The highest bit of u divides the last columns into halves with values of their own.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) choice: u32,
    /// The number of halved columns.
    pub(super) halved: usize,
    /// Values and masses of each column, as many of each; a mass may be 0, but not the last. If there are halved columns, all columns
    /// for a highest bit of 0 come first, then all for 1, among which the whole columns are repeated.
    slots: Vec<Vec<(u32, Whole)>>,
    half: Whole,
}

impl Columns {
    /// The packing for which the circuit takes the fewest AND gates, with values of so many bits.
    pub(super) fn best(masses: &[Whole], bits: u32, value_bits: u32, depth: Depth) -> Option<Columns> {
        let values = masses.iter().filter(|mass| **mass != Whole::ZERO).count();
        let mut tried: Vec<(u64, Size)> = (0..=MAX_CHOICE.min(bits))
            .flat_map(|choice| sizes(values, bits, choice))
            .map(|size| (size.ands(bits, value_bits, depth), size))
            .collect();
        // Of equally many gates, first few columns that are halved, and few columns.
        tried.sort_by_key(|(ands, size)| (*ands, size.halved, size.choice));
        tried.into_iter().find_map(|(_, size)| pack(masses, bits, size))
    }

    /// Thresholds in each column.
    pub(super) fn thresholds(&self) -> usize {
        self.slots[0].len() - 1
    }

    /// The bits on which thresholds and values depend: those that choose a column, and the highest of u if it halves some.
    pub(super) fn deciding(&self) -> u32 {
        self.choice + u32::from(self.halved > 0)
    }

    /// The values in slot j of the columns, and the sums of u's values before and in that slot.
    pub(super) fn slot(&self, j: usize) -> (Vec<u32>, Vec<Whole>) {
        let end = |(i, column): (usize, &Vec<(u32, Whole)>)| {
            let start = if i >= self.slots.len() - self.halved { self.half } else { Whole::ZERO };
            (column[j].0, column[..=j].iter().fold(start, |sum, (_, mass)| sum.plus(mass)))
        };
        self.slots.iter().enumerate().map(end).unzip()
    }

    /// The rule of a column: u selects the first value whose integer is above u. Both ascend as u does.
    pub(super) fn rule(&self, column: usize) -> Vec<(u32, Whole)> {
        let columns = 1 << self.choice;
        let halves =
            if column >= columns - self.halved { [Some(column), Some(column + columns)] } else { [Some(column), None] };
        let used = halves.into_iter().flatten().flat_map(|half| &self.slots[half]);
        let (mut sum, mut rule) = (Whole::ZERO, Vec::new());
        for (value, mass) in used.filter(|(_, mass)| *mass != Whole::ZERO) {
            sum = sum.plus(mass);
            rule.push((*value, sum));
        }
        rule
    }
}

/// The bits that a comparison takes one after the other; the blocks of so many bits are compared at the same time.
pub(super) fn block(bits: usize, depth: Depth) -> usize {
    match depth {
        Depth::Linear => bits.max(1),
        Depth::Logarithmic => bits.max(2).next_power_of_two().ilog2() as usize,
    }
}

/// The size of a packing.
#[derive(Clone, Copy)]
struct Size {
    choice: u32,
    halved: usize,
    thresholds: usize,
}

impl Size {
    /// The AND gates of a circuit of this size: products of the bits that choose, one more for each halved column, comparisons, and choices
    /// of a value.
    fn ands(self, bits: u32, value_bits: u32, depth: Depth) -> u64 {
        let compared = (bits - self.choice) as usize;
        let block = block(compared, depth);
        let blocks = compared.div_ceil(block).max(1);
        // Whether a block is equal, but for the lowest, and two to join it, but one where the lowest is among those joined.
        let joins = compared.saturating_sub(block) + blocks - 1 - blocks.next_power_of_two().ilog2() as usize;
        let threshold = compared + joins + value_bits as usize;
        (1 << self.choice) - u64::from(self.choice) - 1 + (self.halved + self.thresholds * threshold) as u64
    }
}

/// The sizes to try for so many values: of the fewest halved columns that can do, since each column holds one value more than it has
/// thresholds but shares one with the next, and of a few more.
fn sizes(values: usize, bits: u32, choice: u32) -> impl Iterator<Item = Size> {
    let (columns, joints) = (1_usize << choice, values.max(2) - 1);
    // At most all but one of the columns are halved, and none if u has no bit.
    let most = if choice < bits { columns - 1 } else { 0 };
    let thresholds = joints.div_ceil(columns + most)..=(joints.div_ceil(columns) + 2).min(2 * columns);
    thresholds.flat_map(move |thresholds| {
        let least = joints.div_ceil(thresholds).saturating_sub(columns);
        (least..=most.min(least + 2)).map(move |halved| Size { choice, halved, thresholds })
    })
}

/// Estimates the AND gates of a circuit, from below: packings may need further thresholds.
pub(super) fn estimate(values: usize, bits: u32) -> u64 {
    let value_bits = usize::BITS - (values.max(2) - 1).leading_zeros();
    let tried = (0..=bits.min(48)).flat_map(|choice| sizes(values, bits, choice));
    tried.map(|size| size.ands(bits, value_bits, Depth::Linear)).min().unwrap_or(0)
}

/// Fills one column after the other, first the halved: by the smallest masses while they fit, and at last by a part of the largest.
fn pack(masses: &[Whole], bits: u32, size: Size) -> Option<Columns> {
    let Size { choice, halved, thresholds } = size;
    let (columns, whole) = (1_usize << choice, Whole::power(bits - choice));
    let half = if halved > 0 { Whole::power(bits - choice - 1) } else { Whole::ZERO };
    let positive = (0..).zip(masses).filter(|(_, mass)| **mass != Whole::ZERO);
    let mut left: BTreeSet<(Whole, u32)> = positive.map(|(value, mass)| (*mass, value)).collect();
    let mut fill = |mut room: Whole| {
        let mut column = Vec::new();
        while room != Whole::ZERO {
            let (smallest, largest) = (*left.first()?, *left.last()?);
            let is_small = column.len() < thresholds && smallest.0 <= room;
            let (mass, value) = if is_small { smallest } else { largest };
            left.remove(&(mass, value));
            let part = mass.min(room);
            if part < room && column.len() >= thresholds {
                return None;
            }
            let rest = mass.minus(&part)?;
            if rest != Whole::ZERO {
                left.insert((rest, value));
            }
            room = room.minus(&part)?;
            column.push((value, part));
        }
        Some(column)
    };
    let halves: Option<Vec<_>> = (0..halved).map(|_| Some((fill(half)?, fill(half)?))).collect();
    let (low, high): (Vec<_>, Vec<_>) = halves?.into_iter().unzip();
    let mut slots = (halved..columns).map(|_| fill(whole)).collect::<Option<Vec<_>>>()?;
    if halved > 0 {
        let repeated = slots.clone();
        slots.extend(low.into_iter().chain(repeated).chain(high));
    }
    let most = slots.iter().map(Vec::len).max()?;
    for column in &mut slots {
        while column.len() < most {
            column.insert(0, (column[0].0, Whole::ZERO));
        }
    }
    Some(Columns { choice, halved, slots, half })
}
