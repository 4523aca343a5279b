//! KISS-64: Marsaglia's sum of three simple generators.
//!
//! G. Marsaglia, "64-bit KISS RNGs", sci.math and comp.lang.c, 28 February 2009:
//!
//! | part | step | period |
//! |---|---|---|
//! | multiply-with-carry | 2^64·c' + x' = (2^58 + 1)·x + c | about 2^121 |
//! | xorshift | y ^= y << 13; y ^= y >> 17; y ^= y << 43 | 2^64 - 1 |
//! | congruential | z = 6906969069·z + 1234567 | 2^64 |
//!
//! and the output is x + y + z modulo 2^64.

use super::Seed;
use super::bytes::byte_stream;
use super::packed::{Packed, Words};
use super::seedable::seedable;
use zeroize::Zeroize;

/// [`Source::Kiss64`](crate::Source::Kiss64), by its type. Zeroised on drop.
///
/// ```
/// use rand_core::Rng;
/// use samplez_sources::{Kiss64, Seed};
/// let mut rng = Kiss64::new(&Seed::from_bytes([7; 32]));
/// assert_ne!(rng.next_u64(), rng.next_u64());
/// let mut zero = Kiss64::new(&Seed::from_bytes([0; 32]));
/// assert!((0..100).all(|i| zero.next_u64() % 2 == (i + 1) % 2));
/// ```
pub struct Kiss64(Packed<State>);

struct State {
    x: u64,
    c: u64,
    y: u64,
    z: u64,
}

impl Kiss64 {
    /// Builds the generator from the seed, as [`Source`](crate::Source) describes.
    ///
    /// ```
    /// use samplez_sources::{Kiss64, Seed};
    /// assert_eq!(format!("{:?}", Kiss64::new(&Seed::from_bytes([1; 32]))), "Kiss64 { .. }");
    /// ```
    pub fn new(seed: &Seed) -> Self {
        let [x, c, y, z] = seed.words();
        Kiss64(Packed::new(State { x, c, y, z }))
    }
}

byte_stream!(Kiss64);
seedable!(Kiss64, Kiss64::new);

impl Words for State {
    const BITS: u32 = 64;
    #[inline(always)]
    fn word(&mut self) -> u64 {
        // (2^58 + 1)·x + c in two words. As published, a carry out of this sum is lost, which needs
        // c = 2^58 and x = 63 modulo 64.
        let low = (self.x << 58).wrapping_add(self.c);
        let (x, carry) = self.x.overflowing_add(low);
        (self.x, self.c) = (x, (self.x >> 6) + u64::from(carry));
        self.y ^= self.y << 13;
        self.y ^= self.y >> 17;
        self.y ^= self.y << 43;
        self.z = self.z.wrapping_mul(6_906_969_069).wrapping_add(1_234_567);
        self.x.wrapping_add(self.y).wrapping_add(self.z)
    }
}

impl Zeroize for State {
    fn zeroize(&mut self) {
        [&mut self.x, &mut self.c, &mut self.y, &mut self.z].into_iter().for_each(Zeroize::zeroize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng;

    /// The post's own check.
    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn the_hundred_millionth_output() {
        let words: [u64; 4] =
            [1_234_567_890_987_654_321, 123_456_123_456_123_456, 362_436_362_436_362_436, 1_066_149_217_761_810];
        let mut rng = Kiss64::new(&Seed::from_bytes(core::array::from_fn(|i| words[i / 8].to_le_bytes()[i % 8])));
        for _ in 1..100_000_000 {
            rng.next_u64();
        }
        assert_eq!(rng.next_u64(), 1_666_297_717_051_644_203);
    }

    /// Against the definition of the multiply-with-carry step in 128 bits.
    #[test]
    fn multiply_with_carry_is_the_product() {
        let mut state = State { x: 3, c: 5, y: 0, z: 0 };
        for i in 0..10_000_u64 {
            if i % 10 == 0 {
                (state.x, state.c) = (state.x ^ u64::MAX << (i / 10 % 64), (1 << 58) - 1);
            }
            let product = ((1_u128 << 58) + 1) * u128::from(state.x) + u128::from(state.c);
            state.word();
            assert_eq!((state.x, state.c), (product as u64, (product >> 64) as u64));
        }
    }
}
