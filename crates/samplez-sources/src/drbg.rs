//! The deterministic random bit generators of \[SP800-90A\], for any mechanism: limits, counters, requests.
//!
//! | layer | is |
//! |---|---|
//! | [`Mechanism`] | the algorithm: [`CtrDrbg`](super::CtrDrbg) or [`HashDrbg`](super::HashDrbg) |
//! | [`Drbg`] | the standard's interface: instantiate, reseed, generate; every limit is checked here |
//! | [`Reseeding`] | a `Drbg` with its entropy: automatic reseeding, prediction resistance |
//! | [`DrbgStream`] | an endless stream of bytes from a `Drbg`, which cannot fail |

mod entropy;
mod error;
mod reseeding;
mod stream;

pub(crate) use entropy::Entropy;
pub use error::DrbgError;
pub use reseeding::{Reseeding, ReseedingError};
pub use stream::DrbgStream;

use super::Seed;
use core::convert::Infallible;
use core::fmt;
use core::ops::RangeInclusive;
use rand_core::{TryCryptoRng, TryRng};
use zeroize::ZeroizeOnDrop;

/// Bytes of one request: 2^19 bits (\[SP800-90A\], tables 2 and 3).
const REQUEST_BYTES: usize = 1 << 16;

/// Requests between seedings (\[SP800-90A\], tables 2 and 3).
const RESEED_INTERVAL: u64 = 1 << 48;

/// The longest input, in bytes. The standard allows 2^32; this bound keeps the derivation
/// function's 32-bit length, of three inputs, from overflowing.
pub(super) const INPUT_MAX: usize = 1 << 30;

/// Lengths of entropy that may hold 256 bits of it.
pub(super) const ENTROPY_RANGE: RangeInclusive<usize> = 32..=INPUT_MAX;

/// Half the security strength (\[SP800-90A\], §8.6.7).
const NONCE_MIN: usize = 16;

/// An algorithm of \[SP800-90A\]: [`CtrDrbg`](super::CtrDrbg) or [`HashDrbg`](super::HashDrbg),
/// nothing else.
pub trait Mechanism: Steps + ZeroizeOnDrop {}

/// A mechanism's algorithms, on inputs whose lengths are within its limits; sealed.
pub trait Steps: Sized {
    /// Bytes of one output block.
    const BLOCK: usize;
    /// The values that the end of a request needs from its beginning.
    type Request;

