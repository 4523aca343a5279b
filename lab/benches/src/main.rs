//! Benchmarks. Each figure stands beside a baseline measured in the same run: all contestants
//! take turns, round by round, and medians are reported.
//!
//! `cargo run --release -p samplez-bench [-- NAME …]`; a wrong name lists the names. A file with a function `run` is a benchmark.

use std::error::Error;

type Run = fn() -> Result<(), Box<dyn Error>>;

mod bernoulli;
mod bits;
mod bulk;
mod calls;
mod cdt;
mod cdt_ct;
mod cdt_guided;
mod cdt_lazy_ct;
mod cks;
mod coins;
mod contest;
mod convolution;
mod du_wei;
mod finite;
mod goals;
mod isochronous;
mod karney;
mod knuth_yao;
mod naive;
mod positions;
mod rejection;
mod rejection_table;
mod rounder;
mod sources;
mod wide;
mod ziggurat;

/// Benchmarks by name.
const BENCHMARKS: &[(&str, Run)] = &[
    ("bernoulli", bernoulli::run),
    ("bits", bits::run),
    ("bulk", bulk::run),
    ("calls", calls::run),
    ("cdt", cdt::run),
    ("cdt-ct", cdt_ct::run),
    ("cdt-guided", cdt_guided::run),
    ("cdt-lazy-ct", cdt_lazy_ct::run),
    ("cks", cks::run),
    ("coins", coins::run),
    ("convolution", convolution::run),
    ("du-wei", du_wei::run),
    ("finite", finite::run),
    ("goals", goals::run),
    ("isochronous", isochronous::run),
    ("karney", karney::run),
    ("knuth-yao", knuth_yao::run),
    ("positions", positions::run),
    ("rejection", rejection::run),
    ("rejection-table", rejection_table::run),
    ("rounder", rounder::run),
    ("sources", sources::run),
    ("wide", wide::run),
    ("ziggurat", ziggurat::run),
];

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let Some(other) = wanted.iter().find(|wanted| BENCHMARKS.iter().all(|(name, _)| name != wanted)) {
        let names: Vec<&str> = BENCHMARKS.iter().map(|(name, _)| *name).collect();
        return Err(format!("benchmark = {other}: expected one of {}", names.join(", ")).into());
    }
    for (name, run) in BENCHMARKS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            run()?;
        }
    }
    Ok(())
}
