//! Claims and the list of items, which are data, and the units of both.

mod claim;
mod class;
pub(crate) mod csv;
mod item;
mod unit;

pub use claim::{Claim, Picture, Sense, Value};
pub use class::{Class, Kind};
pub use item::Item;
pub use unit::Unit;
