//! A run of `samplez seeding`.

use samplez::Source;
use samplez_check::seeding::Run;

/// What one source did under one seed.
pub(super) struct Trial {
    pub(super) source: Source,
    /// Where the seed came from; «none» for a source that takes none.
    pub(super) seed: &'static str,
    pub(super) run: Run,
    /// σ, and the mean in units of its standard deviation.
    pub(super) by_sigma: Vec<(f64, f64)>,
    pub(super) repeating: u32,
}

impl Trial {
    pub(super) fn name(&self) -> String {
        format!("{}, {}", self.source, self.seed)
    }
}
