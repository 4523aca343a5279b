//! Rows eight words at a time, in explicit registers: [`Eights`].

use super::rows::{Rows, reciprocal, settle, shift};
use core::marker::PhantomData;

/// Eight words. Sums and products are modulo 2^16.
pub(super) trait Lanes: Copy {
    fn load(words: &[i16; 8]) -> Self;
    fn store(self, words: &mut [i16; 8]);
    fn splat(word: i16) -> Self;
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    /// ⌊ab/2^15⌉, halves up, unless both are -2^15.
    fn rounded(self, other: Self) -> Self;
    /// ⌊a/2^n⌋.
    fn shift(self, n: u32) -> Self;
    /// The columns of eight rows.
    fn transposed(rows: [Self; 8]) -> [Self; 8];
}

/// [`Rows`] in these registers.
pub(super) struct Eights<L>(PhantomData<L>);

/// ca.
#[inline(always)]
fn times<L: Lanes, const Q: i32>(a: L, [c, quotient]: [L; 2]) -> L {
    a.multiply(c).subtract(a.rounded(quotient).multiply(L::splat(Q as i16)))
}

/// Two rows, eight places at a time, with the same constant everywhere.
#[inline(always)]
fn pairs<L: Lanes>(low: &mut [i16], up: &mut [i16], c: [i16; 2], step: impl Fn(L, L, [L; 2]) -> [L; 2]) {
    let c = [L::splat(c[0]), L::splat(c[1])];
    for (x, y) in low.as_chunks_mut().0.iter_mut().zip(up.as_chunks_mut().0) {
        let [first, second] = step(L::load(x), L::load(y), c);
        first.store(x);
        second.store(y);
    }
}

/// The same with a constant for each place.
#[inline(always)]
fn pairs_across<L: Lanes>(low: &mut [i16], up: &mut [i16], c: [&[i16]; 2], step: impl Fn(L, L, [L; 2]) -> [L; 2]) {
    let (pairs, [c, quotient]) = (low.as_chunks_mut().0.iter_mut().zip(up.as_chunks_mut().0), c);
    for ((x, y), (c, quotient)) in pairs.zip(c.as_chunks().0.iter().zip(quotient.as_chunks().0)) {
        let [first, second] = step(L::load(x), L::load(y), [L::load(c), L::load(quotient)]);
        first.store(x);
        second.store(y);
    }
}

#[inline(always)]
fn forward<L: Lanes, const Q: i32>(x: L, y: L, c: [L; 2]) -> [L; 2] {
    let t = times::<L, Q>(y, c);
    [x.add(t), x.subtract(t)]
}

#[inline(always)]
fn back<L: Lanes, const Q: i32>(x: L, y: L, c: [L; 2]) -> [L; 2] {
    [x.add(y), times::<L, Q>(x.subtract(y), c)]
}

impl<L: Lanes, const Q: i32> Rows<Q> for Eights<L> {
    const ROUNDED: bool = true;

    /// The quotient is ⌊⌊a·reciprocal/2^15⌉/2^(shift + 1)⌉.
    #[inline(always)]
    fn reduce(a: &mut [i16]) {
        let (reciprocal, half) = const { (reciprocal(Q), 1 << shift(Q)) };
        for a in a.as_chunks_mut().0 {
            let x = L::load(a);
            let quotient = x.rounded(L::splat(reciprocal)).add(L::splat(half)).shift(const { shift(Q) + 1 });
            x.subtract(quotient.multiply(L::splat(Q as i16))).store(a);
        }
    }

    #[inline(always)]
    fn forward(low: &mut [i16], up: &mut [i16], c: [i16; 2]) {
        pairs(low, up, c, forward::<L, Q>);
    }

    #[inline(always)]
    fn forward_across(low: &mut [i16], up: &mut [i16], c: [&[i16]; 2]) {
        pairs_across(low, up, c, forward::<L, Q>);
    }

    #[inline(always)]
    fn back(low: &mut [i16], up: &mut [i16], c: [i16; 2]) {
        pairs(low, up, c, back::<L, Q>);
    }

    #[inline(always)]
    fn back_across(low: &mut [i16], up: &mut [i16], c: [&[i16]; 2]) {
        pairs_across(low, up, c, back::<L, Q>);
    }

    #[inline(always)]
    fn multiply(a: &mut [i16], [c, quotient]: [&[i16]; 2]) {
        let constants = c.as_chunks().0.iter().zip(quotient.as_chunks().0);
        for (a, (c, quotient)) in a.as_chunks_mut().0.iter_mut().zip(constants) {
            times::<L, Q>(L::load(a), [L::load(c), L::load(quotient)]).store(a);
        }
    }

