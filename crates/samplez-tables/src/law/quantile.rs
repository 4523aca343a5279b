//! Quantiles.

use super::{Law, correctly_rounded, cumulative, survival, tail};
use crate::density::Side;
use crate::fixed::Scaled;
use core::cmp::Ordering;
use core::f64::consts::FRAC_1_SQRT_2;
use core::ops::RangeInclusive;
use libm::erfc;

impl Law {
    /// Returns the least x with P(X <= x) >= q, of the exact law and the exact q, for 0 < q < 1. `None` for any other
    /// q, and unless `i64::MIN` < x <= `i64::MAX`.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// assert_eq!((law.quantile(0.025), law.quantile(0.5), law.quantile(0.975)), (Some(-6), Some(0), Some(6)));
    /// assert_eq!(law.quantile(1.0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quantile(&self, q: f64) -> Option<i64> {
        // A difference that 512 bits do not decide counts as equal.
        let reaches = |x| compared(cumulative(&self.density, x), || cumulative(&self.fine(), x), q);
        self.least(q, 1.0, &|x| reaches(x) != Ordering::Less)
    }

    /// Returns the least x with P(X > x) <= q, of the exact law and the exact q, for 0 < q < 1. It is the quantile of 1
    /// - q, for small q, too. `None` for any other q, and unless `i64::MIN` < x <= `i64::MAX`.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// assert_eq!((law.isf(0.975), law.isf(0.5), law.isf(1e-300)), (Some(-6), Some(0), Some(118)));
    /// assert_eq!(law.isf(0.0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn isf(&self, q: f64) -> Option<i64> {
        let exceeds = |x| compared(survival(&self.density, x), || survival(&self.fine(), x), q);
        self.least(q, -1.0, &|x| exceeds(x) != Ordering::Greater)
    }

    /// Returns the [`quantile`](Self::quantile) and the [`isf`](Self::isf) of (1 - confidence)/2. X lies between them
    /// with at least this probability. `None` unless 0 <= confidence < 1, and where one of them is.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// assert_eq!((law.interval(0.95), law.interval(0.0)), (Some(-6..=6), Some(0..=0)));
    /// assert_eq!(law.interval(1.0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn interval(&self, confidence: f64) -> Option<RangeInclusive<i64>> {
        if !(0.0..1.0).contains(&confidence) {
            return None;
        }
        let outside = (1.0 - confidence) / 2.0;
        Some(self.quantile(outside)?..=self.isf(outside)?)
    }

    /// The least x that is enough, about sign·z σ from the centre for the standard normal's quantile z of q.
    fn least(&self, q: f64, sign: f64, enough: &dyn Fn(i64) -> bool) -> Option<i64> {
        if !(q > 0.0 && q < 1.0) {
            return None;
        }
        // The continuous law's quantile.
        let guess = self.center() + sign * self.sigma() * normal_quantile(q);
        let (least, most) = (i128::from(i64::MIN), i128::from(i64::MAX));
        let found = self.least_near(guess, least..=most, &|x| enough(x as i64))?;
        if found > least { Some(found as i64) } else { None }
    }

    /// The least of these numbers that is enough, as all above it then are. Searches in steps away from the guess that double.
    fn least_near(&self, guess: f64, numbers: RangeInclusive<i128>, enough: &dyn Fn(i128) -> bool) -> Option<i128> {
        let (least, most) = numbers.into_inner();
        let middle = (guess as i128).clamp(least, most);
        let mut step = 1 + (self.sigma() * 1e-13) as i128;
        let (mut short, mut long);
        if enough(middle) {
            (short, long) = (middle - step, middle);
            while short >= least && enough(short) {
                step *= 2;
                (short, long) = (short - step, short);
            }
            short = short.max(least - 1);
        } else {
            (short, long) = (middle, middle + step);
            while long <= most && !enough(long) {
                step *= 2;
                (short, long) = (long, long + step);
            }
            long = long.min(most + 1);
        }
        while long - short > 1 {
            let middle = (short + long).div_euclid(2);
            if enough(middle) { long = middle } else { short = middle }
        }
        if long <= most { Some(long) } else { None }
    }

    /// The least distance, at most `room`, beyond which the side holds less than the limit <= 1/2.
    pub(crate) fn tail_distance(&self, side: Side, limit: f64, room: u64) -> Option<u64> {
        let light = |distance| correctly_rounded!(self, false, tail::beyond, side, distance) < limit;
        let guess = libm::ceil(-self.sigma() * normal_quantile(limit) - self.density.exponent().offset(side) - 0.5);
        self.least_near(guess, 0..=room.into(), &|distance| light(distance as u64)).map(|distance| distance as u64)
    }
}

/// Compares a probability with q. A difference that 512 bits do not decide counts as equal.
fn compared<const N: usize, const M: usize>(coarse: Scaled<N>, fine: impl FnOnce() -> Scaled<M>, q: f64) -> Ordering {
    coarse.compare(q).or_else(|| fine().compare(q)).unwrap_or(Ordering::Equal)
}

/// The z at which a standard normal variable stays below z with probability q, about.
fn normal_quantile(q: f64) -> f64 {
    let (tail, sign) = if q < 0.5 { (q, -1.0) } else { (1.0 - q, 1.0) };
    let (mut low, mut high) = (0.0, 39.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if 0.5 * erfc(middle * FRAC_1_SQRT_2) > tail { low = middle } else { high = middle }
    }
    sign * low
}
