//! Pictures: sheets of panels, bars, and the charts of the report.

mod axis;
pub(crate) mod bars;
pub(crate) mod chart;
mod ink;
pub(crate) mod panels;
mod ticks;

pub use axis::Axis;
pub use bars::Bars;
pub use chart::{Chart, Plot, Series};
pub use ink::{BANDS, BLUE, GRID, INK, PAPER, SOFT_INK, VERMILION, dark, escaped};
pub use panels::{Layout, Marks, Panel, Sheet};
pub use ticks::{label, step};
