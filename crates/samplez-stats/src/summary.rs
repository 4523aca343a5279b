//! The data kept of the values one by one: power sums, residues, sides, extremes.

use super::target::{RESIDUES, Target};

/// Values that are summed at once in plain doubles.
const GROUP: usize = 4;

/// A sum of doubles with Neumaier's compensation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    sum: f64,
    error: f64,
}

impl Sum {
    pub(super) fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.error += if self.sum.abs() >= term.abs() { (self.sum - sum) + term } else { (term - sum) + self.sum };
        self.sum = sum;
    }

    pub(super) fn value(&self) -> f64 {
        self.sum + self.error
    }
}

#[derive(Clone, Debug)]
pub(super) struct Summary {
    mean: f64,
    inverse: f64,
    sides: (i64, i64),
    marked: i64,
    /// Σ t^k for k = 1 … 4, where t = (y - mean)/deviation.
    powers: [Sum; 4],
    pub(super) residues: [u64; RESIDUES],
    pub(super) below: u64,
    pub(super) above: u64,
    pub(super) at_mark: u64,
    pub(super) extremes: Option<(i64, i64)>,
}

impl Summary {
    pub(super) fn new(target: &Target) -> Self {
        Summary {
            mean: target.mean,
            inverse: target.deviation().map_or(0.0, f64::recip),
            sides: target.sides(),
            marked: target.marked(),
            powers: [Sum::default(); 4],
            residues: [0; RESIDUES],
            below: 0,
            above: 0,
            at_mark: 0,
            extremes: None,
        }
    }

    /// One value, `count` times.
    pub(super) fn add(&mut self, y: i64, count: u64) {
        if count == 0 {
            return;
        }
        let t = (y as f64 - self.mean) * self.inverse;
        let mut power = count as f64;
        for sum in &mut self.powers {
            power *= t;
            sum.add(power);
        }
        self.residues[y.rem_euclid(RESIDUES as i64) as usize] += count;
        self.below += if y <= self.sides.0 { count } else { 0 };
        self.above += if y >= self.sides.1 { count } else { 0 };
        self.at_mark += if y == self.marked { count } else { 0 };
        self.widen(y, y);
    }

    /// A block of values, once each: at most some thousands, since the block's own sums are
    /// not compensated.
    pub(super) fn push(&mut self, values: &[i64]) {
        let Some(first) = values.first() else { return };
        let (groups, rest) = values.as_chunks::<GROUP>();
        let mut powers = [[0.0; GROUP]; 4];
        let (mut low, mut high, mut below, mut above, mut at_mark) = (*first, *first, 0, 0, 0);
        for group in groups {
            for (lane, y) in group.iter().enumerate() {
                let t = (*y as f64 - self.mean) * self.inverse;
                let square = t * t;
                powers[0][lane] += t;
                powers[1][lane] += square;
                powers[2][lane] += t * square;
                powers[3][lane] += square * square;
                self.residues[(*y & (RESIDUES as i64 - 1)) as usize] += 1;
                below += u64::from(*y <= self.sides.0);
                above += u64::from(*y >= self.sides.1);
                at_mark += u64::from(*y == self.marked);
                low = low.min(*y);
                high = high.max(*y);
            }
        }
        for (sum, lanes) in self.powers.iter_mut().zip(powers) {
            sum.add(lanes.iter().sum());
        }
        self.below += below;
        self.above += above;
        self.at_mark += at_mark;
        self.widen(low, high);
        for y in rest {
            self.add(*y, 1);
        }
    }

    pub(super) fn merge(&mut self, other: &Summary) {
        for (sum, more) in self.powers.iter_mut().zip(&other.powers) {
            sum.add(more.sum);
            sum.error += more.error;
        }
        for (count, more) in self.residues.iter_mut().zip(other.residues) {
            *count += more;
        }
        self.below += other.below;
        self.above += other.above;
        self.at_mark += other.at_mark;
        if let Some((low, high)) = other.extremes {
            self.widen(low, high);
        }
    }

    fn widen(&mut self, low: i64, high: i64) {
        let (min, max) = self.extremes.unwrap_or((low, high));
        self.extremes = Some((min.min(low), max.max(high)));
    }

    /// Σ t^k.
    pub(super) fn power(&self, k: usize) -> f64 {
        self.powers[k - 1].value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_compensated() {
        let mut sum = Sum::default();
        for term in [1e16, 1.0, 1.0, 1.0, -1e16, 0.5] {
            sum.add(term);
        }
        assert_eq!(sum.value(), 3.5);
    }
}
