//! Bit fields one after the other, the most significant bit first, the last byte filled up with zeros.

use crate::Error;
use alloc::vec::Vec;
use zeroize::Zeroize;

/// Writes fields.
#[derive(Default)]
pub(crate) struct Packer {
    bytes: Vec<u8>,
    /// The last `held` < 32 bits are not among the bytes yet.
    window: u64,
    held: u32,
}

impl Packer {
    /// A writer after these bytes.
    pub(crate) const fn after(bytes: Vec<u8>) -> Self {
        Packer { bytes, window: 0, held: 0 }
    }

    /// The lower `n` <= 32 bits of `value`.
    #[inline]
    pub(crate) fn put(&mut self, n: u32, value: u32) {
        self.window = self.window << n | u64::from(value) & ((1 << n) - 1);
        self.held += n;
        if self.held >= 32 {
            self.held -= 32;
            self.bytes.extend_from_slice(&((self.window >> self.held) as u32).to_be_bytes());
        }
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let last = ((self.window << (32 - self.held)) as u32).to_be_bytes();
        self.bytes.extend_from_slice(&last[..self.held.div_ceil(8) as usize]);
        core::mem::take(&mut self.bytes)
    }
}

/// Its bytes may be a key, or a message whose ciphertext turns out to be malformed.
impl Drop for Packer {
    fn drop(&mut self) {
        self.bytes.zeroize();
        self.window.zeroize();
    }
}

/// Returns a window of less than 32 bits with 32 more, or with the bytes that are left.
#[inline(always)]
fn refilled(window: u64, held: u32, bytes: &[u8]) -> (u64, u32, &[u8]) {
    match bytes.split_first_chunk() {
        Some((word, rest)) => (window | u64::from(u32::from_be_bytes(*word)) << (32 - held), held + 32, rest),
        None => filled_up(window, held, bytes),
    }
}

/// The same of less than four bytes.
#[cold]
#[inline(never)]
fn filled_up(window: u64, held: u32, bytes: &[u8]) -> (u64, u32, &[u8]) {
    let mut word = [0; 4];
    word[..bytes.len()].copy_from_slice(bytes);
    (window | u64::from(u32::from_be_bytes(word)) << (32 - held), held + 8 * bytes.len() as u32, &[])
}

/// Reads fields.
#[derive(Clone)]
pub(crate) struct Unpacker<'a> {
    what: &'static str,
    /// The bytes that are not in the window yet.
    bytes: &'a [u8],
    /// Its upper `held` bits are unread; the others are zeros.
    window: u64,
    held: u32,
}

impl<'a> Unpacker<'a> {
    /// A reader of `what`, for the errors' text.
    pub(crate) const fn new(what: &'static str, bytes: &'a [u8]) -> Self {
        Unpacker { what, bytes, window: 0, held: 0 }
    }

    pub(crate) const fn error(&self, why: &'static str) -> Error {
        Error::malformed(self.what, why)
    }

    /// How many bits are left.
    const fn left(&self) -> usize {
        8 * self.bytes.len() + self.held as usize
    }

    /// That at least `n` bits are left, before memory is taken for them.
    pub(crate) const fn require(&self, n: usize) -> Result<(), Error> {
        if n > self.left() {
            return Err(self.error("it ends too early"));
        }
        Ok(())
    }

    /// The next `n` bits, 1 to 32, which stay; zeros follow the end.
    #[inline(always)]
    pub(crate) fn peek(&mut self, n: u32) -> u32 {
        if self.held < n {
            // By their values: what nothing points at stays in registers.
            (self.window, self.held, self.bytes) = refilled(self.window, self.held, self.bytes);
        }
        (self.window >> (64 - n)) as u32
    }

    /// Leaves out `n` <= 32 bits that have been looked at.
    #[inline(always)]
    pub(crate) fn skip(&mut self, n: u32) -> Result<(), Error> {
        self.held = self.held.checked_sub(n).ok_or(Error::malformed(self.what, "it ends too early"))?;
        self.window <<= n;
        Ok(())
    }

    /// The next `n` bits, 1 to 32.
    #[inline(always)]
    pub(crate) fn take(&mut self, n: u32) -> Result<u32, Error> {
        let value = self.peek(n);
        self.skip(n).map(|()| value)
    }

    /// The next `n` bits as a number in two's complement.
    #[inline]
    pub(crate) fn take_signed(&mut self, n: u32) -> Result<i32, Error> {
        let value = self.take(n)?;
        Ok((value << (32 - n)) as i32 >> (32 - n))
    }

    /// That nothing is left but the zeros of the last byte.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if self.left() >= 8 {
            return Err(Error::malformed(self.what, "bytes follow its end"));
        }
        let padding = self.peek(8);
        self.window.zeroize();
        if padding != 0 {
            return Err(Error::malformed(self.what, "the last byte is not filled up with zeros"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back_and_their_end_is_checked() {
        let fields = [(1, 1), (8, 0xa5), (14, 12288), (24, 0xfe_dcba), (3, 0), (2, 2)];
        let mut packer = Packer::after(alloc::vec![7]);
        fields.iter().for_each(|(n, value)| packer.put(*n, *value));
        let bytes = packer.finish();
        assert_eq!(bytes.len(), 1 + 52_usize.div_ceil(8));
        let read = |bytes: &[u8]| -> Result<(), Error> {
            let mut unpacker = Unpacker::new("test", bytes);
            for (n, value) in fields {
                assert_eq!(unpacker.take(n)?, value);
            }
            unpacker.finish()
        };
        let mut body = bytes[1..].to_vec();
        assert_eq!(read(&body), Ok(()));
        assert!(read(&body[..6]).is_err());
        *body.last_mut().unwrap() |= 1;
        assert!(read(&body).is_err());
        body.push(0);
        assert!(read(&body).is_err());
        assert_eq!(Unpacker::new("test", &[0b1100_0000]).take_signed(2), Ok(-1));
        // Zeros follow the end for who looks, and nothing for who takes.
        let mut short = Unpacker::new("test", &[0xff]);
        assert!(
            short.peek(12) == 0xff0 && short.skip(9).is_err() && short.take(8) == Ok(0xff) && short.take(1).is_err()
        );
    }

    #[test]
    fn many_fields_come_back() {
        let mut state = 1_u32;
        let mut any = || {
            state = state.wrapping_mul(0x2c92_77b5).wrapping_add(0xac56_4b05);
            state >> 8
        };
        let fields: Vec<(u32, u32)> =
            (0..1000).map(|_| (1 + any() % 24, any())).map(|(n, x)| (n, x % (1 << n))).collect();
        let mut packer = Packer::default();
        fields.iter().for_each(|(n, value)| packer.put(*n, *value));
        let bytes = packer.finish();
        let mut unpacker = Unpacker::new("test", &bytes);
        for (n, value) in fields {
            assert_eq!((unpacker.peek(n), unpacker.take(n)), (value, Ok(value)));
        }
        assert!(unpacker.finish().is_ok());
    }
}
