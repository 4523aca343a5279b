//! The order of four values so many places apart: one of 75, for they may be equal.

use super::window::WINDOW;
use crate::coding::Series;
use crate::power;

/// Which series, how many places apart: 4·stride divides a window.
pub(in super::super) const STRIDES: [(Series, usize); 7] = [
    (Series::Value, 1),
    (Series::Value, 16),
    (Series::Magnitude, 1),
    (Series::Magnitude, 2),
    (Series::Magnitude, 8),
    (Series::Magnitude, 64),
    (Series::Magnitude, 256),
];

/// Three outcomes of each of six comparisons.
const OUTCOMES: usize = 729;

#[derive(Clone, Debug)]
pub(in super::super) struct Patterns {
    counts: Box<[[u64; OUTCOMES]; STRIDES.len()]>,
}

impl Default for Patterns {
    fn default() -> Self {
        Patterns { counts: Box::new([[0; OUTCOMES]; STRIDES.len()]) }
    }
}

/// The six comparisons of four numbers, as one number.
#[inline(always)]
fn outcome(four: [i16; 4]) -> u16 {
    let [a, b, c, d] = four;
    let trit = |x: i16, y: i16| 1 + u16::from(x > y) - u16::from(x < y);
    let pairs = [(a, b), (a, c), (a, d), (b, c), (b, d), (c, d)];
    pairs.iter().fold(0, |sum, (x, y)| 3 * sum + trit(*x, *y))
}

impl Patterns {
    /// Adds a window, or the part of one that there is: only whole blocks of 4·stride count.
    #[inline(always)]
    pub(super) fn push(&mut self, codes: &[i16]) {
        let mut sizes = [0_i16; WINDOW];
        for (size, code) in sizes.iter_mut().zip(codes) {
            *size = code.wrapping_abs();
        }
        let sizes = &sizes[..codes.len()];
        let mut outcomes = [0_u16; WINDOW / 4];
        for ((series, stride), counts) in STRIDES.iter().zip(self.counts.iter_mut()) {
            let values = if *series == Series::Value { codes } else { sizes };
            let mut used = 0;
            if *stride == 1 {
                for four in values.as_chunks::<4>().0 {
                    outcomes[used] = outcome(*four);
                    used += 1;
                }
            } else {
                for block in values.chunks_exact(4 * stride) {
                    let (ab, cd) = block.split_at(2 * stride);
                    let ((a, b), (c, d)) = (ab.split_at(*stride), cd.split_at(*stride));
                    let out = &mut outcomes[used..used + stride];
                    for ((((out, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                        *out = outcome([*a, *b, *c, *d]);
                    }
                    used += stride;
                }
            }
            for outcome in &outcomes[..used] {
                counts[usize::from(*outcome)] += 1;
            }
        }
    }

    /// Visits each number of the state.
    pub(super) fn each(&mut self, visit: &mut dyn FnMut(&mut u64)) {
        self.counts.as_flattened_mut().iter_mut().for_each(visit);
    }

    pub(super) fn merge(&mut self, other: &Patterns) {
        for (count, more) in self.counts.as_flattened_mut().iter_mut().zip(other.counts.as_flattened()) {
            *count += more;
        }
    }

    /// How often each ordering came, in the order of [`orderings`], for one of [`STRIDES`].
    pub(in super::super) fn counts(&self, stride: usize) -> Vec<u64> {
        all().map(|ranks| self.counts[stride][usize::from(outcome(ranks))]).collect()
    }
}

/// The 75 orderings: the ranks of four values, 0 the least, equal ones the same, none left out.
fn all() -> impl Iterator<Item = [i16; 4]> {
    let ranks = (0..256_i16).map(|number| [number >> 6, number >> 4 & 3, number >> 2 & 3, number & 3]);
    ranks.filter(|ranks| (0..*ranks.iter().max().unwrap_or(&0)).all(|rank| ranks.contains(&rank)))
}

/// Returns the probabilities of all orderings of four independent values. Each takes one of several values with these
/// probabilities, in the order of the values.
pub(in super::super) fn orderings(masses: &[f64]) -> Vec<f64> {
    let probability = |ranks: [i16; 4]| {
        let size = |rank: i16| ranks.iter().filter(|r| **r == rank).count();
        // below[j]: that the groups before the j-th are placed, in this order, among the values so far.
        let mut below = [1.0, 0.0, 0.0, 0.0, 0.0];
        for p in masses {
            for j in (0..4).rev() {
                if size(j as i16) > 0 {
                    below[j + 1] += below[j] * power(*p, size(j as i16));
                }
            }
        }
        below[1 + usize::from(ranks.iter().max().unwrap_or(&0).unsigned_abs())]
    };
    // Equal sizes of groups, equal probability: eight kinds.
    let mut known: Vec<([i32; 4], f64)> = Vec::new();
    let kind = |ranks: [i16; 4]| core::array::from_fn(|j| ranks.iter().filter(|r| **r == j as i16).count() as i32);
    let mut find = |ranks| {
        let sizes = kind(ranks);
        if let Some((_, p)) = known.iter().find(|(known, _)| *known == sizes) {
            return *p;
        }
        let p = probability(ranks);
        known.push((sizes, p));
        p
    };
    all().map(&mut find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_75_and_they_add_up() {
        assert_eq!(all().count(), 75);
        for masses in [vec![1.0], vec![0.5, 0.5], vec![0.2, 0.3, 0.1, 0.4], vec![0.01; 100]] {
            assert!((orderings(&masses).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    /// Against all 3^4 quadruples.
    #[test]
    fn probabilities_are_exact() {
        let masses = [0.2, 0.5, 0.3];
        let mut counted = vec![0.0; OUTCOMES];
        for number in 0..81 {
            let four = [number / 27, number / 9 % 3, number / 3 % 3, number % 3];
            counted[usize::from(outcome(four))] += four.iter().map(|v| masses[*v as usize]).product::<f64>();
        }
        for (ranks, p) in all().zip(orderings(&masses)) {
            assert!((counted[usize::from(outcome(ranks))] - p).abs() < 1e-15, "{ranks:?}");
        }
    }

    #[test]
    fn strides_see_what_is_so_far_apart() {
        let mut patterns = Patterns::default();
        let codes: Vec<i16> = (0..WINDOW as i16).map(|i| i % 16).collect();
        patterns.push(&codes);
        for (i, (_, stride)) in STRIDES.iter().enumerate() {
            let counts = patterns.counts(i);
            assert_eq!(counts.iter().sum::<u64>(), WINDOW as u64 / 4);
            let level = all().position(|ranks| ranks == [0; 4]).unwrap();
            assert_eq!(counts[level] > 0, *stride >= 16, "stride {stride}");
        }
    }
}
