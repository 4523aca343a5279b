//! ρ(x) = exp(-x²/2σ²) = 2^-E, E = κx², κ = log2(e)/(2σ²), by integers alone: to n bits, and a
//! quick bracket.

use crate::product::{full, high};

/// Limbs of a [`Height`].
pub(crate) const LIMBS: usize = 5;

/// A multiple of 2^-n between 0 and 2, as an integer in 64-bit limbs, least significant first.
pub(crate) type Height = [u64; LIMBS];

/// Bits of κ's fraction beyond n, at least: with x < 2^24, E is within 2^-(n+56).
pub(super) const KAPPA_GUARD: u32 = 104;

/// A fixed-point number below 2^64: six limbs of fraction, least significant first, and the
/// integer.
type Fixed = [u64; 7];

const INTEGER: usize = 6;
/// Bits of fraction.
const FRACTION: u32 = 384;

/// ⌊ln 2 · 2^384⌋.
const LN_2: Fixed = [
    0x5595_52fb_4afa_1b10,
    0xe7b8_7620_6deb_ac98,
    0x8a0d_175b_8baa_fa2b,
    0x40f3_4326_7298_b62d,
    0xc9e3_b398_03f2_f6af,
    0xb172_17f7_d1cf_79ab,
    0,
];

/// The height whose left-aligned digits, most significant first, these are.
pub(super) fn from_digits(digits: &[u32], precision: u32) -> Height {
    let mut height = [0; LIMBS];
    // Digit j ends at the bit n - 32(j + 1): negative for the last one where 32 does not divide n.
    for (j, digit) in (1_u32..).zip(digits) {
        let (digit, end) = match precision.checked_sub(32 * j) {
            Some(end) => (u64::from(*digit), end as usize),
            None => (u64::from(*digit) >> (32 * j - precision), 0),
        };
        height[end / 64] |= digit << (end % 64);
        if end % 64 > 32 {
            height[end / 64 + 1] |= digit >> (64 - end % 64);
        }
    }
    height
}

/// Returns a·b rounded down. The caller ensures that it is below 2^64.
fn mul(a: &Fixed, b: &Fixed) -> Fixed {
    let mut product = [0_u64; 14];
    for (i, digit) in a.iter().enumerate() {
        let mut carry = 0;
        for (limb, factor) in product[i..i + 7].iter_mut().zip(b) {
            let double = u128::from(*digit) * u128::from(*factor) + u128::from(*limb) + u128::from(carry);
            (*limb, carry) = (double as u64, (double >> 64) as u64);
        }
        product[i + 7] = carry;
    }
    core::array::from_fn(|i| product[INTEGER + i])
}

fn add(a: &Fixed, b: &Fixed) -> Fixed {
    let mut carry = false;
    core::array::from_fn(|i| {
        let (sum, first) = a[i].overflowing_add(b[i]);
        let (sum, second) = sum.overflowing_add(carry.into());
        carry = first | second;
        sum
    })
}

/// a - b for a >= b.
fn sub(a: &Fixed, b: &Fixed) -> Fixed {
    let mut borrow = false;
    core::array::from_fn(|i| {
        let (difference, first) = a[i].overflowing_sub(b[i]);
        let (difference, second) = difference.overflowing_sub(borrow.into());
        borrow = first | second;
        difference
    })
}

/// a/divisor rounded down.
fn div_small(a: &Fixed, divisor: u64) -> Fixed {
    let (mut quotient, mut remainder) = (*a, 0);
    for limb in quotient.iter_mut().rev() {
        let double = remainder << 64 | u128::from(*limb);
        (*limb, remainder) = ((double / u128::from(divisor)) as u64, double % u128::from(divisor));
    }
    quotient
}

/// a/2^n rounded down.
fn shr(a: &Fixed, n: u32) -> Fixed {
    let (limbs, bits) = ((n / 64) as usize, n % 64);
    core::array::from_fn(|i| {
        let at = |i: usize| a.get(i).copied().unwrap_or(0);
        let high = if bits == 0 { 0 } else { at(i + limbs + 1) << (64 - bits) };
        at(i + limbs) >> bits | high
    })
}

/// Halvings of the argument before the series.
const HALVINGS: u32 = 14;

/// e^-z for 0 <= z < 1, within 2^-360.
///
/// The series for z/2^14 has fewer than 32 terms, each within 4 ulp (2^-384). Its error below 2^8 ulp and 2 ulp for
/// each squaring are doubled by every squaring: less than 2^24 ulp.
fn exp_neg(z: &Fixed) -> Fixed {
    let z = shr(z, HALVINGS);
    let mut one = [0; 7];
    one[INTEGER] = 1;
    let mut sums = [one, [0; 7]];
    let (mut term, mut n) = (one, 0);
    while term != [0; 7] {
        n += 1;
        term = div_small(&mul(&term, &z), n);
        let sum = &mut sums[n as usize % 2];
        *sum = add(sum, &term);
    }
    let mut value = sub(&sums[0], &sums[1]);
    for _ in 0..HALVINGS {
        value = mul(&value, &value);
    }
    value
}

