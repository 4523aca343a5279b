//! Pictures: sheets of panels, bars, and the charts of the report.

mod axis;
pub(crate) mod bars;
pub(crate) mod chart;
pub(crate) mod drawing;
pub(crate) mod panels;

pub use axis::Axis;
pub use bars::Bars;
pub use chart::{Chart, Plot, Series};
pub use panels::{Layout, Marks, Panel, Sheet};
