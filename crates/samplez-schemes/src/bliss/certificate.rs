//! X.509 certificates, as far as it takes to verify who signed one: [`Certificate`].

use super::bytes::strongswan::{read_profile, read_public_key};
use super::profile::Profile;
use super::public::PublicKey;
use super::signature::Signature;
use crate::Error;
use crate::encode::der::{self, Reader};
use alloc::vec::Vec;

/// A certificate that holds a BLISS key and is signed by one.
///
/// It checks names, key and signature. It does not check dates, extensions and whether the issuer may issue: this
/// verifies a signature, and validates no path.
///
/// ```
/// use samplez_schemes::bliss::Certificate;
/// let error = Certificate::from_der(b"no certificate").unwrap_err();
/// assert_eq!(error.to_string(), "malformed certificate: it ends too early");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Certificate {
    /// The bytes that are signed.
    pub signed: Vec<u8>,
    /// Their signature, under the issuer's key.
    pub signature: Vec<u8>,
    /// The profile of the signature: strongSwan's, with the hash of its algorithm.
    pub profile: Profile,
    /// The issuer's name, in DER.
    pub issuer: Vec<u8>,
    /// The subject's name, in DER.
    pub subject: Vec<u8>,
    /// The subject's key.
    pub public_key: PublicKey,
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
        let profile = read_profile(algorithm)?;
        let signature = certificate.bit_string()?.to_vec();
        certificate.finish()?;

        if body.is_next(0xa0) {
            body.value(0xa0)?; // version
        }
        body.value(der::INTEGER)?; // serial number
        let (_, algorithm) = body.nested(der::SEQUENCE)?;
        if read_profile(algorithm)? != profile {
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
            public_key: key,
            profile,
            signature,
        })
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
        let signature = Signature::from_bytes(self.profile, issuer.public_key.set, &self.signature)?;
        issuer.public_key.verify(self.profile, &self.signed, &signature)
    }
}
