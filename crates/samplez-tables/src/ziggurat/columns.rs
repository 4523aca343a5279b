//! The law of a table, column by column, from its integers.
//!
//! A trial picks rectangle i with probability 1/m and each of its X_i + 1 columns alike. The column x lies in the part
//! of rectangle j that is not accepted unseen, X_(j-1) < x <= X_j. It is accepted in every rectangle i > j, and in
//! rectangle j for ⌈2^ω d/h⌉ of the 2^ω values of y'. Here d = R(x) - 2^n y_j and h = 2^n(y_(j-1) - y_j), with no value
//! if d <= 0 and all if d >= h. The weight of x is m times its probability, Σ_{i>j} 1/(X_i + 1) + ⌈2^ω d/h⌉2^-ω/(X_j +
//! 1).

use super::partition::{Height, LIMBS, from_height, to_height};
use crate::density::{Density, Side};
use crate::fixed::{Interval, add, sub};
use crate::progress;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::BitAndAssign;
use samplez_core::table::ZigguratTable;

/// Steps of the recurrence between two direct exponentials.
const BLOCK: u64 = 256;

pub(super) struct Columns<'a, const N: usize> {
    table: ZigguratTable<&'a [u32]>,
    /// Whether the densities are what the table's documentation promises.
    kept: bool,
    density: &'a Density<N>,
    /// Σ_{i>j} 1/(X_i + 1), for j = 1 … m.
    above: Vec<Interval<N>>,
}

pub(super) struct Column<const N: usize> {
    pub(super) x: u32,
    /// j - 1.
    pub(super) rectangle: usize,
    /// R(x), as the sampler computes it.
    pub(super) height: Height,
    /// ρ(x).
    pub(super) rho: Interval<N>,
    pub(super) weight: Interval<N>,
}

/// Whether what the chords accept and reject in a rectangle is right.
#[derive(Clone, Copy)]
pub(super) struct Coverage {
    pub(super) accepts: bool,
    pub(super) rejects: bool,
}

impl Coverage {
    pub(super) const BOTH: Coverage = Coverage { accepts: true, rejects: true };
}

impl BitAndAssign for Coverage {
    fn bitand_assign(&mut self, other: Coverage) {
        self.accepts &= other.accepts;
        self.rejects &= other.rejects;
    }
}

/// The constants of a rectangle.
struct Rectangle<const N: usize> {
    lower: Height,
    height: Height,
    /// The height, shifted into [1, 2) by `shift`, and its reciprocal there.
    shift: u32,
    inverse: Interval<N>,
    columns: u32,
}

impl<'a, const N: usize> Columns<'a, N> {
    /// `kept`: the densities are the builder's own, of which nearly all follow from ρ.
    pub(super) fn new(table: ZigguratTable<&'a [u32]>, kept: bool, density: &'a Density<N>) -> Self {
        let m = table.parts().rectangles as usize;
        let mut above = vec![Interval::ZERO; m];
        for j in (0..m - 1).rev() {
            above[j] = above[j + 1].add(&Interval::ONE.div_small(table.words()[j + 2].into()));
        }
        Columns { table, kept, density, above }
    }

    /// Visits the columns 0, …, X_m.
    pub(super) fn each(&self, mut visit: impl FnMut(Column<N>)) {
        let edges = &self.table.words()[..=self.above.len()];
        let mut walk = self.density.weights(Side::Up, 0);
        for j in 0..self.above.len() {
            if edges[j] == edges[j + 1] {
                continue;
            }
            let rectangle = self.rectangle(j);
            for x in edges[j]..edges[j + 1] {
                if u64::from(x) % BLOCK == 0 {
                    progress::add(BLOCK.min(u64::from(edges[self.above.len()] - x)));
                    walk = self.density.weights(Side::Up, x.into());
                }
                let height = self.height(x, &walk.value);
                let share = self.accepted(&rectangle, &height);
                // What is never accepted is outside the support: exactly 0.
                let weight = if j + 1 == self.above.len() && share == Interval::ZERO {
                    Interval::ZERO
                } else {
                    self.above[j].add(&share.div_small(rectangle.columns.into()))
                };
                visit(Column { x, rectangle: j, height, rho: walk.value, weight });
                walk.advance();
            }
        }
    }

