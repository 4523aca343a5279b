//! The samplers: one file, one paper.

/// What several samplers are made of.
pub(crate) mod common {
    pub(super) mod accepts;
    pub(crate) mod batches;
    pub(super) mod below;
    pub(super) mod estimate;
    pub(super) mod exp_square;
    pub(super) mod feed;
    pub(super) mod finish;
    pub(super) mod fixed_exp;
    pub(super) mod half_line;
    pub(super) mod ln2;
    pub(super) mod locate;
    pub(super) mod runs;
    pub(super) mod sums;
    pub(crate) mod trials;
}

pub mod bernoulli;
pub mod cdt;
pub mod cdt_ct;
pub mod cdt_guided;
pub mod cdt_lazy_ct;
pub mod cks;
pub mod convolution;
pub mod convolution_ct;
pub mod discrete_laplace;
pub mod du_wei;
pub mod isochronous;
pub mod karney;
pub mod knuth_yao;
pub mod knuth_yao_ct;
pub mod rejection;
pub mod rejection_table;
pub mod sampler_z;
pub mod strip_rounder;
pub mod ziggurat;
