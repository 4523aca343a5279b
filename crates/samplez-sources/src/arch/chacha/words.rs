//! ChaCha's operations on words, and the plainest of them.

/// A row of the state, of which there are four.
pub(super) type Row<W> = [W; 4];

/// A word of each of `LANES` blocks, a power of two up to 16.
pub(super) trait Words: Copy {
    const LANES: usize;
    /// The operands that [`xor_rotate`](Self::xor_rotate) takes beside its own.
    type Shuffles;
    fn moves() -> Self::Shuffles;
    /// The same word for every block.
    fn splat(word: u32) -> Self;
    /// The lower and upper words of `first`, `first` + 1, … modulo 2^64.
    fn counters(first: u64) -> [Self; 2];
    /// The blocks that these words make, one after the other, to 64 bytes each, exactly `LANES` of them.
    fn write(words: [Row<Self>; 4], out: &mut [u8]);
    fn add(self, other: Self) -> Self;
    /// (self ⊕ other), rotated left by N, 1 to 31.
    fn xor_rotate<const N: i32>(self, other: Self, moves: &Self::Shuffles) -> Self;
}

impl Words for [u32; 1] {
    const LANES: usize = 1;
    type Shuffles = ();
    #[inline(always)]
    fn moves() {}
    #[inline(always)]
    fn splat(word: u32) -> Self {
        [word]
    }
    #[inline(always)]
    fn counters(first: u64) -> [Self; 2] {
        [[first as u32], [(first >> 32) as u32]]
    }
    #[inline(always)]
    fn write(words: [Row<Self>; 4], out: &mut [u8]) {
        for (out, [word]) in out.as_chunks_mut().0.iter_mut().zip(words.into_iter().flatten()) {
            *out = word.to_le_bytes();
        }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        [self[0].wrapping_add(other[0])]
    }
    #[inline(always)]
    fn xor_rotate<const N: i32>(self, other: Self, (): &()) -> Self {
        [(self[0] ^ other[0]).rotate_left(N.cast_unsigned())]
    }
}
