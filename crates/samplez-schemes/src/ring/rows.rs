//! Rows of words modulo q, as the transforms work on them: [`Rows`].
//!
//! There are two ways to multiply a word a by a constant c, |c| < q/2, in three products of 16 bits (R = 2^16):
//!
//! | | of c is kept | ca modulo q is | in absolute value at most |
//! |---|---|---|---|
//! | [`Words`] | c₁ = cR mod q, c₂ = c₁/q mod R | Montgomery's ⌊ac₁/R⌋ - ⌊(ac₂ mod R)q/R⌋ | q/2 + \|a\|q/2^17 |
//! | `Eights` | c₁ = c, c₂ = ⌊2^15·c/q⌉ | Barrett's ac₁ - ⌊ac₂/2^15⌉q | q/2 + \|a\|q/2^16 |
//!
//! The compiler turns the first into vector code wherever there is an upper half of a product. WebAssembly has none: there
//! each takes two products of 32 bits. It has the product by 2^-15, rounded, and eight words at once: hence the second.

/// Arithmetic modulo q on rows of equal lengths, which are multiples of 16. Constants are pairs (c₁, c₂).
pub(super) trait Rows<const Q: i32> {
    /// Whether a constant's words are those of `Eights`.
    const ROUNDED: bool;
    /// a ← a modulo q, of at most (q + 1)/2 in absolute value.
    fn reduce(a: &mut [i16]);
    /// (x, y) ← (x + cy, x - cy).
    fn forward(low: &mut [i16], up: &mut [i16], c: [i16; 2]);
    /// The same with a constant for each place.
    fn forward_across(low: &mut [i16], up: &mut [i16], c: [&[i16]; 2]);
    /// (x, y) ← (x + y, c(x - y)).
    fn back(low: &mut [i16], up: &mut [i16], c: [i16; 2]);
    /// The same with a constant for each place.
    fn back_across(low: &mut [i16], up: &mut [i16], c: [&[i16]; 2]);
    /// a ← ca for each place.
    fn multiply(a: &mut [i16], c: [&[i16]; 2]);
    /// a ← ca, centred.
    fn finish(a: &mut [i16], c: [i16; 2]);
    /// The columns of `from`, whose rows are of this width, are the rows of `to`.
    fn transpose(from: &[i16], width: usize, to: &mut [i16]);
}

/// The shift and ⌈2^(16 + shift)/q⌋ of a word's reduction: between 2^14 and 2^15.
pub(super) const fn shift(q: i32) -> u32 {
    q.ilog2() - 1
}
pub(super) const fn reciprocal(q: i32) -> i16 {
    (((1 << (16 + shift(q))) + q / 2) / q) as i16
}

/// 1/q modulo 2^16, by Newton's iteration: q·q = 1 modulo 8, and each step doubles the bits.
pub(super) const fn inverse(q: i32) -> i16 {
    let q = q as i16;
    let mut x = q;
    let mut step = 0;
    while step < 3 {
        x = x.wrapping_mul(2_i16.wrapping_sub(q.wrapping_mul(x)));
        step += 1;
    }
    x
}

/// The centred remainder, of |a| < 3q/2.
#[inline(always)]
pub(super) fn settle<const Q: i32>(a: i16) -> i16 {
    let half = const { (Q / 2) as i16 };
    a - if a > half { Q as i16 } else { 0 } + if a < -half { Q as i16 } else { 0 }
}

/// The upper word of a product.
#[inline(always)]
fn high(a: i16, b: i16) -> i16 {
    ((i32::from(a) * i32::from(b)) >> 16) as i16
}

/// A remainder of at most (q + 1)/2 in absolute value.
#[inline(always)]
pub(super) fn reduce<const Q: i32>(a: i16) -> i16 {
    let quotient = (high(a, const { reciprocal(Q) }) + const { 1 << (shift(Q) - 1) }) >> const { shift(Q) };
    a.wrapping_sub(quotient.wrapping_mul(Q as i16)) // modulo 2^16: the multiple of q may be beyond a word
}

