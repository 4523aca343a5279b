//! Signing without a branch, an index or an address that depends on a secret: [`IsochronousSigner`].
//!
//! Paper: \[BBEFRT19\], whose idea it is: noise in constant time, and one comparison in place of coins. A draw is
//! compared with the acceptance's probability, computed by integers.
//!
//! | | |
//! |---|---|
//! | Law | that of [`Signer`](super::Signer) within a statistical distance of 2^-118: an attempt is accepted with the exact probability within 2^-120 of it |
//! | Noise | constant-time or isochronous, with a support of 16 bits |
//! | Bits | the noise's, and 257 an attempt |
//! | Timing | Isochronous: the number of attempts, and their challenges. Evidence: SECURITY.md |
//!
//! # What is public, and why it may be
//!
//! *The key, the set, the profile, the lengths, the noise's method and table.*
//!
//! *Whether an attempt is accepted in step 6.* Take any S and c; c is fixed before the sign and the draw. Then z is y +
//! v or y - v. So it has a chance of D(z)·exp(-‖v‖²/2σ²)·cosh(⟨z,v⟩/σ²), of which the acceptance leaves D(z)/M. Summed
//! over z that is 1/M (within 2^-120 of it): the number of attempts is geometric and independent of S, of c and of z.
//!
//! *Whether an accepted attempt keeps the norms.* That is a function of z₁, z₂, c and the public key, since u - z₂ =
//! ζ·2a_q·z₁ + qc; and z is D_{Z,σ}, independent of S.
//!
//! *The challenge c of each attempt, of rejected ones too.* It is public as the hash's bytes. Its indices may be
//! searched for repeats, and be indices of memory. The challenge of the last attempt is in the signature. The challenge
//! of a rejected one is H(w, μ) for the commitment w = ⌊u⌉_d mod p, which is never public. If H is a random oracle, c
//! is uniform and independent of everything else, S included, until somebody queries H for this w. By the paragraph
//! before last a rejection does not change that: it has the same probability for every c. So anyone who sees the
//! rejected c could have drawn them himself.
//!
//! The other assumption is that nobody guesses w. A guess could be tested against c, as it can with a signature, whose
//! w everybody computes. The entropy of w comes from 2n samples of some 7 to 10 bits each. The w, y and z of rejected
//! attempts must not leak: these with c would reveal S. They are erased.
//!
//! # What is not done
//!
//! Only time, branches and addresses are considered: no masking, nothing against power, emanation or faults. Products
//! of 64 bits are taken to be constant-time, as on any 64-bit processor of today.

use super::steps::{commit, compress, products};
use crate::Error;
use crate::bliss::acceptance::Acceptance;
use crate::bliss::oracle::Oracle;
use crate::bliss::probe::Probe;
use crate::bliss::profile::Profile;
use crate::bliss::public::is_short;
use crate::bliss::secret::SigningKey;
use crate::bliss::signature::Signature;
use crate::bliss::variant::Variant;
use crate::wipe::ErasedVec;
use core::fmt;
use rand_core::{CryptoRng, Rng};
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::{Noise, Timing};
use zeroize::Zeroizing;

/// A key, a profile and a sampler without a timing leak: signs without one.
///
/// Its signatures are those of [`Signer`](super::Signer), and verified like them. The running time reveals how many
/// attempts one took, and the challenges of all of them. Both are independent of the key.
///
/// A signature's distribution is not quite that of the exact acceptance over the same noise: in each attempt
/// |P - p| <= 2^-120·p + 2^-254. The statistical distance and R_∞ - 1 are at most 2^-118. R_2 - 1 is at most 2^-237,
/// R_256 - 1 at most 2^-230, and R_513 - 1 at most 2^-229. These bounds allow 2^200 signatures in a search problem at 128 bits.
/// They come on top of the certificate of the noise, of which a signature takes 2n samples an attempt.
///
/// ```
/// use samplez_core::samplers::CdtCt;
/// use samplez_schemes::bliss::{IsochronousSigner, Profile, Set, SigningKey, Variant};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_tables::{CdtOptions, build_cdt};
/// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
/// let key = SigningKey::generate(Set::II, Variant::B, &mut rng)?;
/// let noise = CdtCt::from_table(build_cdt(&Set::II.demand().law, &CdtOptions::default())?)?;
/// let profile = Profile::Strongswan;
/// let (signature, _) = IsochronousSigner::new(&key, profile, &noise)?.sign(b"message", &mut rng)?;
/// key.public_key().verify(profile, b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct IsochronousSigner<'a> {
    pub(super) key: &'a SigningKey,
    pub(super) profile: Profile,
    noise: &'a dyn Noise,
    acceptance: Acceptance,
}

