//! Decimal integers in a byte stream: what text and CSV files share.

/// A token that is being read byte by byte.
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

/// So many bytes of a bad token are shown.
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
        if self.text.len() <= SHOWN {
            self.text.push(byte);
        }
    }

    /// Ends the token: its value, or its text if it is not an integer of i64.
    #[inline]
    pub(super) fn take(&mut self) -> Result<i64, String> {
        let value =
            if self.negative { 0_i64.checked_sub_unsigned(self.magnitude) } else { i64::try_from(self.magnitude).ok() };
        let result = match value {
            Some(value) if self.digits && !self.invalid => Ok(value),
            _ => Err(self.shown()),
        };
        self.clear();
        result
    }

    /// Forgets the token.
    pub(super) fn clear(&mut self) {
        (self.negative, self.digits, self.magnitude, self.invalid) = (false, false, 0, false);
        self.text.clear();
    }

    fn shown(&self) -> String {
        let text = String::from_utf8_lossy(&self.text[..self.text.len().min(SHOWN)]);
        let dots = if self.text.len() > SHOWN { "…" } else { "" };
        format!("\"{}{dots}\"", text.escape_debug())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<i64, String> {
        let mut token = Decimal::default();
        text.bytes().for_each(|b| token.push(b));
        let result = token.take();
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
        let bad = [
            "",
            "-",
            "+",
            "1.0",
            "1e3",
            "--1",
            "1-",
            "0x10",
            "nan",
            "1_000",
            "9223372036854775808",
            "-9223372036854775809",
            "99999999999999999999",
        ];
        for text in bad {
            assert_eq!(parse(text), Err(format!("\"{text}\"")));
        }
    }

    #[test]
    fn a_long_token_is_cut_in_the_message() {
        let message = parse(&"x".repeat(1000)).unwrap_err();
        assert_eq!(message.chars().count(), SHOWN + 3);
    }
}
