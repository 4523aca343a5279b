//! AES-256 in the one direction that a DRBG needs, from two backends.
//!
//! | type | backend | timing |
//! |---|---|---|
//! | [`Aes256`] | the processor's AES instructions (x86 AES-NI and VAES, ARMv8), found at run time; where there are none, bit operations | constant: no table, no branch on data |
//! | [`Aes256Soft`] | bit operations on many blocks at once, on every machine | constant: no table, no branch on data |
//!
//! Both are kernels of this crate's `arch`, except [`Aes256`] on machines other than x86-64, which is RustCrypto's
//! `aes` crate.
//!
//! WebAssembly has no AES instructions, and is downloaded: there both types are one.

use crate::aes_fast::Fast256;
#[cfg(not(target_arch = "wasm32"))]
use crate::arch::aes::bitsliced;
#[cfg(not(target_arch = "wasm32"))]
use zeroize::Zeroize;
use zeroize::ZeroizeOnDrop;

/// A backend of AES-256: [`Aes256`] or [`Aes256Soft`], nothing else.
pub trait Cipher: Backend {}

/// The functions of a backend; sealed.
pub trait Backend: ZeroizeOnDrop {
    fn new(key: &[u8; 32]) -> Self;

    /// Replaces the key and erases the old one.
    fn rekey(&mut self, key: &[u8; 32]);

    fn encrypt(&self, block: &mut [u8; 16]);

    /// The encryptions of `counter`, `counter` + 1, … mod 2^128 as big-endian blocks; the last is
    /// cut off where `out` ends.
    fn keystream(&self, counter: u128, out: &mut [u8]);
}

/// AES-256 by the processor's instructions where it has them, by constant-time software elsewhere.
pub struct Aes256(Fast256);

impl Cipher for Aes256 {}
impl ZeroizeOnDrop for Aes256 {}

impl Backend for Aes256 {
    fn new(key: &[u8; 32]) -> Self {
        Aes256(Fast256::new(key))
    }

    fn rekey(&mut self, key: &[u8; 32]) {
        *self = Self::new(key);
    }

    fn encrypt(&self, block: &mut [u8; 16]) {
        self.0.encrypt(block);
    }

    fn keystream(&self, counter: u128, out: &mut [u8]) {
        self.0.keystream(counter, out);
    }
}

/// AES-256 by constant-time software, bit operations alone, on any processor.
#[cfg(not(target_arch = "wasm32"))]
pub struct Aes256Soft(bitsliced::Planes<15>);

/// AES-256 by constant-time software: here [`Aes256`] is nothing else.
#[cfg(target_arch = "wasm32")]
pub type Aes256Soft = Aes256;

#[cfg(not(target_arch = "wasm32"))]
impl Cipher for Aes256Soft {}

#[cfg(not(target_arch = "wasm32"))]
impl Backend for Aes256Soft {
    fn new(key: &[u8; 32]) -> Self {
        let keys = &mut bitsliced::expanded(key);
        let soft = Aes256Soft(bitsliced::planes(keys));
        keys.zeroize();
        soft
    }

    fn rekey(&mut self, key: &[u8; 32]) {
        // The new schedule lies where the old one lay.
        *self = Self::new(key);
    }

    fn encrypt(&self, block: &mut [u8; 16]) {
        bitsliced::encrypt(&self.0, block);
    }

    fn keystream(&self, counter: u128, out: &mut [u8]) {
        bitsliced::keystream(&self.0, counter, out);
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Drop for Aes256Soft {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl ZeroizeOnDrop for Aes256Soft {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    /// FIPS 197, appendix C.3.
    fn fips_197<C: Backend>() {
        let key = core::array::from_fn(|i| i as u8);
        let mut block: [u8; 16] = core::array::from_fn(|i| 0x11 * i as u8);
        C::new(&key).encrypt(&mut block);
        let expected = 0x8ea2b7ca516745bfeafc49904b496089_u128;
        assert_eq!(u128::from_be_bytes(block), expected);
    }

    /// The keystream is one block after the other, at every length, across both carries.
    fn keystream<C: Backend>() {
        let cipher = C::new(&[7; 32]);
        let starts = [0, u128::from(u32::MAX) - 3, u128::from(u64::MAX) - 3, u128::MAX - 3];
        let lengths: &[usize] =
            if cfg!(miri) { &[0, 17, 128] } else { &[0, 1, 15, 16, 17, 64, 127, 128, 129, 200, 1024, 1500] };
        // Every length at one start, and every start at one length.
        let of_lengths = lengths.iter().map(|len| (starts[1], *len));
        let of_starts = starts.iter().map(|start| (*start, 200));
        for (start, len) in of_lengths.chain(of_starts) {
            let mut out = vec![0; len];
            cipher.keystream(start, &mut out);
            let expected: Vec<u8> = (0..len.div_ceil(16))
                .flat_map(|i| {
                    let mut block = start.wrapping_add(i as u128).to_be_bytes();
                    cipher.encrypt(&mut block);
                    block
                })
                .take(len)
                .collect();
            assert_eq!(out, expected, "{start} {len}");
        }
    }

    #[test]
    fn hardware() {
        fips_197::<Aes256>();
        keystream::<Aes256>();
    }

    #[test]
    fn software() {
        fips_197::<Aes256Soft>();
        keystream::<Aes256Soft>();
    }

    /// Two ciphers that share no code.
    #[test]
    fn hardware_and_software_agree() {
        let mut state = 1_u64;
        for len in [1, 16, 64, 128, 129, 500, 512, 640, 1024, 5000] {
            let mut random = || {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                (state >> 56) as u8
            };
            let (key, start) = (core::array::from_fn(|_| random()), core::array::from_fn(|_| random()));
            let (mut hard, mut soft) = (vec![0; len], vec![0; len]);
            Aes256::new(&key).keystream(u128::from_be_bytes(start), &mut hard);
            Aes256Soft::new(&key).keystream(u128::from_be_bytes(start), &mut soft);
            assert_eq!(hard, soft, "{len} bytes");
        }
    }

    #[test]
    fn a_new_key_replaces_the_old() {
        fn rekeyed<C: Backend>() -> [u8; 16] {
            let mut cipher = C::new(&[1; 32]);
            cipher.rekey(&[2; 32]);
            let (mut a, mut b) = ([3; 16], [3; 16]);
            cipher.encrypt(&mut a);
            C::new(&[2; 32]).encrypt(&mut b);
            assert_eq!(a, b);
            a
        }
        assert_eq!(rekeyed::<Aes256>(), rekeyed::<Aes256Soft>());
    }
}
