//! AES-128 and AES-256, by the processor's instructions on x86-64 and by bit operations everywhere.
//!
//! Standard: [FIPS197].

pub(crate) mod bitsliced;
mod expansion;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;
