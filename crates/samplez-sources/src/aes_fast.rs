//! AES in the fastest way that the machine has: by `arch` on x86-64, by RustCrypto's `aes` crate elsewhere, which has ARMv8's
//! instructions.

#[cfg(target_arch = "x86_64")]
mod fast {
    use crate::arch::aes::x86_64::Aes;

    pub(crate) type Fast128 = Aes<11>;
    pub(crate) type Fast256 = Aes<15>;
}

#[cfg(not(target_arch = "x86_64"))]
mod fast {
    use ::aes::cipher::array::Array;
    use ::aes::cipher::consts::U16;
    use ::aes::cipher::{BlockCipherEncrypt, BlockSizeUser, KeyInit, StreamCipherCore};
    use ::aes::{Aes128Enc, Aes256Enc};
    use ctr::cipher::InnerIvInit;
    use ctr::{CtrCore, flavors};
    use zeroize::Zeroize;

    pub(crate) type Fast128 = Aes<Aes128Enc>;
    pub(crate) type Fast256 = Aes<Aes256Enc>;

    /// Under one key. The crate erases it.
    pub(crate) struct Aes<C>(C);

    impl<C: KeyInit + BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>> Aes<C> {
        /// Under a key of the cipher's length.
        pub(crate) fn new(key: &[u8]) -> Self {
            Aes(C::new_from_slice(key).expect("the length is the cipher's"))
        }

        pub(crate) fn encrypt(&self, block: &mut [u8; 16]) {
            self.0.encrypt_block(block.into());
        }

        /// The encryptions of `counter`, `counter` + 1, … mod 2^128 as big-endian blocks; the last is cut off where `out`
        /// ends.
        pub(crate) fn keystream(&self, counter: u128, out: &mut [u8]) {
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
}

pub(crate) use fast::{Fast128, Fast256};
