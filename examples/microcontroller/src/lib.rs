//! Noise on a microcontroller: a static table, constant time, little stack, a generator of its own; no allocator, no std.
//!
//! `noise.rs` is what `samplez table --sigma 3.2 --precision 72 --emit rust --name NOISE` writes: the compiler checks it
//! (`CdtTable::from_slice`), and nothing is built on the device. `make no-std` builds this crate for a Cortex-M4
//! (thumbv7em-none-eabi).
//!
//! ```
//! let key = [7; 32]; // from the device's own source of entropy
//! let mut noise = [0_i8; 256];
//! samplez_microcontroller::fill(&key, 0, &mut noise).unwrap();
//! assert!(noise.iter().all(|x| (-32..=32).contains(x)));
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod chacha;
mod noise;
mod rcdt;

pub use chacha::ChaCha20;
pub use noise::NOISE;
pub use rcdt::RCDT;

use samplez_core::bits::BitReader;
use samplez_core::samplers::{CdtCt, CdtCtSmall};
use samplez_core::{RangeError, Sampler};

/// Fills a polynomial with samples of D_{Z,3.2}, within the bound of [`NOISE`]. `nonce` counts the calls under a key: none
/// may come twice.
///
/// # Errors
///
/// None here: the support fits the type, which a constant below checks.
///
/// ```
/// let (mut a, mut b) = ([0_i8; 100], [0_i8; 100]);
/// samplez_microcontroller::fill(&[1; 32], 5, &mut a).unwrap();
/// samplez_microcontroller::fill(&[1; 32], 6, &mut b).unwrap();
/// assert_ne!(a, b);
/// ```
pub fn fill(key: &[u8; 32], nonce: u64, out: &mut [i8]) -> Result<(), RangeError> {
    const { assert!(*NOISE.support().end() <= i8::MAX as i64) };
    let Ok(sampler) = CdtCt::from_table(NOISE.view()) else { unreachable!("a table of 32 thresholds is not too long") };
    let mut bits = BitReader::new(ChaCha20::new(key, nonce));
    CdtCtSmall::from(sampler).fill(&mut bits, out)
}
