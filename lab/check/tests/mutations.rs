//! Printed errors, injected: each must be caught by the very test that the right code passes.
//!
//! One file for each sampler; a mutant is a small local sampler that makes one mistake of
//! docs/errata.md.

mod bernoulli;
mod cdt;
mod cdt_ct;
mod cdt_guided;
mod cdt_lazy_ct;
mod cks;
mod coins;
mod convolution;
mod du_wei;
mod knuth_yao;
mod rejection_table;
mod ziggurat;