/// Returns an integer R with ⌊2^n ρ(x) - 2^-47⌋ <= R <= 2^n ρ(x), for 0 < x < 2^24. κ is an integer word and at least
/// n + 104 (at most 384) bits of fraction, within one unit of its last word.
///
/// The error of κ makes one of at most 2^(48 - (n + 104)) in E and less in 2^-E. `exp_neg` and ln 2 add 2^-359. So v -
/// 2^-(n+48), with v the computed 2^-(fraction of E), is a lower bound, by less than 2^-(n+47).
pub(super) fn rho_floor(kappa: &[u32], x: u32, precision: u32) -> Height {
    let mut e: Fixed = [0; 7];
    e[INTEGER] = kappa[0].into();
    for (j, word) in kappa[1..].iter().enumerate() {
        e[INTEGER - 1 - j / 2] |= u64::from(*word) << (32 * (1 - j % 2));
    }
    let (square, mut carry) = (u64::from(x) * u64::from(x), 0_u64);
    for limb in &mut e {
        let double = u128::from(*limb) * u128::from(square) + u128::from(carry);
        (*limb, carry) = (double as u64, (double >> 64) as u64);
    }
    if carry != 0 || e[INTEGER] > u64::from(precision) {
        return [0; LIMBS];
    }
    let whole = e[INTEGER] as u32;
    e[INTEGER] = 0;
    let mut slack = [0; 7];
    let bit = FRACTION - (precision + 48);
    slack[bit as usize / 64] = 1 << (bit % 64);
    let value = sub(&exp_neg(&mul(&e, &LN_2)), &slack);
    let integer = shr(&value, FRACTION - precision + whole);
    core::array::from_fn(|i| integer[i])
}

/// κ = mantissa·2^-shift with 64 significant bits, rounded down; (0, 0) if κ is 0.
pub(super) fn leading(kappa: &[u32]) -> (u64, u32) {
    let Some(first) = kappa.iter().position(|word| *word != 0) else { return (0, 0) };
    let at = |j: usize| u128::from(kappa.get(first + j).copied().unwrap_or(0));
    let zeros = kappa[first].leading_zeros();
    let window = (at(0) << 64 | at(1) << 32 | at(2)) << zeros;
    ((window >> 32) as u64, 32 * first as u32 + 32 + zeros)
}

/// ⌊2^63·2^(-j/32)⌋, up to 6 units less.
const ROOTS: [u64; 32] = {
    // 2^64·2^(-1/2), 2^64·2^(-1/4), …
    let mut powers = [(1_u128 << 127).isqrt(); 5];
    let mut k = 1;
    while k < 5 {
        powers[k] = (powers[k - 1] << 64).isqrt();
        k += 1;
    }
    let mut table = [1 << 63; 32];
    let mut j = 0;
    while j < 32 {
        k = 0;
        while k < 5 {
            if j >> (4 - k) & 1 != 0 {
                table[j] = ((table[j] as u128 * powers[k]) >> 64) as u64;
            }
            k += 1;
        }
        j += 1;
    }
    table
};

/// ⌊2^64/i!⌋, i = 1 … 7 (2^64 - 1 for i = 1).
const FACTORIALS: [u64; 7] = {
    let mut table = [u64::MAX; 7];
    let mut i = 1;
    while i < 7 {
        table[i] = ((1_u128 << 64) / [1, 2, 6, 24, 120, 720, 5040][i]) as u64;
        i += 1;
    }
    table
};

