//! Values that come again, of a law with so many that few should: the birthday test.
//!
//! Of the values so far, those are kept whose hash ends in some zero bits. When they are too many, one more zero bit is required. The
//! statistic R is the number of values that equal a kept one.
//!
//! Let p be the law's largest probability, and let at most L values be kept. Given all values before, the i-th equals a kept one with
//! probability at most min(i - 1, L)·p, whatever is kept. A Bernoulli variable of probability q is at most a Poisson variable of mean
//! -ln(1 - q) that is coupled to it. So P(R >= r) is at most P(Poisson(μ) >= r), where μ is the sum of these means. That is so for every
//! law and for every n.

use super::cells::{Numbers, Outcome};
use super::histogram::Histogram;
use super::order::mixed;
use super::pvalue;
use super::target::Target;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher};

/// The most values that are kept.
const KEPT: usize = 1 << 16;

/// The largest probability that a value equals a kept one.
const MOST: f64 = 1.0 / 64.0;

#[derive(Clone, Debug)]
pub(super) struct Birthdays {
    /// The most values that are kept.
    limit: usize,
    // The hashes are mixed already: a hash without a random key asks the system for nothing.
    seen: HashSet<u64, BuildHasherDefault<DefaultHasher>>,
    /// The zero bits at the end of kept hashes.
    zeros: u32,
    again: u64,
    /// The number of values.
    len: u64,
    /// Σ min(i - 1, L).
    chances: f64,
}

impl Birthdays {
    pub(super) fn new(target: &Target) -> Self {
        let limit = target.most().map_or(0.0, |most| MOST / most).min(KEPT as f64);
        Birthdays { limit: limit as usize, seen: HashSet::default(), zeros: 0, again: 0, len: 0, chances: 0.0 }
    }

    #[inline]
    pub(super) fn push(&mut self, values: &[i64]) {
        if self.limit == 0 {
            return;
        }
        for y in values {
            self.keep(mixed(y.cast_unsigned()));
        }
        let (before, after) = (self.len, self.len + values.len() as u64);
        (self.len, self.chances) = (after, self.chances + self.upto(after) - self.upto(before));
    }

    /// Σ min(i - 1, L) for i = 1 … n.
    fn upto(&self, n: u64) -> f64 {
        let some = n.min(self.limit as u64);
        some as f64 * (some as f64 - 1.0) / 2.0 + (n - some) as f64 * self.limit as f64
    }

    #[inline]
    fn keep(&mut self, hash: u64) {
        if hash.trailing_zeros() < self.zeros {
            return;
        }
        self.again += u64::from(!self.seen.insert(hash));
        while self.seen.len() > self.limit {
            self.zeros += 1;
            self.seen.retain(|hash| hash.trailing_zeros() >= self.zeros);
        }
    }

    /// Each value of the other stream has the values kept here, too.
    pub(super) fn merge(&mut self, other: &Birthdays) {
        self.again += other.again;
        self.zeros = self.zeros.max(other.zeros);
        self.seen.retain(|hash| hash.trailing_zeros() >= self.zeros);
        other.seen.iter().for_each(|hash| self.keep(*hash));
        self.len += other.len;
        self.chances += other.chances + other.len as f64 * self.limit as f64;
    }

    pub(super) fn outcome(&self, target: &Target) -> Outcome {
        let most = target.most().ok_or(REDUCED)?;
        if self.limit == 0 {
            return Err(FEW);
        }
        Ok(numbers(self.again, self.chances, 2.0 * self.limit as f64, most))
    }
}

/// The same of counts of each value of a range: all values are kept.
pub(super) fn of_counts(histogram: &Histogram, n: u64, target: &Target) -> Outcome {
    let most = target.most().ok_or(REDUCED)?;
    let n = n as f64;
    if n * most > 0.5 {
        return Err(FEW);
    }
    let again = histogram.counts().iter().map(|count| count.saturating_sub(1)).sum();
    Ok(numbers(again, n * (n - 1.0) / 2.0, n, most))
}

