//! From a stream cipher to its one stream of bytes.

use ::chacha20::cipher::StreamCipher;
use zeroize::Zeroize;

/// A cipher that makes keystream by pieces of `N` bytes.
pub(super) trait Make<const N: usize> {
    /// The next pieces.
    fn make(&mut self, out: &mut [[u8; N]]);
}

impl<C: StreamCipher> Make<256> for C {
    fn make(&mut self, out: &mut [[u8; 256]]) {
        self.write_keystream(out.as_flattened_mut());
    }
}

/// The keystream of a cipher, which zeroises itself. The bytes do not depend on the sizes of the
/// requests. The buffer is zeroised on drop.
///
/// Small requests are served from a buffer, which vector instructions fill at the cost of one block.
pub(super) struct Keystream<C, const BUFFER: usize = 256> {
    cipher: C,
    buffer: [u8; BUFFER],
    /// The next byte of `buffer`; `BUFFER` when it is used up.
    next: usize,
}

impl<C: Make<BUFFER>, const BUFFER: usize> Keystream<C, BUFFER> {
    pub(super) const fn new(cipher: C) -> Self {
        Keystream { cipher, buffer: [0; BUFFER], next: BUFFER }
    }

    #[inline]
    pub(super) fn fill(&mut self, out: &mut [u8]) {
        match self.buffer.get(self.next..self.next + out.len()) {
            Some(bytes) => {
                out.copy_from_slice(bytes);
                self.next += out.len();
            }
            None => self.refill(out),
        }
    }

    /// Copies the rest of the buffer, whole buffers past it, and the remainder from the next one.
    #[inline(never)]
    fn refill(&mut self, out: &mut [u8]) {
        let (held, out) = out.split_at_mut(BUFFER - self.next);
        held.copy_from_slice(&self.buffer[self.next..]);
        self.next = BUFFER;
        let (whole, rest) = out.as_chunks_mut();
        if !whole.is_empty() {
            self.cipher.make(whole);
        }
        if !rest.is_empty() {
            self.cipher.make(core::slice::from_mut(&mut self.buffer));
            rest.copy_from_slice(&self.buffer[..rest.len()]);
            self.next = rest.len();
        }
    }
}

impl<C, const BUFFER: usize> Drop for Keystream<C, BUFFER> {
    fn drop(&mut self) {
        // A slice is erased by wide stores, an array element by element.
        self.buffer.as_mut_slice().zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::salsa20::Salsa20;
    use ::salsa20::cipher::KeyIvInit;
    use std::vec;

    fn cipher() -> Salsa20 {
        Salsa20::new(&[7; 32].into(), &[0; 8].into())
    }

    #[test]
    fn the_ciphers_bytes_in_requests_of_any_size() {
        const LEN: usize = 3000;
        let mut expected = vec![0; LEN];
        cipher().write_keystream(&mut expected);
        for size in [1, 3, 8, 64, 255, 256, 257, 512, 1000, LEN] {
            let mut stream = Keystream::new(cipher());
            let mut out = vec![0; LEN];
            out.chunks_mut(size).for_each(|part| stream.fill(part));
            assert!(out == expected, "requests of {size} bytes");
        }
        // Requests that meet the end of the buffer from every place.
        for first in 0..=512 {
            let mut stream = Keystream::new(cipher());
            let mut out = vec![0; LEN];
            let (head, tail) = out.split_at_mut(first);
            stream.fill(head);
            stream.fill(&mut []);
            tail.chunks_mut(700).for_each(|part| stream.fill(part));
            assert!(out == expected, "{first} bytes first");
        }
    }
}
