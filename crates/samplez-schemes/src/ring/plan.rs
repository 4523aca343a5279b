//! The transform for one degree and modulus, in words of 16 bits, a row at a time.
//!
//! Negacyclic and decimated in time. Layer by layer, block b of length 2l of Z_q\[x\]/(x^2l - ζ²) becomes two blocks of
//! length l, modulo x^l - ζ and x^l + ζ. While l >= `BLOCK`, the rows are halves of a block. Then the array, n/`BLOCK`
//! rows of `BLOCK`, is transposed, and a row has a word of each block, each with a ζ of its own. It stays transposed.
//!
//! Bounds in units of q are by the wider ones of the two ways to multiply. |a| < b makes a product below ½ + 0.1876b,
//! and a word holds 2.666. On the way forward a layer adds a product: three layers after a reduction end below 2.64. On
//! the way back it doubles sums, and multiplies differences: two layers after a reduction end at 2, with no difference
//! larger. A product by a transform is below 1, as if one layer had passed since.

use super::rows::{Rows, inverse, montgomery, reduce, settle};
use crate::wipe::wipe;
use alloc::vec::Vec;
use samplez_core::arch::fastest;

/// The arithmetic that runs here.
#[cfg(not(all(target_arch = "wasm32", samplez_backend = "simd128")))]
type Here = super::rows::Words;
/// The arithmetic that runs here.
#[cfg(all(target_arch = "wasm32", samplez_backend = "simd128"))]
type Here = super::eights::Eights<samplez_core::arch::Eight>;

/// Blocks below this length are transformed across.
const BLOCK: usize = 16;

/// Constants, as pairs of words for [`Rows::multiply`].
struct Constants<const N: usize>([[i16; N]; 2]);

impl<const N: usize> Constants<N> {
    #[inline(always)]
    fn at(&self, k: usize) -> [i16; 2] {
        [self.0[0][k], self.0[1][k]]
    }
    #[inline(always)]
    fn from(&self, k: usize, count: usize) -> [&[i16]; 2] {
        [&self.0[0][k..][..count], &self.0[1][k..][..count]]
    }
}

pub(super) struct Plan<const N: usize, const Q: i32, const ROOT: i32>;

const fn power(base: i32, mut exponent: u32, q: i32) -> i32 {
    let (mut square, mut result) = (base as i64, 1_i64);
    while exponent > 0 {
        if exponent & 1 != 0 {
            result = result * square % q as i64;
        }
        square = square * square % q as i64;
        exponent >>= 1;
    }
    result as i32
}

const fn centred(a: i32, q: i32) -> i16 {
    let rest = a.rem_euclid(q);
    (if rest > q / 2 { rest - q } else { rest }) as i16
}

/// The pair of words for a constant c, for rows that are `rounded` or not.
const fn pair(c: i32, q: i32, rounded: bool) -> [i16; 2] {
    if rounded {
        let c = centred(c, q);
        [c, ((c as i32 * (1 << 16) + q).div_euclid(2 * q)) as i16]
    } else {
        let by_r = centred(((c as i64 * (1 << 16)) % q as i64) as i32, q);
        [by_r, by_r.wrapping_mul(inverse(q))]
    }
}

impl<const N: usize, const Q: i32, const ROOT: i32> Plan<N, Q, ROOT> {
    /// Blocks across.
    const ACROSS: usize = N / BLOCK;
    /// R², whose product with a is aR.
    const R_SQUARED: i16 = centred(((1_i64 << 32) % Q as i64) as i32, Q);

    /// For each slot the k with value ψ^(2k + 1). Block b of the last layer is modulo x - ζ' with the ζ' whose square
    /// would be the next layer's ζ number.
    pub(super) const NATURAL_ORDER: [u16; N] = {
        let mut order = [0; N];
        let mut slot = 0;
        while slot < N {
            // After the last layer, slot i of the untransposed array is the value at ψ^(2·reversed(i) + 1).
            let (row, column) = (slot / Self::ACROSS, slot % Self::ACROSS);
            order[slot] = Self::reversed(column * BLOCK + row) as u16;
            slot += 1;
        }
        order
    };

    const fn reversed(i: usize) -> usize {
        i.reverse_bits() >> (usize::BITS - N.ilog2())
    }

