//! AES-256 in the one direction that a DRBG needs, from two backends.
//!
//! | type | backend | timing |
//! |---|---|---|
//! | [`Aes256`] | the processor's AES instructions (x86 AES-NI and VAES, ARMv8), found at run time; where there are none, fixsliced software | constant: no table, no branch on data |
//! | [`Aes256Soft`] | bit operations on many blocks at once, on every machine | constant: no table, no branch on data |
//!
//! [`Aes256`] is RustCrypto's `aes` crate, which chooses its backend for the whole build; [`Aes256Soft`] is a
//! kernel of this crate's `arch`. See ADR 4.
//!
//! WebAssembly has no AES instructions, and is downloaded: there both types are one.

#[cfg(not(target_arch = "wasm32"))]
use crate::arch::aes::{Encrypt, RoundKeys, expanded};
use ::aes::Aes256Enc;
use ::aes::cipher::{Array, BlockCipherEncrypt, KeyInit, StreamCipherCore};
use ctr::cipher::InnerIvInit;
use ctr::{CtrCore, flavors};
#[cfg(not(target_arch = "wasm32"))]
use samplez_core::arch::Backend as Instructions;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A backend of AES-256: [`Aes256`] or [`Aes256Soft`], nothing else.
///
/// ```
/// use samplez_sources::{Aes256, Aes256Soft, Cipher, CtrDrbg, Drbg};
/// fn first_byte<C: Cipher>() -> u8 {
///     let mut drbg = Drbg::<CtrDrbg<C>>::instantiate(&[1; 32], &[2; 16], b"").unwrap();
///     let mut out = [0];
///     drbg.generate(&mut out, b"").unwrap();
///     out[0]
/// }
/// assert_eq!(first_byte::<Aes256>(), first_byte::<Aes256Soft>());
/// ```
pub trait Cipher: Backend {}

/// What a backend does; sealed.
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
///
/// ```
/// use samplez_sources::{Aes256, CtrDrbg, Drbg};
/// let drbg = Drbg::<CtrDrbg<Aes256>>::instantiate(&[1; 32], &[2; 16], b"");
/// assert!(drbg.is_ok());
/// ```
pub struct Aes256(Aes256Enc);

impl Cipher for Aes256 {}
impl ZeroizeOnDrop for Aes256 {}

impl Backend for Aes256 {
    fn new(key: &[u8; 32]) -> Self {
        Aes256(Aes256Enc::new(key.into()))
    }

    fn rekey(&mut self, key: &[u8; 32]) {
        *self = Self::new(key);
    }

    fn encrypt(&self, block: &mut [u8; 16]) {
        self.0.encrypt_block(block.into());
    }

    fn keystream(&self, counter: u128, out: &mut [u8]) {
        let mut ctr = CtrCore::<_, flavors::Ctr128BE>::inner_iv_init(&self.0, &counter.to_be_bytes().into());
        let (blocks, tail) = Array::slice_as_chunks_mut(out);
        ctr.write_keystream_blocks(blocks);
        if !tail.is_empty() {
            let mut last = Array::default();
            ctr.write_keystream_block(&mut last);
            tail.copy_from_slice(&last[..tail.len()]);
            last.as_mut_slice().zeroize();
        }
    }
}

/// AES-256 by constant-time software, bit operations alone, whatever AES instructions the processor has.
///
/// ```
/// use samplez_sources::{Aes256Soft, CtrDrbg, Drbg};
/// let drbg = Drbg::<CtrDrbg<Aes256Soft>>::instantiate(&[1; 32], &[2; 16], b"");
/// assert!(drbg.is_ok());
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub struct Aes256Soft(RoundKeys);

/// AES-256 by constant-time software: here [`Aes256`] is nothing else.
#[cfg(target_arch = "wasm32")]
pub type Aes256Soft = Aes256;

#[cfg(not(target_arch = "wasm32"))]
impl Cipher for Aes256Soft {}

#[cfg(not(target_arch = "wasm32"))]
impl Backend for Aes256Soft {
    fn new(key: &[u8; 32]) -> Self {
        Aes256Soft(expanded(key))
    }

    fn rekey(&mut self, key: &[u8; 32]) {
        // The new schedule lies where the old one lay.
        self.0 = expanded(key);
    }

    fn encrypt(&self, block: &mut [u8; 16]) {
        let mut blocks = [[*block, [0; 16], [0; 16], [0; 16]]];
        Instructions::current().run(Encrypt { keys: &self.0, blocks: &mut blocks });
        *block = blocks[0][0];
        blocks.zeroize();
    }

    fn keystream(&self, mut counter: u128, mut out: &mut [u8]) {
        while !out.is_empty() {
            // As many blocks at a time as the vectors hold, but for short ends.
            counter =
                if out.len() > 128 { self.blocks::<8>(counter, &mut out) } else { self.blocks::<1>(counter, &mut out) };
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Aes256Soft {
    /// The next 4·L blocks of keystream, or as much as `out` takes of them; returns the counter after them.
    fn blocks<const L: usize>(&self, counter: u128, out: &mut &mut [u8]) -> u128 {
        let mut blocks = [[[0; 16]; 4]; L];
        let mut next = counter;
        for block in blocks.as_flattened_mut() {
            *block = next.to_be_bytes();
            next = next.wrapping_add(1);
        }
        Instructions::current().run(Encrypt { keys: &self.0, blocks: &mut blocks });
        let bytes = blocks.as_flattened().as_flattened();
        let len = bytes.len().min(out.len());
        let (now, later) = core::mem::take(out).split_at_mut(len);
        now.copy_from_slice(&bytes[..now.len()]);
        *out = later;
        blocks.zeroize();
        next
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
