//! Bulk arrays: samples with addresses.
//!
//! Sample number i of a bulk array comes from block i/[`BLOCK`] of the seed's tree. A generator seeded with
//! [`Seed::block`](crate::Seed::block) makes the block, and a [`BitReader`](crate::BitReader) reads it from its start.
//! So the array is a function of (sampler, source, seed, i). You can make any part of it anywhere, in any order, on any
//! number of threads.
//!
//! A [`Bulk`] fills slices of any of the integer types:
//!
//! - [`fill`](Bulk::fill) on this thread;
//! - [`fill_block`](Bulk::fill_block), a whole block of any size by its number;
//! - [`par_fill`](Bulk::par_fill) on several threads;
//! - [`par_fill_while`](Bulk::par_fill_while), with a callback for the progress.
//!
//! For more samples than fit in memory, or to write some while others are made, [`blocks`](Bulk::blocks) returns them
//! in order.

mod ahead;
mod array;
mod blocks;
mod error;
mod within;

pub use array::{AnyNoise, BLOCK, Bulk, block_address};
pub use blocks::{Blocks, Part};
pub use error::FillError;
pub(crate) use within::{copied, within};

#[cfg(test)]
mod tests;
