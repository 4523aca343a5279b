//! `rand()` as the POSIX standard recommends it for programs that need the same numbers
//! everywhere: x = 1103515245·x + 12345, of which bits 16 to 30 are the output.

use super::Seed;
use super::bytes::{Packed, Words, byte_stream};
use super::seedable::seedable;
use zeroize::Zeroize;

/// The portable `rand()` in POSIX's text. **Not cryptographic, and bad**: only 31 bits of the
/// state matter, so that it repeats after 2^31 outputs at the latest (4 GB), and bit i of the
/// output after 2^(17+i).
///
/// An output has 15 bits. All of them enter the stream, least significant first, and the next
/// output follows without a gap: 8 outputs are 15 bytes. A program that calls `rand()` for its
/// bits uses them so; no bit is chosen for its quality. Zeroised on drop.
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
    /// `srand` with the seed's first 4 bytes, least significant first, which is all that it
    /// takes: **seeds that agree there but for the highest bit give the same stream**, and there
    /// are 2^31 streams, all of them parts of one cycle.
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
