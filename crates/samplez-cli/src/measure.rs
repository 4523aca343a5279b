//! Timing of work and measuring of its stack, for `samplez bench` and the laboratory.

pub mod clock;
pub mod rounds;
pub mod stack;
pub mod streams;
