//! KeyExpansion of [FIPS197], whatever the length of the key and whoever computes SubWord.

use zeroize::Zeroize;

/// The round keys: 11 for AES-128, 15 for AES-256.
pub(super) type RoundKeys<const N: usize> = [[u8; 16]; N];

/// KeyExpansion with a SubWord of the caller's; a key of 4·(N - 7) bytes.
#[inline(always)]
pub(super) fn expanded_with<const N: usize>(key: &[u8], substituted: impl Fn(u32) -> u32) -> RoundKeys<N> {
    let length = N - 7; // Nk = Nr - 6
    assert!(key.len() == 4 * length);
    let mut keys = [[0; 16]; N];
    let words = keys.as_flattened_mut().as_chunks_mut::<4>().0;
    words[..length].as_flattened_mut().copy_from_slice(key);
    let mut constant = 1_u32;
    for i in length..4 * N {
        let mut word = u32::from_le_bytes(words[i - 1]);
        if i % length == 0 {
            word = substituted(word.rotate_right(8)) ^ constant;
            constant = (constant << 1) ^ ((constant >> 7) * 0x11b);
        } else if length > 6 && i % length == 4 {
            word = substituted(word);
        }
        words[i] = (word ^ u32::from_le_bytes(words[i - length])).to_le_bytes();
        word.zeroize();
    }
    keys
}
