//! Gaussians over lattices: exact on any lattice ([`Form`]), and gadgets and trapdoors with certificates ([`Gadget`], [`Trapdoor`]).
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
}
