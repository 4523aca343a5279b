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
pub(in super::super) const fn product(a: u64, b: u64) -> u64 {
    (a & 0xffff_ffff) * (b & 0xffff_ffff)
}

/// The first if the mask is 0, the second if it is all ones.
#[inline(always)]
const fn either(first: u64, second: u64, mask: u64) -> u64 {
    first ^ (first ^ second) & mask
}

/// The entry at the index that is the three bits below the highest. All are read.
#[inline(always)]
const fn entry(table: &[u64; 8], m: u64) -> u64 {
    let low = ((m << 3).cast_signed() >> 63).cast_unsigned();
    let middle = ((m << 2).cast_signed() >> 63).cast_unsigned();
    let high = ((m << 1).cast_signed() >> 63).cast_unsigned();
    let [a, b, c, d, e, f, g, h] = *table;
    let (ab, cd) = (either(a, b, low), either(c, d, low));
    let (ef, gh) = (either(e, f, low), either(g, h, low));
    either(either(ab, cd, middle), either(ef, gh, middle), high)
}

/// The value without its leading zeros, how many there were, and 2 to their number. By fixed shifts alone, so that no instruction takes its count
/// from the value.
#[inline(always)]
const fn normalized(value: u64) -> (u64, u64, u64) {
    let (mut m, mut zeros, mut unit) = (value, 0, 1);
    let mut k = 32;
    while k > 0 {
        let is_short = ((m >> (64 - k)).wrapping_sub(1).cast_signed() >> 63).cast_unsigned();
        m = either(m, m << k, is_short);
        unit = either(unit, unit << k, is_short);
        zeros += k & is_short;
        k /= 2;
    }
    (m, zeros, unit)
}

/// -2·ln(value/2^64) in units of 2^-52, within 2^14 of these, for values above 0; and 2 to the number of the value's leading zeros. Without a branch, an
/// index or a shift that depends on the value.
///
/// value/2^64 = 2^-n·m, ½ <= m < 1, and m = (1 + s)/r for the inverse r of its leading bits: -ln = n·ln 2 + ln r - ln(1 + s).
#[inline(always)]
pub(in super::super) const fn double_log(value: u64) -> (u64, u64) {
    let (m, zeros, unit) = normalized(value);
    let (inverse, whole) = (entry(&INVERSES, m), entry(&LOGS, m));
    // In units of 2^-62; below 1/8.
    let s = product(m >> 32, inverse) + (product(m, inverse) >> 32) - (1 << 62);
    // s in units of 2^-35, and its further bits; s² in units of 2^-70, s³ in 2^-73.
    let (x, further) = (s >> 27, (s & 0x7ff_ffff) << 5);
    let [c0, c1, c2, c3, c4, c5, c6] = CUBE;
    let cubic = c5 - (product(c6, x) >> 32);
    let cubic = c4 - (product(cubic, x) >> 32);
    let cubic = c3 - (product(cubic, x) >> 32);
    let cubic = c2 - (product(cubic, x) >> 32);
    let cubic = c1 - (product(cubic, x) >> 32);
    let cubic = c0 - (product(cubic, x) >> 32);
    let square = product(x, x) + (product(x, further) >> 31);
    let cube = product(square >> 32, x);
    let log = (s >> 2) - (square >> 11) + (product(cube >> 32, cubic) >> 14);
    // 2^-42 more, so that no difference is below 0.
    let part = (whole + (1 << 18) - log) >> 3;
    let multiple = (product(zeros, LN2 >> 32) << 32) + product(zeros, LN2);
    ((multiple + part) >> 4, unit)
}
