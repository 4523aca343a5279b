//! The modules with `unsafe`: the count of forks, and kernels of ciphers.
//!
//! The kernels are pure maps from keys and counters to keystream, which the core's
//! [`Backend`](samplez_core::arch::Backend) compiles for the instructions of the machine.
//!
//! The portable implementation is the specification, as for the core's own kernels.

#[cfg(any(test, not(target_arch = "wasm32")))]
pub(crate) mod aes;
pub(crate) mod chacha;
#[cfg(feature = "std")]
pub(crate) mod fork;
