//! The parts of the evidence of constant time that need no kernel: the list of cases, a statistic, and verdicts. Their unit tests run in
//! every build. The program itself is compiled for its own profile only.

pub mod answers;
#[cfg(test)]
mod claims;
pub mod cover;
pub mod rare;
pub mod subjects;
pub mod welch;
