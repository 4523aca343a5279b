//! A generator of \[SP800-90A\] with its entropy.

use super::{Drbg, DrbgError, Entropy, Mechanism, REQUEST_BYTES, RESEED_INTERVAL};
use core::fmt;
use rand_core::{TryCryptoRng, TryRng};
use zeroize::Zeroizing;

/// A [`Drbg`] that takes fresh entropy by itself: after a number of requests, or before each
/// (prediction resistance).
///
/// The entropy is any [`TryCryptoRng`], such as the system's `Os`. A seeding draws 32 bytes from it, 48 for CTR_DRBG
/// without derivation function, or [as many as you set](Self::with_entropy_bytes). Where entropy can fail, so can every
/// request; nothing is given then. `Os` and devices are under [health tests](crate::HealthTests). Other entropy goes
/// into a [`HealthTested`](crate::HealthTested).
///
/// ```
/// # #[cfg(feature = "os")] {
/// use samplez_sources::{CtrDrbgAes256, Os, Reseeding};
/// let mut rng = Reseeding::<CtrDrbgAes256, Os>::from_entropy(Os::new(), b"an application")?.every(1000)?;
/// let mut key = [0; 32];
/// rng.generate(&mut key, b"")?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reseeding<D, E> {
    drbg: D,
    entropy: E,
    /// Requests after which entropy is drawn; 0 is before each.
    interval: u64,
    /// Bytes of entropy for a reseeding, which the mechanism allows.
    entropy_bytes: usize,
}

impl<M: Mechanism, E: TryCryptoRng> Reseeding<Drbg<M>, E> {
    /// Builds the generator, already instantiated, that reseeds when the standard requires it: after 2^48 requests.
    ///
    /// ```
    /// use samplez_sources::{ChaCha20, HashDrbgSha256, Reseeding, Seed};
    /// let drbg = HashDrbgSha256::instantiate(&[1; 32], &[2; 16], b"")?;
    /// let for_a_test = ChaCha20::new(&Seed::from_bytes([3; 32]));
    /// let rng = Reseeding::new(drbg, for_a_test);
    /// assert_eq!(format!("{rng:?}"), "Reseeding { .. }");
    /// # Ok::<(), samplez_sources::DrbgError>(())
    /// ```
    pub fn new(drbg: Drbg<M>, entropy: E) -> Self {
        let entropy_bytes = *drbg.mechanism.entropy_range().start();
        Reseeding { drbg, entropy, interval: RESEED_INTERVAL, entropy_bytes }
    }

    /// Builds the generator instantiated from 32 bytes of the entropy, and 16 for the nonce.
    ///
    /// # Errors
    ///
    /// [`ReseedingError::Entropy`] if there is none; [`ReseedingError::Drbg`] for a
    /// personalization of more than 2^30 bytes.
    ///
    /// ```
    /// use samplez_sources::{ChaCha20, HashDrbgSha256, Reseeding, Seed};
    /// let for_a_test = ChaCha20::new(&Seed::from_bytes([3; 32]));
    /// assert!(Reseeding::<HashDrbgSha256, _>::from_entropy(for_a_test, b"an application").is_ok());
    /// ```
    pub fn from_entropy(mut entropy: E, personalization: &[u8]) -> Result<Self, ReseedingError<E::Error>> {
        let mut bytes = Zeroizing::new([0; 48]);
        entropy.try_fill_bytes(&mut *bytes).map_err(ReseedingError::Entropy)?;
        let (input, nonce) = bytes.split_at(32);
        let drbg = Drbg::instantiate(input, nonce, personalization)?;
        Ok(Self::new(drbg, entropy))
    }

    /// Reseeds after this many requests, from 1 to 2^48, without waiting for the standard's limit.
    ///
    /// # Errors
    ///
    /// [`DrbgError::BadInterval`] for a number beyond that.
    ///
    /// ```
    /// use samplez_sources::{ChaCha20, HashDrbgSha256, Reseeding, Seed};
    /// let drbg = HashDrbgSha256::instantiate(&[1; 32], &[2; 16], b"")?;
    /// let e = Reseeding::new(drbg, ChaCha20::new(&Seed::from_bytes([3; 32]))).every(0).unwrap_err();
    /// assert_eq!(e.to_string(), "a reseed interval of 0 requests; 1 to 281474976710656 are allowed");
    /// # Ok::<(), samplez_sources::DrbgError>(())
    /// ```
    pub fn every(mut self, requests: u64) -> Result<Self, DrbgError> {
        if !(1..=RESEED_INTERVAL).contains(&requests) {
            return Err(DrbgError::BadInterval { got: requests, max: RESEED_INTERVAL });
        }
        self.interval = requests;
        Ok(self)
    }

