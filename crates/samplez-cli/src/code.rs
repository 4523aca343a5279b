//! Samplers as source files: a table's digits, and code that samples from them in constant time without this library.

mod dialect;
mod frodo;
mod model;
mod request;
mod template;
mod vectors;

pub(crate) use dialect::{Dialect, LIMBS};
pub(crate) use request::{Request, default_form, digits, sampler};