    fn rectangle(&self, j: usize) -> Rectangle<N> {
        let precision = self.table.parts().precision;
        let lower = self.table.edge_height(j + 1);
        let height = sub(&self.table.edge_height(j), &lower).unwrap_or([0; LIMBS]);
        let length = 64 * LIMBS as u32 - leading_zeros(&height);
        // h·2^-n is in [2^(length-1-n), 2^(length-n)).
        let shift = (precision + 1).saturating_sub(length);
        let scaled = Interval { lo: shl(&from_height(&height, precision), shift), width: 0 };
        Rectangle { lower, height, shift, inverse: scaled.reciprocal(), columns: self.table.words()[j + 1] }
    }

    /// R(x). The table's promise ⌊2^n ρ - 2^-47⌋ <= R <= 2^n ρ settles it, except for one x in 2^46.
    fn height(&self, x: u32, rho: &Interval<N>) -> Height {
        let precision = self.table.parts().precision;
        let mut slack = [0; N];
        let bit = 64 * (N as u32 - 1) - precision - 47;
        slack[bit as usize / 64] = 1 << (bit % 64);
        let low = sub(&rho.lo, &slack).map(|low| to_height(&low, precision));
        let high = rho.hi().map(|high| to_height(&high, precision));
        match (low, high) {
            (Some(low), Some(high)) if self.kept && low == high => low,
            _ => self.table.height(x),
        }
    }

    /// The share of a rectangle's y' that accept a column of this density.
    fn accepted(&self, rectangle: &Rectangle<N>, height: &Height) -> Interval<N> {
        let (precision, omega) = (self.table.parts().precision, self.table.parts().omega);
        let Some(d) = sub(height, &rectangle.lower) else { return Interval::ZERO };
        if sub(&d, &rectangle.height).is_some() {
            return Interval::ONE;
        }
        if d == [0; LIMBS] {
            return Interval::ZERO;
        }
        let scaled = Interval { lo: shl(&from_height(&d, precision), rectangle.shift), width: 0 };
        let quotient = scaled.mul(&rectangle.inverse);
        let fraction = 64 * (N as u32 - 1);
        if omega >= fraction {
            return Interval { width: quotient.width.saturating_add(1), ..quotient };
        }
        match (round_up(&quotient.lo, fraction - omega), quotient.hi().map(|hi| round_up(&hi, fraction - omega))) {
            (low, Some(high)) if low == high => Interval { lo: low, width: 0 },
            _ => Interval { lo: quotient_up(&d, &rectangle.height, omega), width: 0 },
        }
    }

    /// Whether the chord's decisions for a column follow from the integers.
    pub(super) fn fit(&self, column: &Column<N>) -> Coverage {
        let (j, x) = (column.rectangle, column.x);
        let (first, end) = (self.table.words()[j], self.table.words()[j + 1]);
        let lower = self.table.edge_height(j + 1);
        let height = sub(&self.table.edge_height(j), &lower).unwrap_or([0; LIMBS]);
        let d = sub(&column.height, &lower);
        let area = d.map(|d| times(&d, end - first));
        Coverage {
            // (X_j - x) h <= w d
            accepts: match area {
                Some(area) => sub(&area, &times(&height, end - 1 - x)).is_some(),
                None => end - 1 == x,
            },
            // (X_j + 1 - x) h >= w d
            rejects: area.is_none_or(|area| sub(&times(&height, end - x), &area).is_some()),
        }
    }
}

