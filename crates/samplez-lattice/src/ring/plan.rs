//! The transform for one degree and modulus, in words of 16 bits that the compiler turns into vector code.
//!
//! Negacyclic and decimated in time: layer by layer, block b of length 2l of Z_q\[x\]/(x^2l - ζ²) becomes two
//! blocks of length l, modulo x^l - ζ and x^l + ζ. While l >= `BLOCK`, the inner loop runs along the block.
//! Then the array, n/`BLOCK` rows of `BLOCK`, is transposed, and the inner loop runs over the blocks, each with
//! a ζ of its own. It stays transposed.
//!
//! Products are Montgomery's with R = 2^16, of a signed word and a constant below q/2 in absolute value: from
//! |a| < 2^15 comes less than 2^15/2^16·q/2 + q/2 = 3q/4. Between two reductions lie three layers at most, in
//! which q/2 grows to less than 2.3q < 2^15 (each layer adds a product, of less than 3q/4, and of less than
//! 0.6q while |a| < 1.7q); on the way back two, in which q/2 doubles twice.

use core::array::from_fn;
use samplez_core::arch::{Backend, Kernel};
use zeroize::Zeroize;

/// Blocks below this length are transformed across.
const BLOCK: usize = 16;

/// Constants c in Montgomery's form: cR, and cR/q modulo R, each centred.
struct Constants<const N: usize> {
    by_r: [i16; N],
    by_r_over_q: [i16; N],
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

impl<const N: usize, const Q: i32, const ROOT: i32> Plan<N, Q, ROOT> {
    /// Blocks across.
    const ACROSS: usize = N / BLOCK;
    /// 1/q modulo 2^16, by Newton's iteration: q·q = 1 modulo 8, and each step doubles the bits.
    const Q_INVERSE: i16 = {
        let q = Q as i16;
        let mut x = q;
        let mut step = 0;
        while step < 3 {
            x = x.wrapping_mul(2_i16.wrapping_sub(q.wrapping_mul(x)));
            step += 1;
        }
        x
    };
    /// ζ for block k of the layer with blocks k, in the order of use: ψ to the reversed bits of k.
    const ZETAS: Constants<N> = Self::zetas(false);
    const INVERSE_ZETAS: Constants<N> = Self::zetas(true);
    /// The same for the layers across: for the layer of m blocks in each column, row A·m + s·A and column b
    /// hold the ζ number A·m + b·m + s.
    const ACROSS_ZETAS: Constants<N> = Self::across(&Self::ZETAS);
    const ACROSS_INVERSE_ZETAS: Constants<N> = Self::across(&Self::INVERSE_ZETAS);
    /// R², whose product with a is aR.
    const R_SQUARED: i16 = centred(((1_i64 << 32) % Q as i64) as i32, Q);
    /// R/n, whose product with a is a/n.
    const R_OVER_N: i16 =
        centred((((1_i64 << 16) % Q as i64) * power(N as i32, Q as u32 - 2, Q) as i64 % Q as i64) as i32, Q);
    /// The shift and ⌈2^(16 + shift)/q⌋ of [`reduce`](Self::reduce), below 2^15.
    const SHIFT: u32 = (Q as u32).ilog2() - 1;
    const RECIPROCAL: i32 = ((1 << (16 + Self::SHIFT)) + Q / 2) / Q;

    /// For each slot the k with value ψ^(2k + 1): block b of the last layer is modulo x - ζ' with the ζ' that
    /// the next layer's ζ number would square to.
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

    const fn zetas(inverse: bool) -> Constants<N> {
        assert!(power(ROOT, N as u32, Q) == Q - 1);
        let mut constants = Constants { by_r: [0; N], by_r_over_q: [0; N] };
        let mut k = 0;
        while k < N {
            let exponent = Self::reversed(k) as u32;
            let zeta = power(ROOT, if inverse { 2 * N as u32 - exponent } else { exponent }, Q);
            let by_r = centred(((zeta as i64 * (1 << 16)) % Q as i64) as i32, Q);
            constants.by_r[k] = by_r;
            constants.by_r_over_q[k] = by_r.wrapping_mul(Self::Q_INVERSE);
            k += 1;
        }
        constants
    }