    /// Reseeds before every request: prediction resistance, §8.8 of \[SP800-90A\]. If the entropy is fresh, the old
    /// state reveals nothing of the bits after a request.
    ///
    /// ```
    /// use samplez_sources::{ChaCha20, HashDrbgSha256, Reseeding, Seed};
    /// let drbg = HashDrbgSha256::instantiate(&[1; 32], &[2; 16], b"")?;
    /// let mut rng = Reseeding::new(drbg, ChaCha20::new(&Seed::from_bytes([3; 32]))).with_prediction_resistance();
    /// rng.generate(&mut [0; 32], b"").unwrap();
    /// # Ok::<(), samplez_sources::DrbgError>(())
    /// ```
    pub fn with_prediction_resistance(mut self) -> Self {
        self.interval = 0;
        self
    }

    /// Draws this number of bytes of entropy for each reseeding, from 32 to 2^30, in place of the least number. This is
    /// for a source that gives less than 8 bits of entropy a byte, and for test vectors. CTR_DRBG without derivation
    /// function takes 48.
    ///
    /// # Errors
    ///
    /// [`DrbgError`] for any other number.
    ///
    /// ```
    /// use samplez_sources::{ChaCha20, HashDrbgSha256, Reseeding, Seed};
    /// let rng = |bytes| {
    ///     let drbg = HashDrbgSha256::instantiate(&[1; 160], &[2; 16], b"").unwrap();
    ///     Reseeding::new(drbg, ChaCha20::new(&Seed::from_bytes([3; 32]))).with_entropy_bytes(bytes)
    /// };
    /// rng(320)?.with_prediction_resistance().generate(&mut [0; 32], b"").unwrap();
    /// assert_eq!(rng(20).unwrap_err().to_string(), "the entropy has 20 bytes; at least 32 are required");
    /// # Ok::<(), samplez_sources::DrbgError>(())
    /// ```
    pub fn with_entropy_bytes(mut self, bytes: usize) -> Result<Self, DrbgError> {
        DrbgError::check_entropy(bytes, self.drbg.mechanism.entropy_range())?;
        self.entropy_bytes = bytes;
        Ok(self)
    }

    /// Returns the generator without its entropy. For tests: no part of the public interface.
    #[cfg(any(test, feature = "testing"))]
    pub fn into_drbg(self) -> Drbg<M> {
        self.drbg
    }

    /// Reseeds now, with an additional input which may be empty.
    ///
    /// # Errors
    ///
    /// [`ReseedingError::Entropy`] if there is none; [`ReseedingError::Drbg`] for an additional
    /// input that is too long.
    ///
    /// ```
    /// use samplez_sources::{ChaCha20, HashDrbgSha256, Reseeding, Seed};
    /// let drbg = HashDrbgSha256::instantiate(&[1; 32], &[2; 16], b"")?;
    /// Reseeding::new(drbg, ChaCha20::new(&Seed::from_bytes([3; 32]))).reseed(b"additional input").unwrap();
    /// # Ok::<(), samplez_sources::DrbgError>(())
    /// ```
    pub fn reseed(&mut self, additional: &[u8]) -> Result<(), ReseedingError<E::Error>> {
        self.drbg.check_additional(additional)?;
        let mut draw = |piece: &mut [u8]| self.entropy.try_fill_bytes(piece);
        self.drbg
            .reseed_from(Entropy::Drawn(self.entropy_bytes, &mut draw), additional)
            .map_err(ReseedingError::Entropy)
    }

    /// One request, as [`Drbg::generate`], after a reseeding if it is due. The additional input
    /// then goes into the reseeding (§9.3.1, step 7).
    ///
    /// # Errors
    ///
    /// [`ReseedingError::Entropy`] if there is none, [`ReseedingError::Drbg`] for a request or an
    /// additional input that is too long. `out` is then as before.
    ///
    /// ```
    /// use samplez_sources::{ChaCha20, HashDrbgSha256, Reseeding, Seed};
    /// let drbg = HashDrbgSha256::instantiate(&[1; 32], &[2; 16], b"")?;
    /// let mut rng = Reseeding::new(drbg, ChaCha20::new(&Seed::from_bytes([3; 32]))).every(2)?;
    /// let mut out = [0; 100];
    /// for _ in 0..10 {
    ///     rng.generate(&mut out, b"").unwrap();
    /// }
    /// # Ok::<(), samplez_sources::DrbgError>(())
    /// ```
    pub fn generate(&mut self, out: &mut [u8], additional: &[u8]) -> Result<(), ReseedingError<E::Error>> {
        Drbg::<M>::check_request(out)?;
        if self.drbg.counter > self.interval {
            self.reseed(additional)?;
            return Ok(self.drbg.generate(out, &[])?);
        }
        Ok(self.drbg.generate(out, additional)?)
    }
}

