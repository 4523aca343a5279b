//! Parsers of single arguments.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use samplez::{Options, Rational, RoundMethod, Source};
use std::num::NonZeroUsize;

pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0    success (verify: the samples are consistent with the distribution)
  1    verify: the samples are rejected
  2    wrong arguments or wrong input
  3    system error: disk full, file not writable, no entropy
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
    let between_digits = text.split('_').all(|part| !part.is_empty());
    let number = text.replace('_', "").parse::<Rational>().ok().filter(|q| between_digits && q.is_integer());
    number.and_then(|q| u64::try_from(q.num()).ok()).filter(|n| *n > 0).ok_or_else(|| allowed.to_string())
}

/// As [`count`], of the samples of a unit of time.
pub(super) fn per_time(text: &str) -> Result<u64, String> {
    count(text).map_err(|allowed| format!("{allowed}; leave it out for 1"))
}

/// The number of a block, in digits.
pub(super) fn block(text: &str) -> Result<u64, String> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.ok_or_else(|| "allowed are whole numbers from 0 to 2^64-1".into())
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

const MAX_THREADS: usize = 1024;

pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|n: &NonZeroUsize| n.get() <= MAX_THREADS);
    number.ok_or_else(|| format!("allowed are whole numbers from 1 to {MAX_THREADS}"))
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
}
