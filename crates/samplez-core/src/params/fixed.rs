//! Centres in fixed point, for samplers with a centre per call.

use super::{ParamError, Rational};
use core::fmt;

/// A real number, rounded down to a multiple of 2^-64, between -2^62 and 2^62.
///
/// Integer arithmetic alone computes it, so it is the same on every machine. `Debug` does not show it, because the
/// centres of a trapdoor sampler are secret.
///
/// ```
/// use samplez_core::{FixedPoint, Rational};
/// let c = FixedPoint::new("-7/4".parse()?)?;
/// assert_eq!((c.floor(), c.fraction()), (-2, 1 << 62));
/// assert_eq!(FixedPoint::from_parts(-2, 1 << 62), Some(c));
/// assert_eq!(FixedPoint::from_f64(-1.75), Some(c));
/// assert_eq!(FixedPoint::from_f64(f64::NAN), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FixedPoint {
    floor: i64,
    fraction: u64,
}

/// The largest magnitude of a floor.
const FLOOR_MAX: u64 = 1 << 62;

impl FixedPoint {
    /// Returns the largest multiple of 2^-64 that is at most `value`.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless the floor of `value` is between -2^62 and 2^62.
    ///
    /// ```
    /// use samplez_core::{FixedPoint, Rational};
    /// assert_eq!(FixedPoint::new("1/3".parse()?)?.fraction(), u64::MAX / 3);
    /// assert!(FixedPoint::new(Rational::from(i64::MAX)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(value: Rational) -> Result<Self, ParamError> {
        let (floor, den) = (value.floor(), u128::from(value.den()));
        // num - floor·den, in [0, den).
        let rest = (i128::from(value.num()) - i128::from(floor) * i128::from(value.den())) as u128;
        Self::from_parts(floor, ((rest << 64) / den) as u64).ok_or(ParamError::Unsupported {
            method: "rounder",
            argument: "center",
            value,
            allowed: "|center| <= 2^62",
        })
    }

    /// floor + fraction/2^64; `None` if the floor is beyond ±2^62.
    ///
    /// ```
    /// use samplez_core::FixedPoint;
    /// assert!(FixedPoint::from_parts(3, 0).is_some());
    /// assert!(FixedPoint::from_parts(i64::MIN, 0).is_none());
    /// ```
    pub const fn from_parts(floor: i64, fraction: u64) -> Option<Self> {
        if floor.unsigned_abs() > FLOOR_MAX { None } else { Some(FixedPoint { floor, fraction }) }
    }

    /// Returns the largest multiple of 2^-64 that is at most `value`, exact for 2^-11 <= |value|. `None` for a NaN, an
    /// infinity or a value beyond ±2^62. Integer arithmetic on the parts of the float, in constant time.
    ///
    /// ```
    /// use samplez_core::FixedPoint;
    /// assert_eq!(FixedPoint::from_f64(-1e-300), FixedPoint::from_parts(-1, u64::MAX));
    /// assert_eq!(FixedPoint::from_f64(1e19), None);
    /// ```
    pub const fn from_f64(value: f64) -> Option<Self> {
        let bits = value.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as u32;
        // |value| = mantissa·2^(exponent - 1075); from 2^62 on: 1023 + 62.
        if exponent >= 1085 {
            return None;
        }
        let hidden = ((exponent != 0) as u64) << 52;
        let mantissa = (bits & ((1 << 52) - 1) | hidden) as u128;
        // In units of 2^-64: mantissa·2^(exponent - 1011).
        let left = exponent.saturating_sub(1011);
        let right = 1011_u32.saturating_sub(exponent);
        let right = if right > 127 { 127 } else { right };
        let (size, lost) = (mantissa << left >> right, mantissa << left & ((1 << right) - 1) != 0);
        let size = size as i128;
        let fixed = if value.is_sign_negative() { -size - lost as i128 } else { size };
        Some(FixedPoint { floor: (fixed >> 64) as i64, fraction: fixed as u64 })
    }

    /// Returns ⌊c⌋.
    pub const fn floor(self) -> i64 {
        self.floor
    }

    /// Returns c - ⌊c⌋, in units of 2^-64.
    pub const fn fraction(self) -> u64 {
        self.fraction
    }
}

impl fmt::Debug for FixedPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FixedPoint").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_their_rationals() {
        for value in
            [0.0, -0.0, 1.0, -1.0, 0.1, -0.1, 123456.789, -91.90471153063714, 2f64.powi(61), -(2f64.powi(61)), 1e-3]
        {
            let exact = FixedPoint::new(Rational::try_from(value).unwrap()).unwrap();
            assert_eq!(FixedPoint::from_f64(value), Some(exact), "{value}");
        }
        let near = |value: f64| FixedPoint::from_f64(value).map(|c| (c.floor(), c.fraction()));
        assert_eq!(near(2f64.powi(-64)), Some((0, 1)));
        assert_eq!(near(-(2f64.powi(-64))), Some((-1, u64::MAX)));
        assert_eq!(near(2f64.powi(-65)), Some((0, 0)));
        assert_eq!(near(-f64::MIN_POSITIVE / 4.0), Some((-1, u64::MAX)));
        assert_eq!(near(2f64.powi(62)), None);
        assert_eq!(near(2f64.powi(62).next_down()), Some(((1 << 62) - 512, 0)));
        assert_eq!(near(f64::INFINITY), None);
        assert_eq!(near(f64::NEG_INFINITY), None);
    }

    #[test]
    fn debug_shows_nothing() {
        let text = std::format!("{:?}", FixedPoint::from_parts(4711, 4711).unwrap());
        assert!(!text.contains("4711"), "{text}");
    }
}
