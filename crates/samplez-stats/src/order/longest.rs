//! The longest run of each code, over all windows.

use crate::coding::PEAK;

/// Shorter runs are passed over.
pub(in super::super) const LEAST: usize = 4;

/// Codes that are looked at together.
const PART: usize = 64;

#[derive(Clone, Debug)]
pub(in super::super) struct Longest {
    /// Of each code from -[`PEAK`] on: 0 if it has none.
    runs: Box<[u64; 2 * PEAK as usize + 1]>,
}

impl Default for Longest {
    fn default() -> Self {
        Longest { runs: Box::new([0; 2 * PEAK as usize + 1]) }
    }
}

impl Longest {
    /// Codes of one stream, of which those from `from` on are new. A run that goes on is seen again with the codes that
    /// follow.
    #[inline(always)]
    pub(super) fn push(&mut self, codes: &[i16], from: usize) {
        let mut at = from.max(LEAST - 1);
        while at < codes.len() {
            let end = (at + PART).min(codes.len());
            let hit = hits(&codes[at + 1 - LEAST..end]);
            let mut i = at;
            while hit != 0 && i < end {
                let same = codes[i + 1 - LEAST..i].iter().all(|code| *code == codes[i]);
                i = if same { self.run(codes, i) } else { i + 1 };
            }
            at = end.max(i);
        }
    }

    /// The whole run that the code at this place belongs to; returns where it ends.
    fn run(&mut self, codes: &[i16], at: usize) -> usize {
        let code = codes[at];
        let before = codes[..at].iter().rev().take_while(|other| **other == code).count();
        let after = codes[at..].iter().take_while(|other| **other == code).count();
        let longest = &mut self.runs[(code + PEAK) as usize];
        *longest = (*longest).max((before + after) as u64);
        at + after
    }

    /// Visits each number of the state.
    pub(super) fn each(&mut self, visit: &mut dyn FnMut(&mut u64)) {
        self.runs.iter_mut().for_each(visit);
    }

    pub(super) fn merge(&mut self, other: &Longest) {
        for (run, more) in self.runs.iter_mut().zip(other.runs.iter()) {
            *run = (*run).max(*more);
        }
    }

    /// The longest run of this code, 0 if none is as long as [`LEAST`].
    pub(in super::super) fn of(&self, code: i16) -> u64 {
        self.runs[(code + PEAK) as usize]
    }

    /// A bound of the probability that one of n values, each of probability p, begins a run so long.
    ///
    /// A run begins with the first value, or after a different one.
    pub(in super::super) fn bound(n: u64, p: f64, run: u64) -> f64 {
        let starts = n.saturating_sub(run) as f64 * (1.0 - p) + 1.0;
        (starts * libm::exp(run as f64 * libm::log(p))).min(1.0)
    }
}

/// Not 0 if [`LEAST`] in a row are the same.
#[inline(always)]
fn hits(codes: &[i16]) -> i16 {
    let (a, b, c, d) = (codes, &codes[1..], &codes[2..], &codes[3..]);
    let fours = a.iter().zip(b).zip(c).zip(d);
    fours.fold(0, |hit: i16, (((a, b), c), d)| hit | i16::from((a ^ b) | (b ^ c) | (c ^ d) == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_across_windows() {
        let mut codes: Vec<i16> = (0..1000).map(|i| i % 5).collect();
        codes[90..103].fill(7);
        codes[200..203].fill(8);
        codes[300..].fill(-9);
        for window in [10, 37, 64, 100, 1000] {
            let mut longest = Longest::default();
            for from in (0..1000).step_by(window) {
                longest.push(&codes[..(from + window).min(1000)], from);
            }
            assert_eq!([7, 8, -9, 0].map(|code| longest.of(code)), [13, 0, 700, 0], "{window}");
        }
        // What is before the stream does not count.
        let mut longest = Longest::default();
        longest.push(&codes[98..200], 0);
        assert_eq!(longest.of(7), 5);
    }

    /// Against all sequences of ten coins.
    #[test]
    fn the_bound_is_one() {
        for p in [0.5_f64, 0.9] {
            for run in 4..=10_u64 {
                let mut exact = 0.0;
                for number in 0..1024_u32 {
                    let has = (0..=10 - run).any(|at| (number >> at) & ((1 << run) - 1) == (1 << run) - 1);
                    let ones = number.count_ones() as i32;
                    exact += if has { p.powi(ones) * (1.0 - p).powi(10 - ones) } else { 0.0 };
                }
                let bound = Longest::bound(10, p, run);
                assert!(bound >= exact - 1e-12 && (run < 8 || bound < 1.3 * exact), "{p} {run}: {bound} {exact}");
            }
        }
    }
}
