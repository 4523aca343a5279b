//! The derivation function of CTR_DRBG over AES-256: inputs of any length to 48 bytes.
//!
//! \[SP800-90A\], §10.3.2 (Block_Cipher_df) and §10.3.3 (BCC).
//!
//! ```text
//! 1–3 S = L ‖ N ‖ input ‖ 0x80 ‖ 0…, a multiple of 16 bytes; L = length of the input, N = 48
//! 4–8 K = 00 01 … 1f; temp = BCC(K, i ‖ 0^96 ‖ S) for i = 0, 1, 2
//! 9–10 K, X = temp
//! 11–14 output E(K, X), E(K, E(K, X)), …
//! ```
//!
//! The three chains of step 8 read S in one pass, so that nothing is gathered in a buffer.

use super::aes256::Backend;
use zeroize::{Zeroize, Zeroizing};

/// Key and counter block of CTR_DRBG over AES-256, in bytes.
pub(super) const SEED_BYTES: usize = 48;

/// The chains of step 8 on their way through S.
pub(super) struct Derivation<C> {
    cipher: C,
    /// Chaining values for i = 0, 1, 2.
    values: [[u8; 16]; 3],
    block: [u8; 16],
    filled: usize,
}

impl<C: Backend> Derivation<C> {
    /// For an input of so many bytes, fewer than 2^32.
    pub(super) fn new(length: usize) -> Self {
        let cipher = C::new(&core::array::from_fn(|i| i as u8));
        let mut values = [[0; 16]; 3];
        for (i, value) in values.iter_mut().enumerate() {
            value[3] = i as u8;
            cipher.encrypt(value);
        }
        let mut chains = Derivation { cipher, values, block: [0; 16], filled: 0 };
        chains.absorb(&(length as u32).to_be_bytes()); // steps 2–3
        chains.absorb(&(SEED_BYTES as u32).to_be_bytes());
        chains
    }

    /// The next piece of the input.
    pub(super) fn absorb(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.block[self.filled] = *byte;
            self.filled += 1;
            if self.filled == 16 {
                self.close_block();
            }
        }
    }

    fn close_block(&mut self) {
        for value in &mut self.values {
            value.iter_mut().zip(self.block).for_each(|(v, b)| *v ^= b);
            self.cipher.encrypt(value);
        }
        self.block = [0; 16];
        self.filled = 0;
    }

    /// 48 bytes of the input, which has been absorbed.
    pub(super) fn finish(mut self) -> Zeroizing<[u8; SEED_BYTES]> {
        self.absorb(&[0x80]);
        if self.filled > 0 {
            self.close_block();
        }
        // steps 9–10
        let mut key = Zeroizing::new([0; 32]);
        key.copy_from_slice(self.values[..2].as_flattened());
        let mut x = Zeroizing::new(self.values[2]);
        // steps 11–14
        self.cipher.rekey(&key);
        let mut out = Zeroizing::new([0; SEED_BYTES]);
        for block in out.chunks_exact_mut(16) {
            self.cipher.encrypt(&mut x);
            block.copy_from_slice(&*x);
        }
        out
    }
}

impl<C> Drop for Derivation<C> {
    fn drop(&mut self) {
        self.values.zeroize();
        self.block.zeroize();
    }
}

/// Block_Cipher_df of the concatenated inputs, to 48 bytes.
///
/// Requires fewer than 2^32 bytes of input in all.
pub(super) fn derive<C: Backend>(inputs: &[&[u8]]) -> Zeroizing<[u8; SEED_BYTES]> {
    let mut derivation = Derivation::<C>::new(inputs.iter().map(|input| input.len()).sum());
    inputs.iter().for_each(|input| derivation.absorb(input));
    derivation.finish()
}
