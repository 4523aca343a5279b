//! The discrete Ziggurat, with every draw a big integer, with or without the line, with densities computed or stored.

use super::density::{BITS, Density, WORKING, one};
use super::pool::Pool;
use num_bigint::BigUint;

/// ω: bits of the vertical draw.
const OMEGA: u64 = 107;

/// Columns and heights of m rectangles of equal area: the last column of each from the top, 0 before the first, and the
/// heights of their edges from 1 to 0.
pub(crate) struct Partition {
    edges: Vec<u64>,
    heights: Vec<BigUint>,
}

impl Partition {
    /// Into m rectangles under these densities in units of 2^-160, by bisection of the area.
    pub(crate) fn new(densities: &[BigUint], m: usize) -> Partition {
        let (mut low, mut high) = (BigUint::ZERO, one() * densities.len());
        let close = BigUint::from(1_u8) << (WORKING - BITS - 8);
        while &high - &low > close {
            let middle = (&low + &high) >> 1_u8;
            if of_area(densities, m, &middle).is_some() { high = middle } else { low = middle }
        }
        let (edges, heights) = of_area(densities, m, &high).unwrap_or_default();
        Partition { edges, heights: heights.into_iter().map(|height| height >> (WORKING - BITS)).collect() }
    }
}

/// The edges and heights of rectangles of this area, unless the highest does not reach 1.
fn of_area(densities: &[BigUint], m: usize, area: &BigUint) -> Option<(Vec<u64>, Vec<BigUint>)> {
    let (mut edges, mut heights) = (vec![0; m + 1], vec![BigUint::ZERO; m + 1]);
    edges[m] = densities.len() as u64 - 1;
    for i in (1..=m).rev() {
        let height = &heights[i] + area / (edges[i] + 1);
        if i > 1 {
            edges[i - 1] = (densities.partition_point(|density| *density >= height) as u64).saturating_sub(1);
        }
        heights[i - 1] = height;
    }
    (heights[0] >= one()).then_some((edges, heights))
}

/// The decision of a rectangle's line.
#[derive(Clone, Copy)]
enum Side {
    /// The curve is concave: what is below the line is accepted.
    Accepts,
    /// The curve is convex: what is above the line is rejected.
    Rejects,
    Neither,
}

/// The sampler.
pub(crate) struct Ziggurat {
    /// Each rectangle's number of columns, and m itself at 0.
    columns: Vec<BigUint>,
    edges: Vec<u64>,
    heights: Vec<BigUint>,
    /// Of each rectangle; none without the line.
    sides: Vec<Side>,
    stored: Option<Vec<BigUint>>,
    density: Density,
}

impl Ziggurat {
    pub(crate) fn new(partition: &Partition, density: &Density, line: bool, stored: bool) -> Ziggurat {
        let Partition { edges, heights } = partition;
        let columns = edges.iter().map(|last| BigUint::from(last + 1)).collect::<Vec<_>>();
        let stored = stored.then(|| (0..=density.last).map(|x| density.at(x)).collect());
        let mut columns = columns;
        columns[0] = BigUint::from(edges.len() - 1);
        let side = |i: usize| match (edges[i.max(1) - 1], edges[i]) {
            (first, last) if !line || i == 0 || last == first => Side::Neither,
            (_, last) if density.is_below_sigma(last) && i > 1 => Side::Accepts,
            (first, _) if !density.is_below_sigma(first) => Side::Rejects,
            _ => Side::Neither,
        };
        let sides = (0..edges.len()).map(side).collect();
        Ziggurat { columns, edges: edges.clone(), heights: heights.clone(), sides, stored, density: density.clone() }
    }

    pub(crate) fn sample(&self, pool: &mut Pool) -> i64 {
        loop {
            let i = 1 + usize::try_from(pool.below(&self.columns[0])).unwrap_or(0);
            let x = u64::try_from(pool.below(&self.columns[i])).unwrap_or(0);
            if self.is_sure(i, x) || {
                let y = pool.number(OMEGA);
                self.accepts(i, x, &y, pool)
            } {
                match (x, pool.bit()) {
                    (0, 1) => {}
                    (_, 1) => return -(x as i64),
                    _ => return x as i64,
                }
            }
        }
    }

