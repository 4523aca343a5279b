//! Keys whose variant is known only at run time: [`EitherSigningKey`].

use super::bytes::variant_of;
use super::profile::Profile;
use super::public::PublicKey;
use super::secret::{B, Classic, SigningKey};
use super::set::Set;
use super::sign::{IsochronousSigner, Signer};
use super::signature::Signature;
use super::variant::Variant;
use crate::Error;
use alloc::vec::Vec;
use rand_core::CryptoRng;
use samplez_core::noise::Noise;
use zeroize::Zeroizing;

/// A signing key of either variant, as a command or another language holds it. The key in it still signs by its own variant alone.
///
/// ```
/// use samplez_core::samplers::du_wei::DuWei5;
/// use samplez_schemes::bliss::{EitherSigningKey, Hash, Profile, Set, Variant};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
/// let profile = Profile::Strongswan(Hash::Sha2_512);
/// let key = EitherSigningKey::generate(Set::I, Variant::B, &mut rng)?;
/// let again = EitherSigningKey::from_bytes(profile, &key.to_bytes(profile)?)?; // the bytes tell set and variant
/// assert_eq!((again.set(), again.variant()), (Set::I, Variant::B));
///
/// let noise = DuWei5::new(&again.set().noise_law())?;
/// let (signature, attempts) = again.sign_counted(profile, &noise, b"message", &mut rng)?;
/// again.public_key().verify(profile, b"message", &signature)?;
/// assert!(attempts >= 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum EitherSigningKey {
    /// Of classic BLISS.
    Classic(SigningKey<Classic>),
    /// Of BLISS-B.
    B(SigningKey<B>),
}

/// The same of whichever key it is.
macro_rules! either {
    ($self:expr, $key:ident => $body:expr) => {
        match $self {
            EitherSigningKey::Classic($key) => $body,
            EitherSigningKey::B($key) => $body,
        }
    };
}

impl EitherSigningKey {
    /// A new key.
    ///
    /// # Errors
    ///
    /// As [`SigningKey::generate`].
    ///
    /// ```
    /// use samplez_schemes::bliss::{EitherSigningKey, Set, Variant};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
    /// assert_eq!(EitherSigningKey::generate(Set::Toy, Variant::Classic, &mut rng)?.variant(), Variant::Classic);
    /// # Ok::<(), samplez_schemes::Error>(())
    /// ```
    pub fn generate(set: Set, variant: Variant, rng: &mut (impl CryptoRng + ?Sized)) -> Result<Self, Error> {
        match variant {
            Variant::Classic => SigningKey::generate(set, rng).map(Self::Classic),
            Variant::B => SigningKey::generate(set, rng).map(Self::B),
        }
    }

    /// The key with this encoding, of the variant that it states.
    ///
    /// # Errors
    ///
    /// As [`SigningKey::from_bytes`], but that either variant will do.
    ///
    /// ```
    /// use samplez_schemes::bliss::{EitherSigningKey, Profile};
    /// assert!(EitherSigningKey::from_bytes(Profile::Sri, &[1, 1, 0, 77]).is_err());
    /// ```
    pub fn from_bytes(profile: Profile, bytes: &[u8]) -> Result<Self, Error> {
        match variant_of(profile, bytes)? {
            Variant::Classic => SigningKey::from_bytes(profile, bytes).map(Self::Classic),
            Variant::B => SigningKey::from_bytes(profile, bytes).map(Self::B),
        }
    }

    /// The profile's encoding.
    ///
    /// # Errors
    ///
    /// As [`SigningKey::to_bytes`].
    pub fn to_bytes(&self, profile: Profile) -> Result<Zeroizing<Vec<u8>>, Error> {
        either!(self, key => key.to_bytes(profile))
    }

    /// The public key.
    pub const fn public_key(&self) -> &PublicKey {
        either!(self, key => key.public_key())
    }

    /// The set.
    pub const fn set(&self) -> Set {
        self.public_key().set()
    }

    /// The variant.
    pub const fn variant(&self) -> Variant {
        self.public_key().variant()
    }

    /// A signature of the message over this noise.
    ///
    /// # Errors
    ///
    /// As [`Signer::new`] and [`Signer::sign`].
    pub fn sign(
        &self,
        profile: Profile,
        noise: &dyn Noise,
        message: &[u8],
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Signature, Error> {
        self.sign_counted(profile, noise, message, rng).map(|(signature, _)| signature)
    }

    /// The same, and how many attempts it took.
    ///
    /// # Errors
    ///
    /// As [`sign`](Self::sign).
    pub fn sign_counted(
        &self,
        profile: Profile,
        noise: &dyn Noise,
        message: &[u8],
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<(Signature, u64), Error> {
        either!(self, key => Signer::new(key, profile, noise)?.sign_counted(message, rng))
    }

    /// A signature without a timing leak, and how many attempts it took, over noise without one.
    ///
    /// # Errors
    ///
    /// As [`IsochronousSigner::new`] and [`IsochronousSigner::sign`].
    ///
    /// ```
    /// use samplez_core::samplers::cdt_ct::CdtCt;
    /// use samplez_schemes::bliss::{EitherSigningKey, Profile, Set, Variant};
    /// use samplez_sources::{ChaCha20, Seed};
    /// use samplez_tables::{CdtOptions, build_cdt};
    /// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
    /// let key = EitherSigningKey::generate(Set::II, Variant::B, &mut rng)?;
    /// let noise = CdtCt::from_table(build_cdt(&Set::II.noise_law(), &CdtOptions::default())?)?;
    /// let (signature, _) = key.sign_isochronous(Profile::Sri, &noise, b"message", &mut rng)?;
    /// key.public_key().verify(Profile::Sri, b"message", &signature)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sign_isochronous(
        &self,
        profile: Profile,
        noise: &dyn Noise,
        message: &[u8],
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<(Signature, u64), Error> {
        either!(self, key => IsochronousSigner::new(key, profile, noise)?.sign_counted(message, rng))
    }
}
