//! Gaussians over lattices.
#![forbid(unsafe_code)]

mod gadget;
mod trapdoor;

pub use gadget::Gadget;
pub use trapdoor::{Parameters, PublicMatrix, Trapdoor, TrapdoorError};
