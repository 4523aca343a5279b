//! BLISS against another implementation's certificates and key (kat/bliss/).

use samplez_schemes::Error;
use samplez_schemes::bliss::{Certificate, Profile, PublicKey, Set, Signature, SigningKey, Variant};

const CA: &[u8] = include_bytes!("../../../kat/bliss/caCert.der");
const CAROL: &[u8] = include_bytes!("../../../kat/bliss/carolCert.der");
const EXAMPLE: &str = include_str!("../../../kat/bliss/example-I.csv");
const PROFILE: Profile = Profile::Strongswan;

fn certificates() -> (Certificate, Certificate) {
    (Certificate::from_der(CA).unwrap(), Certificate::from_der(CAROL).unwrap())
}

fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

#[test]
fn foreign_certificates_verify() {
    let (ca, carol) = certificates();
    assert_eq!((ca.public_key.set(), ca.public_key.variant(), ca.profile), (Set::IV, Variant::B, PROFILE));
    assert_eq!((carol.public_key.set(), carol.public_key.variant()), (Set::I, Variant::B));
    assert_eq!((ca.verify(&ca), carol.verify(&ca)), (Ok(()), Ok(())));
    assert_eq!(ca.verify(&carol), Err(Error::Invalid)); // another issuer
    let largest =
        Signature::from_bytes(PROFILE, Set::IV, &carol.signature).unwrap().parts().0.iter().map(|z| z.abs()).max();
    assert_eq!((carol.signature.len(), largest), (839, Some(881)));
}

#[test]
fn encodings_come_back_byte_for_byte() {
    for certificate in <[_; 2]>::from(certificates()) {
        let key = certificate.public_key.to_bytes(PROFILE).unwrap();
        assert_eq!(PublicKey::from_bytes(PROFILE, &key).as_ref(), Ok(&certificate.public_key));
        assert!([CA, CAROL].iter().any(|der| der.windows(key.len()).any(|window| window == key)));
        let bytes = &certificate.signature;
        let signature = Signature::from_bytes(PROFILE, Set::IV, bytes).unwrap();
        assert_eq!(signature.to_bytes(PROFILE).unwrap(), *bytes);
    }
}

#[test]
fn a_bit_changed_anywhere_in_a_signature_fails() {
    let (ca, carol) = certificates();
    let (message, bytes) = (&carol.signed[..], &carol.signature[..]);
    for bit in 0..8 * bytes.len() {
        let signature = Signature::from_bytes(PROFILE, Set::IV, &flipped(bytes, bit));
        let verified = signature.and_then(|signature| ca.public_key.verify(PROFILE, message, &signature));
        assert!(verified.is_err(), "bit {bit}");
    }
}

#[test]
fn a_bit_changed_in_message_or_key_fails() {
    let (ca, carol) = certificates();
    let (message, bytes) = (&carol.signed[..], &carol.signature[..]);
    let signature = Signature::from_bytes(PROFILE, Set::IV, bytes).unwrap();
    for bit in (0..8 * message.len()).step_by(7) {
        let verified = ca.public_key.verify(PROFILE, &flipped(message, bit), &signature);
        assert_eq!(verified, Err(Error::Invalid), "bit {bit} of the message");
    }
    let key = ca.public_key.to_bytes(PROFILE).unwrap();
    for bit in (0..8 * key.len()).step_by(3) {
        let verified = PublicKey::from_bytes(PROFILE, &flipped(&key, bit)).and_then(|key| {
            if key.set() == Set::IV { key.verify(PROFILE, message, &signature) } else { Err(Error::Invalid) }
        });
        // One bit of the identifier tells BLISS-B from BLISS, which share the verifier.
        let variant = flipped(&key, bit)[..28] != key[..28] && verified.is_ok();
        assert!(verified.is_err() || variant, "bit {bit} of the key");
    }
}