impl<M: Mechanism, E: TryCryptoRng> TryRng for Reseeding<Drbg<M>, E> {
    type Error = ReseedingError<E::Error>;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        rand_core::utils::next_word_via_fill(self)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        rand_core::utils::next_word_via_fill(self)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.chunks_mut(REQUEST_BYTES).try_for_each(|request| self.generate(request, &[]))
    }
}

impl<M: Mechanism, E: TryCryptoRng> TryCryptoRng for Reseeding<Drbg<M>, E> {}

impl<D, E> fmt::Debug for Reseeding<D, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reseeding").finish_non_exhaustive()
    }
}

/// A request to a [`Reseeding`] generator failed.
///
/// ```
/// use samplez_sources::{DrbgError, ReseedingError};
/// let e: ReseedingError<std::io::Error> = DrbgError::NonceTooShort { got: 1, min: 16 }.into();
/// assert_eq!(e.to_string(), "the nonce has 1 bytes; at least 16 are required");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReseedingError<E> {
    /// An argument beyond a limit.
    Drbg(DrbgError),
    /// The entropy failed.
    Entropy(E),
}

impl<E> From<DrbgError> for ReseedingError<E> {
    fn from(error: DrbgError) -> Self {
        Self::Drbg(error)
    }
}

impl<E: fmt::Display> fmt::Display for ReseedingError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drbg(error) => error.fmt(f),
            Self::Entropy(error) => write!(f, "no entropy to reseed from: {error}"),
        }
    }
}