/// (lo, hi) with lo <= 2^(63-n) R < hi + 1 for the R of [`rho_floor`].
///
/// In units of 2^-63, v = 2^-(fraction of E) is within 256. The mantissa of κ costs at most 64·2^-64 in E < 64 (below
/// 64 units). The series up to z^7 with z < ln 2/32 costs less than z^8/8! = 2^-59.5 (12 units), and roundings less
/// than 32.
#[inline(always)]
pub(super) fn rho_bracket(kappa: u64, shift: u32, x: u32, precision: u32) -> (u64, u64) {
    const ERROR: u64 = 256;
    let e = full(u64::from(x) * u64::from(x), kappa);
    let whole = e.checked_shr(shift).unwrap_or(0);
    if whole >= 64 {
        return (0, 1);
    }
    // shift >= 32, and e < 2^112.
    let fraction = if shift < 64 { e << (64 - shift) } else { e.checked_shr(shift - 64).unwrap_or(0) } as u64;
    let root = ROOTS[(fraction >> 59) as usize];
    let z = high(fraction & (u64::MAX >> 5), LN_2[INTEGER - 1]);
    let series = FACTORIALS[..6].iter().rev().fold(FACTORIALS[6], |sum, factor| factor - high(z, sum));
    let value = root - high(root, high(z, series));
    let (low, above) = ((value - ERROR) >> whole, ((value + ERROR) >> whole) + 1);
    if precision >= 63 {
        return (low.saturating_sub(2), above);
    }
    // R is a floor to n bits, of ρ less at most 2^-(n+47) <= 2^17·2^-63 (1 more for the shift).
    let kept = u64::MAX << (63 - precision);
    (low.saturating_sub((1 << 17) + 1) & kept, above & kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// log2(e)/2 = κ of σ = 1 to 384 bits, over 4^j: κ of σ = 2^j, 0 <= j, or to 384 - 2|j| bits.
    fn kappa(j: i32) -> [u32; 13] {
        // 1/(2 ln 2) by long division of 2^383 by ln 2, bit by bit.
        let (mut remainder, mut quotient) = ([0; 7], [0_u64; 7]);
        remainder[INTEGER - 1] = 1 << 63;
        for bit in (0..FRACTION + 1).rev() {
            if remainder.iter().rev().ge(LN_2.iter().rev()) {
                remainder = sub(&remainder, &LN_2);
                quotient[bit as usize / 64] |= 1 << (bit % 64);
            }
            remainder = add(&remainder, &remainder);
        }
        let quotient = if j < 0 {
            (0..-2 * j).fold(quotient, |double, _| add(&double, &double))
        } else {
            shr(&quotient, 2 * j.unsigned_abs())
        };
        core::array::from_fn(|i| match i.checked_sub(1) {
            None => quotient[INTEGER] as u32,
            Some(i) => (quotient[INTEGER - 1 - i / 2] >> (32 * (1 - i % 2))) as u32,
        })
    }

    fn double(height: &Height, precision: u32) -> f64 {
        (0..LIMBS).map(|i| height[i] as f64 * 2_f64.powi(64 * i as i32 - precision as i32)).sum()
    }

    #[test]
    fn carries_go_through_all_limbs() {
        const ALL: u64 = u64::MAX;
        let (ulp, one) = ([1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1]);
        let below_one = [ALL, ALL, ALL, ALL, ALL, ALL, 0];
        assert_eq!(add(&below_one, &ulp), one);
        assert_eq!(sub(&one, &ulp), below_one);
        // A limb that carries by itself and by the one below.
        assert_eq!(add(&[ALL, ALL, 0, 0, 0, 0, 0], &[ALL, ALL, 0, 0, 0, 0, 0]), [ALL - 1, ALL, 1, 0, 0, 0, 0]);
        assert_eq!(sub(&[ALL - 1, ALL, 1, 0, 0, 0, 0], &[ALL, ALL, 0, 0, 0, 0, 0]), [ALL, ALL, 0, 0, 0, 0, 0]);
        // (1 - u)² = 1 - 2u + u², rounded down.
        assert_eq!(mul(&below_one, &below_one), [ALL - 1, ALL, ALL, ALL, ALL, ALL, 0]);
        assert_eq!(div_small(&[0, 0, 0, 0, 0, 0, ALL], ALL), one);
    }

    #[test]
    fn known_values() {
        let kappa = kappa(0);
        assert_eq!(kappa[..5], [0, 0xb8aa_3b29, 0x5c17_f0bb, 0xbe87_fed0, 0x691d_3e88]);
        // e^-½ = 0.9b4597e37cb04ff3d675a35530cdd767…, e^-2 = 0.22a555477f03973f…
        let half = rho_floor(&kappa, 1, 128);
        assert_eq!(half[..2], [0xd675_a355_30cd_d767, 0x9b45_97e3_7cb0_4ff3]);
        assert_eq!(rho_floor(&kappa, 2, 64)[0], 0x22a5_5547_7f03_973f);
        // e^-18: 26 zero bits.
        assert_eq!(rho_floor(&kappa, 6, 25), [0; LIMBS]);
        assert_eq!(rho_floor(&kappa, 6, 26)[0], 1);
        assert_eq!(rho_floor(&kappa, 1 << 23, 256), [0; LIMBS]);
    }

    #[test]
    fn rare_values_are_zero() {
        // 2^-32 and less, as an exponent that no word holds.
        for (kappa, x) in
            [([1, 0], 1 << 16), ([u32::MAX, 0], 1 << 16), ([1 << 31, 0], 1 << 17), ([1 << 31, 0], 3 << 17)]
        {
            assert_eq!(rho_floor(&kappa, x, 256), [0; LIMBS], "{kappa:?} {x}");
        }
    }

    /// Where the last bit of κ decides between two floors: never above what κ and a unit of its last word would give, nor below that by
    /// more than 2^-47.
    #[test]
    fn the_last_word_of_kappa_may_be_off() {
        for n in [24, 56, 88, 120, 152, 184, 216, 248, 280_u32] {
            let half = |height: Height| height[(n as usize - 1) / 64] == 1 << ((n - 1) % 64);
            // x²κ <= 1 < x²(κ + u): 2^nρ(x) may lie below 2^(n-1).
            let x = (1 << 23) + 1;
            let (square, mut rest) = (u128::from(x) * u128::from(x), 1);
            let digit = |_| {
                let part = rest << 32;
                rest = part % square;
                (part / square) as u32
            };
            let kappa: Vec<u32> = core::iter::once(0).chain((0..(n + 104) / 32).map(digit)).collect();
            assert!(!half(rho_floor(&kappa, x, n)), "{n}");
            // κ = 1 - 2^-(n + 45): 2^nρ(1) is above 2^(n-1) by more than 2^-47.
            assert!(half(rho_floor(&below_one(n + 45), 1, n)), "{n}");
        }
    }

    /// 1 - 2^-places to 384 bits.
    fn below_one(places: u32) -> [u32; 13] {
        core::array::from_fn(|j| match j {
            0 => 0,
            _ => u32::MAX.checked_shl((32 * j as u32).saturating_sub(places)).unwrap_or(0),
        })
    }

    /// Where ρ is above 1/2 by less than the floor allows for, the floor is below, and so is the bracket.
    #[test]
    fn brackets_allow_for_the_floors_slack() {
        for n in [1, 2, 3] {
            let kappa = below_one(n + 50);
            let (mantissa, shift) = leading(&kappa);
            assert_eq!(rho_floor(&kappa, 1, n)[0], (1 << (n - 1)) - 1, "{n}");
            let (lo, hi) = rho_bracket(mantissa, shift, 1, n);
            assert!(lo <= ((1 << (n - 1)) - 1) << (63 - n) && hi >= 1 << 62, "{n}: {lo} {hi}");
        }
    }

    #[test]
    fn heights_at_different_precisions_are_floors_of_each_other() {
        for j in [0, 3, 10] {
            for x in 1..400 {
                let x = x << j.min(8) | (x & 1);
                let fine = rho_floor(&kappa(j), x, 256);
                for n in [1_u32, 31, 64, 65, 106, 200] {
                    let coarse = rho_floor(&kappa(j), x, n);
                    let shifted = shr(&[fine[0], fine[1], fine[2], fine[3], fine[4], 0, 0], 256 - n);
                    assert_eq!(coarse, shifted[..LIMBS], "sigma = 2^{j}, x = {x}, n = {n}");
                }
                let sigma = f64::from(1_u32 << j);
                let ideal = (-(f64::from(x) / sigma).powi(2) / 2.0).exp();
                assert!((double(&fine, 256) - ideal).abs() <= ideal * 1e-13 + 2_f64.powi(-255), "x = {x}");
            }
        }
    }

    #[test]
    fn brackets_hold_and_are_narrow() {
        for j in [-6, -2, -1, 0, 1, 5, 12, 20] {
            let kappa = kappa(j);
            let (mantissa, shift) = leading(&kappa);
            let sigma = 1_u32 << j.max(0);
            for x in (1..12 * sigma + 2).step_by(1 + sigma as usize / 150) {
                for n in [3, 20, 62, 63, 64, 106, 256] {
                    let height = rho_floor(&kappa, x, n);
                    let (lo, hi) = rho_bracket(mantissa, shift, x, n);
                    let fixed = [height[0], height[1], height[2], height[3], height[4], 0, 0];
                    let exact = if n >= 63 { shr(&fixed, n - 63)[0] } else { height[0] << (63 - n) };
                    assert!(lo <= exact && exact <= hi, "sigma = 2^{j}, x = {x}, n = {n}: {lo} {exact} {hi}");
                    assert!(hi - lo <= (1 << (63 - n.min(63))) + (1 << 18) && (n < 63 || hi - lo < 600));
                }
            }
        }
    }

    #[test]
    fn digits_are_left_aligned() {
        assert_eq!(from_digits(&[0xa000_0000], 3), [5, 0, 0, 0, 0]);
        assert_eq!(from_digits(&[1, 2, 3, 4 << 22], 106), [4 | 3 << 10 | 2 << 42, 1 << 10, 0, 0, 0]);
        let all = from_digits(&[u32::MAX; 8], 256);
        assert_eq!(all, [u64::MAX, u64::MAX, u64::MAX, u64::MAX, 0]);
    }
}
