//! The common part of both encodings of keys: the values of a_q, and the entries of f and g, as fields of bits.

use crate::Error;
use crate::bliss::public::PublicKey;
use crate::bliss::set::{Parameters, Set};
use crate::bliss::variant::Variant;
use crate::encode::bits::{Packer, Unpacker};
use crate::wipe::ErasedVec;
use alloc::vec::Vec;

/// The contents of a signing key's bytes.
pub(super) struct KeyParts {
    pub(super) set: Set,
    pub(super) variant: Variant,
    /// a_q in the ring's own order, if it is there too.
    pub(super) slots: Option<Vec<i16>>,
    pub(super) f: ErasedVec<i16>,
    pub(super) g: ErasedVec<i16>,
}

/// sign·a_q at ψ^(2k+1), k = 0, 1, …
pub(super) fn write_slots(key: &PublicKey, sign: i32, packer: &mut Packer) {
    let set = key.set.parameters();
    let mut natural = alloc::vec![0; set.n()];
    for (slot, k) in key.a.iter().zip(set.ring.natural_order()) {
        let value = sign * i32::from(*slot);
        natural[usize::from(*k)] = (value + (value >> 31 & set.q())) as u32;
    }
    natural.iter().for_each(|value| packer.put(set.residue_bits(), *value));
}

/// Reads the output of [`write_slots`]: a_q in the ring's own order.
pub(super) fn read_slots(set: &Parameters, sign: i32, unpacker: &mut Unpacker<'_>) -> Result<Vec<i16>, Error> {
    let mut natural = Vec::with_capacity(set.n());
    for _ in 0..set.n() {
        let value = unpacker.take(set.residue_bits())? as i32;
        if value >= set.q() {
            return Err(Error::malformed("public key", "a coefficient is not below q"));
        }
        let centred = if value > set.q() / 2 { value - set.q() } else { value };
        natural.push((sign * centred) as i16);
    }
    Ok(set.ring.natural_order().iter().map(|k| natural[usize::from(*k)]).collect())
}

/// The entries of f or g.
pub(super) fn write_entries(set: &Parameters, entries: &[i16], packer: &mut Packer) {
    let bits = set.entry_bits();
    entries.iter().for_each(|c| packer.put(bits, *c as u32 & ((1 << bits) - 1)));
}

/// Reads the output of [`write_entries`], with as many ±1 and ±2 as the set has.
pub(super) fn read_entries(set: &Parameters, unpacker: &mut Unpacker<'_>) -> Result<ErasedVec<i16>, Error> {
    let mut entries = ErasedVec::new(Vec::with_capacity(set.n()));
    for _ in 0..set.n() {
        entries.push(unpacker.take_signed(set.entry_bits())? as i16);
    }
    let count = |size: i16| entries.iter().filter(|c| c.abs() == size).count();
    if count(1) != set.ones || count(2) != set.twos || count(0) + set.ones + set.twos != set.n() {
        return Err(Error::malformed("signing key", "another number of entries than the set has"));
    }
    Ok(entries)
}
