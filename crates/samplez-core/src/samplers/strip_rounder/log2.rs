//! Logarithms in fixed point, without a branch or an index that depends on the number.
//!
//! log2(2^n·(1 + t)) = n + t·Q(t), and Q is a polynomial of degree 21, its coefficients rounded to 2^-63. For 0 <= t <=
//! 1, t·Q(t) is within 0.051·2^-57 of log2(1 + t) (Remez's algorithm at 400 bits; 20,000 points at 200 bits).

use crate::product::high;

/// |Coefficients|·2^63 of Q in pairs, from t^0 and t^1 up; those of odd powers are below 0.
const COEFFICIENTS: [[u64; 2]; 11] = [
    [0xb8aa_3b29_5c17_e873, 0x5c55_1d94_ae04_ce14],
    [0x3d8e_13b8_71d7_6574, 0x2e2a_8ec9_ff25_1a68],
    [0x24ee_d899_86ed_b7e1, 0x1ec7_0955_0d44_2521],
    [0x1a61_701a_b3aa_f912, 0x1715_13ec_dded_a356],
    [0x1483_63c5_d077_e297, 0x1270_d4cc_df0b_e236],
    [0x10af_204f_b333_fa66, 0x0f0d_5acd_6a83_6fe7],
    [0x0d4f_f0e1_4d8f_69c6, 0x0b3c_4837_3536_07b6],
    [0x08bc_deca_14a4_cc57, 0x0604_f800_d4c9_311b],
    [0x0386_54c8_a832_8f7a, 0x01ad_cd31_0b22_e7f8],
    [0x009e_20ac_42b8_f492, 0x0029_d471_da1b_7a47],
    [0x0007_0ad6_d445_970d, 0x0000_908c_dc70_8ef0],
];

/// log2 of each value above 0 in units of 2^-57, between 1.25 below and 0.25 above. The products of one value wait for each other,
/// those of several do not.
///
/// Q(t) = A(t²) - t·B(t²). A and B lose less than 10 units of 2^-63 each by their products, in opposite directions.
/// Both lose less than 4.5·2^-64 by that of t²: 0.2 of 2^-57. Where A is above 2, it is so by less than B: the
/// difference is right modulo 2.
#[inline(always)]
pub(super) fn log2<const N: usize>(values: [u128; N]) -> [u64; N] {
    let whole = values.map(u128::ilog2);
    // In units of 2^-64.
    let t: [u64; N] = core::array::from_fn(|i| (values[i] << (127 - whole[i]) >> 63) as u64);
    let square = t.map(|t| high(t, t));
    let (mut even, mut odd) = ([0_u64; N], [0_u64; N]);
    for [a, b] in COEFFICIENTS.iter().rev() {
        for i in 0..N {
            even[i] = a.wrapping_add(high(even[i], square[i]));
            odd[i] = b + high(odd[i], square[i]);
        }
    }
    core::array::from_fn(|i| {
        let fraction = high(even[i].wrapping_sub(high(odd[i], t[i])), t[i]);
        (u64::from(whole[i]) << 57) + (fraction >> 6)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product::full;

    /// ab/2^128, short by less than 2.
    fn product(a: u128, b: u128) -> u128 {
        let halves = |x: u128| ((x >> 64) as u64, x as u64);
        let ((a1, a0), (b1, b0)) = (halves(a), halves(b));
        let middle = (full(a1, b0) >> 1) + (full(a0, b1) >> 1);
        full(a1, b1) + (middle >> 63)
    }

    /// log2 in units of 2^-72, short by less than 1.1: a digit for each time that y, 1 <= y < 2, is squared. What a product loses is less
    /// than 2^-123 of the logarithm of that y.
    fn digit_by_digit(value: u128) -> u128 {
        let (mut y, mut log) = (value << value.leading_zeros(), u128::from(value.ilog2()));
        for _ in 0..72 {
            // y² in units of 2^-126.
            let square = product(y, y);
            let large = square >> 127;
            y = square << (1 - large);
            log = log << 1 | large;
        }
        log
    }

    /// The least and the largest error of these, in units of 2^-72.
    fn errors(values: impl Iterator<Item = u128>) -> (i128, i128) {
        values.fold((0, 0), |(least, most), value| {
            let [log] = log2([value]);
            let error = (u128::from(log) << 15) as i128 - digit_by_digit(value) as i128;
            (least.min(error), most.max(error))
        })
    }

    #[test]
    fn the_polynomial_is_the_logarithm() {
        // log2(3), and that of 2^127 + 1.
        assert_eq!(digit_by_digit(3) >> 8, 0x01_95c0_1a39_fbd6_879f_u128);
        assert_eq!(digit_by_digit((1 << 127) + 1), 127 << 72);
        for n in 0..128 {
            assert_eq!(log2([1 << n]), [n << 57]);
        }
        assert_eq!(log2([u128::MAX]), [u64::MAX]);
        // Evenly, dense at both ends, and numbers that are short.
        let evenly = (0..200_000_u128).map(|i| 1 << 127 | (i * 0x29f1_6b11_c6d1_e109) << 46 | i);
        let ends = (0..127).flat_map(|n| (1..100_u128).map(move |i| (i << n) % (1 << 127)));
        let ends = ends.flat_map(|d| [1 << 127 | d, u128::MAX - d]);
        let (least, most) = errors(evenly.chain(ends).chain(1..20_000));
        // 1.25 and 0.25 units of 2^-57.
        assert!(-40_960 < least && most < 8_192, "{least}, {most}");
        assert!(least < -30_000, "a test that measures nothing");
    }

    #[test]
    fn together_or_one_by_one() {
        let values: [u128; 8] = core::array::from_fn(|i| (i as u128 + 1) << (i * 15) | 0x1234_5678_9abc);
        let each = values.map(|value| log2([value])[0]);
        assert_eq!(log2(values), each);
        assert_eq!(log2([values[0], values[5], values[7]]), [each[0], each[5], each[7]]);
    }
}
