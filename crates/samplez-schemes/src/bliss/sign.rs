//! Signing: [`Signer`], and [`IsochronousSigner`].

mod isochronous;
#[cfg(test)]
mod law;
mod steps;

pub use isochronous::IsochronousSigner;

use super::challenge::add_signed;
use super::oracle::Oracle;
use super::profile::Profile;
use super::public::is_short;
use super::secret::SigningKey;
use super::set::Parameters;
use super::signature::Signature;
use super::variant::Variant;
use crate::Error;
use crate::wipe::ErasedVec;
use core::fmt;
use rand_core::{CryptoRng, Rng};
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::{ExpCoin, Noise};
use steps::{commit, compress, products};

/// A key, a profile and a sampler for the noise: signs.
///
/// ```
/// use samplez_core::samplers::DuWei5;
/// use samplez_schemes::bliss::{Profile, Set, Signer, SigningKey, Variant};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
/// let key = SigningKey::generate(Set::I, Variant::B, &mut rng)?;
/// let noise = DuWei5::new(&Set::I.demand().law)?; // or any other sampler of this law
/// let profile = Profile::Strongswan;
/// let (signature, _) = Signer::new(&key, profile, &noise)?.sign(b"message", &mut rng)?;
/// key.public_key().verify(profile, b"message", &signature)?;
/// assert!(key.public_key().verify(profile, b"massage", &signature).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Signer<'a> {
    key: &'a SigningKey,
    profile: Profile,
    noise: &'a dyn Noise,
    fits: bool,
    coin: ExpCoin,
    rule: Rule,
}

/// How attempts are accepted.
#[derive(Clone, Copy)]
enum Rule {
    /// As the scheme defines it.
    Exact,
    /// A fault that a test plants: whether the sign is drawn, and the acceptance by ‖v‖², ⟨z,v⟩ and 53 bits.
    #[cfg(test)]
    Planted { signed: bool, accept: fn(&Parameters, i64, i64, u64) -> bool },
}

impl fmt::Debug for Signer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").field("key", &self.key).field("profile", &self.profile).finish_non_exhaustive()
    }
}

/// The scratch of an attempt; erased.
struct Attempt {
    y1: ErasedVec<i16>,
    y2: ErasedVec<i16>,
    v1: ErasedVec<i16>,
    v2: ErasedVec<i16>,
    wide: ErasedVec<i32>,
    u: ErasedVec<i32>,
    rounded: ErasedVec<i32>,
}

