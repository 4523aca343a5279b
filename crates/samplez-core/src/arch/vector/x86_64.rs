//! Vectors in the registers of SSE2, AVX2 and AVX-512.
//!
//! # Safety
//!
//! The methods are intrinsics. They need two conditions, for which this is the argument.
//!
//! - *The processor has the instructions.* `Sse2` is compiled only for targets that have SSE2. The methods of [`Avx2`] and
//!   [`Avx512`] are inlined into functions compiled for their instructions. Only `Backend::run_in_vectors` and
//!   `Backend::run_in_avx2` name these types. They enter such a function by the evidence of a detection: `HasAvx2`, `HasAvx512`,
//!   `HasWords` or `HasBytes`.
//! - *Loads and stores stay within their slice.* They need no alignment. Each takes its pointer from an array, or from
//!   a slice cut to its size in the same expression. That panics if the slice is shorter.

mod avx2;
mod avx512;
#[cfg(target_feature = "sse2")]
mod sse2;

pub(super) use avx2::Avx2;
pub(super) use avx512::Avx512;
#[cfg(target_feature = "sse2")]
pub(super) use sse2::Sse2;
