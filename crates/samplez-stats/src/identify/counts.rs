//! How often each value came.

use samplez_core::Int;
use std::collections::BTreeMap;

/// Values near the first ones have a place in a table.
const TABLE: usize = 1 << 18;

/// At most so many different values elsewhere.
const MOST: usize = 1 << 21;

/// A modulus is seen in values up to at least this one.
const LEAST_MODULUS: i64 = 16;

/// Counts of the first values of a stream, until too many differ.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    low: i64,
    table: Vec<u64>,
    elsewhere: BTreeMap<i64, u64>,
}

impl Counts {
    /// No counts yet, of values like these.
    pub(super) fn new(like: &[i64]) -> Self {
        let mut like = like.to_vec();
        like.sort_unstable();
        let middle = like.get(like.len() / 2).copied().unwrap_or(0);
        let low = middle.saturating_sub(TABLE as i64 / 2).min(i64::MAX - TABLE as i64);
        Counts { low, table: vec![0; TABLE], elsewhere: BTreeMap::new() }
    }

    /// Counts these values up to one that would be one too many; returns how many it counted.
    pub(super) fn push<T: Int>(&mut self, values: &[T]) -> usize {
        for (i, x) in values.iter().enumerate() {
            let x = x.widen();
            if let Some(count) = self.table.get_mut(usize::try_from(x.wrapping_sub(self.low)).unwrap_or(TABLE)) {
                *count += 1;
            } else if self.elsewhere.len() < MOST || self.elsewhere.contains_key(&x) {
                *self.elsewhere.entry(x).or_default() += 1;
            } else {
                return i;
            }
        }
        values.len()
    }

    /// The values with their counts, ascending.
    pub(super) fn pairs(&self) -> Vec<(i64, u64)> {
        let near = self.table.iter().zip(self.low..).filter(|(count, _)| **count > 0).map(|(count, x)| (x, *count));
        let below = self.elsewhere.range(..self.low).map(|(x, count)| (*x, *count));
        let above = self.elsewhere.range(self.low..).map(|(x, count)| (*x, *count));
        below.chain(near).chain(above).collect()
    }
}

/// The q of values from 0 to q - 1, if each outer quarter has more than twice as many of them as the half between: residues of a law
/// about 0. Of 100 uniform values that is so with probability 1e-6. The q is the greatest value plus 1, or the power of two above it
/// if they are close beside the reach of the values.
pub(crate) fn modulus_of(pairs: impl Iterator<Item = (i64, u64)> + Clone) -> Option<u128> {
    let values = pairs.clone().map(|(x, _)| x);
    let (least, most) = (values.clone().min()?, values.clone().max()?);
    if least < 0 || most < LEAST_MODULUS - 1 {
        return None;
    }
    let quarter = most / 4;
    let of = |within: &dyn Fn(i64) -> bool| pairs.clone().filter(|(x, _)| within(*x)).map(|(_, n)| n).sum::<u64>();
    let (low, high) = (of(&|x| x <= quarter), of(&|x| x >= most - quarter));
    let middle = of(&|x| x > quarter && x < most - quarter);
    if low <= 2 * middle || high <= 2 * middle {
        return None;
    }
    let seen = most.unsigned_abs() as u128 + 1;
    let power = seen.next_power_of_two();
    // How far the values go from either end.
    let reach = values.map(|x| x.min(most - x)).max()?.unsigned_abs() as u128;
    Some(if power - seen <= reach / 16 { power } else { seen })
}

/// The values with the same residues nearest to 0, ascending.
pub(super) fn reduced(pairs: &[(i64, u64)], q: u128) -> Vec<(i64, u64)> {
    // From 2^63 on, the reader has centred them.
    let Ok(q) = i64::try_from(q) else { return pairs.to_vec() };
    let centred = |x: i64| {
        let residue = x.rem_euclid(q);
        if residue > (q - 1) / 2 { residue - q } else { residue }
    };
    let mut reduced = BTreeMap::new();
    for (x, count) in pairs {
        *reduced.entry(centred(*x)).or_default() += count;
    }
    reduced.into_iter().collect()
}

/// Mean and variance. The mean is exact except for its last rounding.
pub(super) fn moments(pairs: &[(i64, u64)]) -> (f64, f64) {
    let n: u64 = pairs.iter().map(|(_, count)| count).sum();
    let sum: i128 = pairs.iter().map(|(y, count)| i128::from(*y) * i128::from(*count)).sum();
    let (middle, rest) = (sum.div_euclid(n.into()), sum.rem_euclid(n.into()));
    let fraction = rest as f64 / n as f64;
    let square = |y: i64| (((i128::from(y) - middle) as f64) - fraction).powi(2);
    let variance = pairs.iter().map(|(y, count)| *count as f64 * square(*y)).sum::<f64>() / n as f64;
    (middle as f64 + fraction, variance)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modulus that nearly normal residues of this σ show.
    fn seen(sigma: f64, q: i128) -> Option<u128> {
        let uniform = |j: u64| (j.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 * 2_f64.powi(-53) - 0.5;
        let mut counts = BTreeMap::new();
        for i in 0..4000 {
            let x = ((12 * i..12 * i + 12).map(uniform).sum::<f64>() * sigma).round() as i128;
            *counts.entry(x.rem_euclid(q) as i64).or_default() += 1;
        }
        modulus_of(counts.iter().map(|(x, n)| (*x, *n)))
    }

    #[test]
    fn powers_of_two_are_recognized() {
        for bits in [5, 8, 16, 31, 32, 62] {
            for sigma in [1.0, 3.2, 1e3, 1e6, 1e9] {
                let q = 1 << bits;
                if sigma < q as f64 / 16.0 {
                    assert_eq!(seen(sigma, q), Some(q as u128), "sigma {sigma}, 2^{bits}");
                }
            }
        }
        for (sigma, q) in [(3.2, 12289), (3.2, (1 << 61) - 1), (1.0, (1 << 32) - 5)] {
            assert_eq!(seen(sigma, q), Some(q as u128));
        }
        assert_eq!(modulus_of((0..1 << 16).map(|x| (x, 1))), None);
        assert_eq!(modulus_of([(-1, 50), (1, 50)].into_iter()), None);
    }
}
