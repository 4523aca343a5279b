//! strongSwan's encodings of keys and signatures.
//!
//! Object identifiers, all below 1.3.6.1.4.1.36906.5:
//!
//! - a BLISS key is 1.1;
//! - the sets are 2.1 to 2.4 (I to IV) for classic keys and 2.5 to 2.8 for BLISS-B;
//! - signatures are 3.1 to 3.6 by the message's hash.
//!
//! A signature has three parts for each i: the sign of z₁ (1 bit), its lower 8 bits, and a codeword. The codeword is
//! for the pair of the higher bits and z₂†. Then come the challenge's indices, 9 bits each, in the order of the oracle.
//! A public key holds the values of -a_q at 49^(2k+1), 14 bits each.

use super::fields::{KeyParts, read_entries, read_slots, write_entries, write_slots};
use super::huffman::{self, Code};
use crate::Error;
use crate::bliss::profile::Profile;
use crate::bliss::public::PublicKey;
use crate::bliss::secret::SigningKey;
use crate::bliss::set::Set;
use crate::bliss::signature::Signature;
use crate::bliss::variant::Variant;
use crate::encode::bits::{Packer, Unpacker};
use crate::encode::der::{self, Reader};
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// 1.3.6.1.4.1.36906.5
const ROOT: [u8; 9] = [0x2b, 6, 1, 4, 1, 0x82, 0xa0, 0x2a, 5];
/// The sets that have an identifier, in its order.
const SETS: [Set; 4] = [Set::I, Set::II, Set::III, Set::IV];

/// The identifier ROOT.arc.number.
fn oid(arc: u8, number: u8) -> Vec<u8> {
    der::value(der::OID, &[&ROOT, &[arc, number]])
}

/// The number of an identifier ROOT.arc.number.
fn number_below(arc: u8, reader: &mut Reader<'_>) -> Result<u8, Error> {
    match reader.value(der::OID)?.strip_prefix(&ROOT) {
        Some([found, number]) if *found == arc => Ok(*number),
        _ => Err(reader.error("an object identifier that is not BLISS's")),
    }
}

/// Writes the identifier of a set and variant.
fn write_set(set: Set, variant: Variant) -> Vec<u8> {
    oid(2, set as u8 + if variant == Variant::B { 4 } else { 0 })
}

/// Reads the identifier of a set and variant.
fn read_set(reader: &mut Reader<'_>) -> Result<(Set, Variant), Error> {
    let number = usize::from(number_below(2, reader)?);
    match number.checked_sub(1).and_then(|i| Some((SETS.get(i % 4)?, i / 4))) {
        Some((set, 0)) => Ok((*set, Variant::Classic)),
        Some((set, 1)) => Ok((*set, Variant::B)),
        _ => Err(reader.error("an unknown parameter set")),
    }
}

/// Writes the identifier of the signature algorithm, with its NULL.
#[cfg(test)]
fn write_profile(profile: Profile) -> Vec<u8> {
    der::value(der::SEQUENCE, &[&oid(3, 1 + profile as u8), &[der::NULL, 0]])
}

/// Reads a signature algorithm, with its NULL or without.
pub(in crate::bliss) fn read_profile(mut reader: Reader<'_>) -> Result<Profile, Error> {
    let number = usize::from(number_below(3, &mut reader)?);
    let profile = number.checked_sub(1).and_then(|i| Profile::STRONGSWAN.get(i)).copied();
    if reader.is_next(der::NULL) && !reader.value(der::NULL)?.is_empty() {
        return Err(reader.error("a NULL with contents"));
    }
    let unknown = reader.error("an unknown signature algorithm");
    reader.finish()?;
    profile.ok_or(unknown)
}

const fn code(set: Set) -> Code {
    match set {
        Set::Toy | Set::I | Set::II => huffman::I_AND_II,
        Set::III => huffman::III,
        Set::IV => huffman::IV,
    }
}

pub(super) fn write_signature(signature: &Signature) -> Result<Vec<u8>, Error> {
    let code = code(signature.set);
    let mut packer = Packer::after(Vec::with_capacity(2 * signature.z1.len()));
    for (z1, z2) in signature.z1.iter().zip(&signature.z2) {
        let size = z1.unsigned_abs();
        let first = u32::from(*z1 < 0) << 8 | u32::from(size & 255);
        if !code.write_after(9, first, size >> 8, *z2, &mut packer) {
            return Err(Error::refused("signature", "larger", "profile strongswan has no codeword for it"));
        }
    }
    let bits = signature.set.parameters().index_bits();
    signature.challenge.iter().for_each(|i| packer.put(bits, u32::from(*i)));
    Ok(packer.finish())
}

