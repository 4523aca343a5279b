//! Keys, signatures and certificates of the schemes: no panic, and each value that is read has one encoding.

use samplez_schemes::Error;
use samplez_schemes::bliss::{Certificate, Profile, PublicKey, Set, Signature, SigningKey};
use samplez_schemes::{lp11, regev};
use std::sync::OnceLock;

const PROFILES: [Profile; 3] = [Profile::Strongswan, Profile::Sri, Profile::Hila];

/// The first byte chooses what the others are, the second the profile and the set.
pub fn schemes(data: &[u8]) {
    let Some(([what, which], bytes)) = data.split_first_chunk() else { return };
    let profile = PROFILES[usize::from(which % 3)];
    let set = Set::ALL[usize::from(which / 3 % 5)];
    match what % 11 {
        0 => certificate(bytes),
        1 => same(PublicKey::from_bytes(profile, bytes).and_then(|key| key.to_bytes(profile)), bytes),
        2 | 3 => signing_key(profile, bytes),
        4 => same(Signature::from_bytes(profile, set, bytes).and_then(|s| s.to_bytes(profile)), bytes),
        5 => same(regev::PublicKey::from_bytes(bytes).map(|key| key.to_bytes()), bytes),
        6 => same(regev::SecretKey::from_bytes(bytes).map(|key| key.to_bytes().to_vec()), bytes),
        7 => decrypted(regev_key().decrypt(bytes), bytes),
        8 => same(lp11::PublicKey::from_bytes(bytes).map(|key| key.to_bytes()), bytes),
        9 => same(lp11::SecretKey::from_bytes(bytes).map(|key| key.to_bytes().to_vec()), bytes),
        _ => decrypted(lp11_key().decrypt(bytes), bytes),
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

fn signing_key(profile: Profile, bytes: &[u8]) {
    let key = SigningKey::from_bytes(profile, bytes);
    same(key.and_then(|key| key.to_bytes(profile)).map(|bytes| bytes.to_vec()), bytes);
}

/// A certificate verifies under its own key, or it does not.
fn certificate(bytes: &[u8]) {
    if let Ok(certificate) = Certificate::from_der(bytes) {
        assert!(certificate.signed.len() + certificate.signature.len() < bytes.len());
        let _ = certificate.verify(&certificate);
    }
}

/// A ciphertext is longer than its message, or none.
fn decrypted(message: Result<Vec<u8>, Error>, bytes: &[u8]) {
    match message {
        Ok(message) => assert!(message.len() < bytes.len()),
        Err(Error::Malformed { .. }) => {}
        Err(other) => panic!("{other}"),
    }
}

/// Of `mr09-136`; all zeros, which keeps no secret.
fn regev_key() -> &'static regev::SecretKey {
    static KEY: OnceLock<regev::SecretKey> = OnceLock::new();
    KEY.get_or_init(|| regev::SecretKey::from_bytes(&[0; 1 + 136 * 136 * 11 / 8]).expect("136 columns"))
}

/// Of `ring-256`; zeros too.
fn lp11_key() -> &'static lp11::SecretKey {
    static KEY: OnceLock<lp11::SecretKey> = OnceLock::new();
    let mut bytes = [0; 1 + 256 * 13 / 8];
    bytes[0] = 4;
    KEY.get_or_init(|| lp11::SecretKey::from_bytes(&bytes).expect("256 coefficients"))
}
