//! Whole numbers as the languages write them.

use super::tokens::sized;
use samplez::tables::Whole;

/// The suffixes of C, C++, Rust and JavaScript, in lower case.
const SUFFIXES: [&str; 26] = [
    "", "u", "l", "ul", "lu", "ll", "ull", "llu", "z", "uz", "zu", "n", "u8", "u16", "u32", "u64", "u128", "usize",
    "i8", "i16", "i32", "i64", "i128", "isize", "ui64", "ui32",
];

/// Reads 123, 0x7b, 1_000, 1'000, 123ull, 123_u64 or 123n. In source code, a leading zero is an error: C has octal numbers.
pub(crate) fn whole(text: &str, is_code: bool) -> Result<Whole, String> {
    let shown: String = text.chars().take(80).collect();
    if let Some((width, digits)) = sized(text) {
        return of_verilog(&text[..width], &digits.replace('_', "")).map_err(|error| format!("`{shown}`: {error}"));
    }
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let (prefix, digits) = text.split_at(if is_hex { 2 } else { 0 });
    let is_digit = |c: char| if is_hex { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let end = digits.find(|c: char| !is_digit(c) && c != '_' && c != '\'').unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let begins = digits.starts_with(is_digit);
    let digits: String = digits.chars().filter(|c| is_digit(*c)).collect();
    let suffix = suffix.to_ascii_lowercase();
    // What is not a number is shown as it was written.
    let number =
        if begins && SUFFIXES.contains(&suffix.as_str()) { prefix.to_string() + &digits } else { text.to_string() };
    if is_code && !is_hex && digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|c| c.is_ascii_digit()) {
        return Err(format!(
            "`{shown}`: a leading zero means octal in C; write the number in decimal digits or behind 0x"
        ));
    }
    number.parse::<Whole>().map_err(|error| format!("`{shown}`: {error}"))
}

/// A number of Verilog by its width and base, such as 72'h, and its digits.
fn of_verilog(head: &str, digits: &str) -> Result<Whole, String> {
    let (width, base) = head.split_once('\'').unwrap_or((head, ""));
    let number = match base {
        "h" | "H" => format!("0x{digits}").parse::<Whole>(),
        "d" | "D" => digits.parse(),
        _ => {
            let bits = digits.trim_start_matches('0');
            if bits.len() > 64 || bits.bytes().any(|bit| !b"01".contains(&bit)) {
                return Err("expected at most 64 binary digits".into());
            }
            u64::from_str_radix(&format!("0{bits}"), 2).unwrap_or(0).to_string().parse()
        }
    };
    let number = number.map_err(|error| error.to_string())?;
    if width.parse::<u32>().is_ok_and(|width| number.bits() > width) {
        return Err(format!("has {} bits; expected at most {width}", number.bits()));
    }
    Ok(number)
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