/// ab/R, of less than q/2 + |ab|/R.
#[inline(always)]
pub(super) fn montgomery<const Q: i32>(a: i16, b: i16) -> i16 {
    high(a, b) - high(a.wrapping_mul(b).wrapping_mul(const { inverse(Q) }), Q as i16)
}

/// ca.
#[cfg(any(test, not(all(target_arch = "wasm32", samplez_backend = "simd128"))))]
#[inline(always)]
fn times<const Q: i32>(a: i16, [c, over_q]: [i16; 2]) -> i16 {
    high(a, c) - high(a.wrapping_mul(over_q), Q as i16)
}

/// Word by word.
#[cfg(any(test, not(all(target_arch = "wasm32", samplez_backend = "simd128"))))]
pub(super) struct Words;

#[cfg(any(test, not(all(target_arch = "wasm32", samplez_backend = "simd128"))))]
impl<const Q: i32> Rows<Q> for Words {
    const ROUNDED: bool = false;

    #[inline(always)]
    fn reduce(a: &mut [i16]) {
        for a in a {
            *a = reduce::<Q>(*a);
        }
    }

    #[inline(always)]
    fn forward(low: &mut [i16], up: &mut [i16], c: [i16; 2]) {
        for (x, y) in low.iter_mut().zip(up) {
            let t = times::<Q>(*y, c);
            (*x, *y) = (*x + t, *x - t);
        }
    }

    #[inline(always)]
    fn forward_across(low: &mut [i16], up: &mut [i16], [c, over_q]: [&[i16]; 2]) {
        for (((x, y), c), over_q) in low.iter_mut().zip(up).zip(c).zip(over_q) {
            let t = times::<Q>(*y, [*c, *over_q]);
            (*x, *y) = (*x + t, *x - t);
        }
    }

    #[inline(always)]
    fn back(low: &mut [i16], up: &mut [i16], c: [i16; 2]) {
        for (x, y) in low.iter_mut().zip(up) {
            (*x, *y) = (*x + *y, times::<Q>(*x - *y, c));
        }
    }

    #[inline(always)]
    fn back_across(low: &mut [i16], up: &mut [i16], [c, over_q]: [&[i16]; 2]) {
        for (((x, y), c), over_q) in low.iter_mut().zip(up).zip(c).zip(over_q) {
            (*x, *y) = (*x + *y, times::<Q>(*x - *y, [*c, *over_q]));
        }
    }

    #[inline(always)]
    fn multiply(a: &mut [i16], [c, over_q]: [&[i16]; 2]) {
        for ((a, c), over_q) in a.iter_mut().zip(c).zip(over_q) {
            *a = times::<Q>(*a, [*c, *over_q]);
        }
    }

    #[inline(always)]
    fn finish(a: &mut [i16], c: [i16; 2]) {
        for a in a {
            *a = settle::<Q>(times::<Q>(*a, c));
        }
    }

    #[inline(always)]
    fn transpose(from: &[i16], width: usize, to: &mut [i16]) {
        let height = from.len() / width;
        for (row, from) in from.chunks_exact(width).enumerate() {
            for (column, word) in from.iter().enumerate() {
                to[column * height + row] = *word;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_reduced_to_its_centred_remainder() {
        for a in i16::MIN..=i16::MAX {
            let centred = |q: i32| {
                let rest = i32::from(a).rem_euclid(q);
                (rest - if rest > q / 2 { q } else { 0 }) as i16
            };
            let (small, large) = (reduce::<7681>(a), reduce::<12289>(a));
            assert!(small.abs() <= 3841 && large.abs() <= 6145);
            assert_eq!((settle::<7681>(small), settle::<12289>(large)), (centred(7681), centred(12289)), "{a}");
        }
    }

    #[test]
    fn a_product_of_any_word_is_right_and_below_the_bound() {
        for a in i16::MIN..=i16::MAX {
            for c in [1, 49, 6144, -6144, 4091_i16] {
                let got = montgomery::<12289>(a, c);
                assert_eq!((i64::from(got) * 65536 - i64::from(a) * i64::from(c)) % 12289, 0);
                assert!(4 * i32::from(got).abs() <= 3 * 12289 + 3);
            }
        }
    }
}
