//! How far the building of a table has come, to JavaScript.

/// Passes on the rows that are computed, and the rows in all.
#[cfg(target_arch = "wasm32")]
pub(crate) fn report(done: u64, of: u64) {
    // SAFETY: the loader gives the module a function of this type (web/src).
    #[link(wasm_import_module = "samplez")]
    unsafe extern "C" {
        safe fn progress(done: f64, of: f64);
    }
    progress(done as f64, of as f64);
}

/// Nobody listens.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) const fn report(_: u64, _: u64) {}
