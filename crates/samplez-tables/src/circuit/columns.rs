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

/// 2^`choice` columns with mass 2^(bits − `choice`) each.
#[derive(Clone)]
pub(super) struct Columns {
    pub(super) choice: u32,
    /// Values and masses, of each column as many; a mass may be 0, but not the last.
    pub(super) slots: Vec<Vec<(u32, Whole)>>,
}

impl Columns {
    /// The packing for which the circuit takes the fewest AND gates, with values of so many bits.
    pub(super) fn best(masses: &[Whole], bits: u32, value_bits: u32, depth: Depth) -> Option<Columns> {
        let values = masses.iter().filter(|mass| **mass != Whole::ZERO).count();
        let mut best: Option<(u64, Columns)> = None;
        // From many columns to few, which take many thresholds.
        for choice in (0..=MAX_CHOICE.min(bits)).rev() {
            // The fewest values that can do: 2^choice columns have at most 2^choice·(thresholds) + 1 of them.
            let least = (values - 1).div_ceil(1 << choice);
            let cost = |thresholds| ands(choice, thresholds, bits, value_bits, depth);
            let is_better = |thresholds: usize| best.as_ref().is_none_or(|(found, _)| cost(thresholds) <= *found);
            let mut tried = (least..).take_while(|thresholds| is_better(*thresholds));
            if let Some(columns) = tried.find_map(|thresholds| pack(masses, bits, choice, thresholds)) {
                best = Some((cost(columns.thresholds()), columns));
            }
        }
        best.map(|(_, columns)| columns)
    }

    /// Thresholds in each column.
    pub(super) fn thresholds(&self) -> usize {
        self.slots[0].len() - 1
    }

    /// The values in slot j of the columns, and the masses up to and including it.
    pub(super) fn slot(&self, j: usize) -> (Vec<u32>, Vec<Whole>) {
        let sum = |column: &[(u32, Whole)]| column.iter().fold(Whole::ZERO, |sum, (_, mass)| sum.plus(mass));
        self.slots.iter().map(|column| (column[j].0, sum(&column[..=j]))).unzip()
    }
}

/// The bits that a comparison takes one after the other; the blocks of so many bits are compared at the same time.
pub(super) fn block(bits: usize, depth: Depth) -> usize {
    match depth {
        Depth::Linear => bits.max(1),
        Depth::Logarithmic => bits.max(2).next_power_of_two().ilog2() as usize,
    }
}

/// The AND gates of a circuit with these thresholds: products of the bits that choose, comparisons, and choices of a value.
fn ands(choice: u32, thresholds: usize, bits: u32, value_bits: u32, depth: Depth) -> u64 {
    let compared = (bits - choice) as usize;
    let block = block(compared, depth);
    let blocks = compared.div_ceil(block).max(1);
    // Whether a block is equal, but for the lowest, and two to join it, but one where the lowest is among those joined.
    let joins = compared.saturating_sub(block) + blocks - 1 - blocks.next_power_of_two().ilog2() as usize;
    let threshold = compared + joins + value_bits as usize;
    (1 << choice) - u64::from(choice) - 1 + (thresholds * threshold) as u64
}

/// Estimates the AND gates of a circuit, from below: packings may need further thresholds.
pub(super) fn estimate(values: usize, bits: u32) -> u64 {
    let values = values.max(2);
    let value_bits = usize::BITS - (values - 1).leading_zeros();
    let of = |choice: u32| ands(choice, (values - 1).div_ceil(1 << choice), bits, value_bits, Depth::Linear);
    (0..=bits.min(48)).map(of).min().unwrap_or(0)
}

/// Fills one column after the other: by the smallest masses while they fit, and at last by a part of the largest.
fn pack(masses: &[Whole], bits: u32, choice: u32, thresholds: usize) -> Option<Columns> {
    let size = Whole::power(bits - choice);
    let positive = (0..).zip(masses).filter(|(_, mass)| **mass != Whole::ZERO);
    let mut left: BTreeSet<(Whole, u32)> = positive.map(|(value, mass)| (*mass, value)).collect();
    let mut slots = Vec::with_capacity(1 << choice);
    for _ in 0..1_u32 << choice {
        let (mut column, mut room) = (Vec::new(), size);
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
        slots.push(column);
    }
    let most = slots.iter().map(Vec::len).max()?;
    for column in &mut slots {
        while column.len() < most {
            column.insert(0, (column[0].0, Whole::ZERO));
        }
    }
    Some(Columns { choice, slots })
}
