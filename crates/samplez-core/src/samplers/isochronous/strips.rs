//! The strips of one law: their weights, and the constants of a trial.

use super::sigma::{compare, kappa, square};
use crate::arch::isochronous::{Envelope, KEYS, Look, MAX_SHIFT, OPEN_CELLS, Strips};
use crate::params::Width;
use crate::samplers::common::fixed_exp::{EXPONENT_BITS, exp_neg, shift_right_wide};
use core::cmp::Ordering;

/// The most strips: ⌈12·3.4⌉.
const MAX_STRIPS: usize = 41;
/// The largest k for which u is in the word.
const MAX_INNER: u32 = 6;
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

/// Returns the strips for this σ, from 1 to 2^26, S in units of 2^-32, and the number of strips. K = 2^k for the least
/// k with σ <= 3.4·2^k.
pub(in crate::samplers) fn envelope(width: Width) -> (Envelope, u64, u64) {
    let above = |a: u64, b: u64| compare(width, a, b) == Ordering::Greater;
    let shift = (0..MAX_SHIFT).find(|shift| !above(17 << shift, 5)).unwrap_or(MAX_SHIFT);
    // ⌈12σ/K⌉, at least 12.
    let count = (12..MAX_STRIPS).find(|count| !above((*count as u64) << shift, 12)).unwrap_or(MAX_STRIPS);
    let (height, weights) = weights(kappa(width, shift), count);
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

/// Returns the constants of a law's trials, S in units of 2^-32, and the number of strips. It is for 1 <= σ <= 2^26 and
/// the centre's fraction in units of 2^-64.
pub(super) fn build(width: Width, fraction: u64) -> (Strips, Look, u64, u64) {
    let (envelope, height, count) = envelope(width);
    let shift = envelope.shift;
    // In units of 2^-128.
    let square = square(width, shift);
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
pub(super) fn rate(width: Width, shift: u32, height: u64) -> u32 {
    // K/σ in units of 2^-16, and sqrt(2π) in the same.
    let fits = |ratio: u64| compare(width, 1 << (16 + shift), ratio) != Ordering::Greater;
    let ratio = (0..17).rev().fold(0, |ratio, bit| if fits(ratio | 1 << bit) { ratio | 1 << bit } else { ratio });
    let ratio = u128::from(ratio);
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
    let last = (0..wide).rfind(|j| window(*j) < weight(*j)).unwrap_or(0) as u128;
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
            look.slopes[j] = (((((square >> 64) * 2 * j as u128) >> (63 - unit)) + 1) >> 1) as u16;
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

/// Returns the largest S, in units of 2^-32, for which all weights are at most 2^16 together, and those weights. Strip
/// j's is above 2^16·S·e^(-κj²/2), by 2^-40 relative at least. The rest of 2^16 goes to the first strip.
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
    use crate::params::Rational;

    #[test]
    fn whole_numbers_of_rational_widths() {
        let mut bits = reader(2);
        for i in 0..2000_u32 {
            let den = 1 + bits.bits(1 + i % 36);
            let num = (u128::from(den) + u128::from(bits.bits(63)) % (u128::from(den) << 26)).min(i64::MAX as u128);
            let sigma = Rational::new(num as i64, den).unwrap();
            let (num, den) = (u128::from(sigma.num().unsigned_abs()), u128::from(sigma.den()));
            let (Envelope { shift, .. }, height, count) = envelope(Width::Sigma(sigma));
            assert!(5 * num <= (17 * den) << shift && (shift == 0 || 10 * num > (17 * den) << shift), "{sigma}");
            assert_eq!(u128::from(count), (12 * num).div_ceil(den << shift), "{sigma}");
            let ratio = (den << (16 + shift)) / num;
            let wanted = ((ratio << 49) / (u128::from(height) * 164_274)) as u32;
            assert_eq!(rate(Width::Sigma(sigma), shift, height), wanted, "{sigma}");
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
