//! The two halves of a stream beside each other, for any law.

use super::cells::{Numbers, Outcome, homogeneity};
use super::group::{Family, ONE_STREAM};
use super::pvalue;

/// When there are so many marks, every second one is dropped.
const MOST: usize = 64;

/// Values between marks, at first, or more where there are many counts.
const SPACING: u64 = 4096;

/// Counts at some places of a stream, about evenly spaced.
#[derive(Clone, Debug)]
pub(super) struct Halves {
    marks: Vec<Vec<u64>>,
    spacing: u64,
    /// Whether another stream was added.
    is_merged: bool,
}

impl Halves {
    /// For so many counts.
    pub(super) fn new(counts: usize) -> Self {
        let spacing = SPACING.max((counts as u64 / 4).next_power_of_two());
        Halves { marks: Vec::new(), spacing, is_merged: false }
    }

    /// The counts of the first `len` values, if there is to be a mark.
    pub(super) fn mark(&mut self, len: u64, counts: impl FnOnce() -> Vec<u64>) {
        if self.is_merged || !len.is_multiple_of(self.spacing) {
            return;
        }
        self.marks.push(counts());
        if self.marks.len() == MOST {
            let mut number = 0;
            self.marks.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.spacing *= 2;
        }
    }

    /// No halves are known of two streams.
    pub(super) fn merge(&mut self) {
        self.is_merged = true;
        self.marks.clear();
    }

    /// Tests the counts up to the mark nearest to the middle against the further ones: too unlike, or too much alike.
    ///
    /// The stream has `n` values, with these counts in all.
    pub(super) fn family(&self, n: u64, counts: &[u64]) -> Family {
        let names = ["too unlike", "too much alike"].map(String::from);
        let middle = ((n as f64 / 2.0 / self.spacing as f64).round() as usize).clamp(1, MOST);
        let table = match self.marks.get(middle - 1) {
            Some(first) if self.marks.len() >= 2 => {
                let pairs: Vec<[u64; 2]> = first.iter().zip(counts).map(|(a, all)| [*a, all - a]).collect();
                let len = middle as u64 * self.spacing;
                homogeneity(&pairs, [len, n - len])
            }
            _ if self.is_merged => Err(ONE_STREAM),
            _ => Err("needs more values"),
        };
        let judge = |below: bool| -> Outcome {
            table.map(|table| {
                let p_value = if below { table.below() } else { pvalue::chi_squared(table.statistic, table.dof) };
                Numbers { statistic: table.statistic, dof: Some(table.dof as u64), p_value }
            })
        };
        Family::new("halves", names.into_iter().zip([judge(false), judge(true)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_near_the_middle() {
        let mut halves = Halves::new(10);
        let mut counts = vec![0_u64; 40];
        let n: u64 = 200 * SPACING + 777;
        for i in 0..n {
            counts[(i % 40) as usize] += 1;
            halves.mark(i + 1, || counts.clone());
        }
        assert!(halves.marks.len() < MOST && halves.spacing == 4 * SPACING);
        let family = halves.family(n, &counts);
        let p = |i: usize| family.members[i].outcome.unwrap().p_value;
        assert!(p(0) > 0.99 && p(1) < 1e-12, "{} {}", p(0), p(1));
        // The same in all, but the first half has none of one value.
        let mut other = halves.clone();
        for mark in &mut other.marks {
            mark[3] = 0;
        }
        assert!(other.family(n, &counts).members[0].outcome.unwrap().p_value < 1e-12);
        other.merge();
        assert!(other.family(n, &counts).members.iter().all(|member| member.outcome.is_err()));
    }
}
