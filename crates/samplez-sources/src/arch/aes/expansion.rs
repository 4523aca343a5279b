//! KeyExpansion of [FIPS197], for any length of the key and any SubWord.

/// The round keys, 11 for AES-128, 15 for AES-256, in words of which the first byte is the lowest.
pub(super) type RoundKeys<const N: usize> = [[u32; 4]; N];

/// KeyExpansion with a SubWord of the caller's; a key of 4·(N - 7) bytes.
#[inline(always)]
pub(super) fn expanded_with<const N: usize>(key: &[u8], substituted: impl Fn(u32) -> u32) -> RoundKeys<N> {
    let length = N - 7; // Nk = Nr - 6
    assert!(key.len() == 4 * length);
    let mut keys = [[0; 4]; N];
    let words = keys.as_flattened_mut();
    for (word, bytes) in words.iter_mut().zip(key.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mut constant = 1_u32;
    for i in length..4 * N {
        let mut word = words[i - 1];
        if i % length == 0 {
            word = substituted(word.rotate_right(8)) ^ constant;
            constant = (constant << 1) ^ ((constant >> 7) * 0x11b);
        } else if length > 6 && i % length == 4 {
            word = substituted(word);
        }
        words[i] = word ^ words[i - length];
    }
    keys
}
