//! The common constants of the parts: the length of a window, and a hash.

/// Codes that are worked on at once.
pub(in super::super) const WINDOW: usize = 4096;

/// The finaliser of SplitMix64.
pub(in super::super) const fn mixed(number: u64) -> u64 {
    let a = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let b = (a ^ a >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let c = (b ^ b >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    c ^ c >> 31
}
