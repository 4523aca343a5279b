//! Entropy from JavaScript: `crypto.getRandomValues`, as the operating system's generator.

use getrandom::Error;

// SAFETY: the loader gives the module a function of this type (web/src).
#[link(wasm_import_module = "samplez")]
unsafe extern "C" {
    /// Fills `len` bytes with random ones; returns 0, or 1 if there are none.
    fn entropy(to: *mut u8, len: usize) -> u32;
}

/// What the crate getrandom calls for its `custom` backend.
///
/// # Safety
///
/// `to` must be valid for writes of `len` bytes, as getrandom promises.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(to: *mut u8, len: usize) -> Result<(), Error> {
    // SAFETY: the loader writes the `len` bytes at `to` and nothing else.
    match unsafe { entropy(to, len) } {
        0 => Ok(()),
        _ => Err(Error::UNSUPPORTED),
    }
}
