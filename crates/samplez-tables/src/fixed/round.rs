//! From limbs to doubles, rounded once: also where doubles have fewer bits, below 2^-1022.

use super::limbs::leading;
use core::cmp::Ordering;
use libm::scalbn;

/// Returns a·2^-shift as an integer of at most 53 bits, cut off, times a power of 2. The two flags report whether the
/// next bit is set, and whether any follows.
fn split<const N: usize>(a: &[u64; N], shift: i32) -> (u64, i32, bool, bool) {
    let (bits, exponent, follow) = leading(a);
    let exponent = i64::from(exponent) - i64::from(shift);
    // The leading bit weighs 2^(exponent + 127), and doubles end at 2^-1074.
    let kept = (exponent + 127 + 1075).clamp(-1, 53);
    match kept {
        -1 => (0, 0, false, bits != 0),
        0 => (0, 0, bits >> 127 == 1, follow || bits << 1 != 0),
        _ => {
            let (cut, next) = (128 - kept as u32, 127 - kept as u32);
            let rest = bits & ((1 << next) - 1) != 0;
            ((bits >> cut) as u64, (exponent + i64::from(cut)) as i32, bits >> next & 1 == 1, follow || rest)
        }
    }
}

/// The double nearest to a·2^-shift, ties to even.
pub(crate) fn rounded<const N: usize>(a: &[u64; N], shift: i32) -> f64 {
    let (integer, exponent, half, rest) = split(a, shift);
    let up = half && (rest || integer & 1 == 1);
    // Where nothing was kept, what is rounded up becomes the least double.
    if integer == 0 { f64::from_bits(u64::from(up)) } else { scalbn((integer + u64::from(up)) as f64, exponent) }
}

/// How a·2^-shift compares with a double, which is not negative.
pub(crate) fn compare<const N: usize>(a: &[u64; N], shift: i32, double: f64) -> Ordering {
    let (integer, exponent, half, rest) = split(a, shift);
    let order = scalbn(integer as f64, exponent).total_cmp(&double);
    if order == Ordering::Equal && (half || rest) { Ordering::Greater } else { order }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_themselves_and_their_neighbourhoods_round_to_them() {
        for double in
            [1.0, 0.1, 5e-324, 1.5e-323, f64::MIN_POSITIVE, f64::MIN_POSITIVE.next_down(), 2.0_f64.powi(-1060)]
        {
            // double = m·2^e with m in limb 1: a·2^-shift for shift = -e.
            let bits = double.to_bits();
            let (m, e) = (bits & ((1 << 52) - 1) | u64::from(bits >> 52 != 0) << 52, (bits >> 52).max(1) as i32 - 1075);
            let shift = -e;
            assert_eq!((rounded(&[0, 0, m], shift), compare(&[0, 0, m], shift, double)), (double, Ordering::Equal));
            let half = 1 << 63;
            let even = if m & 1 == 0 { double } else { double.next_up() };
            assert_eq!(rounded(&[0, half, m], shift), even, "{double:e}: ties to even");
            assert_eq!(rounded(&[0, half - 1, m], shift), double);
            assert_eq!(rounded(&[1, half, m], shift), double.next_up());
            for above in [[1, 0, m], [0, half, m], [u64::MAX, u64::MAX, m]] {
                assert_eq!(compare(&above, shift, double), Ordering::Greater);
                assert_eq!(compare(&above, shift, double.next_up()), Ordering::Less);
            }
        }
    }

    #[test]
    fn below_the_least_double() {
        // 2^-1075, half the least double.
        assert_eq!(rounded(&[0, 0, 1], 1075), 0.0);
        assert_eq!(rounded(&[1, 0, 1], 1075), 5e-324);
        assert_eq!(compare(&[1, 0, 1], 1075, 0.0), Ordering::Greater);
        assert_eq!(compare(&[1, 0, 1], 1075, 5e-324), Ordering::Less);
        assert_eq!((rounded(&[0, 0, 1], 1076), rounded(&[0, u64::MAX, 1], 1076)), (0.0, 0.0));
        assert_eq!((rounded(&[0, 0, 0], 3), rounded(&[0, 0, 7], i32::MAX)), (0.0, 0.0));
        assert_eq!(rounded(&[0, 0, u64::MAX], 0), 2.0_f64.powi(64));
    }

    #[test]
    fn above_the_largest_double() {
        assert_eq!(rounded(&[0, 0, 3], -1022), 3.0 * 2.0_f64.powi(1022));
        assert_eq!(rounded(&[0, 0, 1], -1024), f64::INFINITY);
        assert_eq!(rounded(&[0, 0, 7], -1_000_000), f64::INFINITY);
        assert_eq!(compare(&[0, 0, 1], -1024, f64::MAX), Ordering::Greater);
    }
}
