//! The samplers: one file, one paper.

/// What several samplers are made of.
mod common {
    pub(super) mod runs;
}

pub mod cdt;
pub mod cks;
pub mod karney;
