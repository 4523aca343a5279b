//! An integer below m from a draw of fixed length, and the average cost where the length is not fixed.

use crate::bits::{BitSource, uniform_below};
use crate::product::full;

/// m up to this takes a narrow draw of an integer below m, larger m a wide one.
pub(crate) const M_OF_32: u64 = 1 << 12;
/// Bits of a narrow draw: with a prefix of 12 bits and a sign it makes a 32-bit draw.
pub(crate) const J_OF_32: u32 = 19;
/// Bits of a wide draw: the same for a 64-bit draw.
pub(crate) const J_OF_64: u32 = 51;

/// Uniform below m, given a uniform draw of J < 64 bits and threshold = 2^J mod m.
///
/// j = ⌊m·draw/2^J⌋; draws whose low part is below the threshold are too many, and redrawn.
#[inline(always)]
pub(crate) fn below<const J: u32, B: BitSource + ?Sized>(draw: u64, m: u64, threshold: u64, bits: &mut B) -> u64 {
    let product = full(draw, m);
    if product as u64 & ((1 << J) - 1) < threshold {
        return uniform_below(m, bits);
    }
    (product >> J) as u64
}

/// Expected bits of [`uniform_below`].
pub(crate) fn uniform_bits(m: u64) -> f64 {
    let (m, mut v, mut bits, mut alive) = (u128::from(m), 1_u128, 0.0, 1.0);
    while v < m && alive > 1e-9 {
        let mut t = 0;
        while v << t < m {
            t += 1;
        }
        bits += alive * f64::from(t);
        v <<= t;
        alive *= (v - m) as f64 / v as f64;
        v -= m;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Counted;
    use crate::fixtures::reader;

    /// Every value has as many draws; those that are too many are drawn anew, by themselves.
    #[test]
    fn values_have_as_many_draws() {
        for m in 1..=20_u64 {
            let threshold = 128 % m;
            let (mut counts, mut anew) = ([0; 20], 0);
            for draw in 0..128 {
                let (mut bits, mut plain) = (Counted::new(reader(draw as u8)), reader(draw as u8));
                let value = below::<7, _>(draw, m, threshold, &mut bits);
                if draw * m % 128 < threshold {
                    assert_eq!(value, uniform_below(m, &mut plain), "{m}, {draw}");
                    anew += 1;
                } else {
                    assert_eq!((value, bits.count()), (draw * m / 128, 0), "{m}, {draw}");
                    counts[value as usize] += 1;
                }
            }
            assert_eq!(anew, threshold, "{m}");
            assert!(counts[..m as usize].iter().all(|count| *count == 128 / m), "{m}: {counts:?}");
        }
        assert_eq!((M_OF_32, 12 + 1 + J_OF_32, 12 + 1 + J_OF_64), (4096, 32, 64));
    }

    #[test]
    fn what_uniform_draws_cost() {
        // 5: 3 bits; with 3/8 one more; with 1/16 from the beginning. The others are alike.
        for (m, bits) in
            [(1, 0.0), (2, 1.0), (3, 8.0 / 3.0), (5, 3.6), (6, 11.0 / 3.0), (1 << 20, 20.0), (u64::MAX, 64.0)]
        {
            assert!((uniform_bits(m) - bits).abs() < 1e-7, "{m}: {}", uniform_bits(m));
        }
    }
}
