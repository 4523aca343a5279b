//! Gaussians over lattices.
#![forbid(unsafe_code)]

mod gadget;
mod trapdoor;

pub use gadget::Gadget;
pub use trapdoor::{Parameters, PublicMatrix, Trapdoor, TrapdoorError};

/// The documents' examples run too.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../docs/book/trapdoors.md")]
    struct Trapdoors;
}