    /// Whether the column is whole below the curve. Zero is so in every rectangle but the highest.
    fn is_sure(&self, i: usize, x: u64) -> bool {
        if x == 0 { i > 1 } else { x <= self.edges[i - 1] }
    }

    /// Whether a point of a column is below the curve, its height relative to the rectangle's in units of 2^-ω.
    fn accepts(&self, i: usize, x: u64, y: &BigUint, pool: &mut Pool) -> bool {
        if let Some(decided) = self.by_line(i, x, y, pool) {
            return decided;
        }
        let (low, high) = (&self.heights[i], &self.heights[i - 1]);
        let computed;
        let density = match &self.stored {
            Some(all) => &all[x as usize],
            None => {
                pool.exps += 1;
                computed = self.density.at(x);
                &computed
            }
        };
        density > low && y * (high - low) < (density - low) << OMEGA
    }

    /// The line between the rectangle's corners: below the curve where that is concave, above it where it is convex.
    fn by_line(&self, i: usize, x: u64, y: &BigUint, pool: &mut Pool) -> Option<bool> {
        let (first, last) = (self.edges[i - 1], self.edges[i]);
        match self.sides[i] {
            Side::Neither => None,
            Side::Accepts => {
                pool.looks += 1;
                (y * (last - first) < BigUint::from(last - x) << OMEGA).then_some(true)
            }
            Side::Rejects => {
                pool.looks += 1;
                (y * (last - first) >= BigUint::from(last + 1 - x) << OMEGA).then_some(false)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bignum::consistent;

    /// How many heights of a column are below the curve, by bisection of the decision itself.
    fn accepted(ziggurat: &Ziggurat, i: usize, x: u64) -> BigUint {
        let whole = BigUint::from(1_u8) << OMEGA;
        if ziggurat.is_sure(i, x) {
            return whole;
        }
        let (mut low, mut high, mut pool) = (BigUint::ZERO, whole, Pool::new(1));
        while low < high {
            let middle = (&low + &high) >> 1_u8;
            if ziggurat.accepts(i, x, &middle, &mut pool) { low = middle + 1_u8 } else { high = middle }
        }
        low
    }

    /// The exact law of the decisions, every rectangle and column enumerated, is that of the densities; the line changes no decision.
    #[test]
    fn the_law_is_enumerated() {
        for (whole, parts, m) in [(10, 1, 63), (10, 1, 2), (10, 1, 1), (33_311, 10_000, 8)] {
            let density = Density::new(whole, parts);
            let all = density.all();
            let partition = Partition::new(&all, m);
            let of = |line, stored| {
                let ziggurat = Ziggurat::new(&partition, &density, line, stored);
                let mut weights = vec![BigUint::ZERO; all.len()];
                for i in 1..=m {
                    for x in 0..=partition.edges[i] {
                        weights[x as usize] += (accepted(&ziggurat, i, x) << 200_u8) / (partition.edges[i] + 1);
                    }
                }
                weights
            };
            let weights = of(false, false);
            assert!(weights == of(true, false) && weights == of(true, true), "the line or the store decides otherwise");
            // w(x)/w(0) = ρ(x) but for 2^-90, of all that counts.
            for (x, weight) in weights.iter().enumerate() {
                let (ours, theirs) = ((weight << WORKING) / &weights[0], &all[x]);
                let difference = if ours > *theirs { &ours - theirs } else { theirs - &ours };
                assert!(difference < one() >> 90_u8, "σ = {whole}/{parts}, m = {m}: column {x}");
            }
        }
    }

    #[test]
    fn samples_are_consistent_with_the_law() {
        let density = Density::new(10, 1);
        for (m, line, stored) in [(8, true, false), (8, false, true), (63, true, true)] {
            let ziggurat = Ziggurat::new(&Partition::new(&density.all(), m), &density, line, stored);
            assert!(consistent("10", 100_000, |pool| ziggurat.sample(pool)), "{m}, {line}, {stored}");
        }
    }
}
