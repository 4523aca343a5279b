//! Colours, axis ticks and escaping of text, for `samplez plot` and the laboratory's pictures.

mod ink;
mod ticks;

#[cfg(feature = "testing")]
pub use ink::COLOURS;
pub use ink::{BANDS, BLUE, GRID, INK, PAPER, SOFT_INK, VERMILION, dark, escaped};
pub use ticks::{label, step};