/// Returns 2/(2W) for the total 2W of weights, each counted as often as it has signs. It turns a weight into the
/// probability of x, of which ±x have half each and zero has half.
///
/// The reciprocal is taken of a number of at least 1. For the builder's tables 2W·2^7 is one. Indeed S <=
/// (X_m + 1)/(m - 1), since m - 1 rectangles of at least S/(X_m + 1) each end at y_1 <= 1. So W = (1/2 + Σ ρ)/S is at
/// least (1/2 + Σ ρ)/(X_m + 1), which for X_m <= 40σ is above 1/80. Other words may need more.
pub(super) fn inverse_of_total<const N: usize>(total: &Interval<N>) -> Interval<N> {
    let doubled = |x: Interval<N>| x.add(&x);
    let (mut scaled, mut shift) = ((0..7).fold(*total, |x, _| doubled(x)), 7);
    while scaled.lo[N - 1] == 0 && shift < 64 {
        (scaled, shift) = (doubled(scaled), shift + 1);
    }
    (0..shift).fold(scaled.reciprocal(), |x, _| doubled(x))
}

fn leading_zeros(height: &Height) -> u32 {
    let top = height.iter().rposition(|limb| *limb != 0);
    top.map_or(64 * LIMBS as u32, |i| 64 * (LIMBS - 1 - i) as u32 + height[i].leading_zeros())
}

fn shl<const N: usize>(x: &[u64; N], n: u32) -> [u64; N] {
    let (limbs, bits) = ((n / 64) as usize, n % 64);
    core::array::from_fn(|i| {
        let at = |i: Option<usize>| i.map_or(0, |i| x[i]);
        let low = if bits == 0 { 0 } else { at(i.checked_sub(limbs + 1)) >> (64 - bits) };
        at(i.checked_sub(limbs)) << bits | low
    })
}

/// The least multiple of 2^bits ulp that is not below x.
fn round_up<const N: usize>(x: &[u64; N], bits: u32) -> [u64; N] {
    let below: [u64; N] = core::array::from_fn(|i| match bits.saturating_sub(64 * i as u32).min(64) {
        0 => 0,
        own => u64::MAX >> (64 - own),
    });
    let sum = add(x, &below);
    core::array::from_fn(|i| sum[i] & !below[i])
}

/// ⌈2^ω d/h⌉·2^-ω for d < h, bit by bit.
fn quotient_up<const N: usize>(d: &Height, h: &Height, omega: u32) -> [u64; N] {
    let fraction = 64 * (N as u32 - 1);
    let (mut rest, mut quotient) = (*d, [0; N]);
    for place in 1..=omega {
        rest = add(&rest, &rest);
        if let Some(reduced) = sub(&rest, h) {
            rest = reduced;
            let bit = (fraction - place) as usize;
            quotient[bit / 64] |= 1 << (bit % 64);
        }
    }
    let mut unit = [0; N];
    if rest != [0; LIMBS] {
        let bit = (fraction - omega) as usize;
        unit[bit / 64] = 1 << (bit % 64);
    }
    add(&quotient, &unit)
}

/// The product with a factor below 2^25.
fn times(height: &Height, factor: u32) -> Height {
    let mut carry = 0;
    core::array::from_fn(|i| {
        let double = u128::from(height[i]) * u128::from(factor) + carry;
        carry = double >> 64;
        double as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ⌈2^ω d/h⌉ by the quick way and bit by bit.
    #[test]
    fn quotients_agree() {
        for (d, h) in [(1, 3), (1, 2), (5, 7), (1, 1 << 40), (99, 100), (3, 4)] {
            for omega in [2_u32, 7, 64, 90] {
                let quotient = quotient_up::<3>(&[d, 0, 0, 0, 0], &[h, 0, 0, 0, 0], omega);
                let exact = (u128::from(d) << omega).div_ceil(u128::from(h));
                assert_eq!(u128::from(quotient[1]) << 64 | u128::from(quotient[0]), exact << (128 - omega), "{d}/{h}");
            }
        }
        assert_eq!(round_up(&[1, 0, 0], 64), [0, 1, 0]);
        assert_eq!(round_up(&[0, 5, 0], 64), [0, 5, 0]);
        assert_eq!(round_up(&[1, u64::MAX, 0], 128), [0, 0, 1]);
        assert_eq!(round_up(&[7, 0, 0], 2), [8, 0, 0]);
        assert_eq!(shl(&[1, 1 << 63, 0], 65), [0, 2, 0]);
    }
}
