//! Inversion, Knuth–Yao over an explicit tree, rejection from a table, and rejection with a computed density.

use super::density::{BITS, Density};
use super::pool::Pool;
use num_bigint::BigUint;

const fn signed(x: u64, sign: usize) -> i64 {
    if sign == 1 { -(x as i64) } else { x as i64 }
}

/// A draw of 106 bits, sought among the thresholds of |X|.
pub(crate) struct Inversion {
    pub(super) thresholds: Vec<BigUint>,
}

impl Inversion {
    /// Of the densities of 0 to 13σ.
    pub(crate) fn new(densities: &[BigUint]) -> Inversion {
        let weight = |(x, density): (usize, &BigUint)| if x == 0 { density.clone() } else { density * 2_u8 };
        let total: BigUint = densities.iter().enumerate().map(weight).sum();
        let thresholds = densities.iter().enumerate().scan(BigUint::ZERO, |sum, entry| {
            *sum += weight(entry);
            Some((&*sum << BITS) / &total)
        });
        Inversion { thresholds: thresholds.collect() }
    }

    pub(crate) fn sample(&self, pool: &mut Pool) -> i64 {
        let drawn = pool.number(BITS);
        let x = self.thresholds.partition_point(|threshold| *threshold <= drawn);
        signed(x as u64, pool.bit())
    }
}

/// The walk through an explicit tree of all 106 levels, a pooled bit a step.
pub(crate) struct KnuthYao {
    /// The children of each inner node: another one, or the complement of |X|.
    nodes: Vec<[i32; 2]>,
}

impl KnuthYao {
    /// The tree of the same 106-bit probabilities as inversion's.
    pub(crate) fn new(inversion: &Inversion) -> KnuthYao {
        let before = [BigUint::ZERO];
        let thresholds = &inversion.thresholds;
        let weights: Vec<BigUint> = before.iter().chain(thresholds).zip(thresholds).map(|(a, b)| b - a).collect();
        let (mut nodes, mut level) = (vec![[0; 2]], vec![0_usize]);
        for place in (0..BITS).rev() {
            let mut leaves = (0_i32..).zip(&weights).filter(|(_, weight)| weight.bit(place)).map(|(x, _)| !x);
            let mut next = Vec::new();
            for node in level {
                for side in 0..2 {
                    nodes[node][side] = leaves.next().unwrap_or_else(|| {
                        next.push(nodes.len());
                        next.last().map_or(0, |last| *last as i32)
                    });
                    if nodes[node][side] > 0 {
                        nodes.push([0; 2]);
                    }
                }
            }
            level = next;
        }
        KnuthYao { nodes }
    }

    pub(crate) fn sample(&self, pool: &mut Pool) -> i64 {
        let mut node = 0;
        loop {
            let next = self.nodes[node][pool.bit()];
            if next < 0 {
                return signed(!next as u64, pool.bit());
            }
            node = next as usize;
        }
    }

    /// Bytes of the tree.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
    }
}

/// x uniform within the tail, kept by a draw of 106 bits below its density.
fn throw(last: u64, pool: &mut Pool) -> (i64, BigUint) {
    let x = pool.below(&BigUint::from(2 * last + 1));
    let x = u64::try_from(x).unwrap_or(0) as i64 - last as i64;
    (x, pool.number(BITS))
}

/// Rejection from a table of densities.
pub(crate) struct Rejection {
    densities: Vec<BigUint>,
}

impl Rejection {
    pub(crate) fn new(density: &Density) -> Rejection {
        Rejection { densities: (0..=density.last).map(|x| density.at(x)).collect() }
    }

    pub(crate) fn sample(&self, pool: &mut Pool) -> i64 {
        loop {
            let (x, height) = throw(self.densities.len() as u64 - 1, pool);
            if height < self.densities[x.unsigned_abs() as usize] {
                return x;
            }
        }
    }
}

/// Rejection that computes the density of every throw.
pub(crate) struct Plain(pub(crate) Density);

impl Plain {
    pub(crate) fn sample(&self, pool: &mut Pool) -> i64 {
        loop {
            let (x, height) = throw(self.0.last, pool);
            if height < self.0.at(x.unsigned_abs()) {
                return x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bignum::consistent;
    use samplez::DiscreteGaussian;
    use samplez_tables::{CdtOptions, build_cdt};

    /// Probabilities that the tree's leaves have, in units of 2^-106.
    fn leaves(tree: &KnuthYao, count: usize) -> Vec<BigUint> {
        let (mut sums, mut stack) = (vec![BigUint::ZERO; count], vec![(0_usize, BITS)]);
        while let Some((node, height)) = stack.pop() {
            for next in tree.nodes[node] {
                let height = height - 1;
                match usize::try_from(next) {
                    Ok(inner) => stack.push((inner, height)),
                    Err(_) => sums[!next as usize] += BigUint::from(1_u8) << height,
                }
            }
        }
        sums
    }

    /// The leaves of the tree have exactly the 106-bit probabilities, which sum to one.
    #[test]
    fn the_tree_is_enumerated() {
        for (whole, parts) in [(10, 1), (33_311, 10_000)] {
            let inversion = Inversion::new(&Density::new(whole, parts).all());
            let thresholds = &inversion.thresholds;
            assert_eq!(*thresholds.last().unwrap(), BigUint::from(1_u8) << BITS);
            let tree = KnuthYao::new(&inversion);
            let mut sum = BigUint::ZERO;
            for (leaf, threshold) in leaves(&tree, thresholds.len()).iter().zip(thresholds) {
                sum += leaf;
                assert_eq!(sum, *threshold);
            }
        }
    }

    /// Each threshold equals the library's, by interval arithmetic, up to the rounding of each entry.
    #[test]
    fn thresholds_are_those_of_interval_arithmetic() {
        let options = CdtOptions { precision: 128, ..CdtOptions::default() };
        let law = DiscreteGaussian::with_sigma(10.into()).unwrap();
        let table = build_cdt(&law, &options).unwrap();
        let ours = Inversion::new(&Density::new(10, 1).all());
        let (digits, len) = (table.digits(), table.digits().len() / 4);
        for j in 0..len {
            // P(|X| > j) in 128 bits.
            let rest = &digits[len + 3 * j..len + 3 * j + 3];
            let above = rest.iter().fold(BigUint::from(digits[j]), |sum, digit| (sum << 32) + digit) >> (128 - BITS);
            let above_here = (BigUint::from(1_u8) << BITS) - &ours.thresholds[j];
            let (most, least) = if above > above_here { (above, above_here) } else { (above_here, above) };
            assert!(most - least <= BigUint::from(2_u8), "threshold {j}");
        }
    }

    #[test]
    fn samples_are_consistent_with_the_law() {
        let density = Density::new(10, 1);
        let inversion = Inversion::new(&density.all());
        let (tree, table, plain) = (KnuthYao::new(&inversion), Rejection::new(&density), Plain(density));
        assert!(consistent("10", 100_000, |pool| inversion.sample(pool)), "inversion");
        assert!(consistent("10", 100_000, |pool| tree.sample(pool)), "Knuth-Yao");
        assert!(consistent("10", 100_000, |pool| table.sample(pool)), "table rejection");
        assert!(consistent("10", 20_000, |pool| plain.sample(pool)), "plain rejection");
        // The control: a coin too many for zero.
        assert!(!consistent("10", 100_000, |pool| match inversion.sample(pool) {
            0 if pool.bit() == 1 => inversion.sample(pool),
            x => x,
        }));
    }
}