    #[inline(always)]
    fn finish(a: &mut [i16], c: [i16; 2]) {
        let c = [L::splat(c[0]), L::splat(c[1])];
        for a in a.as_chunks_mut().0 {
            times::<L, Q>(L::load(a), c).store(a);
        }
        for a in a {
            *a = settle::<Q>(*a);
        }
    }

    #[inline(always)]
    fn transpose(from: &[i16], width: usize, to: &mut [i16]) {
        let height = from.len() / width;
        for (row, from) in from.chunks_exact(8 * width).enumerate() {
            for column in 0..width / 8 {
                let mut rows = [L::splat(0); 8];
                for (i, row) in rows.iter_mut().enumerate() {
                    *row = L::load(from[i * width + 8 * column..].first_chunk().expect(EIGHTS));
                }
                for (i, row_of) in L::transposed(rows).into_iter().enumerate() {
                    row_of.store(to[(8 * column + i) * height + 8 * row..].first_chunk_mut().expect(EIGHTS));
                }
            }
        }
    }
}

const EIGHTS: &str = "rows are multiples of eight words";

#[cfg(all(target_arch = "wasm32", samplez_backend = "simd128"))]
impl Lanes for samplez_core::arch::Eight {
    #[inline(always)]
    fn load(words: &[i16; 8]) -> Self {
        Self::load(words)
    }
    #[inline(always)]
    fn store(self, words: &mut [i16; 8]) {
        self.store(words);
    }
    #[inline(always)]
    fn splat(word: i16) -> Self {
        Self::splat(word)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.add(other)
    }
    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        self.subtract(other)
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        self.multiply(other)
    }
    #[inline(always)]
    fn rounded(self, other: Self) -> Self {
        self.rounded(other)
    }
    #[inline(always)]
    fn shift(self, n: u32) -> Self {
        self.shift(n)
    }
    /// Three times the rows i and i + 4 are merged word by word: each turns the six bits of row and column by one.
    #[inline(always)]
    fn transposed(rows: [Self; 8]) -> [Self; 8] {
        merged(merged(merged(rows)))
    }
}

#[cfg(all(target_arch = "wasm32", samplez_backend = "simd128"))]
#[inline(always)]
fn merged([a, b, c, d, e, f, g, h]: [samplez_core::arch::Eight; 8]) -> [samplez_core::arch::Eight; 8] {
    let ([a0, a1], [b0, b1], [c0, c1], [d0, d1]) = (a.merge(e), b.merge(f), c.merge(g), d.merge(h));
    [a0, a1, b0, b1, c0, c1, d0, d1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::array::from_fn;

    /// What the operations are.
    impl Lanes for [i16; 8] {
        fn load(words: &[i16; 8]) -> Self {
            *words
        }
        fn store(self, words: &mut [i16; 8]) {
            *words = self;
        }
        fn splat(word: i16) -> Self {
            [word; 8]
        }
        fn add(self, other: Self) -> Self {
            from_fn(|i| self[i].wrapping_add(other[i]))
        }
        fn subtract(self, other: Self) -> Self {
            from_fn(|i| self[i].wrapping_sub(other[i]))
        }
        fn multiply(self, other: Self) -> Self {
            from_fn(|i| self[i].wrapping_mul(other[i]))
        }
        fn rounded(self, other: Self) -> Self {
            from_fn(|i| ((i32::from(self[i]) * i32::from(other[i]) + (1 << 14)) >> 15) as i16)
        }
        fn shift(self, n: u32) -> Self {
            self.map(|word| word >> n)
        }
        fn transposed(rows: [Self; 8]) -> [Self; 8] {
            from_fn(|column| rows.map(|row| row[column]))
        }
    }

    type Portable = Eights<[i16; 8]>;

    #[test]
    fn every_word_is_reduced_to_its_centred_remainder() {
        for a in i16::MIN..=i16::MAX {
            let (mut small, mut large) = ([a; 8], [a; 8]);
            <Portable as Rows<7681>>::reduce(&mut small);
            <Portable as Rows<12289>>::reduce(&mut large);
            assert!(small[0].abs() <= 3841 && large[0].abs() <= 6145, "{a}");
            assert_eq!((i32::from(a) - i32::from(small[0])) % 7681, 0);
            assert_eq!((i32::from(a) - i32::from(large[0])) % 12289, 0);
        }
    }

    #[test]
    fn a_product_of_any_word_is_right_and_below_the_bound() {
        for a in i16::MIN..=i16::MAX {
            for c in [1, 49, 6144, -6144, 4091_i16] {
                let quotient = (f64::from(c) * 32768.0 / 12289.0).round() as i16;
                let got = i64::from(times::<_, 12289>([a; 8], [[c; 8], [quotient; 8]])[0]);
                assert_eq!((got - i64::from(a) * i64::from(c)) % 12289, 0);
                assert!(got.abs() << 16 <= (12289 << 15) + i64::from(a).abs() * 12289);
            }
        }
    }
}
