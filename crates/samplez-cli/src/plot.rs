//! Pictures: a file of samples over the exact law, and sheets of an experiment's runs.

mod canvas;
mod histogram;
pub(crate) mod layout;
mod lettering;
mod marks;
#[cfg(feature = "testing")]
mod pdf;
pub(crate) mod png;
pub(crate) mod svg;
pub(crate) mod terminal;

pub(crate) use histogram::Counter;
#[cfg(feature = "testing")]
pub use {marks::Anchor, png::Raster};

/// The picture in words.
pub(crate) struct Caption {
    /// The law.
    pub(crate) law: String,
    /// The file.
    pub(crate) file: String,
}
