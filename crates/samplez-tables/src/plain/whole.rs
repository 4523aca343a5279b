//! Whole numbers as published tables have them: up to 320 bits.

use crate::fixed::{add, sub};
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

const LIMBS: usize = 5;

/// A whole number below 2^320: an entry of a table.
///
/// ```
/// use samplez_tables::Whole;
/// let entry: Whole = "3024686241123004913666".parse()?;
/// assert_eq!(entry, "0xa3f7f42ed3ac391802".parse()?);
/// assert_eq!((entry.to_string(), format!("{entry:#x}")), ("3024686241123004913666".into(), "0xa3f7f42ed3ac391802".into()));
/// assert!("12a".parse::<Whole>().is_err());
/// # Ok::<(), samplez_tables::ParseWholeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Whole([u64; LIMBS]);

impl Whole {
    /// 0.
    pub(crate) const ZERO: Whole = Whole([0; LIMBS]);

    /// 2^n, for n < 320.
    pub(crate) fn power(n: u32) -> Whole {
        let mut limbs = [0; LIMBS];
        limbs[n as usize / 64] = 1 << (n % 64);
        Whole(limbs)
    }

    /// Builds the number of these limbs, least significant first.
    ///
    /// ```
    /// use samplez_tables::Whole;
    /// assert_eq!(Whole::new([2, 1, 0, 0, 0]), Whole::from((1 << 64) + 2));
    /// ```
    pub const fn new(limbs: [u64; LIMBS]) -> Whole {
        Whole(limbs)
    }

    /// Returns the limbs, least significant first.
    pub const fn limbs(&self) -> [u64; LIMBS] {
        self.0
    }

    /// Returns the number of bits: 0 for 0.
    pub fn bits(&self) -> u32 {
        let top = self.0.iter().rposition(|limb| *limb != 0);
        top.map_or(0, |i| 64 * i as u32 + self.0[i].ilog2() + 1)
    }

    /// The sum, which is known to be below 2^320.
    pub(crate) fn plus(&self, other: &Whole) -> Whole {
        Whole(add(&self.0, &other.0))
    }

    /// Bit i, the least significant being bit 0, for i < 320.
    pub(crate) fn bit(&self, i: u32) -> bool {
        self.0[i as usize / 64] >> (i % 64) & 1 == 1
    }

    /// The difference, unless it is negative.
    pub(crate) fn minus(&self, other: &Whole) -> Option<Whole> {
        sub(&self.0, &other.0).map(Whole)
    }

    /// 10 times the number, and a digit; `None` from 2^320 on.
    fn append(&self, base: u64, digit: u64) -> Option<Whole> {
        let mut carry = u128::from(digit);
        let limbs = self.0.map(|limb| {
            carry += u128::from(limb) * u128::from(base);
            let low = carry as u64;
            carry >>= 64;
            low
        });
        if carry == 0 { Some(Whole(limbs)) } else { None }
    }
}

impl From<u128> for Whole {
    fn from(n: u128) -> Self {
        Whole([n as u64, (n >> 64) as u64, 0, 0, 0])
    }
}

impl Ord for Whole {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for Whole {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut rest, mut digits) = (self.0, String::new());
        while rest != [0; LIMBS] {
            let mut remainder = 0_u128;
            for limb in rest.iter_mut().rev() {
                let part = remainder << 64 | u128::from(*limb);
                (*limb, remainder) = ((part / 10) as u64, part % 10);
            }
            digits.insert(0, (b'0' + remainder as u8) as char);
        }
        f.pad_integral(true, "", if digits.is_empty() { "0" } else { &digits })
    }
}

impl fmt::LowerHex for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits: String = (0..self.bits().div_ceil(4).max(1))
            .rev()
            .map(|i| char::from_digit((self.0[i as usize / 16] >> (4 * (i % 16)) & 15) as u32, 16).unwrap_or('0'))
            .collect();
        f.pad_integral(true, "0x", &digits)
    }
}

/// Why a text is not a [`Whole`].
///
/// ```
/// use samplez_tables::{ParseWholeError, Whole};
/// assert_eq!("-1".parse::<Whole>(), Err(ParseWholeError::Syntax));
/// assert_eq!(format!("1{}", "0".repeat(97)).parse::<Whole>(), Err(ParseWholeError::TooLarge));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseWholeError {
    /// Neither decimal digits nor 0x and hexadecimal digits.
    Syntax,
    /// 2^320 or more.
    TooLarge,
}

impl fmt::Display for ParseWholeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "not a whole number; allowed are decimal digits, or hexadecimal ones behind 0x",
            Self::TooLarge => "too large; allowed are whole numbers below 2^320",
        })
    }
}

impl core::error::Error for ParseWholeError {}

impl FromStr for Whole {
    type Err = ParseWholeError;

    fn from_str(text: &str) -> Result<Self, ParseWholeError> {
        let (base, digits) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => (16, digits),
            None => (10, text),
        };
        if digits.is_empty() {
            return Err(ParseWholeError::Syntax);
        }
        let mut whole = Whole::ZERO;
        // All digits are looked at first: what is no number is not called too large.
        if !digits.chars().all(|digit| digit.is_digit(base)) {
            return Err(ParseWholeError::Syntax);
        }
        for digit in digits.chars().filter_map(|digit| digit.to_digit(base)) {
            whole = whole.append(base.into(), digit.into()).ok_or(ParseWholeError::TooLarge)?;
        }
        Ok(whole)
    }
}
