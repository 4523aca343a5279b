//! AES in counter mode: the plain keystream, beside the DRBG that is made of it.
//!
//! Standard: [SP800-38A], §6.5, over [FIPS197].

use super::Seed;
use super::aes_fast::{Fast128, Fast256};
use super::bytes::byte_stream;
use super::keystream::{Keystream, Make};
use super::seedable::seedable;
use rand_core::TryCryptoRng;

/// Bytes that are made together.
const BYTES: usize = 1024;

/// The AES-256 keystream under a seed as its key: counter mode of \[SP800-38A\] with an initial counter of zeros. It is
/// the encryptions of the 128-bit big-endian counters 0, 1, 2, … The period is 2^132 bytes.
///
/// The fastest cryptographic source where the processor has instructions for AES: for noise in bulk. It differs from
/// the DRBG ([`CtrDrbgAes256`](super::CtrDrbgAes256)) in these points:
///
/// - It keeps its key, so that its memory reveals all of its earlier output.
/// - It never reseeds.
/// - No block comes twice, which uniform ones would. This distinguishes 2^n blocks from uniform bits with an advantage
///   of up to 2^(2n - 129), 2^-57 for the 2^40 bytes of n = 36.
///
/// Cryptographic; zeroised on drop. Constant time: by the processor's instructions, or by bit operations alone.
///
/// ```
/// use rand_core::Rng;
/// use samplez_sources::{Aes256Ctr, Seed};
/// let mut rng = Aes256Ctr::new(&Seed::from_bytes([0; 32]));
/// assert_eq!(rng.next_u32().to_le_bytes(), [0xdc, 0x95, 0xc0, 0x78]); // AES-256 of zeros under zeros
/// ```
pub struct Aes256Ctr(Keystream<Ctr<Fast256>, BYTES>);

/// As [`Aes256Ctr`], with AES-128 under the seed's first 16 bytes; the others are ignored.
///
/// Cryptographic, with 128 bits of security at most. From the first blocks of 2^n streams an attacker finds the key of
/// one of them among 2^(128 - n). Zeroised on drop.
///
/// ```
/// use rand_core::Rng;
/// use samplez_sources::{Aes128Ctr, Seed};
/// let mut rng = Aes128Ctr::new(&Seed::from_bytes([0; 32]));
/// assert_eq!(rng.next_u32().to_le_bytes(), [0x66, 0xe9, 0x4b, 0xd4]); // AES-128 of zeros under zeros
/// ```
pub struct Aes128Ctr(Keystream<Ctr<Fast128>, BYTES>);

/// A cipher, which zeroises itself, and the counter of the next block.
struct Ctr<C> {
    cipher: C,
    /// Big-endian. A `u128`'s alignment would leave 15 bytes of padding in this structure. A move fills padding with stale bytes of the
    /// stack, which may be secret, and no drop erases it.
    counter: [u8; 16],
}

macro_rules! ctr {
    ($($name:ident, $cipher:ident, $key:literal);*) => {$(
        impl Make<BYTES> for Ctr<$cipher> {
            fn make(&mut self, out: &mut [[u8; BYTES]]) {
                let counter = u128::from_be_bytes(self.counter);
                self.cipher.keystream(counter, out.as_flattened_mut());
                self.counter = counter.wrapping_add((BYTES / 16 * out.len()) as u128).to_be_bytes();
            }
        }

        impl $name {
            /// Builds the keystream under `seed`, from its start.
            ///
            /// ```
            #[doc = concat!("use samplez_sources::{", stringify!($name), ", Seed};")]
            #[doc = concat!("let rng = ", stringify!($name), "::new(&Seed::from_bytes([0; 32]));")]
            #[doc = concat!("assert_eq!(format!(\"{rng:?}\"), \"", stringify!($name), " { .. }\");")]
            /// ```
            pub fn new(seed: &Seed) -> Self {
                $name(Keystream::new(Ctr { cipher: $cipher::new(&seed.expose()[..$key]), counter: [0; 16] }))
            }
        }
        byte_stream!($name);
        seedable!($name, $name::new);
        impl TryCryptoRng for $name {}
    )*};
}
ctr!(Aes256Ctr, Fast256, 32; Aes128Ctr, Fast128, 16);

#[cfg(test)]
mod tests {
    use super::*;
    use ::aes::cipher::{KeyIvInit, StreamCipher};
    use rand_core::Rng;
    use std::vec;

    fn hex<const N: usize>(text: &str) -> [u8; N] {
        core::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
    }

    /// \[SP800-38A\], F.5: the output blocks of CTR-AES128 and CTR-AES256.
    #[test]
    fn sp_800_38a() {
        let start = u128::from_be_bytes(hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"));
        let mut out = [0; 64];
        Fast128::new(&hex::<16>("2b7e151628aed2a6abf7158809cf4f3c")).keystream(start, &mut out);
        let expected = "ec8cdf7398607cb0f2d21675ea9ea1e4362b7c3c6773516318a077d7fc5073ae\
                        6a2cc3787889374fbeb4c81b17ba6c44e89c399ff0f198c6d40a31db156cabfe";
        assert_eq!(out, hex(expected));
        Fast256::new(&hex::<32>("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"))
            .keystream(start, &mut out);
        let expected = "0bdf7df1591716335e9a8b15c860c5025a6e699d536119065433863c8f657b94\
                        1bc12c9c01610d5d0d8bd6a3378eca622956e1c8693536b1bee99c73a31576b6";
        assert_eq!(out, hex(expected));
    }

    /// The crates `aes` and `ctr`, in whatever pieces the bytes are read.
    #[test]
    fn the_crates_bytes_in_requests_of_any_size() {
        let seed = Seed::from_bytes(core::array::from_fn(|i| 3 + 5 * i as u8));
        let (mut long, mut short) = (vec![0; 10_000], vec![0; 10_000]);
        ctr::Ctr128BE::<aes::Aes256>::new(seed.expose().into(), &[0; 16].into()).write_keystream(&mut long);
        ctr::Ctr128BE::<aes::Aes128>::new(seed.expose()[..16].try_into().unwrap(), &[0; 16].into())
            .write_keystream(&mut short);
        for size in [1, 8, 16, 127, 512, 1000, 1023, 1024, 1025, 4096, 10_000] {
            let mut out = vec![0; 10_000];
            let mut rng = Aes256Ctr::new(&seed);
            out.chunks_mut(size).for_each(|part| rng.fill_bytes(part));
            assert!(out == long, "AES-256, requests of {size} bytes");
            let mut rng = Aes128Ctr::new(&seed);
            out.chunks_mut(size).for_each(|part| rng.fill_bytes(part));
            assert!(out == short, "AES-128, requests of {size} bytes");
        }
    }
}
