//! Fixed-size binary integers, the payload of npy and raw files.

use super::{ReadError, bad, fill};
use std::io::Read;

/// How an integer lies in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    /// 1, 2, 4 or 8 bytes.
    pub(super) size: usize,
    pub(super) signed: bool,
    pub(super) big_endian: bool,
}

impl Element {
    /// The integer in `bytes`; `None` if it is above 2^63 - 1. Only called with `size` bytes.
    fn decode(self, bytes: &[u8]) -> Option<i64> {
        let mut word = [0; 8];
        for (at, byte) in bytes.iter().enumerate() {
            word[if self.big_endian { self.size - 1 - at } else { at }] = *byte;
        }
        let word = u64::from_le_bytes(word);
        let unused = 64 - 8 * self.size as u32;
        if self.signed { Some((word << unused) as i64 >> unused) } else { i64::try_from(word).ok() }
    }

    /// Decodes all of `bytes`, a whole number of elements, to `out`.
    fn decode_all(self, bytes: &[u8], out: &mut [i64]) -> Result<(), ReadError> {
        // One loop for each of the common layouts, so that the compiler sees constants.
        macro_rules! each {
            ($t:ident, $from:ident) => {
                for (slot, chunk) in out.iter_mut().zip(bytes.chunks_exact(size_of::<$t>())) {
                    *slot = i64::from($t::$from(chunk.try_into().expect("chunks_exact gives whole elements")));
                }
            };
        }
        match (self.size, self.signed, self.big_endian) {
            (1, true, _) => each!(i8, from_le_bytes),
            (2, true, false) => each!(i16, from_le_bytes),
            (4, true, false) => each!(i32, from_le_bytes),
            (8, true, false) => each!(i64, from_le_bytes),
            _ => {
                for (slot, chunk) in out.iter_mut().zip(bytes.chunks_exact(self.size)) {
                    let Some(value) = self.decode(chunk) else {
                        return bad("holds an integer above 2^63-1; allowed are the integers of i64");
                    };
                    *slot = value;
                }
            }
        }
        Ok(())
    }
}

/// Reads elements, buffered.
pub(super) struct Elements<R> {
    reader: R,
    element: Element,
    buffer: Vec<u8>,
}

/// Bytes read from the stream at once; a multiple of every element size.
const BUFFER: usize = 1 << 18;

impl<R: Read> Elements<R> {
    pub(super) fn new(reader: R, element: Element) -> Self {
        Elements { reader, element, buffer: Vec::new() }
    }

    /// Up to `out.len()` integers; returns how many, and how many bytes of a broken last one.
    pub(super) fn read(&mut self, out: &mut [i64]) -> Result<(usize, usize), ReadError> {
        let size = self.element.size;
        let wanted = out.len().saturating_mul(size).min(BUFFER);
        self.buffer.resize(wanted.max(self.buffer.len()), 0);
        let bytes = &mut self.buffer[..wanted];
        let filled = fill(&mut self.reader, bytes)?;
        let count = filled / size;
        self.element.decode_all(&bytes[..count * size], &mut out[..count])?;
        Ok((count, filled % size))
    }

    /// Whether the stream has another byte.
    pub(super) fn has_more(&mut self) -> Result<bool, ReadError> {
        Ok(fill(&mut self.reader, &mut [0])? > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_decodes() {
        for size in [1, 2, 4, 8] {
            for signed in [false, true] {
                for big_endian in [false, true] {
                    let element = Element { size, signed, big_endian };
                    for value in [0_i64, 1, 100, -1, -100] {
                        let mut bytes = value.to_le_bytes()[..size].to_vec();
                        if big_endian {
                            bytes.reverse();
                        }
                        let modulus = 1_i128 << (8 * size);
                        let expected = if signed { i128::from(value) } else { i128::from(value).rem_euclid(modulus) };
                        let mut out = [7];
                        match (element.decode_all(&bytes, &mut out), i64::try_from(expected)) {
                            (Ok(()), Ok(expected)) => assert_eq!(out, [expected], "{element:?} {value}"),
                            (Err(_), Err(_)) => {}
                            (got, _) => panic!("{element:?} {value}: {got:?}"),
                        }
                    }
                }
            }
        }
    }
}
