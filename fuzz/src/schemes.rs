//! Keys, signatures and certificates of the schemes: never a panic, and whatever is read has that one encoding.

use samplez_lattice::Error;
use samplez_lattice::bliss::{B, Certificate, Classic, Hash, Kind, Profile, PublicKey, Set, Signature, SigningKey};

const PROFILES: [Profile; 3] = [Profile::Strongswan(Hash::Sha2_512), Profile::Sri, Profile::Hila];

/// The first byte chooses what the others are, the second the profile and the set.
pub fn schemes(data: &[u8]) {
    let Some(([what, which], bytes)) = data.split_first_chunk() else { return };
    let profile = PROFILES[usize::from(which % 3)];
    let set = Set::ALL[usize::from(which / 3 % 5)];
    match what % 5 {
        0 => certificate(bytes),
        1 => same(PublicKey::from_bytes(profile, bytes).and_then(|key| key.to_bytes(profile)), bytes),
        2 => signing_key::<Classic>(profile, bytes),
        3 => signing_key::<B>(profile, bytes),
        _ => same(Signature::from_bytes(profile, set, bytes).and_then(|s| s.to_bytes(profile)), bytes),
    }
}

/// What could be read is written as it was.
fn same(written: Result<Vec<u8>, Error>, bytes: &[u8]) {
    match written {
        Ok(written) => assert_eq!(written, bytes),
        Err(Error::Malformed { .. } | Error::Refused { .. }) => {}
        Err(other) => panic!("{other}"),
    }
}

fn signing_key<K: Kind>(profile: Profile, bytes: &[u8]) {
    let key = SigningKey::<K>::from_bytes(profile, bytes);
    same(key.and_then(|key| key.to_bytes(profile)).map(|bytes| bytes.to_vec()), bytes);
}

/// A certificate verifies under its own key, or it does not.
fn certificate(bytes: &[u8]) {
    if let Ok(certificate) = Certificate::from_der(bytes) {
        let (signed, signature) = certificate.signed();
        assert!(signed.len() + signature.len() < bytes.len());
        let _ = certificate.verify(&certificate);
    }
}
