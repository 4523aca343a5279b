//! Our own encodings. Each begins with the set's number, 0 to 6. Parameters of one's own begin with 255, followed by n,
//! l, m, q, r, t, 2 bytes each. Then come the form of the width (0 to 3 for σ, σ², kσ₂, s), its numerator and
//! denominator, 8 bytes each. All numbers are high byte first. Residues follow in ⌈lg q⌉ bits each.

use super::parameters::{Parameters, Shape};
use super::set::Set;
use crate::Error;
use crate::encode::bits::{Packer, Unpacker};
use crate::wipe::ErasedVec;
use alloc::vec::Vec;
use samplez_core::{DiscreteGaussian, Rational, Width};

/// The first byte of parameters of one's own, and the bytes that they take after it.
const OWN: u8 = 255;
const OWN_BYTES: usize = 6 * 2 + 1 + 2 * 8;

/// Bits of a residue.
pub(super) const fn width(parameters: &Parameters) -> u32 {
    parameters.shape().q.ilog2() + 1
}

/// Returns the beginning of every encoding, with capacity for so many bytes after it.
pub(super) fn head(parameters: &Parameters, room: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1 + OWN_BYTES + room);
    if let Some(set) = Set::ALL.into_iter().find(|set| set.parameters() == *parameters) {
        bytes.push(set as u8);
        return bytes;
    }
    bytes.push(OWN);
    let Shape { n, l, m, q, r, t } = parameters.shape();
    // Each is below 2^16.
    [n, l, m, q, r, t].iter().for_each(|x| bytes.extend_from_slice(&(*x as u16).to_be_bytes()));
    let width = parameters.noise_law().width();
    bytes.push(match width {
        Width::Sigma(_) => 0,
        Width::SigmaSq(_) => 1,
        Width::KSigma2(_) => 2,
        Width::S(_) => 3,
    });
    bytes.extend_from_slice(&width.value().num().to_be_bytes());
    bytes.extend_from_slice(&width.value().den().to_be_bytes());
    bytes
}

/// Returns the parameters of an encoding, and the rest of it.
pub(super) fn read_head<'a>(what: &'static str, bytes: &'a [u8]) -> Result<(Parameters, Unpacker<'a>), Error> {
    let early = Error::malformed(what, "it ends too early");
    match bytes {
        [OWN, rest @ ..] => {
            let (own, body) = rest.split_first_chunk::<OWN_BYTES>().ok_or(early)?;
            let parameters = read_own(own).ok_or(Error::malformed(what, "its parameters are not allowed"))?;
            if head(&parameters, 0) != bytes[..=OWN_BYTES] {
                return Err(Error::malformed(what, "its parameters have another encoding"));
            }
            Ok((parameters, Unpacker::new(what, body)))
        }
        [number, body @ ..] => {
            let set = Set::ALL.get(usize::from(*number)).ok_or(Error::malformed(what, "its set is unknown"))?;
            Ok((set.parameters(), Unpacker::new(what, body)))
        }
        [] => Err(early),
    }
}

fn read_own(bytes: &[u8; OWN_BYTES]) -> Option<Parameters> {
    let number = |from: usize, count: usize| bytes[from..from + count].iter().fold(0, |x, b| x << 8 | u64::from(*b));
    let short = |i: usize| number(2 * i, 2) as u32;
    let shape = Shape { n: short(0), l: short(1), m: short(2), q: short(3), r: short(4), t: short(5) };
    let value = Rational::new(number(13, 8) as i64, number(21, 8))?;
    let width = match bytes[12] {
        0 => Width::Sigma(value),
        1 => Width::SigmaSq(value),
        2 => Width::KSigma2(value),
        3 => Width::S(value),
        _ => return None,
    };
    Parameters::new(shape, DiscreteGaussian::new(Rational::ZERO, width).ok()?).ok()
}

pub(super) fn put(parameters: &Parameters, residues: &[i16], packer: &mut Packer) {
    let (q, bits) = (parameters.shape().q as i32, width(parameters));
    residues.iter().for_each(|c| packer.put(bits, (i32::from(*c) + if *c < 0 { q } else { 0 }) as u32));
}

/// An encoding of nothing but these residues.
pub(super) fn write(parameters: &Parameters, parts: &[&[i16]]) -> Vec<u8> {
    let count: usize = parts.iter().map(|part| part.len()).sum();
    // All of it at once, so that no secret stays where it grew.
    let mut packer = Packer::after(head(parameters, (count * width(parameters) as usize).div_ceil(8)));
    parts.iter().for_each(|part| put(parameters, part, &mut packer));
    packer.finish()
}

/// Reads `count` centred residues: at most 2^27, of 15 bits.
pub(super) fn take(
    parameters: &Parameters,
    count: usize,
    unpacker: &mut Unpacker<'_>,
) -> Result<ErasedVec<i16>, Error> {
    let (q, bits) = (parameters.shape().q, width(parameters));
    unpacker.require(count * bits as usize)?;
    let mut residues = ErasedVec::new(Vec::with_capacity(count));
    for _ in 0..count {
        let value = unpacker.take(bits)?;
        if value >= q {
            return Err(unpacker.error("a residue is not below q"));
        }
        residues.push((value as i32 - if value > q / 2 { q as i32 } else { 0 }) as i16);
    }
    Ok(residues)
}