impl fmt::Debug for IsochronousSigner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IsochronousSigner")
            .field("key", &self.key)
            .field("profile", &self.profile)
            .finish_non_exhaustive()
    }
}

/// The scratch of an attempt; erased.
struct Attempt {
    /// y₁ and y₂, then z₁ and z₂.
    y: ErasedVec<i16>,
    v: ErasedVec<i16>,
    u: ErasedVec<i32>,
    rounded: ErasedVec<i32>,
    z2: ErasedVec<i16>,
    uniform: Zeroizing<[u64; 4]>,
}

impl<'a> IsochronousSigner<'a> {
    /// Builds a signer over this noise.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the noise is variable-time, or its support does not fit 16 bits; and as
    /// [`Signer::new`](super::Signer::new).
    ///
    /// ```
    /// use samplez_core::samplers::DuWei5;
    /// use samplez_schemes::bliss::{IsochronousSigner, Profile, Set, SigningKey, Variant};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let key = SigningKey::generate(Set::I, Variant::B, &mut ChaCha20::new(&Seed::from_bytes([1; 32])))?;
    /// let noise = DuWei5::new(&Set::I.demand().law)?;
    /// let error = IsochronousSigner::new(&key, Profile::Sri, &noise).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "noise = D_Z(sigma = 254 sqrt(1/(2 ln 2)), center = 0): its timing must be constant or isochronous, and is variable"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(key: &'a SigningKey, profile: Profile, noise: &'a dyn Noise) -> Result<Self, Error> {
        profile.supports(key.set())?;
        key.set().demand().check(noise)?;
        let refused = |allowed| Err(Error::refused("noise", noise.profile().target, allowed));
        if noise.timing() == Timing::Variable {
            return refused("its timing must be constant or isochronous, and is variable");
        }
        if !noise.fits::<i16>() {
            return refused("its support must fit 16 bits, or it would show whether each sample does");
        }
        Ok(Self::over(key, profile, noise))
    }

    /// The same without a look at the noise.
    pub(super) fn over(key: &'a SigningKey, profile: Profile, noise: &'a dyn Noise) -> Self {
        IsochronousSigner { key, profile, noise, acceptance: Acceptance::new(key.set(), key.public_key().variant()) }
    }

    /// Signs a message, and returns the signature with the number of attempts, which is public.
    ///
    /// # Law
    ///
    /// If the noise is D_{Z,σ} and the generator's bits are ideal, z₁ and z₂ are D_{Z,σ}, given that they keep to the
    /// norms. They are then independent of the key and of c. Both hold within a statistical distance of 2^-118.
    ///
    /// # Errors
    ///
    /// [`Error::Generator`] if the generator is stuck, or the noise has condemned its bits.
    ///
    /// ```
    /// use samplez_core::samplers::ConvolutionCt;
    /// use samplez_schemes::bliss::{IsochronousSigner, Profile, Set, SigningKey, Variant};
    /// use samplez_sources::{ChaCha20, Seed};
    /// use samplez_tables::{ConvolutionOptions, build_convolution, parts};
    /// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
    /// let key = SigningKey::generate(Set::III, Variant::B, &mut rng)?;
    /// let table = build_convolution(&Set::III.demand().law, &ConvolutionOptions::constant_time())?;
    /// let parts = parts(table.base(), 1 << 20)?;
    /// let noise = ConvolutionCt::from_table(table, parts)?;
    /// let (signature, _) = IsochronousSigner::new(&key, Profile::Sri, &noise)?.sign(b"message", &mut rng)?;
    /// assert_eq!(signature.parts().2.len(), 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sign(&self, message: &[u8], rng: &mut (impl CryptoRng + ?Sized)) -> Result<(Signature, u64), Error> {
        self.signed(message, rng, &mut ())
    }

    /// As [`sign`](Self::sign), with a test's probe at each step.
    #[cfg(feature = "testing")]
    #[doc(hidden)] // for tests
    pub fn sign_probed(
        &self,
        message: &[u8],
        rng: &mut (impl CryptoRng + ?Sized),
        probe: &mut impl Probe,
    ) -> Result<(Signature, u64), Error> {
        self.signed(message, rng, probe)
    }

    pub(super) fn signed(
        &self,
        message: &[u8],
        rng: &mut (impl CryptoRng + ?Sized),
        probe: &mut impl Probe,
    ) -> Result<(Signature, u64), Error> {
        let set = self.key.set().parameters();
        let n = set.n();
        let mut oracle = Oracle::new(self.profile, set, message);
        let words = |count| ErasedVec::zeros(count);
        let wide = || ErasedVec::zeros(n);
        let mut scratch = Attempt {
            y: words(2 * n),
            v: words(2 * n),
            u: wide(),
            rounded: wide(),
            z2: words(n),
            uniform: Zeroizing::new([0; 4]),
        };
        let mut reader = BitReader::new(rng).latching();
        let bits: &mut BitReader<dyn Rng + '_> = &mut reader;
        probe.secret(self.key.secret.s1.shifted(n));
        probe.secret(self.key.secret.s1.shifted(0));
        probe.secret(self.key.secret.s2.shifted(n));
        probe.secret(self.key.secret.s2.shifted(0));
        let mut attempts = 1;
        loop {
            let signature = self.attempt(&mut oracle, &mut scratch, bits, probe);
            if let Some(fault) = bits.fault() {
                return Err(Error::Generator(fault));
            }
            if let Some(signature) = signature {
                return Ok((signature, attempts));
            }
            attempts += 1;
        }
    }

    /// Steps 1 to 8; each `probe.public` marks what becomes public.
    fn attempt(
        &self,
        oracle: &mut Oracle,
        scratch: &mut Attempt,
        bits: &mut BitReader<dyn Rng + '_>,
        probe: &mut impl Probe,
    ) -> Option<Signature> {
        let set = self.key.set().parameters();
        let Attempt { y, v, u, rounded, z2, uniform } = scratch;
        // step 1; the support fits.
        self.noise.fill(bits, y).ok()?;
        let ((y1, y2), (v1, v2)) = (y.split_at_mut(set.n()), v.split_at_mut(set.n()));
        // steps 2 and 3
        let rounding = self.profile.rounding();
        commit(self.key.public_key(), rounding, [y1, y2], v1, u, rounded);
        let challenge = oracle.challenge(rounded, probe);
        // step 4
        match self.key.public_key().variant() {
            Variant::Classic => self.key.secret.times(&challenge, v1, v2),
            Variant::B => self.key.secret.greedy(
                &challenge,
                v1,
                v2,
                #[inline(always)]
                |v, s, minus| probe.add_signed(v, s, minus),
            ),
        }
        // step 5: z takes y's place.
        let minus = -(bits.bits(1) as i16);
        #[cfg(test)]
        let minus = probe.sign(minus);
        probe.add_signed(y1, v1, minus);
        probe.add_signed(y2, v2, minus);
        // step 6
        let (square, along) = products([y1, y2], [v1, v2]);
        bits.words(&mut uniform[..]);
        let half = |i: usize| u128::from(uniform[i]) << 64 | u128::from(uniform[i + 1]);
        let accepted = probe.decide(&self.acceptance, square, along, [half(0), half(2)]);
        if probe.public(accepted) == 0 {
            return None;
        }
        // step 7
        compress(set, rounding, rounded, u, y2, z2);
        // step 8
        let (norm, max_norm) = self.profile.norms(self.key.set());
        if probe.public(u32::from(is_short(y1, z2, set.d, norm, max_norm))) == 0 {
            return None;
        }
        #[cfg(test)]
        probe.signed([y1, y2], [v1, v2]);
        let mut public = |z: &[i16]| z.iter().map(|z| probe.public(*z as u32) as i16).collect();
        Some(Signature { set: self.key.set(), z1: public(y1), z2: public(z2), challenge })
    }
}
