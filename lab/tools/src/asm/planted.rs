//! What a test compiles, and must find: a remainder by the machine's division.

/// The remainder.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn planted(number: u64, by: u64) -> u64 {
    number.checked_rem(by).unwrap_or(0)
}
