//! Exact rational numbers, and how texts and floats become them.

use core::cmp::Ordering;
use core::fmt::{self, Write};
use core::str::FromStr;

/// A rational number in lowest terms.
///
/// The numerator fits `i64` and the denominator is between 1 and 2^64 - 1.
///
/// # Example
///
/// ```
/// use samplez_core::Rational;
/// let q: Rational = "3.2".parse()?;
/// assert_eq!((q.num(), q.den()), (16, 5));
/// assert_eq!("1.6e5".parse::<Rational>()?, Rational::from(160_000));
/// assert_eq!((q.to_string(), format!("{q:#}")), ("16/5".into(), "3.2".into()));
/// assert!("abc".parse::<Rational>().is_err());
/// # Ok::<(), samplez_core::ParseRationalError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    num: i64,
    den: u64,
}

const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Rational {
    /// Zero.
    ///
    /// ```
    /// assert_eq!(samplez_core::Rational::ZERO.num(), 0);
    /// ```
    pub const ZERO: Rational = Rational { num: 0, den: 1 };

    /// Builds the fraction num/den in lowest terms; `None` if `den` is 0.
    ///
    /// ```
    /// use samplez_core::Rational;
    /// assert_eq!(Rational::new(-6, 4), Some("-3/2".parse()?));
    /// assert_eq!(Rational::new(1, 0), None);
    /// # Ok::<(), samplez_core::ParseRationalError>(())
    /// ```
    pub const fn new(num: i64, den: u64) -> Option<Rational> {
        Self::reduced(num < 0, num.unsigned_abs() as u128, den as u128)
    }

    /// ±num/den in lowest terms; `None` if den = 0 or the result does not fit.
    const fn reduced(negative: bool, num: u128, den: u128) -> Option<Rational> {
        if den == 0 {
            return None;
        }
        let g = gcd(num, den);
        let (num, den) = (num / g, den / g);
        if num > i64::MAX as u128 || den > u64::MAX as u128 {
            return None;
        }
        let num = if negative { -(num as i64) } else { num as i64 };
        Some(Rational { num, den: den as u64 })
    }

    /// Returns the numerator.
    pub const fn num(self) -> i64 {
        self.num
    }

    /// Returns the denominator, at least 1.
    pub const fn den(self) -> u64 {
        self.den
    }

    /// Returns true for whole numbers.
    pub const fn is_integer(self) -> bool {
        self.den == 1
    }

    /// Returns the largest integer that is not above the number.
    pub const fn floor(self) -> i64 {
        (self.num as i128).div_euclid(self.den as i128) as i64
    }

    /// Returns the nearest integer, of two the lower one.
    ///
    /// ```
    /// use samplez_core::Rational;
    /// let nearest = |text: &str| text.parse::<Rational>().map(Rational::nearest);
    /// assert_eq!((nearest("5/3")?, nearest("-5/2")?), (2, -3));
    /// # Ok::<(), samplez_core::ParseRationalError>(())
    /// ```
    pub const fn nearest(self) -> i64 {
        let (num, den) = (self.num as i128, self.den as i128);
        self.floor() + (2 * num.rem_euclid(den) > den) as i64
    }

    /// Returns the nearest double (for display and estimates; samplers never use it).
    ///
    /// The quotient of two correctly rounded conversions: within 2 units in the last place.
    pub const fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }

    /// The positive square root, if that is rational too.
    pub(crate) const fn sqrt_exact(self) -> Option<Rational> {
        if self.num < 0 {
            return None;
        }
        let (n, d) = ((self.num as u64).isqrt(), self.den.isqrt());
        if n * n == self.num as u64 && d * d == self.den { Rational::new(n as i64, d) } else { None }
    }
}

impl Rational {
    /// Returns the shortest decimal that reads back as the float: the number that its writer meant. `3.2_f64` is 16/5.
    ///
    /// # Errors
    ///
    /// `NotFinite`, or `TooLarge` for a decimal that does not fit.
    ///
    /// ```
    /// use samplez_core::{ParseRationalError, Rational};
    /// assert_eq!(Rational::from_f64_shortest(3.2)?, "16/5".parse()?);
    /// assert_eq!(Rational::from_f64_shortest(1e18)?, "1e18".parse()?);
    /// assert_eq!(Rational::from_f64_shortest(f64::INFINITY), Err(ParseRationalError::NotFinite));
    /// # Ok::<(), ParseRationalError>(())
    /// ```
    pub fn from_f64_shortest(value: f64) -> Result<Rational, ParseRationalError> {
        if !value.is_finite() {
            return Err(ParseRationalError::NotFinite);
        }
        let mut text = Text { bytes: [0; 32], len: 0 };
        // At most 17 digits, a sign, a point and an exponent of four characters.
        write!(text, "{value:e}").map_err(|_| ParseRationalError::TooLarge)?;
        str::from_utf8(&text.bytes[..text.len]).map_err(|_| ParseRationalError::Syntax)?.parse()
    }
}

