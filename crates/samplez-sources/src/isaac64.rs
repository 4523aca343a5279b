//! ISAAC-64: Jenkins' generator of indirection, shift, accumulate, add and count.
//!
//! R. J. Jenkins Jr., "ISAAC", Fast Software Encryption 1996; 64-bit form and `randinit` from
//! his page "ISAAC: a fast cryptographic random number generator".

use super::Seed;
use super::bytes::byte_stream;
use super::packed::{Packed, Words};
use super::seedable::seedable;
use zeroize::Zeroize;

const SIZE: usize = 256;

/// [`Source::Isaac64`](crate::Source::Isaac64), by its type. State and outputs are zeroised on drop.
///
/// ```
/// use rand_core::Rng;
/// use samplez_sources::{Isaac64, Seed};
/// let mut rng = Isaac64::new(&Seed::from_bytes([7; 32]));
/// assert_ne!(rng.next_u64(), rng.next_u64());
/// ```
pub struct Isaac64(Packed<State>);

struct State {
    memory: [u64; SIZE],
    a: u64,
    b: u64,
    c: u64,
    results: [u64; SIZE],
    /// Results not yet handed out.
    left: usize,
}

impl Isaac64 {
    /// Builds the generator from the seed, as [`Source`](crate::Source) describes.
    ///
    /// ```
    /// use samplez_sources::{Isaac64, Seed};
    /// assert_eq!(format!("{:?}", Isaac64::new(&Seed::from_bytes([0; 32]))), "Isaac64 { .. }");
    /// ```
    pub fn new(seed: &Seed) -> Self {
        let mut memory = [0; SIZE];
        memory[..4].copy_from_slice(&seed.words());
        Isaac64(Packed::new(State::new(memory, 2)))
    }

    /// Jenkins' `randinit(FALSE)`: one state for everybody, whose outputs he published. To compare implementations;
    /// it is no seed. For tests: no part of the public interface.
    #[cfg(feature = "testing")]
    pub fn unseeded() -> Self {
        Isaac64(Packed::new(State::new([0; SIZE], 1)))
    }
}

byte_stream!(Isaac64);
seedable!(Isaac64, Isaac64::new);

/// The initial mixing of eight words.
fn mix([a, b, c, d, e, f, g, h]: &mut [u64; 8]) {
    macro_rules! step {
        ($p:ident $q:ident $r:ident $s:ident, $shifted:expr) => {
            *$p = $p.wrapping_sub(*$q);
            *$r ^= $shifted;
            *$s = $s.wrapping_add(*$p);
        };
    }
    step!(a e f h, *h >> 9);
    step!(b f g a, *a << 9);
    step!(c g h b, *b >> 23);
    step!(d h a c, *c << 15);
    step!(e a b d, *d >> 14);
    step!(f b c e, *e << 20);
    step!(g c d f, *f >> 17);
    step!(h d e g, *g << 14);
}

impl State {
    /// The state that so many passes over the memory make. Jenkins has 2 passes with a seed, and
    /// 1 over zeros without.
    fn new(mut memory: [u64; SIZE], passes: u32) -> Self {
        let mut lanes = [0x9e37_79b9_7f4a_7c13; 8]; // the golden ratio's fraction
        (0..4).for_each(|_| mix(&mut lanes));
        for _ in 0..passes {
            for words in memory.as_chunks_mut().0 {
                for (lane, word) in lanes.iter_mut().zip(&*words) {
                    *lane = lane.wrapping_add(*word);
                }
                mix(&mut lanes);
                *words = lanes;
            }
        }
        lanes.zeroize();
        State { memory, a: 0, b: 0, c: 0, results: [0; SIZE], left: 0 }
    }

    #[cold]
    fn refill(&mut self) {
        self.c = self.c.wrapping_add(1);
        self.b = self.b.wrapping_add(self.c);
        for i in 0..SIZE {
            let a = self.a;
            let mixed = match i % 4 {
                0 => !(a ^ a << 21),
                1 => a ^ a >> 5,
                2 => a ^ a << 12,
                _ => a ^ a >> 33,
            };
            self.a = mixed.wrapping_add(self.memory[(i + SIZE / 2) % SIZE]);
            let x = self.memory[i];
            let y = self.memory[(x >> 3) as usize % SIZE].wrapping_add(self.a).wrapping_add(self.b);
            self.memory[i] = y;
            self.b = self.memory[(y >> 11) as usize % SIZE].wrapping_add(x);
            self.results[i] = self.b;
        }
        self.left = SIZE;
    }
}

impl Words for State {
    const BITS: u32 = 64;
    #[inline(always)]
    fn word(&mut self) -> u64 {
        if self.left == 0 {
            self.refill();
        }
        self.left -= 1;
        self.results[self.left % SIZE]
    }
}

impl Zeroize for State {
    fn zeroize(&mut self) {
        self.memory.zeroize();
        self.results.zeroize();
        [&mut self.a, &mut self.b, &mut self.c].into_iter().for_each(Zeroize::zeroize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{Rng, SeedableRng};

    #[test]
    fn reference_without_a_seed() {
        let mut rng = Isaac64::unseeded();
        let row = include_str!("../../../kat/sources.csv").lines().find(|line| line.starts_with("isaac64-unseeded,"));
        let words = row.unwrap().rsplit(',').next().unwrap().as_bytes().chunks(16);
        assert_eq!(words.len(), 16);
        for word in words {
            let bytes = u64::from_str_radix(core::str::from_utf8(word).unwrap(), 16).unwrap();
            assert_eq!(rng.next_u64(), bytes.swap_bytes());
        }
    }

    /// The crate `rand_isaac` is an independent implementation with the same seeding.
    #[allow(deprecated)] // it is not maintained, which a witness need not be
    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn the_crate_rand_isaac() {
        for k in 0..100_u8 {
            let seed: [u8; 32] =
                core::array::from_fn(|i| if k == 0 { 0 } else { k.wrapping_mul(37).wrapping_add(i as u8) });
            let mut theirs = rand_isaac::Isaac64Rng::from_seed(seed);
            let mut ours = Isaac64::new(&Seed::from_bytes(seed));
            for i in 0..2000 {
                assert_eq!(ours.next_u64(), theirs.next_u64(), "seed {k}, output {i}");
            }
        }
    }
}
