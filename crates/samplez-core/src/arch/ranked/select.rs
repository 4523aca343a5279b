//! Ones of a word by their number.

/// 1 in every byte.
const ONES: u64 = u64::MAX / 0xff;

/// The place of the one with `rank` other ones below it. Requires that there is one.
///
/// There is no branch on the place, and no table. Counts by bytes are added up from the least byte, and compared with the
/// rank all at once. Then the same is done for the bits of the byte.
#[inline(always)]
pub(super) const fn select(word: u64, rank: u64) -> usize {
    let pairs = word - (word >> 1 & (ONES * 0x55));
    let nibbles = (pairs & (ONES * 0x33)) + (pairs >> 2 & (ONES * 0x33));
    let sums = ((nibbles + (nibbles >> 4)) & (ONES * 0x0f)).wrapping_mul(ONES);
    let shift = 8 * not_above(sums, rank);
    // Ones in lower bytes.
    let below = sums << 8 >> shift & 0xff;
    // Bit i of the byte in byte i: 0 or 2^i, then 0 or 1.
    let spread = ((word >> shift & 0xff) * ONES) & 0x8040_2010_0804_0201;
    let bits = (spread + ONES * 0x7f) >> 7 & ONES;
    shift + not_above(bits.wrapping_mul(ONES), rank - below)
}

/// How many bytes are at most `rank` <= 63. Requires bytes of at most 64.
#[inline(always)]
const fn not_above(bytes: u64, rank: u64) -> usize {
    // Byte by byte 128 + rank - byte, of which bit 7 stays where byte <= rank.
    let kept = ONES * (0x80 | rank) - bytes;
    ((kept >> 7 & ONES).wrapping_mul(ONES) >> 56) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ones_are_found_in_their_order() {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        let fixed = [0, 1, 1 << 63, u64::MAX, 0xff, 0xff << 56, 0x8000_0000_0000_0001, ONES, ONES << 7];
        let random = (0..2000).map(|i| {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Sparse, even and dense ones.
            let other = word.rotate_left(21);
            [word, word & other, word | other][i % 3]
        });
        for word in fixed.into_iter().chain(random) {
            let places = (0..64).filter(|place| word >> place & 1 != 0);
            for (rank, place) in (0..).zip(places) {
                assert_eq!(select(word, rank), place, "{word:#x}, {rank}");
            }
        }
    }
}
