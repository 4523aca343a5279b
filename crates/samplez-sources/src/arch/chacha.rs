//! ChaCha's keystream, a block in each lane of the registers: sixteen at once by AVX-512, eight by AVX2, four by SSE2,
//! NEON and simd128. One source over [`Words`] serves all; for `[u32; 1]` it is the specification.

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
#[cfg(samplez_backend = "simd128")]
mod simd128;
mod words;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use core::marker::PhantomData;
use samplez_core::arch::{Backend, Kernel};
use words::{Row, Words};

/// Bytes that are made together: sixteen blocks, and four where no register holds as many.
pub(crate) const BYTES: usize = if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) { 1024 } else { 256 };

/// The implementation of [`Words`] for every machine of the target.
#[cfg(samplez_backend = "simd128")]
type Portable = simd128::Simd128;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
type Portable = x86_64::Sse2;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
type Portable = neon::Neon;
#[cfg(not(any(
    samplez_backend = "simd128",
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
)))]
type Portable = [u32; 1];

/// The keystream under `key` and `nonce`, from block `counter` on, after so many double rounds.
///
/// No branch, index or address depends on the key.
pub(crate) struct Blocks<'a> {
    /// [`LONG`] or [`SHORT`].
    pub(crate) constants: &'static [u32; 4],
    pub(crate) key: &'a [u32; 8],
    pub(crate) nonce: [u32; 2],
    pub(crate) counter: u64,
    pub(crate) double_rounds: usize,
    pub(crate) out: &'a mut [[u8; BYTES]],
}

impl Blocks<'_> {
    /// By this backend's instructions; by the portable ones if it is not available.
    #[inline]
    pub(crate) fn write(self, backend: Backend) {
        match backend {
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 if backend.is_available() => backend.run(In(self, PhantomData::<x86_64::Avx512>)),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 if backend.is_available() => backend.run(In(self, PhantomData::<x86_64::Avx2>)),
            _ => Backend::Scalar.run(In(self, PhantomData::<Portable>)),
        }
    }
}

/// Blocks by the instructions of W.
struct In<'a, W>(Blocks<'a>, PhantomData<W>);

/// "expand 32-byte k".
pub(crate) static LONG: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// "expand 16-byte k", for a key of 16 bytes, which is used twice.
pub(crate) static SHORT: [u32; 4] = [0x6170_7865, 0x3120_646e, 0x7962_2d36, 0x6b20_6574];

impl<W: Words> Kernel for In<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Blocks { constants, key, nonce, mut counter, double_rounds, out } = self.0;
        let (constants, [nonce0, nonce1]) = (constants.map(W::splat), nonce.map(W::splat));
        let [k0, k1, k2, k3, k4, k5, k6, k7] = key.map(W::splat);
        let moves = &W::moves();
        for out in out.as_flattened_mut().chunks_exact_mut(64 * W::LANES) {
            let [low, high] = W::counters(counter);
            let start = [constants, [k0, k1, k2, k3], [k4, k5, k6, k7], [low, high, nonce0, nonce1]];
            let mut x = start;
            for _ in 0..double_rounds {
                let [a, b, c, d] = quarter_rounds(x, moves);
                let [a, b, c, d] = quarter_rounds([a, left::<1, _>(b), left::<2, _>(c), left::<3, _>(d)], moves);
                x = [a, left::<3, _>(b), left::<2, _>(c), left::<1, _>(d)];
            }
            let [[a, b, c, d], [e, f, g, h]] = [x, start];
            W::write([pairs(a, e, W::add), pairs(b, f, W::add), pairs(c, g, W::add), pairs(d, h, W::add)], out);
            counter = counter.wrapping_add(W::LANES as u64);
        }
    }
}

/// RFC 8439, 2.1, of the four columns at once. All is written out or by rows, and so becomes code
/// without loops and addresses.
#[inline(always)]
fn quarter_rounds<W: Words>([a, b, c, d]: [Row<W>; 4], moves: &W::Shuffles) -> [Row<W>; 4] {
    let a = pairs(a, b, W::add);
    let d = pairs(d, a, |x, y| x.xor_rotate::<16>(y, moves));
    let c = pairs(c, d, W::add);
    let b = pairs(b, c, |x, y| x.xor_rotate::<12>(y, moves));
    let a = pairs(a, b, W::add);
    let d = pairs(d, a, |x, y| x.xor_rotate::<8>(y, moves));
    let c = pairs(c, d, W::add);
    let b = pairs(b, c, |x, y| x.xor_rotate::<7>(y, moves));
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
    use std::vec;
    use std::vec::Vec;

    /// RFC 8439, 2.1.1.
    #[test]
    fn the_quarter_round() {
        let start = [0x1111_1111, 0x0102_0304, 0x9b8d_6f43, 0x0123_4567];
        let end = [0xea2a_92f4, 0xcb1c_f8ce, 0x4581_472e, 0x5881_c4bb];
        assert_eq!(quarter_rounds(start.map(|word| [[word]; 4]), &()), end.map(|word| [[word]; 4]));
    }

    fn blocks(backend: Option<Backend>, counter: u64, count: usize) -> Vec<[u8; BYTES]> {
        let mut out = vec![[0; BYTES]; count];
        let key = core::array::from_fn(|i| 0x0123_4567 * i as u32);
        let blocks = Blocks { constants: &LONG, key: &key, nonce: [5, 6], counter, double_rounds: 4, out: &mut out };
        match backend {
            Some(backend) => blocks.write(backend),
            None => In(blocks, PhantomData::<[u32; 1]>).run(),
        }
        out
    }

    /// Every backend against one block at a time, over both words' carries in each lane.
    #[test]
    fn every_backend_does_what_the_words_do() {
        for backend in Backend::ALL {
            for back in 0..18 {
                for counter in [17, 1 << 32, 0] {
                    let first = u64::wrapping_sub(counter, back);
                    assert!(blocks(Some(backend), first, 2) == blocks(None, first, 2), "{backend} from {first}");
                }
            }
        }
    }

    /// The counter's carry, in the words.
    #[test]
    fn the_counter_has_64_bits() {
        let [across] = *blocks(None, u64::from(u32::MAX) - 1, 1) else { unreachable!("one was asked for") };
        assert_eq!(across[128..192], blocks(None, 1 << 32, 1)[0][..64]);
        assert_ne!(across[128..192], blocks(None, 0, 1)[0][..64]);
    }
}
