//! The head of a table, which `big` writes and `small` reads.

/// The bytes before the digits.
pub(crate) const LEN: usize = 36;

/// The library's version: eight bits each of its first two numbers, and sixteen of the third.
pub(crate) const VERSION: u32 = number(env!("CARGO_PKG_VERSION_MAJOR")) << 24
    | number(env!("CARGO_PKG_VERSION_MINOR")) << 16
    | number(env!("CARGO_PKG_VERSION_PATCH"));

const fn number(text: &str) -> u32 {
    match u32::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => panic!("a version has numbers"),
    }
}
