//! What was measured of a sampler.

/// A sampler's place in the tables.
pub(super) struct Entry {
    pub(super) sigma: String,
    pub(super) precision: u32,
    pub(super) name: &'static str,
    /// Its law, bytes and million samples a second, or why there is none.
    pub(super) outcome: Result<Measured, String>,
}

pub(super) struct Measured {
    pub(super) law: String,
    pub(super) bytes: u64,
    pub(super) speed: f64,
}
