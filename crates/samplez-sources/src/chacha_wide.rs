//! ChaCha by [`arch`](crate::arch): as many blocks at once as the machine's instructions allow.

use crate::arch::chacha::{BYTES, Blocks, LONG, SHORT};
use crate::keystream::{Keystream, Make};
use chacha20::Rounds;
use core::marker::PhantomData;
use samplez_core::arch::Backend;
use zeroize::Zeroize;

pub(super) type Stream<R> = Keystream<Wide<R>, BYTES>;

/// The inputs of a keystream.
pub(super) struct Start<'a> {
    /// 32 bytes, or 16.
    pub(super) key: &'a [u8],
    pub(super) nonce: [u8; 8],
    pub(super) block: u64,
}

pub(super) fn stream<R: Rounds>(start: &Start) -> Stream<R> {
    let Start { key: bytes, nonce, block: counter } = *start;
    let constants = if bytes.len() == 16 { &SHORT } else { &LONG };
    let mut key = [0; 8];
    for (word, bytes) in key.iter_mut().zip(bytes.as_chunks().0.iter().cycle()) {
        *word = u32::from_le_bytes(*bytes);
    }
    let nonce = [0, 1].map(|i| u32::from_le_bytes(nonce.as_chunks().0[i]));
    let stream = Keystream::new(Wide { constants, key, nonce, counter, rounds: PhantomData });
    key.zeroize();
    stream
}

/// Under a 64-bit block counter. The key is zeroised on drop.
pub(super) struct Wide<R: Rounds> {
    constants: &'static [u32; 4],
    key: [u32; 8],
    nonce: [u32; 2],
    /// The first block that has not been made.
    counter: u64,
    rounds: PhantomData<R>,
}

impl<R: Rounds> Make<BYTES> for Wide<R> {
    fn make(&mut self, out: &mut [[u8; BYTES]]) {
        let blocks = (BYTES / 64 * out.len()) as u64;
        let Wide { constants, ref key, nonce, counter, .. } = *self;
        write(Blocks { constants, key, nonce, counter, double_rounds: R::COUNT, out });
        self.counter = self.counter.wrapping_add(blocks);
    }
}

/// One copy of the code for every number of rounds: for WebAssembly it is downloaded.
#[inline(never)]
fn write(blocks: Blocks) {
    blocks.write(Backend::current());
}

impl<R: Rounds> Drop for Wide<R> {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use ::chacha20::cipher::{StreamCipher, StreamCipherCoreWrapper};
    use ::chacha20::variants::Legacy;
    use ::chacha20::{ChaChaCore, R8, R12, R20};
    use rand_core::SeedableRng;
    use std::vec;

    /// The bytes are the `chacha20` crate's, in whatever pieces they are read.
    fn check<R: Rounds>() {
        let seed = Seed::from_bytes(core::array::from_fn(|i| 7 * i as u8));
        let mut expected = vec![0; 10_000];
        let core = ChaChaCore::<R, Legacy>::from_seed(*seed.expose());
        StreamCipherCoreWrapper::from_core(core).write_keystream(&mut expected);
        for size in [1, 8, 255, 256, 257, 1000, 1023, 1024, 1025, 4096, 10_000] {
            let mut keystream = stream::<R>(&Start { key: seed.expose(), nonce: [0; 8], block: 0 });
            let mut out = vec![0; 10_000];
            out.chunks_mut(size).for_each(|part| keystream.fill(part));
            assert!(out == expected, "{} double rounds, pieces of {size}", R::COUNT);
        }
    }

    #[test]
    fn the_keystream() {
        check::<R20>();
        check::<R12>();
        check::<R8>();
    }
}
