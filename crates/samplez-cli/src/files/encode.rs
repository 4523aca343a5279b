//! Samples to bytes.

use samplez::Int;

/// The integer types as bytes and as text.
///
/// ```
/// use samplez_cli::files::Encode;
/// let mut bytes = Vec::new();
/// i16::to_bytes(&[1, -2], &mut bytes);
/// assert_eq!(bytes, [1, 0, 254, 255]);
/// ```
pub trait Encode: Int {
    /// Appends the integers, little-endian.
    ///
    /// ```
    /// use samplez_cli::files::Encode;
    /// let mut bytes = vec![9];
    /// i8::to_bytes(&[1, -2], &mut bytes);
    /// assert_eq!(bytes, [9, 1, 254]);
    /// ```
    fn to_bytes(values: &[Self], out: &mut Vec<u8>);

    /// Appends the integers in decimal, one per line.
    ///
    /// ```
    /// use samplez_cli::files::Encode;
    /// let mut bytes = Vec::new();
    /// i64::to_lines(&[1, -2], &mut bytes);
    /// assert_eq!(bytes, b"1\n-2\n");
    /// ```
    fn to_lines(values: &[Self], out: &mut Vec<u8>);
}

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
                    out.extend_from_slice(buffer.format(*value).as_bytes());
                    out.push(b'\n');
                }
            }
        }
    )*};
}
encode!(i8, i16, i32, i64);
