//! ChaCha20 (RFC 8439's block function, with a nonce and a counter of 64 bits), in words of 32 bits.

use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
use zeroize::Zeroize;

/// The keystream under a key and a nonce.
///
/// ```
/// use rand_core::Rng;
/// // RFC 8439, A.1, test vector 1.
/// assert_eq!(samplez_microcontroller::ChaCha20::new(&[0; 32], 0).next_u32(), u32::from_le_bytes([0x76, 0xb8, 0xe0, 0xad]));
/// ```
pub struct ChaCha20 {
    state: [u32; 16],
    block: [u32; 16],
    used: usize,
}

impl ChaCha20 {
    /// The start of the stream.
    ///
    /// ```
    /// let generator = samplez_microcontroller::ChaCha20::new(&[9; 32], 1);
    /// ```
    pub fn new(key: &[u8; 32], nonce: u64) -> Self {
        let mut state = [0; 16];
        // "expand 32-byte k"
        state[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        for (word, bytes) in state[4..].iter_mut().zip(key.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        (state[14], state[15]) = (nonce as u32, (nonce >> 32) as u32);
        ChaCha20 { state, block: [0; 16], used: 16 }
    }

    fn refill(&mut self) {
        let mut x = self.state;
        for _ in 0..10 {
            for i in 0..4 {
                quarter(&mut x, [i, 4 + i, 8 + i, 12 + i]);
            }
            for i in 0..4 {
                quarter(&mut x, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
            }
        }
        for ((out, mixed), word) in self.block.iter_mut().zip(x).zip(self.state) {
            *out = mixed.wrapping_add(word);
        }
        x.zeroize();
        let counter = (u64::from(self.state[13]) << 32 | u64::from(self.state[12])).wrapping_add(1);
        (self.state[12], self.state[13]) = (counter as u32, (counter >> 32) as u32);
        self.used = 0;
    }
}

/// A quarter round on four words.
fn quarter(x: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (into, by, turned, turn) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        x[into] = x[into].wrapping_add(x[by]);
        x[turned] = (x[turned] ^ x[into]).rotate_left(turn);
    }
}

impl TryRng for ChaCha20 {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        if self.used == self.block.len() {
            self.refill();
        }
        self.used += 1;
        Ok(self.block[self.used - 1])
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let low = self.try_next_u32()?;
        Ok(u64::from(self.try_next_u32()?) << 32 | u64::from(low))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for bytes in out.chunks_mut(4) {
            bytes.copy_from_slice(&self.try_next_u32()?.to_le_bytes()[..bytes.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for ChaCha20 {}

impl Drop for ChaCha20 {
    fn drop(&mut self) {
        self.state.zeroize();
        self.block.zeroize();
    }
}
