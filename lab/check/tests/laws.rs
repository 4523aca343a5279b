//! Every sampler's law, every source's kin, and the checks themselves: one program, so that what they share is built once, and
//! tests of all take turns on all cores. `cargo test -p samplez-check --test laws karney::` runs a part.

// modules: cargo tools gen-docs

mod against;
mod bernoulli;
mod cdt;
mod cdt_ct;
mod cdt_guided;
mod cdt_guided_bytes;
mod cdt_lazy_ct;
mod cks;
mod coins;
mod common;
mod convolution;
mod convolution_ct;
mod discrete_laplace;
mod du_wei;
mod du_wei_frugal;
mod far;
mod filtered;
mod ideal;
mod isochronous;
mod karney;
mod knuth_yao;
mod knuth_yao_ct;
mod mutations;
mod openssl;
mod openssl_drbg;
mod order;
mod rejection;
mod rejection_table;
mod remainder;
mod rounder;
mod samplers;
mod strip_rounder;
mod tape;
mod wide;
mod wrong;
mod ziggurat;

// /modules