impl<'a> Signer<'a> {
    /// Builds a signer over this noise.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the profile does not support the key's set, or if the noise does not meet the set's
    /// [requirement](super::Set::demand). It then has another law, or a certificate that does not allow the samples of
    /// 2^48 signatures.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, samplers::Karney};
    /// use samplez_schemes::bliss::{Profile, Set, Signer, SigningKey, Variant};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let key = SigningKey::generate(Set::I, Variant::B, &mut ChaCha20::new(&Seed::from_bytes([1; 32])))?;
    /// let other = Karney::new(&DiscreteGaussian::with_sigma("215".parse()?)?)?;
    /// let error = Signer::new(&key, Profile::Sri, &other).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "noise = D_Z(sigma = 215, center = 0): its law must be D_Z(sigma = 254 sqrt(1/(2 ln 2)), center = 0)"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(key: &'a SigningKey, profile: Profile, noise: &'a dyn Noise) -> Result<Self, Error> {
        profile.supports(key.set())?;
        key.set().demand().check(noise)?;
        Self::over(key, profile, noise, Rule::Exact)
    }

    fn over(key: &'a SigningKey, profile: Profile, noise: &'a dyn Noise, rule: Rule) -> Result<Self, Error> {
        let width = key.set().noise_law().width();
        let coin = ExpCoin::of_width(width).map_err(|e| Error::refused("set", key.set(), e))?;
        Ok(Signer { key, profile, noise, fits: noise.fits::<i16>(), coin, rule })
    }

    /// Signs a message, and returns the signature with the number of attempts.
    ///
    /// # Law
    ///
    /// If the noise is D_{Z,σ} and the generator's bits are ideal, z₁ and z₂ are D_{Z,σ}, given that they keep to the
    /// norms. They are then independent of the key and of c.
    ///
    /// # Errors
    ///
    /// [`Error::Generator`] if the generator is stuck.
    ///
    /// ```
    /// use samplez_core::samplers::DuWei5;
    /// use samplez_schemes::bliss::{Profile, Set, Signer, SigningKey, Variant};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
    /// let (key, noise) = (SigningKey::generate(Set::III, Variant::B, &mut rng)?, DuWei5::new(&Set::III.demand().law)?);
    /// let (signature, _) = Signer::new(&key, Profile::Sri, &noise)?.sign(b"message", &mut rng)?;
    /// assert_eq!(signature.parts().2.len(), 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sign(&self, message: &[u8], rng: &mut (impl CryptoRng + ?Sized)) -> Result<(Signature, u64), Error> {
        self.sign_observed(message, rng, |_, _| ())
    }

    /// A signature, its attempts, and a look at (z₁, z₂) and v of the accepted one.
    fn sign_observed(
        &self,
        message: &[u8],
        rng: &mut (impl CryptoRng + ?Sized),
        mut look: impl FnMut([&[i16]; 2], [&[i16]; 2]),
    ) -> Result<(Signature, u64), Error> {
        let set = self.key.set().parameters();
        let n = set.n();
        let mut oracle = Oracle::new(self.profile, set, message);
        let words = || ErasedVec::zeros(n);
        let wide = || ErasedVec::zeros(n);
        let mut scratch = Attempt {
            y1: words(),
            y2: words(),
            v1: words(),
            v2: words(),
            wide: if self.fits { ErasedVec::default() } else { wide() },
            u: wide(),
            rounded: wide(),
        };
        let mut reader = BitReader::new(rng).latching();
        let bits: &mut BitReader<dyn Rng + '_> = &mut reader;
        let mut attempts = 1;
        loop {
            if let Some(signature) = self.attempt(set, &mut oracle, &mut scratch, bits) {
                look([&scratch.y1, &scratch.y2], [&scratch.v1, &scratch.v2]);
                return bits.fault().map_or(Ok((signature, attempts)), |fault| Err(Error::Generator(fault)));
            }
            attempts += 1;
        }
    }

    fn attempt(
        &self,
        set: &'static Parameters,
        oracle: &mut Oracle,
        scratch: &mut Attempt,
        bits: &mut BitReader<dyn Rng + '_>,
    ) -> Option<Signature> {
        let Attempt { y1, y2, v1, v2, wide, u, rounded } = scratch;
        // step 1
        if !(self.draw(y1, wide, bits) && self.draw(y2, wide, bits)) {
            return None;
        }
        // steps 2 and 3
        let rounding = self.profile.rounding();
        commit(self.key.public_key(), rounding, [y1, y2], v1, u, rounded);
        let challenge = oracle.challenge(rounded, &mut ());
        // step 4
        match self.key.public_key().variant() {
            Variant::Classic => self.key.secret.times(&challenge, v1, v2),
            Variant::B => self.key.secret.greedy(&challenge, v1, v2, add_signed),
        }
        // step 5: z takes y's place.
        let minus = match self.rule {
            Rule::Exact => bits.bit(),
            #[cfg(test)]
            Rule::Planted { signed, .. } => signed && bits.bit(),
        };
        add_signed(y1, v1, -i16::from(minus));
        add_signed(y2, v2, -i16::from(minus));
        // step 6
        let (square, along) = products([y1, y2], [v1, v2]);
        if !self.accepts(set, square, along, bits) {
            return None;
        }
        // step 7
        let mut z2 = alloc::vec![0; set.n()];
        compress(set, rounding, rounded, u, y2, &mut z2);
        // step 8
        let (norm, max_norm) = self.profile.norms(self.key.set());
        is_short(y1, &z2, set.d, norm, max_norm).then(|| Signature {
            set: self.key.set(),
            z1: y1.to_vec(),
            z2,
            challenge,
        })
    }

    /// Fills y with noise, unless a sample does not fit 16 bits: then the attempt is over. |y| >= 2^15 has
    /// probability below 2^-10000 in every set.
    fn draw(&self, y: &mut [i16], wide: &mut [i32], bits: &mut BitReader<dyn Rng + '_>) -> bool {
        if self.fits {
            return self.noise.fill(bits, y).is_ok();
        }
        if self.noise.fill(bits, wide).is_err() {
            return false;
        }
        for (y, wide) in y.iter_mut().zip(wide.iter()) {
            *y = *wide as i16;
        }
        wide.iter().all(|wide| i16::try_from(*wide).is_ok())
    }

    /// True with probability 1/(M·exp(-‖v‖²/2σ²)·cosh(⟨z,v⟩/σ²)), for M = exp(e/2σ²): e^(-(e - ‖v‖²)/2σ²) and
    /// 1/cosh(2⟨z,v⟩/2σ²). e >= ‖v‖² because the classic key's N_κ is below its limit, and ‖S‖²κ <= P_max.
    fn accepts(&self, set: &Parameters, square: i64, along: i64, bits: &mut BitReader<dyn Rng + '_>) -> bool {
        let exponent = match self.key.public_key().variant() {
            Variant::Classic => set.classic_exponent,
            Variant::B => set.b_exponent,
        };
        debug_assert!(square <= i64::from(exponent));
        match self.rule {
            Rule::Exact => {
                let rest = i64::from(exponent).abs_diff(square);
                self.coin.exp_vartime(rest, bits) && self.coin.sech_vartime(2 * along.unsigned_abs(), bits)
            }
            #[cfg(test)]
            Rule::Planted { accept, .. } => accept(set, square, along, bits.bits(53)),
        }
    }
}
