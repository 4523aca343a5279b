//! What the fuzzer chooses: numbers, and the random bits of a sampler.

use samplez_core::bits::BitSource;

/// The bytes of an input in their order; zeros behind its end.
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn bytes(&mut self, most: usize) -> &'a [u8] {
        let (now, rest) = self.0.split_at(most.min(self.0.len()));
        self.0 = rest;
        now
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        let now = self.bytes(N);
        array[..now.len()].copy_from_slice(now);
        array
    }

    pub(crate) fn byte(&mut self) -> u8 {
        u8::from_le_bytes(self.array())
    }

    pub(crate) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    pub(crate) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    pub(crate) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    pub(crate) fn i64(&mut self) -> i64 {
        self.u64().cast_signed()
    }

    /// One of these.
    pub(crate) fn of<'b, T>(&mut self, all: &'b [T]) -> &'b T {
        &all[usize::from(self.byte()) % all.len()]
    }
}

/// Random bits: the words of an input, each from its lowest bit up, and pseudorandom ones behind them. It counts them, and
/// panics when a sampler takes too many.
#[derive(Clone, Copy)]
pub(crate) struct Tape<'a> {
    words: &'a [[u8; 8]],
    /// Bits drawn.
    pub(crate) at: usize,
    /// Bits behind those of the input.
    most: usize,
}

impl<'a> Tape<'a> {
    /// Of these bytes, the last of which are left out where they are no word.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Tape { words: bytes.as_chunks().0, at: 0, most: 1 << 24 }
    }

    /// The same from where it stands, with at most so many bits before it panics.
    pub(crate) fn at_most(self, bits: usize) -> Self {
        Tape { most: (self.at + bits).saturating_sub(64 * self.words.len()), ..self }
    }

    /// The bits of the input.
    pub(crate) fn given(&self) -> usize {
        64 * self.words.len()
    }

    fn word(&self, i: usize) -> u64 {
        self.words.get(i).map_or_else(|| pseudorandom(i as u64), |word| u64::from_le_bytes(*word))
    }
}

/// SplitMix64's output function.
fn pseudorandom(i: u64) -> u64 {
    let mut z = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl BitSource for Tape<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        assert!((1..=64).contains(&n), "a draw of {n} bits");
        let (i, shift) = (self.at / 64, self.at % 64);
        let pair = u128::from(self.word(i)) | u128::from(self.word(i + 1)) << 64;
        self.at += n as usize;
        assert!(self.at <= self.given() + self.most, "a sampler draws {} bits", self.at);
        (pair >> shift) as u64 & (u64::MAX >> (64 - n))
    }

    fn condemn(&mut self) {
        panic!("a sampler of certified law condemns its bits");
    }
}