    const fn across(zetas: &Constants<N>) -> Constants<N> {
        let mut constants = Constants { by_r: [0; N], by_r_over_q: [0; N] };
        let mut m = 1;
        while m < BLOCK {
            let mut i = 0;
            while i < m * Self::ACROSS {
                let (s, b) = (i / Self::ACROSS, i % Self::ACROSS);
                let from = Self::ACROSS * m + b * m + s;
                constants.by_r[Self::ACROSS * m + i] = zetas.by_r[from];
                constants.by_r_over_q[Self::ACROSS * m + i] = zetas.by_r_over_q[from];
                i += 1;
            }
            m *= 2;
        }
        constants
    }

    /// a·c for c in Montgomery's form, and c/q modulo R.
    #[inline(always)]
    fn times(a: i16, c: i16, c_over_q: i16) -> i16 {
        high(a, c) - high(a.wrapping_mul(c_over_q), Q as i16)
    }

    /// ab/R.
    #[inline(always)]
    fn montgomery(a: i16, b: i16) -> i16 {
        high(a, b) - high(a.wrapping_mul(b).wrapping_mul(Self::Q_INVERSE), Q as i16)
    }

    /// A remainder of at most (q + 1)/2 in absolute value.
    #[inline(always)]
    fn reduce(a: i16) -> i16 {
        let quotient = (high(a, Self::RECIPROCAL as i16) + (1 << (Self::SHIFT - 1))) >> Self::SHIFT;
        a.wrapping_sub(quotient.wrapping_mul(Q as i16)) // modulo 2^16: the multiple of q may be beyond a word
    }

    /// The centred remainder, of |a| < 3q/2.
    #[inline(always)]
    fn settle(a: i16) -> i16 {
        let half = const { (Q / 2) as i16 };
        a - if a > half { Q as i16 } else { 0 } + if a < -half { Q as i16 } else { 0 }
    }

    pub(super) fn transform(a: &mut [i16; N]) {
        let mut scratch = [0; N];
        Backend::current().run(Forward::<N, Q, ROOT>(a, &mut scratch));
        scratch.zeroize();
    }

    pub(super) fn untransform(a: &mut [i16; N]) {
        let mut scratch = [0; N];
        Backend::current().run(Back::<N, Q, ROOT>(a, &mut scratch));
        scratch.zeroize();
    }

    pub(super) fn multiply(a: &mut [i16; N], b: &[i16]) {
        Backend::current().run(Multiply::<N, Q, ROOT>(a, b));
    }

