//! Bulk arrays: samples with addresses.
//!
//! Sample number i of a bulk array comes from block i/[`BLOCK`] of the seed's tree: a generator
//! seeded with [`Seed::block`](crate::Seed::block), read by a [`BitReader`](crate::BitReader) from its
//! start. So the array is a function of (sampler, source, seed, i), and any part of it can be made
//! anywhere, in any order, by any number of threads.
//!
//! A [`Bulk`] fills slices of any of the integer types: [`fill`](Bulk::fill) on this thread, a whole block of
//! any size by its number with [`fill_block`](Bulk::fill_block),
//! [`par_fill`](Bulk::par_fill) on several, [`par_fill_while`](Bulk::par_fill_while) with an eye on the
//! progress. What does not fit in memory, or is to be written while the next is made, comes
//! in order from [`blocks`](Bulk::blocks).

mod array;
mod blocks;
mod error;
mod within;

pub use array::{AnyNoise, BLOCK, Bulk, block_address};
pub use blocks::{Blocks, Part};
pub use error::FillError;
pub(crate) use within::within;

#[cfg(test)]
mod tests;
