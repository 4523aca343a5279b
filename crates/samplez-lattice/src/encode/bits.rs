//! Bit fields one after the other, the most significant bit first, the last byte filled up with zeros.

use crate::Error;
use alloc::vec::Vec;

/// Writes fields.
#[derive(Default)]
pub(crate) struct Packer {
    bytes: Vec<u8>,
    /// Bits of the last byte that are still free.
    free: u32,
}

impl Packer {
    /// A writer after these bytes.
    pub(crate) const fn after(bytes: Vec<u8>) -> Self {
        Packer { bytes, free: 0 }
    }

    /// The lower `n` <= 32 bits of `value`.
    pub(crate) fn put(&mut self, n: u32, value: u32) {
        let mut left = n;
        while left > 0 {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            let take = left.min(self.free);
            let field = (value >> (left - take)) & ((1 << take) - 1);
            if let Some(last) = self.bytes.last_mut() {
                *last |= (field << (self.free - take)) as u8;
            }
            self.free -= take;
            left -= take;
        }
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads fields.
pub(crate) struct Unpacker<'a> {
    what: &'static str,
    bytes: &'a [u8],
    /// Bits read so far.
    at: usize,
}

impl<'a> Unpacker<'a> {
    /// A reader of `what`, for the errors' text.
    pub(crate) const fn new(what: &'static str, bytes: &'a [u8]) -> Self {
        Unpacker { what, bytes, at: 0 }
    }

    pub(crate) const fn error(&self, why: &'static str) -> Error {
        Error::malformed(self.what, why)
    }

    /// That at least `n` bits are left, before memory is taken for them.
    pub(crate) const fn require(&self, n: usize) -> Result<(), Error> {
        if n > 8 * self.bytes.len() - self.at {
            return Err(self.error("it ends too early"));
        }
        Ok(())
    }

    /// The next `n` <= 24 bits.
    pub(crate) fn take(&mut self, n: u32) -> Result<u32, Error> {
        let end = self.at + n as usize;
        if end > 8 * self.bytes.len() {
            return Err(Error::malformed(self.what, "it ends too early"));
        }
        let mut value = 0;
        for byte in &self.bytes[self.at / 8..end.div_ceil(8)] {
            value = value << 8 | u32::from(*byte);
        }
        self.at = end;
        Ok(value >> (end.div_ceil(8) * 8 - end) & ((1_u64 << n) - 1) as u32)
    }

    /// The next `n` bits as a number in two's complement.
    pub(crate) fn take_signed(&mut self, n: u32) -> Result<i32, Error> {
        let value = self.take(n)?;
        Ok((value << (32 - n)) as i32 >> (32 - n))
    }

    /// That nothing is left but the zeros of the last byte.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if self.at.div_ceil(8) != self.bytes.len() {
            return Err(Error::malformed(self.what, "bytes follow its end"));
        }
        let rest = (8 - self.at % 8) % 8;
        if rest > 0 && self.take(rest as u32)? != 0 {
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
    }
}
