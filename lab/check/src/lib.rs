//! The validation lab.
//!
//! Two ways to judge a sampler, in this order:
//!
//! 1. [`tape`] walks every bit string that the sampler's real code can consume and adds up the
//!    probabilities exactly. The result is a theorem about the code: its exact law, or rigorous
//!    brackets of it. Most errors in printed algorithms are visible here and nowhere else.
//! 2. [`samplez_stats`] judges integers from anywhere, ours or another library's, by a family of
//!    statistical tests with a stated false alarm rate and a stated power.
//!
//! And [`papers`] measures figures that papers state, [`seeding`] what bad seeds do.
#![forbid(unsafe_code)]

pub mod papers;
pub mod seeding;
pub mod tape;
