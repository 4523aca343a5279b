//! The part of DER that keys and certificates use: tags of one byte, definite lengths in their shortest form. Anything
//! else is an error. This reader of our own has 60 lines. The well-kept crates bring six more with them for features
//! that these files do not use.

use crate::Error;
use alloc::vec::Vec;

pub(crate) const INTEGER: u8 = 0x02;
pub(crate) const BIT_STRING: u8 = 0x03;
pub(crate) const NULL: u8 = 0x05;
pub(crate) const OID: u8 = 0x06;
pub(crate) const SEQUENCE: u8 = 0x30;

/// Reads values one after the other.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    what: &'static str,
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader of `what`, for the errors' text.
    pub(crate) const fn new(what: &'static str, bytes: &'a [u8]) -> Self {
        Reader { what, bytes }
    }

    pub(crate) const fn error(&self, why: &'static str) -> Error {
        Error::malformed(self.what, why)
    }

    /// The next value: its tag, its contents, and all of it.
    fn any(&mut self) -> Result<(u8, &'a [u8], &'a [u8]), Error> {
        let early = self.error("it ends too early");
        let [tag, first, rest @ ..] = self.bytes else { return Err(early) };
        if tag & 0x1f == 0x1f {
            return Err(self.error("a tag of more than one byte"));
        }
        let (length, head) = match first {
            0..=0x7f => (usize::from(*first), 2),
            0x81..=0x83 => {
                let count = usize::from(first & 0x7f);
                let digits = rest.get(..count).ok_or(early.clone())?;
                let length = digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit));
                if length < 0x80 || length >> (8 * (count - 1)) == 0 {
                    return Err(self.error("a length that is not in its shortest form"));
                }
                (length, 2 + count)
            }
            _ => return Err(self.error("an indefinite length, or one above 2^24")),
        };
        let (whole, rest) = self.bytes.split_at_checked(head + length).ok_or(early)?;
        self.bytes = rest;
        Ok((*tag, &whole[head..], whole))
    }

    /// The contents of the next value, which has this tag.
    pub(crate) fn value(&mut self, tag: u8) -> Result<&'a [u8], Error> {
        match self.any()? {
            (found, contents, _) if found == tag => Ok(contents),
            _ => Err(self.error("another tag than expected")),
        }
    }

    /// The next value with its tag and length, and a reader of its contents.
    pub(crate) fn nested(&mut self, tag: u8) -> Result<(&'a [u8], Reader<'a>), Error> {
        match self.any()? {
            (found, contents, whole) if found == tag => Ok((whole, Reader { what: self.what, bytes: contents })),
            _ => Err(self.error("another tag than expected")),
        }
    }

    /// The contents of a bit string of whole bytes.
    pub(crate) fn bit_string(&mut self) -> Result<&'a [u8], Error> {
        match self.value(BIT_STRING)? {
            [0, bytes @ ..] => Ok(bytes),
            _ => Err(self.error("a bit string that is not of whole bytes")),
        }
    }

    /// Whether the next value has this tag.
    pub(crate) fn is_next(&self, tag: u8) -> bool {
        self.bytes.first() == Some(&tag)
    }

    /// That nothing is left.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.bytes.is_empty() { Ok(()) } else { Err(self.error("bytes follow its end")) }
    }
}

/// A value with its tag and length, over these contents one after the other.
pub(crate) fn value(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = Vec::with_capacity(length + 5);
    out.push(tag);
    let digits = length.to_be_bytes();
    let count = digits.len() - length.leading_zeros() as usize / 8;
    if length >= 0x80 {
        out.push(0x80 | count as u8);
        out.extend_from_slice(&digits[digits.len() - count..]);
    } else {
        out.push(length as u8);
    }
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out
}

/// A bit string of whole bytes.
pub(crate) fn bit_string(bytes: &[u8]) -> Vec<u8> {
    value(BIT_STRING, &[&[0], bytes])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_length_come_back() {
        for length in [0, 1, 127, 128, 255, 256, 65_535, 65_536] {
            let contents = alloc::vec![5; length];
            let bytes = value(SEQUENCE, &[&contents, &[]]);
            let mut reader = Reader::new("test", &bytes);
            assert_eq!(reader.value(SEQUENCE).unwrap(), contents);
            assert!(reader.finish().is_ok());
            for cut in [0, 1, 2, bytes.len() - 1] {
                assert!(Reader::new("test", &bytes[..cut]).value(SEQUENCE).is_err() || length == 0 && cut == 2);
            }
        }
    }

    #[test]
    fn what_is_not_der_is_an_error() {
        let bad: [&[u8]; 6] = [
            &[0x30, 0x80, 0, 0],
            &[0x30, 0x81, 5, 0, 0, 0, 0, 0],
            &[0x30, 0x82, 0, 200],
            &[0x1f, 1, 0],
            &[0x30, 0x84, 0, 0, 0, 1, 0],
            &[0x30],
        ];
        for bytes in bad {
            assert!(Reader::new("test", bytes).any().is_err(), "{bytes:?}");
        }
        assert!(Reader::new("test", &[3, 2, 1, 0]).bit_string().is_err());
    }
}
