//! An endless stream of bytes from a generator of \[SP800-90A].

use super::{Drbg, Mechanism, REQUEST_BYTES, RESEED_INTERVAL};
use crate::Seed;
use crate::seedable::seedable;
use core::convert::Infallible;
use core::fmt;
use rand_core::{TryCryptoRng, TryRng};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Bytes that are buffered for small draws. It divides the request, and is a multiple of every
/// mechanism's block.
const CHUNK: usize = 1024;

/// The bytes of a [`Drbg`]'s longest requests, one after the other: a generator that cannot fail, for samplers. You may
/// read them in pieces of any sizes.
///
/// Byte n of the stream is byte n mod 2^16 of request ⌊n / 2^16⌋, each of 2^16 bytes and without additional input. A
/// request's blocks are computed when they are read, and the state moves on when the request is at its end. So the
/// bytes are the standard's, but the protection of the past is by the request, not by the call. The memory of a stream
/// reveals at most the last 2^16 bytes that it gave, and all that will follow.
///
/// Words are little-endian. The standard's 2^48 requests are 2^64 bytes, which a stream that gives
/// 10 GB each second reaches after 58 years; it panics there.
///
/// Cryptographic; zeroised on drop.
///
/// ```
/// use rand_core::Rng;
/// use samplez_sources::{CtrDrbgAes256, DrbgStream, Seed};
/// let seed = Seed::from_bytes([7; 32]);
/// let mut start = [0; 12];
/// CtrDrbgAes256::instantiate(seed.expose(), &[0; 16], b"")?.generate(&mut start, b"")?;
/// let mut stream = DrbgStream::<CtrDrbgAes256>::from_seed(&seed);
/// assert_eq!(stream.next_u64().to_le_bytes(), start[..8]);
/// assert_eq!(stream.next_u32().to_le_bytes(), start[8..]);
/// # Ok::<(), samplez_sources::DrbgError>(())
/// ```
pub struct DrbgStream<D> {
    requests: Requests<D>,
    buffer: [u8; CHUNK],
    /// The next byte of `buffer`; `CHUNK` when it is used up.
    next: usize,
}

/// A generator in the middle of a request.
struct Requests<D> {
    drbg: D,
    /// Bytes of the current request that have been computed, a multiple of `CHUNK`.
    made: usize,
}

impl<M: Mechanism> Requests<Drbg<M>> {
    /// The next `out.len()` bytes, a multiple of `CHUNK`.
    fn chunks(&mut self, out: &mut [u8]) {
        let mut out = out;
        while !out.is_empty() {
            let (now, later) = out.split_at_mut(out.len().min(REQUEST_BYTES - self.made));
            self.drbg.mechanism.blocks((self.made / M::BLOCK) as u64, now);
            self.made += now.len();
            if self.made == REQUEST_BYTES {
                assert!(self.drbg.counter < RESEED_INTERVAL, "the stream ends after 2^64 bytes");
                let request = self.drbg.mechanism.begin(&[]);
                self.drbg.finish(request, REQUEST_BYTES);
                self.made = 0;
            }
            out = later;
        }
    }
}

impl<M: Mechanism> DrbgStream<Drbg<M>> {
    /// Builds the stream that goes on from the generator's state.
    ///
    /// ```
    /// use rand_core::Rng;
    /// use samplez_sources::{DrbgStream, HashDrbgSha512};
    /// let drbg = HashDrbgSha512::instantiate(&[1; 32], &[2; 16], b"an application")?;
    /// let mut stream = DrbgStream::new(drbg);
    /// stream.fill_bytes(&mut [0; 100]);
    /// assert_eq!(format!("{stream:?}"), "DrbgStream { .. }");
    /// # Ok::<(), samplez_sources::DrbgError>(())
    /// ```
    pub fn new(drbg: Drbg<M>) -> Self {
        DrbgStream { requests: Requests { drbg, made: 0 }, buffer: [0; CHUNK], next: CHUNK }
    }

    /// Returns the library's deterministic stream from a seed. The generator is instantiated from the seed's 32 bytes as entropy, a
    /// nonce of 16 zero bytes and no personalization. This is no instantiation after the standard: its nonce is always the same.
    ///
    /// ```
    /// use samplez_core::bits::{BitReader, BitSource};
    /// use samplez_sources::{CtrDrbgAes256, DrbgStream, Seed};
    /// let seed = Seed::from_bytes([7; 32]);
    /// let mut bits = BitReader::new(DrbgStream::<CtrDrbgAes256>::from_seed(&seed));
    /// assert!(bits.bits(13) < 1 << 13);
    /// ```
    pub fn from_seed(seed: &Seed) -> Self {
        Self::new(Drbg::of_seed(seed))
    }

    /// Fills as much of `out` as the buffer holds; returns the rest of `out`.
    fn take<'a>(&mut self, out: &'a mut [u8]) -> &'a mut [u8] {
        let (now, later) = out.split_at_mut(out.len().min(CHUNK - self.next));
        now.copy_from_slice(&self.buffer[self.next..self.next + now.len()]);
        self.next += now.len();
        later
    }
}

