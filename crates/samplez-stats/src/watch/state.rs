//! The state of a watch as bytes: a line with the version, a line with the law, numbers, and a checksum.

use super::evidence::WatchError;

/// The first line of a state of this version.
const HEADER: &str = "samplez watch 1\n";

/// The first bytes of a state of any version.
const MAGIC: &str = "samplez watch ";

/// FNV-1a: against accidents, not against an adversary.
fn checksum(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The state of a law with these numbers, each in groups of 7 bits.
pub(super) fn encoded(law: &str, numbers: impl Iterator<Item = u64>) -> Vec<u8> {
    let mut bytes = [HEADER, law, "\n"].concat().into_bytes();
    for mut number in numbers {
        while number >= 128 {
            bytes.push(number as u8 | 128);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The numbers of a state of this law.
pub(super) fn decoded(law: &str, state: &[u8]) -> Result<Vec<u64>, WatchError> {
    if !state.starts_with(MAGIC.as_bytes()) {
        return Err(WatchError::NoState);
    }
    let line = |bytes: &[u8]| bytes.iter().position(|byte| *byte == b'\n').ok_or(WatchError::Damaged);
    let version = line(state)?;
    if state[..=version] != *HEADER.as_bytes() {
        let found = String::from_utf8_lossy(&state[MAGIC.len()..version]).chars().take(20).collect();
        return Err(WatchError::Version { found });
    }
    let (body, sum) = state.split_last_chunk::<8>().ok_or(WatchError::Damaged)?;
    if body.len() <= version || checksum(body) != u64::from_le_bytes(*sum) {
        return Err(WatchError::Damaged);
    }
    let rest = &body[version + 1..];
    let end = line(rest)?;
    if rest[..end] != *law.as_bytes() {
        let found = String::from_utf8_lossy(&rest[..end]).into_owned();
        return Err(WatchError::OtherLaw { found, expected: law.into() });
    }
    let (mut numbers, mut number, mut bits) = (Vec::new(), 0_u64, 0);
    for byte in &rest[end + 1..] {
        let part = u64::from(byte & 127);
        if bits > 63 || part << bits >> bits != part {
            return Err(WatchError::Damaged);
        }
        number |= part << bits;
        bits += 7;
        if byte & 128 == 0 {
            numbers.push(number);
            (number, bits) = (0, 0);
        }
    }
    if bits == 0 { Ok(numbers) } else { Err(WatchError::Damaged) }
}