impl<E: core::error::Error> core::error::Error for ReseedingError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Drbg(error) => error.source(),
            Self::Entropy(error) => error.source(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CtrDrbgAes256, HashDrbgSha256, HashDrbgSha512};
    use std::string::ToString;
    use std::vec::Vec;

    /// Entropy from a script, at whose end there is none.
    struct Script(Vec<u8>);

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Exhausted;
    impl fmt::Display for Exhausted {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the script is at its end")
        }
    }
    impl core::error::Error for Exhausted {}

    impl TryRng for Script {
        type Error = Exhausted;
        fn try_next_u32(&mut self) -> Result<u32, Exhausted> {
            unreachable!("entropy is asked for as bytes")
        }
        fn try_next_u64(&mut self) -> Result<u64, Exhausted> {
            unreachable!("entropy is asked for as bytes")
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Exhausted> {
            if self.0.len() < out.len() {
                return Err(Exhausted);
            }
            out.copy_from_slice(&self.0[..out.len()]);
            self.0.drain(..out.len());
            Ok(())
        }
    }
    impl TryCryptoRng for Script {}

    fn script(bytes: u8) -> Script {
        Script((0..bytes).collect())
    }

    #[test]
    fn reseeds_when_due() {
        let new = || HashDrbgSha512::instantiate(&[1; 32], &[2; 16], b"").unwrap();
        let mut rng = Reseeding::new(new(), script(64)).every(2).unwrap();
        let mut by_hand = new();
        let (mut a, mut b) = ([0; 50], [0; 50]);
        for round in 0..6 {
            let additional: &[u8] = if round % 3 == 0 { b"" } else { b"input" };
            rng.generate(&mut a, additional).unwrap();
            if round % 2 == 0 && round > 0 {
                let at = 16 * (round - 2);
                let entropy: Vec<u8> = (at..at + 32).collect();
                by_hand.reseed(&entropy, additional).unwrap();
                by_hand.generate(&mut b, b"").unwrap();
            } else {
                by_hand.generate(&mut b, additional).unwrap();
            }
            assert_eq!(a, b, "request {round}");
        }
        assert_eq!(rng.generate(&mut a, b"").unwrap_err(), ReseedingError::Entropy(Exhausted));
        assert_eq!(a, b, "a failed request gives nothing");
    }

    #[test]
    fn prediction_resistance_reseeds_before_each() {
        let new = || CtrDrbgAes256::instantiate_without_derivation(&[1; 48], b"").unwrap();
        let mut rng = Reseeding::new(new(), script(144)).with_prediction_resistance();
        let mut by_hand = new();
        let (mut a, mut b) = ([0; 50], [0; 50]);
        for round in 0..3 {
            rng.generate(&mut a, b"input").unwrap();
            let entropy: Vec<u8> = (48 * round..48 * round + 48).collect();
            by_hand.reseed(&entropy, b"input").unwrap();
            by_hand.generate(&mut b, b"").unwrap();
            assert_eq!(a, b, "request {round}");
        }
        assert_eq!(rng.try_next_u64().unwrap_err().to_string(), "no entropy to reseed from: the script is at its end");
    }

    #[test]
    fn instantiates_from_entropy() {
        let mut rng = Reseeding::<HashDrbgSha512, _>::from_entropy(script(48), b"mine").unwrap();
        let bytes: Vec<u8> = (0..48).collect();
        let mut by_hand = HashDrbgSha512::instantiate(&bytes[..32], &bytes[32..], b"mine").unwrap();
        assert_eq!(rng.try_next_u64().unwrap(), by_hand.try_next_u64().unwrap());
        let e = Reseeding::<CtrDrbgAes256, _>::from_entropy(script(47), b"").unwrap_err();
        assert_eq!(e, ReseedingError::Entropy(Exhausted));
    }

    fn any_length<M: Mechanism>(new: fn() -> Drbg<M>, lengths: &[usize]) {
        for length in lengths.iter().copied() {
            let mut rng = Reseeding::new(new(), Script((0..2 * length).map(|i| i as u8).collect()));
            rng = rng.with_entropy_bytes(length).unwrap().with_prediction_resistance();
            let mut by_hand = new();
            let (mut a, mut b) = ([0; 50], [0; 50]);
            for round in 0..2 {
                rng.generate(&mut a, b"input").unwrap();
                let entropy: Vec<u8> = (round * length..(round + 1) * length).map(|i| i as u8).collect();
                by_hand.reseed(&entropy, b"input").unwrap();
                by_hand.generate(&mut b, b"").unwrap();
                assert_eq!(a, b, "{length} bytes of entropy, request {round}");
            }
            // Entropy that ends in the midst of a reseeding: the state stays.
            rng.entropy.0 = std::vec![7; length - 1];
            assert_eq!(rng.generate(&mut a, b""), Err(ReseedingError::Entropy(Exhausted)));
            assert_eq!(rng.into_drbg().try_next_u64(), by_hand.try_next_u64());
        }
    }

    #[test]
    fn entropy_of_any_length() {
        let lengths = [32, 33, 63, 64, 65, 128, 160, 320, 1000, 8191];
        any_length(|| CtrDrbgAes256::instantiate(&[1; 32], &[2; 16], b"").unwrap(), &lengths);
        any_length(|| HashDrbgSha256::instantiate(&[1; 32], &[2; 16], b"").unwrap(), &lengths);
        any_length(|| HashDrbgSha512::instantiate(&[1; 32], &[2; 16], b"").unwrap(), &lengths);
        let without = || CtrDrbgAes256::instantiate_without_derivation(&[1; 48], b"").unwrap();
        any_length(without, &[48]);
        let refused = |bytes| Reseeding::new(without(), script(0)).with_entropy_bytes(bytes).unwrap_err();
        assert_eq!(refused(47), DrbgError::EntropyTooShort { got: 47, min: 48 });
        assert_eq!(refused(49), DrbgError::InputTooLong { input: "entropy", got: 49, max: 48 });
        let derived = Reseeding::new(CtrDrbgAes256::instantiate(&[1; 32], &[2; 16], b"").unwrap(), script(0));
        let got = (1 << 30) + 1;
        let too_long = DrbgError::InputTooLong { input: "entropy", got, max: 1 << 30 };
        assert_eq!(derived.with_entropy_bytes(got).unwrap_err(), too_long);
    }

    /// A bad request is refused before entropy is spent on it.
    #[test]
    fn bad_requests_spend_no_entropy() {
        let drbg = CtrDrbgAes256::instantiate(&[1; 32], &[2; 16], b"").unwrap();
        let mut rng = Reseeding::new(drbg, script(32)).with_prediction_resistance();
        let mut out = std::vec![0; 65537];
        let e = rng.generate(&mut out, b"").unwrap_err();
        assert_eq!(e, ReseedingError::Drbg(DrbgError::RequestTooLong { got: 65537, max: 65536 }));
        assert_eq!(rng.entropy.0.len(), 32);
        assert_eq!(rng.generate(&mut out[..5], b""), Ok(()));
    }
}
