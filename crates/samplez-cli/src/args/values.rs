//! Parsers of single arguments.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use samplez::{Bound, Options, Rational, RoundMethod, Source};
use std::fmt::{self, Display};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::str::FromStr;

pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0    success (verify, watch: the samples are consistent with the distribution)
  1    verify, watch: the samples are rejected
  2    wrong arguments or wrong input
  3    system error: disk full, file not writable, no entropy
  134  out of memory: aborted with a message; no partial file is left
  141  broken pipe on standard output; no message is printed
  130  interrupted (143 terminated, 129 hung up); no partial file is left";

/// Parses the name of a source.
pub fn source() -> impl TypedValueParser<Value = Source> {
    PossibleValuesParser::new(Source::ALL.map(Source::name)).try_map(|name| name.parse())
}

pub(super) fn round_method() -> impl TypedValueParser<Value = RoundMethod> {
    let told = RoundMethod::ALL.map(|method| PossibleValue::new(method.name()).help(method.summary()));
    PossibleValuesParser::new(told).try_map(|name| name.parse())
}

pub(super) fn rational(text: &str) -> Result<Rational, samplez::ParseRationalError> {
    text.parse()
}

/// A whole number above 0, in any exact notation, with `_` between digits if one likes.
pub fn count(text: &str) -> Result<u64, String> {
    let allowed = "allowed are whole numbers from 1 to 2^63-1, such as 1000, 10_000_000 or 1e7";
    let number = joined(text).and_then(|text| text.parse::<Rational>().ok()).filter(|q| q.is_integer());
    number.and_then(|q| u64::try_from(q.num()).ok()).filter(|n| *n > 0).ok_or_else(|| allowed.to_string())
}

/// The text without `_`, each of which is between two others.
fn joined(text: &str) -> Option<String> {
    text.split('_').all(|part| !part.is_empty()).then(|| text.replace('_', ""))
}

/// As [`count`], of the samples of a unit of time.
pub(super) fn per_time(text: &str) -> Result<u64, String> {
    count(text).map_err(|allowed| format!("{allowed}; leave it out for 1"))
}

/// The number of a block, in decimal notation without a sign.
pub(super) fn block(text: &str) -> Result<u64, String> {
    let number = joined(text).and_then(|text| decimal(&text));
    number.ok_or_else(|| "allowed are whole numbers from 0 to 2^64-1, such as 1000, 10_000_000 or 1e7".into())
}

/// The exact value of `1000`, `2.5e3` or `1e19`, where a [`Rational`] ends below 2^63.
fn decimal(text: &str) -> Option<u64> {
    let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let power = power.parse::<i32>().ok()?.checked_sub(fraction.len().try_into().ok()?)?;
    let number: u128 = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())??;
    let scale = 10_u128.checked_pow(power.unsigned_abs())?;
    let value = match power {
        0.. => number.checked_mul(scale)?,
        _ if number.is_multiple_of(scale) => number / scale,
        _ => return None,
    };
    value.try_into().ok()
}

/// A whole number in a range.
pub(super) fn within<T: FromStr + PartialOrd + Display>(text: &str, range: RangeInclusive<T>) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("allowed are whole numbers from {} to {}", range.start(), range.end()))
}

/// As [`count`], from 2^16 on.
pub(super) fn bulk_bytes(text: &str) -> Result<u64, String> {
    let enough = count(text).ok().filter(|n| *n >= 1 << 16);
    enough.ok_or_else(|| "allowed are whole numbers from 65536 to 2^63-1, such as 10_000_000 or 1e7".into())
}

/// The option, for commands that have no others.
pub fn precision(text: &str) -> Result<u32, String> {
    let mut options = Options::default();
    options.set("precision", text).map_err(|refused| refused.allowed().to_string())?;
    Ok(options.precision())
}

/// The probability of a false alarm.
pub(super) fn alpha(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().or_else(|| text.parse::<Rational>().ok().map(Rational::to_f64));
    let number = number.filter(|alpha| (1e-300..=0.5).contains(alpha));
    number.ok_or_else(|| "expected a number from 1e-300 to 0.5, such as 1e-6 or 1/1000".into())
}

/// The bound R_order - 1 <= 2^log2 on a Rényi divergence; `{:#}` shows it as it is typed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Renyi {
    /// `None` is infinity.
    order: Option<u32>,
    pub(crate) log2: f64,
}

impl Renyi {
    /// Returns log2(R_order - 1) by a sampler's bound.
    pub(crate) fn of(self, bound: &Bound) -> f64 {
        self.order.map_or(bound.log2_rinf, |order| bound.renyi(order).unwrap_or(f64::INFINITY))
    }
}

impl Display for Renyi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.order.map_or("inf".into(), |order| order.to_string());
        if f.alternate() { write!(f, "{order}:{}", self.log2) } else { write!(f, "R_{order} - 1") }
    }
}

/// Parses `2:-100`.
pub(super) fn renyi(text: &str) -> Result<Renyi, String> {
    let order = |text: &str| match text {
        "inf" => Some(None),
        _ => Some(Some(text.parse().ok().filter(|order| Bound::TRIVIAL.renyi(*order).is_some())?)),
    };
    let parsed = text.split_once(':').and_then(|(before, after)| {
        let log2 = after.parse().ok().filter(|log2: &f64| log2.is_finite() && *log2 < 0.0)?;
        Some(Renyi { order: order(before)?, log2 })
    });
    parsed.ok_or_else(|| {
        "expected ORDER:LOG2, with the order 2, 256, 513 or inf and a LOG2 below 0, such as 2:-100 for R_2 - 1 <= 2^-100".into()
    })
}

const MAX_THREADS: usize = 1024;

/// The number of threads, where the default is one for each core.
pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    workers(text, "one for each core")
}

/// The number of threads, where the default is 1.
pub(super) fn few_threads(text: &str) -> Result<NonZeroUsize, String> {
    workers(text, "1")
}

fn workers(text: &str, default: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|n: &NonZeroUsize| n.get() <= MAX_THREADS);
    number.ok_or_else(|| format!("allowed are whole numbers from 1 to {MAX_THREADS}; leave it out for {default}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        for (text, n) in
            [("1", 1), ("10_000_000", 10_000_000), ("1e7", 10_000_000), ("2.5e3", 2500), ("1e18", 10_u64.pow(18))]
        {
            assert_eq!(count(text), Ok(n), "{text}");
        }
        for text in ["0", "-1", "1.5", "", "_", "1_", "_1", "1__0", "nan", "1e40", "ten", "9223372036854775808"] {
            assert!(count(text).is_err(), "{text}");
        }
    }

    #[test]
    fn blocks() {
        for (text, n) in [
            ("0", 0),
            ("007", 7),
            ("10_000", 10_000),
            ("2.5e3", 2500),
            ("1200E-2", 12),
            ("1e19", 10_u64.pow(19)),
            ("1.8446744073709551615e+19", u64::MAX),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(block(text), Ok(n), "{text}");
        }
        for text in ["", "-1", "+1", "1.5", "e5", ".", "1e", "1e20", "1e-1", "1__0", "1e99", "18446744073709551616"] {
            assert!(block(text).is_err(), "{text}");
        }
    }
}
