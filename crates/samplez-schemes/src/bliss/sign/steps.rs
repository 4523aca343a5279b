//! The steps of an attempt that both signers share. None has a branch, an index or an address that depends on its data.

use crate::bliss::profile::Rounding;
use crate::bliss::public::{PublicKey, doubled};
use crate::bliss::set::Parameters;
use samplez_core::arch::fastest;

/// Steps 2 and 3 before the hash: u ← ζ·2a_q·y₁ + y₂ mod 2q, and ⌊u⌉_d mod p. `product` is scratch.
pub(super) fn commit(
    key: &PublicKey,
    rounding: Rounding,
    [y1, y2]: [&[i16]; 2],
    product: &mut [i16],
    u: &mut [i32],
    rounded: &mut [i32],
) {
    let set = key.set().parameters();
    product.copy_from_slice(y1);
    key.zeta_a.multiply(product);
    fastest(
        #[inline(always)]
        || {
            doubled(set.q(), product, u);
            add_modulo(2 * set.q(), u, y2, 1);
            rounded.copy_from_slice(u);
            rounding.round_all(set, rounded);
        },
    );
}

/// Step 7: z₂† ← ⌊u⌉_d - ⌊u - z₂⌉_d mod p, centred, for ⌊u⌉_d in `rounded`; u is lost.
pub(super) fn compress(
    set: &Parameters,
    rounding: Rounding,
    rounded: &[i32],
    u: &mut [i32],
    z2: &[i16],
    out: &mut [i16],
) {
    fastest(
        #[inline(always)]
        || {
            let p = set.p;
            add_modulo(2 * set.q(), u, z2, -1);
            rounding.round_all(set, u);
            for (out, (high, low)) in out.iter_mut().zip(rounded.iter().zip(u.iter())) {
                let difference = high - low;
                let (is_below, is_above) = ((difference + p / 2) >> 31, (p / 2 - difference) >> 31); // all ones, or 0
                *out = (difference + (is_below & p) - (is_above & p)) as i16;
            }
        },
    );
}

/// u ← u + sign·y modulo m, between 0 and m - 1, for u there and y of 16 bits; m > 2^14.
#[inline(always)]
fn add_modulo(m: i32, u: &mut [i32], y: &[i16], sign: i32) {
    for (u, y) in u.iter_mut().zip(y) {
        let mut sum = *u + sign * i32::from(*y) + 3 * m; // from 3m - 2^15 > 0 to 4m + 2^15 < 8m
        for multiple in [4 * m, 2 * m, m] {
            sum -= multiple;
            sum += sum >> 31 & multiple;
        }
        *u = sum;
    }
}

/// ‖v‖² and ⟨z,v⟩.
pub(super) fn products([z1, z2]: [&[i16]; 2], [v1, v2]: [&[i16]; 2]) -> (i64, i64) {
    fastest(
        #[inline(always)]
        || (inner(v1, v1) + inner(v2, v2), inner(z1, v1) + inner(z2, v2)),
    )
}

/// The inner product. Of 64 terms the sum is below 2^15·2^9·2^6 < 2^31: |v| <= 5κ.
#[inline(always)]
fn inner(a: &[i16], b: &[i16]) -> i64 {
    let parts = a.chunks(64).zip(b.chunks(64));
    parts.map(|(a, b)| i64::from(a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_reduced_from_every_word() {
        for m in [15_362, 24_578] {
            for y in i16::MIN..=i16::MAX {
                for (start, sign) in [(0, 1), (0, -1), (m - 1, 1), (m - 1, -1)] {
                    let mut u = [start];
                    add_modulo(m, &mut u, &[y], sign);
                    assert_eq!(u[0], (start + sign * i32::from(y)).rem_euclid(m));
                }
            }
        }
    }
}
