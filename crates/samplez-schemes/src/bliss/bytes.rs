//! Keys and signatures to bytes and back, each in the one way that its profile has.

mod fields;
mod huffman;
mod own;
pub(super) mod strongswan;

use self::fields::KeyParts;
use super::profile::Profile;
use super::public::PublicKey;
use super::secret::SigningKey;
use super::set::Set;
use super::signature::Signature;
use crate::Error;
use alloc::vec::Vec;
use zeroize::Zeroizing;

impl Signature {
    /// Returns the profile's encoding.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the profile has no encoding for this set, or, under `strongswan`, none for a signature of
    /// this size. A signature that was made under the same profile always has one.
    ///
    /// ```
    /// use samplez_core::samplers::DuWei5;
    /// use samplez_schemes::bliss::{Profile, Set, Signature, Signer, SigningKey, Variant};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
    /// let (key, noise) = (SigningKey::generate(Set::I, Variant::B, &mut rng)?, DuWei5::new(&Set::I.demand().law)?);
    /// let profile = Profile::Strongswan;
    /// let (signature, _) = Signer::new(&key, profile, &noise)?.sign(b"message", &mut rng)?;
    /// let bytes = signature.to_bytes(profile)?;
    /// assert!(bytes.len() < 850); // depends on the signature
    /// assert_eq!(Signature::from_bytes(profile, Set::I, &bytes)?, signature);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self, profile: Profile) -> Result<Vec<u8>, Error> {
        profile.supports(self.set)?;
        match profile {
            Profile::Sri | Profile::Hila => own::write_signature(profile, self),
            _ => strongswan::write_signature(self),
        }
    }

    /// Reads a signature from its encoding. It is not verified.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for whatever is not the one encoding of a signature under this profile and set;
    /// [`Error::Refused`] if the profile has none for this set.
    ///
    /// ```
    /// use samplez_schemes::bliss::{Profile, Set, Signature};
    /// let error = Signature::from_bytes(Profile::Hila, Set::I, &[2, 1, 0]).unwrap_err();
    /// assert_eq!(error.to_string(), "malformed signature: it ends too early");
    /// ```
    pub fn from_bytes(profile: Profile, set: Set, bytes: &[u8]) -> Result<Self, Error> {
        profile.supports(set)?;
        match profile {
            Profile::Sri | Profile::Hila => own::read_signature(profile, set, bytes),
            _ => strongswan::read_signature(set, bytes),
        }
    }
}

impl PublicKey {
    /// Returns the profile's encoding.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the profile has none for this set.
    ///
    /// ```
    /// use samplez_schemes::bliss::{Profile, PublicKey, Set, SigningKey, Variant};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let key = SigningKey::generate(Set::IV, Variant::B, &mut ChaCha20::new(&Seed::from_bytes([1; 32])))?;
    /// let bytes = key.public_key().to_bytes(Profile::Sri)?;
    /// assert_eq!(bytes.len(), 3 + 512 * 14 / 8);
    /// assert_eq!(&PublicKey::from_bytes(Profile::Sri, &bytes)?, key.public_key());
    /// # Ok::<(), samplez_schemes::Error>(())
    /// ```
    pub fn to_bytes(&self, profile: Profile) -> Result<Vec<u8>, Error> {
        profile.supports(self.set)?;
        Ok(match profile {
            Profile::Sri | Profile::Hila => own::write_public_key(profile, self),
            _ => strongswan::write_public_key(self),
        })
    }

    /// Builds the key with this encoding.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for whatever is not the one encoding of a key under this profile.
    ///
    /// ```
    /// use samplez_schemes::bliss::{Profile, PublicKey};
    /// assert!(PublicKey::from_bytes(Profile::Sri, &[1, 1, 0, 77]).is_err());
    /// ```
    pub fn from_bytes(profile: Profile, bytes: &[u8]) -> Result<Self, Error> {
        match profile {
            Profile::Sri | Profile::Hila => own::read_public_key(profile, bytes),
            _ => strongswan::read_public_key(bytes),
        }
    }
}

impl SigningKey {
    /// Returns the profile's encoding.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the profile has none for this set.
    ///
    /// ```
    /// use samplez_schemes::bliss::{Profile, Set, SigningKey, Variant};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let key = SigningKey::generate(Set::Toy, Variant::B, &mut ChaCha20::new(&Seed::from_bytes([1; 32])))?;
    /// assert_eq!(key.to_bytes(Profile::Hila)?.len(), 3 + 2 * 256 * 3 / 8);
    /// assert!(key.to_bytes(Profile::Strongswan).is_err());
    /// # Ok::<(), samplez_schemes::Error>(())
    /// ```
    pub fn to_bytes(&self, profile: Profile) -> Result<Zeroizing<Vec<u8>>, Error> {
        profile.supports(self.set())?;
        Ok(match profile {
            Profile::Sri | Profile::Hila => own::write_signing_key(profile, self),
            _ => strongswan::write_signing_key(self),
        })
    }

    /// Reads a key, of the variant that its bytes state.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for bytes that are not the one encoding of a key under this profile. This includes
    ///
    /// - numbers of entries ±1 and ±2 that the set does not have;
    /// - an f without an inverse;
    /// - a classic key whose N_κ is above the limit;
    /// - a public key inside that is another's.
    ///
    /// ```
    /// use samplez_schemes::bliss::{Profile, SigningKey};
    /// assert!(SigningKey::from_bytes(Profile::Sri, &[1, 1, 0, 77]).is_err());
    /// ```
    pub fn from_bytes(profile: Profile, bytes: &[u8]) -> Result<Self, Error> {
        let malformed = |why| Error::malformed("signing key", why);
        let parts = read_signing_key(profile, bytes)?;
        let key = Self::from_parts(parts.set, parts.variant, &parts.f, &parts.g)
            .ok_or(malformed("f has no inverse, or N_kappa is above its limit"))?;
        if parts.slots.is_some_and(|slots| slots != key.public_key().a) {
            return Err(malformed("its public key is another key's"));
        }
        Ok(key)
    }
}

fn read_signing_key(profile: Profile, bytes: &[u8]) -> Result<KeyParts, Error> {
    match profile {
        Profile::Sri | Profile::Hila => own::read_signing_key(profile, bytes),
        _ => strongswan::read_signing_key(bytes),
    }
}
