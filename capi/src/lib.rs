//! The C interface of samplez: `include/samplez.h`.
//!
//! Opaque handles, a status for each call, a message for the last error of the thread. No panic
//! leaves a function; `samplez_fill_*` allocates nothing. Names, laws, streams and messages are the
//! library's own: the same seed gives the same integers as in every other language.
//!
//! | file | what |
//! |---|---|
//! | `status.rs` | statuses, messages, and the guard around every function |
//! | `sampler.rs` | samplers: creation, certificate |
//! | `stream.rs` | continuous streams: named sources, a caller's generator |
//! | `bulk.rs` | arrays with addresses |
//! | `each.rs` | a centre and a width for every sample |
//! | `law.rs` | probabilities and quantiles |
//! | `verify.rs` | tests of integers |
//! | `big.rs` | samples beyond 64 bits |
//! | `residues.rs` | residues of samples |
//! | `wasm.rs` | what a host of the WebAssembly module needs besides; not in the header |

#![allow(non_camel_case_types)] // names as C spells them

mod big;
mod bulk;
mod each;
mod law;
mod residues;
mod sampler;
mod status;
mod stream;
#[cfg(any(not(target_arch = "wasm32"), feature = "verify"))]
mod verify;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use big::*;
pub use bulk::*;
pub use each::*;
pub use law::*;
pub use residues::*;
pub use sampler::*;
pub use status::*;
pub use stream::*;
#[cfg(any(not(target_arch = "wasm32"), feature = "verify"))]
pub use verify::*;
#[cfg(target_arch = "wasm32")]
pub use wasm::*;
