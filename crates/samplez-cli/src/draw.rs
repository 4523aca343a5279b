//! Colours, axis ticks and escaping of text, for `samplez plot` and the laboratory's pictures.

mod ink;
mod ticks;

pub use ink::{BANDS, BLUE, COLOURS, GRID, INK, PAPER, SOFT_INK, VERMILION, dark, escaped};
pub use ticks::{label, step};
