//! The order of the values: the data kept of codes as they follow one another.
//!
//! Codes are worked on in windows of [`WINDOW`]. Some statistics are of all windows, the expensive ones of a stated
//! subsample. It has the first 32 windows, and each later one with probability 1/32, by a fixed hash of its number.

mod fft;
mod lags;
mod long;
mod longest;
mod patterns;
mod places;
mod repeats;
mod residues;
mod shares;
mod slow;
mod spectrum;
mod stream;
mod stretches;
mod strided;
mod window;

pub(super) use lags::{LAGS, Sum, lag};
pub(super) use long::{Energies, Harmonics, sign};
pub(super) use longest::Longest;
pub(super) use patterns::{STRIDES, orderings};
pub(super) use places::PERIOD_BITS;
pub(super) use repeats::Kind;
pub(super) use residues::{DIGITS, Parity, Residues};
pub(super) use spectrum::{FOURIER, WALSH};
pub(super) use stream::Order;
pub(super) use stretches::Stretches;
pub(super) use strided::Strided;
pub(super) use window::{WINDOW, mixed};
