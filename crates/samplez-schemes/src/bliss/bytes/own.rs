//! Our own encodings, for the profiles whose encodings nobody has confirmed. Each begins with the profile (1 or 2) and the set, 0 to
//! 4; a key's then has the variant, 0 or 1. Fields follow, each in the one way in which it can be written.

use super::fields::{KeyParts, read_entries, read_slots, write_entries, write_slots};
use crate::Error;
use crate::bliss::profile::Profile;
use crate::bliss::public::PublicKey;
use crate::bliss::secret::SigningKey;
use crate::bliss::set::Set;
use crate::bliss::signature::Signature;
use crate::bliss::variant::Variant;
use crate::encode::bits::{Packer, Unpacker};
use alloc::format;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The first byte.
const fn tag(profile: Profile) -> u8 {
    match profile {
        Profile::Sri => 1,
        Profile::Hila => 2,
        _ => 0,
    }
}

/// The bits of an integer from -bound to bound in two's complement.
const fn bits_of(bound: i32) -> u32 {
    bound.ilog2() + 2
}

/// Returns profile, set and variant, and the rest.
fn head<'a>(what: &'static str, profile: Profile, bytes: &'a [u8]) -> Result<(Set, Variant, &'a [u8]), Error> {
    let [own, set, variant, body @ ..] = bytes else { return Err(Error::malformed(what, "it ends too early")) };
    let set = Set::ALL.get(usize::from(*set)).copied().filter(|set| profile.supports(*set).is_ok());
    let variant = [Variant::Classic, Variant::B].get(usize::from(*variant)).copied();
    match (set, variant) {
        (Some(set), Some(variant)) if *own == tag(profile) => Ok((set, variant, body)),
        _ => Err(Error::malformed(what, "it is of another profile, set or variant")),
    }
}

pub(super) fn write_signature(profile: Profile, signature: &Signature) -> Result<Vec<u8>, Error> {
    let set = signature.set.parameters();
    let (wide, narrow) = (bits_of(set.max_norm), bits_of(set.max_norm >> set.d));
    let beyond = |values: &[i16], bound: i32| values.iter().any(|z| i32::from(*z).abs() > bound);
    if beyond(&signature.z1, set.max_norm) || beyond(&signature.z2, set.max_norm >> set.d) {
        let allowed = format!("profile {profile} allows coefficients up to B_inf = {}", set.max_norm);
        return Err(Error::refused("signature", "larger", allowed));
    }
    let mut packer = Packer::after(alloc::vec![tag(profile), signature.set as u8]);
    signature.z1.iter().for_each(|z| packer.put(wide, *z as u32 & ((1 << wide) - 1)));
    signature.z2.iter().for_each(|z| packer.put(narrow, *z as u32 & ((1 << narrow) - 1)));
    let mut indices = signature.challenge.clone();
    indices.sort_unstable();
    indices.iter().for_each(|i| packer.put(set.index_bits(), u32::from(*i)));
    Ok(packer.finish())
}

pub(super) fn read_signature(profile: Profile, set: Set, bytes: &[u8]) -> Result<Signature, Error> {
    let malformed = |why| Error::malformed("signature", why);
    let [own, number, body @ ..] = bytes else { return Err(malformed("it ends too early")) };
    if *own != tag(profile) || *number != set as u8 {
        return Err(malformed("it is of another profile or set"));
    }
    let s = set.parameters();
    let mut unpacker = Unpacker::new("signature", body);
    let mut fields = |bound: i32| -> Result<Vec<i16>, Error> {
        let mut field = || match unpacker.take_signed(bits_of(bound))? {
            z if z.abs() <= bound => Ok(z as i16),
            _ => Err(malformed("a coefficient is out of range")),
        };
        (0..s.n()).map(|_| field()).collect()
    };
    let (z1, z2) = (fields(s.max_norm)?, fields(s.max_norm >> s.d)?);
    let mut challenge = Vec::with_capacity(s.weight);
    for _ in 0..s.weight {
        let index = unpacker.take(s.index_bits())? as u16;
        if challenge.last().is_some_and(|last| *last >= index) {
            return Err(malformed("the indices do not ascend"));
        }
        challenge.push(index);
    }
    unpacker.finish()?;
    Ok(Signature { set, z1, z2, challenge })
}

pub(super) fn write_public_key(profile: Profile, key: &PublicKey) -> Vec<u8> {
    let mut packer = Packer::after(alloc::vec![tag(profile), key.set as u8, key.variant as u8]);
    write_slots(key, 1, &mut packer);
    packer.finish()
}

pub(super) fn read_public_key(profile: Profile, bytes: &[u8]) -> Result<PublicKey, Error> {
    let (set, variant, body) = head("public key", profile, bytes)?;
    let mut unpacker = Unpacker::new("public key", body);
    let a = read_slots(set.parameters(), 1, &mut unpacker)?;
    unpacker.finish()?;
    Ok(PublicKey::from_slots(set, variant, a))
}

pub(super) fn write_signing_key(profile: Profile, key: &SigningKey) -> Zeroizing<Vec<u8>> {
    let (set, [f, g]) = (key.set().parameters(), key.parts());
    // All of it at once, so that no secret stays where it grew.
    let mut bytes = Vec::with_capacity(3 + 2 * set.n() * set.entry_bits() as usize / 8);
    bytes.extend_from_slice(&[tag(profile), key.set() as u8, key.public_key().variant() as u8]);
    let mut packer = Packer::after(bytes);
    write_entries(set, &f, &mut packer);
    write_entries(set, &g, &mut packer);
    Zeroizing::new(packer.finish())
}

pub(super) fn read_signing_key(profile: Profile, bytes: &[u8]) -> Result<KeyParts, Error> {
    let (set, variant, body) = head("signing key", profile, bytes)?;
    let mut unpacker = Unpacker::new("signing key", body);
    let (f, g) = (read_entries(set.parameters(), &mut unpacker)?, read_entries(set.parameters(), &mut unpacker)?);
    unpacker.finish()?;
    Ok(KeyParts { set, variant, slots: None, f, g })
}
