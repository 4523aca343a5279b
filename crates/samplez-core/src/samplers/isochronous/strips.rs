//! The strips of one law: their weights, and the constants of a trial.

use crate::arch::isochronous::{Envelope, KEYS, Look, MAX_SHIFT, OPEN_CELLS, Strips};
use crate::params::Rational;
use crate::samplers::common::fixed_exp::{EXPONENT_BITS, exp_neg, shift_right_wide};

/// The most strips: ⌈12·3.4⌉.
const MAX_STRIPS: usize = 41;
/// The largest k for which u is in the word.
const MAX_INNER: u32 = 6;
/// ⌊2^127·log2(e)⌋.
const LOG2_E: u128 = 0xb8aa_3b29_5c17_f0bb_be87_fed0_691d_3e88;
/// ⌊2^63·2^(-i/8)⌋.
const ROOTS: [u64; 8] = [
    0x8000_0000_0000_0000,
    0x7560_6373_ee92_1c97,
    0x6ba2_7e65_6b4e_b57a,
    0x62b3_9508_aa83_6d6e,
    0x5a82_7999_fcef_3242,
    0x52ff_6b54_d8a8_9c75,
    0x4c1b_f828_c6dc_54b7,
    0x45ca_e0f1_f545_eb73,
];

/// ⌊ab/2^128⌋, short by 2 at most.
const fn mul_high(a: u128, b: u128) -> u128 {
    let (a1, a0, b1, b0) = (a >> 64, a & u64::MAX as u128, b >> 64, b & u64::MAX as u128);
    a1 * b1 + ((a1 * b0) >> 64) + ((a0 * b1) >> 64)
}

/// The strips for this σ, from 1 to 2^26, S in units of 2^-32, and how many strips there are: K = 2^k for the least k with
/// σ <= 3.4·2^k.
pub(in crate::samplers) fn envelope(sigma: Rational) -> (Envelope, u64, u64) {
    let (num, den) = (u128::from(sigma.num().unsigned_abs()), u128::from(sigma.den()));
    let mut shift = 0;
    while 5 * num > (17 * den) << shift {
        shift += 1;
    }
    debug_assert!(shift <= MAX_SHIFT);
    let count = (12 * num).div_ceil(den << shift) as usize;
    let (height, weights) = weights(kappa(sigma, shift), count);
    let ones = weights[..count].iter().filter(|weight| **weight == 1).count();
    let mut keys = [0; KEYS];
    // What lies beyond strip j of weight above 1, less the last strips.
    let mut beyond = 0;
    for j in (1..count - ones).rev() {
        beyond += weights[j];
        keys[j - 1] = beyond as u16;
    }
    let heights = ROOTS.map(|root| ((u128::from(height) * u128::from(root)) >> 32) as u64);
    (Envelope { keys, ones: ones as u16, shift, heights }, height, count as u64)
}

/// K²/σ² in units of 2^-128, at most 2^128 - 1: 1/σ by two digits, short by one unit.
fn kappa(sigma: Rational, shift: u32) -> u128 {
    let (num, den) = (u128::from(sigma.num().unsigned_abs()), u128::from(sigma.den()));
    let digit = (den << 64) / num;
    let rest = (den << 64) - digit * num;
    let inverse = digit.checked_mul(1 << 64).map_or(u128::MAX, |high| high + (rest << 64) / num);
    let ratio = inverse.saturating_mul(1 << shift);
    mul_high(ratio, ratio)
}

/// c = K²·log2(e)/2σ² in units of 2^-128, for K = 2^shift <= σ: short by less than 2^-100.
pub(in crate::samplers) fn square(sigma: Rational, shift: u32) -> u128 {
    mul_high(kappa(sigma, shift), LOG2_E)
}

/// What a law's trials need, S in units of 2^-32, and how many strips there are; for 1 <= σ <= 2^26 and the centre's
/// fraction in units of 2^-64.
pub(super) fn build(sigma: Rational, fraction: u64) -> (Strips, Look, u64, u64) {
    let (envelope, height, count) = envelope(sigma);
    let shift = envelope.shift;
    // In units of 2^-128.
    let square = square(sigma, shift);
    let scale = square.leading_zeros().min(3);
    let inner = if shift <= MAX_INNER { shift } else { 0 };
    let offset = |o: u128| {
        let product = (square >> 64) * o; // 2^-128; o <= 2^64, in units of 2^-64
        let second = ((product >> 64) * o) >> (71 + 2 * shift);
        ((product >> (67 + shift)) as u64, second as u64 + (u64::from(1 + inner) << 57))
    };
    let strips = Strips {
        envelope,
        inner,
        scale,
        square: (square >> (65 - scale)) as u64,
        offsets: [offset(fraction.into()), offset((1 << 64) - u128::from(fraction))],
    };
    (strips, look(&envelope, square, fraction), height, count)
}

