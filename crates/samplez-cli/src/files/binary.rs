//! Fixed-size binary integers, the payload of npy and raw files.

use super::{Beyond, ReadError, bad, fill};
use std::io::Read;

/// How an integer lies in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    /// 1, 2, 4 or 8 bytes.
    pub(super) size: usize,
    pub(super) kind: Kind,
    pub(super) big_endian: bool,
}

/// What the bits of an element are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Signed,
    Unsigned,
    /// A floating-point number of 2, 4 or 8 bytes, which has to be an integer.
    Float,
}

impl Element {
    /// Decodes the integer in `bytes`, of which there must be `size`. A float that is not an integer is the error.
    fn decode(self, bytes: &[u8]) -> Result<i128, f64> {
        let mut word = [0; 8];
        for (at, byte) in bytes.iter().enumerate() {
            word[if self.big_endian { self.size - 1 - at } else { at }] = *byte;
        }
        let word = u64::from_le_bytes(word);
        let unused = 64 - 8 * self.size as u32;
        let float = match (self.kind, self.size) {
            (Kind::Signed, _) => return Ok(((word << unused) as i64 >> unused).into()),
            (Kind::Unsigned, _) => return Ok(word.into()),
            (Kind::Float, 2) => half(word as u16),
            (Kind::Float, 4) => f32::from_bits(word as u32).into(),
            (Kind::Float, _) => f64::from_bits(word),
        };
        if float.fract() == 0.0 && float.abs() < 1e30 { Ok(float as i128) } else { Err(float) }
    }

    /// Decodes all of `bytes`, a whole number of elements, to `out`. `first` is the number of the first one.
    fn decode_all(self, bytes: &[u8], out: &mut [i64], beyond: &Beyond, first: u64) -> Result<(), ReadError> {
        // One loop for each of the common layouts, so that the compiler sees constants.
        macro_rules! each {
            ($t:ident, $from:ident) => {
                for (slot, chunk) in out.iter_mut().zip(bytes.chunks_exact(size_of::<$t>())) {
                    *slot = i64::from($t::$from(chunk.try_into().expect("chunks_exact gives whole elements")));
                }
            };
        }
        match (self.size, self.kind, self.big_endian) {
            _ if !beyond.is_none() => self.decode_each(bytes, out, beyond, first)?,
            (1, Kind::Signed, _) => each!(i8, from_le_bytes),
            (2, Kind::Signed, false) => each!(i16, from_le_bytes),
            (4, Kind::Signed, false) => each!(i32, from_le_bytes),
            (8, Kind::Signed, false) => each!(i64, from_le_bytes),
            _ => self.decode_each(bytes, out, beyond, first)?,
        }
        Ok(())
    }

    fn decode_each(self, bytes: &[u8], out: &mut [i64], beyond: &Beyond, first: u64) -> Result<(), ReadError> {
        for ((slot, chunk), place) in out.iter_mut().zip(bytes.chunks_exact(self.size)).zip(first..) {
            *slot = match self.decode(chunk) {
                Ok(value) => match beyond.of(value) {
                    Some(value) => value,
                    None => {
                        let way_out = beyond.way_out(&value.to_string());
                        return bad(format!("element {place}: {value} is not {}{way_out}", beyond.expected()));
                    }
                },
                Err(float) => return bad(format!("element {place}: {float} is not {}", beyond.expected())),
            };
        }
        Ok(())
    }
}

/// The value of 16 bits as IEEE 754 has them.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// Reads elements, buffered.
pub(super) struct Elements<R> {
    reader: R,
    element: Element,
    buffer: Vec<u8>,
    beyond: Beyond,
    /// How many have been read.
    seen: u64,
}

/// Bytes read from the stream at once; a multiple of every element size.
const BUFFER: usize = 1 << 18;

impl<R: Read> Elements<R> {
    pub(super) fn new(reader: R, element: Element) -> Self {
        Elements { reader, element, buffer: Vec::new(), beyond: Beyond::None, seen: 0 }
    }