    /// ζ for block k of the layer with blocks k, in the order of use: ψ to the reversed bits of k.
    const fn zetas(inverse: bool, rounded: bool) -> Constants<N> {
        assert!(power(ROOT, N as u32, Q) == Q - 1);
        let mut constants = Constants([[0; N]; 2]);
        let mut k = 0;
        while k < N {
            let exponent = Self::reversed(k) as u32;
            let zeta = power(ROOT, if inverse { 2 * N as u32 - exponent } else { exponent }, Q);
            [constants.0[0][k], constants.0[1][k]] = pair(zeta, Q, rounded);
            k += 1;
        }
        constants
    }

    /// Rearranges them for the layers across. For the layer of m blocks in each column, row A·m + s·A and column b hold
    /// the ζ number A·m + b·m + s.
    const fn across(zetas: &Constants<N>) -> Constants<N> {
        let mut constants = Constants([[0; N]; 2]);
        let mut m = 1;
        while m < BLOCK {
            let mut i = 0;
            while i < m * Self::ACROSS {
                let (s, b) = (i / Self::ACROSS, i % Self::ACROSS);
                let from = Self::ACROSS * m + b * m + s;
                constants.0[0][Self::ACROSS * m + i] = zetas.0[0][from];
                constants.0[1][Self::ACROSS * m + i] = zetas.0[1][from];
                i += 1;
            }
            m *= 2;
        }
        constants
    }

    /// From a to its transform in `slots`, not reduced.
    #[inline(always)]
    fn forward<W: Rows<Q>>(a: &mut [i16; N], slots: &mut [i16; N]) {
        let zetas = const { &Self::zetas(false, W::ROUNDED) };
        let across = const { &Self::across(&Self::zetas(false, W::ROUNDED)) };
        let width = const { Self::ACROSS };
        let mut since = 0;
        W::reduce(a);
        let mut length = N / 2;
        while length >= BLOCK {
            for (number, block) in a.chunks_exact_mut(2 * length).enumerate() {
                let (low, up) = block.split_at_mut(length);
                W::forward(low, up, zetas.at(N / (2 * length) + number));
            }
            since += 1;
            if since % 3 == 0 {
                W::reduce(a);
            }
            length /= 2;
        }
        W::transpose(a, BLOCK, slots);
        let mut blocks = 1;
        while blocks < BLOCK {
            let length = BLOCK / (2 * blocks) * width;
            for (s, block) in slots.chunks_exact_mut(2 * length).enumerate() {
                let zetas = across.from(width * blocks + s * width, width);
                let (low, up) = block.split_at_mut(length);
                for (low, up) in low.chunks_exact_mut(width).zip(up.chunks_exact_mut(width)) {
                    W::forward_across(low, up, zetas);
                }
            }
            since += 1;
            if since % 3 == 0 && 2 * blocks < BLOCK {
                W::reduce(slots);
            }
            blocks *= 2;
        }
    }

    /// From a transform in `slots`, after which so many layers have passed since its reduction, to a.
    #[inline(always)]
    fn back<W: Rows<Q>>(slots: &mut [i16; N], a: &mut [i16; N], mut since: u32) {
        let zetas = const { &Self::zetas(true, W::ROUNDED) };
        let across = const { &Self::across(&Self::zetas(true, W::ROUNDED)) };
        let width = const { Self::ACROSS };
        let mut blocks = BLOCK / 2;
        while blocks > 0 {
            let length = BLOCK / (2 * blocks) * width;
            for (s, block) in slots.chunks_exact_mut(2 * length).enumerate() {
                let zetas = across.from(width * blocks + s * width, width);
                let (low, up) = block.split_at_mut(length);
                for (low, up) in low.chunks_exact_mut(width).zip(up.chunks_exact_mut(width)) {
                    W::back_across(low, up, zetas);
                }
            }
            since += 1;
            if since.is_multiple_of(2) {
                W::reduce(slots);
            }
            blocks /= 2;
        }
        W::transpose(slots, width, a);
        let mut length = BLOCK;
        while length < N {
            for (number, block) in a.chunks_exact_mut(2 * length).enumerate() {
                let (low, up) = block.split_at_mut(length);
                W::back(low, up, zetas.at(N / (2 * length) + number));
            }
            since += 1;
            if since.is_multiple_of(2) && 2 * length < N {
                W::reduce(a);
            }
            length *= 2;
        }
        W::finish(a, const { pair(power(N as i32, Q as u32 - 2, Q), Q, W::ROUNDED) });
    }

    pub(super) fn transform(a: &mut [i16; N]) {
        let mut slots = [0; N];
        fastest(
            #[inline(always)]
            || {
                Self::forward::<Here>(a, &mut slots);
                for (a, slot) in a.iter_mut().zip(&slots) {
                    *a = settle::<Q>(reduce::<Q>(*slot));
                }
            },
        );
        wipe(&mut slots);
    }