#[test]
fn a_bit_changed_in_a_certificate_is_found_and_no_bytes_panic() {
    let (ca, _) = certificates();
    for bit in 0..8 * CAROL.len() {
        let verified = Certificate::from_der(&flipped(CAROL, bit)).and_then(|carol| carol.verify(&ca));
        assert!(verified.is_err(), "bit {bit}");
    }
    for end in 0..CAROL.len() {
        assert!(Certificate::from_der(&CAROL[..end]).is_err());
    }
    assert!(Certificate::from_der(&[CAROL, &[0]].concat()).is_err());
}

#[test]
fn other_hashes_and_profiles_fail() {
    let (ca, carol) = certificates();
    let (message, bytes) = (&carol.signed[..], &carol.signature[..]);
    let signature = Signature::from_bytes(PROFILE, Set::IV, bytes).unwrap();
    let others = Profile::ALL.into_iter().filter(|other| *other != PROFILE && other.name().starts_with("strongswan"));
    for profile in others.chain([Profile::Sri, Profile::Hila]) {
        assert_eq!(ca.public_key.verify(profile, message, &signature), Err(Error::Invalid), "{profile:?}");
    }
}

/// A value of a tag with a length below 2^16.
fn der(tag: u8, contents: &[u8]) -> Vec<u8> {
    let length = contents.len();
    let head = match length {
        0..=0x7f => vec![tag, length as u8],
        0x80..=0xff => vec![tag, 0x81, length as u8],
        _ => vec![tag, 0x82, (length >> 8) as u8, length as u8],
    };
    [head, contents.to_vec()].concat()
}

/// Fields of as many bits as `width`, as a bit string.
fn bit_string(width: usize, fields: impl Iterator<Item = i32>) -> Vec<u8> {
    let bits: Vec<u8> = fields.flat_map(|field| (0..width).rev().map(move |i| (field >> i & 1) as u8)).collect();
    let bytes = bits.chunks(8).map(|bits| bits.iter().enumerate().map(|(i, bit)| bit << (7 - i)).sum());
    der(3, &[0].into_iter().chain(bytes).collect::<Vec<u8>>())
}

#[test]
fn the_foreign_private_key_has_the_certificates_public_key() {
    let rows: Vec<[i32; 4]> = EXAMPLE
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|field| field.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap())
        .collect();
    let column = |place: usize| rows.iter().map(move |row| row[place]);
    let key = |number: u8, f: Vec<u8>, g: Vec<u8>| {
        let oid = der(6, &[0x2b, 6, 1, 4, 1, 0x82, 0xa0, 0x2a, 5, 2, number]);
        der(0x30, &[oid, bit_string(14, column(1)), f, g].concat())
    };
    let (f, g) = (bit_string(2, column(2)), bit_string(2, column(3)));
    let bytes = key(5, f.clone(), g.clone());
    let read = SigningKey::from_bytes(PROFILE, &bytes).unwrap();
    assert_eq!(read.public_key(), &certificates().1.public_key);
    assert_eq!(*read.to_bytes(PROFILE).unwrap(), bytes);
    assert_eq!(read.public_key().variant(), Variant::B);
    // Relabelled it is another key, which the classic signer takes: its N_kappa is below the limit.
    let classic = SigningKey::from_bytes(PROFILE, &key(1, f.clone(), g.clone())).unwrap();
    assert_eq!(classic.public_key().variant(), Variant::Classic);
    // f and g exchanged, or f twice: another public key.
    assert!(SigningKey::from_bytes(PROFILE, &key(5, g.clone(), f.clone())).is_err());
    assert!(SigningKey::from_bytes(PROFILE, &key(5, f.clone(), f)).is_err());
    for bit in 0..8 * bytes.len() {
        // One bit of the identifier tells BLISS-B from BLISS.
        let read = SigningKey::from_bytes(PROFILE, &flipped(&bytes, bit)).map(|key| key.public_key().variant());
        assert!(read.is_err() || read == Ok(Variant::Classic), "bit {bit}");
    }
    for end in 0..bytes.len() {
        assert!(SigningKey::from_bytes(PROFILE, &bytes[..end]).is_err());
    }
}
