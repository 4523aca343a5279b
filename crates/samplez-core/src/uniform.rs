//! Uniform residues in bulk: [`fill_below`].
//!
//! [`uniform_below`](crate::bits::uniform_below) draws single ones, with fewer bits.

use crate::bits::BitSource;
use core::num::{NonZeroU16, NonZeroU32};

mod sealed {
    pub trait Sealed {}
}

/// A modulus for [`fill_below`]: `NonZeroU16` for residues in `u16`, `NonZeroU32` in `u32`.
///
/// ```
/// use samplez_core::uniform::Modulus;
/// use std::num::NonZeroU16;
/// const Q: NonZeroU16 = NonZeroU16::new(12_289).unwrap();
/// assert_eq!(Q.draw_bits(), 14);
/// ```
pub trait Modulus: sealed::Sealed + Copy {
    /// The type of the residues.
    type Residue: Copy;
    /// Returns the bits of each draw: ⌈lg q⌉, at least 1.
    fn draw_bits(self) -> u32;
    /// Returns the draw as a residue, and whether it is one.
    #[doc(hidden)] // the trait is sealed: only this module calls it
    fn admit(self, draw: u64) -> (Self::Residue, bool);
}

macro_rules! modulus {
    ($($nonzero:ident $residue:ident),*) => {$(
        impl sealed::Sealed for $nonzero {}
        impl Modulus for $nonzero {
            type Residue = $residue;
            #[inline(always)]
            fn draw_bits(self) -> u32 {
                ($residue::BITS - (self.get() - 1).leading_zeros()).max(1)
            }
            #[inline(always)]
            fn admit(self, draw: u64) -> ($residue, bool) {
                (draw as $residue, draw < u64::from(self.get()))
            }
        }
    )*};
}
modulus!(NonZeroU16 u16, NonZeroU32 u32);

/// Fills `out` with independent residues, uniform below q, by rejection: draws of ⌈lg q⌉ bits, of
/// which those below q stay, in their order.
///
/// # Law
///
/// Exactly uniform on {0, …, q-1}^n, if `bits` is ideal. The number of draws is independent of the residues, 2^⌈lg q⌉/q
/// for each residue on average: 18.7 bits for q = 12289.
///
/// ```
/// use samplez_core::{bits::BitReader, uniform::fill_below};
/// use samplez_sources::{ChaCha20, Seed};
/// use std::num::NonZeroU16;
///
/// const Q: NonZeroU16 = NonZeroU16::new(12_289).unwrap();
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut polynomial = [0_u16; 512];
/// fill_below(Q, &mut bits, &mut polynomial);
/// assert!(polynomial.iter().all(|a| *a < Q.get()));
/// ```
pub fn fill_below<M: Modulus, B: BitSource + ?Sized>(q: M, bits: &mut B, out: &mut [M::Residue]) {
    let width = q.draw_bits();
    let mask = u64::MAX >> (64 - width);
    let at_once = 64 / width;
    let mut filled = 0;
    while filled < out.len() {
        // Several draws at once, as long as none of them can be too many.
        let draws = if out.len() - filled >= at_once as usize { at_once } else { 1 };
        let mut word = bits.bits(draws * width);
        for _ in 0..draws {
            let (residue, stays) = q.admit(word & mask);
            out[filled] = residue;
            filled += usize::from(stays);
            word = word >> (width - 1) >> 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Counted;
    use crate::fixtures::reader;

    /// One draw after the other: the definition of the stream.
    fn one_by_one<M: Modulus>(q: M, bits: &mut impl BitSource, out: &mut [M::Residue]) {
        for slot in out {
            *slot = loop {
                if let (residue, true) = q.admit(bits.bits(q.draw_bits())) {
                    break residue;
                }
            };
        }
    }

    /// The same residues from the same bits, and not a bit more.
    #[test]
    fn several_draws_at_once_are_as_many_draws() {
        for q in [1, 2, 3, 5, 255, 256, 257, 7681, 12_289, 32_768, 32_769, u16::MAX] {
            let q = NonZeroU16::new(q).unwrap();
            for n in [0, 1, 3, 4, 5, 31, 63, 64, 65, 1000] {
                let (mut a, mut b) = (Counted::new(reader(7)), Counted::new(reader(7)));
                let (mut filled, mut drawn) = ([0; 1000], [0; 1000]);
                fill_below(q, &mut a, &mut filled[..n]);
                one_by_one(q, &mut b, &mut drawn[..n]);
                assert_eq!((filled, a.count()), (drawn, b.count()), "{q}, {n}");
                assert!(filled.iter().all(|x| *x < q.get()));
            }
        }
        for q in [1, 3, 8_380_417, 1 << 31, (1 << 31) + 1, u32::MAX] {
            let q = NonZeroU32::new(q).unwrap();
            let (mut a, mut b) = (Counted::new(reader(8)), Counted::new(reader(8)));
            let (mut filled, mut drawn) = ([0; 1001], [0; 1001]);
            fill_below(q, &mut a, &mut filled);
            one_by_one(q, &mut b, &mut drawn);
            assert_eq!((filled, a.count()), (drawn, b.count()), "{q}");
        }
    }

    #[test]
    fn a_draw_has_the_bits_of_the_largest_residue() {
        let bits = |q| NonZeroU32::new(q).unwrap().draw_bits();
        assert_eq!([1, 2, 3, 4, 5, 12_289, 1 << 31, u32::MAX].map(bits), [1, 1, 2, 2, 3, 14, 31, 32]);
    }
}
