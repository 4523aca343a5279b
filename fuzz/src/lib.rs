//! The bodies of the fuzz targets. Each takes any bytes, and panics if a promise is broken.

#![forbid(unsafe_code)]

mod builders;
mod files;
mod params;
mod schemes;

pub use builders::builders;
pub use files::files;
pub use params::params;
pub use schemes::schemes;
