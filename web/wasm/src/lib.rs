//! samplez for JavaScript: the WebAssembly modules of the npm package but that of the schemes.
//!
//! Each feature makes one module: `draw` has the samplers, `big` has samplers for parameters of any size, `verify` has the verdicts, and
//! `small` is the module of `samplez/core`. Each has plain `extern "C"` exports, and texts for all that is not a number: a request is
//! lines of `key<TAB>value`, an answer is JSON or, after a status of 1, the kind of the failure, a tab, and the library's own message.
//!
//! The exports have these names in WebAssembly only: in a test's program, which has all modules, `open` is the system's. Nothing here is
//! `unsafe` but the imports of entropy and of progress: JavaScript reads and writes only where the exports say.

#![cfg_attr(target_family = "wasm", allow(dead_code, reason = "each module uses a part of what they share"))]

#[cfg(feature = "big")]
pub mod big;
#[cfg(feature = "samplez")]
mod bits;
#[cfg(feature = "draw")]
pub mod draw;
#[cfg(all(any(feature = "big", feature = "draw"), target_arch = "wasm32"))]
mod entropy;
mod head;
#[cfg(feature = "samplez")]
mod json;
#[cfg(feature = "samplez")]
mod recipe;
#[cfg(feature = "small")]
pub mod small;
#[cfg(feature = "samplez")]
mod spelling;
#[cfg(feature = "samplez")]
mod state;
#[cfg(feature = "verify")]
pub mod verify;
