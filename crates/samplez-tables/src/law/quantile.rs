//! Quantiles.

use super::{Law, cumulative};
use core::cmp::Ordering;
use core::f64::consts::FRAC_1_SQRT_2;
use libm::erfc;

impl Law {
    /// The least x with P(X <= x) >= q, of the exact law and the exact q, for 0 < q < 1; `None` for
    /// any other q, and unless `i64::MIN` < x <= `i64::MAX`.
    ///
    /// ```
    /// use samplez_core::params::DiscreteGaussian;
    /// use samplez_tables::Law;
    /// let law = Law::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// assert_eq!((law.quantile(0.025), law.quantile(0.5), law.quantile(0.975)), (Some(-6), Some(0), Some(6)));
    /// assert_eq!(law.quantile(1.0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quantile(&self, q: f64) -> Option<i64> {
        if !(q > 0.0 && q < 1.0) {
            return None;
        }
        // The continuous law's quantile, and steps away from it that double.
        let guess = self.center() + self.sigma() * normal_quantile(q);
        let (least, most) = (i128::from(i64::MIN), i128::from(i64::MAX));
        let middle = (guess as i128).clamp(least, most);
        let mut step = 1 + (self.sigma() * 1e-13) as i128;
        let enough = |x: i128| self.reaches(x as i64, q);
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
        if long > least && long <= most { Some(long as i64) } else { None }
    }

    /// P(X <= x) >= q. What 512 bits do not decide counts as equal.
    fn reaches(&self, x: i64, q: f64) -> bool {
        let order = cumulative(&self.density, x).compare(q).or_else(|| cumulative(&self.fine(), x).compare(q));
        order != Some(Ordering::Less)
    }
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
