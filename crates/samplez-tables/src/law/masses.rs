//! Tables of masses, and their convolution.
//!
//! All masses are doubles and at least 0, and each is a sum of products. So its relative error is at most that of its factors, and 2^-53 for
//! each operation. A table ends where less than 2^-220 lies beyond.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// A table ends where less than 2^this lies beyond.
pub(super) const END_LOG2: i32 = -220;

/// A table has at most so many values.
pub(super) const MOST_VALUES: usize = 1 << 20;

/// A convolution has at most so many products: some seconds.
const MOST_PRODUCTS: u64 = 1 << 32;

/// The relative error of one rounding.
pub(super) const ROUNDING: f64 = f64::EPSILON / 2.0;

/// The masses of a range of values, with their sums from either end.
#[derive(Debug)]
pub(super) struct Table {
    /// The law in words.
    pub(super) name: String,
    pub(super) low: i64,
    masses: Vec<f64>,
    /// The sum of the masses up to each value.
    upto: Vec<f64>,
    /// The sum of the masses from each value on.
    from: Vec<f64>,
    pub(super) mean: f64,
    pub(super) variance: f64,
    /// The relative error of each mass and sum.
    pub(super) error: f64,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.low, &self.masses) == (&other.name, other.low, &other.masses)
    }
}

impl Table {
    pub(super) fn new(name: String, masses: Masses, (mean, variance): (f64, f64)) -> Self {
        let Masses { low, masses, error } = masses;
        let sums = |masses: &mut dyn Iterator<Item = &f64>| -> Vec<f64> {
            let next = |sum: &mut f64, mass: &f64| {
                *sum += mass;
                Some(*sum)
            };
            masses.scan(0.0, next).collect()
        };
        let (upto, mut from) = (sums(&mut masses.iter()), sums(&mut masses.iter().rev()));
        from.reverse();
        // To add 0 is exact. The last rounding is that of 1 less a tail.
        let error = error + (masses.iter().filter(|mass| **mass > 0.0).count() + 1) as f64 * ROUNDING;
        Table { name, low, masses, upto, from, mean, variance, error }
    }

    pub(super) fn high(&self) -> i64 {
        self.low + (self.masses.len() - 1) as i64
    }

    /// The greatest mass.
    pub(super) fn greatest(&self) -> f64 {
        self.masses.iter().copied().fold(0.0, f64::max)
    }

    /// P(low <= X <= high).
    pub(super) fn mass(&self, low: i64, high: i64) -> f64 {
        let (low, high) = (low.max(self.low), high.min(self.high()));
        if low > high {
            return 0.0;
        }
        let (first, last) = ((low - self.low) as usize, (high - self.low) as usize);
        let (below, above) = (first.checked_sub(1).map(|i| self.upto[i]), self.from.get(last + 1));
        let mass = match (below, above) {
            (None, None) => 1.0,
            // The smaller tail has the smaller error, and 0 if nothing lies beyond.
            (None, Some(above)) if *above < 0.5 => 1.0 - above,
            (None, _) => self.upto[last],
            (Some(below), None) if below < 0.5 => 1.0 - below,
            (_, None) => self.from[first],
            _ => self.masses[first..=last].iter().sum(),
        };
        mass.min(1.0)
    }
}

/// The masses of the integers from `low` on, and their relative error.
#[derive(Clone, Debug)]
pub(super) struct Masses {
    pub(super) low: i64,
    pub(super) masses: Vec<f64>,
    pub(super) error: f64,
}

impl Masses {
    /// Of the constant 0.
    pub(super) fn zero() -> Self {
        Masses { low: 0, masses: vec![1.0], error: 0.0 }
    }

    /// Mean and variance.
    pub(super) fn moments(&self) -> (f64, f64) {
        let terms = || self.masses.iter().zip(0_u32..).map(|(p, y)| (*p, f64::from(y)));
        let mean: f64 = terms().map(|(p, y)| p * y).sum();
        (self.low as f64 + mean, terms().map(|(p, y)| p * (y - mean) * (y - mean)).sum())
    }

    /// The law of X + `factor`·Y. `None` if it has too many values or takes too long.
    pub(super) fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let (n, m) = (self.masses.len(), other.masses.len());
        let stretch = usize::try_from(factor.unsigned_abs()).ok()?;
        let len = stretch.checked_mul(m - 1)?.checked_add(n)?;
        if len > MOST_VALUES || (n as u64) * (m as u64) > MOST_PRODUCTS {
            return None;
        }
        let least = if factor > 0 { other.low } else { other.low.checked_add((m - 1) as i64)? };
        let low = factor.checked_mul(least)?.checked_add(self.low)?;
        low.checked_add(len as i64)?;
        let mut masses = vec![0.0; len];
        for (j, p) in other.masses.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            let at = stretch * if factor > 0 { j } else { m - 1 - j };
            masses[at..at + n].iter_mut().zip(&self.masses).for_each(|(sum, q)| *sum += p * q);
        }
        // A mass is the sum of at most as many products as either law has values.
        let error = self.error + other.error + (n.min(m) + 1) as f64 * ROUNDING;
        Some(Masses { low, masses, error }.trimmed())
    }

    /// The sum of so many samples.
    pub(super) fn times(self, mut copies: u32) -> Option<Self> {
        let (mut sum, mut power) = (Masses::zero(), self);
        loop {
            if copies & 1 == 1 {
                sum = sum.plus(&power, 1)?;
            }
            copies >>= 1;
            if copies == 0 {
                return Some(sum);
            }
            power = power.plus(&power, 1)?;
        }
    }

    /// Without the ends.
    pub(super) fn trimmed(self) -> Self {
        let least = libm::exp2(f64::from(END_LOG2));
        let light = |masses: &mut dyn Iterator<Item = &f64>| {
            let mut sum = 0.0;
            masses
                .take_while(|mass| {
                    sum += **mass;
                    sum < least
                })
                .count()
        };
        let (first, last) = (light(&mut self.masses.iter()), light(&mut self.masses.iter().rev()));
        let masses = self.masses[first..self.masses.len() - last].to_vec();
        Masses { low: self.low + first as i64, masses, ..self }
    }
}