    pub(super) fn invert(a: &mut [i16; N]) {
        let mut scratch = [0; N];
        Backend::current().run(Invert::<N, Q, ROOT>(a, &mut scratch));
        scratch.zeroize();
    }
}

/// The upper word of a product.
#[inline(always)]
fn high(a: i16, b: i16) -> i16 {
    ((i32::from(a) * i32::from(b)) >> 16) as i16
}

struct Forward<'a, const N: usize, const Q: i32, const ROOT: i32>(&'a mut [i16; N], &'a mut [i16; N]);
struct Back<'a, const N: usize, const Q: i32, const ROOT: i32>(&'a mut [i16; N], &'a mut [i16; N]);
struct Multiply<'a, const N: usize, const Q: i32, const ROOT: i32>(&'a mut [i16; N], &'a [i16]);
struct Invert<'a, const N: usize, const Q: i32, const ROOT: i32>(&'a mut [i16; N], &'a mut [i16; N]);

impl<const N: usize, const Q: i32, const ROOT: i32> Kernel for Forward<'_, N, Q, ROOT> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Forward(a, scratch) = self;
        let reduce = |a: &mut [i16; N]| a.iter_mut().for_each(|x| *x = Plan::<N, Q, ROOT>::reduce(*x));
        let mut since = 0;
        reduce(a);
        let mut length = N / 2;
        while length >= BLOCK {
            let zetas = const { &Plan::<N, Q, ROOT>::ZETAS };
            for (number, block) in a.chunks_exact_mut(2 * length).enumerate() {
                let k = N / (2 * length) + number;
                let (zeta, over_q) = (zetas.by_r[k], zetas.by_r_over_q[k]);
                let (low, up) = block.split_at_mut(length);
                for (x, y) in low.iter_mut().zip(up) {
                    let t = Plan::<N, Q, ROOT>::times(*y, zeta, over_q);
                    (*x, *y) = (*x + t, *x - t);
                }
            }
            since += 1;
            if since % 3 == 0 {
                reduce(a);
            }
            length /= 2;
        }
        let width = const { Plan::<N, Q, ROOT>::ACROSS };
        for row in 0..BLOCK {
            for column in 0..width {
                scratch[row * width + column] = a[column * BLOCK + row];
            }
        }
        let mut blocks = 1;
        while blocks < BLOCK {
            let zetas = const { &Plan::<N, Q, ROOT>::ACROSS_ZETAS };
            let length = BLOCK / (2 * blocks) * width;
            for (s, block) in scratch.chunks_exact_mut(2 * length).enumerate() {
                let from = width * blocks + s * width;
                let (by_r, over_q) = (&zetas.by_r[from..from + width], &zetas.by_r_over_q[from..from + width]);
                let (low, up) = block.split_at_mut(length);
                for (low, up) in low.chunks_exact_mut(width).zip(up.chunks_exact_mut(width)) {
                    for (((x, y), zeta), over_q) in low.iter_mut().zip(up).zip(by_r).zip(over_q) {
                        let t = Plan::<N, Q, ROOT>::times(*y, *zeta, *over_q);
                        (*x, *y) = (*x + t, *x - t);
                    }
                }
            }
            since += 1;
            if since % 3 == 0 {
                reduce(scratch);
            }
            blocks *= 2;
        }
        *a = from_fn(|i| Plan::<N, Q, ROOT>::settle(Plan::<N, Q, ROOT>::reduce(scratch[i])));
    }
}

impl<const N: usize, const Q: i32, const ROOT: i32> Kernel for Back<'_, N, Q, ROOT> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Back(a, scratch) = self;
        let reduce = |a: &mut [i16; N]| a.iter_mut().for_each(|x| *x = Plan::<N, Q, ROOT>::reduce(*x));
        let width = const { Plan::<N, Q, ROOT>::ACROSS };
        let mut since = 0;
        *scratch = from_fn(|i| Plan::<N, Q, ROOT>::reduce(a[i]));
        let mut blocks = BLOCK / 2;
        while blocks > 0 {
            let zetas = const { &Plan::<N, Q, ROOT>::ACROSS_INVERSE_ZETAS };
            let length = BLOCK / (2 * blocks) * width;
            for (s, block) in scratch.chunks_exact_mut(2 * length).enumerate() {
                let from = width * blocks + s * width;
                let (by_r, over_q) = (&zetas.by_r[from..from + width], &zetas.by_r_over_q[from..from + width]);
                let (low, up) = block.split_at_mut(length);
                for (low, up) in low.chunks_exact_mut(width).zip(up.chunks_exact_mut(width)) {
                    for (((x, y), zeta), over_q) in low.iter_mut().zip(up).zip(by_r).zip(over_q) {
                        (*x, *y) = (*x + *y, Plan::<N, Q, ROOT>::times(*x - *y, *zeta, *over_q));
                    }
                }
            }
            since += 1;
            if since % 2 == 0 {
                reduce(scratch);
            }
            blocks /= 2;
        }
        for row in 0..BLOCK {
            for column in 0..width {
                a[column * BLOCK + row] = scratch[row * width + column];
            }
        }
        let mut length = BLOCK;
        while length < N {
            let zetas = const { &Plan::<N, Q, ROOT>::INVERSE_ZETAS };
            for (number, block) in a.chunks_exact_mut(2 * length).enumerate() {
                let k = N / (2 * length) + number;
                let (zeta, over_q) = (zetas.by_r[k], zetas.by_r_over_q[k]);
                let (low, up) = block.split_at_mut(length);
                for (x, y) in low.iter_mut().zip(up) {
                    (*x, *y) = (*x + *y, Plan::<N, Q, ROOT>::times(*x - *y, zeta, over_q));
                }
            }
            since += 1;
            if since % 2 == 0 {
                reduce(a);
            }
            length *= 2;
        }
        let factor = const { Plan::<N, Q, ROOT>::R_OVER_N };
        for x in a.iter_mut() {
            *x = Plan::<N, Q, ROOT>::settle(Plan::<N, Q, ROOT>::montgomery(*x, factor));
        }
    }
}

