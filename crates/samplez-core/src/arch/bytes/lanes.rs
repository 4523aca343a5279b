//! The operations of kernels on registers of bytes.

/// A register of bytes.
pub(crate) trait Bytes: Copy {
    /// A bit for each byte, in the form that comparisons give.
    type Mask: Copy;
    /// How many bytes; at most 64.
    const LANES: usize;
    /// log2 of the entries of a table; at least 4.
    const INDEX_BITS: usize;
    /// The first bytes.
    fn load(bytes: &[u8]) -> Self;
    /// To the first bytes.
    fn store(self, bytes: &mut [u8]);
    /// This byte everywhere.
    fn splat(byte: u8) -> Self;
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
    /// a | b.
    fn or(self, other: Self) -> Self;
    /// a ^ b.
    fn xor(self, other: Self) -> Self;
    /// The first ENTRIES, a multiple of 64, as tables; the other tables have no meaning.
    #[inline(always)]
    fn tables<const ENTRIES: usize>(entries: &[u8; 256]) -> [Self; 16] {
        let mut tables = [Self::splat(0); 16];
        for (table, entries) in tables.iter_mut().zip(entries[..ENTRIES].chunks_exact(1 << Self::INDEX_BITS)) {
            *table = Self::table(entries);
        }
        tables
    }
    /// The entries of these ranks, modulo 128 if there are so many, in [`tables`](Self::tables) of ENTRIES; anything where
    /// there is none.
    #[inline(always)]
    fn of_rank<const ENTRIES: usize>(tables: &[Self; 16], rank: Self) -> Self {
        let rank = if ENTRIES == 128 { rank.and(Self::splat(0x7f)) } else { rank };
        let mut found = Self::splat(0);
        for (t, table) in tables.iter().enumerate().take(ENTRIES >> Self::INDEX_BITS) {
            found = found.or(table.look_up_rank(rank, t << Self::INDEX_BITS));
        }
        found
    }
    /// a & b.
    fn and(self, other: Self) -> Self;
    /// a + b, at most 255.
    fn plus_at_most(self, other: Self) -> Self;
    /// -a, where the highest bits of `signs` are set.
    fn negated(self, signs: Self) -> Self;
    /// These bytes, and where the mask is set the next entries of the pool in these [`tables`](Self::tables), in order. Each
    /// byte of `taken` is the number of entries that are taken, or 255 if there are more. From 241 on entries have no
    /// meaning.
    fn hand_out<const ENTRIES: usize>(self, open: Self::Mask, tables: &[Self; 16], taken: &mut Self) -> Self;
    /// a + b.
    fn plus(self, other: Self) -> Self;
    /// a - b.
    fn minus(self, other: Self) -> Self;
    /// One more where the mask is set.
    fn count(self, mask: Self::Mask) -> Self;
    /// Twice this.
    fn double(self) -> Self;
}
