//! The samplers: one file, one paper.

pub mod cdt;
pub mod karney;
