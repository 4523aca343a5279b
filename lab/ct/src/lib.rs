//! The parts of the evidence of constant time that need no kernel: a statistic, and verdicts. Their unit tests run in every build. The
//! program itself is compiled for release only.

pub mod answers;
pub mod welch;