/// A short text without an allocator.
struct Text {
    bytes: [u8; 32],
    len: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

impl From<i64> for Rational {
    /// `i64::MIN` becomes itself too: every `i64` converts exactly.
    fn from(num: i64) -> Self {
        Rational { num, den: 1 }
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = i128::from(self.num) * i128::from(other.den);
        let right = i128::from(other.num) * i128::from(self.den);
        left.cmp(&right)
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `16/5`, and with `#` the decimal 3.2 where one of at most six places is exact.
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rational { num, den } = *self;
        if den == 1 {
            return write!(f, "{num}");
        }
        let decimal = |places: usize| {
            let one = 10_u64.pow(places as u32);
            let digits = num.unsigned_abs().checked_mul(one / den).filter(|_| one.is_multiple_of(den))?;
            Some((digits / one, digits % one, places))
        };
        match (1..=6).find_map(decimal).filter(|_| f.alternate()) {
            Some((whole, part, places)) => {
                write!(f, "{}{whole}.{part:0places$}", if num < 0 { "-" } else { "" })
            }
            None => write!(f, "{num}/{den}"),
        }
    }
}

/// Why a text or a float is not a [`Rational`].
///
/// ```
/// use samplez_core::{ParseRationalError, Rational};
/// assert_eq!("nan".parse::<Rational>(), Err(ParseRationalError::Syntax));
/// assert_eq!("1/0".parse::<Rational>(), Err(ParseRationalError::ZeroDenominator));
/// assert_eq!("1e40".parse::<Rational>(), Err(ParseRationalError::TooLarge));
/// assert_eq!(Rational::try_from(f64::NAN), Err(ParseRationalError::NotFinite));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseRationalError {
    /// Not a decimal, a fraction or a number in scientific notation.
    Syntax,
    /// The denominator is zero.
    ZeroDenominator,
    /// In lowest terms the numerator exceeds 2^63 - 1 or the denominator 2^64 - 1.
    TooLarge,
    /// A float that is infinite or not a number.
    NotFinite,
}

impl fmt::Display for ParseRationalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "not a number; allowed are decimals, fractions and scientific notation, such as 3.2, 16/5 or 1.6e5",
            Self::ZeroDenominator => "the denominator is zero",
            Self::TooLarge => "not representable exactly: in lowest terms the numerator must be at most 2^63-1 and the denominator at most 2^64-1",
            Self::NotFinite => "not a finite number",
        })
    }
}

impl core::error::Error for ParseRationalError {}

/// A decimal such as `-12.5e-3` as (negative, digits, power of ten).
fn parse_decimal(text: &str) -> Result<(bool, u128, i32), ParseRationalError> {
    use ParseRationalError::{Syntax, TooLarge};
    let (negative, text) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => {
            let digits = &text[at + 1..];
            let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
            if unsigned.is_empty() || !unsigned.bytes().all(|b| b.is_ascii_digit()) {
                return Err(Syntax);
            }
            (&text[..at], digits.parse::<i32>().map_err(|_| TooLarge)?)
        }
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(Syntax);
    }
    let fraction = fraction.trim_end_matches('0');
    let mut digits: u128 = 0;
    for b in whole.bytes().chain(fraction.bytes()) {
        if !b.is_ascii_digit() {
            // A trailing-zero trim cannot hide a bad character: zeros are digits.
            return Err(Syntax);
        }
        digits = digits.checked_mul(10).and_then(|d| d.checked_add(u128::from(b - b'0'))).ok_or(TooLarge)?;
    }
    let power = i32::try_from(fraction.len()).ok().and_then(|len| exponent.checked_sub(len)).ok_or(TooLarge)?;
    Ok((negative, digits, power))
}

impl FromStr for Rational {
    type Err = ParseRationalError;

