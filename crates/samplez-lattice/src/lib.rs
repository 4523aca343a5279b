//! Discrete Gaussians over lattices: exact on any lattice ([`Form`]), and gadgets and trapdoors with certificates ([`Gadget`], [`Trapdoor`]).
//!
//! # Example
//!
//! ```
//! use samplez::{Seed, Source};
//! use samplez_lattice::{Form, Matrix};
//!
//! let basis: Matrix = "[[2 0 0]\n[1 3 0]\n[0 1 5]]".parse()?;
//! let form = Form::basis(&basis, "20".parse()?)?;
//! let mut vectors = vec![0_i64; 1000 * form.columns()];
//! form.fill(Source::ChaCha20, &Seed::from_os()?, 0, &mut vectors)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | you need | use |
//! |---|---|
//! | vectors of a lattice, by basis, covariance, Gram matrix or q-ary | [`Form::basis`], [`Form::ellipsoid`], [`Form::gram`], [`Form::qary`] |
//! | another centre, a coset | [`Form::with_center`], [`Form::coset`] |
//! | an array that is a function of its seed; single vectors; many centres at once | [`Form::fill`], [`Form::sample`], [`Form::sample_each`] |
//! | probabilities of vectors and distances; tests of vectors | [`Form::law`], [`Form::verify`] |
//! | short solutions of Σ x_i·b^i = u modulo q | [`Gadget`] |
//! | a matrix A with a trapdoor, and short solutions of A·x = u | [`Trapdoor`], with its [`Parameters`] |
//!
//! The running time of a [`Form`] depends on its samples. [`Gadget`] and [`Trapdoor`] state theirs.
#![forbid(unsafe_code)]

mod array;
mod coordinate;
mod each;
mod exp;
mod form;
mod gadget;
mod kernel;
mod klein;
mod law;
mod matrix;
mod reduce;
mod space;
mod trapdoor;
mod verify;
mod words;

pub use form::Form;
pub use gadget::Gadget;
pub use law::{Law, Shell};
pub use matrix::Matrix;
pub use trapdoor::{Parameters, PublicMatrix, Trapdoor, TrapdoorError};
pub use verify::Report;

/// The documents' Rust examples run too.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/book/lattices.md")]
    struct Guide;
    #[doc = include_str!("../../../docs/book/trapdoors.md")]
    struct Trapdoors;
    #[doc = concat!("```\n", include_str!("../examples/signature.rs"), "```")]
    struct Signature;
}
