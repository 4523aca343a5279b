//! The C library's `random()`, as the GNU one defines it for its default state (TYPE_3).
//!
//! State: 31 words of 32 bits.
//!
//! ```text
//! 1  r_0 = seed, 1 in place of 0; as a signed number, r_i = 16807·r_(i-1) mod 2^31 - 1, i < 31
//! 2  r_i = r_(i-3) + r_(i-31) mod 2^32, where r_31, r_32, r_33 stand for r_0, r_1, r_2
//! 3  the outputs are r_i >> 1 from the 311th of step 2 on
//! ```

use super::Seed;
use super::bytes::byte_stream;
use super::packed::{Packed, Words};
use super::seedable::seedable;
use zeroize::Zeroize;

const DEGREE: usize = 31;
const SEPARATION: usize = 3;
const DROPPED: usize = 10 * DEGREE;

/// [`Source::GlibcRandom`](crate::Source::GlibcRandom), by its type. All bits of an output enter the stream: to drop the
/// worse low ones would show a better generator than the one that programs use. Zeroised on drop.
///
/// ```
/// use rand_core::Rng;
/// use samplez_sources::{GlibcRandom, Seed};
/// let mut one = [0; 32];
/// one[0] = 1;
/// let first = GlibcRandom::new(&Seed::from_bytes(one)).next_u32() & 0x7fff_ffff;
/// assert_eq!(first, 1_804_289_383); // what random() gives without a seed
/// ```
pub struct GlibcRandom(Packed<State>);

struct State {
    words: [u32; DEGREE],
    /// The oldest word, which is replaced next.
    at: usize,
}

impl GlibcRandom {
    /// Builds the generator from the seed, as [`Source`](crate::Source) describes.
    ///
    /// ```
    /// use samplez_sources::{GlibcRandom, Seed};
    /// assert_eq!(format!("{:?}", GlibcRandom::new(&Seed::from_bytes([1; 32]))), "GlibcRandom { .. }");
    /// ```
    pub fn new(seed: &Seed) -> Self {
        GlibcRandom(Packed::new(State::new(seed.low_u32())))
    }
}

byte_stream!(GlibcRandom);
seedable!(GlibcRandom, GlibcRandom::new);

impl State {
    fn new(seed: u32) -> Self {
        let mut words = [0; DEGREE];
        // step 1
        let mut word = seed.max(1) as i32;
        words[0] = word as u32;
        for slot in &mut words[1..] {
            word = (16_807 * i64::from(word)).rem_euclid(0x7fff_ffff) as i32;
            *slot = word as u32;
        }
        // r_31, r_32, r_33 repeat r_0, r_1, r_2: the oldest word is then r_3
        let mut state = State { words, at: SEPARATION };
        for _ in 0..DROPPED {
            state.word();
        }
        state
    }
}

impl Words for State {
    const BITS: u32 = 31;
    #[inline(always)]
    fn word(&mut self) -> u64 {
        // step 2: r_(i-31) lies where r_i goes, r_(i-3) three places back, around the end
        let back = if self.at < SEPARATION { self.at + DEGREE - SEPARATION } else { self.at - SEPARATION };
        let sum = self.words[self.at].wrapping_add(self.words[back]);
        self.words[self.at] = sum;
        self.at = if self.at + 1 == DEGREE { 0 } else { self.at + 1 };
        u64::from(sum >> 1) // step 3
    }
}

impl Zeroize for State {
    fn zeroize(&mut self) {
        self.words.zeroize();
    }
}
