//! The order of the values: what is kept of codes as they follow one another.
//!
//! Codes are worked on in windows of [`WINDOW`]. Some statistics are of all windows, the dear ones of a stated subsample: the
//! first 32 windows, and of all later ones each with probability 1/32, by a fixed hash of its number.

mod lags;
mod patterns;
mod places;
mod repeats;
mod spectrum;
mod stream;
mod stretches;
mod window;

pub(super) use lags::{LAGS, Sum, lag};
pub(super) use patterns::{STRIDES, orderings};
pub(super) use places::PERIOD_BITS;
pub(super) use repeats::Kind;
pub(super) use spectrum::{FOURIER, WALSH};
pub(super) use stream::Order;
pub(super) use stretches::Stretches;
pub(super) use window::WINDOW;
