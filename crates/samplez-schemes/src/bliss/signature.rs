//! Signatures: [`Signature`].

use super::set::Set;
use alloc::vec::Vec;

/// A signature (z₁, z₂†, c) under a set.
///
/// Under [`Profile::Strongswan`](super::Profile::Strongswan) its bytes are strongSwan's. Under the other profiles they are our own: two bytes for profile and set,
/// z₁ in 13 bits (set I), 12 (II to IV) or 11 (0), two's complement, all of z₂† likewise in as many bits as
/// ⌊B_∞/2^d⌋ takes, then c's indices in ascending order, 9 bits each (8 in set 0).
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
    /// The set.
    ///
    /// ```
    /// use samplez_core::samplers::du_wei::DuWei5;
    /// use samplez_schemes::bliss::{B, Profile, Set, Signer, SigningKey};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
    /// let (key, noise) = (SigningKey::<B>::generate(Set::I, &mut rng)?, DuWei5::new(&Set::I.noise_law())?);
    /// let signature = Signer::new(&key, Profile::Sri, &noise)?.sign(b"message", &mut rng)?;
    /// assert_eq!((signature.set(), signature.challenge().len()), (Set::I, 23));
    /// assert!(signature.z1().iter().all(|z| z.abs() <= 2100)); // B_inf
    /// assert!(signature.z2_compressed().iter().all(|z| z.abs() <= 2)); // B_inf/2^d
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn set(&self) -> Set {
        self.set
    }

    /// z₁, the half that is sent in full.
    pub fn z1(&self) -> &[i16] {
        &self.z1
    }

    /// z₂†, of which the lower bits are dropped.
    pub fn z2_compressed(&self) -> &[i16] {
        &self.z2
    }

    /// The indices at which the challenge c is 1.
    pub fn challenge(&self) -> &[u16] {
        &self.challenge
    }
}
