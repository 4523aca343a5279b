//! Random bits one at a time from a pool, and whole big integers.

use num_bigint::BigUint;
use rand_core::Rng;
use samplez::Seed;
use samplez_sources::ChaCha20;

/// The source of a contestant, and what it was asked for.
pub(crate) struct Pool {
    source: ChaCha20,
    word: u64,
    left: u32,
    /// Numbers that were drawn.
    pub(crate) numbers: u64,
    /// Exponentials that were computed.
    pub(crate) exps: u64,
    /// Lines that were looked at.
    pub(crate) looks: u64,
}

impl Pool {
    pub(crate) fn new(seed: u8) -> Pool {
        Pool { source: ChaCha20::new(&Seed::from_bytes([seed; 32])), word: 0, left: 0, numbers: 0, exps: 0, looks: 0 }
    }

    /// A bit, of the 64 that were drawn together.
    pub(crate) fn bit(&mut self) -> usize {
        if self.left == 0 {
            (self.word, self.left) = (self.source.next_u64(), 64);
        }
        let bit = self.word & 1;
        self.word >>= 1;
        self.left -= 1;
        bit as usize
    }

    /// So many bits, drawn by whole bytes.
    pub(crate) fn number(&mut self, bits: u64) -> BigUint {
        self.numbers += 1;
        let mut bytes = vec![0; bits.div_ceil(8) as usize];
        self.source.fill_bytes(&mut bytes);
        if let Some(last) = bytes.last_mut() {
            *last >>= 8 * bits.div_ceil(8) - bits;
        }
        BigUint::from_bytes_le(&bytes)
    }

    /// Uniform below 128, without a big integer.
    pub(crate) fn place(&mut self) -> u64 {
        (0..7).fold(0, |place, _| 2 * place + self.bit() as u64)
    }

    /// Uniform below a bound, again until it is below.
    pub(crate) fn below(&mut self, bound: &BigUint) -> BigUint {
        loop {
            let number = self.number(bound.bits());
            if number < *bound {
                return number;
            }
        }
    }
}
