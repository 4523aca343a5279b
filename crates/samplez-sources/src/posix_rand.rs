//! `rand()` as the POSIX standard recommends it for programs that need the same numbers everywhere. It is x =
//! 1103515245·x + 12345, of which bits 16 to 30 are the output.

use super::Seed;
use super::bytes::byte_stream;
use super::packed::{Packed, Words};
use super::seedable::seedable;
use zeroize::Zeroize;

/// [`Source::PosixRand`](crate::Source::PosixRand), by its type. A program that calls `rand()` for its bits uses all of
/// them; no bit is chosen for its quality. Zeroised on drop.
///
/// ```
/// use rand_core::Rng;
/// use samplez_sources::{PosixRand, Seed};
/// let mut one = [0; 32];
/// one[0] = 1;
/// let first = PosixRand::new(&Seed::from_bytes(one)).next_u32() & 0x7fff;
/// assert_eq!(first, 16_838); // (1103515245 + 12345)/65536 mod 32768
/// ```
pub struct PosixRand(Packed<State>);

struct State(u32);

impl PosixRand {
    /// Builds the generator from the seed, as [`Source`](crate::Source) describes.
    ///
    /// ```
    /// use samplez_sources::{PosixRand, Seed};
    /// assert_eq!(format!("{:?}", PosixRand::new(&Seed::from_bytes([1; 32]))), "PosixRand { .. }");
    /// ```
    pub fn new(seed: &Seed) -> Self {
        PosixRand(Packed::new(State(seed.low_u32())))
    }
}

byte_stream!(PosixRand);
seedable!(PosixRand, PosixRand::new);

impl Words for State {
    const BITS: u32 = 15;
    #[inline(always)]
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        u64::from(self.0 >> 16 & 0x7fff)
    }
}

impl Zeroize for State {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
