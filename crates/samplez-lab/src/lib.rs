//! The laboratory: what papers claim, what we find, and the report of both.
//!
//! A [`Claim`] is what a paper says of one quantity, digit by digit (kat/papers); an [`Item`] one of its figures, tables or
//! statements; a [`Finding`] what came out here, with the [`Verdict`] on the claim. An experiment answers an item: it is one
//! row in `items/mod.rs`. A [`Report`] runs experiments, keeps what each found, and writes the page.
//!
//! Beside these stand the pieces that the command shows by themselves: the [`Race`] of samplers, [`plot`] and [`text`].
//!
//! See docs/adr/0020-laboratory.md.
#![forbid(unsafe_code)]

mod answer;
mod counted;
mod data;
mod error;
mod finding;
mod items;
mod kept;
mod place;
pub mod plot;
mod race;
mod report;
pub mod text;

pub use counted::Line;
pub use data::{Claim, Item, Sense, Unit, Value};
pub use error::LabError;
pub use finding::{Finding, Ours, Verdict};
pub use place::Place;
pub use race::Race;
pub use report::{Report, Step, Summary};