pub(super) fn read_signature(set: Set, bytes: &[u8]) -> Result<Signature, Error> {
    let (s, code, mut unpacker) = (set.parameters(), code(set), Unpacker::new("signature", bytes));
    let (mut z1, mut z2) = (alloc::vec![0; s.n()], alloc::vec![0; s.n()]);
    for (z1, z2) in z1.iter_mut().zip(&mut z2) {
        let (first, high, second) = code.read_after(9, &mut unpacker)?;
        let (negative, size) = (first >> 8 != 0, high << 8 | (first & 255) as i16);
        if negative && size == 0 {
            return Err(Error::malformed("signature", "a zero with a minus"));
        }
        *z1 = if negative { -size } else { size };
        *z2 = second;
    }
    let mut challenge = Vec::with_capacity(s.weight);
    for _ in 0..s.weight {
        let index = unpacker.take(s.index_bits())? as u16;
        if challenge.contains(&index) {
            return Err(Error::malformed("signature", "an index stands twice"));
        }
        challenge.push(index);
    }
    unpacker.finish()?;
    Ok(Signature { set, z1, z2, challenge })
}

/// The contents of a public key's bit string, here and in private keys.
fn write_values(key: &PublicKey) -> Vec<u8> {
    let set = key.set.parameters();
    let mut packer = Packer::after(Vec::with_capacity(set.n() * set.residue_bits() as usize / 8));
    write_slots(key, -1, &mut packer);
    packer.finish()
}

fn read_values(set: Set, bytes: &[u8]) -> Result<Vec<i16>, Error> {
    let mut unpacker = Unpacker::new("public key", bytes);
    let slots = read_slots(set.parameters(), -1, &mut unpacker)?;
    unpacker.finish()?;
    Ok(slots)
}

/// SEQUENCE { SEQUENCE { 1.1, set }, BIT STRING }
pub(super) fn write_public_key(key: &PublicKey) -> Vec<u8> {
    let algorithm = der::value(der::SEQUENCE, &[&oid(1, 1), &write_set(key.set, key.variant)]);
    der::value(der::SEQUENCE, &[&algorithm, &der::bit_string(&write_values(key))])
}

pub(in crate::bliss) fn read_public_key(bytes: &[u8]) -> Result<PublicKey, Error> {
    let mut all = Reader::new("public key", bytes);
    let (_, mut info) = all.nested(der::SEQUENCE)?;
    let (_, mut algorithm) = info.nested(der::SEQUENCE)?;
    if number_below(1, &mut algorithm)? != 1 {
        return Err(algorithm.error("an unknown kind of key"));
    }
    let (set, variant) = read_set(&mut algorithm)?;
    let slots = read_values(set, info.bit_string()?)?;
    algorithm.finish()?;
    info.finish()?;
    all.finish()?;
    Ok(PublicKey::from_slots(set, variant, slots))
}

/// SEQUENCE { set, BIT STRING -a_q, BIT STRING f, BIT STRING g }
pub(super) fn write_signing_key(key: &SigningKey) -> Zeroizing<Vec<u8>> {
    let public = key.public_key();
    let set = key.set().parameters();
    let [f, g] = key.parts().map(|entries| {
        // All of it at once, so that no secret stays where it grew.
        let mut packer = Packer::after(Vec::with_capacity(set.n() * set.entry_bits() as usize / 8));
        write_entries(set, &entries, &mut packer);
        Zeroizing::new(der::bit_string(&Zeroizing::new(packer.finish())))
    });
    let values = der::bit_string(&write_values(public));
    Zeroizing::new(der::value(der::SEQUENCE, &[&write_set(public.set, public.variant), &values, &f, &g]))
}

pub(super) fn read_signing_key(bytes: &[u8]) -> Result<KeyParts, Error> {
    let mut all = Reader::new("signing key", bytes);
    let (_, mut key) = all.nested(der::SEQUENCE)?;
    all.finish()?;
    let (set, variant) = read_set(&mut key)?;
    let slots = read_values(set, key.bit_string()?)?;
    let mut entries = || {
        let mut unpacker = Unpacker::new("signing key", key.bit_string()?);
        let entries = read_entries(set.parameters(), &mut unpacker)?;
        unpacker.finish().map(|()| entries)
    };
    let (f, g) = (entries()?, entries()?);
    key.finish()?;
    Ok(KeyParts { set, variant, slots: Some(slots), f, g })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_come_back() {
        for profile in Profile::STRONGSWAN.iter().copied() {
            let bytes = write_profile(profile);
            assert_eq!(read_profile(Reader::new("test", &bytes).nested(der::SEQUENCE).unwrap().1), Ok(profile));
        }
        for set in SETS {
            for variant in [Variant::Classic, Variant::B] {
                assert_eq!(read_set(&mut Reader::new("test", &write_set(set, variant))), Ok((set, variant)));
            }
        }
        for number in [0, 9, 255] {
            assert!(read_set(&mut Reader::new("test", &oid(2, number.min(127)))).is_err());
        }
    }
}