const FEW: &str = "the law has too few values for this number of samples";
const REDUCED: &str = "not for a law that a modulus changes";

/// P(Poisson >= `again`), the bound of this file's head. `chances` is the sum of the numbers of values that each could equal, none of
/// which is above `largest`.
pub(super) fn numbers(again: u64, chances: f64, largest: f64, most: f64) -> Numbers {
    // -ln(1 - q)/q grows with q.
    let mean = chances * -libm::log1p(-largest * most) / largest;
    let p_value = if again == 0 { 1.0 } else { pvalue::chi_squared_below(2.0 * mean, 2.0 * again as f64) };
    Numbers { statistic: again as f64, dof: None, p_value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::NoiseLaw;
    use samplez_tables::TargetLaw;

    fn target(bound_log2: u32) -> Target {
        Target::new(&TargetLaw::finite(&NoiseLaw::TUniform { bound_log2 }).unwrap()).unwrap()
    }

    fn uniform(seed: u64, n: u64, bits: u32) -> Vec<i64> {
        (0..n).map(|i| (mixed(seed << 32 | i) >> (64 - bits)) as i64).collect()
    }

    fn judged(target: &Target, values: &[i64]) -> Numbers {
        let mut birthdays = Birthdays::new(target);
        values.chunks(1000).for_each(|chunk| birthdays.push(chunk));
        birthdays.outcome(target).unwrap()
    }

    /// P(R >= r) of n uniform values out of m: all ways, by the number of different values.
    #[test]
    fn the_bound_holds_exactly() {
        for (n, m) in [(5, 40), (12, 40), (20, 64)] {
            let mut different = vec![1.0];
            for i in 0..n {
                let mut next = vec![0.0; i + 2];
                for (d, p) in different.iter().enumerate() {
                    next[d] += p * d as f64 / f64::from(m);
                    next[d + 1] += p * (f64::from(m) - d as f64) / f64::from(m);
                }
                different = next;
            }
            for r in 1..n {
                let exact: f64 = different[..=n - r].iter().sum();
                let chances = (n * (n - 1)) as f64 / 2.0;
                let bound = numbers(r as u64, chances, n as f64, f64::from(m).recip()).p_value;
                assert!(
                    bound >= exact * (1.0 - 1e-12) && (r > 2 || bound < 2.5 * exact),
                    "{n} {m} {r}: {bound} {exact}"
                );
            }
        }
    }

    #[test]
    fn ideal_values_pass_at_their_rate() {
        // Of 2^12 out of 2^20, some 8 equal one before.
        let target = target(19);
        let mut low = [0; 2];
        for seed in 0..400 {
            let p = judged(&target, &uniform(seed, 1 << 12, 20)).p_value;
            (low[0], low[1]) = (low[0] + u32::from(p < 0.1), low[1] + u32::from(p < 0.01));
        }
        // At most 40 and 4 are expected; 60 and 13 are exceeded with probability 1e-3 and less.
        assert!((5..60).contains(&low[0]) && low[1] < 13, "{low:?}");
    }

    #[test]
    fn values_of_few_points_are_seen() {
        let target = target(40);
        let points = |n, bits| -> Vec<i64> {
            uniform(1, n, bits).into_iter().map(|i| (mixed(i as u64) >> 24) as i64 - (1 << 39)).collect()
        };
        let [few, many] = [judged(&target, &points(1 << 20, 32)), judged(&target, &points(1 << 20, 40))];
        assert!(few.statistic >= 3.0 && few.p_value < 1e-9, "{few:?}");
        assert!(many.p_value > 1e-3, "{many:?}");
        // In two streams, too.
        let half = |n: u64| {
            let mut birthdays = Birthdays::new(&target);
            birthdays.push(&uniform(n, 1 << 15, 40));
            birthdays
        };
        let (mut one, same, other) = (half(7), half(7), half(8));
        one.merge(&other);
        assert_eq!(one.again, 0);
        one.merge(&same);
        assert!(one.again > 1 << 14, "{}", one.again);
    }
}