    fn instantiate(entropy: &[u8], nonce: &[u8], personalization: &[u8]) -> Self;
    /// If the entropy fails, the state is as before.
    fn reseed<E>(&mut self, entropy: Entropy<'_, E>, additional: &[u8]) -> Result<(), E>;
    /// Begins a request. Without additional input the state stays as it is.
    fn begin(&mut self, additional: &[u8]) -> Self::Request;
    /// The current request's output from block `first` on.
    fn blocks(&self, first: u64, out: &mut [u8]);
    /// Ends a request that used `blocks` blocks; `counter` is the number of requests since the
    /// seeding, this one included.
    fn finish(&mut self, request: Self::Request, blocks: u64, counter: u64);

    fn entropy_range(&self) -> RangeInclusive<usize>;
    fn input_max(&self) -> usize;
}

/// A generator of \[SP800-90A\] at a security strength of 256 bits, without its own entropy. Its mechanism `M` is one of those behind
/// [`CtrDrbgAes256`](crate::CtrDrbgAes256), [`HashDrbgSha256`](crate::HashDrbgSha256) and [`HashDrbgSha512`](crate::HashDrbgSha512).
///
/// Inputs are the standard's: your entropy makes it a *random* bit generator. It has the standard's values and
/// limits, but it is not a validated module, and nobody has certified it. [`self_test`](crate::self_test) and
/// [`HealthTests`](crate::HealthTests) are there if you need them.
///
/// # Inputs
///
/// | input | secret | is | if it repeats, or is empty |
/// |---|---|---|---|
/// | entropy | yes | 256 bits of entropy, in as many bytes as it takes | the same bits again: all rests on it |
/// | nonce | no | a value that does not repeat under the same entropy source: a counter, a time, or 128 bits of entropy (§8.6.7) | two instances differ by their entropy alone |
/// | personalization | may be | who this instance is: application, version, device, user, process (§8.7.1) | as for the nonce |
/// | additional input | may be | any data at hand at a request: a message, a time, a password (§8.7.2) | nothing is lost |
///
/// The last three add no strength that is counted on, and can take none away: an adversary may choose them.
///
/// ```
/// use samplez_sources::{CtrDrbgAes256, Seed};
/// # fn key(drbg: &mut CtrDrbgAes256) -> u64 { rand_core::TryRng::try_next_u64(drbg).unwrap() }
/// let entropy = Seed::from_bytes([7; 32]); // `Seed::from_os()?`, where it matters
///
/// // A nonce: the number of the start, which a device keeps; two starts differ though the entropy should fail to.
/// let start = |number: u128| CtrDrbgAes256::instantiate(entropy.expose(), &number.to_be_bytes(), b"");
/// assert_ne!(key(&mut start(1)?), key(&mut start(2)?));
///
/// // A personalization string: the same seed on two devices.
/// let device = |name: &[u8]| CtrDrbgAes256::instantiate(entropy.expose(), &[0; 16], name);
/// assert_ne!(key(&mut device(b"sampler 1.0, device A")?), key(&mut device(b"sampler 1.0, device B")?));
///
/// // Additional input: the message that a signature is for, so that a state that repeats (a restored snapshot)
/// // does not repeat the noise for another message.
/// let (mut one, mut other) = ([0; 32], [0; 32]);
/// start(1)?.generate(&mut one, b"message one")?;
/// start(1)?.generate(&mut other, b"another message")?;
/// assert_ne!(one, other);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # As a generator
///
/// As a [`TryRng`] it cuts calls into requests of 2^16 bytes. Every call is a request of its own, `try_next_u64` too.
/// To draw small pieces, use [`DrbgStream`].
///
/// Cryptographic; zeroised on drop.
///
/// ```
/// use samplez_sources::HashDrbgSha256;
/// let mut drbg = HashDrbgSha256::instantiate(&[1; 32], &[2; 16], b"an application")?;
/// let mut out = [0; 100];
/// drbg.generate(&mut out, b"additional input")?;
/// drbg.reseed(&[3; 32], b"")?;
/// drbg.generate(&mut out, b"")?;
/// assert_eq!(format!("{drbg:?}"), "Drbg { .. }");
/// # Ok::<(), samplez_sources::DrbgError>(())
/// ```
pub struct Drbg<M: Mechanism> {
    mechanism: M,
    /// The standard's reseed_counter: the number, from 1, of the next request since the seeding.
    counter: u64,
}

impl<M: Mechanism> Drbg<M> {
    pub(super) fn seeded(mechanism: M) -> Self {
        Drbg { mechanism, counter: 1 }
    }

    /// Builds the generator from entropy, a nonce and a personalization (which may be empty). CTR_DRBG
    /// is with its derivation function.
    ///
    /// The output is unpredictable if `entropy` holds 256 bits of entropy, and `nonce` does not
    /// repeat for it (or holds 128 bits of entropy).
    ///
    /// # Errors
    ///
    /// [`DrbgError`] for entropy of fewer than 32 bytes, a nonce of fewer than 16, and any input
    /// of more than 2^30.
    ///
    /// ```
    /// use samplez_sources::{CtrDrbgAes256, DrbgError};
    /// let e = CtrDrbgAes256::instantiate(&[1; 31], &[2; 16], b"").unwrap_err();
    /// assert_eq!(e, DrbgError::EntropyTooShort { got: 31, min: 32 });
    /// ```
    pub fn instantiate(entropy: &[u8], nonce: &[u8], personalization: &[u8]) -> Result<Self, DrbgError> {
        DrbgError::check_entropy(entropy.len(), ENTROPY_RANGE)?;
        if nonce.len() < NONCE_MIN {
            return Err(DrbgError::NonceTooShort { got: nonce.len(), min: NONCE_MIN });
        }
        DrbgError::check_length("nonce", nonce, INPUT_MAX)?;
        DrbgError::check_length("personalization", personalization, INPUT_MAX)?;
        Ok(Self::seeded(M::instantiate(entropy, nonce, personalization)))
    }

    /// Builds the generator instantiated from the seed's 32 bytes as entropy, a nonce of 16 zero bytes,
    /// and no personalization.
    ///
    /// This makes a *deterministic stream* of a seed, and is part of the library's stream. It is no instantiation as
    /// the standard requires: its nonce is always the same. Public for tests alone, with the feature `testing`: no part
    /// of the public interface. Use [`DrbgStream::from_seed`] instead.
    #[cfg(feature = "testing")]
    pub fn from_seed(seed: &Seed) -> Self {
        Self::of_seed(seed)
    }

    fn of_seed(seed: &Seed) -> Self {
        Self::seeded(M::instantiate(seed.expose(), &[0; NONCE_MIN], &[]))
    }

