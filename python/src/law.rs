//! Cumulative probabilities and quantiles of D_{Z,σ,c}.

use samplez::DiscreteGaussian;
use samplez::tables::Law;
use std::sync::OnceLock;

/// Laws with more values than this, tails of 2^-1000 cut off, keep no sums: σ above some 800.
const MOST: u64 = 1 << 16;

/// A law and, for the narrow ones, its sums.
pub(crate) struct Distribution {
    pub(crate) law: Law,
    sums: OnceLock<Option<Sums>>,
}

/// P(X <= x) for first <= x < middle, and P(X > x) for middle <= x <= first + len - 1.
///
/// All terms are positive and within 0.51 ulp, and are added from the outside in, with two
/// doubles for the sum: so each is within 2 ulp.
struct Sums {
    first: i64,
    middle: i64,
    below: Vec<f64>,
    above: Vec<f64>,
}

/// A sum of doubles in two doubles, by Knuth's error-free addition.
struct Double(f64, f64);

impl Double {
    fn add(&mut self, x: f64) -> f64 {
        let sum = self.0 + x;
        let part = sum - self.0;
        self.1 += (self.0 - (sum - part)) + (x - part);
        self.0 = sum;
        self.0 + self.1
    }
}

impl Sums {
    fn new(law: &Law) -> Option<Sums> {
        let range = law.tail_range(-1000.0)?;
        let (first, last) = range.into_inner();
        if last.abs_diff(first) >= MOST {
            return None;
        }
        let middle = law.target().center().floor().clamp(first, last);
        let mut sum = Double(first.checked_sub(1).map_or(0.0, |end| law.mass(i64::MIN..=end)), 0.0);
        let below = (first..middle).map(|x| sum.add(law.pmf(x))).collect();
        let mut sum = Double(last.checked_add(1).map_or(0.0, |start| law.mass(start..=i64::MAX)), 0.0);
        let mut above = vec![sum.0];
        above.extend((middle + 1..=last).rev().map(|x| sum.add(law.pmf(x))));
        above.reverse();
        Some(Sums { first, middle, below, above })
    }
}

/// A probability, or what is missing to 1: whichever is the smaller sum.
enum Side {
    Below(f64),
    Above(f64),
}

impl Distribution {
    pub(crate) fn new(target: &DiscreteGaussian) -> Self {
        Distribution { law: Law::new(target), sums: OnceLock::new() }
    }

    /// P(X <= x) left of the middle, P(X > x) right of it.
    fn side(&self, x: i64) -> Side {
        let below = || Side::Below(self.law.mass(i64::MIN..=x));
        let above = || Side::Above(x.checked_add(1).map_or(0.0, |start| self.law.mass(start..=i64::MAX)));
        let Some(sums) = self.sums.get_or_init(|| Sums::new(&self.law)) else {
            return if x < self.law.target().center().floor() { below() } else { above() };
        };
        let at = |list: &[f64], start: i64| usize::try_from(x.abs_diff(start)).ok().and_then(|i| list.get(i).copied());
        if x < sums.first {
            below()
        } else if x < sums.middle {
            at(&sums.below, sums.first).map_or_else(below, Side::Below)
        } else {
            at(&sums.above, sums.middle).map_or_else(above, Side::Above)
        }
    }

    /// P(X <= x).
    pub(crate) fn cdf(&self, x: i64) -> f64 {
        match self.side(x) {
            Side::Below(p) => p,
            Side::Above(p) => 1.0 - p,
        }
    }

    /// P(X > x).
    pub(crate) fn sf(&self, x: i64) -> f64 {
        match self.side(x) {
            Side::Below(p) => 1.0 - p,
            Side::Above(p) => p,
        }
    }

    /// The least x with P(X <= x) >= q, for 0 < q < 1: by the cdf below one half, by the sf, against 1 - q
    /// (which is a double), from there on.
    pub(crate) fn ppf(&self, q: f64) -> i64 {
        let enough = |x: i64| if q < 0.5 { self.cdf(x) >= q } else { self.sf(x) <= 1.0 - q };
        let (mut short, mut long) = (i128::from(i64::MIN) - 1, i128::from(i64::MAX));
        while long - short > 1 {
            let middle = (short + long).div_euclid(2);
            if i64::try_from(middle).is_ok_and(enough) { long = middle } else { short = middle }
        }
        long as i64
    }
}
