//! The table of the Bernoulli sampler: the probabilities 2^(-2^i/k²).

use super::{MAX_PRECISION, Table, TableError};
use crate::params::{DiscreteGaussian, ParamError, Width};
use crate::profile::Bound;

/// The largest k: with x <= 16, every z below stays under 2^62.
const K_MAX: u64 = 1 << 28;
/// The largest |c|.
const CENTER_MAX: u64 = 1 << 62;
const METHOD: &str = "bernoulli";

/// The probabilities c_i = 2^(-2^i/k²) of coins, in units of 2^-B, for σ = k·sqrt(1/(2 ln 2)).
///
/// Let z = y² + 2kxy. The coins of its bits i together have the probability 2^(-z/k²), for every 0 <= y < k and 0 <= x
/// <= X.
///
/// X is the least with (X + 1)² >= B + 32: larger values have less mass than 2^-(B + 32). So there are as many entries
/// as (k-1)(k-1 + 2kX) has bits, and none for k = 1.
/// An entry is left-aligned in ⌈B/32⌉ digits, the most significant first; c_0 comes first.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{Bound, DiscreteGaussian, Rational, Width, table::BernoulliTable};
/// let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(2)))?;
/// # let bound = Bound::TRIVIAL;
/// // 2^(-1/4), 2^(-1/2), 1/2, 1/4 and 1/16, in units of 1/256: (k-1)(k-1 + 2kX) = 25.
/// let table = BernoulliTable::new(law, bound, 8, [215 << 24, 181 << 24, 128 << 24, 64 << 24, 16 << 24])?;
/// assert_eq!((table.digits().len(), table.bytes(), table.support()), (5, 20, -13..=13));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BernoulliTable<S> {
    target: DiscreteGaussian,
    bound: Bound,
    precision: u32,
    k: u64,
    digits: S,
}

impl<S: AsRef<[u32]>> BernoulliTable<S> {
    /// Builds a table over these digits. `bound` is taken on trust: `samplez-tables` computes it.
    ///
    /// # Errors
    ///
    /// [`TableError`] unless
    ///
    /// - the width is [`Width::KSigma2`] of an integer k <= 2^28;
    /// - the centre is an integer with |c| <= 2^62;
    /// - 1 <= `precision` <= 256;
    /// - the number of digits matches the type's documentation, with no bits set below the precision.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational, Width};
    /// # use samplez_core::table::{BernoulliTable, TableError};
    /// # let bound = Bound::TRIVIAL;
    /// let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(2)))?;
    /// let short = BernoulliTable::new(law, bound, 8, [215 << 24, 181 << 24]);
    /// assert_eq!(short.unwrap_err(), TableError::Length { part: "digits", given: 2, unit: "", expected: 5 });
    /// let other = BernoulliTable::new(DiscreteGaussian::with_sigma(Rational::from(2))?, bound, 8, [0; 5]);
    /// assert!(other.unwrap_err().to_string().contains("k_sigma2"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(target: DiscreteGaussian, bound: Bound, precision: u32, digits: S) -> Result<Self, TableError> {
        let expected = digits_of(&target, precision)?;
        let (given, each) = (digits.as_ref(), precision.div_ceil(32) as usize);
        if given.len() != expected {
            return Err(TableError::Length { part: "digits", given: given.len(), unit: "", expected });
        }
        let loose = (1_u32 << (precision.wrapping_neg() % 32)) - 1;
        if let Some(index) = given.chunks_exact(each).position(|entry| entry[each - 1] & loose != 0) {
            return Err(TableError::LooseBits { entry: "entry", index });
        }
        let k = target.width().value().num().unsigned_abs();
        Ok(BernoulliTable { target, bound, precision, k, digits })
    }

    /// Returns the digits, in storage order.
    pub fn digits(&self) -> &[u32] {
        self.digits.as_ref()
    }

    for_tests! {
    /// The digits of c_i, most significant first.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational, Width, table::BernoulliTable};
    /// # let bound = Bound::TRIVIAL;
    /// # let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(2))).unwrap();
    /// let table = BernoulliTable::new(law, bound, 8, [215 << 24, 181 << 24, 128 << 24, 64 << 24, 16 << 24]).unwrap();
    /// assert_eq!(table.entry(4), [16 << 24]);
    /// ```
    fn entry(&self, i: usize) -> &[u32] {
        let each = self.precision.div_ceil(32) as usize;
        &self.digits()[i * each..][..each]
    }
    }
}

impl<S> BernoulliTable<S> {
    /// Returns the precision B in bits.
    pub const fn precision(&self) -> u32 {
        self.precision
    }
    for_tests! {
        /// k.
        const fn k(&self) -> u64 {
            self.k
        }
    }
    for_tests! {
        /// The centre.
        const fn center(&self) -> i64 {
            self.target.center().num()
        }
    }
    for_tests! {
        /// X, the largest x.
        const fn last_x(&self) -> u64 {
            last_x(self.precision)
        }
    }
    for_tests! {
        /// The number of entries.
        const fn count(&self) -> usize {
            entries(self.k, self.precision)
        }
    }
}

/// X, the least with (X + 1)² >= B + 32.
const fn last_x(precision: u32) -> u64 {
    (precision + 31).isqrt() as u64
}

