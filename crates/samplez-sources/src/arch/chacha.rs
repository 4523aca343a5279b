//! ChaCha's keystream for WebAssembly: four blocks at once by simd128, which the `chacha20` crate does not use.

use samplez_core::arch::Kernel;

/// Bytes that are made together: four blocks.
pub(crate) const BYTES: usize = 256;

/// A word of each of `LANES` blocks. What is for `[u32; 1]` is the specification.
trait Words: Copy {
    const LANES: usize;
    /// The words f(0), f(1), …
    fn new(f: impl Fn(usize) -> u32) -> Self;
    /// The blocks that these words make, one after the other, to 64 bytes each.
    fn write(words: [Row<Self>; 4], out: &mut [u8]);
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
    fn write(words: [Row<Self>; 4], out: &mut [u8]) {
        for (out, [word]) in out.as_chunks_mut().0.iter_mut().zip(words.into_iter().flatten()) {
            *out = word.to_le_bytes();
        }
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
    use super::Row;
    use core::arch::wasm32::{
        i8x16_shuffle, i32x4_shuffle, u32x4, u32x4_add, u32x4_shl, u32x4_shr, v128, v128_or, v128_store, v128_xor,
    };

    #[derive(Clone, Copy)]
    pub(super) struct Lanes(v128);

    impl super::Words for Lanes {
        const LANES: usize = 4;
        #[inline(always)]
        fn new(f: impl Fn(usize) -> u32) -> Self {
            Lanes(u32x4(f(0), f(1), f(2), f(3)))
        }
        #[inline(always)]
        fn write(words: [Row<Self>; 4], out: &mut [u8]) {
            for (i, row) in words.into_iter().enumerate() {
                for (block, words) in out.as_chunks_mut::<64>().0.iter_mut().zip(transpose(row.map(|x| x.0))) {
                    let quarter = &mut block.as_chunks_mut::<16>().0[i];
                    // SAFETY: these are 16 bytes, and the address need not be aligned.
                    unsafe { v128_store(quarter.as_mut_ptr().cast(), words) };
                }
            }
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Lanes(u32x4_add(self.0, other.0))
        }
        #[inline(always)]
        fn xor_rotate<const N: u32>(self, other: Self) -> Self {
            let x = v128_xor(self.0, other.0);
            Lanes(match N {
                // Whole bytes move in one instruction.
                16 => i8x16_shuffle::<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(x, x),
                8 => i8x16_shuffle::<3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14>(x, x),
                _ => v128_or(u32x4_shl(x, N), u32x4_shr(x, 32 - N)),
            })
        }
    }

    /// Word j of row i goes to word i of row j.
    #[inline(always)]
    fn transpose([a, b, c, d]: [v128; 4]) -> [v128; 4] {
        let low = [i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<0, 4, 1, 5>(c, d)];
        let high = [i32x4_shuffle::<2, 6, 3, 7>(a, b), i32x4_shuffle::<2, 6, 3, 7>(c, d)];
        [
            i32x4_shuffle::<0, 1, 4, 5>(low[0], low[1]),
            i32x4_shuffle::<2, 3, 6, 7>(low[0], low[1]),
            i32x4_shuffle::<0, 1, 4, 5>(high[0], high[1]),
            i32x4_shuffle::<2, 3, 6, 7>(high[0], high[1]),
        ]
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
        let [k0, k1, k2, k3, k4, k5, k6, k7] = *self.key;
        let (first, second) = ([k0, k1, k2, k3], [k4, k5, k6, k7]);
        for out in self.out.as_flattened_mut().chunks_exact_mut(64 * Lanes::LANES) {
            let counters = |lane| counter.wrapping_add(lane as u64);
            let splat = |words: [u32; 4]| words.map(|word| Lanes::new(|_| word));
            let [low, high] = [0, 32].map(|shift| Lanes::new(|lane| (counters(lane) >> shift) as u32));
            let nonce = Lanes::new(|_| 0);
            let start = [splat(CONSTANTS), splat(first), splat(second), [low, high, nonce, nonce]];
            let mut x = start;
            for _ in 0..self.double_rounds {
                let [a, b, c, d] = quarter_rounds(x);
                let [a, b, c, d] = quarter_rounds([a, left::<1, _>(b), left::<2, _>(c), left::<3, _>(d)]);
                x = [a, left::<3, _>(b), left::<2, _>(c), left::<1, _>(d)];
            }
            Lanes::write([0, 1, 2, 3].map(|i| pairs(x[i], start[i], Lanes::add)), out);
            counter = counter.wrapping_add(Lanes::LANES as u64);
        }
    }
}

/// A row of the state, of which there are four.
type Row<W> = [W; 4];

/// RFC 8439, 2.1, of the four columns at once. All is written out or by rows, and so becomes code
/// without loops and addresses.
#[inline(always)]
fn quarter_rounds<W: Words>([a, b, c, d]: [Row<W>; 4]) -> [Row<W>; 4] {
    let a = pairs(a, b, W::add);
    let d = pairs(d, a, W::xor_rotate::<16>);
    let c = pairs(c, d, W::add);
    let b = pairs(b, c, W::xor_rotate::<12>);
    let a = pairs(a, b, W::add);
    let d = pairs(d, a, W::xor_rotate::<8>);
    let c = pairs(c, d, W::add);
    let b = pairs(b, c, W::xor_rotate::<7>);
    [a, b, c, d]
}

#[inline(always)]
fn pairs<W: Words>(x: Row<W>, y: Row<W>, f: impl Fn(W, W) -> W) -> Row<W> {
    [f(x[0], y[0]), f(x[1], y[1]), f(x[2], y[2]), f(x[3], y[3])]
}

/// The row moved N places to the left: diagonals become columns, and back.
#[inline(always)]
fn left<const N: usize, W: Words>(x: Row<W>) -> Row<W> {
    [x[N % 4], x[(N + 1) % 4], x[(N + 2) % 4], x[(N + 3) % 4]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::arch::Backend;

    /// RFC 8439, 2.1.1.
    #[test]
    fn the_quarter_round() {
        let start = [0x1111_1111, 0x0102_0304, 0x9b8d_6f43, 0x0123_4567];
        let end = [0xea2a_92f4, 0xcb1c_f8ce, 0x4581_472e, 0x5881_c4bb];
        assert_eq!(quarter_rounds(start.map(|word| [[word]; 4])), end.map(|word| [[word]; 4]));
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
