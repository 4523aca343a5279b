//! Signatures: [`Signature`].

use super::set::Set;
use alloc::vec::Vec;

/// A signature (z₁, z₂†, c) under a set.
///
/// Under [`Profile::Strongswan`](super::Profile::Strongswan) its bytes are strongSwan's. Under the other profiles they
/// are our own:
///
/// - two bytes for profile and set;
/// - z₁ in 13 bits (set I), 12 (II to IV) or 11 (0), two's complement;
/// - all of z₂† likewise in as many bits as ⌊B_∞/2^d⌋ takes;
/// - c's indices in ascending order, 9 bits each (8 in set 0).
///
/// ```
/// use samplez_schemes::bliss::{Profile, Set, Signature};
/// assert!(Signature::from_bytes(Profile::Hila, Set::I, &[2, 1, 0]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub(super) set: Set,
    pub(super) z1: Vec<i16>,
    pub(super) z2: Vec<i16>,
    /// c's indices, none twice; in the profile's order.
    pub(super) challenge: Vec<u16>,
}

impl Signature {
    /// Returns the set.
    pub const fn set(&self) -> Set {
        self.set
    }

    /// Returns (z₁, z₂†, c): z₁ in full, z₂ without its lower bits, and the indices at which the challenge is 1.
    ///
    /// ```
    /// use samplez_core::samplers::DuWei5;
    /// use samplez_schemes::bliss::{Profile, Set, Signer, SigningKey, Variant};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
    /// let (key, noise) = (SigningKey::generate(Set::I, Variant::B, &mut rng)?, DuWei5::new(&Set::I.demand().law)?);
    /// let (signature, _) = Signer::new(&key, Profile::Sri, &noise)?.sign(b"message", &mut rng)?;
    /// let (z1, z2, challenge) = signature.parts();
    /// assert!(z1.iter().all(|z| z.abs() <= 2100)); // B_inf
    /// assert!(z2.iter().all(|z| z.abs() <= 2)); // B_inf/2^d
    /// assert_eq!(challenge.len(), 23);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parts(&self) -> (&[i16], &[i16], &[u16]) {
        (&self.z1, &self.z2, &self.challenge)
    }
}
