//! Vectors of bytes and of 16-bit numbers.

use super::bits::Vector;

/// A vector of bytes, and of half as many 16-bit numbers, each of two bytes, the lower one first.
///
/// The implementation for [`Portable`](super::portable::Portable) is the specification.
pub(crate) trait ByteVector: Vector {
    /// A bit for each byte, in the form that comparisons give.
    type Mask: Copy;
    /// How many bytes; at most 64.
    const LANES: usize = 8 * Self::WORDS;
    /// log2 of the entries of a table; at least 4.
    const INDEX_BITS: usize;
    /// The first bytes.
    fn load8(bytes: &[u8]) -> Self;
    /// To the first bytes.
    fn store8(self, bytes: &mut [u8]);
    /// This byte everywhere.
    fn splat8(byte: u8) -> Self;
    /// The table of these first entries.
    fn table(entries: &[u8]) -> Self;
    /// The lowest bits of the bytes, or all that [`look_up`](Self::look_up) takes for them.
    fn index(self) -> Self;
    /// The entries of the table `self` at these indices.
    fn look_up(self, index: Self) -> Self;
    /// The entries of a table whose first has this rank; 0 where the rank is not in it.
    fn look_up_rank(self, rank: Self, first: usize) -> Self;
    /// Where a key, less 128, is above these digits, less 128.
    fn below(self, key: Self) -> Self::Mask;
    /// The same, and where they are equal, the outcome of the digits behind them.
    fn below_or(self, key: Self, behind: Self::Mask) -> Self::Mask;
    /// Where the bytes are 0.
    fn is_zero(self) -> Self::Mask;
    /// Where both are.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// The bytes of `yes` or `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// The first ENTRIES, a multiple of 64, as tables; the other tables have no meaning.
    #[inline(always)]
    fn tables<const ENTRIES: usize>(entries: &[u8; 256]) -> [Self; 16] {
        let mut tables = [Self::splat8(0); 16];
        for (table, entries) in tables.iter_mut().zip(entries[..ENTRIES].chunks_exact(1 << Self::INDEX_BITS)) {
            *table = Self::table(entries);
        }
        tables
    }
    /// The entries of these ranks, modulo 128 if there are so many, in [`tables`](Self::tables) of ENTRIES; anything where
    /// there is none.
    #[inline(always)]
    fn of_rank<const ENTRIES: usize>(tables: &[Self; 16], rank: Self) -> Self {
        let rank = if ENTRIES == 128 { rank.and(Self::splat8(0x7f)) } else { rank };
        let mut found = Self::splat8(0);
        for (t, table) in tables.iter().enumerate().take(ENTRIES >> Self::INDEX_BITS) {
            found = found.or(table.look_up_rank(rank, t << Self::INDEX_BITS));
        }
        found
    }
    /// a + b, at most 255.
    fn plus_at_most(self, other: Self) -> Self;
    /// -a, where the highest bits of `signs` are set.
    fn negated(self, signs: Self) -> Self;
    /// These bytes, and where the mask is set the next entries of the pool in these [`tables`](Self::tables), in order. Each
    /// byte of `taken` is the number of entries that are taken, or 255 if there are more. From 241 on entries have no
    /// meaning.
    fn hand_out<const ENTRIES: usize>(self, open: Self::Mask, tables: &[Self; 16], taken: &mut Self) -> Self;
    /// a + b.
    fn plus8(self, other: Self) -> Self;
    /// a - b.
    fn minus8(self, other: Self) -> Self;
    /// One more where the mask is set.
    fn count(self, mask: Self::Mask) -> Self;
    /// Twice this.
    #[inline(always)]
    fn double(self) -> Self {
        self.plus8(self)
    }
    /// Pairs of registers that a kernel of dependent steps should work on at the same time, 1 or 2.
    const PAIRS: usize = 2;
    /// A bit for each number, in the form that comparisons give.
    type Mask16: Copy;
    /// A table of 16 numbers.
    type Table16: Copy;
    /// Falling numbers, at most 15 above 0, that numbers are compared with.
    type Keys16: Copy;
    /// A table.
    fn table16(entries: &[u16; 16]) -> Self::Table16;
    /// The entries at these indices below 16, of a [pair](Self::load_pair).
    fn look_up16(indices: [Self; 2], table: Self::Table16) -> [Self; 2];
    /// Keys.
    fn keys16(keys: &[u16; 16]) -> Self::Keys16;
    /// How many keys are above each number.
    fn keys_above16(self, keys: &Self::Keys16) -> Self;
    /// Of 16-bit numbers: a + b.
    fn plus16(self, other: Self) -> Self;
    /// ab/2^15, rounded to the nearest; both are below 2^15.
    fn product16(self, other: Self) -> Self;
    /// All shifted left by `n` < 16.
    fn shl16(self, n: u32) -> Self;
    /// All shifted right by `n` < 16.
    fn shr16(self, n: u32) -> Self;
    /// Each shifted right by its own number of places, below 8.
    fn shr_each16(self, n: Self) -> Self;
    /// Where a < b.
    fn below16(self, other: Self) -> Self::Mask16;
    /// a where the mask is set, else 0.
    fn where16(self, mask: Self::Mask16) -> Self;
    /// As many numbers as a register has bytes, in two registers, in an order that the other functions of pairs share.
    #[inline(always)]
    fn load_pair(bytes: &[u8]) -> [Self; 2] {
        [Self::load8(bytes), Self::load8(&bytes[Self::LANES..])]
    }
    /// To as many numbers.
    #[inline(always)]
    fn store_pair([first, second]: [Self; 2], bytes: &mut [u8]) {
        first.store8(bytes);
        second.store8(&mut bytes[Self::LANES..]);
    }
    /// The bytes as numbers.
    fn widen(self) -> [Self; 2];
    /// The numbers, below 2^8, as bytes.
    fn narrow(pair: [Self; 2]) -> Self;
    /// A bit for each byte, the first byte's the lowest.
    fn bits(mask: Self::Mask) -> u64;
    /// Moves the bytes whose bits are set to the head of `out`. The bytes behind them are overwritten.
    #[inline(always)]
    fn compress8(bytes: [u8; 64], mask: u64, out: &mut [u8; 64]) {
        let mut made = 0;
        for (group, mask) in bytes.as_chunks::<8>().0.iter().zip(mask.to_le_bytes()) {
            let places = &PLACES[usize::from(mask)];
            // A group is moved to its own place or to a lower one.
            if let Some(out) = out[made..].first_chunk_mut() {
                *out = Self::shuffle8(*group, places);
            }
            made += mask.count_ones() as usize;
        }
    }
    /// The bytes at these places below 8.
    fn shuffle8(bytes: [u8; 8], places: &[u8; 8]) -> [u8; 8];
}

/// For each mask of 8 the places of its bits, the lowest first.
pub(crate) static PLACES: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut i, mut made) = (0, 0);
        while i < 8 {
            if mask >> i & 1 != 0 {
                places[mask][made] = i as u8;
                made += 1;
            }
            i += 1;
        }
        mask += 1;
    }
    places
};