seedable!(DrbgStream<Drbg<M>> where M: Mechanism, DrbgStream::from_seed);

impl<M: Mechanism> TryRng for DrbgStream<Drbg<M>> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
    #[inline]
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        let rest = self.take(out);
        if rest.is_empty() {
            return Ok(());
        }
        let (whole, tail) = rest.split_at_mut(rest.len() / CHUNK * CHUNK);
        self.requests.chunks(whole);
        if !tail.is_empty() {
            self.requests.chunks(&mut self.buffer);
            self.next = 0;
            self.take(tail);
        }
        Ok(())
    }
}

impl<M: Mechanism> TryCryptoRng for DrbgStream<Drbg<M>> {}

impl<D> Drop for DrbgStream<D> {
    fn drop(&mut self) {
        self.buffer.as_mut_slice().zeroize();
    }
}

impl<D> ZeroizeOnDrop for DrbgStream<D> {}

impl<D> fmt::Debug for DrbgStream<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DrbgStream").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CtrDrbgAes256;
    use crate::aes256::{Aes256, Aes256Soft};
    use crate::ctr_drbg::CtrDrbg;
    use crate::hash_drbg::{HashDrbg, Sha256, Sha512};
    use rand_core::Rng;
    use std::vec;

    /// The first 16 bytes of the requests 0 and 1 of the stream from the seed 00 01 … 1f; computed by
    /// OpenSSL 3.0.19 (`samplez-check/tests/openssl/drbg.c`).
    fn fixed<M: Mechanism>(expected: [u128; 2]) {
        let seed = Seed::from_bytes(core::array::from_fn(|i| i as u8));
        let mut out = [0; 16];
        Drbg::<M>::of_seed(&seed).generate(&mut out, &[]).unwrap();
        assert_eq!(u128::from_be_bytes(out), expected[0]);
        if cfg!(miri) {
            return; // which takes minutes for a whole request
        }
        let mut stream = DrbgStream::<Drbg<M>>::from_seed(&seed);
        stream.fill_bytes(&mut out);
        assert_eq!(u128::from_be_bytes(out), expected[0]);
        stream.fill_bytes(&mut vec![0; REQUEST_BYTES - 16]);
        stream.fill_bytes(&mut out);
        assert_eq!(u128::from_be_bytes(out), expected[1]);
    }

    #[test]
    fn streams_stay() {
        let ctr = [0x2be56f3ee3bf575cc3e3f2103d1f3fea, 0xa238191369a0fc9bbe237a2d180b9fa6];
        fixed::<CtrDrbg<Aes256>>(ctr);
        fixed::<CtrDrbg<Aes256Soft>>(ctr);
        fixed::<HashDrbg<Sha256>>([0x214fe2e1cc81c758c4d59e792a442a2d, 0xe7960fdd6896f88ddf76e31ec2b2f4e7]);
        fixed::<HashDrbg<Sha512>>([0x4db3314874165ed83e5e3a08cf493514, 0x076d775df5995f86c57a960d8805eb0f]);
    }

    /// The stream is the requests' bytes, in any pieces.
    fn pieces<M: Mechanism>() {
        let seed = Seed::from_bytes([5; 32]);
        let mut requests = vec![0; 3 * REQUEST_BYTES];
        Drbg::<M>::of_seed(&seed).try_fill_bytes(&mut requests).unwrap();
        let mut whole = vec![0; requests.len()];
        DrbgStream::<Drbg<M>>::from_seed(&seed).fill_bytes(&mut whole);
        assert!(whole == requests);
        let mut stream = DrbgStream::<Drbg<M>>::from_seed(&seed);
        let mut rest = &requests[..];
        let mut lengths = [0, 1, 8, 4, 1024, 1019, 3, 5000, 70_000, 65_536, 1023, 1025].into_iter().cycle();
        while !rest.is_empty() {
            let length = lengths.next().unwrap().min(rest.len());
            let (now, later) = rest.split_at(length);
            let mut out = vec![0; length];
            stream.fill_bytes(&mut out);
            assert!(out == now, "{length} bytes, {} before the end", rest.len());
            rest = later;
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "whole requests take Miri minutes")]
    fn pieces_do_not_matter() {
        pieces::<CtrDrbg<Aes256>>();
        pieces::<CtrDrbg<Aes256Soft>>();
        pieces::<HashDrbg<Sha256>>();
        pieces::<HashDrbg<Sha512>>();
    }

    #[test]
    #[cfg_attr(miri, ignore = "whole requests take Miri minutes")]
    #[should_panic(expected = "the stream ends after 2^64 bytes")]
    fn the_stream_ends() {
        let mut stream = DrbgStream::<CtrDrbgAes256>::from_seed(&Seed::from_bytes([5; 32]));
        stream.requests.drbg.counter = RESEED_INTERVAL - 1;
        let mut out = vec![0; REQUEST_BYTES];
        stream.fill_bytes(&mut out);
        stream.fill_bytes(&mut out);
    }
}
