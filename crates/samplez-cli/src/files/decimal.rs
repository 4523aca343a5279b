//! Decimal integers in a byte stream: what text and CSV files share.

use super::Beyond;
use super::layout::is_word;

/// A token that is being read byte by byte: an integer, or a decimal fraction that is one, as NumPy and pandas write floats.
#[derive(Default)]
pub(super) struct Decimal {
    negative: bool,
    digits: bool,
    magnitude: u64,
    /// Set once the token cannot be an integer of i64 any more.
    invalid: bool,
    /// The beginning of the token, for the message.
    text: Vec<u8>,
}

/// How many bytes of a token are kept, and how many of a bad one a message shows.
const KEPT: usize = 2048;
const SHOWN: usize = 40;

impl Decimal {
    /// True before the first byte.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        match byte {
            b'0'..=b'9' => {
                self.digits = true;
                let next = self.magnitude.checked_mul(10).and_then(|m| m.checked_add(u64::from(byte - b'0')));
                match next {
                    Some(next) => self.magnitude = next,
                    None => self.invalid = true,
                }
            }
            b'-' if self.text.is_empty() => self.negative = true,
            b'+' if self.text.is_empty() => {}
            _ => self.invalid = true,
        }
        if self.text.len() <= KEPT {
            self.text.push(byte);
        }
    }

    /// Ends the token: its value, or the reason why it has none.
    #[inline]
    pub(super) fn take(&mut self, beyond: &Beyond) -> Result<i64, String> {
        let value =
            if self.negative { 0_i64.checked_sub_unsigned(self.magnitude) } else { i64::try_from(self.magnitude).ok() };
        let result = match value {
            Some(value) if self.digits && !self.invalid && beyond.is_none() => Ok(value),
            _ => self.slow(beyond),
        };
        self.clear();
        result
    }

    fn slow(&self, beyond: &Beyond) -> Result<i64, String> {
        let digits = digits(&self.text);
        let value = digits.as_ref().and_then(|text| beyond.of_text(text));
        value.ok_or_else(|| match self.shown() {
            Some(text) => {
                format!("{text} is not {}{}", beyond.expected(), beyond.way_out(&digits.unwrap_or_default()))
            }
            // A foreign file's content is nobody else's business.
            None => format!("expected {}", beyond.expected()),
        })
    }

    /// Forgets the token.
    pub(super) fn clear(&mut self) {
        (self.negative, self.digits, self.magnitude, self.invalid) = (false, false, 0, false);
        self.text.clear();
    }

    /// The token for a message, if it looks like a number.
    fn shown(&self) -> Option<String> {
        let text = str::from_utf8(&self.text).ok()?;
        let is_hex = |c: char| c.is_ascii_hexdigit() || c == 'x' || c == 'X';
        let is_number = text.bytes().all(|b| b.is_ascii_digit() || b"+-.,_eE /'".contains(&b))
            || text.trim_start_matches(['+', '-']).starts_with("0x") && text[1..].chars().all(is_hex);
        let cut: String = text.chars().take(SHOWN).collect();
        let dots = if cut.len() < text.len() { "…" } else { "" };
        (is_number || is_word(text)).then(|| format!("\"{cut}{dots}\""))
    }
}

/// The digits and the sign of an integer, which may be written with a point or an exponent.
fn digits(text: &[u8]) -> Option<String> {
    let text = str::from_utf8(text).ok().filter(|text| text.len() <= KEPT)?;
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let unsigned = mantissa.trim_start_matches(['+', '-']);
    let sign = &mantissa[..mantissa.len() - unsigned.len()];
    let (whole, part) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = format!("{whole}{part}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || sign.len() > 1 {
        return None;
    }
    let exponent = i64::from(exponent.parse::<i32>().ok()?);
    let kept = digits.trim_end_matches('0');
    let zeros = exponent - part.len() as i64 + (digits.len() - kept.len()) as i64;
    match kept.trim_start_matches('0') {
        "" => Some("0".into()),
        _ if !(0..=KEPT as i64).contains(&zeros) => None,
        kept => Some(format!("{}{kept}{}", sign.trim_start_matches('+'), "0".repeat(zeros as usize))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<i64, String> {
        let mut token = Decimal::default();
        text.bytes().for_each(|b| token.push(b));
        let result = token.take(&Beyond::None);
        assert!(token.is_empty());
        result
    }

    #[test]
    fn integers_of_i64_and_nothing_else() {
        for value in [0, 7, -7, 127, i64::MAX, i64::MIN] {
            assert_eq!(parse(&value.to_string()), Ok(value));
        }
        assert_eq!(parse("+12"), Ok(12));
        assert_eq!(parse("-0"), Ok(0));
        assert_eq!(parse("0000000000000000000000000012"), Ok(12));
        for (text, value) in
            [("3.0", 3), ("-1.200000000000000000e+01", -12), ("1.5e1", 15), ("120e-1", 12), ("-0.0", 0), ("+.5e1", 5)]
        {
            assert_eq!(parse(text), Ok(value));
        }
        assert_eq!(parse("-9223372036854775808.0"), Ok(i64::MIN));
        let bad = [
            "",
            "-",
            "+",
            "1.5",
            "1e",
            "e3",
            ".",
            "1e-1",
            "12e+19",
            "1e99999999999",
            "+-1.0",
            "--1",
            "1-",
            "0x10",
            "nan",
            "1_000",
            "9223372036854775808",
            "9223372036854775808.0",
            "-9223372036854775809",
            "99999999999999999999",
        ];
        for text in bad {
            assert_eq!(parse(text), Err(format!("\"{text}\" is not an integer of 64 bits")));
        }
    }

    #[test]
    fn words_of_other_files_are_not_shown() {
        for text in ["root:x:0:0", "secret", "a1", "12ab", "é", "5;6"] {
            let message = parse(text).unwrap_err();
            assert!(message.starts_with("expected an integer of 64 bits") && !message.contains(text), "{message}");
        }
    }

    #[test]
    fn residues_of_64_bits() {
        let parse = |text: &str, q: u128| {
            let mut token = Decimal::default();
            text.bytes().for_each(|b| token.push(b));
            token.take(&Beyond::Residues(q))
        };
        let (full, prime) = (1 << 64, (1 << 64) - (1 << 32) + 1);
        for (text, q, value) in [
            ("18446744073709551615", full, -1),
            ("1.8446744073709551615e19", full, -1),
            ("9223372036854775808", full, i64::MIN),
            ("-9223372036854775808", full, i64::MIN),
            ("5", full, 5),
            ("18446744069414584320", prime, -1),
            ("-3", prime, -3),
        ] {
            assert_eq!(parse(text, q), Ok(value), "{text}");
        }
        for (text, q) in
            [("18446744073709551616", full), ("18446744069414584321", prime), ("-9223372036854775809", full)]
        {
            assert!(parse(text, q).unwrap_err().contains("residue"), "{text}");
        }
    }

    #[test]
    fn a_long_token_is_cut_in_the_message() {
        let message = parse(&"9".repeat(5000)).unwrap_err();
        assert_eq!(message, format!("\"{}…\" is not an integer of 64 bits", "9".repeat(SHOWN)));
    }
}