    /// Parses `3.2`, `-16/5`, `1.6e5`, `.5`, `+3`, `2.5/1e3`; no spaces, no digit separators.
    ///
    /// # Errors
    ///
    /// [`ParseRationalError`]; never rounds.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        use ParseRationalError::{Syntax, TooLarge, ZeroDenominator};
        let (top, bottom) = match text.split_once('/') {
            Some((top, bottom)) => (parse_decimal(top)?, parse_decimal(bottom)?),
            None => (parse_decimal(text)?, (false, 1, 0)),
        };
        if bottom.0 {
            return Err(Syntax); // "1/-3": the sign belongs to the numerator
        }
        let (mut num, mut den) = (top.1, bottom.1);
        if den == 0 {
            return Err(ZeroDenominator);
        }
        if num == 0 {
            return Ok(Rational::ZERO);
        }
        let mut power = top.2.checked_sub(bottom.2).ok_or(TooLarge)?;
        while power != 0 {
            let g = gcd(num, den);
            (num, den) = (num / g, den / g);
            let scaled = if power > 0 { &mut num } else { &mut den };
            *scaled = scaled.checked_mul(10).ok_or(TooLarge)?;
            power -= power.signum();
        }
        Rational::reduced(top.0, num, den).ok_or(TooLarge)
    }
}

impl TryFrom<f64> for Rational {
    type Error = ParseRationalError;

    /// Returns the exact value of the float: `3.2_f64` is 3602879701896397/1125899906842624. For 3.2 itself use
    /// [`from_f64_shortest`](Self::from_f64_shortest).
    ///
    /// # Errors
    ///
    /// `NotFinite`, or `TooLarge` for a float whose exact value does not fit.
    ///
    /// ```
    /// use samplez_core::Rational;
    /// assert_eq!(Rational::try_from(3.2)?.to_string(), "3602879701896397/1125899906842624");
    /// assert_eq!(Rational::try_from(0.5)?, Rational::from_f64_shortest(0.5)?);
    /// # Ok::<(), samplez_core::ParseRationalError>(())
    /// ```
    fn try_from(value: f64) -> Result<Self, Self::Error> {
        if !value.is_finite() {
            return Err(ParseRationalError::NotFinite);
        }
        let bits = value.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mut mantissa, mut power) = match exponent {
            0 => (fraction, -1074),
            e => (fraction | 1 << 52, e - 1075),
        };
        if mantissa == 0 {
            return Ok(Rational::ZERO);
        }
        power += mantissa.trailing_zeros() as i32;
        mantissa >>= mantissa.trailing_zeros();
        // In lowest terms: the mantissa is odd.
        let (num, den) = match power {
            0..=62 if mantissa <= i64::MAX as u64 >> power => (mantissa << power, 1),
            -63..=-1 => (mantissa, 1 << -power),
            _ => return Err(ParseRationalError::TooLarge),
        };
        let num = num as i64; // at most 2^63 - 1
        Ok(Rational { num: if value < 0.0 { -num } else { num }, den })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::ToString;

    #[test]
    fn doubles_are_in_lowest_terms() {
        let exact = |value: f64| Rational::try_from(value).ok().map(|q| (q.num(), q.den()));
        assert_eq!(exact(-0.0), Some((0, 1)));
        assert_eq!(exact(-2.5), Some((-5, 2)));
        assert_eq!(exact(6.0), Some((6, 1)));
        assert_eq!(exact(2f64.powi(62)), Some((1 << 62, 1)));
        assert_eq!(exact(-(2f64.powi(63).next_down())), Some((-(i64::MAX - 1023), 1)));
        assert_eq!(exact(2f64.powi(-63)), Some((1, 1 << 63)));
        for large in [2f64.powi(63), -(2f64.powi(63)), 2f64.powi(-64), 1e-5, f64::MIN_POSITIVE / 2.0, f64::MAX] {
            assert_eq!(Rational::try_from(large), Err(ParseRationalError::TooLarge), "{large}");
        }
    }