/// The bits of the largest z. At most 62.
const fn entries(k: u64, precision: u32) -> usize {
    let z = (k - 1) * (k - 1 + 2 * k * last_x(precision));
    (u64::BITS - z.leading_zeros()) as usize
}

/// The number of digits of a table for this law and precision.
fn digits_of(target: &DiscreteGaussian, precision: u32) -> Result<usize, ParamError> {
    let (width, center) = (target.width(), target.center());
    let refuse = |argument, value, allowed| Err(ParamError::Unsupported { method: METHOD, argument, value, allowed });
    let value = width.value();
    let Width::KSigma2(k) = width else {
        return refuse(width.name(), value, "a width given as `k_sigma2` only, sigma = k*sqrt(1/(2 ln 2))");
    };
    if !k.is_integer() || k.num().unsigned_abs() > K_MAX {
        return refuse(width.name(), value, "integers k <= 2^28 only");
    }
    if !center.is_integer() || center.num().unsigned_abs() > CENTER_MAX {
        return refuse("center", center, "integers with |center| <= 2^62 only");
    }
    if !(1..=MAX_PRECISION).contains(&precision) {
        let (value, max) = (precision.into(), MAX_PRECISION.into());
        return Err(ParamError::OutOfRange { argument: "precision", value, min: 1, max });
    }
    Ok(entries(k.num().unsigned_abs(), precision) * precision.div_ceil(32) as usize)
}

impl<S> Table for BernoulliTable<S> {
    fn target(&self) -> &DiscreteGaussian {
        &self.target
    }

    fn bound(&self) -> Bound {
        self.bound
    }

    /// Returns the possible values, and some at the ends that are impossible where entries are 0.
    fn support(&self) -> core::ops::RangeInclusive<i64> {
        let reach = (self.k * (self.last_x() + 1) - 1) as i64;
        self.center() - reach..=self.center() + reach
    }

    fn bytes(&self) -> usize {
        4 * self.precision.div_ceil(32) as usize * self.count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::BOUND;
    use std::string::ToString;

    #[test]
    fn sizes_are_what_they_are_said_to_be() {
        for precision in 1..=MAX_PRECISION {
            let x = last_x(precision);
            assert!((x + 1).pow(2) >= u64::from(precision) + 32 && x.pow(2) < u64::from(precision) + 32);
        }
        assert_eq!((last_x(1), last_x(128), last_x(256)), (5, 12, 16));
        // 253·(253 + 24·254) = 1_606_297 < 2^21
        assert_eq!((entries(1, 128), entries(2, 8), entries(254, 128)), (0, 5, 21));
        assert_eq!(entries(K_MAX, MAX_PRECISION), 62);
        for (k, precision) in (1..500).flat_map(|k| [(k, 1), (k, 40), (k, 128)]) {
            // z = y² + 2kxy at its largest.
            let (y, x) = (k - 1, last_x(precision));
            let z: u64 = y * y + 2 * k * x * y;
            assert_eq!(
                entries(k, precision),
                z.checked_ilog2().map_or(0, |log2| log2 as usize + 1),
                "{k}, {precision}"
            );
        }
    }

    /// The number of digits for k·sqrt(1/(2 ln 2)) around c.
    fn sized(k: &str, c: &str, precision: u32) -> Result<usize, ParamError> {
        let law = DiscreteGaussian::new(c.parse().unwrap(), Width::KSigma2(k.parse().unwrap()));
        digits_of(&law.unwrap(), precision)
    }

    #[test]
    fn laws_at_the_limits_and_beyond() {
        let (k, c) = ("268435456", "4611686018427387904");
        assert_eq!((sized(k, c, 256), sized(k, &std::format!("-{c}"), 1)), (Ok(62 * 8), Ok(60)));
        for (k, c, precision) in [
            ("268435457", "0", 8),
            ("5/2", "0", 8),
            ("2", "4611686018427387905", 8),
            ("2", "1/2", 8),
            ("2", "0", 0),
            ("2", "0", 257),
        ] {
            assert!(sized(k, c, precision).is_err(), "k = {k}, c = {c}, {precision} bits");
        }
    }

    #[test]
    fn entries_of_several_digits() {
        let law = DiscreteGaussian::new(crate::params::Rational::ZERO, Width::KSigma2(2.into())).unwrap();
        let digits: [u32; 3 * 6] = core::array::from_fn(|i| (i as u32 + 1) << 30);
        // (k-1)(k-1 + 2kX) = 37, X = 9.
        let table = BernoulliTable::new(law, BOUND, 66, digits).unwrap();
        for i in 0..6 {
            assert_eq!(table.entry(i), &digits[3 * i..3 * i + 3]);
        }
        assert_eq!((table.count(), table.bytes(), table.digits()), (6, 4 * 3 * 6, &digits[..]));
        let mut loose = digits;
        loose[5] |= 1 << 29;
        let refused = BernoulliTable::new(law, BOUND, 66, loose).unwrap_err();
        assert_eq!(
            (refused, refused.to_string()),
            (TableError::LooseBits { entry: "entry", index: 1 }, "entry 1 has bits set below the precision".into())
        );
    }
}
