//! Gaussians over lattices, with exactly the stated distribution: [`Form`].
#![forbid(unsafe_code)]

mod array;
mod coordinate;
mod exp;
mod form;
mod kernel;
mod klein;
mod matrix;
mod reduce;
mod space;

pub use form::Form;
pub use matrix::Matrix;

/// The documents' Rust examples run too.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/book/lattices.md")]
    struct Guide;
}