    /// Mixes fresh entropy, and an additional input which may be empty, into the state, and starts
    /// to count requests anew.
    ///
    /// # Errors
    ///
    /// [`DrbgError`] for entropy of fewer than 32 bytes or inputs of more than 2^30. For CTR_DRBG without derivation
    /// function, also for entropy of other than 48 bytes or an additional input of more.
    ///
    /// ```
    /// use samplez_sources::{CtrDrbgAes256, DrbgError};
    /// let mut drbg = CtrDrbgAes256::instantiate(&[1; 32], &[2; 16], b"")?;
    /// drbg.reseed(&[3; 32], b"")?;
    /// assert_eq!(drbg.reseed(&[3; 8], b"").unwrap_err(), DrbgError::EntropyTooShort { got: 8, min: 32 });
    /// # Ok::<(), samplez_sources::DrbgError>(())
    /// ```
    pub fn reseed(&mut self, entropy: &[u8], additional: &[u8]) -> Result<(), DrbgError> {
        DrbgError::check_entropy(entropy.len(), self.mechanism.entropy_range())?;
        self.check_additional(additional)?;
        let Ok(()) = self.reseed_from::<Infallible>(Entropy::Given(entropy), additional);
        Ok(())
    }

    /// As [`reseed`](Self::reseed), of lengths that have been checked.
    fn reseed_from<E>(&mut self, entropy: Entropy<'_, E>, additional: &[u8]) -> Result<(), E> {
        self.mechanism.reseed(entropy, additional)?;
        self.counter = 1;
        Ok(())
    }

    /// Fills `out` by one request, with an additional input which may be empty.
    ///
    /// # Errors
    ///
    /// [`DrbgError`] if `out` has more than 2^16 bytes, and after 2^48 requests since the seeding. Also for an
    /// additional input of more than 2^30 bytes (48 for CTR_DRBG without derivation function). `out` and the state are
    /// then as before.
    ///
    /// ```
    /// let mut drbg = samplez_sources::HashDrbgSha512::instantiate(&[1; 32], &[2; 16], b"")?;
    /// let mut out = [0; 1000];
    /// drbg.generate(&mut out, b"")?;
    /// # Ok::<(), samplez_sources::DrbgError>(())
    /// ```
    pub fn generate(&mut self, out: &mut [u8], additional: &[u8]) -> Result<(), DrbgError> {
        Self::check_request(out)?;
        self.check_additional(additional)?;
        if self.counter > RESEED_INTERVAL {
            return Err(DrbgError::ReseedRequired { interval: RESEED_INTERVAL });
        }
        let request = self.mechanism.begin(additional);
        self.mechanism.blocks(0, out);
        self.finish(request, out.len());
        Ok(())
    }

    fn finish(&mut self, request: M::Request, bytes: usize) {
        self.mechanism.finish(request, bytes.div_ceil(M::BLOCK) as u64, self.counter);
        self.counter += 1;
    }

    fn check_request(out: &[u8]) -> Result<(), DrbgError> {
        if out.len() > REQUEST_BYTES {
            return Err(DrbgError::RequestTooLong { got: out.len(), max: REQUEST_BYTES });
        }
        Ok(())
    }

    fn check_additional(&self, additional: &[u8]) -> Result<(), DrbgError> {
        DrbgError::check_length("additional input", additional, self.mechanism.input_max())
    }
}

impl<M: Mechanism> TryRng for Drbg<M> {
    type Error = DrbgError;
    fn try_next_u32(&mut self) -> Result<u32, DrbgError> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, DrbgError> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), DrbgError> {
        out.chunks_mut(REQUEST_BYTES).try_for_each(|request| self.generate(request, &[]))
    }
}

impl<M: Mechanism> TryCryptoRng for Drbg<M> {}

impl<M: Mechanism> ZeroizeOnDrop for Drbg<M> {}