    #[test]
    fn texts_convert_exactly_or_fail() {
        let ok = [
            ("3.2", 16, 5),
            ("16/5", 16, 5),
            ("1.6e5", 160_000, 1),
            ("0.5", 1, 2),
            (".5", 1, 2),
            ("5.", 5, 1),
            ("-1/3", -1, 3),
            ("+3", 3, 1),
            ("1e-3", 1, 1000),
            ("3.20000000000000000000000000", 16, 5),
            ("0e999", 0, 1),
            ("2.5/1e3", 1, 400),
            ("9223372036854775807", i64::MAX, 1),
            ("1e18", 1_000_000_000_000_000_000, 1),
            ("1/18446744073709551615", 1, u64::MAX),
            ("0.25E+1", 5, 2),
            ("-0", 0, 1),
            ("6/4", 3, 2),
        ];
        for (text, num, den) in ok {
            let q: Rational = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!((q.num(), q.den()), (num, den), "{text}");
            assert_eq!(format!("{q:#}").parse(), Ok(q), "{text}");
        }
        for (text, decimal) in [
            ("-1/2", "-0.5"),
            ("-637/2", "-318.5"),
            ("1/400", "0.0025"),
            ("1/1000000", "0.000001"),
            ("1/128", "1/128"),
            ("-1/3", "-1/3"),
            ("9223372036854775807/5", "1844674407370955161.4"),
            ("9223372036854775807/8", "9223372036854775807/8"),
        ] {
            assert_eq!(format!("{:#}", text.parse::<Rational>().unwrap()), decimal);
        }
        use ParseRationalError::*;
        let bad = [
            ("", Syntax),
            ("abc", Syntax),
            ("nan", Syntax),
            ("inf", Syntax),
            ("1 2", Syntax),
            (" 3", Syntax),
            ("1/-3", Syntax),
            ("1/2/3", Syntax),
            ("--1", Syntax),
            ("1e", Syntax),
            ("e5", Syntax),
            (".", Syntax),
            ("1_000", Syntax),
            ("1e+-3", Syntax),
            ("0x10", Syntax),
            ("1/0", ZeroDenominator),
            ("0/0", ZeroDenominator),
            ("1e99999999999", TooLarge),
            ("9223372036854775808", TooLarge),
            ("1e-20", TooLarge),
            ("3.00000000000000000000000000000000000000001", TooLarge),
            ("½", Syntax),
            ("1e2147483647", TooLarge),
        ];
        for (text, error) in bad {
            assert_eq!(text.parse::<Rational>(), Err(error), "{text}");
        }
    }

    #[test]
    fn floats_convert_exactly() {
        let q = Rational::try_from(3.2).unwrap();
        assert_eq!((q.num(), q.den()), (3602879701896397, 1 << 50));
        assert_eq!(Rational::try_from(-0.0), Ok(Rational::ZERO));
        assert_eq!(Rational::try_from(1e18), Ok(Rational::from(1_000_000_000_000_000_000)));
        assert_eq!(Rational::try_from(f64::INFINITY), Err(ParseRationalError::NotFinite));
        for bad in [1e300, 5e-324, 1e-300] {
            assert_eq!(Rational::try_from(bad), Err(ParseRationalError::TooLarge));
        }
    }

    #[test]
    fn shortest_decimals_read_back() {
        let shortest = |value: f64| Rational::from_f64_shortest(value).map(|q| q.to_string());
        for (value, text) in [
            (3.2, "16/5"),
            (-0.0, "0"),
            (-1.5, "-3/2"),
            (0.1, "1/10"),
            (1e-7, "1/10000000"),
            (1e18, "1000000000000000000"),
            (1.0 / 3.0, "3333333333333333/10000000000000000"),
            (215.727_269_829_810_8, "539318174574527/2500000000000"),
        ] {
            assert_eq!(shortest(value).as_deref(), Ok(text), "{value}");
        }
        for (value, error) in [
            (f64::NAN, ParseRationalError::NotFinite),
            (f64::NEG_INFINITY, ParseRationalError::NotFinite),
            (f64::MAX, ParseRationalError::TooLarge),
            (-f64::MIN_POSITIVE, ParseRationalError::TooLarge),
            (1e19, ParseRationalError::TooLarge),
        ] {
            assert_eq!(shortest(value), Err(error), "{value}");
        }
        let mut state = 1_u64;
        for _ in 0..2000 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let value = f64::from((state >> 32) as u32) / 1024.0 - 1e6;
            let q = Rational::from_f64_shortest(value).unwrap();
            assert_eq!(std::format!("{value}").parse(), Ok(q));
            assert_eq!(Rational::try_from(value).unwrap().to_f64(), value);
        }
    }

    #[test]
    fn order_floor_and_text() {
        let q = |s: &str| s.parse::<Rational>().unwrap();
        assert!(q("-1/3") < q("-1/4") && q("1/3") < q("0.34"));
        assert_eq!(q("-1/3").floor(), -1);
        assert_eq!(q("-2").floor(), -2);
        assert_eq!(q("7/2").floor(), 3);
        assert_eq!(q("-7/2").to_string(), "-7/2");
        assert_eq!(Rational::from(i64::MIN).to_string(), i64::MIN.to_string());
    }
    #[test]
    fn roots_are_rational_or_none() {
        let root = |n: i64| Rational::from(n).sqrt_exact();
        assert_eq!((root(-4), root(2), root(4)), (None, None, Some(Rational::from(2))));
    }
}