    pub(super) fn untransform(a: &mut [i16; N]) {
        let mut slots = *a;
        fastest(
            #[inline(always)]
            || {
                <Here as Rows<Q>>::reduce(&mut slots);
                Self::back::<Here>(&mut slots, a, 0);
            },
        );
        wipe(&mut slots);
    }

    /// The words of a transform, for [`convolve`](Self::convolve).
    pub(super) fn factor(slots: &[i16; N]) -> [Vec<i16>; 2] {
        let pair = |slot: &i16| pair((*slot).into(), Q, <Here as Rows<Q>>::ROUNDED);
        [slots.iter().map(|slot| pair(slot)[0]).collect(), slots.iter().map(|slot| pair(slot)[1]).collect()]
    }

    /// Computes the product of a and the polynomial of these words.
    pub(super) fn convolve(a: &mut [i16; N], factor: [&[i16]; 2]) {
        let mut slots = [0; N];
        fastest(
            #[inline(always)]
            || {
                Self::forward::<Here>(a, &mut slots);
                <Here as Rows<Q>>::multiply(&mut slots, factor);
                Self::back::<Here>(&mut slots, a, 1);
            },
        );
        wipe(&mut slots);
    }

    pub(super) fn multiply(a: &mut [i16; N], b: &[i16]) {
        fastest(
            #[inline(always)]
            || {
                for (x, y) in a.iter_mut().zip(b) {
                    let product = montgomery::<Q>(*x, reduce::<Q>(*y));
                    *x = settle::<Q>(montgomery::<Q>(product, const { Self::R_SQUARED }));
                }
            },
        );
    }

    /// a^(q - 2), from the exponent's highest bit down. With a = a'R/R: the squares are of aR.
    pub(super) fn invert(a: &mut [i16; N]) {
        let mut base = [0; N];
        fastest(
            #[inline(always)]
            || {
                for (x, base) in a.iter_mut().zip(base.iter_mut()) {
                    *x = montgomery::<Q>(reduce::<Q>(*x), const { Self::R_SQUARED });
                    *base = *x;
                }
                for bit in (0..(Q - 2).ilog2()).rev() {
                    let multiply = (Q - 2) >> bit & 1 != 0;
                    for (x, base) in a.iter_mut().zip(base.iter()) {
                        *x = montgomery::<Q>(*x, *x);
                        if multiply {
                            *x = montgomery::<Q>(*x, *base);
                        }
                    }
                }
                for x in a.iter_mut() {
                    *x = settle::<Q>(montgomery::<Q>(*x, 1));
                }
            },
        );
        wipe(&mut base);
    }
}

#[cfg(test)]
mod tests {
    use super::super::eights::Eights;
    use super::super::rows::Words;
    use super::*;

    /// The product of two polynomials by this arithmetic.
    fn product<W: Rows<Q>, const N: usize, const Q: i32, const ROOT: i32>(a: &[i16; N], b: &[i16; N]) -> [i16; N] {
        let ([mut a, mut b], [mut slots, mut factor]) = ([*a, *b], [[0; N]; 2]);
        Plan::<N, Q, ROOT>::forward::<W>(&mut a, &mut slots);
        Plan::<N, Q, ROOT>::forward::<W>(&mut b, &mut factor);
        let [first, second]: [Vec<i16>; 2] =
            [0, 1].map(|i| factor.iter().map(|slot| pair((*slot).into(), Q, W::ROUNDED)[i]).collect());
        W::multiply(&mut slots, [&first, &second]);
        Plan::<N, Q, ROOT>::back::<W>(&mut slots, &mut a, 1);
        a
    }

    fn check<const N: usize, const Q: i32, const ROOT: i32>() {
        let mut state = 1_u64;
        let mut any = || {
            core::array::from_fn(|_| {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                (state >> 48) as i16
            })
        };
        let extremes = [[i16::MIN; N], [i16::MAX; N], [(Q / 2) as i16; N], [-(Q / 2) as i16; N]];
        for round in 0..50 {
            let (a, b) = (extremes.get(round).copied().unwrap_or_else(&mut any), any());
            let want = product::<Words, N, Q, ROOT>(&a, &b);
            assert_eq!(product::<Eights<[i16; 8]>, N, Q, ROOT>(&a, &b), want);
        }
    }

    #[test]
    fn both_ways_to_multiply_make_the_same_products() {
        check::<256, 7681, 62>();
        check::<256, 12289, 2401>();
        check::<512, 12289, 49>();
    }
}
