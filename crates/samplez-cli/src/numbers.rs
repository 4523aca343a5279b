//! Numbers as people read them.

pub(crate) use crate::text::{grouped, rate};
use samplez::Rational;

/// An upper bound with so many decimals: rounded up, never down.
pub(crate) fn rounded_up(bound: f64, decimals: usize) -> String {
    let scale = 10_f64.powi(decimals as i32);
    format!("{:.decimals$}", (bound * scale).ceil() / scale + 0.0)
}

/// 12_300_000 as `12.3 M`.
pub(crate) fn metric(value: f64) -> String {
    let (scale, unit) = match value {
        v if v >= 1e9 => (1e9, " G"),
        v if v >= 1e6 => (1e6, " M"),
        v if v >= 1e3 => (1e3, " k"),
        _ => (1.0, ""),
    };
    format!("{:.3}", value / scale).chars().take(5).collect::<String>().trim_end_matches('.').to_string() + unit
}

/// How to write a value of another notation, if its meaning is plain. Arguments are in the command's spelling; `name` is a recipe's.
pub(crate) fn meant(name: &str, value: &str) -> Option<String> {
    let is = |text: &str| text.parse::<Rational>().is_ok();
    let value = value.trim();
    if is(value) {
        return None;
    }
    let write = |text: String| is(&text).then(|| format!("write {text}"));
    if let Some((base, power)) = value.split_once("**").or_else(|| value.split_once('^')) {
        let (base, power) = (base.trim().parse::<u128>().ok()?, power.trim().parse().ok()?);
        return base.checked_pow(power).map(|number| format!("write {number}"));
    }
    if let Some(digits) = value.strip_prefix("0x").or_else(|| value.strip_prefix("0X")) {
        return u128::from_str_radix(digits, 16).ok().map(|number| format!("write {number}"));
    }
    // The width of lattice papers, in its own form.
    if name == "sigma" {
        let plain: String = value.chars().filter(|c| !c.is_whitespace() && *c != '*').collect();
        let squared = plain.strip_prefix("sqrt(").and_then(|rest| rest.strip_suffix(')')).filter(|text| is(text));
        if let Some(squared) = squared {
            return Some(format!("write --sigma-squared {squared}"));
        }
        let s = plain.strip_suffix("/sqrt(2pi)").or_else(|| plain.strip_suffix("/√(2π)")).filter(|text| is(text));
        if let Some(s) = s {
            return Some(format!("write --s {s}"));
        }
    }
    let joined: String = value.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    let joined = joined.replace('−', "-");
    let Some((whole, rest)) = joined.split_once(',') else { return write(joined) };
    match rest.split(',').all(|group| group.len() == 3) {
        // One comma before three digits is a separator of thousands to some, and a decimal point to others.
        true if !rest.contains(',') && whole.trim_start_matches('-') != "0" && is(&format!("{whole}.{rest}")) => {
            Some(format!("write {whole}{rest} or {whole}.{rest}, as you mean the comma"))
        }
        true if rest.contains(',') => write(joined.replace(',', "")),
        _ => write(format!("{whole}.{rest}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_other_notations() {
        for (value, way) in [
            ("2^64", Some("write 18446744073709551616")),
            ("2**10", Some("write 1024")),
            ("10^3", Some("write 1000")),
            ("1_000", Some("write 1000")),
            ("1 000", Some("write 1000")),
            ("16 / 5", Some("write 16/5")),
            ("1,000,000", Some("write 1000000")),
            ("3,2", Some("write 3.2")),
            ("0,125", Some("write 0.125")),
            ("1,000", Some("write 1000 or 1.000, as you mean the comma")),
            ("−1", Some("write -1")),
            ("0x10", Some("write 16")),
            ("sqrt(10)", Some("write --sigma-squared 10")),
            ("8/sqrt(2*pi)", Some("write --s 8")),
            ("3.2", None),
            ("nan", None),
            ("abc", None),
            ("", None),
            ("2^x", None),
            ("2^999", None),
            ("1,2,3", None),
            ("--count", None),
        ] {
            assert_eq!(meant("sigma", value).as_deref(), way, "{value}");
        }
        assert_eq!(meant("center", "sqrt(10)"), None);
    }

    #[test]
    fn bounds_round_outwards() {
        assert_eq!(rounded_up(-120.999, 2), "-120.99");
        assert_eq!(rounded_up(-120.991, 2), "-120.99");
        assert_eq!(rounded_up(1.001, 2), "1.01");
        assert_eq!(rounded_up(-0.001, 2), "0.00");
        assert_eq!(rounded_up(1.74871, 4), "1.7488");
    }

    #[test]
    fn rates() {
        for (value, text) in [
            (12.0, "12.00"),
            (1234.0, "1.234 k"),
            (12_345_678.0, "12.34 M"),
            (123_456_789.0, "123.4 M"),
            (2e9, "2.000 G"),
        ] {
            assert_eq!(metric(value), text);
        }
    }
}
