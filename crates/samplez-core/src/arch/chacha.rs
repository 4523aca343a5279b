//! ChaCha's keystream for WebAssembly: four blocks at once by simd128, which the `chacha20` crate does not use.

use super::Kernel;
use core::array;

/// Bytes that are made together: four blocks.
pub(crate) const BYTES: usize = 256;

/// A word of each of `LANES` blocks. What is for `[u32; 1]` is the specification.
trait Words: Copy {
    const LANES: usize;
    /// The words f(0), f(1), …
    fn new(f: impl Fn(usize) -> u32) -> Self;
    fn word(self, lane: usize) -> u32;
    fn add(self, other: Self) -> Self;
    /// (self ⊕ other), rotated left by N, 1 to 31.
    fn xor_rotate<const N: u32>(self, other: Self) -> Self;
}

#[cfg(not(samplez_backend = "simd128"))]
impl Words for [u32; 1] {
    const LANES: usize = 1;
    #[inline(always)]
    fn new(f: impl Fn(usize) -> u32) -> Self {
        [f(0)]
    }
    #[inline(always)]
    fn word(self, lane: usize) -> u32 {
        self[lane]
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        [self[0].wrapping_add(other[0])]
    }
    #[inline(always)]
    fn xor_rotate<const N: u32>(self, other: Self) -> Self {
        [(self[0] ^ other[0]).rotate_left(N)]
    }
}
#[cfg(not(samplez_backend = "simd128"))]
type Lanes = [u32; 1];

#[cfg(samplez_backend = "simd128")]
mod simd128 {
    use core::arch::wasm32::{u32x4, u32x4_add, u32x4_extract_lane, u32x4_shl, u32x4_shr, v128, v128_or, v128_xor};

    #[derive(Clone, Copy)]
    pub(super) struct Lanes(v128);

    impl super::Words for Lanes {
        const LANES: usize = 4;
        #[inline(always)]
        fn new(f: impl Fn(usize) -> u32) -> Self {
            Lanes(u32x4(f(0), f(1), f(2), f(3)))
        }
        #[inline(always)]
        fn word(self, lane: usize) -> u32 {
            match lane {
                0 => u32x4_extract_lane::<0>(self.0),
                1 => u32x4_extract_lane::<1>(self.0),
                2 => u32x4_extract_lane::<2>(self.0),
                _ => u32x4_extract_lane::<3>(self.0),
            }
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Lanes(u32x4_add(self.0, other.0))
        }
        #[inline(always)]
        fn xor_rotate<const N: u32>(self, other: Self) -> Self {
            let x = v128_xor(self.0, other.0);
            Lanes(v128_or(u32x4_shl(x, N), u32x4_shr(x, 32 - N)))
        }
    }
}
#[cfg(samplez_backend = "simd128")]
use simd128::Lanes;

/// The keystream under `key` and a zero nonce, from block `counter` on, after so many double rounds.
///
/// No branch, index or address depends on the key.
pub(crate) struct Blocks<'a> {
    pub(crate) key: &'a [u32; 8],
    pub(crate) counter: u64,
    pub(crate) double_rounds: usize,
    pub(crate) out: &'a mut [[u8; BYTES]],
}

/// "expand 32-byte k".
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

impl Kernel for Blocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut counter = self.counter;
        for out in self.out.as_flattened_mut().chunks_exact_mut(64 * Lanes::LANES) {
            let counters = |lane| counter.wrapping_add(lane as u64);
            let start: [Lanes; 16] = array::from_fn(|i| match i {
                0..4 => Lanes::new(|_| CONSTANTS[i]),
                4..12 => Lanes::new(|_| self.key[i - 4]),
                12 => Lanes::new(|lane| counters(lane) as u32),
                13 => Lanes::new(|lane| (counters(lane) >> 32) as u32),
                _ => Lanes::new(|_| 0),
            });
            let mut x = start;
            for _ in 0..self.double_rounds {
                for i in 0..4 {
                    quarter_round(&mut x, [i, 4 + i, 8 + i, 12 + i]);
                }
                for i in 0..4 {
                    quarter_round(&mut x, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
                }
            }
            for (i, (x, start)) in x.into_iter().zip(start).enumerate() {
                let x = x.add(start);
                for lane in 0..Lanes::LANES {
                    out[64 * lane + 4 * i..][..4].copy_from_slice(&x.word(lane).to_le_bytes());
                }
            }
            counter = counter.wrapping_add(Lanes::LANES as u64);
        }
    }
}

/// RFC 8439, 2.1.
#[inline(always)]
fn quarter_round<W: Words>(x: &mut [W; 16], [a, b, c, d]: [usize; 4]) {
    x[a] = x[a].add(x[b]);
    x[d] = x[d].xor_rotate::<16>(x[a]);
    x[c] = x[c].add(x[d]);
    x[b] = x[b].xor_rotate::<12>(x[c]);
    x[a] = x[a].add(x[b]);
    x[d] = x[d].xor_rotate::<8>(x[a]);
    x[c] = x[c].add(x[d]);
    x[b] = x[b].xor_rotate::<7>(x[c]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Backend;

    /// RFC 8439, 2.1.1.
    #[test]
    fn the_quarter_round() {
        let mut x = [[0]; 16];
        for (i, word) in [0x1111_1111, 0x0102_0304, 0x9b8d_6f43, 0x0123_4567].into_iter().enumerate() {
            x[4 * i] = [word];
        }
        quarter_round(&mut x, [0, 4, 8, 12]);
        assert_eq!([0, 4, 8, 12].map(|i| x[i][0]), [0xea2a_92f4, 0xcb1c_f8ce, 0x4581_472e, 0x5881_c4bb]);
    }

    /// The counter's carry, against one block at a time.
    #[test]
    fn the_counter_has_64_bits() {
        let block = |counter| {
            let mut out = [[0; BYTES]];
            Backend::Scalar.run(Blocks { key: &[1; 8], counter, double_rounds: 4, out: &mut out });
            out[0]
        };
        let across = block(u64::from(u32::MAX) - 1);
        assert_eq!(across[128..192], block(1 << 32)[..64]);
        assert_ne!(across[128..192], block(0)[..64]);
    }
}
