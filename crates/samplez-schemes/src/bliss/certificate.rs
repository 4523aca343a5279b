//! X.509 certificates, as far as it takes to verify who signed one: [`Certificate`].

use super::bytes::strongswan::{read_hash, read_public_key};
use super::profile::{Hash, Profile};
use super::public::PublicKey;
use super::signature::Signature;
use crate::Error;
use crate::encode::der::{self, Reader};
use alloc::vec::Vec;

/// A certificate that holds a BLISS key and is signed by one.
///
/// What is looked at are names, key and signature. Dates, extensions and whether the issuer may issue are not: this verifies a
/// signature, and validates no path.
///
/// ```
/// use samplez_schemes::bliss::Certificate;
/// let error = Certificate::from_der(b"no certificate").unwrap_err();
/// assert_eq!(error.to_string(), "malformed certificate: it ends too early");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    signed: Vec<u8>,
    issuer: Vec<u8>,
    subject: Vec<u8>,
    key: PublicKey,
    hash: Hash,
    signature: Vec<u8>,
}

impl Certificate {
    /// Reads a certificate.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] unless it is DER throughout what is looked at, and key and signature algorithm are BLISS's.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        let mut all = Reader::new("certificate", bytes);
        let (_, mut certificate) = all.nested(der::SEQUENCE)?;
        all.finish()?;
        let (signed, mut body) = certificate.nested(der::SEQUENCE)?;
        let (_, algorithm) = certificate.nested(der::SEQUENCE)?;
        let hash = read_hash(algorithm)?;
        let signature = certificate.bit_string()?.to_vec();
        certificate.finish()?;

        if body.is_next(0xa0) {
            body.value(0xa0)?; // version
        }
        body.value(der::INTEGER)?; // serial number
        let (_, algorithm) = body.nested(der::SEQUENCE)?;
        if read_hash(algorithm)? != hash {
            return Err(body.error("two different signature algorithms"));
        }
        let (issuer, _) = body.nested(der::SEQUENCE)?;
        body.value(der::SEQUENCE)?; // validity
        let (subject, _) = body.nested(der::SEQUENCE)?;
        let (key, _) = body.nested(der::SEQUENCE)?;
        let key = read_public_key(key)?;
        for tag in [0x81, 0x82, 0xa3] {
            if body.is_next(tag) {
                body.value(tag)?; // unique identifiers, extensions
            }
        }
        body.finish()?;
        Ok(Certificate {
            signed: signed.to_vec(),
            issuer: issuer.to_vec(),
            subject: subject.to_vec(),
            key,
            hash,
            signature,
        })
    }

    /// The subject's key.
    pub const fn public_key(&self) -> &PublicKey {
        &self.key
    }

    /// The hash of its signature's algorithm.
    pub const fn hash(&self) -> Hash {
        self.hash
    }

    /// The issuer's name, in DER.
    pub fn issuer(&self) -> &[u8] {
        &self.issuer
    }

    /// The subject's name, in DER.
    pub fn subject(&self) -> &[u8] {
        &self.subject
    }

    /// The bytes that are signed, and their signature.
    pub fn signed(&self) -> (&[u8], &[u8]) {
        (&self.signed, &self.signature)
    }

    /// That it is signed by the key of that certificate, under its name.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if it is not; [`Error::Malformed`] if its signature is none of the issuer's set.
    pub fn verify(&self, issuer: &Certificate) -> Result<(), Error> {
        if self.issuer != issuer.subject {
            return Err(Error::Invalid);
        }
        let profile = Profile::Strongswan(self.hash);
        let signature = Signature::from_bytes(profile, issuer.key.set, &self.signature)?;
        issuer.key.verify(profile, &self.signed, &signature)
    }
}