impl<M: Mechanism> fmt::Debug for Drbg<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drbg").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CtrDrbgAes256, HashDrbgSha256};
    use std::vec;

    fn interval<M: Mechanism>() {
        let mut drbg = Drbg::<M>::of_seed(&Seed::from_bytes([1; 32]));
        drbg.counter = RESEED_INTERVAL;
        let mut out = [0; 16];
        assert_eq!(drbg.generate(&mut out, &[]), Ok(()), "the request of number 2^48");
        let before = out;
        let error = DrbgError::ReseedRequired { interval: 1 << 48 };
        assert_eq!(drbg.generate(&mut out, &[]), Err(error), "the one after it");
        assert_eq!(out, before);
        assert_eq!(drbg.try_next_u64(), Err(error));
        drbg.reseed(&[2; 32], &[]).unwrap();
        assert_eq!(drbg.generate(&mut out, &[]), Ok(()));
        assert_eq!(drbg.counter, 2);
    }

    #[test]
    fn the_reseed_interval_ends() {
        interval::<crate::ctr_drbg::CtrDrbg<crate::aes256::Aes256>>();
        interval::<crate::hash_drbg::HashDrbg<crate::hash_drbg::Sha512>>();
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri would touch the gigabyte of zeros")]
    fn lengths_are_checked() {
        use DrbgError::*;
        let long = vec![0; INPUT_MAX + 1]; // untouched pages of zeros
        let (entropy, nonce) = ([1; 32], [2; 16]);
        type D = HashDrbgSha256;
        assert_eq!(D::instantiate(&[1; 31], &nonce, &[]).unwrap_err(), EntropyTooShort { got: 31, min: 32 });
        assert_eq!(D::instantiate(&entropy, &[2; 15], &[]).unwrap_err(), NonceTooShort { got: 15, min: 16 });
        let too_long = |input| InputTooLong { input, got: INPUT_MAX + 1, max: INPUT_MAX };
        assert_eq!(D::instantiate(&long, &nonce, &[]).unwrap_err(), too_long("entropy"));
        assert_eq!(D::instantiate(&entropy, &long, &[]).unwrap_err(), too_long("nonce"));
        assert_eq!(D::instantiate(&entropy, &nonce, &long).unwrap_err(), too_long("personalization"));
        let mut drbg = D::instantiate(&entropy, &nonce, &[]).unwrap();
        assert_eq!(drbg.reseed(&[], &[]).unwrap_err(), EntropyTooShort { got: 0, min: 32 });
        assert_eq!(drbg.reseed(&entropy, &long).unwrap_err(), too_long("additional input"));
        assert_eq!(drbg.generate(&mut [0], &long).unwrap_err(), too_long("additional input"));
        let mut out = vec![0; REQUEST_BYTES + 1];
        assert_eq!(drbg.generate(&mut out, &[]).unwrap_err(), RequestTooLong { got: 65537, max: 65536 });
        assert_eq!(drbg.generate(&mut out[1..], &[]), Ok(()));
    }

    #[test]
    fn lengths_without_derivation() {
        use DrbgError::*;
        let new = |personalization: &[u8]| CtrDrbgAes256::instantiate_without_derivation(&[1; 48], personalization);
        let too_long = |input| InputTooLong { input, got: 49, max: 48 };
        assert_eq!(new(&[0; 49]).unwrap_err(), too_long("personalization"));
        let mut drbg = new(&[0; 48]).unwrap();
        assert_eq!(drbg.reseed(&[2; 47], &[]).unwrap_err(), EntropyTooShort { got: 47, min: 48 });
        assert_eq!(drbg.reseed(&[2; 49], &[]).unwrap_err(), too_long("entropy"));
        assert_eq!(drbg.reseed(&[2; 48], &[0; 49]).unwrap_err(), too_long("additional input"));
        assert_eq!(drbg.generate(&mut [0], &[0; 49]).unwrap_err(), too_long("additional input"));
        assert_eq!(drbg.generate(&mut [0], &[0; 48]), Ok(()));
    }

    /// What is refused leaves no trace.
    #[test]
    fn errors_do_not_change_the_state() {
        let seed = Seed::from_bytes([3; 32]);
        let (mut a, mut b) = (CtrDrbgAes256::of_seed(&seed), CtrDrbgAes256::of_seed(&seed));
        a.reseed(&[0; 3], &[]).unwrap_err();
        a.generate(&mut vec![0; REQUEST_BYTES + 1], b"input").unwrap_err();
        assert_eq!(a.try_next_u64(), b.try_next_u64());
    }

    #[test]
    #[cfg_attr(miri, ignore = "whole requests take Miri minutes")]
    fn long_fills_are_requests_of_the_longest_length() {
        let seed = Seed::from_bytes([4; 32]);
        let (mut a, mut b) = (HashDrbgSha256::of_seed(&seed), HashDrbgSha256::of_seed(&seed));
        let (mut x, mut y) = (vec![0; 150_000], vec![0; 150_000]);
        a.try_fill_bytes(&mut x).unwrap();
        for range in [0..65_536, 65_536..131_072, 131_072..150_000] {
            b.generate(&mut y[range], &[]).unwrap();
        }
        assert_eq!(x, y);
    }
}
