//! Gaussians over lattices.
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
