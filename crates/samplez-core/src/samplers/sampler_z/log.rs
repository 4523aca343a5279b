//! Logarithms of draws and of widths.

/// ⌈2^34/(8 + j)⌉, just above the inverse of the least m in [½, 1) with the leading bits j, in units of 2^-30.
const INVERSES: [u64; 8] =
    [0x8000_0000, 0x71c7_1c72, 0x6666_6667, 0x5d17_45d2, 0x5555_5556, 0x4ec4_ec4f, 0x4924_924a, 0x4444_4445];
/// Their logarithms in units of 2^-60.
const LOGS: [u64; 8] = [
    0x0b17_217f_7d1c_f79b,
    0x0934_b108_a26d_c93c,
    0x0785_2286_a1c9_b365,
    0x05fe_be8f_0e05_46fb,
    0x049a_5884_6d36_e49e,
    0x0352_7da7_9d5b_3c6e,
    0x0222_f1d0_74fc_8f7b,
    0x0108_598b_85e3_a068,
];
/// |Coefficients|·2^33 of the polynomial in 8s nearest to (ln(1 + s) - s + s²/2)/s³ for 0 <= s <= 1/8, from 8s^0 up. These integers are within 2^-32.6.
const CUBE: [u64; 7] = [0xaaaa_aaab, 0x0fff_fffd, 0x0199_9964, 0x002a_a963, 0x0004_8e8e, 0x7a51, 0x09c1];
/// ⌊2^57·ln 2⌋.
const LN2: u64 = 0x0162_e42f_efa3_9ef3;

/// The product of the low halves: an instruction of vector registers.
#[inline(always)]
pub(super) const fn product(a: u64, b: u64) -> u64 {
    (a & 0xffff_ffff) * (b & 0xffff_ffff)
}

/// -2·ln(value/2^64) in units of 2^-52, within 2^14 of these, for values above 0. Without a branch or an index that depends on them.
///
/// value/2^64 = 2^-n·m, ½ <= m < 1, and m = (1 + s)/r for the inverse r of its leading bits: -ln = n·ln 2 + ln r - ln(1 + s).
#[inline(always)]
pub(super) fn double_log<const N: usize>(values: [u64; N]) -> [u64; N] {
    let zeros: [u64; N] = core::array::from_fn(|i| values[i].leading_zeros().into());
    let m: [u64; N] = core::array::from_fn(|i| values[i] << (zeros[i] & 63));
    let (mut inverse, mut whole) = ([0; N], [0; N]);
    for (j, (r, log)) in (0_u64..).zip(INVERSES.iter().zip(&LOGS)) {
        for i in 0..N {
            let mask = ((m[i] >> 60 & 7 ^ j).wrapping_sub(1).cast_signed() >> 63).cast_unsigned();
            inverse[i] |= r & mask;
            whole[i] |= log & mask;
        }
    }
    // In units of 2^-62; below 1/8.
    let s: [u64; N] =
        core::array::from_fn(|i| product(m[i] >> 32, inverse[i]) + (product(m[i], inverse[i]) >> 32) - (1 << 62));
    let mut cubic = [CUBE[6]; N];
    for coefficient in CUBE.iter().rev().skip(1) {
        for i in 0..N {
            cubic[i] = coefficient - (product(cubic[i], s[i] >> 27) >> 32);
        }
    }
    core::array::from_fn(|i| {
        // s in units of 2^-35, and its further bits; s² in units of 2^-70, s³ in 2^-73.
        let (x, further) = (s[i] >> 27, (s[i] & 0x7ff_ffff) << 5);
        let square = product(x, x) + (product(x, further) >> 31);
        let cube = product(square >> 32, x);
        let log = (s[i] >> 2) - (square >> 11) + (product(cube >> 32, cubic[i]) >> 14);
        // 2^-42 more, so that no difference is below 0.
        let part = (whole[i] + (1 << 18) - log) >> 3;
        let whole = (product(zeros[i], LN2 >> 32) << 32) + product(zeros[i], LN2);
        (whole + part) >> 4
    })
}