/// Expected trials of a sample, 2K/(S·σ·sqrt(2π)), in units of 2^-16: for S in units of 2^-32.
pub(super) fn rate(sigma: Rational, shift: u32, height: u64) -> u32 {
    // K/σ in units of 2^-16, and sqrt(2π) in the same.
    let ratio = (u128::from(sigma.den()) << (16 + shift)) / u128::from(sigma.num().unsigned_abs());
    ((ratio << 49) / (u128::from(height) * 164_274)) as u32
}

/// The first look at a law's trials: c in units of 2^-128, and the centre's fraction in units of 2^-64.
pub(super) fn look(envelope: &Envelope, square: u128, fraction: u64) -> Look {
    let (keys, ones) = (&envelope.keys, envelope.ones);
    let wide = 1 + keys.iter().filter(|key| **key > 0).count();
    // What lies beyond a strip and what lies beyond the one before it.
    let weight = |j: usize| if j == 0 { (1 << 16) - u32::from(ones) } else { keys[j - 1].into() } - u32::from(keys[j]);
    // The most cells that each strip can have: M.
    let total = |most: u32| u32::from(ones) + (0..wide).map(|j| weight(j).min(most)).sum::<u32>();
    let most = (1..OPEN_CELLS).take_while(|most| total(*most) <= OPEN_CELLS).last().unwrap_or(1);
    let window = |j: usize| weight(j).min(most) + u32::from((j as u32) < OPEN_CELLS - total(most));
    // The last strip that is not open in whole.
    let last = (0..wide).filter(|j| window(*j) < weight(*j)).last().unwrap_or(0) as u128;
    // D and its slope are below 2^15 units.
    let units = |numerator: u128, unit: u32| ((numerator >> (127 - unit)) + 1) >> 1;
    let unit = (12..15).rev().find(|unit| units(square, *unit) * (2 * last + 1) + last + 2 < 1 << 15).unwrap_or(12);
    let mut look = Look {
        cells: [0; KEYS],
        wide: wide as u16,
        halves: [0; KEYS],
        slopes: [0; KEYS],
        windows: [0; KEYS],
        caps: [0; KEYS],
        margin: (most / 2) as u16,
        square: units(square, unit) as u16,
        unit,
        offsets: [u128::from(fraction), (1 << 64) - u128::from(fraction)]
            .map(|o| (((o >> (48 + envelope.shift)) + 1) >> 1) as u16),
        mask: (0xffff_0000_u32 >> envelope.shift.min(15)) as u16,
    };
    // The first weight has the remainder of 2^16 as well, which is no part of the goal: heights[0] is S in units of 2^-63.
    let height = |j: usize| if j == 0 { (envelope.heights[0] >> 47) as u32 + 1 } else { weight(j) };
    let mut beyond = 0;
    for j in (0..wide).rev() {
        look.cells[j] = beyond as u16;
        beyond += window(j);
        look.windows[j] = window(j) as u16;
        look.caps[j] = (weight(j) - window(j)) as u16;
        look.halves[j] = (height(j) / 2) as u16;
        if j as u128 <= last {
            look.slopes[j] = ((((square >> 64) * 2 * j as u128) >> (63 - unit)) + 1 >> 1) as u16;
        }
    }
    debug_assert!(beyond + u32::from(ones) == OPEN_CELLS && wide < KEYS);
    // The strips of weight 1.
    look.windows[wide] = 1;
    look
}

/// (m, s) with m·2^-(63 + s) above e^(-κj²/2), by 2^-40 to 2^-38 relative; κj²/2 < 2^9.
fn raised(kappa: u128, j: u128) -> (u64, u32) {
    let (m, s) = exp_neg((kappa >> (129 - EXPONENT_BITS)) * (j * j));
    (m + (m >> 39), s)
}

