//! Parameters as numbers to read.

use super::report::Estimate;
use core::ops::RangeInclusive;

/// A standard normal variable is within this distance of 0 with probability 99 %.
pub(super) const Z: f64 = 2.575_829_303_548_9;

/// A parameter above 0 with its standard error.
pub(super) fn estimate(name: &'static str, value: f64, error: f64) -> Estimate {
    let interval = error.is_finite().then_some(((value - Z * error).max(value / 1000.0), value + Z * error));
    let simplest = interval.map_or_else(|| short(value, error), |(low, high)| simplest(low, value, high));
    Estimate { name, value, interval, simplest }
}

/// The centre of the values, from that of the values less `shift`.
pub(super) fn estimate_of_center(center: f64, shift: i64, error: f64) -> Estimate {
    let value = center + shift as f64;
    let interval = error.is_finite().then_some((value - Z * error, value + Z * error));
    let simplest = interval.map_or_else(|| short(value, error), |(low, high)| simplest(low, value, high));
    Estimate { name: "center", value, interval, simplest }
}

pub(super) fn whole(name: &'static str, value: i64) -> Estimate {
    Estimate { name, value: value as f64, interval: None, simplest: value.to_string() }
}

/// A whole number with its interval, which is short to read where that has ten numbers or more.
pub(super) fn estimate_of_whole(name: &'static str, value: i64, interval: RangeInclusive<i64>) -> Estimate {
    let (low, high) = (*interval.start() as f64, *interval.end() as f64);
    let simplest = if high - low < 9.0 { value.to_string() } else { simplest(low, value as f64, high) };
    Estimate { name, value: value as f64, interval: Some((low, high)), simplest }
}

pub(super) fn holds(estimate: &Estimate, value: f64) -> bool {
    estimate.interval.is_some_and(|(low, high)| low <= value && value <= high)
}

/// A decimal within a hundredth of the standard error.
pub(super) fn short(value: f64, error: f64) -> String {
    let step = if error.is_finite() && error > 0.0 { error / 200.0 } else { value.abs().max(1e-3) * 1e-6 };
    decimal(value, libm::floor(libm::log10(step)) as i32)
}

/// A multiple of 10^exponent.
fn decimal(value: f64, exponent: i32) -> String {
    if exponent < 0 {
        return format!("{value:.*}", (-exponent).min(17) as usize);
    }
    // Beyond 2^63, no integer.
    let unit = 10_i64.saturating_pow(exponent.cast_unsigned());
    let units = (value / unit as f64).round();
    (units as i64).saturating_mul(unit).to_string()
}

/// The decimal with the fewest digits from `low` to `high`, and of those the nearest to the value.
fn simplest(low: f64, value: f64, high: f64) -> String {
    let most = libm::floor(libm::log10(low.abs().max(high.abs()).max(1e-15))) as i32 + 1;
    for exponent in (-17..=most).rev() {
        let text = decimal(value, exponent);
        if text.parse().is_ok_and(|x: f64| low <= x && x <= high && x.is_finite()) {
            let is_fraction = text.contains('.');
            let text = if is_fraction { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
            return if text == "-0" { "0".into() } else { text.into() };
        }
    }
    decimal(value, -17)
}
