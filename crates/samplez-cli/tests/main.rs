//! The command, as a process: one program, so that the tests of all files take turns on all cores. `cargo test -p samplez-cli --test command
//! round::` runs a part.

mod common;

mod audits;
mod bad_days;
mod bad_inputs;
mod bytes;
mod circuit;
mod commands;
mod examples;
mod faults;
mod files;
mod finite;
mod identify;
mod lattice;
mod laws;
mod recipes;
mod round;
mod samplers;
mod schemes;
mod tables;
mod watch;
mod whole_or_nothing;
