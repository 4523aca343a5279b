//! From a generator's words to its one stream of bytes.

use zeroize::Zeroize;

/// A generator of words of `BITS` random bits, at most 64.
pub(super) trait Words: Zeroize {
    const BITS: u32;
    /// The next word; the bits above `BITS` are zero.
    fn word(&mut self) -> u64;
}

/// Words laid end to end, each from its least significant bit up, cut into bytes. No bit is
/// dropped, and the bytes do not depend on the sizes of the requests. Zeroised on drop.
pub(super) struct Packed<W: Words> {
    words: W,
    /// Bits that no request has taken yet, from the least significant up; those above `left`
    /// are zero. Below 64 of them, one more word fits.
    rest: u128,
    left: u32,
}

impl<W: Words> Packed<W> {
    pub(super) const fn new(words: W) -> Self {
        Packed { words, rest: 0, left: 0 }
    }

    #[inline(always)]
    fn take(&mut self, bits: u32) -> u64 {
        while self.left < bits {
            self.rest |= u128::from(self.words.word()) << self.left;
            self.left += W::BITS;
        }
        let taken = self.rest as u64;
        self.rest >>= bits;
        self.left -= bits;
        taken
    }

    #[inline]
    pub(super) fn fill(&mut self, out: &mut [u8]) {
        let (wide, narrow) = out.as_chunks_mut();
        for bytes in wide {
            *bytes = self.take(64).to_le_bytes();
        }
        for byte in narrow {
            *byte = self.take(8) as u8;
        }
    }
}

impl<W: Words> Drop for Packed<W> {
    fn drop(&mut self) {
        self.words.zeroize();
        self.rest.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// The numbers 1, 2, … in `B` bits.
    struct Count<const B: u32>(u64);
    impl<const B: u32> Words for Count<B> {
        const BITS: u32 = B;
        fn word(&mut self) -> u64 {
            self.0 += 1;
            self.0 & (u64::MAX >> (64 - B))
        }
    }
    impl<const B: u32> Zeroize for Count<B> {
        fn zeroize(&mut self) {
            self.0 = 0;
        }
    }

    fn every_bit_once<const B: u32>() {
        const LEN: usize = 2000;
        let bits: Vec<bool> = (1..).flat_map(|n: u64| (0..B).map(move |i| n >> i & 1 != 0)).take(8 * LEN).collect();
        let expected: Vec<u8> = bits.chunks(8).map(|b| (0..8).map(|i| u8::from(b[i]) << i).sum()).collect();
        for size in [1, 3, 7, 8, 13, 64, LEN] {
            let mut packed = Packed::new(Count::<B>(0));
            let mut out = [0; LEN];
            out.chunks_mut(size).for_each(|part| packed.fill(part));
            assert!(out[..] == expected[..], "{B} bits, requests of {size} bytes");
        }
    }

    #[test]
    fn no_bit_is_dropped() {
        every_bit_once::<15>();
        every_bit_once::<31>();
        every_bit_once::<64>();
    }
}
