//! The bodies of the fuzz targets. Each takes any bytes, and panics if a promise is broken.

#![deny(unsafe_code)]

mod builders;
mod calls;
mod drbgs;
mod files;
mod input;
mod params;
mod recipes;
mod samplers;
mod schemes;
mod tables;

pub use builders::builders;
pub use calls::calls;
pub use drbgs::drbgs;
pub use files::files;
pub use params::params;
pub use recipes::recipes;
pub use samplers::samplers;
pub use schemes::schemes;
pub use tables::{is_convolution, tables};
