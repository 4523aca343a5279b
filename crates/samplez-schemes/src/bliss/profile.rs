//! The choices that the paper leaves open, named together: rounding, challenge oracle, encoding.

use super::set::{Parameters, Set};
use crate::Error;
use alloc::format;
use core::fmt;
use core::str::FromStr;

/// How a signature's bits are made and written where the paper leaves it open. Signatures of one profile are none under
/// another. The roundings differ on 24, 48 or 96 of 24578 residues. A signature survives the other rounding alone with
/// probability about 0.61, 0.37 or 0.14.
///
/// | profile | rounded | challenge from | order of its indices | encoding | confirmed |
/// |---|---|---|---|---|---|
/// | `Strongswan` and others | in \[0, 2q) | MGF1 with SHA-512 over the message's hash and u, 16 bits each, high byte first; 9 bits an index | as drawn | strongSwan's, DER | by foreign certificates, with SHA-512 |
/// | `Sri` | in \[-q, q) | SHA3-512 over the message's SHA3-512 and u, low byte first, whose last byte is counted up | ascending | our own | **no** |
/// | `Hila` | in \[0, 2q) | SHA3-512 over the message's SHA3-512, u and a counter, high byte first; 16 bits an index | ascending | our own | **no** |
///
/// The two unconfirmed ones follow a description of the reference code of \[DDLL13\]'s authors (`Sri`) and of another
/// library (`Hila`). Nobody has given vectors, and their encodings are ours. They promise only that this library
/// verifies its own signatures.
///
/// ```
/// use samplez_schemes::bliss::{Profile, Set};
/// assert!(Profile::Hila.supports(Set::Toy).is_ok());
/// let refused = Profile::Strongswan.supports(Set::Toy).unwrap_err();
/// assert_eq!(refused.to_string(), "set = 0: profile strongswan allows I to IV");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// As strongSwan 5, with SHA-512, the hash of the foreign certificates.
    Strongswan,
    /// With SHA-384.
    StrongswanSha2_384,
    /// With SHA-256.
    StrongswanSha2_256,
    /// With SHA3-512.
    StrongswanSha3_512,
    /// With SHA3-384.
    StrongswanSha3_384,
    /// With SHA3-256.
    StrongswanSha3_256,
    /// As the paper's own code, unconfirmed.
    Sri,
    /// As hilabliss, unconfirmed.
    Hila,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Profile; 8] = [
        Profile::Strongswan,
        Profile::StrongswanSha2_384,
        Profile::StrongswanSha2_256,
        Profile::StrongswanSha3_512,
        Profile::StrongswanSha3_384,
        Profile::StrongswanSha3_256,
        Profile::Sri,
        Profile::Hila,
    ];

    /// strongSwan's profiles, in the order of their hashes' object identifiers.
    pub(super) const STRONGSWAN: &'static [Profile] = Profile::ALL.split_at(6).0;

    /// `strongswan`, which is with SHA-512, `strongswan-sha3-256` and the like, `sri` or `hila`.
    pub const fn name(self) -> &'static str {
        match self {
            Profile::Strongswan => "strongswan",
            Profile::StrongswanSha2_384 => "strongswan-sha2-384",
            Profile::StrongswanSha2_256 => "strongswan-sha2-256",
            Profile::StrongswanSha3_512 => "strongswan-sha3-512",
            Profile::StrongswanSha3_384 => "strongswan-sha3-384",
            Profile::StrongswanSha3_256 => "strongswan-sha3-256",
            Profile::Sri => "sri",
            Profile::Hila => "hila",
        }
    }

    /// Checks that the profile defines signatures under this set.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for BLISS-0 under any profile but `hila`.
    ///
    /// ```
    /// use samplez_schemes::bliss::{Profile, Set};
    /// assert!(Profile::Sri.supports(Set::Toy).is_err());
    /// ```
    pub fn supports(self, set: Set) -> Result<(), Error> {
        if set == Set::Toy && self != Profile::Hila {
            return Err(Error::refused("set", set, format!("profile {self} allows I to IV")));
        }
        Ok(())
    }

    /// Returns the largest norms that a signature may have: the square of ‖(z₁, 2^d z₂†)‖₂, and ‖·‖_∞. strongSwan's
    /// comparisons are strict. Its bound of ±z₁ in set I is the largest that its code can write.
    pub(super) fn norms(self, set: Set) -> (i64, i32) {
        let Parameters { norm, max_norm, .. } = *set.parameters();
        match self {
            Profile::Sri | Profile::Hila => (norm * norm, max_norm),
            _ => (norm * norm - 1, if set == Set::I { 2046 } else { max_norm - 1 }),
        }
    }

    pub(super) const fn rounding(self) -> Rounding {
        match self {
            Profile::Sri => Rounding::Centred,
            _ => Rounding::From0,
        }
    }
}

/// The residues modulo 2q that ⌊·⌉_d takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    /// 0 … 2q-1.
    From0,
    /// -q … q-1.
    Centred,
}

impl Rounding {
    /// ⌊x⌉_d modulo p for each x in 0 … 2q-1, written in their place.
    #[inline(always)]
    pub(super) fn round_all(self, set: &Parameters, values: &mut [i32]) {
        let (q, p, d, half) = (set.q(), set.p, set.d, 1 << (set.d - 1));
        let below = if self == Rounding::Centred { 2 * q } else { 0 };
        for x in values {
            let is_above = !((*x - q) >> 31); // all ones, or 0
            let rounded = (*x - (is_above & below) + half) >> d;
            let from_0 = rounded + (rounded >> 31 & p) - p;
            *x = from_0 + (from_0 >> 31 & p);
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Profile {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Profile::ALL.into_iter().find(|profile| profile.name() == text);
        found.ok_or_else(|| {
            let hashes = "-sha2-384, -sha2-256, -sha3-512, -sha3-384 or -sha3-256";
            Error::refused("profile", text, format!("expected strongswan, the same with {hashes}, sri or hila"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    #[test]
    fn names_are_read_back() {
        for profile in Profile::ALL {
            assert_eq!(profile.name().parse(), Ok(profile));
        }
        for text in ["", "Sri", "strongswan-sha2-512", "strongswan-", "sri "] {
            let error = text.parse::<Profile>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("profile = {text}: expected strongswan")), "{error}");
        }
    }

    #[test]
    fn the_roundings_differ_on_the_stated_residues() {
        for (set, count, of) in
            [(Set::Toy, 480, 15_362), (Set::I, 24, 24_578), (Set::III, 48, 24_578), (Set::IV, 96, 24_578)]
        {
            let s = set.parameters();
            let (mut a, mut b): (Vec<i32>, Vec<i32>) = ((0..of).collect(), (0..of).collect());
            Rounding::Centred.round_all(s, &mut a);
            Rounding::From0.round_all(s, &mut b);
            assert_eq!(a.iter().zip(&b).filter(|(a, b)| a != b).count(), count, "{set}");
            assert!(a.iter().chain(&b).all(|x| (0..s.p).contains(x)));
        }
    }
}
