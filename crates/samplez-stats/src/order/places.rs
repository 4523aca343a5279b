//! Sums of the values at each place modulo 2^16.

use crate::coding::HIGHEST;

/// Places are counted modulo powers of two up to this one.
pub(in super::super) const PERIOD_BITS: u32 = 16;

const PERIOD: usize = 1 << PERIOD_BITS;

/// The number of values whose sum fits 16 bits.
const ROUNDS: u64 = (i16::MAX / HIGHEST) as u64;

#[derive(Clone, Debug)]
pub(in super::super) struct Places {
    /// Of values, then of magnitudes.
    recent: [Vec<i16>; 2],
    /// The recent sums, in 64 bits: empty until they are needed.
    totals: [Vec<i64>; 2],
    /// How many were pushed since it was last needed.
    since: u64,
}

impl Default for Places {
    fn default() -> Self {
        Places { recent: core::array::from_fn(|_| vec![0; PERIOD]), totals: Default::default(), since: 0 }
    }
}

impl Places {
    /// Adds values that `before` others precede, a multiple of the greatest number of values pushed at once.
    #[inline(always)]
    pub(super) fn push(&mut self, values: &[i16], magnitudes: &[i16], before: u64) {
        let at = (before % PERIOD as u64) as usize;
        for (recent, values) in self.recent.iter_mut().zip([values, magnitudes]) {
            for (sum, value) in recent[at..].iter_mut().zip(values) {
                *sum = sum.wrapping_add(*value);
            }
        }
        self.since += values.len() as u64;
        if self.since >= (ROUNDS - 1) * PERIOD as u64 {
            self.settle();
        }
    }

    fn settle(&mut self) {
        for (recent, totals) in self.recent.iter_mut().zip(&mut self.totals) {
            totals.resize(PERIOD, 0);
            for (total, sum) in totals.iter_mut().zip(recent) {
                *total += i64::from(core::mem::take(sum));
            }
        }
        self.since = 0;
    }

    pub(super) fn merge(&mut self, other: &Places) {
        self.settle();
        for (i, totals) in self.totals.iter_mut().enumerate() {
            for (total, more) in totals.iter_mut().zip(other.sums(i)) {
                *total += more;
            }
        }
    }

    /// The sums of values (0) or magnitudes (1) at each place.
    pub(in super::super) fn sums(&self, series: usize) -> Vec<i64> {
        let totals = self.totals[series].iter().copied().chain(core::iter::repeat(0));
        self.recent[series].iter().zip(totals).map(|(sum, total)| total + i64::from(*sum)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_two_streams() {
        let mut places = Places::default();
        places.push(&[1, 2, 3], &[10, 20, 30], 0);
        places.push(&[5], &[7], PERIOD as u64);
        let mut other = Places::default();
        other.push(&[10, 20], &[0, 1], PERIOD as u64 - 2);
        places.merge(&other);
        places.push(&[1], &[1], 0);
        let sums = [places.sums(0), places.sums(1)];
        assert_eq!((&sums[0][..4], &sums[0][PERIOD - 2..]), (&[7, 2, 3, 0][..], &[10, 20][..]));
        assert_eq!((&sums[1][..4], &sums[1][PERIOD - 2..]), (&[18, 20, 30, 0][..], &[0, 1][..]));
    }
}
