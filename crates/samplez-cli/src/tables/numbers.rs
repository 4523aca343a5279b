//! Whole numbers as the languages write them.

use samplez_tables::Whole;

/// The width, the base and the digits of one of Verilog's numbers, such as 72'hA3F7.
pub(super) fn sized(text: &str) -> Option<(&str, u32, &str)> {
    let (width, digits) = text.split_once('\'').filter(|(width, _)| width.parse::<u32>().is_ok())?;
    let base = match digits.get(..1)? {
        "h" | "H" => 16,
        "d" | "D" => 10,
        "b" | "B" => 2,
        _ => return None,
    };
    digits[1..].starts_with(|c: char| c.is_ascii_hexdigit()).then_some((width, base, &digits[1..]))
}

/// Reads 123, 0x7b, 1_000, 1'000, 123ull, 123_u64, 123n or 8'd123. In source code, a leading zero is an error: C has octal numbers.
pub(super) fn whole(text: &str, is_code: bool) -> Result<Whole, String> {
    value(text, is_code).map_err(|error| format!("`{}`: {error}", text.chars().take(80).collect::<String>()))
}

fn value(text: &str, is_code: bool) -> Result<Whole, String> {
    let parse = |text: &str| text.parse::<Whole>().map_err(|error| error.to_string());
    if let Some((width, base, digits)) = sized(text) {
        let digits = digits.replace('_', "");
        let number = match base {
            16 => parse(&format!("0x{digits}"))?,
            10 => parse(&digits)?,
            _ => Whole::from(u128::from_str_radix(&digits, 2).map_err(|_| "expected at most 128 binary digits")?),
        };
        let fits = width.parse().is_ok_and(|width: u32| number.bits() <= width);
        return if fits { Ok(number) } else { Err(format!("has {} bits; expected at most {width}", number.bits())) };
    }
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let (prefix, digits) = text.split_at(if is_hex { 2 } else { 0 });
    let is_digit = |c: char| if is_hex { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let end = digits.find(|c: char| !is_digit(c) && c != '_' && c != '\'').unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if !digits.starts_with(is_digit) || !is_suffix(&suffix.to_ascii_lowercase()) {
        return parse(text);
    }
    let digits = digits.replace(['_', '\''], "");
    if is_code && !is_hex && digits.len() > 1 && digits.starts_with('0') {
        return Err("a leading zero means octal in C; write the number in decimal digits or behind 0x".into());
    }
    parse(&format!("{prefix}{digits}"))
}

/// Whether C, C++, Rust or JavaScript has this suffix of a whole number, in lower case.
fn is_suffix(suffix: &str) -> bool {
    const WIDTHS: [&str; 6] = ["8", "16", "32", "64", "128", "size"];
    suffix.len() <= 3 && suffix.trim_matches(['u', 'l', 'z', 'n']).is_empty()
        || WIDTHS.contains(&suffix.trim_start_matches(['u', 'i'])) && suffix.starts_with(['u', 'i'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language() {
        for text in [
            "4096",
            "0x1000",
            "0X1000u",
            "4096U",
            "4096ull",
            "4096UL",
            "4096LLU",
            "4096z",
            "4'096",
            "4_096",
            "4096_u64",
            "0x1000_u128",
            "0x10_00i64",
            "4096n",
            "0x1000N",
            "4096ui64",
            "72'h1000",
            "13'd4_096",
            "16'b1_0000_0000_0000",
        ] {
            assert_eq!(whole(text, true), Ok(Whole::from(4096)), "{text}");
        }
        // These letters are digits.
        assert_eq!(whole("0x1f64", true), Ok(Whole::from(0x1f64)));
        assert_eq!((whole("0", true), whole("007", false)), (Ok(Whole::from(0)), Ok(Whole::from(7))));
        for (text, part) in [
            ("007", "octal"),
            ("0x", "not a whole number"),
            ("-4", "`-4`: not a whole number"),
            ("4.0", "not a whole number"),
            ("1e3", "not a whole number"),
            ("_1", "`_1`: not a whole number"),
            ("0x_1", "not a whole number"),
            ("0b11", "not a whole number"),
            ("12'd4096", "`12'd4096`: has 13 bits; expected at most 12"),
            ("8'd1f", "not a whole number"),
            ("8'b12", "binary"),
            ("12a", "`12a`: not a whole number"),
            ("12f64", "not a whole number"),
            (&format!("1{}", "0".repeat(97)), "too large"),
        ] {
            let error = whole(text, true).unwrap_err();
            assert!(error.contains(part) && error.len() < 300, "{error}");
        }
    }
}