/// The largest S, in units of 2^-32, for which all weights are at most 2^16 together, and those weights: strip j's is above
/// 2^16·S·e^(-κj²/2), by 2^-40 relative at least. What is left of 2^16 goes to the first strip.
fn weights(kappa: u128, count: usize) -> (u64, [u32; MAX_STRIPS]) {
    let heights: [_; MAX_STRIPS] = core::array::from_fn(|j| raised(kappa, j.min(count - 1) as u128));
    let weights = |height: u64| {
        heights.map(|(m, s)| shift_right_wide(u128::from(height) * u128::from(m), s + 63 + 32 - 16) as u32 + 1)
    };
    let mut height = 0;
    for bit in (0..32).rev() {
        let higher = height | 1 << bit;
        if weights(higher)[..count].iter().sum::<u32>() <= 1 << 16 {
            height = higher;
        }
    }
    (height, weights(height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitSource;
    use crate::fixtures::reader;

    /// K²/σ² < 1 in units of 2^-128, rounded down.
    fn exact(sigma: Rational, shift: u32) -> u128 {
        let (num, den) = (u128::from(sigma.num().unsigned_abs()), u128::from(sigma.den()) << shift);
        let (mut rest, divisor) = (den * den, num * num);
        (0..128).fold(0, |value, _| {
            rest <<= 1;
            let digit = rest >= divisor;
            rest -= if digit { divisor } else { 0 };
            value << 1 | u128::from(digit)
        })
    }

    #[test]
    fn high_halves_of_products() {
        let halves = |x: u128| (x >> 64, x & u128::from(u64::MAX));
        let mut bits = reader(1);
        let mut any = || u128::from(bits.bits(64)) << 64 | u128::from(bits.bits(64));
        let ends = [0, 1, u128::from(u64::MAX), 1 << 64, u128::MAX - 1, u128::MAX];
        let mut all: std::vec::Vec<_> = ends.into_iter().flat_map(|a| ends.map(|b| (a, b))).collect();
        all.extend((0..10_000).map(|_| (any(), any())));
        for (a, b) in all {
            let ((a1, a0), (b1, b0)) = (halves(a), halves(b));
            let ((high, low), (cross_high, cross_low)) = (halves(a1 * b0), halves(a0 * b1));
            let exact = a1 * b1 + high + cross_high + ((low + cross_low + ((a0 * b0) >> 64)) >> 64);
            assert!((0..=2).contains(&(exact - mul_high(a, b))), "{a:x}, {b:x}");
        }
    }

    #[test]
    fn kappa_and_the_square_fall_short_by_as_little_as_they_say() {
        let mut bits = reader(2);
        for shift in 0..=MAX_SHIFT {
            for i in 0..200 {
                // From K to 3.4 K, 1 included.
                let den = if i == 0 { 1 } else { 1 + bits.bits(30) };
                let low = den << shift;
                let num = low + if i == 0 { 0 } else { bits.bits(63) % (low * 12 / 5) };
                let sigma = Rational::new(num as i64, den).unwrap();
                let wanted = if num == low { u128::MAX } else { exact(sigma, shift) };
                assert!((0..=(2 << shift) + 3).contains(&(wanted - kappa(sigma, shift))), "{sigma}, {shift}");
                let (square, ratio) = (square(sigma, shift) as f64, low as f64 / num as f64);
                let wanted = ratio * ratio / 2.0 * core::f64::consts::LOG2_E * 2_f64.powi(128);
                assert!((square / wanted - 1.0).abs() < 1e-15, "{sigma}, {shift}");
            }
        }
    }

    #[test]
    fn weights_come_from_above() {
        let mut bits = reader(3);
        for i in 0..500_u64 {
            let kappa = if i == 0 { u128::MAX } else { u128::from(bits.bits(64)) << 64 | u128::from(bits.bits(64)) };
            let ratio = (kappa as f64 / 2_f64.powi(128)).sqrt();
            for j in (0..41).take_while(|j| f64::from(*j) * ratio < 16.0) {
                let (m, s) = raised(kappa, j as u128);
                let value = m as f64 * 2_f64.powi(-63 - s as i32);
                let above = value / (-0.5 * (f64::from(j) * ratio).powi(2)).exp() - 1.0;
                assert!((2_f64.powi(-40)..2_f64.powi(-38)).contains(&above), "{kappa:x}, {j}: {above}");
            }
        }
    }
}
