//! Public keys and verification: [`PublicKey`].

use super::oracle::Oracle;
use super::profile::{Profile, Rounding};
use super::set::Set;
use super::signature::Signature;
use super::variant::Variant;
use crate::Error;
use crate::ring::Factor;
use alloc::vec::Vec;
use samplez_core::arch::fastest;

/// A public key: a_q = (2g + 1)/f.
///
/// Under [`Profile::Strongswan`](super::Profile::Strongswan) its bytes are a SubjectPublicKeyInfo in DER. Under the
/// other profiles they are our own. Three bytes for profile, set and variant come first. Then come the values of a_q at
/// ψ^(2k+1), k = 0, 1, …, 14 bits each (13 in set 0).
///
/// ```
/// use samplez_schemes::bliss::{Profile, PublicKey};
/// assert!(PublicKey::from_bytes(Profile::Sri, &[1, 1, 0, 77]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    pub(super) set: Set,
    pub(super) variant: Variant,
    /// a_q, transformed.
    pub(super) a: Vec<i16>,
    /// ζ·a_q modulo q, for ζ = 1/(q - 2) modulo 2q, which is -1/2 modulo q.
    pub(super) zeta_a: Factor,
}

impl PublicKey {
    /// The key with these values of a_q in the ring's own order.
    pub(super) fn from_slots(set: Set, variant: Variant, a: Vec<i16>) -> Self {
        let ring = set.parameters().ring;
        let zeta = alloc::vec![(ring.modulus() / 2) as i16; a.len()]; // (q - 1)/2 = -1/2
        let mut zeta_a = a.clone();
        ring.multiply(&mut zeta_a, &zeta);
        PublicKey { set, variant, a, zeta_a: Factor::new(ring, &zeta_a) }
    }

    /// Returns the set.
    pub const fn set(&self) -> Set {
        self.set
    }

    /// Which signer the key was made for.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Verifies: the norms of (z₁, 2^d z₂†), and c = H(⌊ζ·2a_q·z₁ + q·c⌉_d + z₂† mod p, μ).
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] unless `signature` is one of `message` under this key and profile; [`Error::Refused`] if
    /// the profile does not support the key's set.
    pub fn verify(&self, profile: Profile, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_rounded(profile, profile.rounding(), message, signature)
    }

    fn verify_rounded(
        &self,
        profile: Profile,
        rounding: Rounding,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        profile.supports(self.set)?;
        let set = self.set.parameters();
        let (norm, max_norm) = profile.norms(self.set);
        if signature.set != self.set || !is_short(&signature.z1, &signature.z2, set.d, norm, max_norm) {
            return Err(Error::Invalid);
        }
        let mut product = signature.z1.clone();
        self.zeta_a.multiply(&mut product);
        let mut u = alloc::vec![0; set.n()];
        fastest(
            #[inline(always)]
            || {
                doubled(set.q(), &product, &mut u);
                for i in &signature.challenge {
                    let u = &mut u[usize::from(*i)];
                    *u += if *u >= set.q() { -set.q() } else { set.q() };
                }
                rounding.round_all(set, &mut u);
                for (u, z2) in u.iter_mut().zip(&signature.z2) {
                    let sum = *u + i32::from(*z2);
                    *u = sum + if sum < 0 { set.p } else { 0 } - if sum >= set.p { set.p } else { 0 };
                }
            },
        );
        let mut oracle = Oracle::new(profile, set, message);
        if oracle.challenge(&u, &mut ()) == signature.challenge { Ok(()) } else { Err(Error::Invalid) }
    }
}

/// u ← 2w modulo 2q, between 0 and 2q - 1. No branch, as in all that the signer without branches shares with others.
#[inline(always)]
pub(super) fn doubled(q: i32, w: &[i16], u: &mut [i32]) {
    for (u, w) in u.iter_mut().zip(w) {
        *u = 2 * (i32::from(*w) + (i32::from(*w >> 15) & q));
    }
}

/// Whether (z₁, 2^d z₂†) keeps to the bounds of its norms. That of ‖·‖_∞ is at most [`CUT`].
pub(super) fn is_short(z1: &[i16], z2: &[i16], d: u32, norm: i64, max_norm: i32) -> bool {
    fastest(
        #[inline(always)]
        || {
            let ([square1, square2], [largest1, largest2]) = ([squares(z1), squares(z2)], [largest(z1), largest(z2)]);
            (square1 + (square2 << (2 * d)) <= norm) & (largest1.max(largest2 << d) <= max_norm)
        },
    )
}

#[inline(always)]
fn largest(z: &[i16]) -> i32 {
    z.iter().fold(0, |largest, z| largest.max(i32::from(*z).abs()))
}

/// The number that [`squares`] takes in place of a larger |z|.
const CUT: i32 = 1 << 12;

const _: () = {
    let mut i = 0;
    while i < Set::ALL.len() {
        assert!(Set::ALL[i].parameters().max_norm <= CUT);
        i += 1;
    }
};

/// ‖z‖² if no |z| is above the cut, else what does not matter. 64 terms are at most 2^30.
#[inline(always)]
fn squares(z: &[i16]) -> i64 {
    let square = |z: &i16| i32::from(*z).abs().min(CUT).pow(2);
    z.chunks(64).map(|z| i64::from(z.iter().map(square).sum::<i32>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bliss::Certificate;

    /// A foreign signature under the other rounding: the set is IV, where one in seven would pass by chance.
    #[test]
    fn foreign_signatures_fail_under_the_other_rounding() {
        let ca = Certificate::from_der(include_bytes!("../../../../kat/bliss/caCert.der")).unwrap();
        let carol = Certificate::from_der(include_bytes!("../../../../kat/bliss/carolCert.der")).unwrap();
        let profile = Profile::Strongswan;
        for (signed, bytes) in [&ca, &carol].map(|of| (&of.signed, &of.signature)) {
            let signature = Signature::from_bytes(profile, Set::IV, bytes).unwrap();
            let under = |rounding| ca.public_key.verify_rounded(profile, rounding, signed, &signature);
            assert_eq!((under(Rounding::From0), under(Rounding::Centred)), (Ok(()), Err(Error::Invalid)));
        }
    }

    /// As long as the bounds allow is short, by one more is not: ‖(z₁, 2^d z₂†)‖² = 3² + 4² + 4·(1² + 5²) = 129; the largest is 10.
    #[test]
    fn the_bounds_are_short_themselves() {
        let (z1, z2) = ([3, -4, 0], [1, -5, 0]);
        let short = |norm, max_norm| is_short(&z1, &z2, 1, norm, max_norm);
        assert_eq!((short(129, 10), short(128, 10), short(129, 9)), (true, false, false));
        // In z₁ alone, and at the largest |z| that a bound may have.
        let short = |norm, max_norm| is_short(&[-CUT as i16], &[0], 1, norm, max_norm);
        assert_eq!((short(1 << 24, CUT), short((1 << 24) - 1, CUT), short(1 << 24, CUT - 1)), (true, false, false));
    }
}