impl<const N: usize, const Q: i32, const ROOT: i32> Kernel for Multiply<'_, N, Q, ROOT> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Multiply(a, b) = self;
        let factor = const { Plan::<N, Q, ROOT>::R_SQUARED };
        for (x, y) in a.iter_mut().zip(b) {
            let product = Plan::<N, Q, ROOT>::montgomery(*x, Plan::<N, Q, ROOT>::reduce(*y));
            *x = Plan::<N, Q, ROOT>::settle(Plan::<N, Q, ROOT>::montgomery(product, factor));
        }
    }
}

impl<const N: usize, const Q: i32, const ROOT: i32> Kernel for Invert<'_, N, Q, ROOT> {
    type Output = ();
    /// a^(q - 2), from the exponent's highest bit down. With a = a'R/R: the squares are of aR.
    #[inline(always)]
    fn run(self) {
        let Invert(a, base) = self;
        for (x, base) in a.iter_mut().zip(base.iter_mut()) {
            *x =
                Plan::<N, Q, ROOT>::montgomery(Plan::<N, Q, ROOT>::reduce(*x), const { Plan::<N, Q, ROOT>::R_SQUARED });
            *base = *x;
        }
        for bit in (0..(Q - 2).ilog2()).rev() {
            let multiply = (Q - 2) >> bit & 1 != 0;
            for (x, base) in a.iter_mut().zip(base.iter()) {
                *x = Plan::<N, Q, ROOT>::montgomery(*x, *x);
                if multiply {
                    *x = Plan::<N, Q, ROOT>::montgomery(*x, *base);
                }
            }
        }
        for x in a.iter_mut() {
            *x = Plan::<N, Q, ROOT>::settle(Plan::<N, Q, ROOT>::montgomery(*x, 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_reduced_to_its_centred_remainder() {
        for a in i16::MIN..=i16::MAX {
            let (small, large) = (Plan::<256, 7681, 62>::reduce(a), Plan::<512, 12289, 49>::reduce(a));
            assert!(small.abs() <= 3841 && large.abs() <= 6145);
            let (small, large) = (Plan::<256, 7681, 62>::settle(small), Plan::<512, 12289, 49>::settle(large));
            assert_eq!((small, large), (centred(a.into(), 7681), centred(a.into(), 12289)), "{a}");
        }
    }

    #[test]
    fn a_product_of_any_word_is_right_and_below_the_bound() {
        for a in i16::MIN..=i16::MAX {
            for c in [1, 49, 6144, -6144, 4091_i16] {
                let got = Plan::<512, 12289, 49>::montgomery(a, c);
                assert_eq!((i64::from(got) * 65536 - i64::from(a) * i64::from(c)) % 12289, 0);
                assert!(4 * i32::from(got).abs() <= 3 * 12289 + 3);
            }
        }
    }
}
