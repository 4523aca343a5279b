//! The laboratory: what papers claim, what we find, and the report of both.
//!
//! A [`Claim`] is what a paper says of one quantity, digit by digit (kat/papers); an [`Item`] one of its figures, tables or
//! statements; a [`Finding`] one measurement, with its [`Outcome`]. The [`Verdict`] on a claim follows from all its findings and its
//! [`Class`]. An experiment answers an item: it is one row in `items.rs`. A [`Report`] runs experiments, keeps what each found, and writes the page.
//!
//! The binary `samplez-lab` shows pieces of it by themselves: the [`Race`] of samplers, the experiment on seeds, the counts.
#![forbid(unsafe_code)]

mod answer;
mod bignum;
mod contenders;
mod counted;
mod data;
pub mod documents;
mod error;
mod figures;
mod finding;
mod grid;
mod items;
mod kept;
mod matrix;
mod merge;
mod numbered;
mod orderings;
mod papers;
mod place;
pub mod plot;
mod race;
mod rand_state;
mod report;
mod scalar;
pub mod seeding;
mod speeds;
mod tradeoff;
mod verdict;

pub use contenders::Contender;
pub use counted::{Line, counts};
pub use data::{Claim, Class, Item, Kind, Picture, Sense, Unit, Value};
pub use error::LabError;
pub use figures::Figure;
pub use finding::{Finding, Form, Ours, Outcome};
pub use matrix::Matrix;
pub use numbered::Numbered;
pub use orderings::orderings;
pub use place::{Place, today};
pub use race::Race;
pub use rand_state::{RandState, Unrecovered};
pub use report::{Report, Step, Summary};
pub use speeds::{Entry, Measured};
pub use tradeoff::Tradeoff;
pub use verdict::Verdict;