    /// Reads integers beyond 64 bits as `beyond` has them.
    pub(super) fn set(&mut self, beyond: Beyond) {
        self.beyond = beyond;
    }

    /// Up to `out.len()` integers; returns how many, and how many bytes of a broken last one.
    pub(super) fn read(&mut self, out: &mut [i64]) -> Result<(usize, usize), ReadError> {
        let size = self.element.size;
        let wanted = out.len().saturating_mul(size).min(BUFFER);
        self.buffer.resize(wanted.max(self.buffer.len()), 0);
        let bytes = &mut self.buffer[..wanted];
        let filled = fill(&mut self.reader, bytes)?;
        let count = filled / size;
        self.element.decode_all(&bytes[..count * size], &mut out[..count], &self.beyond, self.seen)?;
        self.seen += count as u64;
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
        let layouts = [1, 2, 4, 8].into_iter().flat_map(|size| [Kind::Signed, Kind::Unsigned].map(|kind| (size, kind)));
        for (size, kind) in layouts {
            for big_endian in [false, true] {
                let element = Element { size, kind, big_endian };
                for value in [0_i64, 1, 100, -1, -100] {
                    let mut bytes = value.to_le_bytes()[..size].to_vec();
                    if big_endian {
                        bytes.reverse();
                    }
                    let modulus = 1_i128 << (8 * size);
                    let expected =
                        if kind == Kind::Signed { i128::from(value) } else { i128::from(value).rem_euclid(modulus) };
                    let mut out = [7];
                    match (element.decode_all(&bytes, &mut out, &Beyond::None, 0), i64::try_from(expected)) {
                        (Ok(()), Ok(expected)) => assert_eq!(out, [expected], "{element:?} {value}"),
                        (Err(_), Err(_)) => {}
                        (got, _) => panic!("{element:?} {value}: {got:?}"),
                    }
                    if size == 8 {
                        // The torus: one residue, however it is written.
                        element.decode_all(&bytes, &mut out, &Beyond::Residues(1 << 64), 0).unwrap();
                        assert_eq!(out, [value]);
                    }
                }
            }
        }
    }

    #[test]
    fn floats_are_integers_or_refused() {
        let decoded = |size, bytes: &[u8]| {
            let mut out = vec![7; bytes.len() / size];
            let element = Element { size, kind: Kind::Float, big_endian: true };
            element.decode_all(bytes, &mut out, &Beyond::None, 10).map(|()| out).map_err(|error| error.to_string())
        };
        for value in [0.0, -0.0, 1.0, -5.0, 2048.0, -65504.0, 9007199254740992.0] {
            assert_eq!(decoded(8, &f64::to_be_bytes(value)), Ok(vec![value as i64]));
            assert_eq!(decoded(4, &(value as f32).to_be_bytes()), Ok(vec![value as i64]));
        }
        // 1, -2, 65504, 0, 3
        let halves = [0x3c00_u16, 0xc000, 0x7bff, 0x8000, 0x4200].map(u16::to_be_bytes).concat();
        assert_eq!(decoded(2, &halves), Ok(vec![1, -2, 65504, 0, 3]));
        for (size, bytes, shown) in [
            (8, [1.0_f64, 0.5].map(f64::to_be_bytes).concat(), "element 11: 0.5 is not an integer of 64 bits"),
            (8, f64::NAN.to_be_bytes().to_vec(), "element 10: NaN is not an integer of 64 bits"),
            (4, f32::INFINITY.to_be_bytes().to_vec(), "element 10: inf is not an integer of 64 bits"),
            (2, vec![0, 1], "element 10: 0.00000005960464477539063 is not an integer of 64 bits"),
            (8, 1e19_f64.to_be_bytes().to_vec(), "element 10: 10000000000000000000 is not an integer of 64 bits"),
        ] {
            assert_eq!(decoded(size, &bytes), Err(shown.into()));
        }
    }
}
