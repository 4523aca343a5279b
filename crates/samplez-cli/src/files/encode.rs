//! Samples to bytes.

use samplez::Int;

/// The integer types as bytes and as text.
///
/// ```
/// use samplez_cli::testing::files::Encode;
/// let mut bytes = Vec::new();
/// i16::to_bytes(&[1, -2], &mut bytes);
/// assert_eq!(bytes, [1, 0, 254, 255]);
/// ```
pub trait Encode: Int {
    /// Appends the integers, little-endian.
    ///
    /// ```
    /// use samplez_cli::testing::files::Encode;
    /// let mut bytes = vec![9];
    /// i8::to_bytes(&[1, -2], &mut bytes);
    /// assert_eq!(bytes, [9, 1, 254]);
    /// ```
    fn to_bytes(values: &[Self], out: &mut Vec<u8>);

    /// Appends the integers in decimal, one per line.
    ///
    /// ```
    /// use samplez_cli::testing::files::Encode;
    /// let mut bytes = Vec::new();
    /// i64::to_lines(&[1, -2], &mut bytes);
    /// assert_eq!(bytes, b"1\n-2\n");
    /// ```
    fn to_lines(values: &[Self], out: &mut Vec<u8>);
}

/// The integers up to this size, by absolute value, have a line ready.
const LARGEST_SMALL: i64 = 999;

/// The lines of the small integers from -999 on, each with its length in the last byte.
static SMALL: [[u8; 8]; 2 * LARGEST_SMALL as usize + 1] = {
    let mut lines = [[0; 8]; 2 * LARGEST_SMALL as usize + 1];
    let mut value = -LARGEST_SMALL;
    while value <= LARGEST_SMALL {
        let line = &mut lines[(value + LARGEST_SMALL) as usize];
        let mut length = 0;
        if value < 0 {
            line[length] = b'-';
            length += 1;
        }
        let mut unit = 100;
        while unit > 0 {
            if value.abs() >= unit || unit == 1 {
                line[length] = b'0' + (value.abs() / unit % 10) as u8;
                length += 1;
            }
            unit /= 10;
        }
        line[length] = b'\n';
        line[7] = length as u8 + 1;
        value += 1;
    }
    lines
};

macro_rules! encode {
    ($($t:ident),*) => {$(
        impl Encode for $t {
            fn to_bytes(values: &[Self], out: &mut Vec<u8>) {
                let start = out.len();
                out.resize(start + size_of_val(values), 0);
                for (bytes, value) in out[start..].chunks_exact_mut(size_of::<$t>()).zip(values) {
                    bytes.copy_from_slice(&value.to_le_bytes());
                }
            }

            fn to_lines(values: &[Self], out: &mut Vec<u8>) {
                let mut buffer = itoa::Buffer::new();
                for value in values {
                    match SMALL.get(i64::from(*value).wrapping_add(LARGEST_SMALL) as usize) {
                        Some(line) => {
                            // All 8 bytes and then back is faster than a copy of varying length.
                            let end = out.len() + usize::from(line[7]);
                            out.extend_from_slice(line);
                            out.truncate(end);
                        }
                        None => {
                            out.extend_from_slice(buffer.format(*value).as_bytes());
                            out.push(b'\n');
                        }
                    }
                }
            }
        }
    )*};
}
encode!(i8, i16, i32, i64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_standard_library() {
        let values: Vec<i64> = (-2000..=2000).chain([i64::MIN, i64::MIN + 998, i64::MAX - 998, i64::MAX]).collect();
        let mut bytes = Vec::new();
        i64::to_lines(&values, &mut bytes);
        let expected: String = values.iter().map(|value| format!("{value}\n")).collect();
        assert_eq!(String::from_utf8(bytes), Ok(expected));
    }
}
